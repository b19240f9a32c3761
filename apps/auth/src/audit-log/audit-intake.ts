/**
 * Stores the audit entries that other services send in a work queue of NATS, which all replicas share. Messages that
 * arrive while a batch is being stored form the next batch. A message is acknowledged after the commit, and an entry
 * that arrives twice is stored once. NATS keeps messages that are not acknowledged, so nothing is lost in an outage.
 */
import { auditStream, isUuid, type AuditRecord } from '@ams/contracts';
import { Database, isMessageFault } from '@ams/database';
import { consumers, NatsConnection, requireStream, StreamReader, whenAvailable, WorkClock } from '@ams/messaging';
import { environments } from '@ams/scopes';
import { Liveness, Logger, Metrics } from '@ams/service';
import { type JsMsg } from '@nats-io/jetstream';
import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { addAuditEntries } from './audit-entries.js';

const batchSize = 500;
const retryMs = 1000;
/** How many characters of a rejected message are logged. */
const loggedCharacters = 100_000;

interface WaitingMessage {
  message: JsMsg;
  records: AuditRecord[];
}

@Injectable()
export class AuditIntake implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly waiting: WaitingMessage[] = [];
  private storing: Promise<void> | null = null;
  private readonly entries;
  private readonly reader: StreamReader;
  private readonly storingClock = new WorkClock();

  constructor(
    private readonly nats: NatsConnection,
    private readonly log: Logger,
    private readonly database: Database,
    metrics: Metrics,
    liveness: Liveness,
  ) {
    this.entries = metrics.counter('ams_audit_entries_total', 'Audit entries that came through NATS, by outcome.', [
      'outcome',
    ]);
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
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.reader.drain();
    await this.storing;
  }

  private take(message: JsMsg): void {
    const records = recordsOf(message);
    if (!records) return this.reject(message, 'malformed');
    this.waiting.push({ message, records });
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
    try {
      await addAuditEntries(
        this.database,
        batch.flatMap(({ records }) => records),
      );
    } catch (error) {
      if (!isMessageFault(error)) throw error;
      const [only] = batch;
      if (batch.length === 1 && only) return this.reject(only.message, String(error));
      for (const one of batch) await this.store([one]);
      return;
    }
    for (const { message, records } of batch) {
      message.ack();
      this.entries.inc({ outcome: 'stored' }, records.length);
    }
  }

  /** A message that cannot be stored is logged and dropped: NATS does not deliver it again. */
  private reject(message: JsMsg, reason: string): void {
    this.entries.inc({ outcome: 'setAside' });
    const payload = message.string().slice(0, loggedCharacters);
    this.log.error({ reason, sequence: message.seq, payload }, 'an audit entry cannot be stored and is dropped');
    message.term(reason.slice(0, 200));
  }
}

/** The records of a message, which holds one record or a list; `null` when it holds neither. */
function recordsOf(message: JsMsg): AuditRecord[] | null {
  try {
    const content = message.json<unknown>();
    const list = Array.isArray(content) ? content : [content];
    return list.every(isRecord) ? list : null;
  } catch {
    return null;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNothing = (value: unknown): boolean => value === null || value === undefined || isText(value);

function isRecord(value: unknown): value is AuditRecord {
  const record = value as Partial<AuditRecord> | null;
  return (
    typeof record === 'object' &&
    record !== null &&
    isUuid(record.id) &&
    isUuid(record.organizationId) &&
    environments.includes(record.environment as never) &&
    isText(record.type) &&
    isText(record.occurredAt) &&
    !Number.isNaN(Date.parse(record.occurredAt)) &&
    isText(record.actor?.type) &&
    isText(record.actor.name) &&
    isTextOrNothing(record.actor.id) &&
    [record.ip, record.userAgent, record.requestId].every(isTextOrNothing) &&
    Array.isArray(record.changes ?? [])
  );
}
