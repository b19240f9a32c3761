/** Alerts: records, filters and operations. */
import {
  alertStatuses,
  severities,
  type AlertStatus,
  type ExportFormat,
  type Negatable,
  type Severity,
} from '@ams/domain';
import { ApiProperty, ApiPropertyOptional, IntersectionType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsObject,
  IsString,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { operation } from '../operation.js';
import {
  Actor,
  Change,
  Clearable,
  Instant,
  Named,
  nullableText,
  nullableTime,
  NoteField,
  OnBehalfOfField,
  ListQuery,
  PageQuery,
  SearchText,
  Sent,
  stringMap,
  time,
} from './common.js';
import { exportDescription, ExportFormatField, stableSort } from './exports.js';
import { ChoiceFilter, LabelFilter, SortField } from './filters.js';

export const resolveReasons = ['ingest', 'api', 'workflow', 'incident', 'timeout'] as const;
export type ResolveReason = (typeof resolveReasons)[number];

export class Suppression {
  @ApiProperty({
    ...nullableText,
    description: 'The suppression window; null when the sender reported the alert as suppressed.',
  })
  windowId!: string | null;

  @ApiProperty({ ...nullableTime })
  until!: string | null;

  @ApiProperty({
    enum: ['firing', 'acknowledged'],
    description: 'The status that the alert returns to when the suppression ends.',
  })
  priorStatus!: 'firing' | 'acknowledged';
}

export class Alert {
  @ApiProperty() id!: string;
  @ApiProperty({ maxLength: 1024 }) title!: string;
  @ApiProperty({ ...nullableText }) description!: string | null;
  @ApiProperty({ enum: severities, enumName: 'Severity' }) severity!: Severity;
  @ApiProperty({ enum: alertStatuses, enumName: 'AlertStatus' }) status!: AlertStatus;
  @ApiProperty({ ...nullableText, description: 'The system that the alert comes from.' }) source!: string | null;
  @ApiProperty({ description: 'Events with the same fingerprint belong to the same alert.' }) fingerprint!: string;
  @ApiProperty({
    enum: ['explicit', 'generated'],
    description: '`explicit`: sent by the sender. `generated`: computed from title and source.',
  })
  fingerprintSource!: 'explicit' | 'generated';
  @ApiProperty({ ...stringMap }) labels!: Record<string, string>;
  @ApiProperty({ ...stringMap }) annotations!: Record<string, string>;
  @ApiProperty({ ...nullableText }) clientId!: string | null;
  @ApiProperty() integrationId!: string;
  @ApiProperty({ ...nullableText }) incidentId!: string | null;
  @ApiProperty({ ...nullableText }) assigneeId!: string | null;
  @ApiProperty({ ...time }) firstOccurredAt!: string;
  @ApiProperty({ ...time }) lastOccurredAt!: string;
  @ApiProperty({ type: 'integer', minimum: 1 }) occurrenceCount!: number;
  @ApiProperty({
    ...nullableText,
    description: 'The previous alert of the same fingerprint, resolved before this one was opened.',
  })
  previousAlertId!: string | null;
  @ApiProperty({ ...nullableTime }) acknowledgedAt!: string | null;
  @ApiProperty({ type: Actor, nullable: true }) acknowledgedBy!: Actor | null;
  @ApiProperty({ ...nullableTime }) resolvedAt!: string | null;
  @ApiProperty({ type: Actor, nullable: true }) resolvedBy!: Actor | null;
  @ApiProperty({ enum: resolveReasons, enumName: 'ResolveReason', nullable: true })
  resolveReason!: ResolveReason | null;
  @ApiProperty({ type: Suppression, nullable: true }) suppression!: Suppression | null;
  @ApiProperty({ ...time }) createdAt!: string;
  @ApiProperty({ ...time }) updatedAt!: string;
  @ApiProperty({ type: 'integer', minimum: 1 }) version!: number;
}

export const alertSorts = [
  'lastOccurredAt',
  '-lastOccurredAt',
  'createdAt',
  '-createdAt',
  'severity',
  '-severity',
] as const;
export type AlertSort = (typeof alertSorts)[number];

/** The filters of the list; `POST /alerts/bulk` accepts them too. */
export class AlertFilter {
  @ChoiceFilter({
    allowed: alertStatuses,
    description: 'Only alerts in one of these states.',
    example: ['firing', 'acknowledged'],
  })
  status?: Negatable<AlertStatus>[];

  @ChoiceFilter({
    allowed: severities,
    description: 'Only alerts of one of these severities.',
    example: ['critical', 'high'],
  })
  severity?: Negatable<Severity>[];

  @ChoiceFilter({ mayBeNone: true, description: 'Only alerts from one of these systems.', example: ['prometheus'] })
  source?: string[];

  @ChoiceFilter({ description: 'Only alerts with one of these fingerprints.', example: ['cpu-web-01'] })
  fingerprint?: string[];

  @ChoiceFilter({
    mayBeNone: true,
    description: 'Only alerts about one of these clients.',
    example: ['cli_01938f3a7c2e7d4ab1c2d3e4f5060020'],
  })
  clientId?: string[];

  @ChoiceFilter({
    description: 'Only alerts from one of these integrations.',
    example: ['int_01938f3a7c2e7d4ab1c2d3e4f5060001'],
  })
  integrationId?: string[];

  @ChoiceFilter({
    mayBeNone: true,
    description: 'Only alerts in one of these incidents.',
    example: ['inc_01938f3a7c2e7d4ab1c2d3e4f5060040'],
  })
  incidentId?: string[];

  @ChoiceFilter({
    mayBeNone: true,
    description: 'Only alerts that are assigned to one of these members.',
    example: ['usr_01938f3a7c2e7d4ab1c2d3e4f5060030'],
  })
  assigneeId?: string[];

  @LabelFilter()
  label?: string[];

  @SearchText('title', 'cpu')
  q?: string;

  @Instant('Only alerts whose last occurrence is at or after this time.')
  since?: string;

  @Instant('Only alerts whose last occurrence is before this time.')
  until?: string;

  @Instant('Only alerts that were created at or after this time.')
  createdSince?: string;

  @Instant('Only alerts that were created before this time.')
  createdUntil?: string;
}

export class ListAlertsQuery extends IntersectionType(PageQuery, AlertFilter) {
  @SortField(alertSorts, '-lastOccurredAt', ' Severities are ordered: info is the lowest, critical the highest.')
  sort?: AlertSort;
}

export const alertExportSorts = ['createdAt', '-createdAt'] as const;

export class ExportAlertsQuery extends AlertFilter {
  @ExportFormatField()
  format?: ExportFormat;

  @SortField(alertExportSorts, '-createdAt', stableSort)
  sort?: (typeof alertExportSorts)[number];
}

export class AlertNote {
  @NoteField()
  note?: string | null;

  @OnBehalfOfField()
  onBehalfOf?: string | null;
}

export class AssignAlert {
  @ApiProperty({ ...nullableText, description: 'A member who is not disabled; null: nobody has it.' })
  @ValidateIf((_body, value) => value !== null)
  @IsString()
  assigneeId!: string | null;

  @NoteField()
  note?: string | null;

  @OnBehalfOfField()
  onBehalfOf?: string | null;
}

export class PostAlertNote {
  @ApiProperty({ minLength: 1, maxLength: 4096, description: 'Stored in the timeline.' })
  @Named(4096)
  note!: string;

  @OnBehalfOfField()
  onBehalfOf?: string | null;
}

/** Changes of the status. */
export const bulkActions = ['acknowledge', 'resolve'] as const;
export type BulkAction = (typeof bulkActions)[number];
export const bulkRequestActions = [...bulkActions, 'assign'] as const;
export type BulkRequestAction = (typeof bulkRequestActions)[number];
/** More alerts are acknowledged and resolved in the background, by a job. */
export const bulkFilterLimit = 1000;

export const bulkJobLimits = {
  alerts: 100_000,
  /** Jobs of a tenant that wait or run. */
  unfinished: 10,
  /** Failures that a job lists. */
  failures: 100,
} as const;

export class BulkAlerts {
  @ApiProperty({ enum: bulkRequestActions })
  @IsIn(bulkRequestActions)
  action!: BulkRequestAction;

  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    description: 'For `assign`, and only for it: a member who is not disabled; null takes the assignments away.',
  })
  @Clearable()
  @IsString()
  assigneeId?: string | null;

  @ApiPropertyOptional({
    type: 'string',
    isArray: true,
    minItems: 1,
    maxItems: 250,
    description: 'The ids of the alerts. Send either this or `filter`.',
  })
  @Sent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(250)
  @IsString({ each: true })
  ids?: string[];

  @ApiPropertyOptional({
    type: AlertFilter,
    description:
      `The filters of the list, which may match at most ${bulkJobLimits.alerts} alerts, for \`assign\` at most ` +
      `${bulkFilterLimit}. Send either this or \`ids\`.`,
  })
  @Sent()
  @IsObject()
  @ValidateNested()
  @Type(() => AlertFilter)
  filter?: AlertFilter;

  @NoteField()
  note?: string | null;

  @OnBehalfOfField()
  onBehalfOf?: string | null;
}

