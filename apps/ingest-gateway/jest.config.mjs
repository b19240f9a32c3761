import shared from '../../jest.config.mjs';

// Each file has a broker of its own (the names of streams are fixed); two files at a time are enough for a laptop.
export default { ...shared, maxWorkers: 2 };
