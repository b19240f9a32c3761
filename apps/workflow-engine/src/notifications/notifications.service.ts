/** The list of notifications, and test messages. The real address of a recipient (`destination`) is never shown. */
import {
  Fault,
  newUuid,
  publicId,
  uuidOf,
  type Channel,
  type Notification,
  type NotificationStatus,
  type Input,
  type ListNotificationsQuery,
  type Page,
  type Principal,
  type TestNotification,
} from '@ams/contracts';
import { uuidsOf } from '@ams/alerting';
import { addToOutbox, auditMessage, withIdempotency, page, serviceRoles, Where, type Tx } from '@ams/database';
import { environments } from '@ams/scopes';
import { Inject, Injectable } from '@nestjs/common';
import { addJob } from './jobs.js';
import { DatabasePart } from './parts.js';
import { recipientsOf } from './recipients.js';
import { Relay } from './relay.js';

type None = Record<string, never>;

export const shownNotificationColumns =
  'id, alert_id, incident_id, workflow_id, run_id, step_id, member_id, target, channel, status, reason, why, attempts, next_attempt_at, created_at, updated_at';

export interface ShownNotificationRow {
  id: string;
  alert_id: string | null;
  incident_id: string | null;
  workflow_id: string | null;
  run_id: string | null;
  step_id: string | null;
  member_id: string | null;
  target: string;
  channel: Channel;
  status: NotificationStatus;
  reason: string | null;
  why: string;
  attempts: number;
  next_attempt_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** Test messages of an organization in a window, in both environments. */
const testLimit = 10;
const testWindowSeconds = 60;

@Injectable()
export class Notifications {
  constructor(
    @Inject(DatabasePart) private readonly databasePart: DatabasePart,
    @Inject(Relay) private readonly relay: Relay,
  ) {}

  list(input: Input<ListNotificationsQuery, undefined>): Promise<Page<Notification>> {
    const { principal } = input;
    const { limit, cursor, ...filters } = input.query;
    const where = new Where()
      .and('organization_id = ?', principal.organizationId)
      .and('environment = ?', principal.environment);
    if (filters.status) where.and('status = ANY(?::text[])', filters.status);
    if (filters.channel) where.and('channel = ANY(?::text[])', filters.channel);
    if (filters.alertId) where.and('alert_id = ANY(?::uuid[])', uuidsOf('alert', filters.alertId));
    if (filters.incidentId) where.and('incident_id = ANY(?::uuid[])', uuidsOf('incident', filters.incidentId));
    if (filters.workflowId) where.and('workflow_id = ANY(?::uuid[])', uuidsOf('workflow', filters.workflowId));
    if (filters.userId) where.and('member_id = ANY(?::uuid[])', uuidsOf('member', filters.userId));
    if (filters.since) where.and('created_at >= ?', new Date(filters.since));
    if (filters.until) where.and('created_at < ?', new Date(filters.until));
    return this.databasePart.database.readAs(principal, (tx) =>
      page<ShownNotificationRow, Notification>(tx, {
        select: shownNotificationColumns,
        from: 'workflows.notifications',
        where,
        sort: { column: 'id', type: 'id', descending: true },
        id: 'id',
        limit,
        cursor,
        boundTo: ['notifications', filters],
        total: async () => {
          const [row] = await tx.query<{ n: number }>(
            `SELECT count(*)::int AS n FROM workflows.notifications WHERE ${where.toString()}`,
            where.params,
          );
          return row?.n ?? 0;
        },
        item: notificationFromRow,
      }),
    );
  }

  get({ principal, params }: Input<None, undefined>): Promise<Notification> {
    const { id = '' } = params;
    const uuid = uuidOf('notification', id);
    return this.databasePart.database.readAs(principal, async (tx) => {
      const [row] =
        uuid === null
          ? []
          : await tx.query<ShownNotificationRow>(
              `SELECT ${shownNotificationColumns} FROM workflows.notifications WHERE organization_id = $1 AND environment = $2 AND id = $3`,
              [principal.organizationId, principal.environment, uuid],
            );
      if (!row) throw new Fault('NOT_FOUND', { resource: 'notification', id });
      return notificationFromRow(row);
    });
  }

