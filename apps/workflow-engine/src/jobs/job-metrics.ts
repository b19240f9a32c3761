/** What shows that jobs wait: how many, how long, and how often they were postponed. No label names a tenant. */
import type { Database, FairSlots } from '@ams/database';
import { highestLevel, type GivesWay } from '@ams/domain';
import { Measurement, type Logger, type Metrics } from '@ams/service';
import type { Job } from 'graphile-worker';
import { jobSchema, type AllJobs } from './jobs.js';

export class JobMetrics {
  readonly postponed;
  private readonly waits;
  private readonly measurement: Measurement;

  constructor(
    metrics: Metrics,
    turns: Record<'replica' | GivesWay, Pick<FairSlots, 'waiting' | 'oldestMs'>>,
    database: Pick<Database, 'query'>,
    log: Logger,
  ) {
    this.waits = metrics.durations(
      'ams_workflow_job_wait_seconds',
      'From the time when a job is due to its beginning: steps of workflows, and attempts to send a notification.',
      ['job'],
    );
    const waiting = metrics.gauge(
      'ams_workflow_waiting_jobs',
      'Due jobs that have not begun: in the database (the same at each replica), and in this replica, by why they wait.',
      ['place'],
    );
    const oldest = metrics.gauge(
      'ams_workflow_oldest_waiting_job_seconds',
      'How long the oldest of these jobs has waited.',
      ['place'],
    );
    const ofLevel = metrics.gauge(
      'ams_workflow_waiting_jobs_of_level',
      'Due jobs in the database by level: 0 is fetched first; the more a team or an organization has, the higher.',
      ['level'],
    );
    const oldestOfLevel = metrics.gauge(
      'ams_workflow_oldest_waiting_job_of_level_seconds',
      'How long the oldest of these jobs has waited; no value without one.',
      ['level'],
    );
    this.postponed = metrics.counter(
      'ams_workflow_postponed_jobs_total',
      'Jobs that were postponed, because their team or organization had very many jobs at the same time.',
      ['job'],
    );
    this.measurement = new Measurement({
      metrics,
      log,
      name: 'jobs',
      gauges: [waiting, oldest, ofLevel, oldestOfLevel],
      everyMs: 2000,
      read: async () => {
        const levels = await database.query<{ level: number; n: number; seconds: number }>(
          `SELECT least(greatest(priority, 0), ${highestLevel})::int AS level, count(*)::int AS n,
             extract(epoch FROM clock_timestamp() - min(run_at))::float8 AS seconds
           FROM ${jobSchema}._private_jobs WHERE is_available AND run_at <= clock_timestamp() GROUP BY 1`,
        );
        oldestOfLevel.reset();
        for (let level = 0; level <= highestLevel; level++) {
          const found = levels.find((one) => one.level === level);
          ofLevel.set({ level }, found?.n ?? 0);
          if (found) oldestOfLevel.set({ level }, found.seconds);
        }
        waiting.set(
          { place: 'database' },
          levels.reduce((sum, { n }) => sum + n, 0),
        );
        oldest.set({ place: 'database' }, Math.max(0, ...levels.map(({ seconds }) => seconds)));
        for (const [place, { waiting: count, oldestMs }] of Object.entries(turns)) {
          waiting.set({ place }, count);
          oldest.set({ place }, oldestMs / 1000);
        }
        return { oldestDueJob: Math.max(0, levels.find(({ level }) => level === 0)?.seconds ?? 0) };
      },
    });
  }

  begins(name: keyof AllJobs, { run_at: dueAt }: Job): void {
    this.waits.observe({ job: name }, Math.max(0, Date.now() - dueAt.getTime()) / 1000);
  }

  start(): void {
    this.measurement.start();
  }

  async stop(): Promise<void> {
    await this.measurement.stop();
  }
}
