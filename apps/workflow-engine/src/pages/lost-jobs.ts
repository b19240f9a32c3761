/** Runs, notifications and requests to the catch-all policy that wait for a job that does not exist. */
import type { Tx } from '@ams/database';
import { addJobs, jobSchema } from '../jobs/jobs.js';
import type { Found } from './page-looks.js';

/** Of each kind. */
const atOnce = 200;

/** `key` in SQL, as `addJobs` makes it. */
const withoutJob = (key: string): string =>
  `NOT EXISTS (SELECT FROM ${jobSchema}._private_jobs j WHERE j.key = ${key})`;

const aMinuteAgo = `clock_timestamp() - interval '1 minute'`;

/** Adds the jobs in the transaction of the look. Returns the ids of what has a job now. */
export async function addLostJobs(tx: Tx): Promise<Found<string>> {
  const runs = await tx.query<{ id: string }>(
    `SELECT r.id FROM workflows.runs r
     WHERE r.status IN ('running', 'waiting') AND coalesce(r.due_at, r.previous_done_at) < ${aMinuteAgo}
       AND ${withoutJob(`'advance:' || r.id`)}
     ORDER BY r.previous_done_at LIMIT ${atOnce}`,
  );
  const notifications = await tx.query<{ id: string }>(
    `SELECT n.id FROM workflows.notifications n
     WHERE n.status = 'queued' AND coalesce(n.next_attempt_at, n.created_at) < ${aMinuteAgo}
       AND ${withoutJob(`'sendNotification:' || n.id`)} AND ${withoutJob(`'deliver:' || n.id`)}
     ORDER BY n.created_at LIMIT ${atOnce}`,
  );
  const requests = await tx.query<{ id: string }>(
    `UPDATE workflows.page_requests SET repairs = repairs + 1, repaired_at = clock_timestamp()
     WHERE id IN (SELECT r.id FROM workflows.page_requests r
       WHERE r.outcome IS NULL AND r.incident_id IS NULL AND r.workflow_id IS NULL
         AND coalesce(r.repaired_at, r.asked_at) < ${aMinuteAgo} AND ${withoutJob(`'pageCatchAll:' || r.id`)}
       ORDER BY coalesce(r.repaired_at, r.asked_at) LIMIT ${atOnce})
     RETURNING id`,
  );
  const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);
  await addJobs(
    tx,
    'advance',
    ids(runs).map((runId) => ({ runId })),
  );
  await addJobs(
    tx,
    'sendNotification',
    ids(notifications).map((notificationId) => ({ notificationId })),
  );
  await addJobs(
    tx,
    'pageCatchAll',
    ids(requests).map((pageRequestId) => ({ pageRequestId })),
  );
  return { missing: [...ids(runs), ...ids(notifications), ...ids(requests)] };
}