export class BulkError {
  @ApiProperty() error!: string;
  @ApiProperty() code!: string;
  @ApiProperty({ nullable: true }) details!: unknown;
}

export class BulkItem {
  @ApiProperty() id!: string;
  @ApiProperty() ok!: boolean;
  @ApiProperty({ description: 'False when the alert already had that status or assignee.' }) changed!: boolean;
  @ApiProperty({
    enum: alertStatuses,
    enumName: 'AlertStatus',
    nullable: true,
    description: 'The current status; null when the alert does not exist.',
  })
  status!: AlertStatus | null;
  @ApiProperty({ type: BulkError, nullable: true }) error!: BulkError | null;
}

export class BulkResult {
  @ApiProperty({ enum: bulkRequestActions }) action!: BulkRequestAction;
  @ApiProperty({ type: 'integer' }) requested!: number;
  @ApiProperty({ type: 'integer' }) succeeded!: number;
  @ApiProperty({ type: 'integer' }) failed!: number;
  @ApiProperty({ type: [BulkItem] }) results!: BulkItem[];
}

export const bulkJobStatuses = ['queued', 'running', 'completed', 'failed'] as const;
export type BulkJobStatus = (typeof bulkJobStatuses)[number];

export class BulkFailure {
  @ApiProperty({ description: 'The alert.' }) id!: string;
  @ApiProperty({ type: BulkError }) error!: BulkError;
}

