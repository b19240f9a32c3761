/**
 * The restrictions of a layer. Start and end are wall times like hand-offs, so that adjoining restrictions leave
 * neither a gap nor an overlap, also at clock changes.
 */
import type { Restriction } from './schedule.js';
import { byStart, joined, type Span } from './spans.js';
import { day, timeOfDay, type WallClock } from '../time/wall-clock.js';

/** The times, within and slightly around the range, at which at least one restriction holds. */
export function restrictedTo(restrictions: readonly Restriction[], range: Span, clock: WallClock): Span[] {
  const windows: Span[] = [];
  // From one day earlier, because a restriction that began then may not have ended.
  const firstDate = Math.floor(clock.earliestAfter(range.start) / day) - 1;
  const lastDate = Math.floor(clock.latestBy(range.end) / day);
  for (let date = firstDate; date <= lastDate; date += 1) {
    const weekday = isoWeekday(date);
    for (const { days, start, end } of restrictions) {
      if (days.includes(weekday)) windows.push(windowOn(date, timeOfDay(start), timeOfDay(end), clock));
    }
  }
  // A restriction whose wall times all fall into a clock change is empty.
  return joined(windows.filter(({ start, end }) => start < end).sort(byStart), () => true);
}

const windowOn = (date: number, start: number, end: number, clock: WallClock): Span => ({
  start: clock.instantOf(date * day + start),
  end: clock.instantOf(date * day + (end > start ? end : end + day)),
});

/** Weekday of a day counted from 1 January 1970, a Thursday. */
const isoWeekday = (date: number): number => ((((date + 3) % 7) + 7) % 7) + 1;
