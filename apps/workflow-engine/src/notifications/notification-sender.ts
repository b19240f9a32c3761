/**
 * Sends notifications. An attempt is a request to the notifier, which answers with the result. The time of the next
 * attempt is decided here and stored as a job. Each attempt first checks that the notification is still wanted.
 */
import {
  publicId,
  sendSubject,
  type Notice,
  type SendReply,
  type SendRequest,
  type SendTarget,
  type WebhookEvent,
} from '@ams/contracts';
import { asksForSomebody, retryDelay } from '@ams/domain';
import { call, type NatsConnection } from '@ams/messaging';
import { Metrics, Tokens, type Logger } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { aboutOf, type About } from './about.js';
import { addJob, JobRunner } from './jobs.js';
import { Lanes, type Lane } from './lanes.js';
import { linksFor } from './links.js';
import { DatabasePart } from './parts.js';
import type { WorkflowEngineSettings } from './settings.js';

/** Longer than any attempt may take. */
const askTimeoutMs = 60_000;
/** How long a notification may be held back. */
const giveUpSeconds = 86_400;

interface NotificationRow {
  id: string;
  organization_id: string;
  environment: 'live' | 'test';
  run_id: string | null;
  alert_id: string | null;
  incident_id: string | null;
  member_id: string | null;
  channel: string;
  destination: SendTarget;
  notice: { subject: string; message: string | null };
  stop_when: string[];
  why: string;
  attempts: number;
  age_seconds: number;
  event_id: string | null;
  event_type: string | null;
  occurred_at: Date | null;
}

/** How many attempts one replica makes to the same target at the same time. */
const toOneTarget = 8;
/**
 * The share of the jobs of a replica that may be attempts for one organization, or mails. The rest is left for runs and
 * other organizations.
 */
const ofOneKind = 0.4;

const targetOf = (destination: SendTarget): string => ('url' in destination ? destination.url : destination.address);

@Injectable()
export class NotificationSender {
  private readonly outcomes;
  private readonly lanes = new Lanes();

  constructor(
    @Inject(Tokens.settings) private readonly settings: WorkflowEngineSettings,
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(Tokens.metrics) metrics: Metrics,
    @Inject(Tokens.broker) private readonly broker: NatsConnection,
    @Inject(DatabasePart) private readonly databasePart: DatabasePart,
    @Inject(JobRunner) jobs: JobRunner,
  ) {
    this.outcomes = metrics.counter('ams_notification_attempts_total', 'Attempts to send a notification.', [
      'channel',
      'outcome',
    ]);
    const giveUp = (id: string): Promise<void> =>
      this.finish({ id }, 'failed', 'it failed several times by a fault of the service');
    jobs.handle(
      'sendNotification',
      ({ notificationId }) => this.attempt(notificationId),
      ({ notificationId }) => giveUp(notificationId),
    );
    jobs.handle(
      'deliver',
      ({ deliveryId }) => this.attempt(deliveryId),
      ({ deliveryId }) => giveUp(deliveryId),
    );
  }

  async attempt(id: string): Promise<void> {
    const { database } = this.databasePart;
    const [row] = await database.query<NotificationRow>(
      `SELECT d.id, d.organization_id, d.environment, d.run_id, d.alert_id, d.incident_id, d.member_id, d.channel, d.destination, d.notice, d.stop_when, d.why, d.attempts,
         extract(epoch FROM clock_timestamp() - d.created_at)::float8 AS age_seconds, r.event_id, r.event_type, r.occurred_at
       FROM workflows.notifications d LEFT JOIN workflows.runs r ON r.id = d.run_id WHERE d.id = $1 AND d.status = 'queued'`,
      [id],
    );
    if (!row) return;
    const lanes = this.lanesOf(row);
    const putOff = this.lanes.enter(lanes, Math.random());
    if (putOff !== null)
      return this.again(row, {
        seconds: putOff,
        reason: 'others are on their way, to the same target or by the same server',
        attempts: 0,
      });
    try {
      await this.send(row);
    } finally {
      this.lanes.leave(lanes);
    }
  }

