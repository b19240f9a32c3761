/**
 * Sends notifications. An attempt is a request to the notifier, which replies with the result. The time of the next
 * attempt is decided here and stored as a job. Each attempt first checks that the notification is still wanted.
 * Reading and updating the row is a hot path, in SQL.
 */
import { publicId, type Destination, type SendReply, type SendRequest, type SendTarget } from '@ams/contracts';
import { mailFactsOf } from '@ams/alerting';
import { Database, Together, type Tx } from '@ams/database';
import { addressName, channels, requiresPerson, retryDelay, type MailFacts } from '@ams/domain';
import { Logger, Metrics } from '@ams/service';
import { activeSpan, traceContext } from '@ams/tracing';
import { Injectable } from '@nestjs/common';
import { ConcurrencyClasses, type Attempt, type ConcurrencyClass } from '../jobs/concurrency-classes.js';
import { JobRunner, type Later } from '../jobs/job-runner.js';
import { addJob, addJobs, runningQueue, runningShare } from '../jobs/jobs.js';
import { WorkflowEngineSettings } from '../settings.js';
import { dataKeyFor } from './sealed-addresses.js';
import { Devices } from './devices.js';
import { failRunWithoutMessage } from '../runs/message-ends.js';
import { linksFor } from './links.js';
import { isPreceded, maxWaitSeconds, waitsForTurn, wakeNext } from './message-order.js';
import { shownOnDevice } from '../pages/device-updates.js';
import { noticeSubjectsOf, type NoticeSubject } from './notice-subject.js';
import { NotificationEntity } from './notification.entity.js';
import { NotifierClient } from './notifier-client.js';
import { giveMailPartBack, takeMailPart } from './outside-mails.js';
import { RefusedAddresses } from './refused-addresses.js';

/** How long the notifier may hold a notification back before it fails. */
const giveUpSeconds = 86_400;
/** How long a message that replaces another one waits until that one has arrived. */
const maxAfterOthersSeconds = 60;
/** Attempts that one replica makes to the same target at once. */
const maxPerTarget = 8;
/**
 * The part of a replica's jobs that may be attempts for one organization, or mails. The rest is left for runs and for
 * other organizations. A team has less than its organization: it leaves places to the other teams.
 */
const partPerClass = 0.4;
const partPerTeam = 0.25;

interface QueuedNotification extends NotificationEntity {
  ageSeconds: number;
  /** Messages before it have not ended. */
  isPreceded: boolean;
  /** The value of the event that began the run; null for a test message. */
  eventType: string | null;
  occurredAt: Date | null;
}

type Ended = Pick<NotificationEntity, 'id' | 'organizationId' | 'environment' | 'orderKey'>;

const targetOf = (destination: Destination): string =>
  'url' in destination
    ? addressName(destination.url)
    : destination.channel === 'push'
      ? destination.deviceId
      : destination.address;

@Injectable()
export class NotificationSender {
  private readonly attempts;
  private readonly durations;
  private readonly ended;
  private readonly classes = new ConcurrencyClasses();
  // The statements of every attempt. Those of a team are done together (`together`).
  private readonly reads: Together<string, QueuedNotification | undefined>;
  private readonly subjects: Together<NotificationEntity, NoticeSubject>;
  private readonly mailFacts: Together<{ organizationId: string; address: string }, MailFacts | undefined>;
  private readonly ends: Together<Ended & { detail: string | null }, NotificationEntity | undefined>;

