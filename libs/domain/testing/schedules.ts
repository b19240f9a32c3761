/** Schedules for tests. */
import { Temporal } from 'temporal-polyfill';
import {
  resolveShifts,
  type OnCallSchedule,
  type Rotation,
  type StoredLayer,
  type ScheduleOverride,
} from '../src/index.js';

export const hourly = (interval: number, handoffTime: string): Rotation => ({
  unit: 'hour',
  interval,
  handoffTime,
  handoffDay: null,
});
export const daily = (interval: number, handoffTime: string): Rotation => ({
  unit: 'day',
  interval,
  handoffTime,
  handoffDay: null,
});
export const weekly = (interval: number, handoffDay: number, handoffTime: string): Rotation => ({
  unit: 'week',
  interval,
  handoffTime,
  handoffDay,
});
export const monthly = (interval: number, handoffDay: number, handoffTime: string): Rotation => ({
  unit: 'month',
  interval,
  handoffTime,
  handoffDay,
});

export const layer = (values: Partial<StoredLayer> = {}): StoredLayer => ({
  id: 'layer',
  name: 'Layer',
  members: ['ann', 'bob', 'cleo'],
  rotation: daily(1, '08:00'),
  startsAt: '2025-01-01T00:00Z',
  endsAt: null,
  restrictions: [],
  ...values,
});
export const override = (values: Partial<ScheduleOverride>): ScheduleOverride => ({
  id: 'override',
  userId: 'zoe',
  startsAt: '2025-06-02T10:00Z',
  endsAt: '2025-06-02T12:00Z',
  createdAt: '2025-06-01T00:00Z',
  ...values,
});
export const schedule = (
  layers: StoredLayer[],
  { timezone = 'UTC', overrides = [] }: Partial<OnCallSchedule> = {},
): OnCallSchedule => ({ timezone, layers, overrides });

/** The shifts and gaps in a range, each at its start in the schedule's time zone. */
export function roster(resolved: OnCallSchedule, since: string, until: string): string[] {
  const { shifts, gaps } = resolveShifts(resolved, since, until);
  return [
    ...shifts.map(({ startsAt, userId }) => ({ startsAt, userId })),
    ...gaps.map(({ startsAt }) => ({ startsAt: startsAt!, userId: 'nobody' })),
  ]
    .sort((a, b) => (a.startsAt < b.startsAt ? -1 : 1))
    .map(({ startsAt, userId }) => `${localTime(startsAt, resolved.timezone)} ${userId}`);
}

export const localTime = (instant: string, zone: string): string =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toString({ smallestUnit: 'minute', timeZoneName: 'never' });
