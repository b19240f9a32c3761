/**
 * The order of outgoing webhooks: a webhook about a later version of an alert or an incident is not sent to a target
 * before those about earlier versions have ended there (sent, failed or skipped). It waits without a place among the
 * attempts of the target. All of this is rows: a replica that dies changes nothing.
 *
 * No wake-up is lost: to wait, a transaction locks a row before it (FOR SHARE) and then marks its own row. The end of
 * the row before it waits for this lock, and then finds the mark. Locks are taken from lower to higher versions only.
 */
import type { Tx } from '@ams/database';
import { addJob, addJobs } from '../jobs/jobs.js';
import type { NotificationEntity } from './notification.entity.js';

/** Only for the case that nobody wakes the notification, such as an end that an earlier release has written. */
const recheckSeconds = 300;
/** A run that began earlier creates its notifications in a moment. The wait grows while it does not. */
const runWaitSeconds = { min: 0.25, max: 10 } as const;

/** How long a notification may wait for others. */
export const maxWaitSeconds = 86_400;

export const waitReason = 'it waits until earlier messages about the same subject to the same target have ended';

type Ordered = Pick<NotificationEntity, 'id' | 'organizationId' | 'environment'> & { ageSeconds: number };

/** Whether there is one before it. Then `waitsForTurn` decides. */
export const isPreceded = async (queries: Pick<Tx, 'query'>, { id }: Pick<Ordered, 'id'>): Promise<boolean> =>
  (await queries.query(findBefore, [id])).length > 0;

/** Whether the notification has to wait for its turn; then it is marked, and woken later. */
export async function waitsForTurn(tx: Tx, notification: Ordered): Promise<boolean> {
  for (;;) {
    const [before] = await tx.query<{ kind: 'message' | 'run'; id: string }>(findBefore, [notification.id]);
    if (!before) return false;
    if (before.kind === 'run') {
      const { min, max } = runWaitSeconds;
      await rest(tx, notification, Math.min(max, Math.max(min, notification.ageSeconds / 2)), false);
      return true;
    }
    const held = await tx.query(
      `SELECT FROM workflows.notifications
       WHERE id = $1 AND organization_id = $2 AND environment = $3 AND status = 'queued' FOR SHARE`,
      [before.id, notification.organizationId, notification.environment],
    );
    // It has ended meanwhile: there may be another one.
    if (held.length === 0) continue;
    await rest(tx, notification, recheckSeconds, true);
    return true;
  }
}

/**
 * A queued notification of a lower version, otherwise a run of a lower version about the same subject that is doing its
 * steps. Runs that wait for a delayed step do not count.
 */
const findBefore = {
  name: 'find the message before',
  text: `SELECT 'message' AS kind, e.id FROM workflows.notifications n JOIN workflows.notifications e
      ON e.order_key = n.order_key AND e.organization_id = n.organization_id AND e.environment = n.environment
    WHERE n.id = $1 AND e.status = 'queued' AND e.order_key IS NOT NULL AND e.subject_version < n.subject_version
    UNION ALL
    SELECT 'run', o.id FROM workflows.notifications n JOIN workflows.runs r ON r.id = n.run_id
    JOIN workflows.runs o ON o.organization_id = r.organization_id AND o.environment = r.environment
      AND CASE WHEN r.subject_id IS NOT NULL THEN o.subject_id = r.subject_id
        WHEN r.event_type LIKE 'incident.%' THEN o.incident_id = r.incident_id ELSE o.alert_id = r.alert_id END
      AND split_part(o.event_type, '.', 1) = split_part(r.event_type, '.', 1)
    WHERE n.id = $1 AND o.status = 'running' AND o.subject_version < n.subject_version AND n.order_key IS NOT NULL
    LIMIT 1`,
};

async function rest(tx: Tx, { id }: Ordered, seconds: number, isMarked: boolean): Promise<void> {
  const [next] = await tx.query<{ at: Date }>(
    `UPDATE workflows.notifications SET reason = $2, waits_in_order = $4, updated_at = clock_timestamp(),
       next_attempt_at = clock_timestamp() + $3::float8 * interval '1 s'
     WHERE id = $1 AND status = 'queued' RETURNING next_attempt_at AS at`,
    [id, waitReason, seconds, isMarked],
  );
  if (next) await addJob(tx, 'sendNotification', { notificationId: id }, next.at);
}

/** After the end of a notification, in the same transaction: those that waited for it check again. */
export async function wakeNext(
  tx: Tx,
  { organizationId, environment, orderKey }: Pick<NotificationEntity, 'organizationId' | 'environment' | 'orderKey'>,
): Promise<void> {
  if (orderKey === null) return;
  const woken = await tx.query<{ id: string }>(
    `UPDATE workflows.notifications SET waits_in_order = false
     WHERE organization_id = $1 AND environment = $2 AND order_key = $3 AND status = 'queued' AND waits_in_order
       AND subject_version = (SELECT min(subject_version) FROM workflows.notifications
         WHERE organization_id = $1 AND environment = $2 AND order_key = $3 AND status = 'queued' AND waits_in_order)
     RETURNING id`,
    [organizationId, environment, orderKey],
  );
  await addJobs(
    tx,
    'sendNotification',
    woken.map(({ id }) => ({ notificationId: id })),
  );
}
