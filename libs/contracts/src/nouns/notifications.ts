/** Notifications: what was sent to people and channels, what was not sent, and why. */
import { validateWorkflow, type ExportFormat, type Negatable, type NotifyTarget } from '@ams/domain';
import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import type { FieldFault } from '../fault.js';
import { operation } from '../operation.js';
import { channels, type Channel } from '../wire/notifier.js';
import { addressNote, Instant, nullableText, nullableTime, ListQuery, time, worded } from './common.js';
import { exportDescription, ExportFormatField, stableSort } from './exports.js';
import { ChoiceFilter, SortField } from './filters.js';
import { workflowSchemas } from './workflows.js';

export const notificationStatuses = ['queued', 'sent', 'failed', 'captured', 'skipped'] as const;
export type NotificationStatus = (typeof notificationStatuses)[number];

export class Notification {
  @ApiProperty({ description: 'Equal for every attempt; the header `webhook-id` of a webhook.' }) id!: string;
  @ApiProperty({ ...nullableText }) alertId!: string | null;
  @ApiProperty({ ...nullableText }) incidentId!: string | null;
  @ApiProperty({ ...nullableText }) workflowId!: string | null;
  @ApiProperty({ ...nullableText }) runId!: string | null;
  @ApiProperty({ ...nullableText }) stepId!: string | null;
  @ApiProperty({ ...nullableText, description: 'The notified member.' }) userId!: string | null;
  @ApiProperty({ description: 'An e-mail address, the name of a device, or the host of a chat URL or webhook URL.' })
  target!: string;
  @ApiProperty({ enum: channels, enumName: 'Channel' }) channel!: Channel;
  @ApiProperty({
    enum: notificationStatuses,
    enumName: 'NotificationStatus',
    description: '`captured`: in the test environment, no message leaves the service.',
  })
  status!: NotificationStatus;
  @ApiProperty({
    ...nullableText,
    description: 'Why the notification failed or was skipped, or the response of the receiving server.',
  })
  reason!: string | null;
  @ApiProperty({ description: 'Why this recipient was chosen, as a sentence.' }) why!: string;
  @ApiProperty({ type: 'integer', minimum: 0 }) attempts!: number;
  @ApiProperty({ ...nullableTime }) nextAttemptAt!: string | null;
  @ApiProperty({ ...time }) createdAt!: string;
  @ApiProperty({ ...time }) updatedAt!: string;
}

export const notificationSorts = ['createdAt', '-createdAt'] as const;

export class ListNotificationsQuery extends ListQuery {
  @ChoiceFilter({
    allowed: notificationStatuses,
    description: 'Only notifications with one of these statuses.',
    example: ['failed', 'skipped'],
  })
  status?: Negatable<NotificationStatus>[];

  @ChoiceFilter({
    allowed: channels,
    description: 'Only notifications through one of these channels.',
    example: ['email'],
  })
  channel?: Negatable<Channel>[];

  @ChoiceFilter({
    mayBeNone: true,
    description: 'Only notifications about one of these alerts.',
    example: ['alr_01938f3a7c2e7d4ab1c2d3e4f5061728'],
  })
  alertId?: string[];

  @ChoiceFilter({
    mayBeNone: true,
    description: 'Only notifications about one of these incidents.',
    example: ['inc_01938f3a7c2e7d4ab1c2d3e4f5060040'],
  })
  incidentId?: string[];

  @ChoiceFilter({
    mayBeNone: true,
    description: 'Only notifications of one of these workflows.',
    example: ['wfl_01938f3a7c2e7d4ab1c2d3e4f5060070'],
  })
  workflowId?: string[];

  @ChoiceFilter({
    mayBeNone: true,
    description: 'Only notifications to one of these members.',
    example: ['usr_01938f3a7c2e7d4ab1c2d3e4f5060030'],
  })
  userId?: string[];

  @Instant('Only notifications that were created at or after this time.')
  since?: string;

  @Instant('Only notifications that were created before this time.')
  until?: string;

  @SortField(notificationSorts, '-createdAt')
  sort?: (typeof notificationSorts)[number];
}

export class ExportNotificationsQuery extends OmitType(ListNotificationsQuery, ['limit', 'cursor', 'sort'] as const) {
  @ExportFormatField()
  format?: ExportFormat;

  @SortField(notificationSorts, '-createdAt', stableSort)
  sort?: (typeof notificationSorts)[number];
}

export class TestNotification {
  @ApiProperty({
    oneOf: ['UserTarget', 'ScheduleTarget', 'EmailTarget', 'ChannelTarget'].map((name) => ({
      $ref: `#/components/schemas/${name}`,
    })),
    description: 'The same as in a `notify` step.',
  })
  @IsObject()
  target!: NotifyTarget;
}

export const notificationExample: Notification = {
  id: 'ntf_01938f3a7c2e7d4ab1c2d3e4f5060090',
  alertId: 'alr_01938f3a7c2e7d4ab1c2d3e4f5061728',
  incidentId: 'inc_01938f3a7c2e7d4ab1c2d3e4f5060040',
  workflowId: 'wfl_01938f3a7c2e7d4ab1c2d3e4f5060070',
  runId: 'run_01938f3a7c2e7d4ab1c2d3e4f5060080',
  stepId: 'page',
  userId: 'usr_01938f3a7c2e7d4ab1c2d3e4f5060030',
  target: 'mira@example.com',
  channel: 'email',
  status: 'sent',
  reason: '250 2.0.0 OK',
  why: 'You are on call in "Primary".',
  attempts: 1,
  nextAttemptAt: null,
  createdAt: '2026-11-20T14:00:00.300Z',
  updatedAt: '2026-11-20T14:00:00.700Z',
};