  constructor(
    private readonly settings: WorkflowEngineSettings,
    private readonly log: Logger,
    private readonly database: Database,
    private readonly notifier: NotifierClient,
    private readonly devices: Devices,
    private readonly refusedAddresses: RefusedAddresses,
    metrics: Metrics,
    jobs: JobRunner,
  ) {
    this.attempts = metrics.counter('ams_notification_attempts_total', 'Attempts to send a notification.', [
      'channel',
      'outcome',
    ]);
    this.durations = metrics.durations(
      'ams_notification_send_seconds',
      'From the creation of a notification until it is sent, when its first attempt succeeds.',
      ['channel'],
    );
    this.ended = metrics.counter(
      'ams_notifications_total',
      'Notifications that have ended, by channel and status: `sent`, `failed`, or `skipped` because of a limit, or ' +
        'because they were not wanted any more.',
      ['channel', 'status'],
    );
    // An increase from nothing would not be seen.
    for (const channel of channels)
      for (const status of ['sent', 'failed', 'skipped']) this.ended.inc({ channel, status }, 0);
    this.reads = new Together((ids) => this.readQueued(ids));
    this.subjects = new Together((notifications) => noticeSubjectsOf(database, notifications));
    this.mailFacts = new Together(async (mails) => {
      const addresses = mails.map(({ address }) => address);
      const facts = await mailFactsOf(database, { organizationId: mails[0]?.organizationId ?? '' }, addresses);
      return addresses.map((address) => facts.get(address));
    });
    this.ends = new Together((sent) => endSent(database, sent));
    const giveUp = (id: string): Promise<void> =>
      this.finishUnsent({ id }, 'failed', 'it failed several times because of an internal error');
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

  private async attempt(id: string): Promise<Later | void> {
    const notification = await this.queued(id);
    if (!notification || (notification.isPreceded && (await this.waits(notification)))) return;
    const attempt = this.attemptOf(notification);
    const entry = this.classes.enter(attempt, performance.now());
    if (entry.kind === 'later')
      return this.postpone(notification, {
        seconds: entry.afterMs / 1000,
        reason: 'too many attempts at the same time to the target, for the team or organization, or by the mail server',
        attempts: 0,
      });
    if (entry.kind === 'taken') return this.inPlace(attempt, () => this.send(notification));
    return {
      ready: entry.place,
      work: () =>
        this.inPlace(attempt, async () => {
          const now = await this.queued(id);
          if (now) await this.send(now);
        }),
    };
  }

  private async inPlace(attempt: Attempt, work: () => Promise<void>): Promise<void> {
    const begun = performance.now();
    try {
      await work();
    } finally {
      const now = performance.now();
      await this.callBack(this.classes.leave(attempt, now - begun, now));
    }
  }

  /** These attempts are made now, not at the time that their jobs have. */
  private async callBack(attempts: readonly Attempt[]): Promise<void> {
    if (attempts.length === 0) return;
    const payloads = attempts.map(({ id, ...of }) => ({
      notificationId: id,
      share: of.share,
      traceContext: of.traceContext,
    }));
    await addJobs(this.database, 'sendNotification', payloads).catch((error: unknown) =>
      this.log.warn(
        { err: error, attempts: attempts.length },
        'attempts wait for their time, although there is room now',
      ),
    );
  }

  /** Checked before the notification takes a place among the attempts. */
  private async waits(notification: QueuedNotification): Promise<boolean> {
    const waits = await this.database.asService((tx) => waitsForTurn(tx, notification));
    if (waits && notification.ageSeconds > maxWaitSeconds)
      await this.finish(notification, 'failed', 'the messages before it to the same target did not end within a day');
    return waits;
  }

  private queued(id: string): Promise<QueuedNotification | undefined> {
    return this.reads.ask(runningQueue(), id);
  }

  private async readQueued(ids: readonly string[]): Promise<(QueuedNotification | undefined)[]> {
    const text = `SELECT ${this.database.selectOf(NotificationEntity, 'n')}, n.destination, n.notice,
        n.stop_when AS "stopWhen", n.event_data AS "eventData", n.subject_version AS "subjectVersion",
        n.order_key AS "orderKey", extract(epoch FROM clock_timestamp() - n.created_at)::float8 AS "ageSeconds",
        ${isPreceded} AS "isPreceded", r.event_type AS "eventType", r.occurred_at AS "occurredAt"
      FROM workflows.notifications n LEFT JOIN workflows.runs r ON r.id = n.run_id
      WHERE n.id = ANY($1::uuid[]) AND n.status = 'queued'`;
    const found = await this.database.query<QueuedNotification>(text, [ids]);
    return inOrderOf(ids, found);
  }

  private attemptOf({ id, organizationId, destination, channel }: NotificationEntity): Attempt {
    const share = runningShare.getStore();
    const limitOf = (part: number): number => Math.max(1, Math.floor(this.settings.workflowConcurrency * part));
    const limit = limitOf(partPerClass);
    const classes: ConcurrencyClass[] = [
      { name: `target ${targetOf(destination)}`, limit: maxPerTarget },
      { name: `organization ${organizationId}`, limit },
      { name: `team ${organizationId} ${share?.team ?? ''}`, limit: limitOf(partPerTeam) },
    ];
    if (channel === 'email') classes.push({ name: 'mail server', limit, isShared: true });
    return { id, share, traceContext: traceContext(), organization: organizationId, classes };
  }

  private async send(notification: QueuedNotification): Promise<void> {
    const begun = performance.now();
    const { organizationId } = notification;
    showNotification(notification);
    const queue = `${organizationId} ${runningQueue()}`;
    const subject = await this.subjects.ask(queue, notification);
    const stopped = stopStateOf(notification, subject);
    if (stopped) return this.finish(notification, 'skipped', `${stopped} before it was sent`);
    if (notification.notice.silent) {
      const before = await shownOnDevice(this.database, notification);
      if (before === 'waits' && notification.ageSeconds < maxAfterOthersSeconds)
        return this.postpone(notification, {
          seconds: 1,
          reason: 'another message to the device is sent',
          attempts: 0,
        });
      if (before === 'nothing')
        return this.finish(notification, 'skipped', 'the device shows nothing that it replaces');
    }
    const target = await this.targetOf(notification);
    if (!target) return this.finish(notification, 'skipped', 'the device was removed or has ended');
    const secrets = await dataKeyFor(this.database, notification);
    const part = await takeMailPart(this.database, notification, (address) =>
      this.mailFacts.ask(queue, { organizationId, address }),
    );
    if (part.kind === 'refused') return this.finish(notification, 'skipped', part.reason);
    const reply = await this.notifier.attempt({
      ...sendRequestOf(this.settings, notification, { subject, target }),
      ...(secrets ? { secrets } : {}),
    });
    const { id: notificationId, channel, environment } = notification;
    this.attempts.inc({ channel, outcome: reply.kind });
    activeSpan()?.setAttribute('ams.notification.outcome', reply.kind);
    if (reply.kind === 'sent') {
      const seconds = notification.ageSeconds + (performance.now() - begun) / 1000;
      if (notification.attempts === 0) this.durations.observe({ channel }, seconds);
      return this.finish(notification, 'sent', reply.detail);
    }
    if (reply.kind === 'failed' && reply.gone && target.channel === 'push')
      await this.devices.gone({
        deviceId: target.deviceId,
        organizationId,
        environment,
        requestId: publicId('notification', notificationId),
      });
    const { reason } = reply;
    if (reply.kind === 'failed' && reply.refusedAddress && target.channel === 'email')
      await this.refusedAddresses.report({
        organizationId,
        environment,
        address: target.address,
        reason,
        requestId: publicId('notification', notificationId),
      });
    const seconds = retrySeconds(notification, reply);
    this.log.info({ notificationId, channel, reason, again: seconds }, 'notification failed');
    if (seconds === null) return this.finish(notification, 'failed', reason);
    await giveMailPartBack(this.database, notification, part.day);
    await this.postpone(notification, { seconds, reason, attempts: reply.kind === 'failed' ? 1 : 0 });
  }

  /** Null when the device is not there any more. */
  private async targetOf(notification: QueuedNotification): Promise<SendTarget | null> {
    const { destination } = notification;
    if (destination.channel !== 'push') return destination;
    const subscription = await this.devices.subscriptionOf(notification, destination);
    return subscription === null ? null : { ...destination, subscription };
  }

  /** Schedules another attempt; `attempts` is how many were made since the row was read. */
  private async postpone(
    { id, attempts: attemptsBefore }: NotificationEntity,
    { seconds, reason, attempts }: { seconds: number; reason: string; attempts: number },
  ): Promise<void> {
    await this.database.asService(async (tx) => {
      const [next] = await tx.query<{ at: Date }>(
        `UPDATE workflows.notifications SET attempts = attempts + $5, reason = $2,
           next_attempt_at = clock_timestamp() + $3::float8 * interval '1 s', updated_at = clock_timestamp()
         WHERE id = $1 AND status = 'queued' AND attempts = $4 RETURNING next_attempt_at AS at`,
        [id, reason, seconds, attemptsBefore, attempts],
      );
      if (next) await addJob(tx, 'sendNotification', { notificationId: id, traceContext: traceContext() }, next.at);
    });
  }

  private async finish(
    notification: Ended,
    status: 'sent' | 'failed' | 'skipped',
    reason: string | null,
  ): Promise<void> {
    if (status === 'sent') {
      const { organizationId, environment } = notification;
      const queue = JSON.stringify([organizationId, environment, runningQueue()]);
      const sent = await this.ends.ask(queue, { ...notification, detail: reason });
      if (sent) this.ended.inc({ channel: sent.channel, status });
      return;
    }
    await this.finishUnsent(notification, status, reason);
  }

  private async finishUnsent(
    { id }: { id: string },
    status: 'failed' | 'skipped',
    reason: string | null,
  ): Promise<void> {
    const channel = await this.database.asService(async (tx) => {
      const [ended] = await tx.query<NotificationEntity>(endUnsent, [id, status, reason, status === 'skipped' ? 0 : 1]);
      if (!ended) return null;
      await failRunWithoutMessage(tx, ended);
      await wakeNext(tx, ended, [ended]);
      return ended.channel;
    });
    if (channel !== null) this.ended.inc({ channel, status });
  }
}

/** In the span of the job, if it is traced. No address. */
function showNotification({ id, organizationId, environment, channel, alertId, incidentId }: QueuedNotification): void {
  activeSpan()?.setAttributes({
    'ams.organization.id': organizationId,
    'ams.environment': environment,
    'ams.notification.id': publicId('notification', id),
    'ams.notification.channel': channel,
    ...(alertId !== null && { 'ams.alert.id': publicId('alert', alertId) }),
    ...(incidentId !== null && { 'ams.incident.id': publicId('incident', incidentId) }),
  });
}

function inOrderOf<Row extends { id: string }>(ids: readonly string[], rows: readonly Row[]): (Row | undefined)[] {
  const known = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => known.get(id));
}

