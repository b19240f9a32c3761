import shared from '../../jest.config.mjs';

export default {
  ...shared,
  maxWorkers: 1, // an installation is a dozen processes: one at a time
  globalSetup: '<rootDir>/jest/build.mjs',
  testTimeout: 120_000,
};
