/**
 * The order of outgoing webhooks: a webhook about a later version of an alert or an incident is not sent to a target
 * before those about earlier versions have ended there (sent, failed or skipped). It waits without a place among the
 * attempts of the target. All of this is rows: a replica that dies changes nothing.
 *
 * No wake-up is lost: to wait, a transaction locks a row before it (FOR SHARE), a notification or a run, and then marks
 * its own row. The end of the row before it waits for this lock, and then finds the mark. Locks are taken from lower to
 * higher versions only.
 */
import type { Run } from '@ams/alerting';
import type { Tx } from '@ams/database';
import { addJob, addJobs } from '../jobs/jobs.js';
import { postsEvents } from './event-data.js';
import type { NotificationEntity } from './notification.entity.js';

/** Only for the case that nobody wakes the notification, such as an end that an earlier release has written. */
const recheckSeconds = 300;
/** The same for a run: its end may be written without waking, when the process dies after a command. */
const runRecheckSeconds = 30;
/** Runs about a schedule or a suppression window wake nobody. The wait grows. */
const runWaitSeconds = { min: 0.25, max: 10 } as const;

/** How long a notification may wait for others. */
export const maxWaitSeconds = 86_400;

export const waitReason = 'it waits until earlier messages about the same subject to the same target have ended';

type Ordered = Pick<NotificationEntity, 'id' | 'organizationId' | 'environment'>;

/** Whether the notification has to wait for its turn; then it is marked, and woken later. */
export async function waitsForTurn(
  tx: Pick<Tx, 'query'>,
  notification: Ordered,
  { skipLocked = false } = {},
): Promise<boolean> {
  const { id, organizationId, environment } = notification;
  for (;;) {
    const [before] = await tx.query<Before>(findBefore, [id, organizationId, environment]);
    if (!before || (before.messageId === null && before.runId === null)) return false;
    const held = await tx.query(
      `${before.messageId === null ? holdRun : holdMessage}${skipLocked ? ' SKIP LOCKED' : ''}`,
      [before.messageId ?? before.runId, organizationId, environment],
    );
    if (held.length > 0) {
      await rest(tx, notification, recheckAfter(before));
      return true;
    }
    if (skipLocked) return false;
    // It has ended meanwhile: there may be another one.
  }
}

/**
 * The same in the transaction that creates the notification. This transaction has locked a run of a higher version, so
 * it waits for no lock: false when it is not known.
 */
export const waitsFromStart = (tx: Pick<Tx, 'query'>, notification: Ordered): Promise<boolean> =>
  waitsForTurn(tx, notification, { skipLocked: true });

interface Before {
  messageId: string | null;
  runId: string | null;
  ageSeconds: number;
  /** About a schedule or a suppression window. */
  isRecord: boolean;
}

function recheckAfter({ messageId, isRecord, ageSeconds }: Before): number {
  if (messageId !== null) return recheckSeconds;
  const { min, max } = runWaitSeconds;
  return isRecord ? Math.min(max, Math.max(min, ageSeconds / 2)) : runRecheckSeconds;
}

const holdMessage = `SELECT FROM workflows.notifications
  WHERE id = $1 AND organization_id = $2 AND environment = $3 AND status = 'queued' FOR SHARE`;
const holdRun = `SELECT FROM workflows.runs
  WHERE id = $1 AND organization_id = $2 AND environment = $3 AND status = 'running' FOR SHARE`;

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
 * Whether there is one before the notification `n`: then `waitsForTurn` decides. One statement looks for messages and
 * runs: a run that ends between two statements would be seen neither as a run nor by its message.
 */
export const isPreceded = `(n.order_key IS NOT NULL AND (${messageBefore} IS NOT NULL OR ${runBefore} IS NOT NULL))`;

const findBefore = `SELECT ${messageBefore} AS "messageId", ${runBefore} AS "runId",
    extract(epoch FROM clock_timestamp() - n.created_at)::float8 AS "ageSeconds",
    n.alert_id IS NULL AND n.incident_id IS NULL AS "isRecord"
  FROM workflows.notifications n
  WHERE n.id = $1 AND n.organization_id = $2 AND n.environment = $3 AND n.order_key IS NOT NULL`;