export class BulkJob {
  @ApiProperty() id!: string;
  @ApiProperty({ enum: bulkActions }) action!: BulkAction;
  @ApiProperty({
    enum: bulkJobStatuses,
    enumName: 'BulkJobStatus',
    description:
      '`queued`: another job of the organization runs. `completed`: all alerts were processed; some may have failed. ' +
      '`failed`: the job ended before that; see `error`.',
  })
  status!: BulkJobStatus;
  @ApiProperty({ type: 'integer', description: 'The number of alerts that the filter matched.' }) requested!: number;
  @ApiProperty({ type: 'integer', description: 'So many have been changed, or had the status already.' })
  succeeded!: number;
  @ApiProperty({ type: 'integer' }) failed!: number;
  @ApiProperty({ type: [BulkFailure], description: `The first ${bulkJobLimits.failures} failures.` })
  failures!: BulkFailure[];
  @ApiProperty({ type: BulkError, nullable: true, description: 'Why the job ended early.' }) error!: BulkError | null;
  @ApiProperty({ ...time }) createdAt!: string;
  @ApiProperty({ ...nullableTime }) startedAt!: string | null;
  @ApiProperty({ ...nullableTime }) finishedAt!: string | null;
}

export const timelineTypes = [
  'alert.created',
  'alert.occurred',
  'alert.acknowledged',
  'alert.resolved',
  'alert.suppressed',
  'alert.resumed',
  'alert.severityChanged',
  'alert.suppressionChanged',
  'alert.addedToIncident',
  'alert.assigned',
  'alert.labelsChanged',
  'alert.noted',
] as const;
export type TimelineType = (typeof timelineTypes)[number];

export const timelineSorts = ['occurredAt', '-occurredAt'] as const;

export class ListTimelineQuery extends ListQuery {
  @SortField(timelineSorts, 'occurredAt')
  sort?: (typeof timelineSorts)[number];
}

export class Cause {
  @ApiProperty({ enum: ['event', 'request', 'window', 'workflow', 'incident', 'alert', 'timeout'] })
  type!: 'event' | 'request' | 'window' | 'workflow' | 'incident' | 'alert' | 'timeout';

  @ApiProperty({ ...nullableText })
  id!: string | null;
}

export class TimelineEntry {
  @ApiProperty() id!: string;
  @ApiProperty({ enum: timelineTypes }) type!: TimelineType;
  @ApiProperty({ ...time }) occurredAt!: string;
  @ApiProperty({ type: Actor }) actor!: Actor;
  @ApiProperty({ type: Cause, description: 'The event, request, window or workflow that caused the change.' })
  cause!: Cause;
  @ApiProperty({ type: [Change] }) changes!: Change[];
  @ApiProperty({ ...nullableText }) note!: string | null;
}

