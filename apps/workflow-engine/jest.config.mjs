import shared from '../../jest.config.mjs';

export default { ...shared, testTimeout: 60_000 };
