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

/** Whether the notification has to wait for its turn; then it is marked, and woken later. */
export async function waitsForTurn(tx: Pick<Tx, 'query'>, notification: Ordered): Promise<boolean> {
  const { id, organizationId, environment } = notification;
  for (;;) {
    const [before] = await tx.query<{ messageId: string | null; runId: string | null }>(findBefore, [
      id,
      organizationId,
      environment,
    ]);
    if (!before) return false;
    if (before.messageId === null && before.runId === null) return false;
    if (before.messageId === null) {
      const { min, max } = runWaitSeconds;
      await rest(tx, notification, Math.min(max, Math.max(min, notification.ageSeconds / 2)), false);
      return true;
    }
    const held = await tx.query(
      `SELECT FROM workflows.notifications
       WHERE id = $1 AND organization_id = $2 AND environment = $3 AND status = 'queued' FOR SHARE`,
      [before.messageId, organizationId, environment],
    );
    // It has ended meanwhile: there may be another one.
    if (held.length === 0) continue;
    await rest(tx, notification, recheckSeconds, true);
    return true;
  }
}

/** A queued notification of a lower version than that of `n`. Null without one. */
const messageBefore = `(SELECT before.id FROM workflows.notifications before
    WHERE before.organization_id = n.organization_id AND before.environment = n.environment AND before.status = 'queued'
      AND before.order_key = n.order_key AND before.order_key IS NOT NULL AND before.subject_version < n.subject_version
    LIMIT 1)`;

/** Each way to name a subject has its index, which one condition for all has not. */
const sameSubject = (column: string, when: string): string =>
  `(SELECT before.id FROM workflows.runs own JOIN workflows.runs before ON before.${column} = own.${column}
      AND before.organization_id = own.organization_id AND before.environment = own.environment
      AND before.status = 'running' AND before.subject_version < n.subject_version
      AND split_part(before.event_type, '.', 1) = split_part(own.event_type, '.', 1)
    WHERE own.id = n.run_id AND own.organization_id = n.organization_id AND own.environment = n.environment AND ${when}
    LIMIT 1)`;

/**
 * A run of a lower version about the same subject that is doing its steps: it may still create a notification. Null
 * without one. Runs that wait for a delayed step do not count.
 */
const runBefore = `coalesce(
  ${sameSubject('subject_id', 'own.subject_id IS NOT NULL')},
  ${sameSubject('incident_id', `own.subject_id IS NULL AND own.event_type LIKE 'incident.%'`)},
  ${sameSubject('alert_id', `own.subject_id IS NULL AND own.event_type NOT LIKE 'incident.%'`)})`;

/**
 * Whether there is one before the notification `n`: then `waitsForTurn` decides. Messages and runs are looked for in one
 * statement: a run that ends between two of them would be seen neither as a run nor by its message.
 */
export const isPreceded = `(n.order_key IS NOT NULL AND (${messageBefore} IS NOT NULL OR ${runBefore} IS NOT NULL))`;

/** It has a name: planning it for each of the partitions takes many times as long as doing it. */
const findBefore = {
  name: 'find the message or the run before',
  text: `SELECT ${messageBefore} AS "messageId", ${runBefore} AS "runId" FROM workflows.notifications n
    WHERE n.id = $1 AND n.organization_id = $2 AND n.environment = $3 AND n.order_key IS NOT NULL`,
};

async function rest(
  tx: Pick<Tx, 'query'>,
  { id }: Pick<Ordered, 'id'>,
  seconds: number,
  isMarked: boolean,
): Promise<void> {
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
  // Almost always nobody waits. The lock of `waitsForTurn` makes a mark visible to this statement.
  const waiting = await tx.query<{ id: string }>(waitingAfter, [organizationId, environment, orderKey]);
  if (waiting.length === 0) return;
  const woken = await tx.query<{ id: string }>(
    `UPDATE workflows.notifications SET waits_in_order = false
     WHERE id = ANY($1::uuid[]) AND organization_id = $2 AND environment = $3 AND status = 'queued' AND waits_in_order
     RETURNING id`,
    [waiting.map(({ id }) => id), organizationId, environment],
  );
  await addJobs(
    tx,
    'sendNotification',
    woken.map(({ id }) => ({ notificationId: id })),
  );
}

/** Those of the lowest version that waits. */
const waitingAfter = {
  name: 'find the messages after',
  text: `SELECT id FROM (
      SELECT id, rank() OVER (ORDER BY subject_version) FROM workflows.notifications
      WHERE organization_id = $1 AND environment = $2 AND order_key = $3 AND status = 'queued' AND waits_in_order
        AND order_key IS NOT NULL) AS waiting
    WHERE rank = 1`,
};