const alertExample = {
  id: 'alr_01938f3a7c2e7d4ab1c2d3e4f5061728',
  title: 'High CPU',
  description: 'CPU > 95 % for 10 min',
  severity: 'critical',
  status: 'firing',
  source: 'prometheus',
  fingerprint: 'cpu-web-01',
  fingerprintSource: 'explicit',
  labels: { host: 'web-01', region: 'eu' },
  annotations: { runbook: 'https://runbooks.example.com/cpu' },
  clientId: null,
  integrationId: 'int_01938f3a7c2e7d4ab1c2d3e4f5060001',
  incidentId: null,
  assigneeId: null,
  firstOccurredAt: '2026-11-20T14:00:00.000Z',
  lastOccurredAt: '2026-11-20T14:05:00.000Z',
  occurrenceCount: 2,
  previousAlertId: null,
  acknowledgedAt: null,
  acknowledgedBy: null,
  resolvedAt: null,
  resolvedBy: null,
  resolveReason: null,
  suppression: null,
  createdAt: '2026-11-20T14:00:00.120Z',
  updatedAt: '2026-11-20T14:05:00.080Z',
  version: 2,
};
const actorExample = { type: 'api_key', id: 'key_01938f3a7c2e7d4ab1c2d3e4f5060002', name: 'on-call bot' };
const acknowledgedExample = {
  ...alertExample,
  status: 'acknowledged',
  acknowledgedAt: '2026-11-20T14:06:00.000Z',
  acknowledgedBy: actorExample,
  version: 3,
};
const resolvedExample = {
  ...acknowledgedExample,
  status: 'resolved',
  resolvedAt: '2026-11-20T14:20:00.000Z',
  resolvedBy: actorExample,
  resolveReason: 'api',
  version: 4,
};

export const listAlerts = operation({
  id: 'alerts.list',
  operationId: 'listAlerts',
  owner: 'resource-api',
  method: 'GET',
  path: '/alerts',
  scope: 'alerts:read',
  tag: 'Alerts',
  summary: 'List alerts',
  description:
    'The alerts of the organization in the environment of the key. By default, the newest occurrence comes ' +
    'first. Several comma-separated values of one filter are combined with OR, different filters with AND.',
  query: ListAlertsQuery,
  reply: 'list',
  item: Alert,
  faults: ['INVALID_CURSOR'],
  example: {
    query: { status: 'firing,acknowledged', label: 'region:eu' },
    reply: { data: [alertExample], meta: { limit: 50, hasMore: false, nextCursor: null, total: 1 } },
  },
});

export const exportAlerts = operation({
  id: 'alerts.export',
  operationId: 'exportAlerts',
  owner: 'resource-api',
  method: 'GET',
  path: '/alerts/export',
  scope: 'alerts:read',
  tag: 'Alerts',
  summary: 'Export alerts',
  description: exportDescription('alerts'),
  query: ExportAlertsQuery,
  reply: 'export',
  item: Alert,
  file: {
    name: 'alerts',
    columns: [
      'id',
      'title',
      'description',
      'severity',
      'status',
      'source',
      'fingerprint',
      'fingerprintSource',
      'labels',
      'annotations',
      'clientId',
      'integrationId',
      'incidentId',
      'assigneeId',
      'firstOccurredAt',
      'lastOccurredAt',
      'occurrenceCount',
      'previousAlertId',
      'acknowledgedAt',
      'acknowledgedBy.type',
      'acknowledgedBy.id',
      'acknowledgedBy.name',
      'acknowledgedBy.via.id',
      'acknowledgedBy.via.name',
      'resolvedAt',
      'resolvedBy.type',
      'resolvedBy.id',
      'resolvedBy.name',
      'resolvedBy.via.id',
      'resolvedBy.via.name',
      'resolveReason',
      'suppression.windowId',
      'suppression.until',
      'suppression.priorStatus',
      'createdAt',
      'updatedAt',
      'version',
    ],
  },
  example: { query: { format: 'csv', label: 'region:eu' }, reply: [alertExample] },
});