/** They are locked in the order of `waitsForTurn`: the lower version first. */
const endTogether = `UPDATE workflows.notifications SET status = 'sent', attempts = attempts + 1, next_attempt_at = NULL,
    reason = ($2::text[])[array_position($1::uuid[], id)], waits_in_order = false, updated_at = clock_timestamp()
  WHERE id = ANY(ARRAY(
    SELECT id FROM workflows.notifications
    WHERE id = ANY($1::uuid[]) AND organization_id = $3 AND environment = $4 AND status = 'queued'
    ORDER BY subject_version NULLS FIRST, id FOR UPDATE)) AND status = 'queued'
  RETURNING id, channel`;

/** Of one organization and environment. Undefined for a notification that has ended already. */
async function endSent(
  database: Database,
  sent: readonly (Ended & { detail: string | null })[],
): Promise<(NotificationEntity | undefined)[]> {
  const [first] = sent;
  if (!first) return [];
  const ids = sent.map(({ id }) => id);
  const { organizationId, environment } = first;
  const params = [ids, sent.map(({ detail }) => detail), organizationId, environment];
  const end = async (queries: Pick<Tx, 'query'>) =>
    inOrderOf(ids, await queries.query<NotificationEntity>(endTogether, params));
  // Nobody waits for a page: one statement is enough.
  if (sent.every(({ orderKey }) => orderKey === null)) return end(database);
  return database.asService(async (tx) => {
    const ended = await end(tx);
    await wakeNext(
      tx,
      first,
      sent.filter((_, index) => ended[index]),
    );
    return ended;
  });
}

