/**
 * The instants at which something begins, once or by a recurrence rule in the wall time of a time zone. All times are
 * milliseconds since 1970.
 *
 * A wall time that clocks skip moves forward by the skipped time (RFC 5545 leaves it out, but then a window would miss
 * a night), and a wall time that occurs twice means the first. So an hourly rule pauses for an hour when clocks go
 * back. COUNT counts wall times, also when several fall on one instant.
 */
import { Temporal } from 'temporal-polyfill';
import type { RecurrenceRule } from './recurrence-rule.js';
import { calendarEnd, inOrder, wallTimesOf } from './recurrence.js';
import { day, timeOfDay, wallClock, type WallClock } from './wall-clock.js';

export interface Starts {
  /** In order, after `after` and at or before `upTo`. */
  within: (after: number, upTo: number) => number[];
  /** The first one after an instant. */
  next: (after: number) => number | null;
}

export const neverStarts: Starts = { within: () => [], next: () => null };

export const startsOnce = (start: number): Starts => ({
  within: (after, upTo) => (start > after && start <= upTo ? [start] : []),
  next: (after) => (start > after ? start : null),
});

export interface Recurrence {
  rule: RecurrenceRule;
  /** The rule starts at the wall time of this instant, and nothing begins earlier. */
  startsAt: number;
  /** Nothing begins then or later; Infinity means no end. */
  endsAt: number;
  /** Of the IANA database. */
  timezone: string;
}

/** The starts of a recurrence. They cache the clock changes near the last query, so reuse them. */
export function recurringStarts({ rule, startsAt, endsAt, timezone }: Recurrence): Starts {
  const clockBetween = rememberedClock(timezone);
  const instantOf = (wall: number): number => clockBetween(wall - day, wall + day).instantOf(wall);
  const wallTimes = wallTimesOf(rule, startsAt + offsetAt(startsAt, timezone));
  // Wall time and UTC differ by less than a day.
  const last = Math.min(calendarEnd + day, endsAt - 1, endOf(rule, instantOf));

  const within: Starts['within'] = (after, upTo) => {
    const [since, until] = [Math.max(after, startsAt - 1), Math.min(upTo, last)];
    if (since >= until) return [];
    const clock = clockBetween(since, until);
    const starts = Array.from(wallTimes(since - day, until + day), (wall) => clock.instantOf(wall));
    return inOrder(starts.filter((start) => start > since && start <= until));
  };

  const next: Starts['next'] = (after) => {
    const since = Math.max(after, startsAt - 1);
    for (const wall of wallTimes(since - day, last + day)) {
      const start = instantOf(wall);
      // A start that moves forward can come after its successor.
      if (start > since) return within(since, start)[0] ?? null;
    }
    return null;
  };

  return { within, next };
}

/** The starts that are not on one of these dates (`YYYY-MM-DD`) by the clock of the time zone. */
export function startsExcept(starts: Starts, dates: ReadonlySet<string>, timezone: string): Starts {
  if (dates.size === 0) return starts;
  const isKept = (start: number): boolean =>
    !dates.has(new Date(start + offsetAt(start, timezone)).toISOString().slice(0, 10));
  return {
    within: (after, upTo) => starts.within(after, upTo).filter(isKept),
    next: (after) => {
      let start = starts.next(after);
      while (start !== null && !isKept(start)) start = starts.next(start);
      return start;
    },
  };
}

/** Gives the first instant after another one at which the clock of the time zone shows a time of day (`HH:MM`). */
export function nextWallTime(time: string, timezone: string): (after: number) => number {
  const clockBetween = rememberedClock(timezone);
  return (after) => {
    const clock = clockBetween(after - 2 * day, after + 3 * day);
    const wall = after + offsetAt(after, timezone);
    const midnight = Math.floor(wall / day) * day;
    for (let date = midnight; ; date += day) {
      const instant = clock.instantOf(date + timeOfDay(time));
      if (instant > after) return instant;
    }
  };
}

const offsetAt = (instant: number, timezone: string): number =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone).offsetNanoseconds / 1_000_000;

function endOf({ UNTIL }: RecurrenceRule, instantOf: (wall: number) => number): number {
  if (UNTIL === undefined) return Infinity;
  return UNTIL.isUtc ? UNTIL.time : instantOf(UNTIL.time);
}

/** More than a year, so that a new clock is needed only once a year. */
const reserve = 400 * day;

/** The clock of a time zone, cached until a time outside its range is needed: creating one takes a millisecond. */
function rememberedClock(timezone: string): (since: number, until: number) => WallClock {
  let known: { since: number; until: number; clock: WallClock } | undefined;
  return (since, until) => {
    if (known === undefined || since < known.since || until > known.until) {
      const range = [since - reserve, until + reserve] as const;
      known = { since: range[0], until: range[1], clock: wallClock(timezone, ...range) };
    }
    return known.clock;
  };
}
