/**
 * Entries that other services send: a work queue in the broker, which all replicas share. Messages that arrive while
 * others are being stored go together next; a message is acknowledged after the commit, and an entry that comes twice is
 * one entry. Whatever is away, it goes on by itself when it is back: the broker keeps what is not acknowledged.
 */
import { auditStream, type AuditRecord } from '@ams/contracts';
import { Database } from '@ams/database';
import { ensureStream, StreamReader, streams, type NatsConnection } from '@ams/messaging';
import { environments } from '@ams/scopes';
import { Metrics, Tokens, type Logger, type Part } from '@ams/service';
import type { JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { addEntries } from './audit-log.js';
import { AuthSettings } from './settings.js';

const consumerName = 'auth';
const batchSize = 500;
const retryMs = 1000;

interface Incoming {
  message: JsMsg;
  records: AuditRecord[];
}

@Injectable()
export class AuditIntake implements Part {
  private waiting: Incoming[] = [];
  private storing: Promise<void> | null = null;
  private readonly entries;
  private readonly reader: StreamReader;

  constructor(
    @Inject(Tokens.broker) private readonly broker: NatsConnection,
    @Inject(Tokens.settings) private readonly settings: AuthSettings,
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(Tokens.metrics) metrics: Metrics,
    @Inject(Database) private readonly database: Database,
  ) {
    this.entries = metrics.counter(
      'ams_audit_entries_total',
      'Entries that came through the broker, by what became of them.',
      ['outcome'],
    );
    this.reader = new StreamReader(broker, {
      stream: auditStream,
      durable: consumerName,
      consumer: { ack_wait: nanos(30_000), max_deliver: -1, max_ack_pending: 5000 },
      consume: { max_messages: batchSize, expires: 10_000 },
      prepare: () => this.ensureStream(),
      what: 'the queue of audit entries',
      log,
      take: (message) => this.take(message),
    });
  }

  async start(): Promise<void> {
    await this.ensureStream();
    this.reader.start();
  }

  private ensureStream() {
    return ensureStream(this.broker, streams.audit(), { replicas: this.settings.natsReplicas });
  }

  async drain(): Promise<void> {
    await this.reader.drain();
    await this.storing;
  }

  private take(message: JsMsg): void {
    const records = recordsOf(message);
    if (!records) return this.setAside(message, 'malformed');
    this.waiting.push({ message, records });
    this.storing ??= this.store().finally(() => {
      this.storing = null;
    });
  }

  private async store(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, batchSize);
      try {
        await this.storeTogether(batch);
      } catch (error) {
        this.log.warn(
          { err: error, messages: batch.length },
          'audit entries could not be stored; they will come again',
        );
        for (const { message } of batch) message.nak(retryMs);
        await pause(retryMs);
      }
    }
  }

  private async storeTogether(batch: Incoming[]): Promise<void> {
    try {
      await addEntries(
        this.database,
        batch.flatMap(({ records }) => records),
      );
    } catch (error) {
      if (!/^2[23]/.test((error as { code?: string }).code ?? '')) throw error;
      const [only] = batch;
      if (batch.length === 1 && only) return this.setAside(only.message, String(error));
      for (const one of batch) await this.storeTogether([one]);
      return;
    }
    for (const { message, records } of batch) {
      message.ack();
      this.entries.inc({ outcome: 'stored' }, records.length);
    }
  }

  /** Nobody can store it: it is written to the log of this service whole, and not delivered again. */
  private setAside(message: JsMsg, reason: string): void {
    this.entries.inc({ outcome: 'setAside' });
    this.log.error(
      { reason, sequence: message.seq, payload: message.string().slice(0, 100_000) },
      'an audit entry was set aside',
    );
    message.term(reason.slice(0, 200));
  }
}

/** The records of a message: one, or a list; `null` when it is neither. */
function recordsOf(message: JsMsg): AuditRecord[] | null {
  try {
    const content = message.json<unknown>();
    const list = Array.isArray(content) ? content : [content];
    return list.every(isRecord) ? list : null;
  } catch {
    return null;
  }
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNothing = (value: unknown): boolean => value === null || value === undefined || isText(value);

function isRecord(value: unknown): value is AuditRecord {
  const record = value as Partial<AuditRecord> | null;
  return (
    typeof record === 'object' &&
    record !== null &&
    isText(record.id) &&
    uuidForm.test(record.id) &&
    isText(record.organizationId) &&
    uuidForm.test(record.organizationId) &&
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
