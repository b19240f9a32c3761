export { connectNats, isNatsConnected, onConnectionChange, onReconnect } from './connection.js';
export { faultOfServer, requireServer } from './server-needs.js';
export { asFault } from './rpc/as-fault.js';
export { faultsOfCall } from './rpc/call.pipe.js';
export { Handles, HandlesPublic, HandlesRequest } from './rpc/handles.decorator.js';
export { hasNoResponder, RpcClient } from './rpc/rpc-client.js';
export { clientSpan } from './rpc/request-span.js';
export { requestHeaders, signatureHeader } from './rpc/request-headers.js';
export { OrganizationTurns, tooLate, type TurnLimits } from './rpc/organization-turns.js';
export { RpcServer, type Answered, type Refused } from './rpc/rpc-server.js';
export { refusedHeader, SignedCalls } from './rpc/signed-calls.js';
export { Logger } from './logger.js';
export { OrganizationActivity } from './organization-activity.js';
export { atEndOfTurn } from './turn.js';
export { TlsError, tlsFaultOf } from './tls.js';
export { whenAvailable } from './when-available.js';
export { WorkClock } from './work-clock.js';
export { readRange, StreamFollower, type StreamMessage } from './stream-follower.js';
export { StreamReader } from './stream-reader.js';
export {
  announcementsKv,
  BrokerIncomplete,
  ensureStream,
  ingestIdempotencyKv,
  integrationsKv,
  managerOf,
  openBucket,
  requireStream,
  statusKv,
  streamOfBucket,
  streams,
} from './streams.js';
export { consumers, partitionConsumerName } from './consumers.js';
export { applyBroker, brokerDefaults, keepBroker, type BrokerPart, type BrokerSettings } from './broker.js';
export { watchBucket, type BucketEntry } from './bucket-watch.js';
export { announce, keepAnnounced, watchAnnouncements } from './announce.js';
export { NatsConnection } from './nats-connection.js';
export { brokerAccount, brokerAdmin, natsAccounts, natsUsers, type NatsUserName } from './permissions.js';
export { secondsSinceMessage } from './oldest-message.js';
export { readReports, sendReport } from './status-reports.js';