export const getAlert = operation({
  id: 'alerts.get',
  operationId: 'getAlert',
  owner: 'resource-api',
  method: 'GET',
  path: '/alerts/{id}',
  scope: 'alerts:read',
  tag: 'Alerts',
  summary: 'Get an alert',
  description: 'One alert.',
  reply: 'one',
  item: Alert,
  versioned: true,
  example: { params: { id: alertExample.id }, reply: { data: alertExample } },
});

export const acknowledgeAlert = operation({
  id: 'alerts.acknowledge',
  operationId: 'acknowledgeAlert',
  owner: 'alert-pipeline',
  method: 'POST',
  path: '/alerts/{id}/acknowledge',
  scope: 'alerts:write',
  tag: 'Alerts',
  summary: 'Acknowledge an alert',
  description:
    'Records that somebody is working on the alert. If the alert is already acknowledged, it does not change ' +
    'and keeps its first actor. If it is resolved, the response is 409.',
  body: AlertNote,
  bodyOptional: true,
  reply: 'one',
  item: Alert,
  versioned: true,
  faults: ['INVALID_STATE_TRANSITION', 'VERSION_MISMATCH', 'IDEMPOTENCY_KEY_REUSED'],
  example: { params: { id: alertExample.id }, body: { note: 'looking into it' }, reply: { data: acknowledgedExample } },
});

export const unacknowledgeAlert = operation({
  id: 'alerts.unacknowledge',
  operationId: 'unacknowledgeAlert',
  owner: 'alert-pipeline',
  method: 'POST',
  path: '/alerts/{id}/unacknowledge',
  scope: 'alerts:write',
  tag: 'Alerts',
  summary: 'Take an acknowledgement back',
  description:
    'The alert fires again, or is suppressed when a window applies now. If its incident is acknowledged, the incident ' +
    'is triggered and its escalation begins again; its other alerts do not change. An alert that is not ' +
    'acknowledged does not change. If it is resolved, the response is 409.',
  body: AlertNote,
  bodyOptional: true,
  reply: 'one',
  item: Alert,
  versioned: true,
  faults: ['INVALID_STATE_TRANSITION', 'VERSION_MISMATCH', 'IDEMPOTENCY_KEY_REUSED'],
  example: {
    params: { id: alertExample.id },
    body: { note: 'not my service' },
    reply: { data: { ...alertExample, version: 3 } },
  },
});

export const resolveAlert = operation({
  id: 'alerts.resolve',
  operationId: 'resolveAlert',
  owner: 'alert-pipeline',
  method: 'POST',
  path: '/alerts/{id}/resolve',
  scope: 'alerts:write',
  tag: 'Alerts',
  summary: 'Resolve an alert',
  description:
    'Closes the alert. The next firing event with its fingerprint opens a new alert. If the alert is already ' +
    'resolved, it does not change.',
  body: AlertNote,
  bodyOptional: true,
  reply: 'one',
  item: Alert,
  versioned: true,
  faults: ['VERSION_MISMATCH', 'IDEMPOTENCY_KEY_REUSED'],
  example: { params: { id: alertExample.id }, body: { note: 'fixed by restart' }, reply: { data: resolvedExample } },
});

export const assignAlert = operation({
  id: 'alerts.assign',
  operationId: 'assignAlert',
  owner: 'alert-pipeline',
  method: 'POST',
  path: '/alerts/{id}/assign',
  scope: 'alerts:write',
  tag: 'Alerts',
  summary: 'Assign an alert',
  description: 'Gives the alert to a member, or to nobody. It does not acknowledge the alert, and pages nobody.',
  body: AssignAlert,
  reply: 'one',
  item: Alert,
  versioned: true,
  faults: ['VERSION_MISMATCH', 'IDEMPOTENCY_KEY_REUSED'],
  example: {
    params: { id: alertExample.id },
    body: { assigneeId: 'usr_01938f3a7c2e7d4ab1c2d3e4f5060030', note: 'you know this host' },
    reply: { data: { ...alertExample, assigneeId: 'usr_01938f3a7c2e7d4ab1c2d3e4f5060030', version: 3 } },
  },
});

export const createAlertNote = operation({
  id: 'alerts.note',
  operationId: 'createAlertNote',
  owner: 'alert-pipeline',
  method: 'POST',
  path: '/alerts/{id}/notes',
  scope: 'alerts:write',
  tag: 'Alerts',
  summary: 'Add a note to an alert',
  description: 'The note is an entry of the timeline, and nothing else changes. A resolved alert can have notes, too.',
  body: PostAlertNote,
  reply: 'one',
  item: Alert,
  versioned: true,
  faults: ['VERSION_MISMATCH', 'IDEMPOTENCY_KEY_REUSED'],
  example: {
    params: { id: alertExample.id },
    body: { note: 'the disk was full' },
    reply: { data: { ...alertExample, version: 3 } },
  },
});

