/** Publishes the outbox: events of alerts in one message for each run of the same subject, audit entries one by one. */
import { auditSubject } from '@ams/contracts';
import { OutboxRelay, type OutboxRow } from '@ams/database';
import { ensureStream, streams, type NatsConnection } from '@ams/messaging';
import { Tokens, type Logger, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { jetstream } from '@nats-io/jetstream';
import { DatabasePart } from './parts.js';
import type { PipelineSettings } from './settings.js';

const publishTimeoutMs = 2000;

@Injectable()
export class Relay implements Part {
  private relay: OutboxRelay | null = null;

  constructor(
    @Inject(Tokens.settings) private readonly settings: PipelineSettings,
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(Tokens.broker) private readonly broker: NatsConnection,
    @Inject(DatabasePart) private readonly databasePart: DatabasePart,
  ) {}

  async start(): Promise<void> {
    await ensureStream(this.broker, streams.audit(), { replicas: this.settings.natsReplicas });
    this.relay = new OutboxRelay({
      database: this.databasePart.database,
      log: this.log,
      publish: (rows) => this.publish(rows),
      paceMs: 40,
    });
    this.relay.start();
  }

  kick(): void {
    this.relay?.kick();
  }

  private async publish(rows: OutboxRow[]): Promise<void> {
    const js = jetstream(this.broker, { timeout: publishTimeoutMs });
    const alertEvents = new Map<string, OutboxRow[]>();
    const audit: OutboxRow[] = [];
    for (const row of rows) {
      if (row.subject === auditSubject) audit.push(row);
      else alertEvents.set(row.subject, [...(alertEvents.get(row.subject) ?? []), row]);
    }
    await Promise.all([
      ...audit.map((row) => js.publish(row.subject, row.text, { msgID: row.messageId })),
      ...[...alertEvents].map(async ([subject, events]) => {
        for (const group of messagesOf(events))
          await js.publish(subject, `{"events":[${group.texts.join(',')}]}`, { msgID: group.id });
      }),
    ]);
  }

  async drain(): Promise<void> {
    await this.relay?.drain();
  }
}

const messageBytes = 600 * 1024;

/** Rows in order, in as few messages as their size allows; the id of a message is that of its first and last event. */
function messagesOf(rows: OutboxRow[]): { id: string; texts: string[] }[] {
  const groups: { first: string; last: string; texts: string[]; bytes: number }[] = [];
  for (const row of rows) {
    const { text } = row;
    const group = groups.at(-1);
    if (group && group.bytes + text.length < messageBytes) {
      group.texts.push(text);
      group.bytes += text.length;
      group.last = row.messageId;
    } else groups.push({ first: row.messageId, last: row.messageId, texts: [text], bytes: text.length });
  }
  return groups.map(({ first, last, texts }) => ({ id: `${first}.${last}`, texts }));
}
