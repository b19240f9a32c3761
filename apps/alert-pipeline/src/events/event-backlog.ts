/**
 * What has not been applied, whoever should apply it: read from NATS and the positions in the database by each replica,
 * so a partition without a replica is seen, too. Each replica has the same values.
 */
import { ingestStream, ingestSubject } from '@ams/contracts';
import { Database } from '@ams/database';
import type { ReportedName } from '@ams/domain';
import { managerOf, NatsConnection, secondsSinceMessage } from '@ams/messaging';
import { Logger, Measurement, Metrics } from '@ams/service';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { PipelineSettings } from '../settings.js';

interface PartitionRow {
  partition: number;
  position: string;
  streamCreated: string;
  isHeld: boolean;
  /** Until the lease ends; null when nobody holds it. */
  leaseSeconds: number | null;
}

/** Messages that were set aside are counted up to this number. */
const mostCounted = 10_000;

@Injectable()
export class EventBacklog implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly oldest;
  private readonly leases;
  private readonly notHeld;
  private readonly setAside;
  private readonly measurement: Measurement;

  constructor(
    private readonly settings: PipelineSettings,
    private readonly database: Database,
    private readonly nats: NatsConnection,
    log: Logger,
    metrics: Metrics,
  ) {
    this.oldest = metrics.gauge(
      'ams_pipeline_oldest_unapplied_event_seconds',
      'Time since NATS stored the oldest event of the partition that is not applied; 0 without one. The same at each ' +
        'replica.',
      ['partition'],
    );
    this.leases = metrics.gauge(
      'ams_pipeline_lease_age_seconds',
      'Time since the lease of the partition was renewed; no value when nobody has it. The same at each replica.',
      ['partition'],
    );
    this.notHeld = metrics.gauge(
      'ams_pipeline_partitions_not_held',
      'Partitions that no replica holds. The same at each replica.',
    );
    this.setAside = metrics.gauge(
      'ams_pipeline_set_aside_messages',
      `Events that were set aside and not replayed yet, up to ${mostCounted}. The same at each replica.`,
    );
    this.measurement = new Measurement({
      metrics,
      log,
      name: 'events',
      gauges: [this.oldest, this.leases, this.notHeld, this.setAside],
      read: () => this.read(),
    });
  }

  onApplicationBootstrap(): void {
    this.measurement.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.measurement.stop();
  }

  private async read(): Promise<Partial<Record<ReportedName, number>>> {
    const rows = await this.database.query<PartitionRow>(
      `SELECT partition, position, stream_created AS "streamCreated",
         holder IS NOT NULL AND held_until > clock_timestamp() AS "isHeld",
         CASE WHEN holder IS NOT NULL THEN extract(epoch FROM held_until - clock_timestamp())::float8 END
           AS "leaseSeconds"
       FROM alerts.partitions`,
    );
    const [aside] = await this.database.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM (
         SELECT FROM alerts.set_aside WHERE replayed_at IS NULL LIMIT ${mostCounted}) AS waiting`,
    );
    const { streams } = await managerOf(this.nats);
    const info = await streams.info(ingestStream);
    const ages = await Promise.all(
      rows.map(({ partition, position, streamCreated }) =>
        secondsSinceMessage(streams, info, {
          sequence: streamCreated === String(info.created) ? Number(position) + 1 : 1,
          subject: ingestSubject(partition),
        }),
      ),
    );
    this.leases.reset();
    const leaseAges: number[] = [];
    for (const [index, { partition, leaseSeconds }] of rows.entries()) {
      this.oldest.set({ partition }, ages[index] ?? 0);
      if (leaseSeconds === null) continue;
      const leaseAge = Math.max(0, this.settings.leaseSeconds - leaseSeconds);
      this.leases.set({ partition }, leaseAge);
      leaseAges.push(leaseAge);
    }
    const partitionsNotHeld = rows.filter(({ isHeld }) => !isHeld).length;
    this.notHeld.set(partitionsNotHeld);
    this.setAside.set(aside?.n ?? 0);
    // Before the first replica of the first installation has made the partitions, nothing is known of them.
    if (rows.length === 0) return {};
    return {
      oldestUnappliedEvent: Math.max(...ages),
      partitionsNotHeld,
      ...(leaseAges.length === 0 ? {} : { leaseAge: Math.max(...leaseAges) }),
      ...(info.config.max_bytes > 0 ? { ingestStreamFill: info.state.bytes / info.config.max_bytes } : {}),
    };
  }
}
