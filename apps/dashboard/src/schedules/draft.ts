/** A schedule as it is edited: what is sent when it is saved. Pure. */
import type { components } from '@ams/client';

type Schedule = components['schemas']['Schedule'];
export type PutSchedule = components['schemas']['PutSchedule'];
export type Layer = components['schemas']['PostScheduleLayer'] & { id: string; members: string[] };
export type Restriction = components['schemas']['LayerRestriction'];
export type Unit = 'hour' | 'day' | 'week' | 'month';

export interface Draft {
  name: string;
  description: string;
  teamId: string | null;
  timezone: string;
  layerMode: 'last' | 'all';
  layers: Layer[];
  plannedGaps: Restriction[];
  /** Null: now. */
  effectiveAt: string | null;
}

/** The newest edit: what is planned already is edited too, and not taken back. */
export function draftOf(schedule: Schedule): Draft {
  const { timezone, layerMode, layers, plannedGaps } = schedule.planned.at(-1) ?? schedule;
  return {
    name: schedule.name,
    description: schedule.description ?? '',
    teamId: schedule.teamId,
    timezone,
    layerMode,
    layers: layers.map((layer) => ({ ...layer, members: layer.members })),
    plannedGaps,
    effectiveAt: null,
  };
}

/** Members of a layer for everybody are kept by the service, and not sent. */
const sentLayer = ({ members, everybody, ...layer }: Layer): Layer =>
  ({ ...layer, everybody, ...(everybody ? {} : { members }) }) as Layer;

/** What decides who is on call: it is previewed, and counts from `effectiveAt` on. */
export function settingsOf({ timezone, layerMode, layers, plannedGaps, effectiveAt }: Draft): PutSchedule {
  return {
    timezone,
    layerMode,
    layers: layers.map(sentLayer),
    plannedGaps,
    ...(effectiveAt === null ? {} : { effectiveAt }),
  };
}

export const bodyOf = (draft: Draft): PutSchedule => ({
  name: draft.name,
  description: draft.description.trim() || null,
  teamId: draft.teamId,
  ...settingsOf(draft),
});

/** A new layer hands over every Monday at 09:00; the service says from when on. */
export const newLayer = (id: string, name: string): Layer => ({
  id,
  name,
  members: [],
  rotation: { unit: 'week', interval: 1, handoffTime: '09:00', handoffDay: 1 },
  restrictions: [],
  timezone: null,
  perTurn: 1,
  everybody: false,
});

/** Another unit has another kind of hand-off day, and shorter turns. */
export function withUnit(rotation: NonNullable<Layer['rotation']>, unit: Unit): NonNullable<Layer['rotation']> {
  const longest = { hour: 720, day: 365, week: 52, month: 12 }[unit];
  const handoffDay = unit === 'week' || unit === 'month' ? 1 : null;
  return { ...rotation, unit, interval: Math.min(rotation.interval, longest), handoffDay };
}

export const newRestriction: Restriction = { days: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' };
