/**
 * Stores the audit entries that other services send in a work queue of NATS, which all replicas share. Messages that
 * arrive while a batch is being stored form the next batch. A message is acknowledged after the commit, and an entry
 * that arrives twice is stored once. NATS keeps messages that are not acknowledged, so nothing is lost in an outage. An
 * entry that cannot be stored, or is not signed by its writer, is set aside.
 */
import { auditStream, type AuditRecord } from '@ams/contracts';
import { Database, isMessageFault } from '@ams/database';
import { consumers, NatsConnection, requireStream, StreamReader, whenAvailable, WorkClock } from '@ams/messaging';
import { entriesPerTurn } from '@ams/persistence';
import { Liveness, Logger, Measurement, Metrics } from '@ams/service';
import { type JsMsg } from '@nats-io/jetstream';
import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { insertRecords } from './audit-entries.js';
import { recordsIn } from './audit-records.js';
import { AuditWriters } from './audit-writers.js';
import { setAside, setAsideEntries, type Refused } from './set-aside-entries.js';

const batchSize = 500;
const retryMs = 1000;

interface WaitingMessage {
  message: JsMsg;
  /** Null: the message cannot be read as entries. */
  records: AuditRecord[] | null;
}

/** What is stored of a batch. */
interface Sorted {
  records: AuditRecord[];
  /** How many of them have which outcome. */
  counts: Map<string, number>;
  refused: Refused[];
}

@Injectable()
export class AuditIntake implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly waiting: WaitingMessage[] = [];
  private storing: Promise<void> | null = null;
  private readonly entries;
  private readonly reader: StreamReader;
  private readonly storingClock = new WorkClock();
  private readonly measurement: Measurement;

  constructor(
    private readonly nats: NatsConnection,
    private readonly log: Logger,
    private readonly database: Database,
    private readonly writers: AuditWriters,
    metrics: Metrics,
    liveness: Liveness,
  ) {
    this.entries = metrics.counter(
      'ams_audit_entries_total',
      'Audit entries that came through NATS, by outcome: stored with a signature (signed), without one ' +
        '(unsigned), without a check (unchecked), or set aside (setAside).',
      ['outcome'],
    );
    const waiting = metrics.gauge(
      'ams_audit_set_aside_entries',
      'Audit entries that were refused and wait for an operator, up to 10,000: see `npm run admin -- set-aside list`.',
    );
    this.measurement = new Measurement({
      metrics,
      log,
      name: 'audit entries',
      gauges: [waiting],
      read: async () => waiting.set(await setAsideEntries(database)),
    });
    this.reader = new StreamReader(nats, {
      consumer: consumers.audit,
      consume: { max_messages: batchSize, expires: 10_000 },
      what: 'the queue of audit entries',
      log,
      take: (message) => this.take(message),
    });
    liveness.watch('audit entries', () => [this.reader.clock, ...(this.storing ? [this.storingClock] : [])]);
  }

  async onModuleInit(): Promise<void> {
    await whenAvailable(this.log, () => requireStream(this.nats, auditStream));
  }

  onApplicationBootstrap(): void {
    this.reader.start();
    this.measurement.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.reader.drain(), this.measurement.stop()]);
    await this.storing;
  }

  private take(message: JsMsg): void {
    this.waiting.push({ message, records: recordsIn(message.string()) });
    if (!this.storing) this.storingClock.progressed();
    this.storing ??= this.storeWaiting().finally(() => {
      this.storing = null;
    });
  }

  private async storeWaiting(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, batchSize);
      try {
        await this.store(batch);
        this.storingClock.progressed();
      } catch (error) {
        this.storingClock.attempted();
        const messages = batch.length;
        this.log.warn({ err: error, messages }, 'audit entries could not be stored; NATS delivers them again');
        for (const { message } of batch) message.nak(retryMs);
        await pause(retryMs);
      }
    }
  }

  private async store(batch: WaitingMessage[]): Promise<void> {
    const sorted = await this.sorted(batch);
    try {
      await this.commit(sorted);
    } catch (error) {
      if (!isMessageFault(error)) throw error;
      const [only] = batch;
      if (batch.length > 1 || !only) {
        for (const one of batch) await this.store([one]);
        return;
      }
      const refused = sorted.records.map((record) => ({ message: only.message, record, reason: String(error) }));
      await this.commit({ records: [], counts: new Map(), refused: [...sorted.refused, ...refused] });
    }
    for (const { message } of batch) message.ack();
  }

  private async commit({ records, counts, refused }: Sorted): Promise<void> {
    await this.database.asService(async (tx) => {
      if (records.length > 0) await insertRecords(tx, records);
      await setAside(tx, refused);
    });
    for (const [outcome, count] of counts) this.entries.inc({ outcome }, count);
    if (refused.length > 0) this.entries.inc({ outcome: 'setAside' }, refused.length);
    for (const { message, record, reason } of refused)
      this.log.error(
        { reason, sequence: message.seq, entryId: record?.id, type: record?.type, writer: record?.writer?.service },
        'an audit entry was set aside',
      );
  }

  private async sorted(batch: readonly WaitingMessage[]): Promise<Sorted> {
    const sorted: Sorted = { records: [], counts: new Map(), refused: [] };
    let checked = 0;
    for (const { message, records } of batch) {
      if (!records) sorted.refused.push({ message, record: null, reason: 'the message is no audit entry' });
      for (const record of records ?? []) {
        if (++checked % entriesPerTurn === 0) await nextTurn();
        const outcome = this.writers.check(record, message.time.getTime());
        if (outcome.kind === 'refused') sorted.refused.push({ message, record, reason: outcome.reason });
        else {
          sorted.records.push(outcome.stored);
          sorted.counts.set(outcome.kind, (sorted.counts.get(outcome.kind) ?? 0) + 1);
        }
      }
    }
    return sorted;
  }
}
