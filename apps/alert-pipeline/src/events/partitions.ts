/**
 * Decides which replica applies which partition. The lease is a row in PostgreSQL, by the clock of the database. Each
 * replica holds an equal share of the partitions. A replica whose lease has ended can do no harm: the transaction that
 * writes the position checks the holder (see partition-worker.ts).
 *
 * A lease is renewed only while its worker makes progress: by each batch that it applies, and four times in the length
 * of a lease while it is idle and has an answer of NATS and of the database. So a lease ends when its replica has died,
 * and also when the replica runs and its worker makes no progress. Such a replica takes no partition for some time, as
 * long as there are other replicas that work: a fault of the database stalls all of them. Leases are renewed on a
 * connection of their own, because the pool that the workers use may be the cause.
 */
import { alertEventsStream, ingestStream, newUuid, partitionsMetadata } from '@ams/contracts';
import { Database } from '@ams/database';
import {
  Logger,
  managerOf,
  NatsConnection,
  onReconnect,
  OrganizationActivity,
  requireStream,
  whenAvailable,
  type WorkClock,
} from '@ams/messaging';
import { HeartbeatDatabase, Outbox } from '@ams/persistence';
import { Liveness, Readiness } from '@ams/service';
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
const renewalsPerLease = 4;

interface Share {
  /** The partitions that this replica holds. */
  held: Set<number>;
  /** How many partitions it should hold. */
  quota: number;
  /** How many other replicas take part. */
  others: number;
}

