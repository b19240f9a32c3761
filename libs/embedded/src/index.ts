export { type Exit, type GuardedProcess, spawnGuarded } from './guarded-process.js';
export { freePort } from './free-port.js';
export { type EmbeddedPostgres, startPostgres } from './postgres.js';
export { defaultCacheDir, findNatsServer, type NatsServerBinary } from './nats-server-binary.js';
export { type EmbeddedNats, type NatsUser, startNats } from './nats.js';
export { removeState } from './remove-state.js';
export { createDatabase, dropDatabase } from './create-database.js';
