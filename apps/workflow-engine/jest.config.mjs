import shared from '../../jest.config.mjs';

export default {
  ...shared,
  globalSetup: '../../libs/testing/jest/global-setup.mjs',
  globalTeardown: '../../libs/testing/jest/global-teardown.mjs',
};
