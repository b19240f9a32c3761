/**
 * What shows that pages are on their way, and that somebody looks for missing ones. Each replica has the same values.
 */
import { Database } from '@ams/database';
import { Logger, Measurement, Metrics } from '@ams/service';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';

/** Rows are counted up to this number. */
const mostCounted = 10_000;

interface Counts {
  open: number;
  unsent: number;
  oldestSeconds: number;
}

@Injectable()
export class PageMetrics implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly measurement: Measurement;

  constructor(database: Database, log: Logger, metrics: Metrics) {
    const open = metrics.gauge(
      'ams_pages_open',
      `Lines of the page ledger that have not ended, up to ${mostCounted}: alerts that asked for somebody.`,
    );
    const unsent = metrics.gauge('ams_pages_unsent', `Messages of pages that are not sent yet, up to ${mostCounted}.`);
    const oldest = metrics.gauge(
      'ams_pages_oldest_unsent_seconds',
      'Age of the oldest message of a page that is not sent yet, by the clock of the database; 0 without one.',
    );
    const lastLook = metrics.gauge(
      'ams_pages_last_look_seconds',
      'Time since the last look for pages that are missing, by the clock of the database.',
      ['missing'],
    );
    this.measurement = new Measurement({
      metrics,
      log,
      name: 'pages',
      gauges: [open, unsent, oldest, lastLook],
      read: async () => {
        const [counts] = await database.query<Counts>(
          `SELECT (SELECT count(*)::int FROM (
               SELECT FROM workflows.page_requests WHERE outcome IS NULL AND repairs >= 0
               LIMIT ${mostCounted}) AS lines) AS open,
             count(*)::int AS unsent,
             greatest(coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0), 0)::float8
               AS "oldestSeconds"
           FROM (SELECT created_at FROM workflows.notifications
             WHERE status = 'queued' AND attempts >= 0 AND page_id IS NOT NULL
             ORDER BY created_at LIMIT ${mostCounted}) AS messages`,
        );
        const looks = await database.query<{ missing: string; seconds: number }>(
          `SELECT part AS missing,
             greatest(extract(epoch FROM clock_timestamp() - greatest(looked_at, since)), 0)::float8 AS seconds
           FROM workflows.page_looks`,
        );
        open.set(counts?.open ?? 0);
        unsent.set(counts?.unsent ?? 0);
        oldest.set(counts?.oldestSeconds ?? 0);
        for (const { missing, seconds } of looks) lastLook.set({ missing }, seconds);
        return looks.length === 0 ? {} : { missingPagesLook: Math.max(...looks.map(({ seconds }) => seconds)) };
      },
    });
  }

  onApplicationBootstrap(): void {
    this.measurement.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.measurement.stop();
  }
}