const endUnsent = `UPDATE workflows.notifications SET status = $2, reason = $3, attempts = attempts + $4,
    next_attempt_at = NULL, waits_in_order = false, updated_at = clock_timestamp()
  WHERE id = $1 AND status = 'queued'
  RETURNING organization_id AS "organizationId", environment, run_id AS "runId", step_id AS "stepId",
    order_key AS "orderKey", channel`;

/**
 * The state because of which the notification is not sent. After the first attempt, a page is not attempted again when
 * somebody has acknowledged or resolved, even if the step does not say so. A webhook with the state at its event is no
 * page: its target gets every event.
 */
function stopStateOf(
  { attempts, eventType, stopWhen, eventData, pageId }: QueuedNotification,
  { alert, incident }: NoticeSubject,
): string | undefined {
  // The alert that opened an incident may be resolved while others of the incident fire.
  if (pageId !== null) return stopWhen.find((state) => incident?.status === state);
  const isPage = eventData === null && requiresPerson(eventType ?? '');
  const states = attempts > 0 && isPage ? ['acknowledged', 'resolved'] : stopWhen;
  return states.find((state) => incident?.status === state || alert?.status === state);
}

/** Null when there is no further attempt. A notification that was held back had no attempt, but its time is limited. */
function retrySeconds(
  { attempts, ageSeconds }: QueuedNotification,
  reply: Exclude<SendReply, { kind: 'sent' }>,
): number | null {
  if (reply.kind === 'failed')
    return reply.retry ? retryDelay(attempts + 1, Math.random(), reply.retryAfterSeconds) : null;
  return ageSeconds > giveUpSeconds ? null : reply.retryAfterSeconds * (1 + Math.random() / 4);
}

function sendRequestOf(
  settings: WorkflowEngineSettings,
  notification: QueuedNotification,
  { subject, target }: { subject: NoticeSubject; target: SendTarget },
): SendRequest {
  const { id, environment, why: reason, eventType, occurredAt, createdAt } = notification;
  const notificationId = publicId('notification', id);
  const { alert, incident } = subject;
  const { eventData, subjectVersion } = notification;
  const present = eventType?.startsWith('alert.') ? alert : (incident ?? alert);
  return {
    notificationId,
    target,
    notice: {
      ...notification.notice,
      ...subject,
      // A webhook tells the event. The message must not be larger than NATS accepts.
      ...(eventData && { alert: null, incident: null, otherAlerts: [] }),
      environment,
      reason,
      links: linksFor(settings, notification, subject),
    },
    event: {
      id: notificationId,
      type: eventType ?? typeWithoutRun(notification, subject),
      occurredAt: (occurredAt ?? createdAt).toISOString(),
      version: subjectVersion ?? present?.version ?? null,
      data: eventData ?? { alert, incident },
    },
  };
}

/** A page, the new state of its incident, or a test message. */
const typeWithoutRun = ({ pageId, notice }: QueuedNotification, { incident }: NoticeSubject): string =>
  pageId !== null ? 'incident.paged' : notice.silent && incident ? `incident.${incident.status}` : 'test';
