import shared from '../../jest.config.mjs';

// Each file has its own NATS server (the names of streams are fixed). Two files at a time are enough for a laptop.
export default { ...shared, maxWorkers: 2 };
