/**
 * Reads a stream with a durable consumer that the replicas of a service share. After an error or a reconnection it
 * creates a missing stream or consumer again, and continues. The caller acknowledges the messages.
 *
 * An idle reader asks NATS every few seconds whether the consumer exists: silence alone does not show that there is
 * nothing to do.
 */
import {
  AckPolicy,
  DeliverPolicy,
  jetstream,
  type Consumer,
  type ConsumerConfig,
  type ConsumerMessages,
  type ConsumeOptions,
  type JsMsg,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import { onReconnect } from './connection.js';
import { managerOf } from './streams.js';
import { WorkClock } from './work-clock.js';

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
  /**
   * Handles a message. The next message waits for its promise. An error starts a new session. With the result
   * `false` the message was not processed: it is no progress.
   */
  take: (message: JsMsg, prepared: unknown) => Promise<boolean | void> | boolean | void;
  /** In place of `take`, when several messages have arrived: handles all of them, at most `mostTogether`. */
  takeTogether?: (messages: JsMsg[], prepared: unknown) => Promise<boolean>;
}

const retryMs = 500;
const idleCheckMs = 3000;
/** How often NATS is told that messages that wait here are being worked on. It delivers others again. */
const workingMs = 2000;

const mostTogether = 64;
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
        this.clock.attempted();
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
    const idleCheck = setInterval(() => void this.checkIdle(consumer), idleCheckMs);
    try {
      if (this.options.takeTogether) await this.readTogether(this.messages, prepared, this.options.takeTogether);
      else for await (const message of this.messages) await this.handle(() => take(message, prepared));
    } finally {
      clearInterval(idleCheck);
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
    prepared: unknown,
    takeTogether: (messages: JsMsg[], prepared: unknown) => Promise<boolean>,
  ): Promise<void> {
    const { take } = this.options;
    const arrived = new Arrived();
    const working = setInterval(() => arrived.all.forEach((message) => message.working()), workingMs);
    let ended = false;
    const receiving = receive(messages, arrived).finally(() => {
      ended = true;
      arrived.notify();
    });
    // Its error is thrown below.
    receiving.catch(() => undefined);
    try {
      for (;;) {
        const some = this.stopped ? [] : arrived.take();
        const [first] = some;
        if (first) await this.handle(() => (some.length > 1 ? takeTogether(some, prepared) : take(first, prepared)));
        else if (ended || this.stopped) break;
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
      await consumer.info();
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
