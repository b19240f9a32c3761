/**
 * The domain events of the service, as they are streamed to callers. A replica reads the stream in NATS once, from a
 * little before its start. Older events are read from NATS for the caller that asks for them.
 */
import { alertEventsStream, type StreamedEvent } from '@ams/contracts';
import {
  Logger,
  managerOf,
  NatsConnection,
  readRange,
  secondsSinceMessage,
  StreamFollower,
  type StreamMessage,
} from '@ams/messaging';
import { Measurement, Metrics } from '@ams/service';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiGatewaySettings } from '../settings.js';
import { liveEventOf, type LiveEvent } from './live-event.js';
import { epochOf, firstMessageAfter, isAfter, isReached, type Position } from './position.js';
import { RecentEvents, recentOf, tenantKey, type RecentEvent } from './recent-events.js';

const MiB = 1024 * 1024;
/** So that callers who come back after a restart are served from memory. */
const reachBackMs = 60_000;
const recentAgeMs = 15 * 60_000;
/** Callers that are served from NATS at a time; others wait. */
const mostReplays = 4;
/** How long a caller waits until this replica has read as far as another one that the caller had before. */
const behindMs = 2000;
const behindCheckMs = 20;

export interface LiveListener {
  /** These tenants have new events. */
  changed(tenants: ReadonlySet<string>): void;
  /** Events may have been lost. */
  lost(): void;
}

@Injectable()
export class LiveEvents implements OnModuleInit, OnApplicationShutdown {
  readonly recent: RecentEvents;
  private epoch: string | null = null;
  /** The end of the stream when reading began: before it, callers would be told to load again. */
  private firstEnd = 0;
  private listener: LiveListener | null = null;
  private readonly follower: StreamFollower;
  private replays = 0;
  private readonly waiting: (() => void)[] = [];
  private readonly unreadable;
  private readonly measurement: Measurement;

  constructor(
    private readonly connection: NatsConnection,
    private readonly log: Logger,
    settings: ApiGatewaySettings,
    metrics: Metrics,
  ) {
    this.recent = new RecentEvents({ bytes: settings.streamMemoryMiB * MiB, ageMs: recentAgeMs });
    this.follower = new StreamFollower(connection, {
      stream: alertEventsStream,
      what: 'the stream of events',
      log,
      reachBackMs,
      begin: (stream) => this.begin(stream),
      take: (message) => this.take(message),
    });
    this.unreadable = metrics.counter(
      'ams_gateway_unreadable_events_total',
      'Messages of the stream of events that this release cannot read. Callers are told to load again.',
    );
    metrics.gauge('ams_gateway_recent_event_bytes', 'The events that are kept in memory.', [], (gauge) =>
      gauge.set(this.recent.size),
    );
    const behind = metrics.gauge(
      'ams_gateway_stream_behind_seconds',
      'Time since NATS stored the oldest event that this replica has not read; 0 without one.',
    );
    this.measurement = new Measurement({
      metrics,
      log,
      name: 'stream',
      gauges: [behind],
      read: async () => {
        const streamBehind = await this.secondsBehind();
        behind.set(streamBehind);
        return { streamBehind };
      },
    });
  }

  onModuleInit(): void {
    this.follower.start();
    this.measurement.start();
  }

  async onApplicationShutdown(): Promise<void> {
    this.follower.stop();
    await this.measurement.stop();
  }

  /** Throws when it is not known how far this replica has read. */
  private async secondsBehind(): Promise<number> {
    const { streams } = await managerOf(this.connection);
    const info = await streams.info(alertEventsStream);
    const { epoch, recent } = this;
    if (epoch === null || epoch !== epochOf(String(info.created))) throw new Error('the stream of events was not read');
    return recent.next > info.state.last_seq ? 0 : secondsSinceMessage(streams, info, { sequence: recent.next });
  }

  listen(listener: LiveListener): void {
    this.listener = listener;
  }

  /** Whether the stream was read to its end since reading began. */
  get isCurrent(): boolean {
    return this.epoch !== null && this.recent.next > this.firstEnd;
  }

  /** The end of what was read; null before the stream could be read. */
  get end(): Position | null {
    return this.epoch === null ? null : { epoch: this.epoch, sequence: this.recent.next - 1, index: Infinity };
  }

  /**
   * Gives `send` the events of the tenant after the position that are not in memory any more. Returns the number of the
   * first one that is, or null when some are not known any more.
   */
  async replay(
    position: Position,
    tenant: string,
    send: (event: RecentEvent) => Promise<void>,
    isOver: () => boolean,
  ): Promise<number | null> {
    if (!(await this.hasReached(position, isOver))) return null;
    const { epoch } = position;
    let reached = position;
    while (firstMessageAfter(reached) < this.recent.from) {
      const range = { first: firstMessageAfter(reached), last: this.recent.from - 1 };
      const complete = await this.inTurn(() => this.replayRange(range, reached, tenant, send, isOver));
      if (!complete || isOver()) return null;
      reached = { epoch, sequence: range.last, index: Infinity };
    }
    return this.epoch === epoch ? this.recent.numberAfter(tenant, reached) : null;
  }

  private async hasReached(position: Position, isOver: () => boolean): Promise<boolean> {
    const until = performance.now() + behindMs;
    while (position.epoch === this.epoch && !isOver()) {
      if (isReached(position, this.epoch, this.recent.next)) return true;
      if (performance.now() >= until) return false;
      await pause(behindCheckMs);
    }
    return false;
  }

  private async replayRange(
    range: { first: number; last: number },
    after: Position,
    tenant: string,
    send: (event: RecentEvent) => Promise<void>,
    isOver: () => boolean,
  ): Promise<boolean> {
    if (isOver()) return false;
    try {
      return await readRange(this.connection, alertEventsStream, range, async ({ sequence, data }) => {
        for (const [index, event] of eventsIn(data).entries()) {
          if (event === null || tenantKey(event) !== tenant || !isAfter(sequence, index, after)) continue;
          await send(recentOf(event, { epoch: after.epoch, sequence, index }));
        }
      });
    } catch (error) {
      if (!isOver()) this.log.warn({ err: error, ...range }, 'events of a caller cannot be read again');
      return false;
    }
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.replays >= mostReplays) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.replays++;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.replays--;
    }
  }

  private begin({ created, from, last }: { created: string; from: number; last: number }): void {
    const isFirst = this.epoch === null;
    this.epoch = epochOf(created);
    this.firstEnd = last;
    this.recent.begin(from);
    if (!isFirst) this.listener?.lost();
  }

  private take({ sequence, data }: StreamMessage): void {
    const { epoch } = this;
    if (epoch === null) return;
    let events: (LiveEvent | null)[] = [];
    let isReadable = true;
    try {
      events = eventsIn(data);
    } catch (error) {
      isReadable = false;
      this.unreadable.inc();
      this.log.error({ err: error, sequence }, 'a message of the stream of events cannot be read');
    }
    const changed = this.recent.add(epoch, sequence, events, performance.now());
    if (!isReadable) this.listener?.lost();
    else if (changed.size > 0) this.listener?.changed(changed);
  }
}

/** The events of a message. Throws when it is not one of the outbox. */
function eventsIn(data: Uint8Array): (LiveEvent | null)[] {
  const { events } = JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString()) as {
    events: StreamedEvent[];
  };
  return events.map(liveEventOf);
}