  /** Sends one message to the target, or none when the target has no recipient: see `status`. Throws RATE_LIMITED. */
  async test(input: Input<None, TestNotification>): Promise<Notification> {
    const { principal } = input;
    const notification = await this.databasePart.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'workflow-engine', principal, input.idempotency, async () => {
        await refuseTooMany(tx, principal);
        const at = new Date();
        const made = await insertTest(tx, principal, input.body, at);
        await addToOutbox(tx, 'workflow-engine', [
          auditMessage(input, {
            type: 'notification.tested',
            resource: { type: 'notification', id: made.id },
            changes: [{ field: 'target', before: null, after: made.target }],
            at,
          }),
        ]);
        if (made.status === 'queued')
          await asEngine(tx, () =>
            addJob(tx, 'sendNotification', { notificationId: uuidOf('notification', made.id) as string }),
          );
        return made;
      }),
    );
    this.relay.kick();
    return notification;
  }
}

/**
 * The tables of the job library belong to the role that created them. The rest of the transaction also runs as the
 * service, so this must come after all that is done for the principal.
 */
async function asEngine(tx: Tx, work: () => Promise<void>): Promise<void> {
  await tx.query(`SET LOCAL ROLE ${serviceRoles['workflow-engine']}`);
  await work();
}

/** Requests of one organization are counted one after the other. */
async function refuseTooMany(tx: Tx, { organizationId }: Principal): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('test notifications ' || $1, 0))`, [organizationId]);
  const ages: number[] = [];
  for (const environment of environments) {
    const rows = await tx.inEnvironment(environment, () =>
      tx.query<{ age: number }>(
        `SELECT extract(epoch FROM clock_timestamp() - created_at)::float8 AS age FROM workflows.notifications
         WHERE organization_id = $1 AND environment = $2 AND run_id IS NULL AND id >= public.uuid_at(clock_timestamp() - $3::int * interval '1 s') ORDER BY id DESC LIMIT $4`,
        [organizationId, environment, testWindowSeconds, testLimit],
      ),
    );
    ages.push(...rows.map(({ age }) => age));
  }
  const oldest = ages.sort((a, b) => a - b)[testLimit - 1];
  if (oldest === undefined) return;
  throw new Fault('RATE_LIMITED', {
    scope: 'per organization for test messages',
    limit: testLimit,
    windowSeconds: testWindowSeconds,
    retryAfterSeconds: Math.max(1, Math.ceil(testWindowSeconds - oldest)),
  });
}

async function insertTest(
  tx: Tx,
  { organizationId, environment, name }: Principal,
  { target }: TestNotification,
  at: Date,
): Promise<Notification> {
  const telling = { organization_id: organizationId, environment, workflow_name: 'Test' };
  const [recipient] = await recipientsOf(tx, telling, [target], at.toISOString());
  if (!recipient) throw new Error('a target must have a recipient');
  const why = `${name} sends a test.`;
  const status: NotificationStatus = recipient.unreachable ? 'skipped' : environment === 'test' ? 'captured' : 'queued';
  const notice = {
    subject: 'A test message',
    message: 'This is a test: nothing has happened, and there is nothing to do. Alerts will reach you this way.',
  };
  const [row] = await tx.query<ShownNotificationRow>(
    `INSERT INTO workflows.notifications (id, organization_id, environment, member_id, channel, target, destination, notice, stop_when, why, status, reason, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '{}', $9, $10, $11, $12, $12) RETURNING ${shownNotificationColumns}`,
    [
      newUuid(at.getTime()),
      organizationId,
      environment,
      recipient.memberId,
      recipient.channel,
      recipient.target,
      JSON.stringify(recipient.destination),
      JSON.stringify(notice),
      why,
      status,
      recipient.unreachable,
      at,
    ],
  );
  return notificationFromRow(row as ShownNotificationRow);
}

export const notificationFromRow = (row: ShownNotificationRow): Notification => ({
  id: publicId('notification', row.id),
  alertId: publicId('alert', row.alert_id),
  incidentId: publicId('incident', row.incident_id),
  workflowId: publicId('workflow', row.workflow_id),
  runId: publicId('workflowRun', row.run_id),
  stepId: row.step_id,
  userId: publicId('member', row.member_id),
  target: row.target,
  channel: row.channel,
  status: row.status,
  reason: row.reason,
  why: row.why,
  attempts: row.attempts,
  nextAttemptAt: row.next_attempt_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});
