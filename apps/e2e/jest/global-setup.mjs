// The services run as they are shipped: compiled. Stale ones are compiled first.
import { ensureBuilt } from '../../../tools/lib/workspace.mjs'; // eslint-disable-line @nx/enforce-module-boundaries -- it is the workspace's own
import '../../../libs/testing/jest/register-typescript.mjs'; // eslint-disable-line @nx/enforce-module-boundaries -- not exported

export default async function globalSetup() {
  await ensureBuilt({ step: (_what, work) => work() });
  const { offerSharedSystem } = await import('../src/system/shared-system.ts');
  globalThis.__stopSharedSystem = await offerSharedSystem();
}
