// eslint-disable-next-line @nx/enforce-module-boundaries -- it is the workspace's own
import shared from '../../jest.config.mjs';

export default { ...shared, testTimeout: 60_000 };
