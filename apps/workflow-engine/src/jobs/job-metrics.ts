/** What shows that jobs wait: how many, how long, and how often they were postponed. No label names a tenant. */
import type { Database, FairSlots } from '@ams/database';
import type { Metrics } from '@ams/service';
import type { Job } from 'graphile-worker';
import { jobSchema, type AllJobs } from './jobs.js';

export class JobMetrics {
  readonly postponed;
  private readonly waits;
  private readonly waiting;
  private readonly oldest;

  constructor(
    metrics: Metrics,
    private readonly turns: Pick<FairSlots, 'waiting' | 'oldestMs'>,
  ) {
    this.waits = metrics.durations(
      'ams_workflow_job_wait_seconds',
      'From the time when a job is due to its beginning: steps of workflows, and attempts to send a notification.',
      ['job'],
    );
    this.waiting = metrics.gauge(
      'ams_workflow_waiting_jobs',
      'Jobs that are due and have not begun: in the database (the same at each replica), and in this replica.',
      ['place'],
    );
    this.oldest = metrics.gauge(
      'ams_workflow_oldest_waiting_job_seconds',
      'How long the oldest of these jobs has waited.',
      ['place'],
    );
    this.postponed = metrics.counter(
      'ams_workflow_postponed_jobs_total',
      'Jobs that were postponed, because their team or organization had very many jobs at the same time.',
      ['job'],
    );
  }

  begins(name: keyof AllJobs, { run_at: dueAt }: Job): void {
    this.waits.observe({ job: name }, Math.max(0, Date.now() - dueAt.getTime()) / 1000);
  }

  async measure(database: Pick<Database, 'query'>): Promise<void> {
    const [due] = await database.query<{ n: number; seconds: number }>(
      `SELECT count(*)::int AS n,
         coalesce(extract(epoch FROM clock_timestamp() - min(run_at)), 0)::float8 AS seconds
       FROM ${jobSchema}._private_jobs WHERE is_available AND run_at <= clock_timestamp()`,
    );
    this.waiting.set({ place: 'database' }, due?.n ?? 0);
    this.oldest.set({ place: 'database' }, due?.seconds ?? 0);
    this.waiting.set({ place: 'replica' }, this.turns.waiting);
    this.oldest.set({ place: 'replica' }, this.turns.oldestMs / 1000);
  }
}
