/** Incidents: work for people, which groups alerts. */
import {
  escalationStates,
  incidentStatuses,
  noEscalation,
  severities,
  type EscalationState,
  type ExportFormat,
  type IncidentStatus,
  type Negatable,
  type Severity,
  type Urgency,
} from '@ams/domain';
import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsISO8601,
  IsString,
  MaxLength,
} from 'class-validator';
import type { FieldFault } from '../fault.js';
import { operation } from '../operation.js';
import { Alert, alertSorts, Cause, listAlerts, ListTimelineQuery, type AlertSort } from './alerts.js';
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
  SearchText,
  Sent,
  time,
} from './common.js';
import { exportDescription, ExportFormatField, stableSort } from './exports.js';
import { ChoiceFilter, SortField } from './filters.js';

export const urgencies = ['high', 'low'] as const;

export class ToldMember {
  @ApiProperty({ ...nullableText, description: 'The member; null for a channel or an address.' })
  userId!: string | null;
  @ApiProperty({ ...time }) at!: string;
  @ApiProperty() notificationId!: string;
}

export class IncidentEscalation {
  @ApiProperty({
    enum: escalationStates,
    enumName: 'EscalationState',
    description:
      '`escalating`: a level is due at `nextAt`. `waiting`: somebody has acknowledged; it begins again at `nextAt`, if ' +
      'that is a time. `paused`: none of its alerts fires. `stopped`: resolved, or nobody is paged. `exhausted`: ' +
      'everybody was told, and nobody has acknowledged.',
  })
  state!: EscalationState;
  @ApiProperty({ type: 'integer', minimum: 0, description: 'How often the policy has begun with its first level.' })
  episode!: number;
  @ApiProperty({ type: 'integer', minimum: 0 }) round!: number;
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'How many levels of the round were told: the number of the last one.',
  })
  level!: number;
  @ApiProperty({ ...nullableTime }) nextAt!: string | null;
  @ApiProperty({ type: [ToldMember], description: 'Who was told in this episode, oldest first.' }) told!: ToldMember[];
}

export class Incident {
  @ApiProperty() id!: string;
  @ApiProperty({ type: 'integer', minimum: 1, description: 'The number of the incident in the organization, from 1.' })
  number!: number;
  @ApiProperty({ maxLength: 1024 }) title!: string;
  @ApiProperty({ ...nullableText }) summary!: string | null;
  @ApiProperty({ enum: severities, enumName: 'Severity' }) severity!: Severity;
  @ApiProperty({
    enum: ['alerts', 'person'],
    enumName: 'SeverityBy',
    description: '`alerts`: the highest severity of its open alerts that are not suppressed. `person`: set by hand.',
  })
  severityBy!: 'alerts' | 'person';
  @ApiProperty({ enum: urgencies, enumName: 'Urgency' }) urgency!: Urgency;
  @ApiProperty({ enum: incidentStatuses, enumName: 'IncidentStatus' }) status!: IncidentStatus;
  @ApiProperty({ ...nullableText, description: 'The escalation policy by which people are paged.' })
  policyId!: string | null;
  @ApiProperty({ type: IncidentEscalation }) escalation!: IncidentEscalation;
  @ApiProperty({ ...nullableTime, description: 'Until then nobody is paged.' }) snoozedUntil!: string | null;
  @ApiProperty({ ...nullableText }) clientId!: string | null;
  @ApiProperty({ type: 'array', items: { type: 'string' }, description: 'The members who work on the incident.' })
  assigneeIds!: string[];
  @ApiProperty({
    ...nullableText,
    description: 'The workflow that opened the incident; null when a person or program opened it through the API.',
  })
  workflowId!: string | null;
  @ApiProperty({
    ...nullableText,
    description: 'What the alerts of the incident have in common, when a workflow groups them.',
  })
  groupKey!: string | null;
  @ApiProperty({ type: 'integer', minimum: 0 }) alertCount!: number;
  @ApiProperty({ type: 'integer', minimum: 0, description: 'The number of its alerts that are not resolved.' })
  openAlertCount!: number;
  @ApiProperty({ ...time, description: 'When the incident was opened or last reopened.' }) triggeredAt!: string;
  @ApiProperty({ ...nullableTime }) acknowledgedAt!: string | null;
  @ApiProperty({ type: Actor, nullable: true }) acknowledgedBy!: Actor | null;
  @ApiProperty({ ...nullableTime }) resolvedAt!: string | null;
  @ApiProperty({ type: Actor, nullable: true }) resolvedBy!: Actor | null;
  @ApiProperty({ ...nullableText, description: 'The incident that it was merged into, which has its alerts now.' })
  mergedInto!: string | null;
  @ApiProperty({ ...time }) createdAt!: string;
  @ApiProperty({ ...time }) updatedAt!: string;
  @ApiProperty({ type: 'integer', minimum: 1 }) version!: number;
}