/** The target, validated like that of a `notify` step, with paths in the body of the request. */
const targetFaults = ({ target }: Record<string, unknown>): FieldFault[] => [
  ...worded(namesAddress(target) ? [addressOfNothing] : []),
  ...worded(
    validateWorkflow({
      trigger: { events: ['alert.created'] },
      conditions: null,
      steps: [{ id: 'test', type: 'notify', params: { targets: [target] } }],
    }).map((fault) => ({
      ...fault,
      path: fault.path.replace('steps[0].params.targets[0]', 'target'),
    })),
  ),
];

const namesAddress = (target: unknown): boolean =>
  typeof target === 'object' && target !== null && 'addressFrom' in target && typeof target.addressFrom === 'string';

const addressOfNothing: FieldFault = {
  path: 'target.addressFrom',
  rule: 'exclusive',
  message: 'needs an alert, which a test message does not have: send address',
};

export const listNotifications = operation({
  id: 'notifications.list',
  operationId: 'listNotifications',
  owner: 'workflow-engine',
  method: 'GET',
  path: '/notifications',
  scope: 'alerts:read',
  tag: 'Notifications',
  summary: 'List notifications',
  description:
    'Newest first: who was notified about what through which channel, which notifications are in progress, ' +
    'which failed or were skipped, and why. ' +
    addressNote,
  query: ListNotificationsQuery,
  reply: 'list',
  item: Notification,
  faults: ['INVALID_CURSOR'],
  example: {
    query: { status: 'failed,sent' },
    reply: { data: [notificationExample], meta: { limit: 50, hasMore: false, nextCursor: null, total: 1 } },
  },
});

export const exportNotifications = operation({
  id: 'notifications.export',
  operationId: 'exportNotifications',
  owner: 'workflow-engine',
  method: 'GET',
  path: '/notifications/export',
  scope: 'alerts:read',
  tag: 'Notifications',
  summary: 'Export notifications',
  description: `${exportDescription('notifications')} ${addressNote}`,
  query: ExportNotificationsQuery,
  reply: 'export',
  item: Notification,
  file: {
    name: 'notifications',
    columns: [
      'id',
      'alertId',
      'incidentId',
      'workflowId',
      'runId',
      'stepId',
      'userId',
      'target',
      'channel',
      'status',
      'reason',
      'why',
      'attempts',
      'nextAttemptAt',
      'createdAt',
      'updatedAt',
    ],
  },
  example: { query: { format: 'csv', status: 'failed,sent' }, reply: [notificationExample] },
});

export const getNotification = operation({
  id: 'notifications.get',
  operationId: 'getNotification',
  owner: 'workflow-engine',
  method: 'GET',
  path: '/notifications/{id}',
  scope: 'alerts:read',
  tag: 'Notifications',
  summary: 'Get a notification',
  description:
    'The status of one notification: whether it was sent, the number of attempts, and the time of the next ' +
    'attempt. ' +
    addressNote,
  reply: 'one',
  item: Notification,
  example: { params: { id: notificationExample.id }, reply: { data: notificationExample } },
});

export const testNotification = operation({
  id: 'notifications.test',
  operationId: 'sendTestNotification',
  owner: 'workflow-engine',
  method: 'POST',
  path: '/notifications/test',
  scope: 'workflows:write',
  tag: 'Notifications',
  summary: 'Send a test message',
  description:
    'Sends a test message to the target. The response is the new notification; `GET /notifications/{id}` ' +
    'shows its result.',
  body: TestNotification,
  check: targetFaults,
  reply: 'created',
  item: Notification,
  schemas: workflowSchemas,
  faults: ['IDEMPOTENCY_KEY_REUSED'],
  example: {
    body: { target: { type: 'email', address: 'mira@example.com' } },
    reply: {
      data: {
        ...notificationExample,
        alertId: null,
        incidentId: null,
        workflowId: null,
        runId: null,
        stepId: null,
        userId: null,
        status: 'queued',
        reason: null,
        why: 'Sent by a test request.',
        attempts: 0,
      },
    },
  },
});

/** The previous names of these operations. */
const renamed = { since: '2026-11-22', sunset: '2027-11-22' };

export const listDeliveries = operation({
  ...listNotifications,
  id: 'deliveries.list',
  operationId: 'listDeliveries',
  path: '/deliveries',
  deprecated: { ...renamed, successor: listNotifications.path },
});

export const getDelivery = operation({
  ...getNotification,
  id: 'deliveries.get',
  operationId: 'getDelivery',
  path: '/deliveries/{id}',
  deprecated: { ...renamed, successor: getNotification.path },
});

export const testDelivery = operation({
  ...testNotification,
  id: 'deliveries.test',
  operationId: 'sendTestDelivery',
  path: '/deliveries/test',
  deprecated: { ...renamed, successor: testNotification.path },
});

export const notificationOperations = [
  listNotifications,
  exportNotifications,
  getNotification,
  testNotification,
  listDeliveries,
  getDelivery,
  testDelivery,
];
