/**
 * The instants at which something begins that happens once, or again and again by a recurrence rule in the wall time of a
 * zone. All times are milliseconds since 1970.
 *
 * A wall time that clocks skip moves forward by as much as they skip (RFC 5545 would leave it out, and a night's window must
 * not be lost), and one that they show twice is its first. So an hourly rule pauses for an hour when clocks are put back.
 * What a rule counts is wall times, also those that fall on one instant.
 */
import { Temporal } from 'temporal-polyfill';
import type { RecurrenceRule } from './recurrence-rule.js';
import { calendarEnd, inOrder, wallTimesOf } from './recurrence.js';
import { day, wallClock, type WallClock } from './wall-clock.js';

export interface Starts {
  /** In order, those after `after` and not after `upTo`. */
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
  /** The rule counts from what the zone's clocks show then, and nothing begins earlier. */
  startsAt: number;
  /** Nothing begins then or later; Infinity for never. */
  endsAt: number;
  /** Of the IANA database. */
  timezone: string;
}

/** The starts of a recurrence. They remember the zone's changes of clock around what was asked last, so they are worth keeping. */
export function recurringStarts({ rule, startsAt, endsAt, timezone }: Recurrence): Starts {
  const clockBetween = rememberedClock(timezone);
  const instantOf = (wall: number): number => clockBetween(wall - day, wall + day).instantOf(wall);
  const wallTimes = wallTimesOf(rule, startsAt + offsetAt(startsAt, timezone));
  // Wall time and UTC are never a day apart.
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
      // A start that is moved forward can come after its successor.
      if (start > since) return within(since, start)[0] ?? null;
    }
    return null;
  };

  return { within, next };
}

const offsetAt = (instant: number, timezone: string): number =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone).offsetNanoseconds / 1_000_000;

function endOf({ UNTIL }: RecurrenceRule, instantOf: (wall: number) => number): number {
  if (UNTIL === undefined) return Infinity;
  return UNTIL.isUtc ? UNTIL.time : instantOf(UNTIL.time);
}

/** More than a year, so that the clock has to be made anew once a year only. */
const reserve = 400 * day;

/** A zone's clock, kept until it is asked for a time it was not made for: to make one takes a millisecond. */
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
