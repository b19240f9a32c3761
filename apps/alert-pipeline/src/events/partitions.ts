/**
 * Decides which replica applies which partition. The lease is a row in PostgreSQL, by the clock of the database. It is
 * renewed every second. It ends a few seconds after its replica died, or at once when the replica stops normally. Each
 * replica holds an equal share of the partitions. A replica whose lease has ended can do no harm: the transaction that
 * writes the position checks the holder (see partition-worker.ts).
 */
import { alertEventsStream, ingestStream, newUuid, partitionsMetadata } from '@ams/contracts';
import { Database } from '@ams/database';
import { ensureStream, Logger, managerOf, NatsConnection, streams } from '@ams/messaging';
import { Outbox } from '@ams/persistence';
import { Readiness } from '@ams/service';
import type { StreamInfo } from '@nats-io/jetstream';
import {
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { resolveOverdue } from '../alerts/auto-resolve.js';
import { PipelineSettings } from '../settings.js';
import { EventMetrics } from './event-metrics.js';
import { PartitionWorker } from './partition-worker.js';
import { acknowledgedFloor, StreamPurge } from './stream-purge.js';

const purgeEverySeconds = 5;
const checkStreamsEverySeconds = 5;

@Injectable()
export class Partitions implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly replicaId = newUuid();
  private readonly workers = new Map<number, PartitionWorker>();
  private timer: NodeJS.Timeout | undefined;
  private ticking: Promise<void> = Promise.resolve();
  private stopped = false;
  private streamCreated = '';
  private ticks = 0;
  private readonly ingestPurge: StreamPurge;
  private readonly eventsPurge: StreamPurge;
  /** What operators must know about lost messages, until the process ends. */
  private lost: string | null = null;

  constructor(
    private readonly settings: PipelineSettings,
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly nats: NatsConnection,
    private readonly metrics: EventMetrics,
    private readonly log: Logger,
    readiness: Readiness,
  ) {
    this.ingestPurge = this.purgeOf(ingestStream);
    this.eventsPurge = this.purgeOf(alertEventsStream);
    readiness.add('ingest stream', () => (this.lost === null ? null : { note: this.lost }));
  }

  async onModuleInit(): Promise<void> {
    await this.ensureStreams();
  }

  onApplicationBootstrap(): void {
    this.schedule(0);
  }

  private async ensureStreams(): Promise<void> {
    const replicas = { replicas: this.settings.natsReplicas };
    const info = await ensureStream(
      this.nats,
      streams.ingest(this.settings.ingestPartitions, this.settings.ingestStreamMaxBytes),
      replicas,
    );
    await ensureStream(this.nats, streams.alertEvents(), replicas);
    const created = String(info.created);
    if (created === this.streamCreated) return;
    const count = Number(info.config.metadata?.[partitionsMetadata] ?? this.settings.ingestPartitions);
    await this.database.query(
      'INSERT INTO alerts.partitions (partition) SELECT generate_series(0, $1::int - 1) ON CONFLICT DO NOTHING',
      [count],
    );
    if (this.streamCreated !== '') for (const worker of this.workers.values()) worker.interrupt();
    this.streamCreated = created;
  }

  private schedule(ms: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.ticking = this.tick().finally(() => this.schedule((this.settings.leaseSeconds * 1000) / 4));
    }, ms);
  }

  private async tick(): Promise<void> {
    this.ticks++;
    const ticksPerSecond = 4 / this.settings.leaseSeconds;
    try {
      await this.share();
      if (this.ticks % Math.max(1, Math.round(checkStreamsEverySeconds * ticksPerSecond)) === 0)
        await this.ensureStreams();
      if (this.ticks % Math.max(1, Math.round(purgeEverySeconds * ticksPerSecond)) === 0) await this.purge();
      const idle = new Map([...this.workers].filter(([, worker]) => worker.caughtUp));
      const resolved = await resolveOverdue(this.database, idle);
      if (resolved > 0) {
        this.metrics.autoResolved.inc(resolved);
        this.outbox.kick();
      }
    } catch (error) {
      this.log.warn({ err: error }, 'the leases of the partitions could not be renewed; trying again');
    }
  }

  /** Deletes from NATS what all readers have committed. One of the replicas does it. */
  private async purge(): Promise<void> {
    if (this.workers.size === 0) return;
    const manager = await managerOf(this.nats);
    const before = [...this.workers.values()].map((worker) => ({ worker, position: worker.appliedUpTo }));
    const info = await manager.streams.info(ingestStream);
    for (const { worker, position } of before) {
      // NATS has lost messages: the next session of the worker reports it.
      if (position > info.state.last_seq) worker.interrupt();
      else worker.streamEndsAt(info.state.last_seq);
    }
    if (!this.workers.has(0)) return;
    const [least] = await this.database.query<{ position: string | null }>(
      'SELECT CASE WHEN bool_and(stream_created = $1) THEN min(position) END::text AS position FROM alerts.partitions',
      [String(info.created)],
    );
    this.showFill(await this.ingestPurge.run(info, Number(least?.position ?? 0)));
    const events = await manager.streams.info(alertEventsStream);
    this.showFill(await this.eventsPurge.run(events, await acknowledgedFloor(this.nats, alertEventsStream)));
  }

  private purgeOf(stream: string): StreamPurge {
    return new StreamPurge({
      nats: this.nats,
      stream,
      lagMs: this.settings.standbyLagSeconds * 1000,
      log: this.log,
      now: () => performance.now(),
    });
  }

  private showFill({ config, state }: StreamInfo): void {
    this.metrics.streamFill.set({ stream: config.name }, config.max_bytes > 0 ? state.bytes / config.max_bytes : 0);
  }

  /** Renews leases, releases those above the equal share, and takes free ones. */
  private async share(): Promise<void> {
    const lease = `${this.settings.leaseSeconds} seconds`;
    const { held, quota } = await this.database.asService(async (tx) => {
      await tx.query(
        `INSERT INTO alerts.replicas (id, seen_at) VALUES ($1, clock_timestamp())
         ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp()`,
        [this.replicaId],
      );
      await tx.query(`DELETE FROM alerts.replicas WHERE seen_at < clock_timestamp() - interval '10 minutes'`);
      const [counts] = await tx.query<{ replicas: number; partitions: number }>(
        `SELECT (SELECT count(*)::int FROM alerts.replicas
             WHERE seen_at > clock_timestamp() - $1::interval) AS replicas,
           (SELECT count(*)::int FROM alerts.partitions) AS partitions`,
        [lease],
      );
      const rows = await tx.query<{ partition: number }>(
        `UPDATE alerts.partitions SET held_until = clock_timestamp() + $2::interval
         WHERE holder = $1 AND held_until > clock_timestamp() RETURNING partition`,
        [this.replicaId, lease],
      );
      return {
        held: new Set(rows.map(({ partition }) => partition)),
        quota: Math.ceil((counts?.partitions ?? 0) / Math.max(1, counts?.replicas ?? 1)),
      };
    });
    for (const [partition, worker] of [...this.workers]) {
      if (held.has(partition)) continue;
      this.workers.delete(partition);
      await worker.stop();
    }
    const surplus = [...this.workers.keys()].slice(quota);
    await this.release(surplus);
    for (const partition of held)
      if (!this.workers.has(partition) && !surplus.includes(partition)) this.begin(partition);
    if (this.workers.size < quota) {
      const taken = await this.database.query<{ partition: number }>(
        `UPDATE alerts.partitions SET holder = $1, held_until = clock_timestamp() + $2::interval WHERE partition IN (
           SELECT partition FROM alerts.partitions WHERE holder IS NULL OR held_until < clock_timestamp()
           ORDER BY partition LIMIT $3 FOR UPDATE SKIP LOCKED)
         RETURNING partition`,
        [this.replicaId, lease, quota - this.workers.size],
      );
      for (const { partition } of taken) this.begin(partition);
      if (taken.length > 0)
        this.log.info({ partitions: taken.map(({ partition }) => partition) }, 'took over partitions');
    }
    this.metrics.partitions.set(this.workers.size);
  }

  private begin(partition: number): void {
    if (this.stopped) return;
    const worker = new PartitionWorker({
      partition,
      replicaId: this.replicaId,
      database: this.database,
      nats: this.nats,
      log: this.log,
      metrics: this.metrics,
      batch: this.settings.batch,
      tries: this.settings.tries,
      applied: () => this.outbox.kick(),
      lost: (message) => {
        this.lost = message;
      },
    });
    this.workers.set(partition, worker);
    worker.start();
  }

  private async release(partitions: number[]): Promise<void> {
    if (partitions.length === 0) return;
    await Promise.all(partitions.map((partition) => this.workers.get(partition)?.stop()));
    for (const partition of partitions) this.workers.delete(partition);
    await this.database.query(
      `UPDATE alerts.partitions SET holder = NULL, held_until = '-infinity'
       WHERE holder = $1 AND partition = ANY($2::smallint[])`,
      [this.replicaId, partitions],
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.ticking;
    await Promise.all([...this.workers.values()].map((worker) => worker.stop()));
    await this.database
      .query(`UPDATE alerts.partitions SET holder = NULL, held_until = '-infinity' WHERE holder = $1`, [this.replicaId])
      .catch(() => undefined);
    await this.database.query('DELETE FROM alerts.replicas WHERE id = $1', [this.replicaId]).catch(() => undefined);
  }
}
