/** The jobs of the engine: their names, what they carry, and how they are added. */
import type { Tx } from '@ams/database';

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

/**
 * Adds jobs in the transaction, or moves those with the same key to this time; `at` is null for now. The key is made
 * from the payload: no two jobs with the same key wait. A job that is running is not changed. The new one is done after
 * it or at the same time.
 */
export async function addJobs<Name extends keyof Jobs>(
  tx: Pick<Tx, 'query'>,
  name: Name,
  payloads: readonly Jobs[Name][],
  at: Date | null = null,
): Promise<void> {
  if (payloads.length === 0) return;
  const jobs = payloads.map((payload) => ({ payload, key: `${name}:${Object.values(payload).join(':')}` }));
  await tx.query(
    `SELECT FROM ${jobSchema}.add_jobs(ARRAY(
       SELECT ROW($1, j.payload, NULL, coalesce($3::timestamptz, now()), 1000, j.key, 0, NULL)::${jobSchema}.job_spec
       FROM json_to_recordset($2::json) AS j(payload json, key text)
     ))`,
    [name, JSON.stringify(jobs), at],
  );
}

export const addJob = <Name extends keyof Jobs>(
  tx: Pick<Tx, 'query'>,
  name: Name,
  payload: Jobs[Name],
  at: Date | null = null,
): Promise<void> => addJobs(tx, name, [payload], at);
