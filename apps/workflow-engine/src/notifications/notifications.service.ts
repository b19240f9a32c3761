/** The list of notifications, and test messages. The real address of a recipient (`destination`) is never shown. */
import {
  Fault,
  maxPageSize,
  newUuid,
  publicId,
  uuidOf,
  withAddressesFor,
  type ExportNotificationsQuery,
  type Input,
  type ListNotificationsQuery,
  type Notification,
  type Page,
  type Principal,
  type TestNotification,
} from '@ams/contracts';
import { deviceRecipient, recipientReads, recipientsOf, type Recipient } from '@ams/alerting';
import {
  addToOutbox,
  auditMessage,
  Database,
  page,
  selectOf,
  serviceRoles,
  Where,
  withIdempotency,
  type Tx,
} from '@ams/database';
import { shareOf } from '@ams/domain';
import { RpcClient } from '@ams/messaging';
import { Outbox } from '@ams/persistence';
import { environments } from '@ams/scopes';
import { Injectable } from '@nestjs/common';
import { addJob } from '../jobs/jobs.js';
import { deviceOf } from './devices.js';
import { firstStatus } from './create-notifications.js';
import { sealedDestination } from './sealed-addresses.js';
import { NotificationEntity } from './notification.entity.js';

type NoQuery = Record<string, never>;

/** The limit of test messages of an organization in a window, for both environments together. */
const testLimit = 10;
const testWindowSeconds = 60;

/** The UUID of a test message, and when it was asked for. */
type NewTest = [id: string, at: Date];

const newTest = (): NewTest => {
  const at = new Date();
  return [newUuid(at.getTime()), at];
};

@Injectable()
export class NotificationsService {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly rpc: RpcClient,
  ) {}

  list({ principal, query }: Input<ListNotificationsQuery, undefined>): Promise<Page<Notification>> {
    return this.pageOf(principal, query);
  }

  export({ principal, query, after }: Input<ExportNotificationsQuery, undefined>): Promise<Page<Notification>> {
    const { format: _format, ...filters } = query;
    return this.pageOf(principal, { ...filters, limit: maxPageSize, cursor: after }, { isExport: true });
  }

  private pageOf(
    principal: Principal,
    { limit, cursor, ...filters }: ListNotificationsQuery,
    { isExport = false } = {},
  ): Promise<Page<Notification>> {
    const where = new Where()
      .and('n.organization_id = ?', principal.organizationId)
      .and('n.environment = ?', principal.environment);
    where.ofTexts('n.status', filters.status);
    where.ofTexts('n.channel', filters.channel);
    where.ofIds('n.alert_id', 'alert', filters.alertId);
    where.ofIds('n.incident_id', 'incident', filters.incidentId);
    where.ofIds('n.workflow_id', 'workflow', filters.workflowId);
    where.ofIds('n.member_id', 'member', filters.userId);
    where.ofTimes('n.created_at', filters.since, filters.until);
    where.ofTimes('n.created_at', filters.createdSince, filters.createdUntil);
    return this.database.readAs(principal, (tx) =>
      page<NotificationEntity, Notification>(tx, {
        select: selectOf(tx, NotificationEntity, 'n'),
        from: 'workflows.notifications n',
        where,
        sort: { column: 'created_at', type: 'time', descending: filters.sort !== 'createdAt' },
        id: 'n.id',
        limit,
        cursor,
        boundTo: ['notifications', filters],
        total: isExport ? undefined : () => count(tx, where),
        item: (row) => notificationFor(principal, row),
      }),
    );
  }

  get({ principal, params }: Input<NoQuery, undefined>): Promise<Notification> {
    const { id = '' } = params;
    const { organizationId, environment } = principal;
    const uuid = uuidOf('notification', id);
    return this.database.readAs(principal, async (tx) => {
      const found =
        uuid === null
          ? null
          : await tx.repository(NotificationEntity).findOneBy({ id: uuid, organizationId, environment });
      if (!found) throw new Fault('NOT_FOUND', { resource: 'notification', id });
      return notificationFor(principal, found);
    });
  }

  /** Sends one message to the target, or none when it has no recipient (see `status`). Throws RATE_LIMITED. */
  async test(input: Input<NoQuery, TestNotification>): Promise<Notification> {
    const { principal, requestId } = input;
    const { organizationId, environment } = principal;
    const tenant = { organizationId, environment };
    const [id, at] = newTest();
    const [found] = await this.database.readAs(principal, (tx) =>
      recipientsOf(
        recipientReads(tx),
        { ...tenant, workflowId: null, workflowName: 'Test' },
        [input.body.target],
        at.toISOString(),
      ),
    );
    if (!found) throw new Error('a target must have a recipient');
    const record = publicId('notification', id);
    const destination = await sealedDestination(this.rpc, tenant, found.destination, { record, requestId });
    return this.sendTest(input, [id, at], () => Promise.resolve({ ...found, destination }));
  }

  /** To a device of the caller. Throws NOT_FOUND and RATE_LIMITED. */
  testDevice(input: Input<NoQuery, undefined>): Promise<Notification> {
    const { principal, params } = input;
    const { id = '' } = params;
    return this.sendTest(input, newTest(), async (tx) => {
      const { organizationId, id: memberId, name } = principal;
      const device = await deviceOf(tx, { organizationId, memberId }, uuidOf('device', id));
      if (!device) throw new Fault('NOT_FOUND', { resource: 'device', id });
      return deviceRecipient({ id: memberId, name }, device, '');
    });
  }

  private async sendTest(
    input: Input<NoQuery, unknown>,
    [id, at]: NewTest,
    recipientOf: (tx: Tx) => Promise<Recipient>,
  ): Promise<Notification> {
    const { principal } = input;
    const notification = await this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'workflow-engine', principal, input.idempotency, async () => {
        await refuseTooMany(tx, principal);
        const made = await insertTest(tx, principal, await recipientOf(tx), [id, at]);
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
            addJob(tx, 'sendNotification', {
              notificationId: uuidOf('notification', made.id) as string,
              share: shareOf(principal, { workflowId: null }),
            }),
          );
        return withAddressesFor(principal, made);
      }),
    );
    this.outbox.publishNow();
    return notification;
  }
}

