/** Schedules as the API answers them. Members have public ids there, and plain UUIDs where they are stored. */
import { publicId, type Schedule, type ScheduleOverride } from '@ams/contracts';
import { wholeLayer, type ScheduleSettings, type Versions } from '@ams/domain';
import type { RecordKind } from '../records/entity-records.js';
import type { ScheduleOverrideEntity } from './schedule-override.entity.js';
import { presentAndPlanned } from './schedule-versions.js';
import { ScheduleEntity } from './schedule.entity.js';

export const schedules: RecordKind<ScheduleEntity> = { entity: ScheduleEntity, noun: 'schedule', resource: 'schedule' };

/** `versions` and `overrides`: those that have not ended at `at`. */
export function scheduleRecord(
  schedule: ScheduleEntity,
  versions: Versions,
  overrides: ScheduleOverrideEntity[],
  at: Date,
): Schedule {
  const { present, planned } = presentAndPlanned(versions, at);
  return {
    id: publicId('schedule', schedule.id),
    name: schedule.name,
    description: schedule.description,
    teamId: publicId('team', schedule.teamId),
    ...settingsRecord(present),
    effectiveFrom: present.effectiveFrom,
    planned: planned.map((version) => ({
      effectiveFrom: version.effectiveFrom ?? at.toISOString(),
      ...settingsRecord(version),
    })),
    overrides: overrides.map(overrideRecord),
    createdAt: schedule.createdAt.toISOString(),
    updatedAt: schedule.updatedAt.toISOString(),
    version: schedule.version,
  };
}

const settingsRecord = ({
  timezone,
  layerMode,
  layers,
  plannedGaps,
}: ScheduleSettings): Pick<Schedule, 'timezone' | 'layerMode' | 'layers' | 'plannedGaps'> => ({
  timezone,
  layerMode: layerMode ?? 'last',
  layers: layers.map(wholeLayer).map((layer) => ({
    ...layer,
    members: layer.members.map((member) => publicId('member', member)),
  })),
  plannedGaps: plannedGaps ?? [],
});

export const overrideRecord = (override: ScheduleOverrideEntity): ScheduleOverride => ({
  id: publicId('scheduleOverride', override.id),
  userId: publicId('member', override.memberId),
  replacesUserId: publicId('member', override.replacesMemberId),
  startsAt: override.startsAt.toISOString(),
  endsAt: override.endsAt.toISOString(),
  reason: override.reason,
  createdBy: override.createdBy,
  createdAt: override.createdAt.toISOString(),
});