@Injectable()
export class Partitions implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly replicaId = newUuid();
  private readonly workers = new Map<number, PartitionWorker>();
  /** Workers that are being stopped. */
  private readonly ending = new Set<Promise<void> | undefined>();
  private timers: NodeJS.Timeout[] = [];
  private renewing: Promise<void> = Promise.resolve();
  private ticking: Promise<void> = Promise.resolve();
  /** Until this time of the monotonic clock this replica leaves partitions to others. */
  private restsUntil = 0;
  /** The clocks of the workers that made no progress. Because of them the replica is not ready until then. */
  private stalledClocks: WorkClock[] = [];
  /** When the probable cause of a stall last ended. A time of the monotonic clock. */
  private causeEndedAt = -Infinity;
  /** When the leases were last renewed. A time of the monotonic clock. */
  private renewedAt = performance.now();
  /** Whether the cause of the stall is not in the work of this replica: see `endCommonRest`. */
  private isCauseCommon = false;
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
    private readonly leases: HeartbeatDatabase,
    private readonly outbox: Outbox,
    private readonly nats: NatsConnection,
    private readonly activity: OrganizationActivity,
    private readonly metrics: EventMetrics,
    private readonly log: Logger,
    readiness: Readiness,
    liveness: Liveness,
  ) {
    this.ingestPurge = this.purgeOf(ingestStream, settings.standbyLagSeconds);
    this.eventsPurge = this.purgeOf(
      alertEventsStream,
      Math.max(settings.standbyLagSeconds, settings.eventsKeptSeconds),
    );
    readiness.add('ingest stream', () => (this.lost === null ? null : { note: this.lost }));
    const clocks = () => [...[...this.workers.values()].map(({ clock }) => clock), ...this.stalledClocks];
    liveness.watch('partitions', clocks, this.stalledAfterMs);
  }

  /** A worker that loses its connection has time to notice it, and to try again on another one. */
  private get stalledAfterMs(): number {
    return this.settings.leaseSeconds * 1000 + this.settings.databaseTimeoutMs;
  }

  async onModuleInit(): Promise<void> {
    await whenAvailable(this.log, () => this.findStreams());
  }

  onApplicationBootstrap(): void {
    onReconnect(this.nats, () => {
      this.endRest();
      // What was delivered to the connection before is read from the stream.
      for (const worker of this.workers.values()) worker.interrupt();
    });
    this.renew();
    this.schedule(0);
  }

  /** Starts a renewal, unless the last one still runs. */
  private renew(): void {
    let runs = false;
    const once = (): void => {
      if (runs) return;
      runs = true;
      this.renewing = this.share()
        .catch((error: unknown) =>
          this.log.warn({ err: error }, 'the leases of the partitions could not be renewed; trying again'),
        )
        .finally(() => {
          runs = false;
        });
    };
    once();
    this.timers.push(setInterval(once, (this.settings.leaseSeconds * 1000) / renewalsPerLease));
  }

  private async findStreams(): Promise<void> {
    const info = await requireStream(this.nats, ingestStream);
    await requireStream(this.nats, alertEventsStream);
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
    const timer = setTimeout(() => {
      this.timers = this.timers.filter((one) => one !== timer);
      this.ticking = this.tick().finally(() => this.schedule((this.settings.leaseSeconds * 1000) / renewalsPerLease));
    }, ms);
    this.timers.push(timer);
  }

  /** The work for all partitions. It never delays a renewal. */
  private async tick(): Promise<void> {
    this.ticks++;
    this.measureWaiting(Date.now());
    const ticksPerSecond = renewalsPerLease / this.settings.leaseSeconds;
    try {
      if (this.ticks % Math.max(1, Math.round(checkStreamsEverySeconds * ticksPerSecond)) === 0)
        await this.findStreams();
      if (this.ticks % Math.max(1, Math.round(purgeEverySeconds * ticksPerSecond)) === 0) await this.purge();
      const idle = new Map([...this.workers].filter(([, worker]) => worker.caughtUp));
      const resolved = await resolveOverdue(this.database, idle);
      if (resolved > 0) {
        this.metrics.autoResolved.inc(resolved);
        this.outbox.publishNow();
      }
    } catch (error) {
      this.log.warn({ err: error }, 'work for the partitions failed; trying again');
    }
  }

  private measureWaiting(now: number): void {
    const waiting = [...this.workers.values()].map(({ waitingSince }) => waitingSince ?? now);
    this.metrics.waiting.set([...this.workers.values()].reduce((sum, worker) => sum + worker.waitingMessages, 0));
    this.metrics.oldestWaiting.set(Math.max(0, now - Math.min(now, ...waiting)) / 1000);
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
    this.setStreamFill(await this.ingestPurge.run(info, Number(least?.position ?? 0)));
    const events = await manager.streams.info(alertEventsStream);
    const acknowledged = await acknowledgedFloor(this.nats);
    const recorded = await this.recordedFloor(events, acknowledged);
    this.setStreamFill(await this.eventsPurge.run(events, acknowledged, recorded));
  }

  /** The sequence up to which the database has records that the workflow engine has processed the messages. */
  private async recordedFloor({ created, state }: StreamInfo, acknowledged: number): Promise<number> {
    const [row] = await this.database.query<{ floor: string }>(
      `SELECT CASE WHEN count(*) = greatest($3::bigint - $2::bigint + 1, 0) THEN $3::bigint ELSE (
         SELECT min(s) - 1 FROM generate_series($2::bigint, $3::bigint) s WHERE NOT EXISTS (
           SELECT FROM workflows_views.processed_messages p WHERE p.stream_created = $1 AND p.sequence = s)
       ) END AS floor
       FROM workflows_views.processed_messages WHERE stream_created = $1 AND sequence BETWEEN $2 AND $3`,
      [String(created), Math.max(1, state.first_seq), acknowledged],
    );
    return Number(row?.floor ?? 0);
  }

  private purgeOf(stream: string, keptSeconds: number): StreamPurge {
    return new StreamPurge({
      nats: this.nats,
      stream,
      lagMs: keptSeconds * 1000,
      log: this.log,
      now: () => performance.now(),
    });
  }

  private setStreamFill({ config, state }: StreamInfo): void {
    this.metrics.streamFill.set({ stream: config.name }, config.max_bytes > 0 ? state.bytes / config.max_bytes : 0);
  }

  /** Renews leases, releases those above the equal share, and takes free ones. */
  private async share(): Promise<void> {
    const stalled = this.stalledPartitions();
    if (stalled.length > 0) this.abandon(stalled);
    const { held, quota, others } = await this.renewLeases();
    this.renewedAt = performance.now();
    this.endCommonRest(others);
    for (const partition of [...this.workers.keys()]) if (!held.has(partition)) this.end(partition);
    const surplus = [...this.workers.keys()].slice(quota);
    await this.release(surplus);
    for (const partition of held)
      if (!this.workers.has(partition) && !surplus.includes(partition)) this.begin(partition);
    if (this.workers.size < quota) await this.takeOver(quota - this.workers.size);
    this.metrics.partitions.set(this.workers.size);
  }

  /**
   * An outage of the database stalls all replicas: none is there to take the partitions, or no lease can be renewed.
   * Then the rest ends when a worker of this replica makes progress, or when another replica takes part.
   */
  private endCommonRest(others: number): void {
    if (performance.now() >= this.restsUntil) return;
    this.isCauseCommon ||= others === 0;
    const worksAgain = others > 0 || [...this.workers.values()].some(({ clock }) => clock.hasProgressed);
    if (this.isCauseCommon && worksAgain) this.endRest();
  }

  /** The probable cause of a stall has ended. */
  private endRest(): void {
    this.restsUntil = 0;
    this.causeEndedAt = performance.now();
  }

  /** After the cause of a stall has ended, workers are given the time of a lease. */
  private stalledPartitions(): number[] {
    if (performance.now() - this.causeEndedAt < this.settings.leaseSeconds * 1000) return [];
    return [...this.workers]
      .filter(([, { clock }]) => clock.msSinceProgress > this.stalledAfterMs)
      .map(([partition]) => partition);
  }

  /** Ends workers that make no progress. Their partitions are left to other replicas. */
  private abandon(partitions: number[]): void {
    this.log.warn({ partitions }, 'the partitions make no progress here; other replicas may take them over');
    const leaseMs = this.settings.leaseSeconds * 1000;
    const now = performance.now();
    // Renewals that fail now and then do not explain a stall.
    const isOutage = now - this.renewedAt > leaseMs;
    this.isCauseCommon = isOutage || (this.isCauseCommon && now < this.restsUntil);
    this.restsUntil = now + 2 * leaseMs + this.stalledAfterMs;
    for (const partition of partitions) {
      const worker = this.workers.get(partition);
      if (worker) this.stalledClocks.push(worker.clock);
      this.end(partition);
    }
  }

  /** Does not wait: a worker may hang, and the other leases must be renewed. */
  private end(partition: number): void {
    const worker = this.workers.get(partition);
    this.workers.delete(partition);
    const ended = worker?.stop().finally(() => this.ending.delete(ended));
    if (ended) this.ending.add(ended);
  }

  /**
   * A row that is locked is skipped: a batch is being applied, which renews the lease itself. If this statement waited
   * for the row, the transaction of a lost connection would end all other leases, too.
   */
  private renewLeases(): Promise<Share> {
    const { replicaId } = this;
    const working = [...this.workers.keys()];
    const lease = `${this.settings.leaseSeconds} seconds`;
    const rests = performance.now() < this.restsUntil;
    if (!rests) this.stalledClocks = [];
    for (const clock of this.stalledClocks) clock.attempted();
    return this.leases.asService(async (tx) => {
      if (rests) await tx.query('DELETE FROM alerts.replicas WHERE id = $1', [replicaId]);
      else
        await tx.query(
          `INSERT INTO alerts.replicas (id, seen_at) VALUES ($1, clock_timestamp())
           ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp()`,
          [replicaId],
        );
      await tx.query(`DELETE FROM alerts.replicas WHERE seen_at < clock_timestamp() - interval '10 minutes'`);
      const [counts] = await tx.query<{ others: number; partitions: number }>(
        `SELECT (SELECT count(*)::int FROM alerts.replicas
             WHERE id <> $1 AND seen_at > clock_timestamp() - $2::interval) AS others,
           (SELECT count(*)::int FROM alerts.partitions) AS partitions`,
        [replicaId, lease],
      );
      const { others, partitions } = counts ?? { others: 0, partitions: 0 };
      const restsForOthers = rests && others > 0;
      const given = `$3::boolean AND partition <> ALL($4::smallint[])`;
      await tx.query(
        `UPDATE alerts.partitions SET
           holder = CASE WHEN ${given} THEN NULL ELSE holder END,
           held_until = CASE WHEN ${given} THEN '-infinity' ELSE clock_timestamp() + $2::interval END
         WHERE partition IN (
           SELECT partition FROM alerts.partitions WHERE holder = $1 ORDER BY partition FOR UPDATE SKIP LOCKED)`,
        [replicaId, lease, restsForOthers, working],
      );
      const rows = await tx.query<{ partition: number }>(
        `SELECT partition FROM alerts.partitions
         WHERE holder = $1 AND NOT ($2::boolean AND partition <> ALL($3::smallint[]))`,
        [replicaId, restsForOthers, working],
      );
      const held = new Set(rows.map(({ partition }) => partition));
      return { held, others, quota: restsForOthers ? held.size : Math.ceil(partitions / (others + 1)) };
    });
  }

  private async takeOver(count: number): Promise<void> {
    const taken = await this.leases.query<{ partition: number }>(
      `UPDATE alerts.partitions SET holder = $1, held_until = clock_timestamp() + $2::interval WHERE partition IN (
         SELECT partition FROM alerts.partitions WHERE holder IS NULL OR held_until < clock_timestamp()
         ORDER BY partition LIMIT $3 FOR UPDATE SKIP LOCKED)
       RETURNING partition`,
      [this.replicaId, `${this.settings.leaseSeconds} seconds`, count],
    );
    for (const { partition } of taken) this.begin(partition);
    if (taken.length > 0)
      this.log.info({ partitions: taken.map(({ partition }) => partition) }, 'took over partitions');
  }

  private begin(partition: number): void {
    if (this.stopped || this.workers.has(partition)) return;
    const worker = new PartitionWorker({
      partition,
      replicaId: this.replicaId,
      database: this.database,
      nats: this.nats,
      log: this.log,
      metrics: this.metrics,
      batch: this.settings.batch,
      leaseSeconds: this.settings.leaseSeconds,
      heartbeatCheckMs: this.settings.heartbeatCheckSeconds * 1000,
      applied: () => this.outbox.publishNow(),
      lost: (message) => {
        this.lost = message;
      },
      activity: this.activity,
    });
    this.workers.set(partition, worker);
    worker.start();
  }

  /** Gives partitions to others. A row that is locked is skipped: it is released at the next renewal. */
  private async release(partitions: number[]): Promise<void> {
    if (partitions.length === 0) return;
    for (const partition of partitions) this.end(partition);
    await this.leases.query(
      `UPDATE alerts.partitions SET holder = NULL, held_until = '-infinity' WHERE partition IN (
         SELECT partition FROM alerts.partitions WHERE holder = $1 AND partition = ANY($2::smallint[])
         FOR UPDATE SKIP LOCKED)`,
      [this.replicaId, partitions],
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    await this.ticking;
    await this.renewing;
    for (const partition of [...this.workers.keys()]) this.end(partition);
    await Promise.all(this.ending);
    await this.leave().catch((error: unknown) =>
      this.log.warn({ err: error }, 'the leases of this replica could not be given back; they end in a few seconds'),
    );
    await this.leases.close();
  }

  /** In one transaction: no other replica counts this one and its partitions separately. */
  private leave(): Promise<void> {
    return this.leases.asService(async (tx) => {
      await tx.query(`UPDATE alerts.partitions SET holder = NULL, held_until = '-infinity' WHERE holder = $1`, [
        this.replicaId,
      ]);
      await tx.query('DELETE FROM alerts.replicas WHERE id = $1', [this.replicaId]);
    });
  }
}
