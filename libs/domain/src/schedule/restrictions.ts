/**
 * When a restricted layer has somebody. Both ends of a restriction are wall times like hand-offs, so that one that ends
 * where another begins leaves neither a hole nor an overlap, also on a day on which clocks change.
 */
import type { Restriction } from './schedule.js';
import { byStart, joined, type Span } from './spans.js';
import { day, timeOfDay, type WallClock } from '../time/wall-clock.js';

/** The times, within the range and somewhat around it, at which at least one of the restrictions holds. */
export function restrictedTo(restrictions: readonly Restriction[], range: Span, clock: WallClock): Span[] {
  const windows: Span[] = [];
  // One day earlier, as what began then may not have ended.
  const firstDate = Math.floor(clock.earliestAfter(range.start) / day) - 1;
  const lastDate = Math.floor(clock.latestBy(range.end) / day);
  for (let date = firstDate; date <= lastDate; date += 1) {
    const weekday = isoWeekday(date);
    for (const { days, start, end } of restrictions) {
      if (days.includes(weekday)) windows.push(windowOn(date, timeOfDay(start), timeOfDay(end), clock));
    }
  }
  // A window of which clocks skip all, or all but its end, is none.
  return joined(windows.filter(({ start, end }) => start < end).sort(byStart), () => true);
}

const windowOn = (date: number, start: number, end: number, clock: WallClock): Span => ({
  start: clock.instantOf(date * day + start),
  end: clock.instantOf(date * day + (end > start ? end : end + day)),
});

/** Weekday of a day counted from 1 January 1970, a Thursday. */
const isoWeekday = (date: number): number => ((((date + 3) % 7) + 7) % 7) + 1;
