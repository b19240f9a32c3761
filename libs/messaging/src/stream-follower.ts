/**
 * Reads a stream that another service owns, from this process alone, message by message by their sequences: without a
 * consumer, which a service may not create (consumers.ts), and without acknowledgements. Messages of a stream that is
 * only purged from its beginning have sequences without gaps, so a gap says that messages were deleted.
 */
import { type JetStreamManager, type StoredMsg, type StreamInfo } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { setTimeout as pause } from 'node:timers/promises';
import { onReconnect } from './connection.js';
import { News } from './news.js';
import { managerOf } from './streams.js';

export interface StreamMessage {
  sequence: number;
  data: Uint8Array;
}

/** Messages that are requested at once when there are many. */
const mostAtOnce = 32;
const idleCheckMs = 3000;
const retryMs = 500;

/** `null` when the server that answers has no such message (yet): in a cluster it may be behind. */
const messageAt = (manager: JetStreamManager, stream: string, sequence: number): Promise<StoredMsg | null> =>
  manager.direct.getMessage(stream, { seq: sequence });

const messagesFrom = (manager: JetStreamManager, stream: string, first: number, count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => messageAt(manager, stream, first + index)));

/** The messages from `first` to `last`, both included. Returns false when one of them is not there any more. */
export async function readRange(
  connection: NatsConnection,
  stream: string,
  { first, last }: { first: number; last: number },
  take: (message: StreamMessage) => Promise<void> | void,
): Promise<boolean> {
  const manager = await managerOf(connection);
  for (let next = first; next <= last; next += mostAtOnce) {
    const some = await messagesFrom(manager, stream, next, Math.min(mostAtOnce, last - next + 1));
    for (const [index, direct] of some.entries()) {
      // The leader has every message.
      const message = direct ?? (await manager.streams.getMessage(stream, { seq: next + index }));
      if (!message) return false;
      await take({ sequence: message.seq, data: message.data });
    }
  }
  return true;
}

/** The sequence of the first message that is not older than the time, or the one after the end of the stream. */
async function sequenceAt(manager: JetStreamManager, { config, state }: StreamInfo, time: Date): Promise<number> {
  let [low, high] = [Math.max(1, state.first_seq), state.last_seq + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const message = await manager.streams.getMessage(config.name, { seq: middle });
    // What is not there any more was older.
    if (!message || message.time < time) low = middle + 1;
    else high = middle;
  }
  return low;
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
  private created: string | null = null;
  private next = 0;
  private interrupted = false;
  private stopped = false;
  private warned = false;
  private news: News | null = null;

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
    this.news?.stop();
  }

  private interrupt(): void {
    this.interrupted = true;
  }

  private async follow(): Promise<void> {
    const { log, what, stream } = this.options;
    this.news = new News(this.connection, stream);
    while (!this.stopped) {
      this.interrupted = false;
      try {
        await this.session(this.news);
      } catch (error) {
        if (!this.stopped && !this.warned) log.warn({ err: error }, `${what} cannot be read; it is tried again`);
        this.warned = true;
      }
      if (!this.stopped) await pause(retryMs, undefined, { ref: false });
    }
  }

  private async session(news: News): Promise<void> {
    const { stream, begin, reachBackMs } = this.options;
    const manager = await managerOf(this.connection);
    const info = await manager.streams.info(stream);
    const created = String(info.created);
    const isKnown = created === this.created && this.next <= info.state.last_seq + 1;
    const from = isKnown
      ? await this.firstFrom(manager, info)
      : await sequenceAt(manager, info, new Date(Date.now() - reachBackMs));
    if (!isKnown || from !== this.next) {
      this.created = created;
      this.next = from;
      begin({ created, from, last: info.state.last_seq });
    }
    this.warned = false;
    let [count, idleSince] = [1, performance.now()];
    while (!this.interrupted) {
      const taken = await this.takeNext(manager, count);
      count = taken === count ? Math.min(2 * count, mostAtOnce) : 1;
      if (taken > 0) idleSince = performance.now();
      else if (performance.now() - idleSince < idleCheckMs) await news.wait();
      else {
        await this.checkIdle(manager);
        idleSince = performance.now();
      }
    }
  }

  /** The sequence of the next message that is there: a later one when messages were deleted. */
  private async firstFrom(manager: JetStreamManager, { config, state }: StreamInfo): Promise<number> {
    if (this.next > state.last_seq) return this.next;
    const message = await manager.direct.getMessage(config.name, { seq: this.next, next_by_subj: '>' });
    return message?.seq ?? state.last_seq + 1;
  }

  /** Takes up to `count` messages, and returns how many were there. */
  private async takeNext(manager: JetStreamManager, count: number): Promise<number> {
    const some = await messagesFrom(manager, this.options.stream, this.next, count);
    let taken = 0;
    for (const message of some) {
      if (!message || this.interrupted) break;
      this.news?.found();
      this.options.take({ sequence: message.seq, data: message.data });
      this.next++;
      taken++;
    }
    return taken;
  }

  /** Ends the session when there are messages that do not arrive: it is another stream, or messages were deleted. */
  private async checkIdle(manager: JetStreamManager): Promise<void> {
    const { stream } = this.options;
    const { created, state } = await manager.streams.info(stream);
    if (String(created) !== this.created || state.last_seq + 1 !== this.next)
      throw new Error(`message ${this.next} of ${stream} did not arrive`);
  }
}
