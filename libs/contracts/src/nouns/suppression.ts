/** Suppression windows: times in which matching alerts are suppressed. */
import {
  componentsOf,
  predicateSchema,
  severities,
  validateWindow,
  validateWindowFields,
  windowEnds,
  windowFields,
  windowStatuses,
  type Predicate,
  type Severity,
  type WindowEnd,
  type WindowStatus,
  type Negatable,
} from '@ams/domain';
import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import type { FieldFault } from '../fault.js';
import { operation } from '../operation.js';
import { Alert, listAlerts } from './alerts.js';
import { Actor, Instant, nullableText, nullableTime, ListQuery, SearchText, time, worded } from './common.js';
import { ChoiceFilter, SortField } from './filters.js';
import { NameField, SettingField, TextField } from './fields.js';
import { TeamField, TeamFilter, TeamId } from './team-field.js';

const predicateSchemas = componentsOf(predicateSchema);
const predicate = { $ref: '#/components/schemas/Predicate' } as const;

export class SuppressionWindow {
  @ApiProperty() id!: string;
  @ApiProperty({ maxLength: 200 }) name!: string;
  @ApiProperty({ ...nullableText }) reason!: string | null;
  @ApiProperty() enabled!: boolean;
  @TeamId() teamId!: string | null;
  @ApiProperty({ type: 'array', items: predicate, description: 'All matchers must hold.' }) matchers!: Predicate[];
  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    description: 'Only alerts about these clients; an empty list means all alerts.',
  })
  clientIds!: string[];
  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    description: 'Only alerts from these integrations; an empty list means all integrations.',
  })
  integrationIds!: string[];
  @ApiProperty({
    enum: severities,
    enumName: 'Severity',
    isArray: true,
    description: 'Alerts of these severities are not suppressed.',
  })
  exceptSeverities!: Severity[];
  @ApiProperty({ description: 'Confirms that the window is intended to match every alert.' }) matchAll!: boolean;
  @ApiProperty({ ...time }) startsAt!: string;
  @ApiProperty({ ...nullableTime, description: 'For a recurring window: no occurrence begins at or after this time.' })
  endsAt!: string | null;
  @ApiProperty({ description: 'IANA time zone. Occurrences begin at a wall-clock time in it.' }) timezone!: string;
  @ApiProperty({ ...nullableText, description: 'RFC 5545 recurrence rule; null for a window that does not recur.' })
  rrule!: string | null;
  @ApiProperty({ type: 'integer', nullable: true, description: 'The duration of each occurrence.' }) durationSeconds!:
    number | null;
  @ApiProperty({
    ...nullableText,
    description: 'In place of `durationSeconds`: each occurrence ends when the clock in the zone next shows this time.',
  })
  untilTime!: string | null;
  @ApiProperty({
    type: 'array',
    items: { type: 'string', format: 'date' },
    description: 'Dates, in the time zone of the window, on which no occurrence begins.',
  })
  excludedDates!: string[];
  @ApiProperty({ enum: windowEnds, description: 'What happens to the suppressed alerts when the window ends.' })
  onEnd!: WindowEnd;
  @ApiProperty({ enum: windowStatuses, enumName: 'SuppressionStatus' }) status!: WindowStatus;
  @ApiProperty({ type: 'integer', minimum: 0, description: 'How many times the window has suppressed an alert.' })
  suppressedCount!: number;
  @ApiProperty({ type: Actor }) createdBy!: Actor;
  @ApiProperty({ ...time }) createdAt!: string;
  @ApiProperty({ ...time }) updatedAt!: string;
  @ApiProperty({ type: 'integer', minimum: 1 }) version!: number;
}

/** Which alerts a window matches. */
export class WindowScope {
  @SettingField(windowFields.matchers, {
    description: 'All matchers must hold. Fields: those of an alert, `labels.<key>`, `annotations.<key>`.',
  })
  matchers?: Predicate[];

  @SettingField(windowFields.clientIds)
  clientIds?: string[];

  @SettingField(windowFields.integrationIds)
  integrationIds?: string[];

  @SettingField(windowFields.exceptSeverities)
  exceptSeverities?: Severity[];

  @SettingField(windowFields.matchAll, {
    default: false,
    description:
      'Must be true for a window without matchers, clients and integrations, because it suppresses every alert.',
  })
  matchAll?: boolean;
}

export class PutSuppressionWindow extends WindowScope {
  @NameField({ presence: 'kept' })
  name?: string;

  @TextField(4096, { presence: 'clearable' })
  reason?: string | null;

  @SettingField(windowFields.enabled, { default: true })
  enabled?: boolean;