export const incidentSorts = ['createdAt', '-createdAt', 'number', '-number', 'severity', '-severity'] as const;

export class ListIncidentsQuery extends ListQuery {
  @ChoiceFilter({
    allowed: incidentStatuses,
    description: 'Only incidents in one of these states.',
    example: ['triggered', 'acknowledged'],
  })
  status?: Negatable<IncidentStatus>[];

  @ChoiceFilter({
    allowed: severities,
    description: 'Only incidents of one of these severities.',
    example: ['critical', 'high'],
  })
  severity?: Negatable<Severity>[];

  @ChoiceFilter({
    mayBeNone: true,
    description: 'Only incidents about one of these clients.',
    example: ['cli_01938f3a7c2e7d4ab1c2d3e4f5060020'],
  })
  clientId?: string[];

  @ChoiceFilter({
    mayBeNone: true,
    description: 'Only incidents that are assigned to one of these members.',
    example: ['usr_01938f3a7c2e7d4ab1c2d3e4f5060030'],
  })
  assigneeId?: string[];

  @ChoiceFilter({
    mayBeNone: true,
    description: 'Only incidents whose escalation policy belongs to one of these teams.',
    example: ['tem_01938f3a7c2e7d4ab1c2d3e4f5060110'],
  })
  teamId?: string[];

  @ChoiceFilter({ description: 'Only incidents with one of these numbers.', example: ['42'] })
  number?: string[];

  @SearchText('title', 'checkout')
  q?: string;

  @Instant('Only incidents that were created at or after this time.')
  since?: string;

  @Instant('Only incidents that were created before this time.')
  until?: string;

  @SortField(incidentSorts, '-createdAt', ' Severities are ordered: info is the lowest, critical the highest.')
  sort?: (typeof incidentSorts)[number];
}

export const incidentExportSorts = ['createdAt', '-createdAt', 'number', '-number'] as const;

export class ExportIncidentsQuery extends OmitType(ListIncidentsQuery, ['limit', 'cursor', 'sort'] as const) {
  @ExportFormatField()
  format?: ExportFormat;

  @SortField(incidentExportSorts, '-createdAt', stableSort)
  sort?: (typeof incidentExportSorts)[number];
}

export class PostIncident {
  @ApiProperty({ minLength: 1, maxLength: 1024 })
  @Named(1024)
  title!: string;

  @ApiProperty({ enum: severities, enumName: 'Severity' })
  @IsIn(severities)
  severity!: Severity;

  @ApiPropertyOptional({ ...nullableText, maxLength: 32_768 })
  @Clearable()
  @IsString()
  @MaxLength(32_768)
  summary?: string | null;

  @ApiPropertyOptional({ ...nullableText })
  @Clearable()
  @IsString()
  clientId?: string | null;

  @ApiPropertyOptional({ type: 'array', items: { type: 'string' }, maxItems: 50, uniqueItems: true })
  @Sent()
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique()
  @IsString({ each: true })
  assigneeIds?: string[];

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    maxItems: 250,
    uniqueItems: true,
    description: 'Alerts to add to the new incident. None of them may be in another open incident.',
  })
  @Sent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(250)
  @ArrayUnique()
  @IsString({ each: true })
  alertIds?: string[];

  @ApiPropertyOptional({
    ...nullableText,
    description: 'The escalation policy that pages people. Without one, nobody is paged.',
  })
  @Clearable()
  @IsString()
  policyId?: string | null;

  @NoteField()
  note?: string | null;

  @OnBehalfOfField()
  onBehalfOf?: string | null;
}

export class PutIncident {
  @ApiPropertyOptional({
    enum: incidentStatuses,
    enumName: 'IncidentStatus',
    description:
      'triggered → acknowledged → resolved. An acknowledged or resolved incident can become triggered again. ' +
      'Acknowledging the incident also acknowledges its firing alerts.',
  })
  @Sent()
  @IsIn(incidentStatuses)
  status?: IncidentStatus;

