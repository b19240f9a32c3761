// What every project's tests share. A project with needs of its own has its own jest.config.mjs that spreads this one.
export default {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@ams/source', 'node', 'node-addons'] },
  testMatch: ['<rootDir>/src/**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          target: 'es2022',
          keepClassNames: true,
        },
        module: { type: 'es6' },
      },
    ],
  },
  modulePathIgnorePatterns: ['<rootDir>/dist'],
  testTimeout: 30_000,
  // A failed test may leave a server behind; the run must end all the same, and the server ends with it.
  forceExit: true,
};
