/** Creates the notifications of a step: a row for each recipient, and a job that sends it. It may be repeated. */
import { derivedUuid, publicId, type Channel } from '@ams/contracts';
import {
  shownOnCall,
  type PreparedMessage,
  type Recipient,
  type Run,
  type ShownOnCall,
  type SubjectReads,
} from '@ams/alerting';
import type { Tx } from '@ams/database';
import type { WorkflowStep } from '@ams/domain';
import type { Environment } from '@ams/scopes';
import { addJobs } from '../jobs/jobs.js';
import { orderKeyOf } from './event-data.js';
import { isPreceded, waitsFromStart } from './message-order.js';

/** A notification as the result of its step shows it. */
export interface CreatedNotification {
  notificationId: string;
  channel: Channel;
  target: string;
  status: 'queued' | 'captured' | 'skipped';
  reason: string | null;
  onCall: ShownOnCall | null;
}

/** In the test environment notifications are captured: no message leaves the service. */
export function firstStatus(
  { unreachable }: Pick<Recipient, 'unreachable'>,
  environment: Environment,
): CreatedNotification['status'] {
  if (unreachable !== null) return 'skipped';
  return environment === 'test' ? 'captured' : 'queued';
}

/** Alerts of one incident that resume in the same minute share their notifications. */
const sharedMs = 60_000;

/**
 * The id holds the time when the step is due if no earlier step is late, because old notifications are deleted by id. It
 * depends only on the event and the workflow. If the database has lost that a page was sent, the page is sent
 * again with the same id, and its receiver can recognize it.
 */
function notificationIdOf(run: Run, step: WorkflowStep, key: string): string {
  const delayMs = delayOf(run, step);
  const isShared = step.type === 'notify' && run.eventType === 'alert.resumed';
  if (!isShared || !run.incidentId)
    return derivedUuid(run.occurredAt.getTime() + delayMs, run.eventId, run.workflowId, step.id, key);
  const minute = Math.floor(run.occurredAt.getTime() / sharedMs) * sharedMs;
  return derivedUuid(minute + delayMs, run.incidentId, run.workflowId, step.id, key);
}

/** The delays of the steps up to this one, in milliseconds. */
const delayOf = ({ steps }: Run, { id }: WorkflowStep): number =>
  steps
    .slice(0, steps.findIndex((step) => step.id === id) + 1)
    .reduce((sum, { delaySeconds }) => sum + delaySeconds * 1000, 0);

/** The row of the run has what all of them have, and the data of its event. The incident is as it is now. */
const insertNotifications = `INSERT INTO workflows.notifications AS n (id, organization_id, environment, run_id,
    step_id, workflow_id, workflow_name, alert_id, incident_id, member_id, channel, target, destination, notice, stop_when, why,
    status, reason, event_data, subject_version, order_key, created_at, updated_at)
  SELECT m.id, r.organization_id, r.environment, r.id, $4, r.workflow_id, r.workflow_name, r.alert_id, r.incident_id,
    m.member_id, m.channel, m.target, m.destination, $5::json, $6::text[], m.why, m.status, m.reason,
    CASE WHEN told.event THEN r.event_data || told.incident END, CASE WHEN told.event THEN r.subject_version END,
    CASE WHEN told.event THEN m.order_key END, clock_timestamp(), clock_timestamp()
  FROM workflows.runs r
  CROSS JOIN json_to_recordset($8::json) AS m(id uuid, member_id uuid, channel text, target text, destination jsonb,
    why text, status text, reason text, order_key text)
  CROSS JOIN LATERAL (SELECT
    m.order_key IS NOT NULL AND r.event_data IS NOT NULL AND r.subject_version IS NOT NULL AS event,
    CASE WHEN $7::jsonb IS NULL THEN '{}' ELSE jsonb_build_object('incident', $7::jsonb) END AS incident) AS told
  WHERE r.id = $1 AND r.organization_id = $2 AND r.environment = $3
  ON CONFLICT DO NOTHING RETURNING n.id, ${isPreceded} AS "isPreceded"`;

export async function createNotifications(
  tx: Tx,
  run: Run,
  step: WorkflowStep,
  { recipients, subject, message }: PreparedMessage,
  incidentOf: SubjectReads['incidentOf'],
): Promise<CreatedNotification[]> {
  if (recipients.length === 0) return [];
  const hasWebhook = recipients.some(({ destination }) => destination.channel === 'webhook');
  // The event of an incident tells it as it was.
  const incident = hasWebhook && !run.eventType.startsWith('incident.') ? await incidentOf(run) : null;
  const rows = recipients.map(({ key, memberId, channel, target, destination, why, ...recipient }) => ({
    id: notificationIdOf(run, step, key),
    member_id: memberId,
    channel,
    target,
    destination,
    why,
    status: firstStatus(recipient, run.environment),
    reason: recipient.unreachable,
    order_key: destination.channel === 'webhook' ? orderKeyOf(run, destination.url) : null,
    onCall: shownOnCall(recipient.onCall),
  }));
  const { organizationId, environment } = run;
  const created = await tx.query<{ id: string; isPreceded: boolean }>(insertNotifications, [
    run.id,
    organizationId,
    environment,
    step.id,
    JSON.stringify({ subject, message }),
    step.unless,
    incident && JSON.stringify(incident),
    JSON.stringify(rows),
  ]);
  const statuses = new Map(rows.map(({ id, status }) => [id, status]));
  const toSend = [];
  for (const { id, isPreceded: waits } of created)
    if (statuses.get(id) === 'queued' && !(waits && (await waitsFromStart(tx, { id, organizationId, environment }))))
      toSend.push({ notificationId: id });
  await addJobs(tx, 'sendNotification', toSend);
  return rows.map(({ id, channel, target, status, reason, onCall }) => ({
    notificationId: publicId('notification', id),
    channel,
    target,
    status,
    reason,
    onCall,
  }));
}
