/**
 * Publishes the rows of this service's outbox. `publishNow()` after a commit publishes immediately. Polling finds the
 * rows of a process that ended before this call.
 */
import { alertEventsStream, auditStream, newUuid } from '@ams/contracts';
import {
  Database,
  outboxQueues,
  OutboxRelay,
  setAsideRows,
  type OutboxQueue,
  type OutboxRow,
  type PublishOutcome,
} from '@ams/database';
import { Logger, NatsConnection, requireStream, whenAvailable, WorkClock } from '@ams/messaging';
import { DatabaseSettings, Liveness, Measurement, Metrics, readSigningKeys } from '@ams/service';
import { jetstream, JetStreamApiError, type JetStreamClient } from '@nats-io/jetstream';
import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { AuditSigner } from './audit-signing.js';
import { OutboxOptions } from './outbox-options.js';

/** Resolves when all rows are published; after a failure it is called again with the same rows. */
export type PublishRows = (rows: OutboxRow[]) => Promise<unknown>;

const publishTimeoutMs = 2000;
/** The maximum size of a message with several events. */
const batchBytes = 600 * 1024;
/** The headers of a message, and what encloses its events. */
const overheadBytes = 1024;
const measureEveryMs = 2000;

const queues = Object.keys(outboxQueues) as OutboxQueue[];

/** Rows that are published together. */
interface Message {
  rows: OutboxRow[];
  send: () => Promise<unknown>;
}
/** Messages that are sent one after another. */
type Sequence = Message[];

@Injectable()
export class Outbox implements OnModuleInit, BeforeApplicationShutdown {
  private readonly relays: Record<OutboxQueue, OutboxRelay>;
  private readonly clocks: Record<OutboxQueue, WorkClock> = { events: new WorkClock(), audit: new WorkClock() };
  private readonly jetstream: JetStreamClient;
  private readonly signer: AuditSigner;
  private readonly publishers = new Map<string, PublishRows>();
  /** Part of the ids of messages, since NATS has refused to store one of them. */
  private renewed = '';
  private readonly heldBack;
  private readonly measurement: Measurement;

  constructor(
    private readonly database: Database,
    private readonly log: Logger,
    metrics: Metrics,
    private readonly nats: NatsConnection,
    private readonly options: OutboxOptions,
    liveness: Liveness,
    { auditWriterKeysFile: keyFile }: DatabaseSettings,
  ) {
    this.signer = new AuditSigner(database.service, keyFile === undefined ? null : readSigningKeys(keyFile).signs);
    if (keyFile === undefined) log.warn({}, 'AUDIT_WRITER_KEYS_FILE is not set: audit entries are not signed');
    this.jetstream = jetstream(nats, { timeout: publishTimeoutMs });
    const relay = (queue: OutboxQueue): OutboxRelay =>
      new OutboxRelay({
        database,
        log,
        queue,
        publish: (rows) => this.publish(queue, rows),
        clock: this.clocks[queue],
        paceMs: options.paceMs,
      });
    this.relays = { events: relay('events'), audit: relay('audit') };
    // A full stream makes no service unready: the rows wait, and a metric says so.
    liveness.watch('outbox', () => Object.values(this.clocks), Number.POSITIVE_INFINITY);
    this.heldBack = metrics.gauge('ams_outbox_held_back', '1 while the stream of this queue is full, else 0.', [
      'queue',
    ]);
    const oldest = metrics.gauge(
      'ams_outbox_oldest_row_seconds',
      'The age of the oldest message that is not published yet, 0 without one.',
      ['queue'],
    );
    const setAside = metrics.gauge(
      'ams_outbox_set_aside_rows',
      'Messages that NATS can never accept: see `npm run admin -- outbox list`.',
    );
    for (const queue of queues) this.heldBack.set({ queue }, 0);
    this.measurement = new Measurement({
      metrics,
      log,
      name: 'outbox',
      gauges: [oldest, setAside],
      everyMs: measureEveryMs,
      read: async () => {
        setAside.set(await setAsideRows(database));
        const seconds = { events: 0, audit: 0 };
        for (const queue of queues) {
          const age = await this.relays[queue].oldestSeconds();
          seconds[queue] = age ?? 0;
          oldest.set({ queue }, seconds[queue]);
          if (age === null) this.heldBack.set({ queue }, 0);
        }
        return { oldestOutboxEvent: seconds.events, oldestOutboxAuditEntry: seconds.audit };
      },
    });
  }

  async onModuleInit(): Promise<void> {
    await whenAvailable(this.log, () => this.requireStreams());
    for (const queue of queues) this.relays[queue].start();
    this.measurement.start();
  }

  private async requireStreams(): Promise<void> {
    await requireStream(this.nats, auditStream);
    if (this.options.hasDomainEvents) await requireStream(this.nats, alertEventsStream);
  }

  /** Rows of this subject are published by `publish`, not to a stream. Call it in the constructor. */
  publishWith(subject: string, publish: PublishRows): void {
    this.publishers.set(subject, publish);
  }

  /** Starts publishing, because rows were committed. */
  publishNow(): void {
    for (const queue of queues) this.relays[queue].publishNow();
  }

