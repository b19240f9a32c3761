/**
 * Applies the events of one partition, in the order in which NATS stored them. The transaction that applies a batch
 * also writes the new position. It does so only if the stored position is the previous one and this replica still holds
 * the partition. So a batch that is delivered again changes nothing, and neither does a replica that has lost the
 * partition without knowing it. The same statement renews the lease.
 *
 * An event is set aside only when it is at fault, and has failed alone, in a transaction of its own. After any other
 * error the batch waits.
 */
import { storable } from '@ams/domain';
import { ingestStream, ingestSubject, isUuid, newUuid, type IngestBatch, type IngestEvent } from '@ams/contracts';
import { isMessageFault, MalformedMessage, pauseAfter, sentTogether, type Database, type Tx } from '@ams/database';
import { managerOf, WorkClock, type Logger, type NatsConnection, type OrganizationActivity } from '@ams/messaging';
import { environments } from '@ams/scopes';
import { processTogether } from '@ams/tracing';
import type { StreamState } from '@nats-io/jetstream';
import { expireHeartbeats, overdueAt } from '../heartbeats/heartbeat-events.js';
import { applyEvents, openHeartbeatAlerts } from './apply-events.js';
import type { EventMetrics } from './event-metrics.js';
import { spanOfApplied } from './event-span.js';
import { PartitionMessages } from './partition-messages.js';
import { gapAt } from './position-gap.js';
import { SetAsideMessageEntity } from './set-aside-message.entity.js';

/** A parsed NATS message. `events` is null when the message cannot be parsed. */
interface Message {
  sequence: number;
  events: IngestEvent[] | null;
  text: string | null;
}

export interface WorkerOptions {
  partition: number;
  replicaId: string;
  database: Database;
  nats: NatsConnection;
  log: Logger;
  metrics: EventMetrics;
  batch: number;
  leaseSeconds: number;
  heartbeatCheckMs: number;
  activity: OrganizationActivity;
  /** Called after each commit. */
  applied: () => void;
  /** Called when messages may be lost, with a message for the operator. */
  lost: (message: string) => void;
}

class LostPartition extends Error {
  override readonly name = 'LostPartition';
}

/** Ends a transaction that only tests whether an event can be applied. */
class RolledBack extends Error {
  override readonly name = 'RolledBack';
}

const unreadable = new MalformedMessage('the message is not a batch of events');
const readAhead = 128;
/** From the beginning of a transaction of so many events to that of the next one. */
const paceMsAfter = (events: number): number => (events < 2 ? 10 : events < 12 ? 25 : 40);
/** An event that is set aside has failed twice: with the other events of its batch, and alone. */
const triesBeforeSetAside = 2;

export class PartitionWorker {
  private stopped = false;
  private finished: Promise<void> | null = null;
  private messages: PartitionMessages | null = null;
  private queue: Message[] = [];
  /** The batch that is being applied, until it is committed. */
  private applying: Message[] = [];
  private wake: (() => void) | null = null;
  private room: (() => void) | null = null;
  private position = 0;
  private pendingAfter = 0;
  private lastBatchAt = -Infinity;
  private lastBatchEvents = 0;
  /** Progress is a batch that was applied, or an answer of both NATS and the database that there is nothing to do. */
  readonly clock = new WorkClock();
  private heartbeatsCheckedAt = -Infinity;
  /** The sequence of the stream to which an idle partition may move its position. */
  private endOfStream: number | null = null;
  /** The stream to which the position belongs. */
  private streamCreated = '';
  /** Whether all events that NATS stored for this partition were applied at the time of its last message. */
  caughtUp = false;

  constructor(private readonly options: WorkerOptions) {}

  start(): void {
    this.finished = this.run();
  }

  /** The sequence of the stream up to which everything is applied. */
  get appliedUpTo(): number {
    return this.position;
  }

  /** Asks NATS now whether all events of this partition are applied. False without an answer. */
  async hasAppliedAll(): Promise<boolean> {
    const { partition, log } = this.options;
    try {
      return await this.isAtEnd();
    } catch (error) {
      log.debug({ partition, err: error }, 'NATS did not say whether there are more events; no alert resolves by time');
      return false;
    }
  }

