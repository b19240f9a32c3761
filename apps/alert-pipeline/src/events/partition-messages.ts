/**
 * The messages of a partition after a position, in their order and without a gap.
 *
 * NATS delivers new messages through a durable consumer, which all replicas share and none may create. It delivers each
 * message once, to the replica that asked last, so what was delivered to another replica, or lost on the way, is read
 * from the stream by its sequence. The numbers of the deliveries say when that is necessary.
 */
import { ingestStream, ingestSubject } from '@ams/contracts';
import { BrokerIncomplete, managerOf, partitionConsumerName, type NatsConnection } from '@ams/messaging';
import {
  jetstream,
  JetStreamApiError,
  type Consumer,
  type ConsumerInfo,
  type ConsumerMessages,
} from '@nats-io/jetstream';

export interface PartitionMessage {
  sequence: number;
  data: Uint8Array;
  /** How many messages of the partition NATS had after this one; at least 1 when it is not known. */
  pending: number;
}

export interface PartitionMessagesOptions {
  nats: NatsConnection;
  partition: number;
  position: number;
  /** How many messages are requested in advance. */
  readAhead: number;
}

const noConsumer = 10014;

export class PartitionMessages implements AsyncIterable<PartitionMessage> {
  private stopped = false;

  private constructor(
    private readonly options: PartitionMessagesOptions,
    /** What the consumer had delivered before `messages`. */
    private readonly before: ConsumerInfo,
    private readonly messages: ConsumerMessages,
  ) {}

  /** Throws BrokerIncomplete when the consumer of the partition does not exist. */
  static async open(options: PartitionMessagesOptions): Promise<PartitionMessages> {
    const consumer = await consumerOf(options);
    const before = await consumer.info();
    const messages = await consumer.consume({
      max_messages: options.readAhead,
      expires: 5000,
      idle_heartbeat: 1000,
      abort_on_missing_resource: true,
    });
    return new PartitionMessages(options, before, messages);
  }

  /** Whether all messages of the partition were delivered and are not after the position. */
  get isAtEnd(): boolean {
    const { num_pending, delivered } = this.before;
    return num_pending === 0 && delivered.stream_seq <= this.options.position;
  }

  stop(): void {
    this.stopped = true;
    this.messages.stop();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<PartitionMessage> {
    const { delivered } = this.before;
    let { position } = this.options;
    let expected = delivered.consumer_seq + 1;
    for await (const message of this.between(position, delivered.stream_seq)) {
      position = message.sequence;
      yield message;
    }
    for await (const { seq, data, info } of this.messages) {
      if (info.deliverySequence !== expected)
        for await (const missed of this.between(position, seq - 1)) {
          position = missed.sequence;
          yield missed;
        }
      expected = info.deliverySequence + 1;
      if (seq <= position) continue;
      position = seq;
      yield { sequence: seq, data, pending: info.pending };
    }
  }

  /** The messages after `position` up to `last`, from the stream. */
  private async *between(position: number, last: number): AsyncGenerator<PartitionMessage> {
    const manager = await managerOf(this.options.nats);
    const next_by_subj = ingestSubject(this.options.partition);
    for (let after = position; after < last && !this.stopped;) {
      // The leader has every message; another server may be behind. The type of the client lacks `next_by_subj`.
      const query = { seq: after + 1, next_by_subj } as { seq: number };
      const message = await manager.streams.getMessage(ingestStream, query);
      if (!message || message.seq > last) return;
      after = message.seq;
      yield { sequence: message.seq, data: message.data, pending: 1 };
    }
  }
}

async function consumerOf({ nats, partition }: PartitionMessagesOptions): Promise<Consumer> {
  const name = partitionConsumerName(partition);
  try {
    return await jetstream(nats).consumers.get(ingestStream, name);
  } catch (error) {
    if (error instanceof JetStreamApiError && error.apiError().err_code === noConsumer)
      throw new BrokerIncomplete(`the consumer ${name} of ${ingestStream}`, { cause: error });
    throw error;
  }
}
