/**
 * Who has their turn in a layer, and when. Hand-offs are wall times, so a turn is an hour shorter or longer where clocks
 * change. They are counted, not walked through: only the turns that are asked for cost anything, in whatever year.
 *
 * From where they are counted: by day, week and month from the last hand-off time (and day) at or before the start of the
 * layer, so every three days at 08:00, started on Monday at 08:00 or at 09:00, is handed over on Thursday at 08:00. By hour
 * from the first hand-off time at or after the start, and backwards from there: every ten hours at 08:00, started at 06:00,
 * is handed over at 08:00 and then at 18:00; every twelve hours at 08:00, started at 09:00, at 20:00. Either way the first
 * turn is whole in a layer that starts at a hand-off, and shorter in one that starts between two.
 */
import type { Rotation, ScheduleLayer } from './schedule.js';
import type { Span } from './spans.js';
import { day, hour, timeOfDay, wallClock, type WallClock } from '../time/wall-clock.js';

export interface Turn extends Span {
  member: string;
}

/** Wall times that return again and again, numbered, without a first or a last. */
interface WallTimes {
  at(step: number): number;
  /** No step after this one is at or before the wall time. */
  latestBy(wall: number): number;
}

const every = (length: number, origin: number): WallTimes => ({
  at: (step) => origin + step * length,
  latestBy: (wall) => Math.floor((wall - origin) / length),
});

/** Steps are months since January 1970. */
const everyMonth = (dayOfMonth: number, time: number): WallTimes => ({
  at: (month) => Date.UTC(1970, month, Math.min(dayOfMonth, daysIn(month))) + time,
  latestBy(wall) {
    const date = new Date(wall);
    return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
  },
});

const daysIn = (month: number): number => new Date(Date.UTC(1970, month + 1, 0)).getUTCDate();

/** One step in every `interval`, beginning with `first`. */
const oneIn = (interval: number, first: number, times: WallTimes): WallTimes => ({
  at: (step) => times.at(first + step * interval),
  latestBy: (wall) => Math.floor((times.latestBy(wall) - first) / interval),
});

const firstMonday = Date.UTC(1970, 0, 5);

/** The hand-offs there would be with an interval of one. */
function unitHandoffs({ unit, handoffTime, handoffDay }: Rotation): WallTimes {
  const time = timeOfDay(handoffTime);
  switch (unit) {
    case 'hour':
      return every(hour, time);
    case 'day':
      return every(day, time);
    case 'week':
      return every(7 * day, firstMonday + (handoffDay! - 1) * day + time);
    case 'month':
      return everyMonth(handoffDay!, time);
  }
}

/** The last step that has come by an instant. Of several that come at once, as clocks skip an hour, that is the last. */
function stepAt(instant: number, times: WallTimes, clock: WallClock): number {
  let step = times.latestBy(clock.latestBy(instant));
  while (clock.instantOf(times.at(step)) > instant) step -= 1;
  return step;
}

function handoffsOf(rotation: Rotation, startsAt: number, clock: WallClock): WallTimes {
  const times = unitHandoffs(rotation);
  const first =
    rotation.unit === 'hour'
      ? 24 * dayOfFirst(timeOfDay(rotation.handoffTime), startsAt, clock)
      : stepAt(startsAt, times, clock);
  return oneIn(rotation.interval, first, times);
}

/** Number of the day, 0 is 1 January 1970, on which a time of day comes for the first time at or after an instant. */
function dayOfFirst(time: number, instant: number, clock: WallClock): number {
  const times = every(day, time);
  const last = stepAt(instant, times, clock);
  return clock.instantOf(times.at(last)) === instant ? last : last + 1;
}

/**
 * The turns of a layer within a range, cut off at its ends; restrictions are not looked at. `clock` is the zone's, right
 * within the range.
 *
 * Hand-offs are taken from the last to the first. Where clocks skip more time than lies between two of them, one that is
 * moved forward can come after its successor; whose turn would end before it begins is passed over.
 */
export function turnsWithin(
  range: Span,
  { members, rotation, ...layer }: ScheduleLayer,
  timezone: string,
  clock: WallClock,
): Turn[] {
  const startsAt = Date.parse(layer.startsAt);
  const start = Math.max(range.start, startsAt);
  let end = layer.endsAt ? Math.min(range.end, Date.parse(layer.endsAt)) : range.end;
  if (members.length === 0 || start >= end) return [];
  // Somebody alone may be on call for years: that is one turn, whatever the rotation.
  if (members.every((member) => member === members[0])) return [{ start, end, member: members[0]! }];

  const clockAtStart = wallClock(timezone, startsAt, startsAt);
  const handoffs = handoffsOf(rotation, startsAt, clockAtStart);
  const first = stepAt(startsAt, handoffs, clockAtStart);
  const turns: Turn[] = [];
  for (let step = handoffs.latestBy(clock.latestBy(end)); end > start; step -= 1) {
    const from = Math.max(start, clock.instantOf(handoffs.at(step)));
    if (from >= end) continue;
    turns.push({ start: from, end, member: members[(step - first) % members.length]! });
    end = from;
  }
  return turns.reverse();
}
