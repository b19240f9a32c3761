// What the tests of all projects share. A project that needs more has its own jest.config.mjs, which spreads this one.
import { readFileSync } from 'node:fs';

const swcOptions = JSON.parse(readFileSync(new URL('.swcrc', import.meta.url), 'utf8'));

export default {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@ams/source', 'node', 'node-addons'] },
  testMatch: ['<rootDir>/src/**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', swcOptions] },
  modulePathIgnorePatterns: ['<rootDir>/dist'],
  testTimeout: 30_000,
  // A failed test may not stop its servers. The run ends all the same, and the servers end with it.
  forceExit: true,
};
