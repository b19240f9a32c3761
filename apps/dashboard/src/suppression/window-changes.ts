/** Changes of a window's times, each with the change that takes it back. */
import { Temporal } from 'temporal-polyfill';
import type { Body } from '../api/operation-types.js';
import type { Occurrence } from './calendar.js';
import type { SuppressionWindow } from './window.js';

type Change = Body<'updateSuppressionWindow'>;

export interface WindowChange {
  body: Change;
  undo: Change;
}

type Times = Pick<SuppressionWindow, 'rrule' | 'startsAt' | 'endsAt' | 'timezone' | 'excludedDates'>;

/** Of a window that repeats, only the present time ends: the date on which it began is excluded. */
export function endedNow(window: Times, current: Occurrence, now: number): WindowChange {
  const { rrule, startsAt, endsAt, timezone, excludedDates } = window;
  if (rrule === null) {
    // The end must be after the start.
    const end = Math.max(now, Date.parse(startsAt) + 1);
    return { body: { endsAt: new Date(end).toISOString() }, undo: { endsAt } };
  }
  const date = Temporal.Instant.from(current.startsAt).toZonedDateTimeISO(timezone).toPlainDate().toString();
  return { body: { excludedDates: [...new Set([...excludedDates, date])] }, undo: { excludedDates } };
}

export const extendedBy = ({ endsAt, startsAt }: Times, seconds: number): WindowChange => ({
  body: { endsAt: new Date(Date.parse(endsAt ?? startsAt) + seconds * 1000).toISOString() },
  undo: { endsAt },
});
