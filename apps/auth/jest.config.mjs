import shared from '../../jest.config.mjs';

export default {
  ...shared,
  maxWorkers: 2,
  globalSetup: '@ams/testing/global-setup',
  globalTeardown: '@ams/testing/global-teardown',
  testEnvironmentOptions: { customExportConditions: ['@ams/source', 'node', 'node-addons'] },
};
