/**
 * Processes domain events again when the database has lost that they were processed: after a failover to a standby
 * server that was behind, or after a restore. A message is acknowledged only when it is recorded in
 * `workflows.processed_messages`, so an acknowledged message without its record was lost. NATS keeps acknowledged
 * messages until they are older than the lag of a standby, and are recorded.
 *
 * The records also show when NATS has lost the stream, or its end. Then domain events that nobody had read are lost,
 * and the log says so.
 *
 * Every replica does this. A message that was processed before changes nothing.
 */
import { alertEventsStream } from '@ams/contracts';
import { Database } from '@ams/database';
import { consumers, managerOf, NatsConnection, WorkClock } from '@ams/messaging';
import { Liveness, Logger, Metrics } from '@ams/service';
import type { JetStreamManager, StoredMsg } from '@nats-io/jetstream';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { SubjectsMissing } from './subjects-missing.js';
import { EventProcessor, recordProcessed } from './event-processor.js';

const everyMs = 2000;
/** The messages of one round. */
const atOnce = 500;

@Injectable()
export class EventRecovery implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly clock = new WorkClock();
  private readonly stop = new AbortController();
  private readonly recovered;
  private readonly streamLosses;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly log: Logger,
    private readonly database: Database,
    private readonly nats: NatsConnection,
    private readonly processor: EventProcessor,
    metrics: Metrics,
    liveness: Liveness,
  ) {
    this.recovered = metrics.counter(
      'ams_workflow_recovered_messages_total',
      'Messages of domain events that were processed again, because the database had lost that they were processed.',
    );
    this.streamLosses = metrics.counter(
      'ams_workflow_event_stream_losses_total',
      'How often NATS had lost the stream of domain events, or its end: workflows may be missing events.',
    );
    liveness.watch('event recovery', () => [this.clock]);
  }

  onApplicationBootstrap(): void {
    this.running = this.run();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stop;
    await this.pause();
    while (!signal.aborted) {
      try {
        await this.recover();
        this.clock.progressed();
      } catch (error) {
        this.clock.attempted();
        this.log.warn({ err: error }, 'the search for lost domain events failed; trying again');
      }
      await this.pause();
    }
  }

  private pause(): Promise<void> {
    return pause(everyMs, undefined, { signal: this.stop.signal }).catch(() => undefined);
  }

  private async recover(): Promise<void> {
    const manager = await managerOf(this.nats);
    // Read before the stream: NATS has every message that is recorded here.
    const records = await this.database.query<{ streamCreated: string; highest: string }>(
      `SELECT stream_created AS "streamCreated", max(sequence)::text AS highest
       FROM workflows.processed_messages GROUP BY 1`,
    );
    const { created, state } = await manager.streams.info(alertEventsStream);
    const streamCreated = String(created);
    const ofStream = records.find((record) => record.streamCreated === streamCreated);
    await this.reportLosses(streamCreated, state.last_seq, Number(ofStream?.highest ?? 0));
    // Read before the records: what is acknowledged here was committed.
    const { ack_floor } = await manager.consumers.info(alertEventsStream, consumers.domainEvents.config.durable_name);
    // 0 while the stream has never had a message.
    const first = Math.max(1, state.first_seq);
    const missing = await this.unrecorded(streamCreated, first, ack_floor.stream_seq);
    if (missing.length > 0) await this.processMissing(manager, streamCreated, missing);
    await this.database.query('DELETE FROM workflows.processed_messages WHERE stream_created = $1 AND sequence < $2', [
      streamCreated,
      first,
    ]);
  }

  private async processMissing(manager: JetStreamManager, streamCreated: string, missing: number[]): Promise<void> {
    const [row] = await this.database.query<{ since: Date }>('SELECT since FROM workflows.processing_recorded');
    const recordedSince = row?.since ?? new Date(0);
    let recovered = 0;
    for (const sequence of missing) {
      if (this.stop.signal.aborted) return;
      const message = await manager.streams.getMessage(alertEventsStream, { seq: sequence });
      // Deleted alone, by an operator: nothing is left to process.
      if (!message || message.time < recordedSince) await recordProcessed(this.database, streamCreated, sequence);
      else if (await this.processAgain(message, streamCreated)) recovered++;
      this.clock.progressed();
    }
    if (recovered > 0) {
      this.recovered.inc(recovered);
      const facts = { stream: alertEventsStream, messages: recovered, from: missing[0], to: missing.at(-1) };
      this.log.error(facts, 'the database has lost that domain events were processed; they were processed again');
    }
  }

  /** False when it must be tried again in the next round. */
  private async processAgain(message: StoredMsg, streamCreated: string): Promise<boolean> {
    try {
      await this.processor.process(message, { streamCreated, onlyOlderWorkflows: true });
      return true;
    } catch (error) {
      if (error instanceof SubjectsMissing) return false;
      throw error;
    }
  }

  /** Deletes the records of messages that NATS does not have any more, and reports them. One replica finds them. */
  private async reportLosses(streamCreated: string, last: number, highest: number): Promise<void> {
    const lost = await this.database.query(
      `DELETE FROM workflows.processed_messages
       WHERE stream_created <> $1 OR (sequence > $2 AND sequence <= $3) RETURNING 1`,
      [streamCreated, last, highest],
    );
    if (lost.length === 0) return;
    this.streamLosses.inc();
    this.log.error(
      { stream: alertEventsStream, created: streamCreated, lastSequence: last },
      'NATS has lost messages of the stream of domain events: workflows are not triggered by events that were not read',
    );
  }

  /** The lowest sequences from `first` to `last` that have no record. */
  private async unrecorded(streamCreated: string, first: number, last: number): Promise<number[]> {
    if (last < first) return [];
    const [row] = await this.database.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM workflows.processed_messages
       WHERE stream_created = $1 AND sequence BETWEEN $2 AND $3`,
      [streamCreated, first, last],
    );
    if (row?.n === last - first + 1) return [];
    const rows = await this.database.query<{ sequence: string }>(
      `SELECT s AS sequence FROM generate_series($2::bigint, $3::bigint) s
       WHERE NOT EXISTS (SELECT FROM workflows.processed_messages p WHERE p.stream_created = $1 AND p.sequence = s)
       ORDER BY s LIMIT ${atOnce}`,
      [streamCreated, first, last],
    );
    return rows.map(({ sequence }) => Number(sequence));
  }
}
