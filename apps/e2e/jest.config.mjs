import shared from '../../jest.config.mjs';

export default {
  ...shared,
  maxWorkers: 1, // each installation is a dozen processes: one at a time
  globalSetup: '<rootDir>/jest/global-setup.mjs',
  globalTeardown: '<rootDir>/jest/global-teardown.mjs',
  testSequencer: '<rootDir>/jest/sequencer.mjs',
  testTimeout: 600_000,
};