async function count(tx: Tx, where: Where): Promise<number> {
  const [row] = await tx.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM workflows.notifications n WHERE ${where.toString()}`,
    where.params,
  );
  return row?.n ?? 0;
}

/**
 * The tables of the job library belong to the service's own role. The rest of the transaction also runs with that role,
 * so this must come after all work for the principal.
 */
async function asEngine(tx: Tx, work: () => Promise<void>): Promise<void> {
  await tx.query(`SET LOCAL ROLE ${serviceRoles['workflow-engine']}`);
  await work();
}

/** The requests of one organization are counted one after another. */
async function refuseTooMany(tx: Tx, { organizationId }: Principal): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('test notifications ' || $1, 0))`, [organizationId]);
  const ages: number[] = [];
  for (const environment of environments) {
    const rows = await tx.inEnvironment(environment, () =>
      tx.query<{ age: number }>(
        `SELECT extract(epoch FROM clock_timestamp() - created_at)::float8 AS age
         FROM workflows.notifications
         WHERE organization_id = $1 AND environment = $2 AND run_id IS NULL AND page_id IS NULL
           AND incident_id IS NULL
           AND id >= public.uuid_at(clock_timestamp() - $3::int * interval '1 s') ORDER BY id DESC LIMIT $4`,
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
  recipient: Recipient,
  [id, at]: NewTest,
): Promise<Notification> {
  const notification: NotificationEntity = {
    id,
    organizationId,
    environment,
    runId: null,
    stepId: null,
    workflowId: null,
    workflowName: null,
    alertId: null,
    incidentId: null,
    pageId: null,
    memberId: recipient.memberId,
    channel: recipient.channel,
    target: recipient.target,
    destination: recipient.destination,
    notice: {
      subject: 'A test message',
      message: 'This is a test: nothing has happened, and there is nothing to do. Alerts will reach you this way.',
    },
    stopWhen: [],
    eventData: null,
    subjectVersion: null,
    orderKey: null,
    waitsInOrder: false,
    why: `${name} sends a test.`,
    status: firstStatus(recipient, environment),
    reason: recipient.unreachable,
    attempts: 0,
    nextAttemptAt: null,
    createdAt: at,
    updatedAt: at,
  };
  await tx.repository(NotificationEntity).insert(notification);
  return shownNotification(notification);
}

/** As the principal may see it. */
export const notificationFor = (principal: Principal, notification: NotificationEntity): Notification =>
  withAddressesFor(principal, shownNotification(notification));

const shownNotification = (notification: NotificationEntity): Notification => ({
  id: publicId('notification', notification.id),
  alertId: publicId('alert', notification.alertId),
  incidentId: publicId('incident', notification.incidentId),
  workflowId: publicId('workflow', notification.workflowId),
  runId: publicId('workflowRun', notification.runId),
  stepId: notification.stepId,
  userId: publicId('member', notification.memberId),
  target: notification.target,
  channel: notification.channel,
  status: notification.status,
  reason: notification.reason,
  why: notification.why,
  attempts: notification.attempts,
  nextAttemptAt: notification.nextAttemptAt?.toISOString() ?? null,
  createdAt: notification.createdAt.toISOString(),
  updatedAt: notification.updatedAt.toISOString(),
});
