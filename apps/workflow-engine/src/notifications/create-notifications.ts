/** Creates the notifications of a step: a row for each recipient, and a job that sends it. It may be repeated. */
import { derivedUuid, publicId, type Channel } from '@ams/contracts';
import { shownOnCall, type PreparedMessage, type Recipient, type Run, type ShownOnCall } from '@ams/alerting';
import type { Tx } from '@ams/database';
import type { WorkflowStep } from '@ams/domain';
import type { Environment } from '@ams/scopes';
import { addJobs } from '../jobs/jobs.js';
import { eventDataFor, orderKeyOf } from './event-data.js';
import { NotificationEntity } from './notification.entity.js';

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

const databaseTime = (): string => 'clock_timestamp()';

export async function createNotifications(
  tx: Tx,
  run: Run,
  step: WorkflowStep,
  { recipients, subject, message }: PreparedMessage,
): Promise<CreatedNotification[]> {
  if (recipients.length === 0) return [];
  const hasWebhook = recipients.some(({ destination }) => destination.channel === 'webhook');
  const event = hasWebhook ? await eventDataFor(tx, run) : null;
  const rows = recipients.map((recipient) => ({
    id: notificationIdOf(run, step, recipient.key),
    organizationId: run.organizationId,
    environment: run.environment,
    runId: run.id,
    stepId: step.id,
    workflowId: run.workflowId,
    workflowName: run.workflowName,
    alertId: run.alertId,
    incidentId: run.incidentId,
    memberId: recipient.memberId,
    channel: recipient.channel,
    target: recipient.target,
    destination: recipient.destination,
    notice: { subject, message },
    stopWhen: step.unless,
    why: recipient.why,
    status: firstStatus(recipient, run.environment),
    reason: recipient.unreachable,
    createdAt: databaseTime,
    updatedAt: databaseTime,
    ...(event && recipient.destination.channel === 'webhook'
      ? { eventData: event.data, subjectVersion: event.version, orderKey: orderKeyOf(run, recipient.destination.url) }
      : { eventData: null, subjectVersion: null, orderKey: null }),
  }));
  const { raw: created } = (await tx
    .repository(NotificationEntity)
    .createQueryBuilder()
    .insert()
    .values(rows)
    .orIgnore()
    .returning('id')
    .execute()) as { raw: { id: string }[] };
  const createdIds = new Set(created.map(({ id }) => id));
  const toSend = rows.filter(({ id, status }) => status === 'queued' && createdIds.has(id));
  await addJobs(
    tx,
    'sendNotification',
    toSend.map(({ id }) => ({ notificationId: id })),
  );
  return rows.map(({ id, channel, target, status, reason }, index) => ({
    notificationId: publicId('notification', id),
    channel,
    target,
    status,
    reason,
    onCall: shownOnCall(recipients[index]?.onCall ?? null),
  }));
}