  @TeamField()
  teamId?: string | null;

  @SettingField(windowFields.startsAt)
  startsAt?: string;

  @SettingField(windowFields.endsAt)
  endsAt?: string | null;

  @SettingField(windowFields.timezone, { description: 'IANA time zone, such as Europe/Berlin.', default: 'UTC' })
  timezone?: string;

  @SettingField(windowFields.rrule, { example: 'FREQ=WEEKLY;BYDAY=SU' })
  rrule?: string | null;

  @SettingField(windowFields.durationSeconds)
  durationSeconds?: number | null;

  @SettingField(windowFields.untilTime, { nullable: true, example: '06:00' })
  untilTime?: string | null;

  @SettingField(windowFields.excludedDates, { example: ['2026-12-24'] })
  excludedDates?: string[];

  @SettingField(windowFields.onEnd, { default: 'resume' })
  onEnd?: WindowEnd;
}

export class PostSuppressionWindow extends OmitType(PutSuppressionWindow, ['name', 'startsAt'] as const) {
  @NameField()
  name!: string;

  @SettingField(windowFields.startsAt, { required: true })
  startsAt!: string;
}

export const windowSorts = ['name', '-name', 'createdAt', '-createdAt', 'startsAt', '-startsAt'] as const;

export class ListSuppressionQuery extends ListQuery {
  @ChoiceFilter({
    allowed: windowStatuses,
    description: 'Only windows with one of these statuses.',
    example: ['active', 'scheduled'],
  })
  status?: Negatable<WindowStatus>[];

  @ChoiceFilter({
    mayBeNone: true,
    description: 'Only windows that refer to one of these clients.',
    example: ['cli_01938f3a7c2e7d4ab1c2d3e4f5060020'],
  })
  clientId?: string[];

  @ChoiceFilter({
    mayBeNone: true,
    description: 'Only windows that refer to one of these integrations.',
    example: ['int_01938f3a7c2e7d4ab1c2d3e4f5060001'],
  })
  integrationId?: string[];

  @TeamFilter('windows')
  teamId?: string[];

  @SearchText('name', 'patching')
  q?: string;

  @Instant('Only windows that begin at or after this time.')
  since?: string;

  @Instant('Only windows that begin before this time.')
  until?: string;

  @SortField(windowSorts, '-createdAt')
  sort?: (typeof windowSorts)[number];
}

export class SuppressionPreview {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    description: 'The number of open firing alerts that the window would suppress now.',
  })
  total!: number;
  @ApiProperty({ type: [Alert], description: 'The first 50 of these alerts, newest occurrence first.' })
  alerts!: Alert[];
}

export const occurrenceLimits = { defaultDays: 31, maxDays: 100, ofOneWindow: 500, together: 2_000 } as const;

export class OccurrencesQuery {
  @Instant('The start of the range. Default: now.')
  since?: string;

  @Instant('The end of the range, at most 100 days after `since`. Default: 31 days after `since`.')
  until?: string;
}

export class WindowOccurrence {
  @ApiProperty() windowId!: string;
  @ApiProperty({ ...time }) startsAt!: string;
  @ApiProperty({ ...time }) endsAt!: string;
}

export class WindowOccurrences {
  @ApiProperty({ ...time }) since!: string;
  @ApiProperty({ ...time }) until!: string;
  @ApiProperty({
    type: [WindowOccurrence],
    description: 'The occurrences that overlap the range, in the order of their start. Disabled windows have none.',
  })
  occurrences!: WindowOccurrence[];
  @ApiProperty({
    description: 'Whether there are more: at most 500 of one window, and 2,000 of all windows, are answered.',
  })
  hasMore!: boolean;
}

export const windowDefaults = {
  reason: null,
  teamId: null,
  enabled: true,
  matchers: [],
  clientIds: [],
  integrationIds: [],
  exceptSeverities: [],
  matchAll: false,
  endsAt: null,
  timezone: 'UTC',
  rrule: null,
  durationSeconds: null,
  untilTime: null,
  excludedDates: [] as string[],
  onEnd: 'resume',
} as const;

const timesExample = { startsAt: '2026-01-01T00:00:00.000Z', endsAt: '2026-01-02T00:00:00.000Z' };

/** Validates a whole window by the rules of the domain. */
export const windowFaults = (window: Record<string, unknown>): FieldFault[] => worded(validateWindow(window));

const ofCreation = (body: Record<string, unknown>): FieldFault[] => windowFaults({ ...windowDefaults, ...body });

/** Only the fields by themselves: the rules across fields need the stored window. */
const ofChange = (body: Record<string, unknown>): FieldFault[] =>
  worded(validateWindowFields({ ...windowDefaults, ...timesExample, ...body }));