  /** Resolves with true when everything committed before this call is published, or with false after the time-out. */
  async flushed(timeoutMs: number, of: readonly OutboxQueue[] = queues): Promise<boolean> {
    const all = await Promise.all(of.map((queue) => this.relays[queue].flushed(timeoutMs)));
    return all.every(Boolean);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.measurement.stop(), ...queues.map((queue) => this.relays[queue].drain())]);
  }

  private async publish(queue: OutboxQueue, committed: OutboxRow[]): Promise<PublishOutcome> {
    // The limit of the server that is connected now: after a reconnection it may be another one.
    const limit = this.nats.info?.max_payload;
    if (limit === undefined) return { published: [], refused: [], failure: new Error('NATS disconnected') };
    const { rows, refused } =
      queue === 'audit' ? await this.signer.signed(committed) : { rows: committed, refused: [] };
    const outcome: PublishOutcome = { published: [], refused };
    const sendable: OutboxRow[] = [];
    for (const row of rows) {
      const bytes = sizeOf(row) + overheadBytes;
      if (bytes <= limit || this.publishers.has(row.subject)) sendable.push(row);
      else outcome.refused.push({ row, error: `the message has ${bytes} bytes; NATS accepts ${limit} (max_payload)` });
    }
    await Promise.all(
      this.sequencesOf(sendable, Math.min(batchBytes, limit - overheadBytes)).map((sequence) =>
        this.sendInOrder(queue, sequence, outcome),
      ),
    );
    this.heldBack.set({ queue }, isStreamFull(outcome.failure) ? 1 : 0);
    const needsStream = queue === 'audit' || this.options.hasDomainEvents;
    if (outcome.failure !== undefined && needsStream && !isStreamFull(outcome.failure)) {
      // NATS may have lost its streams: then the error says so.
      await this.requireStreams().catch((error: unknown) => {
        outcome.failure = error;
      });
    }
    return outcome;
  }

  private async sendInOrder(queue: OutboxQueue, sequence: Sequence, outcome: PublishOutcome): Promise<void> {
    for (const { rows, send } of sequence) {
      this.clocks[queue].attempted();
      try {
        await send();
        outcome.published.push(...rows);
      } catch (error) {
        const [row, ...others] = rows;
        if (!isTooLargeForStream(error) || !row) {
          outcome.failure ??= error;
          return;
        }
        if (others.length === 0) outcome.refused.push({ row, error: String(error) });
        else
          await this.sendInOrder(
            queue,
            rows.map((one) => this.batchOf(one.subject, [one])),
            outcome,
          );
      }
    }
  }

  private sequencesOf(rows: OutboxRow[], maxBytes: number): Sequence[] {
    const sequences: Sequence[] = [];
    const bySubject = new Map<string, OutboxRow[]>();
    for (const row of rows) {
      const { subject, text, messageId } = row;
      if (this.publishers.has(subject) || this.options.isBatched(subject))
        bySubject.set(subject, [...(bySubject.get(subject) ?? []), row]);
      else sequences.push([{ rows: [row], send: () => this.store(subject, text, messageId) }]);
    }
    for (const [subject, theirs] of bySubject) {
      const publish = this.publishers.get(subject);
      if (publish) sequences.push([{ rows: theirs, send: () => publish(theirs) }]);
      else sequences.push(batchesOf(theirs, maxBytes).map((batch) => this.batchOf(subject, batch)));
    }
    return sequences;
  }

  /**
   * One message with the events of these rows, `{events: […]}`. Its id depends on every row in it: NATS drops a message
   * whose id it knows, so another set of rows must have another id.
   */
  private batchOf(subject: string, rows: OutboxRow[]): Message {
    const hash = createHash('sha256');
    for (const { messageId } of rows) hash.update(`${messageId.length}:${messageId}`);
    const msgID = hash.digest('base64url');
    const text = `{"events":[${rows.map((row) => row.text).join(',')}]}`;
    return { rows, send: () => this.store(subject, text, msgID) };
  }

  /**
   * A leader of a cluster without a majority remembers the id of a message that it has not stored (NATS 2.10). Until
   * the duplicate window ends, it acknowledges a message with this id as a duplicate, with the sequence 0. So the message
   * gets another id. Its readers know its events by their own ids.
   */
  private async store(subject: string, text: string, messageId: string): Promise<void> {
    const { seq } = await this.jetstream.publish(subject, text, { msgID: `${messageId}${this.renewed}` });
    if (seq > 0) return;
    this.renewed = `.${newUuid()}`;
    throw new Error('NATS knows the message and has not stored it');
  }
}

const sizeOf = ({ text }: OutboxRow): number => Buffer.byteLength(text);

const codeOf = (error: unknown): number | null =>
  error instanceof JetStreamApiError ? error.apiError().err_code : null;

/** The stream is full (10077), or JetStream has no resources left (10023, 10047). */
const isStreamFull = (error: unknown): boolean => [10023, 10047, 10077].includes(codeOf(error) ?? 0);

/** The message is over the `max_msg_size` of the stream. */
const isTooLargeForStream = (error: unknown): boolean => codeOf(error) === 10054;

/** As few messages as the size limit allows. A row that is larger is alone. */
function batchesOf(rows: OutboxRow[], maxBytes: number): OutboxRow[][] {
  const batches: OutboxRow[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const size = sizeOf(row) + 1;
    if (bytes + size > maxBytes) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(row);
    bytes += size;
  }
  return batches;
}
