import shared from '../../jest.config.mjs';

// Each file has a broker of its own, since some of them kill it.
export default {
  ...shared,
  testEnvironmentOptions: { customExportConditions: ['@ams/source', 'node', 'node-addons'] },
};
