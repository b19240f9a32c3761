import shared from '../../jest.config.mjs';

export default {
  ...shared,
  maxWorkers: 2, // the tests mostly wait: for time limits, for servers that restart
  globalSetup: '@ams/testing/global-setup',
  globalTeardown: '@ams/testing/global-teardown',
};