  private lanesOf({ organization_id: organizationId, destination, channel }: NotificationRow): Lane[] {
    const places = Math.max(1, Math.floor(this.settings.workflowConcurrency * ofOneKind));
    const lanes = [
      { name: `target ${targetOf(destination)}`, places: toOneTarget },
      { name: `organization ${organizationId}`, places },
    ];
    return channel === 'email' ? [...lanes, { name: 'mail server', places }] : lanes;
  }

  private async send(row: NotificationRow): Promise<void> {
    const about = await aboutOf(this.databasePart.database, row);
    // Trying again to tell of what somebody is on already is no use, whatever the step says.
    const stopWhen =
      row.attempts > 0 && asksForSomebody(row.event_type ?? '') ? ['acknowledged', 'resolved'] : row.stop_when;
    const stopped = stopWhen.find((state) => about.incident?.status === state || about.alert?.status === state);
    if (stopped) return this.finish(row, 'skipped', `${stopped} before it was sent`);
    const reply = await call<SendReply>(this.broker, sendSubject, await this.requestOf(row, about), {
      timeoutMs: askTimeoutMs,
      requestId: row.id,
    }).catch((): SendReply => ({ kind: 'heldBack', reason: 'the notifier does not answer', retryAfterSeconds: 2 }));
    this.outcomes.inc({ channel: row.channel, outcome: reply.kind });
    if (reply.kind === 'sent') return this.finish(row, 'sent', reply.detail);
    const seconds = this.delayOf(row, reply);
    this.log.info(
      { notificationId: row.id, channel: row.channel, reason: reply.reason, again: seconds },
      'notification failed',
    );
    if (seconds === null) return this.finish(row, 'failed', reply.reason);
    await this.again(row, { seconds, reason: reply.reason, attempts: reply.kind === 'failed' ? 1 : 0 });
  }

  /** Schedules another attempt; `attempts` is how many were made since the row was read. */
  private async again(
    row: NotificationRow,
    { seconds, reason, attempts }: { seconds: number; reason: string; attempts: number },
  ): Promise<void> {
    await this.databasePart.database.asService(async (tx) => {
      const [again] = await tx.query<{ at: Date }>(
        `UPDATE workflows.notifications SET attempts = attempts + $5, reason = $2, next_attempt_at = clock_timestamp() + $3::float8 * interval '1 s', updated_at = clock_timestamp()
         WHERE id = $1 AND status = 'queued' AND attempts = $4 RETURNING next_attempt_at AS at`,
        [row.id, reason, seconds, row.attempts, attempts],
      );
      if (again) await addJob(tx, 'sendNotification', { notificationId: row.id }, again.at);
    });
  }

  /** Seconds until it is tried again; null when it is given up. What was held back was no attempt, but it does not wait for ever. */
  private delayOf(row: NotificationRow, reply: Exclude<SendReply, { kind: 'sent' }>): number | null {
    if (reply.kind === 'failed')
      return reply.retry ? retryDelay(row.attempts + 1, Math.random(), reply.retryAfterSeconds) : null;
    return row.age_seconds > giveUpSeconds ? null : reply.retryAfterSeconds * (1 + Math.random() / 4);
  }

  private async finish(
    row: Pick<NotificationRow, 'id'>,
    status: 'sent' | 'failed' | 'skipped',
    reason: string | null,
  ): Promise<void> {
    await this.databasePart.database.query(
      `UPDATE workflows.notifications SET status = $2, reason = $3, attempts = attempts + $4, next_attempt_at = NULL, updated_at = clock_timestamp() WHERE id = $1 AND status = 'queued'`,
      [row.id, status, reason, status === 'skipped' ? 0 : 1],
    );
  }

  private async requestOf(row: NotificationRow, about: About): Promise<SendRequest> {
    const { alert, incident } = about;
    const notice: Notice = {
      subject: row.notice.subject,
      message: row.notice.message,
      alert,
      incident,
      otherAlerts: about.otherAlerts,
      clientName: about.clientName,
      organizationName: about.organizationName,
      environment: row.environment,
      reason: row.why,
      links: linksFor(this.settings, row, about),
    };
    const event: WebhookEvent = {
      id: publicId('notification', row.id),
      type: row.event_type ?? 'test',
      occurredAt: (row.occurred_at ?? new Date()).toISOString(),
      data: { alert, incident },
    };
    return { notificationId: publicId('notification', row.id), target: row.destination, notice, event };
  }
}
