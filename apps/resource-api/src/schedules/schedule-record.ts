/** Schedules as the API answers them. Members have public ids there, and plain UUIDs where they are stored. */
import { publicId, type Schedule, type ScheduleOverride } from '@ams/contracts';
import type { RecordKind } from '../records/entity-records.js';
import type { ScheduleOverrideEntity } from './schedule-override.entity.js';
import { ScheduleEntity } from './schedule.entity.js';

export const schedules: RecordKind<ScheduleEntity> = { entity: ScheduleEntity, noun: 'schedule', resource: 'schedule' };

/** `overrides`: those that have not ended. */
export const scheduleRecord = (schedule: ScheduleEntity, overrides: ScheduleOverrideEntity[]): Schedule => ({
  id: publicId('schedule', schedule.id),
  name: schedule.name,
  description: schedule.description,
  teamId: publicId('team', schedule.teamId),
  timezone: schedule.timezone,
  layers: schedule.layers.map(({ members, ...layer }) => ({
    ...layer,
    members: members.map((member) => publicId('member', member)),
  })),
  overrides: overrides.map(overrideRecord),
  createdAt: schedule.createdAt.toISOString(),
  updatedAt: schedule.updatedAt.toISOString(),
  version: schedule.version,
});

export const overrideRecord = (override: ScheduleOverrideEntity): ScheduleOverride => ({
  id: publicId('scheduleOverride', override.id),
  userId: publicId('member', override.memberId),
  startsAt: override.startsAt.toISOString(),
  endsAt: override.endsAt.toISOString(),
  reason: override.reason,
  createdBy: override.createdBy,
  createdAt: override.createdAt.toISOString(),
});
