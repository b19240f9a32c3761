import shared from '../../jest.config.mjs';

export default {
  ...shared,
  maxWorkers: 1, // the replicas of two test files would answer each other's requests on the one broker
  globalSetup: '@ams/testing/global-setup',
  globalTeardown: '@ams/testing/global-teardown',
  testEnvironmentOptions: { customExportConditions: ['@ams/source', 'node', 'node-addons'] },
};
