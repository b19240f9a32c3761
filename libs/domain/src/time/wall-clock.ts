/**
 * The clock on the wall of a time zone, as sums of integers. Temporal is asked once where the zone's offset changes, not for
 * each of the tens of thousands of times that a year of hourly hand-offs has.
 *
 * An instant is milliseconds since 1970 in UTC. A wall time is what calendar and clock show in the zone, given as the
 * instant at which they show the same in UTC.
 */
import { Temporal } from 'temporal-polyfill';

export const hour = 3_600_000;
export const day = 24 * hour;

export interface WallClock {
  /** The instant of a wall time. One that clocks skip moves forward by as much as they skip, one that comes twice is its first. */
  instantOf(wall: number): number;
  /** No wall time before this one has its instant after the given one. */
  earliestAfter(instant: number): number;
  /** No wall time after this one has its instant at or before the given one. */
  latestBy(instant: number): number;
}

/** A time during which the zone's offset (wall time less instant, in milliseconds) stays the same. */
interface Stretch {
  from: number;
  until: number;
  offset: number;
  offsetBefore: number;
}

/**
 * The clock of an IANA zone, for instants between `since` and `until`. A wall time whose instant is not among them gets
 * another that is not among them either, on the same side.
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

/** Asked for from a day earlier than is needed: no zone ever put its clocks by more, so what a change does is over by then. */
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