  /**
   * Asks NATS for the last message of this partition, and returns whether it is applied. The state of the consumer is
   * not enough: a message may be delivered and not yet received, and a consumer that is created again counts from 1.
   */
  private async isAtEnd(): Promise<boolean> {
    const { nats, partition } = this.options;
    const position = this.position;
    const { streams } = await managerOf(nats);
    const last = await streams.getMessage(ingestStream, { last_by_subj: ingestSubject(partition) });
    const { created } = await streams.info(ingestStream);
    return String(created) === this.streamCreated && (last === null || last.seq <= position);
  }

  /** When the oldest event that this worker has read and not applied was received: ms since 1970; null without one. */
  get waitingSince(): number | null {
    const event = (this.applying[0] ?? this.queue[0])?.events?.[0];
    return event === undefined ? null : Date.parse(event.receivedAt);
  }

  /** Messages that NATS had stored, at the time of the last one that it delivered, and that are not applied. */
  get waitingMessages(): number {
    return this.pendingAfter + this.queue.length + this.applying.length;
  }

  /** Finishes the current batch and stops. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.interrupt();
    await this.finished;
  }

  /** Starts again from the position in the database: the stream may be another one. */
  interrupt(): void {
    this.messages?.stop();
    this.wake?.();
    this.room?.();
  }

  private async run(): Promise<void> {
    const { log, partition } = this.options;
    while (!this.stopped) {
      try {
        await this.session();
      } catch (error) {
        if (error instanceof LostPartition)
          log.info({ partition }, 'another replica moved the position; reading it again');
        else log.warn({ partition, err: error }, 'reading the partition failed; trying again');
        this.clock.attempted();
        if (!this.stopped) await this.pause(250);
      }
    }
  }

  /** Reads from the position in the database until an error or `stop`. */
  private async session(): Promise<void> {
    const { nats, partition } = this.options;
    const manager = await managerOf(nats);
    const { created, state } = await manager.streams.info(ingestStream);
    this.position = await this.startingPosition(String(created), state);
    this.streamCreated = String(created);
    this.queue = [];
    this.caughtUp = false;
    const messages = await PartitionMessages.open({ nats, partition, position: this.position, readAhead });
    this.messages = messages;
    if (messages.isAtEnd) this.caughtUp = true;
    let ended = false;
    let failure: unknown;
    const pump = this.pump(messages)
      .catch((error: unknown) => {
        failure = error;
      })
      .finally(() => {
        ended = true;
        this.wake?.();
      });
    try {
      while (!this.stopped && !(ended && this.queue.length === 0)) {
        if (performance.now() >= this.heartbeatsCheckedAt + this.options.heartbeatCheckMs)
          await this.checkHeartbeats(String(created));
        else if (this.queue.length > 0) await this.applyNext(String(created));
        else if (this.endOfStream !== null) await this.settle(String(created), this.endOfStream);
        else if (this.clock.msSinceProgress >= this.idleCheckMs) await this.checkIdle(String(created));
        else await this.signal();
      }
    } finally {
      messages.stop();
      this.room?.();
      await pump;
    }
    if (failure) throw failure;
  }

  private async pump(messages: PartitionMessages): Promise<void> {
    for await (const message of messages) {
      if (message.sequence > this.position) {
        this.queue.push(readMessage(message.sequence, message.data));
        this.caughtUp = false;
        this.pendingAfter = message.pending;
        this.wake?.();
      }
      if (this.queue.length >= readAhead) await new Promise<void>((resolve) => (this.room = resolve));
      this.room = null;
      if (this.stopped) return;
    }
  }

  /** Waits for a message, the end of the stream, or the time of the next idle check. */
  private signal(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    return new Promise<void>((resolve) => {
      this.wake = resolve;
      const untilCheck = this.heartbeatsCheckedAt + this.options.heartbeatCheckMs - performance.now();
      timer = setTimeout(resolve, Math.max(1, Math.min(untilCheck, this.idleCheckMs - this.clock.msSinceProgress)));
      if (this.queue.length > 0 || this.endOfStream !== null || this.stopped) resolve();
    }).finally(() => {
      clearTimeout(timer);
      this.wake = null;
    });
  }

