export { connectNats, isNatsConnected, onReconnect, type BrokerOptions } from './connection.js';
export { Subscriptions, asFault, call, type HandlerLog } from './rpc.js';
export { atEndOfTurn } from './turn.js';
export { validate } from './validate.js';
export { StreamReader, type StreamReaderOptions } from './stream-reader.js';
export {
  ensureStream,
  managerOf,
  streams,
  announcementsKv,
  ingestIdempotencyKv,
  integrationsKv,
  type StreamSettings,
} from './streams.js';
export { announce, keepAnnounced, watchAnnouncements } from './announce.js';
export type { NatsConnection } from '@nats-io/transport-node';
export { brokerUsers, permissionsOf, type BrokerPermissions, type BrokerUser } from './permissions.js';
