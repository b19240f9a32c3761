export { EmbeddedError, type EmbeddedErrorCode } from './embedded-error.js';
export { type Exit, type GuardedOptions, type GuardedProcess, spawnGuarded } from './guarded-process.js';
export { freePort } from './free-port.js';
export { type EmbeddedPostgres, type PostgresOptions, startPostgres } from './postgres.js';
export {
  defaultCacheDir,
  findNatsServer,
  type FindNatsServerOptions,
  type NatsServerBinary,
} from './nats-server-binary.js';
export { type EmbeddedNats, type NatsOptions, type NatsUser, startNats } from './nats.js';
export { removeState } from './remove-state.js';
export { createDatabase, type CreateDatabaseOptions, dropDatabase } from './create-database.js';