  private get idleCheckMs(): number {
    return (this.options.leaseSeconds * 1000) / 2;
  }

  /** Asks NATS and the database whether there is nothing to do. Messages that are being delivered are no progress. */
  private async checkIdle(created: string): Promise<void> {
    const { database, partition, replicaId } = this.options;
    const isAtEnd = await this.isAtEnd();
    const held = await database.query(
      `SELECT 1 FROM alerts.partitions
       WHERE partition = $1 AND holder = $2 AND stream_created = $3 AND position = $4`,
      [partition, replicaId, created, this.position],
    );
    if (held.length === 0) throw new LostPartition();
    if (isAtEnd) {
      if (this.queue.length === 0) this.caughtUp = true;
      return this.clock.progressed();
    }
    this.clock.attempted();
    await this.pause(Math.min(this.idleCheckMs, 250));
    // NATS has delivered a message to a replica that is gone: the next session reads it.
    if (this.queue.length === 0 && !this.stopped && !(await this.isAtEnd())) this.messages?.stop();
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /**
   * The position, or 0 when the position belongs to an earlier stream (NATS lost its data). A position that does not
   * fit the stream is reported and corrected.
   */
  private startingPosition(created: string, state: StreamState): Promise<number> {
    const { database, partition, replicaId } = this.options;
    return database.asService(async (tx) => {
      const [row] = await tx.query<{ position: string; stream_created: string }>(
        'SELECT position, stream_created FROM alerts.partitions WHERE partition = $1 AND holder = $2 FOR UPDATE',
        [partition, replicaId],
      );
      if (!row) throw new LostPartition();
      const isSame = row.stream_created === created;
      if (!isSame && row.stream_created !== '')
        this.report(0, 'NATS has lost the ingest stream with its messages; the new one is read from its beginning');
      const stored = isSame ? Number(row.position) : 0;
      const gap = gapAt(stored, state);
      if (gap) this.report(gap.missing, gap.message);
      const position = gap?.position ?? stored;
      if (!isSame || gap)
        await tx.query('UPDATE alerts.partitions SET stream_created = $2, position = $3 WHERE partition = $1', [
          partition,
          created,
          position,
        ]);
      return position;
    });
  }

  private report(missing: number, message: string): void {
    const { partition, log, metrics, lost } = this.options;
    log.error({ partition, missing }, message);
    metrics.gaps.inc();
    metrics.missing.inc(missing);
    lost(`partition ${partition}: ${message}`);
  }

  /** Applies the next batch. Tries without end, with growing pauses. */
  private async applyNext(created: string): Promise<void> {
    const { log, partition } = this.options;
    await this.gather();
    let messages = this.nextBatch();
    this.applying = messages;
    let oneByOne = false;
    for (let failures = 0; messages.length > 0;) {
      try {
        if (oneByOne) await this.applyOneByOne(created, messages);
        else await this.apply(created, messages);
        break;
      } catch (error) {
        this.clock.attempted();
        if (error instanceof LostPartition || this.stopped) throw error;
        messages = messages.filter(({ sequence }) => sequence > this.position);
        this.applying = messages;
        const from = messages[0]?.sequence;
        if (isMessageFault(error) && !oneByOne) {
          log.error({ partition, err: error, from }, 'the batch cannot be applied; applying one message at a time');
          oneByOne = true;
          continue;
        }
        failures++;
        log.warn({ partition, err: error, from, failures }, 'the batch could not be applied; it waits');
        await this.pause(pauseAfter(failures));
      }
    }
    this.applying = [];
    if (this.queue.length === 0 && this.pendingAfter === 0) this.caughtUp = true;
    this.options.applied();
  }

  /**
   * A partition with many events begins a transaction at most every 40 ms: one transaction of twenty events costs the
   * database a third of twenty transactions of one event. After a pause the first event does not wait. The fewer
   * events, the less there is to gather, and the less they wait.
   */
  private async gather(): Promise<void> {
    const wait = this.lastBatchAt + paceMsAfter(this.lastBatchEvents) - performance.now();
    const full = (): boolean => this.queue.length >= readAhead / 2;
    if (wait > 0 && !full() && !this.stopped) await new Promise((resolve) => setTimeout(resolve, wait));
    this.lastBatchAt = performance.now();
  }

  private nextBatch(): Message[] {
    let count = 0;
    let taken = 0;
    while (taken < this.queue.length && (taken === 0 || count < this.options.batch))
      count += this.queue[taken++]?.events?.length ?? 1;
    const messages = this.queue.splice(0, taken);
    this.lastBatchEvents = count;
    this.room?.();
    return messages;
  }

  private async apply(created: string, messages: Message[]): Promise<void> {
    const unreadableMessages = messages.filter((message) => message.events === null);
    const events = messages.flatMap((message) => message.events ?? []);
    for (const { organizationId } of events) this.options.activity.note(organizationId, performance.now());
    const done = this.options.metrics.applyDuration.startTimer();
    const write = (received: IngestEvent[]): Promise<void> =>
      traced(received, (of) =>
        this.options.database.asService(async (tx) => {
          await sentTogether([
            this.advance(tx, created, messages.at(-1)?.sequence ?? this.position),
            applyEvents(tx, this.options.partition, of, new Date()),
          ]);
          for (const message of unreadableMessages) await this.setAside(tx, message, null, unreadable, 1);
        }),
      );
    await write(events).catch((error: unknown) => {
      if (!isKnownEvent(error)) throw error;
      return write(events.map(repeatable));
    });
    done();
    this.applied(messages, events.length, unreadableMessages.length);
  }

  /** Called after the commit. */
  private applied(messages: Message[], events: number, setAside: number): void {
    this.options.metrics.batchEvents.observe(events);
    this.options.metrics.events.inc(events);
    this.options.metrics.setAside.inc(setAside);
    this.position = messages.at(-1)?.sequence ?? this.position;
    this.clock.progressed();
  }

  /** Each message in its own transaction. An event that is at fault is set aside, the others are applied. */
  private async applyOneByOne(created: string, messages: Message[]): Promise<void> {
    for (const sent of messages) {
      const message = { ...sent, events: sent.events?.map(repeatable) ?? null };
      const faults = new Map<IngestEvent, unknown>();
      while (!(await this.applyWithout(created, message, faults)));
    }
  }

  /**
   * Applies the events of a message, one after another, and sets those in `faults` aside. If it fails, it tries each
   * event alone, adds those that fail to `faults`, and returns false.
   */
  private async applyWithout(created: string, message: Message, faults: Map<IngestEvent, unknown>): Promise<boolean> {
    const { database, partition } = this.options;
    const good = (message.events ?? []).filter((event) => !faults.has(event));
    try {
      await database.asService(async (tx) => {
        await this.advance(tx, created, message.sequence);
        for (const event of good) await traced([event], (of) => applyEvents(tx, partition, of, new Date()));
        for (const [event, error] of faults) await this.setAside(tx, message, event, error, triesBeforeSetAside);
        if (message.events === null) await this.setAside(tx, message, null, unreadable, 1);
      });
    } catch (error) {
      if (!isMessageFault(error)) throw error;
      const before = faults.size;
      for (const event of good) {
        const fault = await this.faultOf(event);
        if (fault) faults.set(event, fault);
      }
      // Each event succeeds alone: the message waits.
      if (faults.size === before) throw error;
      return false;
    }
    this.applied([message], good.length, message.events === null ? 1 : faults.size);
    return true;
  }

  /** The error of the event when it is applied alone, in a transaction that is not committed; null without one. */
  private async faultOf(event: IngestEvent): Promise<unknown> {
    try {
      await this.options.database.asService(async (tx) => {
        await applyEvents(tx, this.options.partition, [event], new Date());
        throw new RolledBack();
      });
    } catch (error) {
      if (error instanceof RolledBack) return null;
      if (isMessageFault(error)) return error;
      throw error;
    }
  }

  /**
   * Opens the alerts of heartbeats that did not arrive. NATS is asked after the end of their interval, and the alerts
   * open only if all events of the partition are applied. A failure is tried again at the next check.
   */
  private async checkHeartbeats(created: string): Promise<void> {
    const { database, partition, log, applied } = this.options;
    this.heartbeatsCheckedAt = performance.now();
    try {
      const seenAt = await overdueAt(database, partition);
      if (seenAt === null || !(await this.hasAppliedAll())) return;
      await database.asService(async (tx) => {
        await this.advance(tx, created, this.position);
        await openHeartbeatAlerts(tx, partition, await expireHeartbeats(tx, partition, seenAt));
      });
      applied();
    } catch (error) {
      if (error instanceof LostPartition) throw error;
      log.warn({ partition, err: error }, 'overdue heartbeats could not be checked; trying again');
    }
  }

  private async advance(tx: Tx, created: string, to: number): Promise<void> {
    const { partition, replicaId, leaseSeconds } = this.options;
    const moved = await tx.query(
      {
        name: 'advance',
        text: `UPDATE alerts.partitions
           SET position = $1, held_until = clock_timestamp() + make_interval(secs => $6)
           WHERE partition = $2 AND holder = $3 AND stream_created = $4 AND position = $5 RETURNING partition`,
      },
      [to, partition, replicaId, created, this.position, leaseSeconds],
    );
    if (moved.length === 0) throw new LostPartition();
  }

  private async setAside(
    tx: Tx,
    message: Message,
    event: IngestEvent | null,
    error: unknown,
    tries: number,
  ): Promise<void> {
    const { partition, log } = this.options;
    const payload = event ? JSON.stringify({ events: [event] } satisfies IngestBatch) : (message.text ?? '');
    log.error({ partition, sequence: message.sequence, eventId: event?.id, err: error }, 'a message was set aside');
    await tx.repository(SetAsideMessageEntity).insert({
      id: newUuid(),
      partition,
      streamSequence: String(message.sequence),
      // These fields of the event may be invalid, too.
      organizationId: event && isUuid(event.organizationId) ? event.organizationId : null,
      environment: event && environments.includes(event.environment) ? event.environment : null,
      payload: storable(payload),
      error: storable(String(error)).slice(0, 2000),
      tries,
    });
  }

  /**
   * The stream ended at `sequence` a moment ago. Without this call the position of a partition without events would
   * stay at a low sequence, and messages that the other partitions have applied could not be deleted from NATS.
   */
  streamEndsAt(sequence: number): void {
    if (sequence <= this.position) return;
    this.endOfStream = sequence;
    this.wake?.();
  }

  /** Moves the position of an idle partition to `end`, if all messages up to there are applied. */
  private async settle(created: string, end: number): Promise<void> {
    this.endOfStream = null;
    if (end <= this.position || !(await this.isAtEnd())) return;
    await this.options.database.asService((tx) => this.advance(tx, created, end));
    this.position = end;
    this.clock.progressed();
  }
}

/** Each traced event has a span for the time of `apply`, which gets the events with the contexts of their spans. */
const traced = (events: IngestEvent[], apply: (events: readonly IngestEvent[]) => Promise<void>): Promise<void> =>
  processTogether(events, (event) => spanOfApplied(event, events.length), apply);

/** An event with this id was applied before: messages are read again after a gap (see position-gap.ts). */
const isKnownEvent = (error: unknown): boolean => {
  const { code, schema, table } = error as { code?: string; schema?: string; table?: string };
  return code === '23505' && schema === 'alerts' && /^events(_|$)/.test(table ?? '');
};

/** The event has no effect if it was applied before. Not used for every event, because the check costs a query. */
const repeatable = (event: IngestEvent): IngestEvent => ({ ...event, repeatable: true });

function readMessage(sequence: number, data: Uint8Array): Message {
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString();
  try {
    const { events } = JSON.parse(text) as Partial<IngestBatch>;
    if (
      Array.isArray(events) &&
      events.every((event) => typeof event?.id === 'string' && typeof event.fingerprint === 'string')
    )
      return { sequence, events, text: null };
  } catch {
    // the message is set aside
  }
  return { sequence, events: null, text };
}
