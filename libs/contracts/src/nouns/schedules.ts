/**
 * Schedules: who is on call, and when. The domain validates layers and computes who is on call.
 */
import {
  componentsOf,
  layerSchema,
  scheduleLimits,
  sentLayerSchema,
  validateSchedule,
  type PostScheduleLayer,
  type ScheduleLayer,
} from '@ams/domain';
import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import type { FieldFault } from '../fault.js';
import { operation } from '../operation.js';
import {
  Actor,
  CommaSeparated,
  Instant,
  nullableText,
  nullableTime,
  Once,
  PageQuery,
  SearchText,
  Sent,
  sorting,
  time,
  worded,
} from './common.js';
import { InstantField, NameField, TextField, TimeZoneField } from './fields.js';
import { TeamField, TeamFilter, TeamId } from './team-field.js';

export type { PostScheduleLayer, ScheduleLayer };

const scheduleSchemas = componentsOf(layerSchema, sentLayerSchema);
const layers = { type: 'array', items: { $ref: '#/components/schemas/ScheduleLayer' } } as const;
const sentLayers = {
  type: 'array',
  items: { $ref: '#/components/schemas/PostScheduleLayer' },
  maxItems: scheduleLimits.layers,
} as const;

export class ScheduleOverride {
  @ApiProperty() id!: string;
  @ApiProperty() userId!: string;
  @ApiProperty({ ...time }) startsAt!: string;
  @ApiProperty({ ...time }) endsAt!: string;
  @ApiProperty({ ...nullableText }) reason!: string | null;
  @ApiProperty({ type: Actor }) createdBy!: Actor;
  @ApiProperty({ ...time }) createdAt!: string;
}

export class Schedule {
  @ApiProperty() id!: string;
  @ApiProperty({ maxLength: 200 }) name!: string;
  @ApiProperty({ ...nullableText }) description!: string | null;
  @TeamId() teamId!: string | null;
  @ApiProperty({ description: 'IANA time zone of the hand-offs and restrictions.' }) timezone!: string;
  @ApiProperty({ ...layers, description: 'When several layers have a member on call, the last one counts.' })
  layers!: ScheduleLayer[];
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
}

export class PostSchedule extends OmitType(PutSchedule, ['name'] as const) {
  @NameField()
  name!: string;
}

export class PostOverride {
  @ApiProperty({ description: 'The member who is on call.' })
  @IsString()
  userId!: string;

  @InstantField()
  startsAt!: string;

  @InstantField()
  endsAt!: string;

  @TextField(1000, { presence: 'clearable' })
  reason?: string | null;
}

export const scheduleSorts = ['name', '-name', 'createdAt', '-createdAt'] as const;

export class ListSchedulesQuery extends PageQuery {
  @ApiPropertyOptional({
    type: 'string',
    isArray: true,
    description: 'Only schedules that include one of these members.',
    example: ['usr_01938f3a7c2e7d4ab1c2d3e4f5060030'],
  })
  @CommaSeparated()
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  userId?: string[];

  @TeamFilter('schedules')
  teamId?: string[];

  @SearchText('name', 'primary')
  q?: string;

  @ApiPropertyOptional({ enum: scheduleSorts, default: 'name', ...sorting })
  @Once()
  @IsOptional()
  @IsIn(scheduleSorts)
  sort?: (typeof scheduleSorts)[number];
}

export class CurrentOnCallQuery extends PageQuery {
  @ApiPropertyOptional({
    type: 'string',
    isArray: true,
    description: 'Only these schedules.',
    example: ['sch_01938f3a7c2e7d4ab1c2d3e4f5060050'],
  })
  @CommaSeparated()
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  scheduleId?: string[];

  @Instant('The time to check. Default: now.')
  at?: string;
}

const onCallSources = ['layer', 'override'] as const;
type OnCallSource = (typeof onCallSources)[number];

export class OnCallUser {
  @ApiProperty() id!: string;
  @ApiProperty() name!: string;
  @ApiProperty({ format: 'email' }) email!: string;
}

export class NextOnCall {
  @ApiProperty({ type: [OnCallUser] }) users!: OnCallUser[];
  @ApiProperty({ ...time }) startsAt!: string;
  @ApiProperty({ ...nullableTime }) endsAt!: string | null;
}

export class CurrentOnCall {
  @ApiProperty() scheduleId!: string;
  @ApiProperty() scheduleName!: string;
  @ApiProperty({ type: [OnCallUser], description: 'Null in a gap.' }) users!: OnCallUser[];
  @ApiProperty({ enum: onCallSources, enumName: 'OnCallSource', nullable: true }) source!: OnCallSource | null;
  @ApiProperty({ ...nullableText }) layerId!: string | null;
  @ApiProperty({ ...nullableTime, description: 'When the shift or gap began; null when it has no beginning.' })
  startsAt!: string | null;
  @ApiProperty({ ...nullableTime, description: 'When it ends; null when that is more than 400 days in the future.' })
  endsAt!: string | null;
  @ApiProperty({ type: NextOnCall, nullable: true, description: 'The member of the next shift.' })
  next!: NextOnCall | null;
  @ApiProperty({ description: 'Whether nobody is on call.' }) isGap!: boolean;
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
    description: 'The final shifts, from layers and overrides together: in chronological order, without overlap.',
  })
  shifts!: Shift[];
  @ApiProperty({ type: [ScheduleGap], description: 'The times when nobody is on call.' }) gaps!: ScheduleGap[];
}

export const shiftRangeDays = { default: 14, max: 400 } as const;

/** Validates the layers, which the class decorators do not cover. The id of a layer may be left out. */
export function layerFaults({ layers }: Record<string, unknown>): FieldFault[] {
  return layers === undefined
    ? []
    : worded(validateSchedule({ timezone: 'UTC', layers: withIds(layers), overrides: [] }));
}

const withIds = (layers: unknown): unknown =>
  Array.isArray(layers)
    ? layers.map((layer: unknown, index) =>
        typeof layer === 'object' && layer !== null && !Array.isArray(layer)
          ? { id: `\0${index}`, endsAt: null, restrictions: [], ...layer }
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
};
const overrideExample: ScheduleOverride = {
  id: 'ovr_01938f3a7c2e7d4ab1c2d3e4f5060051',
  userId: otherUserExample.id,
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
  layers: [layerExample],
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
  check: layerFaults,
  reply: 'created',
  item: Schedule,
  schemas: scheduleSchemas,
  versioned: true,
  faults: ['IDEMPOTENCY_KEY_REUSED'],
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
    'layers. Overrides have their own operations.',
  body: PutSchedule,
  check: layerFaults,
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
    'From `startsAt` to `endsAt` this member is on call instead of the members of layers and older overrides.',
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
  description: 'The layers and older overrides apply again.',
  reply: 'none',
  faults: ['VERSION_MISMATCH'],
  example: { params: { id, overrideId: overrideExample.id }, reply: null },
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
    'gaps are cut at the ends of the range.',
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
  listShifts,
];
