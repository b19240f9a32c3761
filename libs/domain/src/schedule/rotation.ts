/**
 * The turns of a layer. Hand-offs are wall times, so a turn can be an hour shorter or longer at a clock change. Turns
 * are computed, not iterated: only the requested turns have a cost, in any year.
 *
 * The reference point: for day, week and month it is the last hand-off time (and day) at or before the start of the
 * layer. So a rotation of three days at 08:00 that starts on Monday at 08:00 or at 09:00 has its first hand-off on
 * Thursday at 08:00. For hours it is the first hand-off time at or after the start, and turns are counted backwards
 * from there too: ten hours at 08:00, started at 06:00, has hand-offs at 08:00 and 18:00; twelve hours at 08:00,
 * started at 09:00, at 20:00. The first turn is complete when the layer starts at a hand-off, and shorter when it
 * starts between two.
 */
import type { Rotation, StoredLayer } from './schedule.js';
import type { Span } from './spans.js';
import { day, hour, timeOfDay, wallClock, type WallClock } from '../time/wall-clock.js';

export interface Turn extends Span {
  /** In their order, each once. */
  members: string[];
}

/** Periodic wall times, numbered in both directions without limits. */
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

/** Every `interval`-th step, starting with `first`. */
const oneIn = (interval: number, first: number, times: WallTimes): WallTimes => ({
  at: (step) => times.at(first + step * interval),
  latestBy: (wall) => Math.floor((times.latestBy(wall) - first) / interval),
});

const firstMonday = Date.UTC(1970, 0, 5);

/** The hand-offs for an interval of one. */
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

/**
 * The last step at or before an instant. When several steps fall on one instant at a clock change, it is the last of
 * them.
 */
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

/** The number of the day (0 is 1 January 1970) on which a time of day first occurs at or after an instant. */
function dayOfFirst(time: number, instant: number, clock: WallClock): number {
  const times = every(day, time);
  const last = stepAt(instant, times, clock);
  return clock.instantOf(times.at(last)) === instant ? last : last + 1;
}

type Rotating = Pick<StoredLayer, 'members' | 'perTurn'>;

/** Turns follow each other in the list without a rest: with two in each, the first turn has the first two members. */
function membersOf(turn: number, { members, perTurn = 1 }: Rotating): string[] {
  const first = turn * perTurn;
  return [...new Set(Array.from({ length: perTurn }, (_, i) => members[(first + i) % members.length]!))];
}

/** Whether every turn has the same members. */
const isConstant = ({ members, perTurn = 1 }: Rotating): boolean =>
  perTurn >= members.length || members.every((member) => member === members[0]);

/** The hand-offs of a layer, and the step of its first turn. */
function turnsOf({ rotation, startsAt }: StoredLayer, timezone: string): { handoffs: WallTimes; first: number } {
  const instant = Date.parse(startsAt);
  const clock = wallClock(timezone, instant, instant);
  const handoffs = handoffsOf(rotation, instant, clock);
  return { handoffs, first: stepAt(instant, handoffs, clock) };
}

/** The number of the turn at an instant, which is not before the start of the layer; the first turn is 0. */
export function turnAt(instant: number, layer: StoredLayer, timezone: string): number {
  const { handoffs, first } = turnsOf(layer, timezone);
  return stepAt(instant, handoffs, wallClock(timezone, instant, instant)) - first;
}

/**
 * The turns of a layer within a range, cut at its ends, without restrictions. `clock` is the clock of the time zone and
 * must cover the range.
 *
 * Hand-offs are processed from last to first. When clocks skip more time than lies between two hand-offs, the earlier
 * one can move past the later one; a turn that would end before it begins is left out.
 */
export function turnsWithin(range: Span, layer: StoredLayer, timezone: string, clock: WallClock): Turn[] {
  const start = Math.max(range.start, Date.parse(layer.startsAt));
  let end = layer.endsAt ? Math.min(range.end, Date.parse(layer.endsAt)) : range.end;
  if (layer.members.length === 0 || start >= end) return [];
  // A single member may be on call for years: that is one turn for any rotation.
  if (isConstant(layer)) return [{ start, end, members: [...new Set(layer.members)] }];

  const { handoffs, first } = turnsOf(layer, timezone);
  const turns: Turn[] = [];
  for (let step = handoffs.latestBy(clock.latestBy(end)); end > start; step -= 1) {
    const from = Math.max(start, clock.instantOf(handoffs.at(step)));
    if (from >= end) continue;
    turns.push({ start: from, end, members: membersOf(step - first, layer) });
    end = from;
  }
  return turns.reverse();
}
