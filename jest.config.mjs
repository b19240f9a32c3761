// What the tests of all projects share. A project that needs more has its own jest.config.mjs, which spreads this one.
const file = (path) => new URL(path, import.meta.url).pathname;

export default {
  testEnvironment: file('libs/testing/jest/native-environment.mjs'),
  runtime: file('libs/testing/jest/native-runtime.mjs'),
  testMatch: ['<rootDir>/src/**/*.spec.ts'],
  maxWorkers: 1, // each worker loads all modules; other projects run at the same time
  transform: {}, // Node does it: libs/testing/jest/register-typescript.mjs
  modulePathIgnorePatterns: ['<rootDir>/dist'],
  // Only ends a test that hangs: a busy machine may need many times as long as an idle one.
  testTimeout: 240_000,
  // A failed test may not stop its servers. The run ends all the same, and the servers end with it.
  forceExit: true,
};