const ofScope = (body: Record<string, unknown>): FieldFault[] =>
  windowFaults({ ...windowDefaults, ...timesExample, ...body });

const windowExample: SuppressionWindow = {
  id: 'sup_01938f3a7c2e7d4ab1c2d3e4f5060060',
  name: 'Sunday patching',
  reason: 'Kernel updates',
  enabled: true,
  teamId: null,
  matchers: [{ field: 'labels.region', op: 'eq', value: 'eu' }],
  clientIds: [],
  integrationIds: [],
  exceptSeverities: ['critical'],
  matchAll: false,
  startsAt: '2026-11-22T01:00:00.000Z',
  endsAt: null,
  timezone: 'Europe/Berlin',
  rrule: 'FREQ=WEEKLY;BYDAY=SU',
  durationSeconds: 7200,
  untilTime: null,
  excludedDates: [],
  onEnd: 'resume',
  status: 'scheduled',
  suppressedCount: 0,
  createdBy: { type: 'api_key', id: 'key_01938f3a7c2e7d4ab1c2d3e4f5060002', name: 'on-call bot' },
  createdAt: '2026-11-20T13:00:00.000Z',
  updatedAt: '2026-11-20T13:00:00.000Z',
  version: 1,
};
const id = windowExample.id;
const bodyExample = {
  name: 'Sunday patching',
  reason: 'Kernel updates',
  matchers: windowExample.matchers,
  exceptSeverities: ['critical'],
  startsAt: '2026-11-22T01:00:00Z',
  timezone: 'Europe/Berlin',
  rrule: 'FREQ=WEEKLY;BYDAY=SU',
  durationSeconds: 7200,
};

export const silenceLimits = { shortest: 60, longest: 31 * 24 * 3600 } as const;

export class PostSilence {
  @ApiProperty({ type: 'integer', minimum: silenceLimits.shortest, maximum: silenceLimits.longest })
  @IsInt()
  @Min(silenceLimits.shortest)
  @Max(silenceLimits.longest)
  durationSeconds!: number;

  @TextField(4096, { presence: 'clearable' })
  reason?: string | null;
}

export const listSuppression = operation({
  id: 'suppression.list',
  operationId: 'listSuppressionWindows',
  owner: 'resource-api',
  method: 'GET',
  path: '/suppression',
  scope: 'suppression:read',
  tag: 'Suppression',
  summary: 'List suppression windows',
  description: 'By default, the newest window comes first.',
  query: ListSuppressionQuery,
  reply: 'list',
  item: SuppressionWindow,
  schemas: predicateSchemas,
  faults: ['INVALID_CURSOR'],
  example: {
    query: { status: 'active,scheduled' },
    reply: { data: [windowExample], meta: { limit: 50, hasMore: false, nextCursor: null, total: 1 } },
  },
});

export const createSuppression = operation({
  id: 'suppression.create',
  operationId: 'createSuppressionWindow',
  owner: 'resource-api',
  method: 'POST',
  path: '/suppression',
  scope: 'suppression:write',
  tag: 'Suppression',
  summary: 'Create a suppression window',
  description:
    'A single window (`startsAt`, `endsAt`) or a recurring one (`rrule` with `durationSeconds` or ' +
    '`untilTime`). While it is ' +
    'active, new alerts that match are suppressed; when it begins, matching open firing alerts are ' +
    'suppressed too. An alert that several windows match stays suppressed until the last one ends.',
  body: PostSuppressionWindow,
  check: ofCreation,
  reply: 'created',
  item: SuppressionWindow,
  schemas: predicateSchemas,
  versioned: true,
  faults: ['QUOTA_EXCEEDED', 'IDEMPOTENCY_KEY_REUSED'],
  example: { body: bodyExample, reply: { data: windowExample } },
});

export const silenceAlert = operation({
  id: 'suppression.silence',
  operationId: 'silenceAlert',
  owner: 'resource-api',
  method: 'POST',
  path: '/alerts/{id}/silence',
  scope: 'suppression:write',
  tag: 'Suppression',
  summary: 'Silence an alert',
  description:
    'Creates a suppression window, from now on, for alerts of the same integration with the fingerprint and the ' +
    'labels of this alert. The first 18 labels count.',
  body: PostSilence,
  reply: 'created',
  item: SuppressionWindow,
  schemas: predicateSchemas,
  versioned: true,
  faults: ['QUOTA_EXCEEDED', 'IDEMPOTENCY_KEY_REUSED'],
  example: {
    params: { id: 'alr_01938f3a7c2e7d4ab1c2d3e4f5060010' },
    body: { durationSeconds: 7200, reason: 'Kernel updates' },
    reply: {
      data: {
        ...windowExample,
        name: 'Silence: Disk almost full on db-1',
        matchers: [
          { field: 'fingerprint', op: 'eq', value: 'db-1/disk' },
          { field: 'labels.region', op: 'eq', value: 'eu' },
        ],
        integrationIds: ['int_01938f3a7c2e7d4ab1c2d3e4f5060001'],
        exceptSeverities: [],
        startsAt: '2026-11-20T13:00:00.000Z',
        endsAt: '2026-11-20T15:00:00.000Z',
        timezone: 'UTC',
        rrule: null,
        durationSeconds: null,
        status: 'active',
      },
    },
  },
});

