/**
 * Creates the notifications of steps: a row for each recipient, and a job that sends it. It may be repeated. The steps
 * of many runs share the statements.
 */
import { derivedUuid, publicId, type Channel, type Incident, type TraceContext } from '@ams/contracts';
import { shownOnCall, type PreparedMessage, type Recipient, type Run, type ShownOnCall } from '@ams/alerting';
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

/** The message of a step. */
export interface MessageOfStep {
  run: Run;
  step: WorkflowStep;
  message: PreparedMessage;
  /** The incident as it is now, for an event of an alert that is posted to a webhook; otherwise null. */
  incident: Incident | null;
  /** The trace that the notifications continue. */
  traceContext: TraceContext;
}

/** The event of an incident tells it as it was. */
export const tellsIncident = ({ eventType }: Run, { recipients }: PreparedMessage): boolean =>
  !eventType.startsWith('incident.') && recipients.some(({ destination }) => destination.channel === 'webhook');

/** The row of the run has what all of them have, and the data of its event. */
const insertNotifications = `INSERT INTO workflows.notifications AS n (id, organization_id, environment, run_id,
    step_id, workflow_id, workflow_name, alert_id, incident_id, member_id, channel, target, destination, notice,
    stop_when, why, status, reason, event_data, subject_version, order_key, created_at, updated_at)
  SELECT m.id, r.organization_id, r.environment, r.id, m.step_id, r.workflow_id, r.workflow_name, r.alert_id,
    r.incident_id, m.member_id, m.channel, m.target, m.destination, m.notice, m.stop_when, m.why, m.status, m.reason,
    CASE WHEN told.event THEN r.event_data || told.incident END, CASE WHEN told.event THEN r.subject_version END,
    CASE WHEN told.event THEN m.order_key END, clock_timestamp(), clock_timestamp()
  FROM json_to_recordset($1::json) AS m(id uuid, run_id uuid, organization_id uuid, environment text, step_id text,
      member_id uuid, channel text, target text, destination jsonb, notice json, stop_when text[], why text,
      status text, reason text, order_key text, incident jsonb)
  JOIN workflows.runs r ON r.id = m.run_id AND r.organization_id = m.organization_id AND r.environment = m.environment
    AND r.id = ANY($2::uuid[])
  CROSS JOIN LATERAL (SELECT
    m.order_key IS NOT NULL AND r.event_data IS NOT NULL AND r.subject_version IS NOT NULL AS event,
    CASE WHEN m.incident IS NULL THEN '{}' ELSE jsonb_build_object('incident', m.incident) END AS incident) AS told
  ORDER BY m.id
  ON CONFLICT DO NOTHING RETURNING n.id, ${isPreceded} AS "isPreceded"`;

/** Those of each message. */
export async function createNotifications(
  tx: Tx,
  messages: readonly MessageOfStep[],
): Promise<CreatedNotification[][]> {
  const rowsOf = messages.map((message) => ({ message, rows: notificationRows(message) }));
  const rows = rowsOf.flatMap((one) => one.rows);
  if (rows.length > 0) {
    const created = await tx.query<{ id: string; isPreceded: boolean }>(insertNotifications, [
      JSON.stringify(rows.map(({ onCall: _, traceContext: __, ...row }) => row)),
      messages.map(({ run }) => run.id),
    ]);
    await sendInTurn(tx, new Map(rows.map((row) => [row.id, row])), created);
  }
  return rowsOf.map((one) =>
    one.rows.map(({ id, channel, target, status, reason, onCall }) => ({
      notificationId: publicId('notification', id),
      channel,
      target,
      status,
      reason,
      onCall,
    })),
  );
}

type NotificationRow = ReturnType<typeof notificationRows>[number];

const notificationRows = ({ run, step, message, incident, traceContext }: MessageOfStep) =>
  message.recipients.map(({ key, memberId, channel, target, destination, why, ...recipient }) => ({
    id: notificationIdOf(run, step, key),
    run_id: run.id,
    organization_id: run.organizationId,
    environment: run.environment,
    step_id: step.id,
    member_id: memberId,
    channel,
    target,
    destination,
    notice: { subject: message.subject, message: message.message },
    stop_when: step.unless,
    why,
    status: firstStatus(recipient, run.environment),
    reason: recipient.unreachable,
    order_key: destination.channel === 'webhook' ? orderKeyOf(run, destination.url) : null,
    incident,
    traceContext,
    onCall: shownOnCall(recipient.onCall),
  }));

/** Those that wait for earlier ones are sent when these have ended. */
async function sendInTurn(
  tx: Tx,
  rows: ReadonlyMap<string, NotificationRow>,
  created: readonly { id: string; isPreceded: boolean }[],
): Promise<void> {
  const toSend = [];
  for (const { id, isPreceded: waits } of created) {
    const row = rows.get(id);
    if (row?.status !== 'queued') continue;
    const notification = { id, organizationId: row.organization_id, environment: row.environment };
    if (!(waits && (await waitsFromStart(tx, notification))))
      toSend.push({ notificationId: id, traceContext: row.traceContext });
  }
  await addJobs(tx, 'sendNotification', toSend);
}