const bulkJobExample: BulkJob = {
  id: 'job_01938f3a7c2e7d4ab1c2d3e4f50600a0',
  action: 'resolve',
  status: 'running',
  requested: 1671,
  succeeded: 749,
  failed: 1,
  failures: [
    {
      id: alertExample.id,
      error: {
        error: `There is no alert with the id ${alertExample.id}.`,
        code: 'NOT_FOUND',
        details: { resource: 'alert', id: alertExample.id },
      },
    },
  ],
  error: null,
  createdAt: '2026-11-20T14:30:00.000Z',
  startedAt: '2026-11-20T14:30:00.120Z',
  finishedAt: null,
};

export const bulkAlerts = operation({
  id: 'alerts.bulk',
  operationId: 'bulkAlerts',
  owner: 'alert-pipeline',
  method: 'POST',
  path: '/alerts/bulk',
  scope: 'alerts:write',
  tag: 'Alerts',
  summary: 'Acknowledge, resolve or assign many alerts',
  description:
    'By `ids` (1 to 250) or by `filter`. Each alert has its own result; an invalid id does not affect the other ' +
    'alerts. A filter that matches over 1,000 alerts, up to 100,000, is answered with 202 and a job, which ' +
    'acknowledges or resolves them in the background; `GET /alerts/bulk/{id}` shows its progress. The jobs of an ' +
    'organization run one after another. `assign` needs `assigneeId`, and its filter may match up to 1,000 alerts. ' +
    'Fifty alerts at a time are changed together: after an error, some of them may be changed, and the same ' +
    'request with the same `Idempotency-Key` continues with the others.',
  body: BulkAlerts,
  reply: 'one',
  item: BulkResult,
  accepted: BulkJob,
  faults: ['CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
  example: {
    body: { action: 'acknowledge', ids: [alertExample.id], note: 'storm' },
    reply: {
      data: {
        action: 'acknowledge',
        requested: 1,
        succeeded: 1,
        failed: 0,
        results: [{ id: alertExample.id, ok: true, changed: true, status: 'acknowledged', error: null }],
      },
    },
    accepted: { data: bulkJobExample },
  },
});

export const getBulkJob = operation({
  id: 'alerts.bulkJob',
  operationId: 'getBulkJob',
  owner: 'alert-pipeline',
  method: 'GET',
  path: '/alerts/bulk/{id}',
  scope: 'alerts:write',
  tag: 'Alerts',
  summary: 'Get the progress of a bulk change',
  description: 'How far the job is, and which alerts could not be changed. Jobs are kept for 7 days after their end.',
  reply: 'one',
  item: BulkJob,
  example: { params: { id: bulkJobExample.id }, reply: { data: bulkJobExample } },
});

export const getAlertTimeline = operation({
  id: 'alerts.timeline',
  operationId: 'getAlertTimeline',
  owner: 'resource-api',
  method: 'GET',
  path: '/alerts/{id}/timeline',
  scope: 'alerts:read',
  tag: 'Alerts',
  summary: 'Get the timeline of an alert',
  description:
    'Every change of the alert in chronological order: what changed, the values before and after, who changed ' +
    'it, and why.',
  query: ListTimelineQuery,
  reply: 'list',
  item: TimelineEntry,
  faults: ['INVALID_CURSOR'],
  example: {
    params: { id: alertExample.id },
    reply: {
      data: [
        {
          id: 'tml_01938f3a7c2e7d4ab1c2d3e4f5060003',
          type: 'alert.acknowledged',
          occurredAt: '2026-11-20T14:06:00.000Z',
          actor: actorExample,
          cause: { type: 'request', id: null },
          changes: [{ field: 'status', before: 'firing', after: 'acknowledged' }],
          note: 'looking into it',
        },
      ],
      meta: { limit: 50, hasMore: false, nextCursor: null, total: 1 },
    },
  },
});

export const alertOperations = [
  listAlerts,
  exportAlerts,
  getAlert,
  acknowledgeAlert,
  unacknowledgeAlert,
  resolveAlert,
  assignAlert,
  createAlertNote,
  bulkAlerts,
  getBulkJob,
  getAlertTimeline,
];
