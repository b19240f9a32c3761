import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

/**
 * The JetStream manager of a test, which waits longer than that of a service: a busy machine answers late. A request
 * that was lost with a connection ends early enough to be sent again within `eventually`.
 */
export const streamManager = (connection: NatsConnection): Promise<JetStreamManager> =>
  jetstreamManager(connection, { checkAPI: false, timeout: 10_000 });
