/** The status of a window follows from its times and the present. It is computed and never stored. */
import { windowStatus, type WindowStatus, type WindowTimes } from '@ams/domain';
import type { SuppressionWindowEntity } from './suppression-window.entity.js';

export type StoredTimes = Pick<
  SuppressionWindowEntity,
  | 'id'
  | 'version'
  | 'enabled'
  | 'startsAt'
  | 'endsAt'
  | 'timezone'
  | 'rrule'
  | 'durationSeconds'
  | 'untilTime'
  | 'excludedDates'
>;

/**
 * The times of windows by their ids. The domain reads the recurrence rule of each object once: a rule with a COUNT
 * may take 60 ms, and a page has a hundred windows.
 */
const known = new Map<string, { version: number; times: WindowTimes }>();
const knownLimit = 10_000;

/** For a window that is committed or new. After a roll-back the same version of a window could have other times. */
export const statusAt = (window: StoredTimes, now: Date): WindowStatus =>
  windowStatus(timesOf(window), now.toISOString());

export function timesOf({
  id,
  version,
  enabled,
  startsAt,
  endsAt,
  timezone,
  rrule,
  durationSeconds,
  untilTime,
  excludedDates,
}: StoredTimes): WindowTimes {
  const present = known.get(id);
  if (present?.version === version) return present.times;
  if (known.size >= knownLimit) known.clear();
  const times: WindowTimes = {
    enabled,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt?.toISOString() ?? null,
    timezone,
    rrule,
    durationSeconds,
    untilTime,
    excludedDates,
  };
  known.set(id, { version, times });
  return times;
}
