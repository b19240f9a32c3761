/**
 * Schedules: who is on call, and when. The domain validates layers and computes who is on call.
 */
import {
  componentsOf,
  layerModes,
  layerSchema,
  layerBasics,
  plannedGapSchema,
  scheduleLimits,
  sentLayerSchema,
  validateSchedule,
  type LayerMode,
  type PostScheduleLayer,
  type Restriction,
  type ScheduleLayer,
} from '@ams/domain';
import { ApiProperty, ApiPropertyOptional, OmitType, PickType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import type { FieldFault } from '../fault.js';
import { operation } from '../operation.js';
import {
  Actor,
  Instant,
  nullableText,
  nullableTime,
  ListQuery,
  PageQuery,
  SearchText,
  Sent,
  time,
  worded,
} from './common.js';
import { InstantField, NameField, TextField, TimeZoneField } from './fields.js';
import { ChoiceFilter, SortField } from './filters.js';
import { TeamField, TeamFilter, TeamId } from './team-field.js';

export type { PostScheduleLayer, ScheduleLayer };

const scheduleSchemas = componentsOf(layerSchema, sentLayerSchema, plannedGapSchema);
const layers = { type: 'array', items: { $ref: '#/components/schemas/ScheduleLayer' } } as const;
const sentLayers = {
  type: 'array',
  items: { $ref: '#/components/schemas/PostScheduleLayer' },
  maxItems: scheduleLimits.layers,
} as const;

const plannedGaps = {
  type: 'array',
  items: { $ref: '#/components/schemas/PlannedGap' },
  maxItems: scheduleLimits.plannedGaps,
  description: 'Times, in the time zone of the schedule, when nobody needs to be on call. They are not listed as gaps.',
} as const;
const layerMode = {
  enum: layerModes,
  enumName: 'LayerMode',
  description:
    '`last`: when several layers have members on call, the last of these layers counts. `all`: the members of all ' +
    'layers are on call together.',
} as const;

const replaced = {
  description:
    'The override takes only the place of this member, and has no effect while this member is not on call. Null: it ' +
    'takes the place of everybody who is on call.',
};

export class ScheduleOverride {
  @ApiProperty() id!: string;
  @ApiProperty() userId!: string;
  @ApiProperty({ ...nullableText, ...replaced }) replacesUserId!: string | null;
  @ApiProperty({ ...time }) startsAt!: string;
  @ApiProperty({ ...time }) endsAt!: string;
  @ApiProperty({ ...nullableText }) reason!: string | null;
  @ApiProperty({ type: Actor }) createdBy!: Actor;
  @ApiProperty({ ...time }) createdAt!: string;
}

/** The settings of a schedule that decide who is on call, from a later time on. */
export class PlannedSettings {
  @ApiProperty({ ...time }) effectiveFrom!: string;
  @ApiProperty() timezone!: string;
  @ApiProperty({ ...layerMode }) layerMode!: LayerMode;
  @ApiProperty({ ...layers }) layers!: ScheduleLayer[];
  @ApiProperty({ ...plannedGaps }) plannedGaps!: Restriction[];
}

export class Schedule {
  @ApiProperty() id!: string;
  @ApiProperty({ maxLength: 200 }) name!: string;
  @ApiProperty({ ...nullableText }) description!: string | null;
  @TeamId() teamId!: string | null;
  @ApiProperty({ description: 'IANA time zone of the hand-offs and restrictions.' }) timezone!: string;
  @ApiProperty({ ...layerMode }) layerMode!: LayerMode;
  @ApiProperty({ ...layers }) layers!: ScheduleLayer[];
  @ApiProperty({ ...plannedGaps }) plannedGaps!: Restriction[];
  @ApiProperty({
    ...nullableTime,
    description: 'The time since which these settings count. Null: they count for all time before now.',
  })
  effectiveFrom!: string | null;
  @ApiProperty({ type: [PlannedSettings], description: 'Edits that count from a later time on.' })
  planned!: PlannedSettings[];
  @ApiProperty({
    type: [ScheduleOverride],
    description:
      'The overrides that have not ended. They take precedence over layers, and newer overrides over older ' + 'ones.',
  })
  overrides!: ScheduleOverride[];
  @ApiProperty({ ...time }) createdAt!: string;
  @ApiProperty({ ...time }) updatedAt!: string;
  @ApiProperty({ type: 'integer', minimum: 1 }) version!: number;
}

export const effectiveWithinDays = 400;

export class PutSchedule {
  @NameField({ presence: 'kept' })
  name?: string;

  @TextField(4096, { presence: 'clearable' })
  description?: string | null;

  @TeamField()
  teamId?: string | null;

  @TimeZoneField({ presence: 'kept', description: 'IANA time zone, such as Europe/Berlin.' })
  timezone?: string;

  @ApiPropertyOptional({ ...sentLayers })
  @Sent()
  @IsArray()
  @ArrayMaxSize(scheduleLimits.layers)
  layers?: PostScheduleLayer[];

  @ApiPropertyOptional({ ...layerMode, default: 'last' })
  @Sent()
  @IsIn(layerModes)
  layerMode?: LayerMode;

  @ApiPropertyOptional({ ...plannedGaps })
  @Sent()
  @IsArray()
  @ArrayMaxSize(scheduleLimits.plannedGaps)
  plannedGaps?: Restriction[];

  @InstantField({
    presence: 'kept',
    description:
      'The time from which the sent `timezone`, `layers`, `layerMode` and `plannedGaps` count: now (the default), or ' +
      `at most ${effectiveWithinDays} days from now. The name and the description change at once.`,
  })
  effectiveAt?: string;
}

export class PostSchedule extends OmitType(PutSchedule, ['name', 'effectiveAt'] as const) {
  @NameField()
  name!: string;
}

export class PostOverride {
  @ApiProperty({ description: 'The member who is on call.' })
  @IsString()
  userId!: string;

  @ApiPropertyOptional({ ...nullableText, ...replaced })
  @IsOptional()
  @IsString()
  replacesUserId?: string | null;

  @InstantField({ description: 'A time in the past means now: what was, stays.' })
  startsAt!: string;

  @InstantField()
  endsAt!: string;

  @TextField(1000, { presence: 'clearable' })
  reason?: string | null;
}

export class SwappedTime {
  @ApiProperty({ description: 'The member who is on call in this time.' })
  @IsString()
  userId!: string;

  @InstantField({ description: 'A time in the past means now.' })
  startsAt!: string;

  @InstantField()
  endsAt!: string;
}

export class PostSwap {
  @ApiProperty({ type: SwappedTime, description: 'The member of `b` takes this time over.' })
  @IsObject()
  @ValidateNested()
  @Type(() => SwappedTime)
  a!: SwappedTime;

  @ApiProperty({ type: SwappedTime, description: 'The member of `a` takes this time over.' })
  @IsObject()
  @ValidateNested()
  @Type(() => SwappedTime)
  b!: SwappedTime;

  @TextField(1000, { presence: 'clearable' })
  reason?: string | null;
}

export class ScheduleSwap {
  @ApiProperty({ type: [ScheduleOverride], description: 'The override of the time of `a`, then that of `b`.' })
  overrides!: ScheduleOverride[];
}

export const scheduleSorts = ['name', '-name', 'createdAt', '-createdAt'] as const;

export class ListSchedulesQuery extends ListQuery {
  @ChoiceFilter({
    mayBeNone: true,
    description: 'Only schedules that include one of these members.',
    example: ['usr_01938f3a7c2e7d4ab1c2d3e4f5060030'],
  })
  userId?: string[];

  @TeamFilter('schedules')
  teamId?: string[];

  @SearchText('name', 'primary')
  q?: string;

  @SortField(scheduleSorts, 'name')
  sort?: (typeof scheduleSorts)[number];
}

export const onCallSorts = ['scheduleName', '-scheduleName'] as const;

export class CurrentOnCallQuery extends PageQuery {
  @ChoiceFilter({
    description: 'Only these schedules.',
    example: ['sch_01938f3a7c2e7d4ab1c2d3e4f5060050'],
  })
  scheduleId?: string[];

  @Instant('The time to check. Default: now.')
  at?: string;

  @SortField(onCallSorts, 'scheduleName')
  sort?: (typeof onCallSorts)[number];
}

const onCallSources = ['layer', 'override'] as const;
type OnCallSource = (typeof onCallSources)[number];

export class OnCallUser {
  @ApiProperty() id!: string;
  @ApiProperty({ description: '`Deleted member` for a member who was deleted.' }) name!: string;
  @ApiProperty({ ...nullableText, format: 'email', description: 'Null for a member who was deleted.' })
  email!: string | null;
}

export class NextOnCall {
  @ApiProperty({ type: [OnCallUser] }) users!: OnCallUser[];
  @ApiProperty({ ...time }) startsAt!: string;
  @ApiProperty({ ...nullableTime }) endsAt!: string | null;
}

export class CurrentOnCall {
  @ApiProperty() scheduleId!: string;
  @ApiProperty() scheduleName!: string;
  @ApiProperty({ type: [OnCallUser], description: 'Everybody who is on call; nobody in a gap.' }) users!: OnCallUser[];
  @ApiProperty({
    enum: onCallSources,
    enumName: 'OnCallSource',
    nullable: true,
    description: 'That of the first of the members.',
  })
  source!: OnCallSource | null;
  @ApiProperty({ ...nullableText, description: 'That of the first of the members.' }) layerId!: string | null;
  @ApiProperty({
    ...nullableTime,
    description: 'Since when exactly these members are on call, or nobody is; null when that has no beginning.',
  })
  startsAt!: string | null;
  @ApiProperty({ ...nullableTime, description: 'When it ends; null when that is more than 400 days in the future.' })
  endsAt!: string | null;
  @ApiProperty({ type: NextOnCall, nullable: true, description: 'Who is on call next.' })
  next!: NextOnCall | null;
  @ApiProperty({ description: 'Whether nobody is on call.' }) isGap!: boolean;
  @ApiProperty({ description: 'Whether nobody is on call, and a planned gap says that nobody needs to be.' })
  isPlannedGap!: boolean;
}

export class ShiftsQuery {
  @Instant('The start of the range. Default: now.')
  since?: string;

  @Instant('The end of the range, at most 400 days after `since`. Default: 14 days after `since`.')
  until?: string;
}

export class Shift {
  @ApiProperty({ type: OnCallUser }) user!: OnCallUser;
  @ApiProperty({ ...time }) startsAt!: string;
  @ApiProperty({ ...time }) endsAt!: string;
  @ApiProperty({ enum: onCallSources, enumName: 'OnCallSource' }) source!: OnCallSource;
  @ApiProperty({ ...nullableText }) layerId!: string | null;
  @ApiProperty({ ...nullableText }) overrideId!: string | null;
}

export class ScheduleGap {
  @ApiProperty({ ...time }) startsAt!: string;
  @ApiProperty({ ...time }) endsAt!: string;
}

export class Shifts {
  @ApiProperty({ ...time }) since!: string;
  @ApiProperty({ ...time }) until!: string;
  @ApiProperty({
    type: [Shift],
    description:
      'The final shifts, from layers and overrides together, in chronological order. They overlap when several ' +
      'members are on call at the same time.',
  })
  shifts!: Shift[];
  @ApiProperty({ type: [ScheduleGap], description: 'The times when nobody is on call, without planned gaps.' })
  gaps!: ScheduleGap[];
}

export const shiftRangeDays = { default: 14, max: 400 } as const;

export const previewDays = { default: 28, max: 92 } as const;

export class PreviewSchedule extends PickType(PutSchedule, [
  'timezone',
  'layers',
  'layerMode',
  'plannedGaps',
  'effectiveAt',
] as const) {
  @InstantField({
    presence: 'kept',
    description: `The end of the preview, at most ${previewDays.max} days from now. Default: ${previewDays.default} days from now.`,
  })
  until?: string;
}

export class PreviewedShifts {
  @ApiProperty({ type: [Shift] }) shifts!: Shift[];
  @ApiProperty({ type: [ScheduleGap] }) gaps!: ScheduleGap[];
}

export class PreviewedChange {
  @ApiProperty({ ...time }) startsAt!: string;
  @ApiProperty({ ...time }) endsAt!: string;
  @ApiProperty({ type: [OnCallUser], description: 'Who is on call without the edit; nobody in a gap.' })
  before!: OnCallUser[];
  @ApiProperty({ type: [OnCallUser], description: 'Who is on call with the edit; nobody in a gap.' })
  after!: OnCallUser[];
}

export class SchedulePreview {
  @ApiProperty({ ...time, description: 'Now: the past does not change.' }) since!: string;
  @ApiProperty({ ...time }) until!: string;
  @ApiProperty({ type: PreviewedShifts, description: 'Without the edit.' }) before!: PreviewedShifts;
  @ApiProperty({ type: PreviewedShifts, description: 'With the edit.' }) after!: PreviewedShifts;
  @ApiProperty({ type: [PreviewedChange], description: 'The times in which other members are on call, in order.' })
  changes!: PreviewedChange[];
}

/** Validates what the class decorators do not cover. The id of a layer may be left out. */
export function scheduleFaults({ layers, plannedGaps }: Record<string, unknown>): FieldFault[] {
  if (layers === undefined && plannedGaps === undefined) return [];
  const checked = { timezone: 'UTC', layers: withIds(layers ?? []), plannedGaps: plannedGaps ?? [], overrides: [] };
  return worded(validateSchedule(checked));
}

/** For the check of the others: what is left out is known only where the layer is stored. */
const basics = layerBasics({}, { number: 1, from: '1970-01-02T00:00:00Z' });
const placeholders = { ...basics, endsAt: null, restrictions: [] };
const withoutAbsent = (layer: object): object =>
  Object.fromEntries(Object.entries(layer).filter(([field, value]) => value !== null || !Object.hasOwn(basics, field)));

const withIds = (layers: unknown): unknown =>
  Array.isArray(layers)
    ? layers.map((layer: unknown, index) =>
        typeof layer === 'object' && layer !== null && !Array.isArray(layer)
          ? { ...placeholders, id: `\0${index}`, ...withoutAbsent(layer) }
          : layer,
      )
    : layers;

const userExample: OnCallUser = {
  id: 'usr_01938f3a7c2e7d4ab1c2d3e4f5060030',
  name: 'Mira Okafor',
  email: 'mira@example.com',
};
const otherUserExample: OnCallUser = {
  id: 'usr_01938f3a7c2e7d4ab1c2d3e4f5060031',
  name: 'Jon Reyes',
  email: 'jon@example.com',
};
const actorExample: Actor = { type: 'api_key', id: 'key_01938f3a7c2e7d4ab1c2d3e4f5060002', name: 'on-call bot' };

const layerExample: ScheduleLayer = {
  id: 'weekly',
  name: 'Weekly',
  members: [userExample.id, otherUserExample.id],
  rotation: { unit: 'week', interval: 1, handoffTime: '09:00', handoffDay: 1 },
  startsAt: '2026-11-16T08:00:00.000Z',
  endsAt: null,
  restrictions: [],
  timezone: null,
  perTurn: 1,
  everybody: false,
};
const overrideExample: ScheduleOverride = {
  id: 'ovr_01938f3a7c2e7d4ab1c2d3e4f5060051',
  userId: otherUserExample.id,
  replacesUserId: null,
  startsAt: '2026-11-21T08:00:00.000Z',
  endsAt: '2026-11-21T20:00:00.000Z',
  reason: 'wedding',
  createdBy: actorExample,
  createdAt: '2026-11-20T14:00:00.000Z',
};
const scheduleExample: Schedule = {
  id: 'sch_01938f3a7c2e7d4ab1c2d3e4f5060050',
  name: 'Primary',
  description: null,
  teamId: null,
  timezone: 'Europe/Berlin',
  layerMode: 'last',
  layers: [layerExample],
  plannedGaps: [],
  effectiveFrom: null,
  planned: [],
  overrides: [overrideExample],
  createdAt: '2026-11-20T13:00:00.000Z',
  updatedAt: '2026-11-20T14:00:00.000Z',
  version: 2,
};
const { id: _id, ...sentLayerExample } = layerExample;
const id = scheduleExample.id;

export const listSchedules = operation({
  id: 'schedules.list',
  operationId: 'listSchedules',
  owner: 'resource-api',
  method: 'GET',
  path: '/schedules',
  scope: 'schedules:read',
  tag: 'Schedules',
  summary: 'List schedules',
  description: 'The schedules in the environment of the key. By default, they are sorted by name.',
  query: ListSchedulesQuery,
  reply: 'list',
  item: Schedule,
  schemas: scheduleSchemas,
  faults: ['INVALID_CURSOR'],
  example: {
    query: { q: 'primary' },
    reply: { data: [scheduleExample], meta: { limit: 50, hasMore: false, nextCursor: null, total: 1 } },
  },
});

export const createSchedule = operation({
  id: 'schedules.create',
  operationId: 'createSchedule',
  owner: 'resource-api',
  method: 'POST',
  path: '/schedules',
  scope: 'schedules:write',
  tag: 'Schedules',
  summary: 'Create a schedule',
  description:
    'Hand-offs are wall-clock times in the time zone of the schedule, also when clocks change: a time that ' +
    'does not exist moves forward, and of a time that exists twice the first is used.',
  body: PostSchedule,
  check: scheduleFaults,
  reply: 'created',
  item: Schedule,
  schemas: scheduleSchemas,
  versioned: true,
  faults: ['QUOTA_EXCEEDED', 'IDEMPOTENCY_KEY_REUSED'],
  example: {
    body: { name: 'Primary', timezone: 'Europe/Berlin', layers: [sentLayerExample] },
    reply: { data: { ...scheduleExample, overrides: [], version: 1 } },
  },
});

export const getSchedule = operation({
  id: 'schedules.get',
  operationId: 'getSchedule',
  owner: 'resource-api',
  method: 'GET',
  path: '/schedules/{id}',
  scope: 'schedules:read',
  tag: 'Schedules',
  summary: 'Get a schedule',
  description: 'One schedule with its layers and the overrides that have not ended.',
  reply: 'one',
  item: Schedule,
  schemas: scheduleSchemas,
  versioned: true,
  example: { params: { id }, reply: { data: scheduleExample } },
});

export const updateSchedule = operation({
  id: 'schedules.update',
  operationId: 'updateSchedule',
  owner: 'resource-api',
  method: 'PUT',
  path: '/schedules/{id}',
  scope: 'schedules:write',
  tag: 'Schedules',
  summary: 'Update a schedule',
  description:
    'Changes the fields that are sent and keeps the others; `null` clears a field. `layers` replaces all ' +
    'layers. What decides who is on call changes from now on, or from `effectiveAt` on, also in edits that are ' +
    'planned for a later time; who was on call before stays as it was. Overrides have their own operations.',
  body: PutSchedule,
  check: scheduleFaults,
  reply: 'one',
  item: Schedule,
  schemas: scheduleSchemas,
  versioned: true,
  faults: ['VERSION_MISMATCH'],
  example: { params: { id }, body: { timezone: 'Europe/Berlin' }, reply: { data: scheduleExample } },
});

export const deleteSchedule = operation({
  id: 'schedules.delete',
  operationId: 'deleteSchedule',
  owner: 'resource-api',
  method: 'DELETE',
  path: '/schedules/{id}',
  scope: 'schedules:write',
  tag: 'Schedules',
  summary: 'Delete a schedule',
  description: 'If a workflow uses the schedule, the response is 409 with a list of the workflows.',
  reply: 'none',
  versioned: true,
  faults: ['VERSION_MISMATCH', 'RESOURCE_IN_USE'],
  example: { params: { id }, reply: null },
});

export const createOverride = operation({
  id: 'schedules.createOverride',
  operationId: 'createScheduleOverride',
  owner: 'resource-api',
  method: 'POST',
  path: '/schedules/{id}/overrides',
  scope: 'schedules:write',
  tag: 'Schedules',
  summary: 'Override a schedule',
  description:
    'From `startsAt` to `endsAt` this member is on call instead of the members of layers and older overrides. It ' +
    'counts from now on at the earliest.',
  body: PostOverride,
  reply: 'created',
  item: ScheduleOverride,
  faults: ['VERSION_MISMATCH', 'IDEMPOTENCY_KEY_REUSED'],
  example: {
    params: { id },
    body: {
      userId: otherUserExample.id,
      startsAt: overrideExample.startsAt,
      endsAt: overrideExample.endsAt,
      reason: 'wedding',
    },
    reply: { data: overrideExample },
  },
});

export const deleteOverride = operation({
  id: 'schedules.deleteOverride',
  operationId: 'deleteScheduleOverride',
  owner: 'resource-api',
  method: 'DELETE',
  path: '/schedules/{id}/overrides/{overrideId}',
  scope: 'schedules:write',
  tag: 'Schedules',
  summary: 'Delete an override',
  description:
    'The layers and older overrides apply again. An override that has begun ends now: who was on call stays as it was.',
  reply: 'none',
  faults: ['VERSION_MISMATCH'],
  example: { params: { id, overrideId: overrideExample.id }, reply: null },
});

export const createSwap = operation({
  id: 'schedules.swap',
  operationId: 'swapShifts',
  owner: 'resource-api',
  method: 'POST',
  path: '/schedules/{id}/swaps',
  scope: 'schedules:write',
  tag: 'Schedules',
  summary: 'Swap shifts',
  description:
    'Two members take over a time of each other. This creates two overrides, or none. Each member must be on call for ' +
    'the whole time that is given away.',
  body: PostSwap,
  reply: 'created',
  item: ScheduleSwap,
  faults: ['VERSION_MISMATCH', 'IDEMPOTENCY_KEY_REUSED'],
  example: {
    params: { id },
    body: {
      a: { userId: userExample.id, startsAt: '2026-11-21T08:00:00Z', endsAt: '2026-11-21T20:00:00Z' },
      b: { userId: otherUserExample.id, startsAt: '2026-11-24T08:00:00Z', endsAt: '2026-11-24T20:00:00Z' },
      reason: 'wedding',
    },
    reply: {
      data: {
        overrides: [
          { ...overrideExample, replacesUserId: userExample.id },
          {
            ...overrideExample,
            id: 'ovr_01938f3a7c2e7d4ab1c2d3e4f5060052',
            userId: userExample.id,
            replacesUserId: otherUserExample.id,
            startsAt: '2026-11-24T08:00:00.000Z',
            endsAt: '2026-11-24T20:00:00.000Z',
          },
        ],
      },
    },
  },
});

export const listShifts = operation({
  id: 'schedules.shifts',
  operationId: 'getScheduleShifts',
  owner: 'resource-api',
  method: 'GET',
  path: '/schedules/{id}/shifts',
  scope: 'schedules:read',
  tag: 'Schedules',
  summary: 'Get the shifts of a schedule',
  description:
    'The final shifts in a range, from layers and overrides together, and the gaps between them. Shifts and ' +
    'gaps are cut at the ends of the range. Of the past, they are as they were known then.',
  query: ShiftsQuery,
  reply: 'one',
  item: Shifts,
  example: {
    params: { id },
    query: { since: '2026-11-20T00:00:00Z', until: '2026-11-23T08:00:00Z' },
    reply: {
      data: {
        since: '2026-11-20T00:00:00.000Z',
        until: '2026-11-23T08:00:00.000Z',
        shifts: [
          {
            user: userExample,
            startsAt: '2026-11-20T00:00:00.000Z',
            endsAt: '2026-11-21T08:00:00.000Z',
            source: 'layer',
            layerId: 'weekly',
            overrideId: null,
          },
          {
            user: otherUserExample,
            startsAt: '2026-11-21T08:00:00.000Z',
            endsAt: '2026-11-21T20:00:00.000Z',
            source: 'override',
            layerId: null,
            overrideId: overrideExample.id,
          },
          {
            user: userExample,
            startsAt: '2026-11-21T20:00:00.000Z',
            endsAt: '2026-11-23T08:00:00.000Z',
            source: 'layer',
            layerId: 'weekly',
            overrideId: null,
          },
        ],
        gaps: [],
      },
    },
  },
});

const previewedShift: Shift = {
  user: userExample,
  startsAt: '2026-11-20T14:00:00.000Z',
  endsAt: '2026-11-23T08:00:00.000Z',
  source: 'layer',
  layerId: 'weekly',
  overrideId: null,
};

export const previewSchedule = operation({
  id: 'schedules.preview',
  operationId: 'previewSchedule',
  owner: 'resource-api',
  method: 'POST',
  path: '/schedules/{id}/preview',
  scope: 'schedules:read',
  tag: 'Schedules',
  summary: 'Preview an edit of a schedule',
  description:
    'Who would be on call from now on without and with an edit, and in which times that differs. The edit is checked as ' +
    'an update would check it. Overrides stay. Nothing is stored.',
  body: PreviewSchedule,
  check: scheduleFaults,
  reply: 'one',
  item: SchedulePreview,
  schemas: scheduleSchemas,
  faults: ['IDEMPOTENCY_KEY_REUSED'],
  example: {
    params: { id },
    body: { layers: [{ ...sentLayerExample, id: 'weekly', members: [otherUserExample.id] }] },
    reply: {
      data: {
        since: previewedShift.startsAt,
        until: previewedShift.endsAt,
        before: { shifts: [previewedShift], gaps: [] },
        after: { shifts: [{ ...previewedShift, user: otherUserExample }], gaps: [] },
        changes: [
          {
            startsAt: previewedShift.startsAt,
            endsAt: previewedShift.endsAt,
            before: [userExample],
            after: [otherUserExample],
          },
        ],
      },
    },
  },
});

export const currentOnCall = operation({
  id: 'schedules.currentOnCall',
  operationId: 'getCurrentOnCall',
  owner: 'resource-api',
  method: 'GET',
  path: '/schedules/current-oncall',
  scope: 'schedules:read',
  tag: 'Schedules',
  summary: 'Get who is on call',
  description:
    'One entry for each schedule: who is on call at a time, through which layer or override, until when, and ' +
    'who is next.',
  query: CurrentOnCallQuery,
  reply: 'list',
  item: CurrentOnCall,
  faults: ['INVALID_CURSOR'],
  example: {
    query: { scheduleId: id },
    reply: {
      data: [
        {
          scheduleId: id,
          scheduleName: 'Primary',
          users: [userExample],
          source: 'layer',
          layerId: 'weekly',
          startsAt: '2026-11-16T08:00:00.000Z',
          endsAt: '2026-11-21T08:00:00.000Z',
          next: { users: [otherUserExample], startsAt: '2026-11-21T08:00:00.000Z', endsAt: '2026-11-21T20:00:00.000Z' },
          isGap: false,
          isPlannedGap: false,
        },
      ],
      meta: { limit: 50, hasMore: false, nextCursor: null, total: 1 },
    },
  },
});

export const scheduleOperations = [
  listSchedules,
  createSchedule,
  currentOnCall,
  getSchedule,
  updateSchedule,
  deleteSchedule,
  createOverride,
  deleteOverride,
  createSwap,
  listShifts,
  previewSchedule,
];
