/**
 * Runs that wait for their next step check at once whether the step is still wanted: an acknowledgement ends an
 * escalation, and a page that was held back is sent when its alert resumes. Notifications that wait for another attempt
 * do the same.
 *
 * A run that is deciding to wait is locked (see `Runs`): either it has seen the change, or it is woken afterwards. So
 * this waits for runs that are doing their steps, which may be many after an outage. It has transactions of its own:
 * they hold no other locks meanwhile, and runs that nobody has locked are released before. It may be repeated.
 */
import { uuidOf } from '@ams/contracts';
import type { Database, Tx } from '@ams/database';
import { addJobs } from '../jobs/jobs.js';
import { ofWorkflowColumns, withShare, type OfWorkflow } from '../jobs/of-workflow.js';
import { alertOf, incidentOf, type DomainEvent } from './condition-facts.js';
import { tenantsAt, tenantsOf } from './workflows.js';

/** Whether waiting runs for the same alert or incident must check again now. */
export const wakesRuns = ({ type }: DomainEvent): boolean => /\.(acknowledged|resolved|resumed)$/.test(type);

/** Alerts, incidents, and the organizations and environments of the events. */
type About = [string[], string[], ...unknown[]];

export async function wakeRuns(database: Database, events: readonly DomainEvent[]): Promise<void> {
  const waking = events.filter(wakesRuns);
  if (waking.length === 0) return;
  const about: About = [
    waking.map((event) => uuidOf('alert', alertOf(event)?.id ?? '')).filter((id) => id !== null),
    waking.map((event) => uuidOf('incident', incidentOf(event)?.id ?? '')).filter((id) => id !== null),
    ...tenantsOf(waking),
  ];
  const lockedByOthers = await database.asService(async (tx) => {
    const runs = await tx.query<OfWorkflow & { isLocked: boolean }>(lockFreeRuns, about);
    await advance(
      tx,
      runs.filter(({ isLocked }) => isLocked),
    );
    await wakeNotifications(tx, about);
    return runs.filter(({ isLocked }) => !isLocked).map(({ id }) => id);
  });
  if (lockedByOthers.length === 0) return;
  await database.asService(async (tx) => advance(tx, await tx.query<OfWorkflow>(lockRuns, [...about, lockedByOthers])));
}

const isAbout = `r.status IN ('running', 'waiting')
  AND (r.alert_id = ANY($1::uuid[]) OR r.incident_id = ANY($2::uuid[]))
  AND (r.organization_id, r.environment) IN ${tenantsAt(3)}`;

/** All of them. Those that nobody has locked are locked now. */
const lockFreeRuns = `WITH free AS MATERIALIZED (
    SELECT r.id FROM workflows.runs r WHERE ${isAbout} ORDER BY r.id FOR UPDATE SKIP LOCKED)
  SELECT ${ofWorkflowColumns('r')}, r.id IN (SELECT id FROM free) AS "isLocked" FROM workflows.runs r WHERE ${isAbout}`;

const lockRuns = `SELECT ${ofWorkflowColumns('r')} FROM workflows.runs r
  WHERE ${isAbout} AND r.id = ANY($5::uuid[]) ORDER BY r.id FOR UPDATE`;

const advance = (tx: Tx, runs: readonly OfWorkflow[]): Promise<void> =>
  addJobs(
    tx,
    'advance',
    runs.map(withShare).map(({ id, share }) => ({ runId: id, share })),
  );

async function wakeNotifications(tx: Tx, about: About): Promise<void> {
  const notifications = await tx.query<OfWorkflow>(
    `SELECT ${ofWorkflowColumns('n')}
     FROM workflows.notifications n
     WHERE n.status = 'queued' AND (n.alert_id = ANY($1::uuid[]) OR n.incident_id = ANY($2::uuid[]))
       AND (n.organization_id, n.environment) IN ${tenantsAt(3)} AND (
       (SELECT a.status FROM alerts_views.alerts a WHERE a.id = n.alert_id) = ANY(n.stop_when)
       OR (SELECT i.status FROM alerts_views.incidents i WHERE i.id = n.incident_id) = ANY(n.stop_when)
     )`,
    about,
  );
  await addJobs(
    tx,
    'sendNotification',
    notifications.map(withShare).map(({ id, share }) => ({ notificationId: id, share })),
  );
}