async function rest(tx: Pick<Tx, 'query'>, { id }: Pick<Ordered, 'id'>, seconds: number): Promise<void> {
  const [next] = await tx.query<{ at: Date }>(
    `UPDATE workflows.notifications SET reason = $2, waits_in_order = true, updated_at = clock_timestamp(),
       next_attempt_at = clock_timestamp() + $3::float8 * interval '1 s'
     WHERE id = $1 AND status = 'queued' RETURNING next_attempt_at AS at`,
    [id, waitReason, seconds],
  );
  if (next) await addJob(tx, 'sendNotification', { notificationId: id }, next.at);
}

type Tenant = Pick<NotificationEntity, 'organizationId' | 'environment'>;

/** The condition of the indexes of what waits: see the migration 1700000049000. */
const waitsForOthers = `status = 'queued' AND waits_in_order AND attempts >= 0`;

/** After the ends of notifications, in the same transaction: those that waited for them check again. */
export async function wakeNext(
  tx: Pick<Tx, 'query'>,
  { organizationId, environment }: Tenant,
  ended: readonly Pick<NotificationEntity, 'orderKey'>[],
): Promise<void> {
  const orderKeys = ended.map(({ orderKey }) => orderKey).filter((key) => key !== null);
  if (orderKeys.length === 0) return;
  // Almost always nobody waits. The lock of `waitsForTurn` makes a mark visible to this statement.
  const waiting = await tx.query<{ id: string }>(waitingAfter, [organizationId, environment, orderKeys]);
  await wake(tx, { organizationId, environment }, waiting);
}

/**
 * When runs are not `running` any more, after the statement that says so: the messages about the same alerts or incidents
 * that waited check again. Those about a schedule or a suppression window check by themselves.
 */
export async function wakeAfterRuns(tx: Pick<Tx, 'query'>, runs: readonly Run[]): Promise<void> {
  const posting = runs.filter(({ subjectId, steps }) => subjectId === null && postsEvents(steps));
  const ofIncident = ({ eventType }: Run): boolean => eventType.startsWith('incident.');
  for (const [tenant, some] of byTenant(posting)) {
    const incidents = some.filter(ofIncident).map(({ incidentId }) => incidentId);
    const alerts = some.filter((run) => !ofIncident(run)).map(({ alertId }) => alertId);
    for (const [column, ids] of [
      ['incident_id', incidents],
      ['alert_id', alerts],
    ] as const) {
      if (ids.length === 0) continue;
      const waiting = await tx.query<{ id: string }>(
        `SELECT id FROM workflows.notifications WHERE ${column} = ANY($1::uuid[])
           AND organization_id = $2 AND environment = $3 AND ${waitsForOthers}`,
        [ids, tenant.organizationId, tenant.environment],
      );
      await wake(tx, tenant, waiting);
    }
  }
}

function byTenant(runs: readonly Run[]): [Tenant, Run[]][] {
  const tenants = new Map<string, [Tenant, Run[]]>();
  for (const run of runs) {
    const key = `${run.organizationId} ${run.environment}`;
    const found = tenants.get(key);
    if (found) found[1].push(run);
    else tenants.set(key, [run, [run]]);
  }
  return [...tenants.values()];
}

async function wake(
  tx: Pick<Tx, 'query'>,
  { organizationId, environment }: Tenant,
  waiting: readonly { id: string }[],
): Promise<void> {
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

/** Of each order, those of the lowest version that waits. */
const waitingAfter = `SELECT id FROM (
    SELECT id, rank() OVER (PARTITION BY order_key ORDER BY subject_version) FROM workflows.notifications
    WHERE organization_id = $1 AND environment = $2 AND order_key = ANY($3) AND ${waitsForOthers})
    AS waiting
  WHERE rank = 1`;
