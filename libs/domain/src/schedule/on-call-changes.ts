/** What an edit changes: the times in which other members are on call than without it. Pure. */
import type { Shift } from './resolve.js';

export interface OnCallChange {
  startsAt: string;
  endsAt: string;
  /** In the order of their ids; empty when nobody is on call. */
  before: string[];
  after: string[];
}

type TimedShift = Pick<Shift, 'userId' | 'startsAt'> & { endsAt: string };

/**
 * The times, in order, in which the members of the two lists of shifts differ. Which layer or override they are on call
 * through does not matter. Times are in UTC with milliseconds, so they are compared as texts.
 */
export function onCallChanges(before: readonly TimedShift[], after: readonly TimedShift[]): OnCallChange[] {
  const times = [...new Set([...before, ...after].flatMap(({ startsAt, endsAt }) => [startsAt, endsAt]))].sort();
  const changes: OnCallChange[] = [];
  for (const [i, startsAt] of times.entries()) {
    const endsAt = times[i + 1];
    if (endsAt === undefined) break;
    const change = { startsAt, endsAt, before: membersAt(before, startsAt), after: membersAt(after, startsAt) };
    if (sameMembers(change.before, change.after)) continue;
    const last = changes.at(-1);
    const goesOn =
      last?.endsAt === startsAt && sameMembers(last.before, change.before) && sameMembers(last.after, change.after);
    if (goesOn) last.endsAt = endsAt;
    else changes.push(change);
  }
  return changes;
}

const membersAt = (shifts: readonly TimedShift[], at: string): string[] => [
  ...new Set(
    shifts
      .filter(({ startsAt, endsAt }) => startsAt <= at && at < endsAt)
      .map(({ userId }) => userId)
      .sort(),
  ),
];

const sameMembers = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((member, i) => member === b[i]);
