// The services run as they are shipped: compiled. What is stale is compiled first.
import { ensureBuilt } from '../../../tools/lib/workspace.mjs'; // eslint-disable-line @nx/enforce-module-boundaries -- it is the workspace's own

export default () => ensureBuilt({ step: (_what, work) => work() });
