export { connectNats, isNatsConnected, onReconnect, type NatsOptions } from './connection.js';
export { asFault } from './rpc/as-fault.js';
export { Handles, HandlesRequest } from './rpc/handles.decorator.js';
export { RpcClient, type RequestOptions } from './rpc/rpc-client.js';
export { requestHeaders } from './rpc/request-timeout.js';
export { RpcContext } from './rpc/rpc-context.js';
export { RpcServer } from './rpc/rpc-server.js';
export { Logger } from './logger.js';
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
export { NatsConnection } from './nats-connection.js';
export { natsUsers, permissionsOf, type NatsPermissions, type NatsUserName } from './permissions.js';
