import shared from '../../jest.config.mjs';

export default { ...shared };
