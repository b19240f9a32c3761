// eslint-disable-next-line @nx/enforce-module-boundaries -- it is the workspace's own
import shared from '../../jest.config.mjs';

export default {
  ...shared,
  testEnvironmentOptions: { customExportConditions: ['@ams/source', 'node', 'node-addons'] },
};