  @ApiPropertyOptional({
    description:
      'With the status `resolved`: also resolve the open alerts of the incident. With `false` they stay as they are, ' +
      'and the next firing of one of them reopens the incident.',
    default: true,
  })
  @Sent()
  @IsBoolean()
  resolveAlerts?: boolean;

  @ApiPropertyOptional({
    ...nullableTime,
    description:
      'Acknowledges the incident until this time, at most 30 days from now. Then it is triggered again. Null ends the ' +
      'snooze.',
  })
  @Clearable()
  @IsISO8601({ strict: true })
  snoozedUntil?: string | null;

  @ApiPropertyOptional({ type: 'array', items: { type: 'string' }, maxItems: 50, uniqueItems: true })
  @Sent()
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique()
  @IsString({ each: true })
  assigneeIds?: string[];

  @ApiPropertyOptional({ enum: severities, enumName: 'Severity' })
  @Sent()
  @IsIn(severities)
  severity?: Severity;

  @ApiPropertyOptional({ minLength: 1, maxLength: 1024 })
  @Sent()
  @Named(1024)
  title?: string;

  @ApiPropertyOptional({ ...nullableText, maxLength: 32_768 })
  @Clearable()
  @IsString()
  @MaxLength(32_768)
  summary?: string | null;

  @NoteField('Stored in the timeline, also when no other field is sent.')
  note?: string | null;

  @OnBehalfOfField()
  onBehalfOf?: string | null;
}

export const mergeLimits = {
  incidents: 25,
  /** Alerts that one request moves. */
  alerts: 5000,
} as const;

export class MergeIncidents {
  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    maxItems: mergeLimits.incidents,
    uniqueItems: true,
    description: 'Open incidents about the same client. Their alerts move to the incident of the path.',
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(mergeLimits.incidents)
  @ArrayUnique()
  @IsString({ each: true })
  incidentIds!: string[];

  @NoteField('Stored in the timelines of all of them.')
  note?: string | null;

  @OnBehalfOfField()
  onBehalfOf?: string | null;
}

export class EscalateIncident {
  @NoteField()
  note?: string | null;

  @OnBehalfOfField()
  onBehalfOf?: string | null;
}

export const incidentTimelineTypes = [
  'incident.created',
  'incident.acknowledged',
  'incident.resolved',
  'incident.reopened',
  'incident.updated',
  'incident.alertAdded',
  'incident.noted',
  'incident.merged',
  'incident.escalated',
  'incident.paged',
] as const;
export type IncidentTimelineType = (typeof incidentTimelineTypes)[number];

export class IncidentTimelineEntry {
  @ApiProperty() id!: string;
  @ApiProperty({ enum: incidentTimelineTypes }) type!: IncidentTimelineType;
  @ApiProperty({ ...time }) occurredAt!: string;
  @ApiProperty({ type: Actor }) actor!: Actor;
  @ApiProperty({ type: Cause, description: 'The request, workflow or alert that caused the change.' }) cause!: Cause;
  @ApiProperty({ type: [Change] }) changes!: Change[];
  @ApiProperty({ ...nullableText }) note!: string | null;
}

/** With any other status, `resolveAlerts` would be ignored without notice. */
const resolveAlertsFaults = ({ resolveAlerts, status }: Record<string, unknown>): FieldFault[] =>
  resolveAlerts !== undefined && status !== 'resolved'
    ? [{ path: 'resolveAlerts', rule: 'status', message: 'resolveAlerts is allowed only with the status resolved' }]
    : [];

export const incidentExample: Incident = {
  id: 'inc_01938f3a7c2e7d4ab1c2d3e4f5060040',
  number: 42,
  title: 'Checkout is slow',
  summary: null,
  severity: 'high',
  severityBy: 'alerts',
  urgency: 'high',
  status: 'triggered',
  policyId: null,
  escalation: noEscalation,
  snoozedUntil: null,
  clientId: null,
  assigneeIds: ['usr_01938f3a7c2e7d4ab1c2d3e4f5060030'],
  workflowId: null,
  groupKey: null,
  alertCount: 1,
  openAlertCount: 1,
  triggeredAt: '2026-11-20T14:00:00.000Z',
  acknowledgedAt: null,
  acknowledgedBy: null,
  resolvedAt: null,
  resolvedBy: null,
  mergedInto: null,
  createdAt: '2026-11-20T14:00:00.000Z',
  updatedAt: '2026-11-20T14:00:00.000Z',
  version: 1,
};
const id = incidentExample.id;
const actorExample: Actor = { type: 'api_key', id: 'key_01938f3a7c2e7d4ab1c2d3e4f5060002', name: 'on-call bot' };

