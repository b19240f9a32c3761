/** Publishes the outbox: entries of the audit log. */
import { OutboxRelay, type OutboxRow } from '@ams/database';
import { ensureStream, streams, type NatsConnection } from '@ams/messaging';
import { Tokens, type Logger, type Part } from '@ams/service';
import { jetstream } from '@nats-io/jetstream';
import { Inject, Injectable } from '@nestjs/common';
import { DatabasePart } from './parts.js';
import type { WorkflowEngineSettings } from './settings.js';

const publishTimeoutMs = 2000;

@Injectable()
export class Relay implements Part {
  private relay: OutboxRelay | null = null;

  constructor(
    @Inject(Tokens.settings) private readonly settings: WorkflowEngineSettings,
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
    });
    this.relay.start();
  }

  /** There is something new. */
  kick(): void {
    this.relay?.kick();
  }

  private async publish(rows: OutboxRow[]): Promise<void> {
    const js = jetstream(this.broker, { timeout: publishTimeoutMs });
    await Promise.all(rows.map((row) => js.publish(row.subject, row.text, { msgID: row.messageId })));
  }

  async drain(): Promise<void> {
    await this.relay?.drain();
  }
}
