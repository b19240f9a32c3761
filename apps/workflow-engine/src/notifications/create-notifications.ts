/** Creates the notifications of a step: a row for each recipient, and a job that sends it. It may be repeated. */
import { createHash } from 'node:crypto';
import { publicId, type Channel } from '@ams/contracts';
import type { Tx } from '@ams/database';
import type { WorkflowStep } from '@ams/domain';
import { addJob } from './jobs.js';
import { shownOnCall, type Recipient, type ShownOnCall } from './recipients.js';
import type { Run } from './run-record.js';

export interface MadeNotification {
  notificationId: string;
  channel: Channel;
  target: string;
  status: 'queued' | 'captured' | 'skipped';
  reason: string | null;
  onCall: ShownOnCall | null;
}

/** A UUIDv7 (RFC 9562) of a time in milliseconds and a hash of `parts`: the same input gives the same UUID. */
export function derivedUuid(at: number, ...parts: string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest();
  hash[0] = 0x70 | ((hash[0] as number) & 0x0f);
  hash[2] = 0x80 | ((hash[2] as number) & 0x3f);
  const hex = at.toString(16).padStart(12, '0') + hash.toString('hex').slice(0, 20);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Alerts of one incident that resume in the same minute share their notifications. */
const togetherMs = 60_000;

/** The time in the id is when the step was due: the list of notifications is sorted by id. */
function notificationIdOf(run: Run, step: WorkflowStep, key: string): string {
  const together = step.type === 'notify' && run.event_type === 'alert.resumed';
  if (!together || !run.incident_id)
    return derivedUuid(run.previous_done_at.getTime() + step.delaySeconds * 1000, run.id, step.id, key);
  const minute = Math.floor(run.occurred_at.getTime() / togetherMs) * togetherMs;
  return derivedUuid(minute + step.delaySeconds * 1000, run.incident_id, run.workflow_id, step.id, key);
}

export async function makeNotifications(
  tx: Tx,
  run: Run,
  step: WorkflowStep,
  recipients: Recipient[],
  words: { subject: string; message: string | null },
): Promise<MadeNotification[]> {
  const made: MadeNotification[] = [];
  for (const { key, channel, target, destination, memberId, why, unreachable, onCall } of recipients) {
    const id = notificationIdOf(run, step, key);
    // In the test environment everything is real, but nothing leaves the service.
    const status = unreachable
      ? ('skipped' as const)
      : run.environment === 'test'
        ? ('captured' as const)
        : ('queued' as const);
    const [created] = await tx.query(
      `INSERT INTO workflows.notifications (id, organization_id, environment, run_id, step_id, workflow_id, workflow_name, alert_id, incident_id, member_id, channel, target, destination, notice,
         stop_when, why, status, reason, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, clock_timestamp(), clock_timestamp())
       ON CONFLICT (id) DO NOTHING RETURNING id`,
      [
        id,
        run.organization_id,
        run.environment,
        run.id,
        step.id,
        run.workflow_id,
        run.workflow_name,
        run.alert_id,
        run.incident_id,
        memberId,
        channel,
        target,
        JSON.stringify(destination),
        JSON.stringify(words),
        step.unless,
        why,
        status,
        unreachable,
      ],
    );
    if (created && status === 'queued') await addJob(tx, 'sendNotification', { notificationId: id });
    made.push({
      notificationId: publicId('notification', id),
      channel,
      target,
      status,
      reason: unreachable,
      onCall: shownOnCall(onCall),
    });
  }
  return made;
}
