import shared from '../../jest.config.mjs';

export default { ...shared, globalSetup: '@ams/testing/global-setup', globalTeardown: '@ams/testing/global-teardown' };
