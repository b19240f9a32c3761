/**
 * Reads a stream with a durable consumer that the replicas of a service share (consumers.ts). After an error or a
 * reconnection it begins another session, and waits while the stream or the consumer is missing. The caller
 * acknowledges the messages.
 *
 * An idle reader asks NATS every few seconds whether the consumer exists: silence alone does not show that there is
 * nothing to do.
 */
import {
  jetstream,
  JetStreamApiError,
  type Consumer,
  type ConsumerMessages,
  type ConsumeOptions,
  type JsMsg,
  type StreamInfo,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import { onReconnect } from './connection.js';
import type { DurableConsumer } from './consumers.js';
import { BrokerIncomplete, requireStream } from './streams.js';
import { WorkClock } from './work-clock.js';

export interface StreamReaderOptions {
  /** The consumer, the same for every replica. */
  consumer: DurableConsumer;
  /** The number of messages to fetch in advance. */
  consume: ConsumeOptions;
  /** The name of the stream in log messages: `the request log`. */
  what: string;
  log: { warn(facts: Record<string, unknown>, message: string): void };
  /**
   * Handles a message. The next message waits for its promise. An error starts a new session. With the result
   * `false` the message was not processed: it is no progress.
   */
  take: (message: JsMsg, stream: StreamInfo) => Promise<boolean | void> | boolean | void;
  /** In place of `take`, when several messages have arrived: handles all of them, at most `mostTogether`. */
  takeTogether?: (messages: JsMsg[], stream: StreamInfo) => Promise<boolean>;
  /** How long messages wait for others while the stream is busy, in milliseconds; 0 by default. */
  gatherMs?: number;
}

const retryMs = 500;
const idleCheckMs = 3000;
/** How often NATS is told that messages that are here are being worked on. It delivers others again. */
const workingMs = 2000;

const mostTogether = 64;
/** A stream is busy while messages come this fast, one after another. */
const busyMs = 100;
/** A message may have some hundred kilobytes: so many bytes at the most wait, with the last message. */
const mostBytes = 2 * 1024 * 1024;

/** The messages that have arrived and wait. */
class Arrived {
  private messages: JsMsg[] = [];
  private wake: (() => void) | null = null;
  private room: (() => void) | null = null;
  private closed = false;

  /** Resolves when there is room for another one. */
  async add(message: JsMsg): Promise<void> {
    if (this.closed) return message.nak();
    this.messages.push(message);
    this.notify();
    const bytes = this.messages.reduce((sum, { data }) => sum + data.length, 0);
    if (this.messages.length >= mostTogether || bytes >= mostBytes)
      await new Promise<void>((resolve) => (this.room = resolve));
  }

  notify(): void {
    this.wake?.();
  }

  take(): JsMsg[] {
    this.room?.();
    this.room = null;
    return this.messages.splice(0);
  }

  /** NATS delivers the messages that wait at once, to another replica or to the next session. */
  close(): void {
    this.closed = true;
    for (const message of this.take()) message.nak();
  }

  get all(): readonly JsMsg[] {
    return this.messages;
  }

  get isFull(): boolean {
    return this.room !== null;
  }

  /** Resolves when something may have arrived. */
  async change(): Promise<void> {
    if (this.messages.length > 0) return;
    await new Promise<void>((resolve) => (this.wake = resolve));
    this.wake = null;
  }
}

export class StreamReader {
  /** `take` notes attempts that fail; the reader notes progress. */
  readonly clock = new WorkClock();
  private messages: ConsumerMessages | null = null;
  private taking = false;
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
    // NATS may have lost the stream and have another one now.
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
        this.clock.attempted();
        if (!this.stopped) log.warn({ err: error }, `${what} cannot be read; it is tried again`);
      }
      if (!this.stopped) await pause(retryMs);
    }
  }

  private async session(): Promise<void> {
    const { consumer: durable, consume, take } = this.options;
    // In this order: when the stream is replaced in between, the consumer is gone, and the session ends.
    const consumer = await this.existing(durable);
    const stream = await requireStream(this.connection, durable.stream);
    this.messages = await consumer.consume({ abort_on_missing_resource: true, ...consume });
    if (this.stopped) this.messages.stop();
    const idleCheck = setInterval(() => void this.checkIdle(consumer), idleCheckMs);
    try {
      if (this.options.takeTogether) await this.readTogether(this.messages, stream, this.options.takeTogether);
      else for await (const message of this.messages) await this.handle(() => take(message, stream));
    } finally {
      clearInterval(idleCheck);
    }
  }

  private async existing({ stream, config }: DurableConsumer): Promise<Consumer> {
    try {
      return await jetstream(this.connection).consumers.get(stream, config.durable_name);
    } catch (error) {
      if (error instanceof JetStreamApiError && error.apiError().err_code === 10014)
        throw new BrokerIncomplete(`the consumer ${config.durable_name} of ${stream}`, { cause: error });
      throw error;
    }
  }

  private async handle(work: () => Promise<boolean | void> | boolean | void): Promise<void> {
    this.taking = true;
    try {
      const isProcessed = await work();
      if (isProcessed === false) this.clock.attempted();
      else this.clock.progressed();
    } finally {
      this.taking = false;
    }
  }

  /** Receives messages while others are handled, so that those which have arrived are handled together. */
  private async readTogether(
    messages: ConsumerMessages,
    stream: StreamInfo,
    takeTogether: (messages: JsMsg[], stream: StreamInfo) => Promise<boolean>,
  ): Promise<void> {
    const { take, gatherMs = 0 } = this.options;
    const arrived = new Arrived();
    let handledAt = -Infinity;
    let handled: readonly JsMsg[] = [];
    const working = setInterval(() => [...handled, ...arrived.all].forEach((message) => message.working()), workingMs);
    let ended = false;
    const receiving = receive(messages, arrived).finally(() => {
      ended = true;
      arrived.notify();
    });
    // Its error is thrown below.
    receiving.catch(() => undefined);
    try {
      for (;;) {
        const isBusy = performance.now() - handledAt < busyMs;
        if (isBusy && gatherMs > 0 && arrived.all.length > 0 && !arrived.isFull && !ended && !this.stopped)
          await pause(gatherMs);
        const some = this.stopped ? [] : arrived.take();
        const [first] = some;
        handled = some;
        if (first) {
          await this.handle(() => (some.length > 1 ? takeTogether(some, stream) : take(first, stream)));
          handledAt = performance.now();
        } else if (ended || this.stopped) break;
        else await arrived.change();
      }
    } finally {
      messages.stop();
      clearInterval(working);
      arrived.close();
    }
    await receiving;
  }

  /** A session whose consumer does not answer is ended, and another one begins. */
  private async checkIdle(consumer: Consumer): Promise<void> {
    if (this.taking || this.clock.msSinceProgress < idleCheckMs) return;
    try {
      const before = await consumer.info(true);
      const { created } = await consumer.info();
      if (created !== before.created) throw new Error('the consumer was replaced');
      if (!this.taking) this.clock.progressed();
    } catch (error) {
      this.clock.attempted();
      this.options.log.warn({ err: error }, `${this.options.what} cannot be read; it is tried again`);
      this.messages?.stop();
    }
  }
}

async function receive(messages: ConsumerMessages, arrived: Arrived): Promise<void> {
  for await (const message of messages) await arrived.add(message);
}
