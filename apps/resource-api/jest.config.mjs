import shared from '../../jest.config.mjs';

// One file at a time: they share a broker, on which each has replicas of the service of its own.
export default {
  ...shared,
  maxWorkers: 1,
  globalSetup: '@ams/testing/global-setup',
  globalTeardown: '@ams/testing/global-teardown',
};