export class ListIncidentAlertsQuery extends ListQuery {
  @SortField(alertSorts, '-lastOccurredAt')
  sort?: AlertSort;
}

export const listIncidents = operation({
  id: 'incidents.list',
  operationId: 'listIncidents',
  owner: 'resource-api',
  method: 'GET',
  path: '/incidents',
  scope: 'incidents:read',
  tag: 'Incidents',
  summary: 'List incidents',
  description: 'By default, the newest incident comes first.',
  query: ListIncidentsQuery,
  reply: 'list',
  item: Incident,
  faults: ['INVALID_CURSOR'],
  example: {
    query: { status: 'triggered,acknowledged' },
    reply: { data: [incidentExample], meta: { limit: 50, hasMore: false, nextCursor: null, total: 1 } },
  },
});

export const exportIncidents = operation({
  id: 'incidents.export',
  operationId: 'exportIncidents',
  owner: 'resource-api',
  method: 'GET',
  path: '/incidents/export',
  scope: 'incidents:read',
  tag: 'Incidents',
  summary: 'Export incidents',
  description: exportDescription('incidents'),
  query: ExportIncidentsQuery,
  reply: 'export',
  item: Incident,
  file: {
    name: 'incidents',
    columns: [
      'id',
      'number',
      'title',
      'summary',
      'severity',
      'severityBy',
      'urgency',
      'status',
      'policyId',
      'escalation.state',
      'escalation.episode',
      'escalation.round',
      'escalation.level',
      'escalation.nextAt',
      'escalation.told',
      'snoozedUntil',
      'clientId',
      'assigneeIds',
      'workflowId',
      'groupKey',
      'alertCount',
      'openAlertCount',
      'triggeredAt',
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
      'mergedInto',
      'createdAt',
      'updatedAt',
      'version',
    ],
  },
  example: { query: { format: 'csv', severity: 'critical,high' }, reply: [incidentExample] },
});

