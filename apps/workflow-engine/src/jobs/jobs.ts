/** The jobs of the engine: their names, what they carry, and how they are added. */
import type { Tx } from '@ams/database';
import type { Share } from '@ams/domain';
import { AsyncLocalStorage } from 'node:async_hooks';

/** The schema of graphile-worker. */
export const jobSchema = 'workflow_jobs';

export interface Jobs {
  /** Does the steps of a run that are due. */
  advance: { runId: string };
  /** Makes one attempt to send a notification. */
  sendNotification: { notificationId: string };
  /** Asks the catch-all policy for an alert for which no workflow runs. */
  pageCatchAll: { pageRequestId: string };
}

/** Jobs that an earlier release added and that may still wait. They are done, and none are added. */
export interface FormerJobs {
  /** The old name of `sendNotification`. */
  deliver: { deliveryId: string };
}

export type AllJobs = Jobs & FormerJobs;

/** Whose work a job is. Jobs of an earlier release do not say it. */
export interface OfShare {
  share?: Share | undefined;
}

/** The share of the job that is running. The jobs that it adds have the same share, unless they have one of their own. */
export const runningShare = new AsyncLocalStorage<Share>();

/** A job and when it is due; null is now. */
export interface DueJob<Name extends keyof AllJobs> {
  payload: AllJobs[Name] & OfShare;
  at: Date | null;
}

/**
 * Adds jobs in the transaction, or moves those with the same key to this time; `at` is null for now. The key is made
 * from the payload: no two jobs with the same key wait. A job that is running is not changed. The new one is done after
 * it or at the same time.
 */
export const addJobs = <Name extends keyof Jobs>(
  tx: Pick<Tx, 'query'>,
  name: Name,
  payloads: readonly (AllJobs[Name] & OfShare)[],
  at: Date | null = null,
): Promise<void> =>
  addDueJobs(
    tx,
    name,
    payloads.map((payload) => ({ payload, at })),
  );

/** The same for jobs that are due at different times. */
export async function addDueJobs<Name extends keyof AllJobs>(
  tx: Pick<Tx, 'query'>,
  name: Name,
  due: readonly DueJob<Name>[],
): Promise<void> {
  if (due.length === 0) return;
  const jobs = due.map(({ payload: { share = runningShare.getStore(), ...ids }, at }) => ({
    payload: { ...ids, share },
    key: `${name}:${Object.values(ids).join(':')}`,
    at,
  }));
  await tx.query(
    `SELECT FROM ${jobSchema}.add_jobs(ARRAY(
       SELECT ROW($1, j.payload, NULL, coalesce(j.at, now()), 1000, j.key, 0, NULL)::${jobSchema}.job_spec
       FROM json_to_recordset($2::json) AS j(payload json, key text, at timestamptz)
     ))`,
    [name, JSON.stringify(jobs)],
  );
}

export const addJob = <Name extends keyof Jobs>(
  tx: Pick<Tx, 'query'>,
  name: Name,
  payload: AllJobs[Name] & OfShare,
  at: Date | null = null,
): Promise<void> => addJobs(tx, name, [payload], at);
