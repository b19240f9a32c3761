/**
 * Reads a stream with a durable consumer that the replicas of a service share. After an error or a reconnection it
 * creates a missing stream or consumer again, and continues. The caller acknowledges the messages.
 */
import {
  AckPolicy,
  DeliverPolicy,
  jetstream,
  type ConsumerConfig,
  type ConsumerMessages,
  type ConsumeOptions,
  type JsMsg,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import { onReconnect } from './connection.js';
import { managerOf } from './streams.js';

export interface StreamReaderOptions {
  stream: string;
  /** The name of the consumer, the same on every replica. */
  durable: string;
  consumer: Partial<ConsumerConfig>;
  /** The number of messages to fetch in advance. */
  consume: ConsumeOptions;
  /** Creates the stream when it is missing. Called before each session; its result is given to `take`. */
  prepare: () => Promise<unknown>;
  /** The name of the stream in log messages: `the request log`. */
  what: string;
  log: { warn(facts: Record<string, unknown>, message: string): void };
  /** Handles a message. The next message waits for its promise. An error starts a new session. */
  take: (message: JsMsg, prepared: unknown) => Promise<void> | void;
}

const retryMs = 500;

export class StreamReader {
  private messages: ConsumerMessages | null = null;
  private stopped = false;
  private reading: Promise<void> = Promise.resolve();

  constructor(
    private readonly connection: NatsConnection,
    private readonly options: StreamReaderOptions,
  ) {}

  get isStopped(): boolean {
    return this.stopped;
  }

  start(): void {
    this.reading = this.read();
    // NATS may have lost the stream: a new session creates it.
    onReconnect(this.connection, () => this.messages?.stop());
  }

  /** Accepts no new message, and waits for the message in progress. */
  async drain(): Promise<void> {
    this.stopped = true;
    this.messages?.stop();
    await this.reading;
  }

  private async read(): Promise<void> {
    const { log, what } = this.options;
    while (!this.stopped) {
      try {
        await this.session();
      } catch (error) {
        if (!this.stopped) log.warn({ err: error }, `${what} cannot be read; it is tried again`);
      }
      if (!this.stopped) await pause(retryMs);
    }
  }

  private async session(): Promise<void> {
    const { stream, durable, consumer: config, consume, prepare, take } = this.options;
    const prepared = await prepare();
    const manager = await managerOf(this.connection);
    await manager.consumers.add(stream, {
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ...config,
      durable_name: durable,
    });
    const consumer = await jetstream(this.connection).consumers.get(stream, durable);
    this.messages = await consumer.consume({ abort_on_missing_resource: true, ...consume });
    if (this.stopped) this.messages.stop();
    for await (const message of this.messages) await take(message, prepared);
  }
}
