import shared from '../../jest.config.mjs';

export default {
  ...shared,
  maxWorkers: 2,
  globalSetup: '@ams/testing/global-setup',
  globalTeardown: '@ams/testing/global-teardown',
};
