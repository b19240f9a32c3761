/**
 * Bulk changes in the background. A job is a row with the alerts and a position. A part of the alerts and the position
 * are changed in one transaction, so a job continues where it was after any failure, and no part is done twice. Any
 * replica may do the next part: the others skip its locked row. One job of an organization runs at a time, and the
 * organizations take turns.
 *
 * Each part is a transaction of the principal that asked, as the request itself would be: when the key is revoked, the
 * job ends.
 */
import { Fault, publicId, type BulkError, type BulkFailure } from '@ams/contracts';
import { Database, isMessageFault, type Tx } from '@ams/database';
import { Logger } from '@ams/messaging';
import { Housekeeping, Outbox } from '@ams/persistence';
import { Metrics } from '@ams/service';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { changeInBulk } from './bulk-changes.js';
import { advanceParams, advanceSql, lockPart, nextJobSql, type JobPart } from './bulk-job-queries.js';
import { BulkTurns } from './bulk-turns.js';
import type { Caller } from './command.js';

const pollMs = 500;
const pauseAfterErrorSeconds = 3;
const hourMs = 3_600_000;
const keptDays = 7;

interface NextJob {
  id: string;
  caller: Caller;
}

@Injectable()
export class BulkJobs implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private stopped = false;
  private wake: (() => void) | null = null;
  private running: Promise<void> = Promise.resolve();
  /** Jobs with an alert that cannot be changed: their alerts are changed one at a time up to this position. */
  private readonly careful = new Map<string, number>();
  private readonly changed;

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly turns: BulkTurns,
    private readonly log: Logger,
    housekeeping: Housekeeping,
    metrics: Metrics,
  ) {
    this.changed = metrics.counter('ams_pipeline_bulk_job_alerts_total', 'Alerts that bulk jobs have processed.', []);
    const deleteOld = (): Promise<unknown> =>
      database.query(`DELETE FROM alerts.bulk_jobs WHERE finished_at < now() - interval '${keptDays} days'`);
    housekeeping.add({ name: 'old bulk jobs', everyMs: hourMs, run: deleteOld });
  }

  onApplicationBootstrap(): void {
    this.running = this.loop();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    this.wake?.();
    await this.running;
  }

  /** There is a new job. */
  startNow(): void {
    this.wake?.();
  }

  private async loop(): Promise<void> {
    while (!this.stopped) {
      const worked = await this.doNextPart().catch((error: unknown) => {
        this.log.warn({ err: error }, 'no bulk job could be continued; it will be tried again');
        return false;
      });
      if (worked) this.outbox.publishNow();
      else if (!this.stopped) await this.pause();
    }
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** False when no job is due, or another replica works on it. */
  private async doNextPart(): Promise<boolean> {
    const [next] = await this.database.query<NextJob>(nextJobSql);
    if (!next) return false;
    const { id, caller } = next;
    const seen: { part: JobPart | null } = { part: null };
    try {
      await this.turns.run(caller.principal.organizationId, 'job', (size) =>
        this.database.writeAs(caller.principal, async (tx) => {
          seen.part = await lockPart(tx, caller.principal, id, this.careful.has(id) ? 1 : size);
          if (seen.part) await changePart(tx, caller, seen.part);
        }),
      );
      if (seen.part) this.wentWell(seen.part);
      return seen.part !== null;
    } catch (error) {
      await this.wentWrong(id, seen.part, error);
      return true;
    }
  }

  private wentWell({ id, position, alertIds }: JobPart): void {
    this.changed.inc({}, alertIds.length);
    if (position + 1 >= (this.careful.get(id) ?? Infinity)) this.careful.delete(id);
  }

  private async wentWrong(id: string, part: JobPart | null, error: unknown): Promise<void> {
    if (error instanceof Fault && error.code === 'UNAUTHORIZED') return this.end(id, error);
    if (part === null || !isMessageFault(error)) {
      this.log.warn({ err: error, jobId: id }, 'a part of a bulk job failed; it will be tried again');
      await this.database.query(
        `UPDATE alerts.bulk_jobs SET turn_at = clock_timestamp() + interval '${pauseAfterErrorSeconds} s'
         WHERE id = $1`,
        [id],
      );
      return;
    }
    const [alertId] = part.alertIds;
    if (part.alertIds.length > 1 || alertId === undefined) {
      this.careful.set(id, part.position + part.alertIds.length);
      return;
    }
    this.log.error({ err: error, jobId: id, alertId }, 'an alert of a bulk job could not be changed');
    const failure = failureOf(alertId, new Fault('INTERNAL_ERROR', { requestId: publicId('bulkJob', id) }));
    await this.database.query(
      advanceSql,
      advanceParams(id, part.position, { done: 1, succeeded: 0, failures: [failure] }),
    );
  }

  /** The job cannot continue. */
  private async end(id: string, fault: Fault): Promise<void> {
    const error: BulkError = { error: fault.message, code: fault.code, details: fault.details };
    await this.database.query(
      `UPDATE alerts.bulk_jobs SET status = 'failed', error = $2, finished_at = clock_timestamp()
       WHERE id = $1 AND finished_at IS NULL`,
      [id, JSON.stringify(error)],
    );
  }
}

async function changePart(tx: Tx, caller: Caller, { id, action, note, position, alertIds }: JobPart): Promise<void> {
  const ids = alertIds.map((uuid) => publicId('alert', uuid));
  const results = await changeInBulk(tx, caller, ids, { action, assigneeId: null, note });
  const failures = results.flatMap((item): BulkFailure[] => (item.error ? [{ id: item.id, error: item.error }] : []));
  const result = { done: ids.length, succeeded: ids.length - failures.length, failures };
  await tx.query(advanceSql, advanceParams(id, position, result));
}

const failureOf = (alertId: string, { message, code, details }: Fault): BulkFailure => ({
  id: publicId('alert', alertId),
  error: { error: message, code, details },
});
