/**
 * Reads a stream that another service owns, from this process alone: consumers in the memory of NATS, which end when
 * nobody reads them, and no acknowledgements. Messages of a stream that is only purged from its beginning have
 * sequences without gaps, so a gap says that messages were lost on the way, or deleted.
 */
import { AckPolicy, DeliverPolicy, jetstream, type Consumer, type ConsumerMessages } from '@nats-io/jetstream';
import { nanos, nuid, type NatsConnection } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import { onReconnect } from './connection.js';
import { managerOf } from './streams.js';

export interface StreamMessage {
  sequence: number;
  data: Uint8Array;
}

type Start = { sequence: number } | { time: Date };

const inactiveMs = 30_000;
const fetchMessages = 256;
const fetchMs = 5000;
const retryMs = 500;

/** A consumer, and the sequence from which it reads: a later one when messages before it are not there. */
async function consumerFrom(
  connection: NatsConnection,
  stream: string,
  start: Start,
): Promise<{ consumer: Consumer; from: number }> {
  const name = `follower-${nuid.next()}`;
  const { delivered } = await (
    await managerOf(connection)
  ).consumers.add(stream, {
    name,
    ack_policy: AckPolicy.None,
    mem_storage: true,
    num_replicas: 1,
    inactive_threshold: nanos(inactiveMs),
    ...('sequence' in start
      ? { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: start.sequence }
      : { deliver_policy: DeliverPolicy.StartTime, opt_start_time: start.time.toISOString() }),
  });
  return { consumer: await jetstream(connection).consumers.get(stream, name), from: delivered.stream_seq + 1 };
}

/** The messages from `first` to `last`, both included. Returns false when one of them is not there any more. */
export async function readRange(
  connection: NatsConnection,
  stream: string,
  { first, last }: { first: number; last: number },
  take: (message: StreamMessage) => Promise<void> | void,
): Promise<boolean> {
  const { consumer, from } = await consumerFrom(connection, stream, { sequence: first });
  if (from !== first) return false;
  let next = first;
  while (next <= last) {
    const before = next;
    const messages = await consumer.fetch({
      max_messages: Math.min(fetchMessages, last - next + 1),
      expires: fetchMs,
    });
    for await (const { seq, data } of messages) {
      if (seq !== next) return false;
      await take({ sequence: seq, data });
      next++;
    }
    if (next === before) return false;
  }
  return true;
}

export interface StreamFollowerOptions {
  stream: string;
  /** The name of the stream in log messages. */
  what: string;
  log: { warn(facts: Record<string, unknown>, message: string): void };
  /** How far back the first message may be, in milliseconds. */
  reachBackMs: number;
  /**
   * The next message has the sequence `from`, and what was taken before has no connection with it. `last`: the end of the
   * stream.
   */
  begin: (stream: { created: string; from: number; last: number }) => void;
  take: (message: StreamMessage) => void;
}

/** Follows a stream until `stop`, also over reconnections. */
export class StreamFollower {
  private messages: ConsumerMessages | null = null;
  private created: string | null = null;
  private next = 0;
  private interrupted = false;
  private stopped = false;
  private warned = false;

  constructor(
    private readonly connection: NatsConnection,
    private readonly options: StreamFollowerOptions,
  ) {}

  start(): void {
    void this.follow();
    onReconnect(this.connection, () => this.interrupt());
  }

  stop(): void {
    this.stopped = true;
    this.interrupt();
  }

  private interrupt(): void {
    this.interrupted = true;
    this.messages?.stop();
  }

  private async follow(): Promise<void> {
    const { log, what } = this.options;
    while (!this.stopped) {
      this.interrupted = false;
      try {
        await this.session();
      } catch (error) {
        if (!this.stopped && !this.warned) log.warn({ err: error }, `${what} cannot be read; it is tried again`);
        this.warned = true;
      }
      if (!this.stopped) await pause(retryMs, undefined, { ref: false });
    }
  }

  private async session(): Promise<void> {
    const { stream, begin, reachBackMs } = this.options;
    const info = await (await managerOf(this.connection)).streams.info(stream);
    const created = String(info.created);
    const isKnown = created === this.created && this.next <= info.state.last_seq + 1;
    const start: Start = isKnown ? { sequence: this.next } : { time: new Date(Date.now() - reachBackMs) };
    const { consumer, from } = await consumerFrom(this.connection, stream, start);
    if (!isKnown || from !== this.next) {
      this.created = created;
      this.next = from;
      begin({ created, from, last: info.state.last_seq });
    }
    this.warned = false;
    while (!this.interrupted) await this.takeNext(consumer);
  }

  private async takeNext(consumer: Consumer): Promise<void> {
    const before = this.next;
    this.messages = await consumer.fetch({ max_messages: fetchMessages, expires: fetchMs });
    // It was interrupted while it asked.
    if (this.interrupted) this.messages.stop();
    for await (const { seq, data } of this.messages) {
      if (seq !== this.next) throw new Error(`message ${this.next} of ${this.options.stream} did not arrive`);
      this.options.take({ sequence: seq, data });
      this.next++;
    }
    // Silence alone does not show that there is nothing to read.
    if (this.next === before && !this.interrupted) await consumer.info();
  }
}
