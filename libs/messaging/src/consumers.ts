/**
 * The durable consumers of the system. They are made with the streams (broker.ts): a service that may create consumers
 * could let NATS deliver messages to any subject, because NATS does not check the subject of delivery against the
 * permissions of the client.
 */
import {
  alertEventsStream,
  auditStream,
  handshakeStream,
  ingestStream,
  ingestSubject,
  requestLogStream,
} from '@ams/contracts';
import { AckPolicy, DeliverPolicy, type ConsumerConfig } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';

export interface DurableConsumer {
  stream: string;
  config: Partial<ConsumerConfig> & { durable_name: string };
}

const durable = (stream: string, name: string, config: Partial<ConsumerConfig>): DurableConsumer => ({
  stream,
  config: { ack_policy: AckPolicy.Explicit, deliver_policy: DeliverPolicy.All, ...config, durable_name: name },
});

/** Each is shared by the replicas of the service that it is named after. */
export const consumers = {
  audit: durable(auditStream, 'auth', { ack_wait: nanos(30_000), max_deliver: -1, max_ack_pending: 5000 }),
  requestLog: durable(requestLogStream, 'resource-api', { ack_wait: nanos(30_000), max_ack_pending: 1 }),
  /** After `ack_wait` NATS delivers the messages of a dead replica to another one. */
  domainEvents: durable(alertEventsStream, 'workflow-engine', { ack_wait: nanos(5000), max_ack_pending: 256 }),
  /** More deliveries than attempts: a replica that fails during an attempt uses up one delivery. */
  handshakes: durable(handshakeStream, 'ingest-gateway', { ack_wait: nanos(60_000), max_deliver: 15 }),
};

/**
 * Tells the pipeline of new messages of a partition. The position is in the database, so nothing is acknowledged. In a
 * cluster its state is in the memory of several servers: a position for each message is not worth a disk write.
 */
export const partitionConsumer = (partition: number, replicas: number): DurableConsumer =>
  durable(ingestStream, partitionConsumerName(partition), {
    ack_policy: AckPolicy.None,
    filter_subject: ingestSubject(partition),
    mem_storage: replicas > 1,
  });

export const partitionConsumerName = (partition: number): string => `partition-${partition}`;
