import shared from '../../jest.config.mjs';

export default {
  ...shared,
  testEnvironmentOptions: { customExportConditions: ['@ams/source', 'node', 'node-addons'] },
};
