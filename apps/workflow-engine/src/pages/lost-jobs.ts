/** Runs, notifications and requests to the catch-all policy that wait for a job that does not exist. */
import type { Tx } from '@ams/database';
import { addJobs, jobSchema } from '../jobs/jobs.js';
import { ofWorkflowColumns, withShare, type OfWorkflow } from '../jobs/of-workflow.js';
import type { Found } from './page-looks.js';

/** Of each kind. */
const atOnce = 200;

/** `key` in SQL, as `addJobs` makes it. */
const withoutJob = (key: string): string =>
  `NOT EXISTS (SELECT FROM ${jobSchema}._private_jobs j WHERE j.key = ${key})`;

const aMinuteAgo = `clock_timestamp() - interval '1 minute'`;

/** Adds the jobs in the transaction of the look. Returns the ids of what has a job now. */
export async function addLostJobs(tx: Tx): Promise<Found<string>> {
  const runs = await tx.query<OfWorkflow>(
    `SELECT ${ofWorkflowColumns('r')} FROM workflows.runs r
     WHERE r.finished_at IS NULL AND coalesce(r.due_at, r.previous_done_at) < ${aMinuteAgo}
       AND ${withoutJob(`'advance:' || r.id`)}
     ORDER BY r.previous_done_at LIMIT ${atOnce}`,
  );
  const notifications = await tx.query<OfWorkflow>(
    `SELECT ${ofWorkflowColumns('n')} FROM workflows.notifications n
     WHERE n.status = 'queued' AND n.attempts >= 0 AND coalesce(n.next_attempt_at, n.created_at) < ${aMinuteAgo}
       AND ${withoutJob(`'sendNotification:' || n.id`)} AND ${withoutJob(`'deliver:' || n.id`)}
     ORDER BY n.created_at LIMIT ${atOnce}`,
  );
  const requests = await tx.query<OfWorkflow>(
    `UPDATE workflows.page_requests p SET repairs = repairs + 1, repaired_at = clock_timestamp()
     WHERE id IN (SELECT r.id FROM workflows.page_requests r
       WHERE r.outcome IS NULL AND r.repairs >= 0 AND r.incident_id IS NULL AND r.workflow_id IS NULL
         AND coalesce(r.repaired_at, r.asked_at) < ${aMinuteAgo} AND ${withoutJob(`'pageCatchAll:' || r.id`)}
       ORDER BY coalesce(r.repaired_at, r.asked_at) LIMIT ${atOnce})
     RETURNING ${ofWorkflowColumns('p')}`,
  );
  await addJobs(
    tx,
    'advance',
    runs.map(withShare).map(({ id, share }) => ({ runId: id, share })),
  );
  await addJobs(
    tx,
    'sendNotification',
    notifications.map(withShare).map(({ id, share }) => ({ notificationId: id, share })),
  );
  await addJobs(
    tx,
    'pageCatchAll',
    requests.map(withShare).map(({ id, share }) => ({ pageRequestId: id, share })),
  );
  return { missing: [...runs, ...notifications, ...requests].map(({ id }) => id) };
}
