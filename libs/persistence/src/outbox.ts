/**
 * Publishes the rows of this service's outbox. `kick()` after a commit publishes immediately; rows of a process that
 * ended before its kick are found by polling.
 */
import { Database, OutboxRelay, type OutboxRow } from '@ams/database';
import { ensureStream, Logger, NatsConnection, streams } from '@ams/messaging';
import { ServiceSettings } from '@ams/service';
import { jetstream, type JetStreamClient } from '@nats-io/jetstream';
import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { OutboxOptions } from './outbox-options.js';

/** Resolves when all rows are published; after a failure it is called again with the same rows. */
export type PublishRows = (rows: OutboxRow[]) => Promise<unknown>;

const publishTimeoutMs = 2000;
/** The maximum size of a message with several events; NATS accepts 1 MB. */
const messageBytes = 600 * 1024;

@Injectable()
export class Outbox implements OnModuleInit, BeforeApplicationShutdown {
  private readonly relay: OutboxRelay;
  private readonly jetstream: JetStreamClient;
  private readonly publishers = new Map<string, PublishRows>();

  constructor(
    database: Database,
    log: Logger,
    private readonly nats: NatsConnection,
    private readonly settings: ServiceSettings,
    private readonly options: OutboxOptions,
  ) {
    this.jetstream = jetstream(nats, { timeout: publishTimeoutMs });
    this.relay = new OutboxRelay({ database, log, publish: (rows) => this.publish(rows), paceMs: options.paceMs });
  }

  async onModuleInit(): Promise<void> {
    await this.ensureStream();
    this.relay.start();
  }

  private ensureStream(): Promise<unknown> {
    return ensureStream(this.nats, streams.audit(), { replicas: this.settings.natsReplicas });
  }

  /** Rows of this subject are published by `publish`, not to a stream. Call it in the constructor. */
  publishWith(subject: string, publish: PublishRows): void {
    this.publishers.set(subject, publish);
  }

  /** Starts publishing, because rows were committed. */
  kick(): void {
    this.relay.kick();
  }

  /** Resolves with true when everything committed before this call is published, or with false after the time-out. */
  flushed(timeoutMs: number): Promise<boolean> {
    return this.relay.flushed(timeoutMs);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.relay.drain();
  }

  private async publish(rows: OutboxRow[]): Promise<void> {
    const own = [...this.publishers].map(([subject, publish]) => ({
      publish,
      rows: rows.filter((row) => row.subject === subject),
    }));
    const others = rows.filter(({ subject }) => !this.publishers.has(subject));
    const work = own.map(({ publish, rows: theirs }) => (theirs.length > 0 ? publish(theirs) : undefined));
    try {
      await Promise.all([this.publishToStreams(others), ...work]);
    } catch (error) {
      // NATS may have lost its streams. When it is disconnected, this fails too, and the relay retries.
      await this.ensureStream();
      throw error;
    }
  }

  /** The rows of a subject in order; those of batched subjects as `{events: […]}`. */
  private async publishToStreams(rows: OutboxRow[]): Promise<void> {
    const single = rows.filter(({ subject }) => !this.options.isBatched(subject));
    const batched = new Map<string, OutboxRow[]>();
    for (const row of rows) {
      if (this.options.isBatched(row.subject)) batched.set(row.subject, [...(batched.get(row.subject) ?? []), row]);
    }
    await Promise.all([
      ...single.map((row) => this.jetstream.publish(row.subject, row.text, { msgID: row.messageId })),
      ...[...batched].map(async ([subject, events]) => {
        for (const { id, text } of batchesOf(events)) await this.jetstream.publish(subject, text, { msgID: id });
      }),
    ]);
  }
}

/** As few messages as the size limit allows. A message id consists of the ids of its first and last event. */
function batchesOf(rows: OutboxRow[]): { id: string; text: string }[] {
  const batches: OutboxRow[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    if (bytes + row.text.length >= messageBytes) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(row);
    bytes += row.text.length;
  }
  return batches.map((batch) => ({
    id: `${batch[0]?.messageId}.${batch.at(-1)?.messageId}`,
    text: `{"events":[${batch.map(({ text }) => text).join(',')}]}`,
  }));
}