export const listOccurrences = operation({
  id: 'suppression.occurrences',
  operationId: 'getSuppressionOccurrences',
  owner: 'resource-api',
  method: 'GET',
  path: '/suppression/occurrences',
  scope: 'suppression:read',
  tag: 'Suppression',
  summary: 'Get the occurrences of suppression windows',
  description:
    'When the windows are active in a range: the recurrence rules, time zones and excluded dates are applied. For a ' +
    'calendar.',
  query: OccurrencesQuery,
  reply: 'one',
  item: WindowOccurrences,
  example: {
    query: { since: '2026-11-20T00:00:00Z', until: '2026-11-27T00:00:00Z' },
    reply: {
      data: {
        since: '2026-11-20T00:00:00.000Z',
        until: '2026-11-27T00:00:00.000Z',
        occurrences: [{ windowId: id, startsAt: '2026-11-22T01:00:00.000Z', endsAt: '2026-11-22T03:00:00.000Z' }],
        hasMore: false,
      },
    },
  },
});

export const getSuppression = operation({
  id: 'suppression.get',
  operationId: 'getSuppressionWindow',
  owner: 'resource-api',
  method: 'GET',
  path: '/suppression/{id}',
  scope: 'suppression:read',
  tag: 'Suppression',
  summary: 'Get a suppression window',
  description: 'One window.',
  reply: 'one',
  item: SuppressionWindow,
  schemas: predicateSchemas,
  versioned: true,
  example: { params: { id }, reply: { data: windowExample } },
});

export const updateSuppression = operation({
  id: 'suppression.update',
  operationId: 'updateSuppressionWindow',
  owner: 'resource-api',
  method: 'PUT',
  path: '/suppression/{id}',
  scope: 'suppression:write',
  tag: 'Suppression',
  summary: 'Update a suppression window',
  description:
    'Changes the fields that are sent and keeps the others; `null` clears a field. The change takes effect ' +
    'immediately: alerts that an active window no longer matches resume, and firing alerts that it now ' +
    'matches are suppressed.',
  body: PutSuppressionWindow,
  check: ofChange,
  reply: 'one',
  item: SuppressionWindow,
  schemas: predicateSchemas,
  versioned: true,
  faults: ['VERSION_MISMATCH'],
  example: { params: { id }, body: { enabled: true, reason: 'Kernel updates' }, reply: { data: windowExample } },
});

export const deleteSuppression = operation({
  id: 'suppression.delete',
  operationId: 'deleteSuppressionWindow',
  owner: 'resource-api',
  method: 'DELETE',
  path: '/suppression/{id}',
  scope: 'suppression:write',
  tag: 'Suppression',
  summary: 'Delete a suppression window',
  description: 'The suppressed alerts resume, unless another window matches them.',
  reply: 'none',
  versioned: true,
  faults: ['VERSION_MISMATCH'],
  example: { params: { id }, reply: null },
});

export const previewSuppression = operation({
  id: 'suppression.preview',
  operationId: 'previewSuppressionWindow',
  owner: 'resource-api',
  method: 'POST',
  path: '/suppression/preview',
  scope: 'suppression:read',
  tag: 'Suppression',
  summary: 'Preview a suppression window',
  description:
    'Shows which open firing alerts a window with these settings would suppress if it began now. Nothing is ' +
    'stored.',
  body: WindowScope,
  check: ofScope,
  reply: 'one',
  item: SuppressionPreview,
  schemas: predicateSchemas,
  faults: ['IDEMPOTENCY_KEY_REUSED'],
  example: {
    body: { matchers: windowExample.matchers },
    reply: { data: { total: 1, alerts: (listAlerts.example.reply as { data: unknown[] }).data } },
  },
});

export const suppressionOperations = [
  listSuppression,
  createSuppression,
  silenceAlert,
  previewSuppression,
  listOccurrences,
  getSuppression,
  updateSuppression,
  deleteSuppression,
];