export const createIncident = operation({
  id: 'incidents.create',
  operationId: 'createIncident',
  owner: 'alert-pipeline',
  method: 'POST',
  path: '/incidents',
  scope: 'incidents:write',
  tag: 'Incidents',
  summary: 'Open an incident',
  description:
    'Opens an incident with the alerts that belong to it. Workflows open incidents automatically. If an ' +
    'alert is in another open incident, the response is 409 `CONFLICT`.',
  body: PostIncident,
  reply: 'created',
  item: Incident,
  versioned: true,
  faults: ['CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
  example: {
    body: {
      title: 'Checkout is slow',
      severity: 'high',
      assigneeIds: incidentExample.assigneeIds,
      alertIds: ['alr_01938f3a7c2e7d4ab1c2d3e4f5061728'],
      note: 'reported by phone',
    },
    reply: { data: incidentExample },
  },
});

export const getIncident = operation({
  id: 'incidents.get',
  operationId: 'getIncident',
  owner: 'resource-api',
  method: 'GET',
  path: '/incidents/{id}',
  scope: 'incidents:read',
  tag: 'Incidents',
  summary: 'Get an incident',
  description: 'One incident.',
  reply: 'one',
  item: Incident,
  versioned: true,
  example: { params: { id }, reply: { data: incidentExample } },
});

export const updateIncident = operation({
  id: 'incidents.update',
  operationId: 'updateIncident',
  owner: 'alert-pipeline',
  method: 'PUT',
  path: '/incidents/{id}',
  scope: 'incidents:write',
  tag: 'Incidents',
  summary: 'Update an incident',
  description:
    'Changes status, assignment, severity, title and summary. Acknowledging the incident acknowledges its ' +
    'firing alerts. Resolving it resolves its open alerts. If the incident already has ' +
    'the status, nothing changes and it keeps its first actor.',
  body: PutIncident,
  check: resolveAlertsFaults,
  reply: 'one',
  item: Incident,
  versioned: true,
  faults: ['INVALID_STATE_TRANSITION', 'CONFLICT', 'VERSION_MISMATCH'],
  example: {
    params: { id },
    body: { status: 'acknowledged', note: 'on it' },
    reply: {
      data: {
        ...incidentExample,
        status: 'acknowledged',
        acknowledgedAt: '2026-11-20T14:06:00.000Z',
        acknowledgedBy: actorExample,
        updatedAt: '2026-11-20T14:06:00.000Z',
        version: 2,
      },
    },
  },
});

export const mergeIncidents = operation({
  id: 'incidents.merge',
  operationId: 'mergeIncidents',
  owner: 'alert-pipeline',
  method: 'POST',
  path: '/incidents/{id}/merge',
  scope: 'incidents:write',
  tag: 'Incidents',
  summary: 'Merge incidents',
  description:
    'Moves all alerts of other incidents to this one. The others are resolved, tell nobody any more and name this ' +
    'incident (`mergedInto`); they cannot be opened again. Later alerts of their groups join this incident while it is ' +
    'open. All of them must be open and about the same client, and have at most ' +
    `${mergeLimits.alerts.toLocaleString('en')} alerts to move, else the response is 409. An incident that was merged ` +
    'into this one before changes nothing.',
  body: MergeIncidents,
  reply: 'one',
  item: Incident,
  versioned: true,
  faults: ['CONFLICT', 'VERSION_MISMATCH', 'IDEMPOTENCY_KEY_REUSED'],
  example: {
    params: { id },
    body: { incidentIds: ['inc_01938f3a7c2e7d4ab1c2d3e4f5060042'], note: 'the same cause' },
    reply: { data: { ...incidentExample, alertCount: 2, openAlertCount: 2, version: 2 } },
  },
});

export const escalateIncident = operation({
  id: 'incidents.escalate',
  operationId: 'escalateIncident',
  owner: 'alert-pipeline',
  method: 'POST',
  path: '/incidents/{id}/escalate',
  scope: 'incidents:write',
  tag: 'Incidents',
  summary: 'Tell the next level now',
  description:
    'Tells the next level of the escalation policy at once. An acknowledged incident is triggered again, its alerts ' +
    'fire, and the escalation goes on after the level that was told last. If a level was told within the last ten ' +
    'seconds, nothing changes, so two people at the same moment tell one level. If nobody is left to tell, or none of ' +
    'its alerts fires, the response is 409.',
  body: EscalateIncident,
  bodyOptional: true,
  reply: 'one',
  item: Incident,
  versioned: true,
  faults: ['CONFLICT', 'VERSION_MISMATCH', 'IDEMPOTENCY_KEY_REUSED'],
  example: {
    params: { id },
    body: { note: 'I need help' },
    reply: { data: { ...incidentExample, version: 3 } },
  },
});

export const listIncidentAlerts = operation({
  id: 'incidents.alerts',
  operationId: 'listIncidentAlerts',
  owner: 'resource-api',
  method: 'GET',
  path: '/incidents/{id}/alerts',
  scope: 'incidents:read',
  tag: 'Incidents',
  summary: 'List the alerts of an incident',
  description: 'By default, the newest occurrence comes first.',
  query: ListIncidentAlertsQuery,
  reply: 'list',
  item: Alert,
  faults: ['INVALID_CURSOR'],
  example: { params: { id }, reply: listAlerts.example.reply },
});

export const getIncidentTimeline = operation({
  id: 'incidents.timeline',
  operationId: 'getIncidentTimeline',
  owner: 'resource-api',
  method: 'GET',
  path: '/incidents/{id}/timeline',
  scope: 'incidents:read',
  tag: 'Incidents',
  summary: 'Get the timeline of an incident',
  description:
    'Every change of the incident in chronological order: what changed, the values before and after, who ' +
    'changed it, and why.',
  query: ListTimelineQuery,
  reply: 'list',
  item: IncidentTimelineEntry,
  faults: ['INVALID_CURSOR'],
  example: {
    params: { id },
    reply: {
      data: [
        {
          id: 'tml_01938f3a7c2e7d4ab1c2d3e4f5060041',
          type: 'incident.acknowledged',
          occurredAt: '2026-11-20T14:06:00.000Z',
          actor: actorExample,
          cause: { type: 'request', id: '4f1f0a5e' },
          changes: [{ field: 'status', before: 'triggered', after: 'acknowledged' }],
          note: 'on it',
        },
      ],
      meta: { limit: 50, hasMore: false, nextCursor: null, total: 1 },
    },
  },
});

export const incidentOperations = [
  listIncidents,
  exportIncidents,
  createIncident,
  getIncident,
  updateIncident,
  mergeIncidents,
  escalateIncident,
  listIncidentAlerts,
  getIncidentTimeline,
];
