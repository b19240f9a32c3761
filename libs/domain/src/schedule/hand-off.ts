/**
 * Hand-offs: changes of who is on call in a schedule, for whatever reason. The decision compares the members who were
 * told last with those who are on call now, so a service that did not run tells the present state once.
 */
import { day } from '../time/wall-clock.js';
import { onCallAt, type Shift } from './resolve.js';
import type { OnCallSchedule } from './schedule.js';

export interface HandOffDecision {
  /** Whether other members are on call than those who were told last. */
  isHandOff: boolean;
  /** Everybody who is on call, in the order of their ids. */
  userIds: string[];
  /** The shift of the first of the members; null when nobody is on call. */
  shift: Shift | null;
  /** Since when exactly these members are on call, or nobody is; null when that has no beginning. */
  startsAt: string | null;
  /** When this ends; null when that is more than 400 days in the future. */
  endsAt: string | null;
  /** When to decide again, unless the schedule changes before. */
  lookAt: string;
}

/** After this time it is decided again, although no change is known. */
const longestWait = 100 * day;

/** `told`: the members who were told last; null when nothing was told yet, which is no hand-off. */
export function decideHandOff(schedule: OnCallSchedule, told: readonly string[] | null, at: string): HandOffDecision {
  const { shifts, gap } = onCallAt(schedule, at);
  const userIds = [...new Set(shifts.map(({ userId }) => userId))].sort();
  const shift = shifts[0] ?? null;
  const endsAt = (shift ?? gap)?.endsAt ?? null;
  return {
    isHandOff: told !== null && !(told.length === userIds.length && userIds.every((id) => told.includes(id))),
    userIds,
    shift,
    startsAt: (shift ?? gap)?.startsAt ?? null,
    endsAt,
    lookAt: endsAt ?? new Date(Date.parse(at) + longestWait).toISOString(),
  };
}
