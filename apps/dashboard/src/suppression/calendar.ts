/** Weeks and months of a zone, and where occurrences are in them. Days may have 23 or 25 hours. */
import { Temporal } from 'temporal-polyfill';

export type Span = 'week' | 'month';

export interface Day {
  /** `2026-11-22`. */
  date: string;
  /** Milliseconds since 1970. */
  from: number;
  before: number;
}

export interface Calendar {
  days: Day[];
  /** The first day of the month or week that is shown. */
  first: string;
  last: string;
  previous: string;
  following: string;
}

export function calendarOf(span: Span, at: string | undefined, now: number, zone: string): Calendar {
  const today = dateAt(now, zone);
  const chosen = plainDate(at) ?? today;
  const first = span === 'week' ? mondayOf(chosen) : chosen.with({ day: 1 });
  const step = span === 'week' ? { weeks: 1 } : { months: 1 };
  const last = first.add(step).subtract({ days: 1 });
  const days: Day[] = [];
  const end = mondayOf(last).add({ weeks: 1 });
  for (let day = mondayOf(first); Temporal.PlainDate.compare(day, end) < 0; day = day.add({ days: 1 })) {
    days.push({ date: day.toString(), from: startOf(day, zone), before: startOf(day.add({ days: 1 }), zone) });
  }
  return {
    days,
    first: first.toString(),
    last: last.toString(),
    previous: first.subtract(step).toString(),
    following: first.add(step).toString(),
  };
}

export const dateOf = (now: number, zone: string): string => dateAt(now, zone).toString();

const dateAt = (at: number, zone: string): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate();

const startOf = (day: Temporal.PlainDate, zone: string): number => day.toZonedDateTime(zone).epochMilliseconds;

const mondayOf = (day: Temporal.PlainDate): Temporal.PlainDate => day.subtract({ days: day.dayOfWeek - 1 });

function plainDate(text: string | undefined): Temporal.PlainDate | null {
  try {
    return text === undefined ? null : Temporal.PlainDate.from(text);
  } catch {
    return null;
  }
}

export interface Occurrence {
  windowId: string;
  startsAt: string;
  endsAt: string;
}

/** The occurrences that overlap a day, earliest first. */
export const onDay = <One extends Occurrence>(occurrences: readonly One[], { from, before }: Day): One[] =>
  occurrences.filter(({ startsAt, endsAt }) => Date.parse(startsAt) < before && Date.parse(endsAt) > from);

/** Where an instant is among the days, from 0 to 1. Each day is as wide as the others. */
export function placeOf(at: number, days: readonly Day[]): number {
  const index = days.findIndex(({ before }) => at < before);
  const day = days[index];
  if (day === undefined) return 1;
  return (index + Math.max(0, (at - day.from) / (day.before - day.from))) / days.length;
}

/** The rows of a week: a window with its occurrences, in the order of the first one. */
export function lanesOf<One extends Occurrence>(
  occurrences: readonly One[],
): { windowId: string; occurrences: One[] }[] {
  const lanes = new Map<string, One[]>();
  for (const one of occurrences) lanes.set(one.windowId, [...(lanes.get(one.windowId) ?? []), one]);
  return [...lanes].map(([windowId, of]) => ({ windowId, occurrences: of }));
}
