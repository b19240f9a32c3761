/**
 * The wall clock of a time zone, computed with integers. Temporal is asked only for the changes of the zone's offset,
 * not for each of the tens of thousands of times that a year of hourly hand-offs has.
 *
 * An instant is milliseconds since 1970 in UTC. A wall time is the date and time of day in the zone, given as the
 * instant with the same date and time in UTC.
 */
import { Temporal } from 'temporal-polyfill';

export const hour = 3_600_000;
export const day = 24 * hour;

export interface WallClock {
  /**
   * The instant of a wall time. A skipped wall time moves forward by the skipped time; one that occurs twice means the
   * first.
   */
  instantOf(wall: number): number;
  /** No earlier wall time has its instant after the given one. */
  earliestAfter(instant: number): number;
  /** No later wall time has its instant at or before the given one. */
  latestBy(instant: number): number;
}

/** A time during which the offset of the zone (wall time minus instant, in milliseconds) is constant. */
interface Stretch {
  from: number;
  until: number;
  offset: number;
  offsetBefore: number;
}

/**
 * The clock of an IANA zone, for instants between `since` and `until`. A wall time with an instant outside gives
 * another instant outside, on the same side.
 */
export function wallClock(timezone: string, since: number, until: number): WallClock {
  const stretches = stretchesOf(timezone, since - day, until);
  const offsets = stretches.map(({ offset }) => offset);
  const least = Math.min(...offsets);
  const greatest = Math.max(...offsets);
  return {
    instantOf(wall) {
      const { from, offset, offsetBefore } = stretches.find((stretch) => wall - stretch.offset < stretch.until)!;
      return wall - (wall - offset < from ? offsetBefore : offset);
    },
    earliestAfter: (instant) => instant + least,
    latestBy: (instant) => instant + greatest,
  };
}

/**
 * Starts a day earlier than needed: no zone ever changed its offset by more, so the effect of an earlier change has
 * ended.
 */
function stretchesOf(timezone: string, since: number, until: number): Stretch[] {
  const changes = [Temporal.Instant.fromEpochMilliseconds(since).toZonedDateTimeISO(timezone)];
  for (;;) {
    const next = changes.at(-1)!.getTimeZoneTransition('next');
    if (next === null || next.epochMilliseconds > until) break;
    changes.push(next);
  }
  const offsets = changes.map(({ offsetNanoseconds }) => offsetNanoseconds / 1_000_000);
  return changes.map(({ epochMilliseconds }, i) => ({
    from: i === 0 ? -Infinity : epochMilliseconds,
    until: changes[i + 1]?.epochMilliseconds ?? Infinity,
    offset: offsets[i]!,
    offsetBefore: offsets[Math.max(0, i - 1)]!,
  }));
}

/** `HH:MM` in milliseconds since midnight. */
export function timeOfDay(text: string): number {
  const [hours, minutes] = text.split(':');
  return Number(hours) * hour + Number(minutes) * 60_000;
}
