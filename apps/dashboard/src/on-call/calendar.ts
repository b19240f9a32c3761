/** The days that the calendar shows, and where a time is on it. Days begin at midnight in the zone that is shown. */
import { Temporal } from 'temporal-polyfill';

export const views = ['week', 'fortnight', 'month'] as const;
export type View = (typeof views)[number];

/** Milliseconds since 1970; `end` is not part of it. */
export interface Span {
  start: number;
  end: number;
}

export interface Day extends Span {
  /** `2026-11-22`. */
  date: string;
  isWeekend: boolean;
}

export interface Calendar extends Span {
  zone: string;
  days: Day[];
}

const dateIn = (zone: string, at: number): Temporal.PlainDate =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate();

/** The date of a time, as in the address. */
export const dateOf = (zone: string, at: number): string => dateIn(zone, at).toString();

/** A week and two weeks begin on Monday; a month has the days of the month. A date that cannot be read is today. */
export function calendarOf(view: View, date: string | undefined, zone: string, now: number): Calendar {
  const day = read(date) ?? dateIn(zone, now);
  const first = view === 'month' ? day.with({ day: 1 }) : day.subtract({ days: day.dayOfWeek - 1 });
  const count = view === 'month' ? day.daysInMonth : view === 'week' ? 7 : 14;
  return calendarFrom(first, count, zone);
}

/** So many days from the day of a time on. */
export const calendarAfter = (at: number, count: number, zone: string): Calendar =>
  calendarFrom(dateIn(zone, at), count, zone);

function calendarFrom(first: Temporal.PlainDate, count: number, zone: string): Calendar {
  const days = Array.from({ length: count }, (_, i) => {
    const date = first.add({ days: i });
    return {
      date: date.toString(),
      start: midnight(date, zone),
      end: midnight(date.add({ days: 1 }), zone),
      isWeekend: date.dayOfWeek > 5,
    };
  });
  return { zone, days, start: days[0]?.start ?? 0, end: days.at(-1)?.end ?? 0 };
}

const midnight = (date: Temporal.PlainDate, zone: string): number => date.toZonedDateTime(zone).epochMilliseconds;

/** The date of the next (1) or previous (-1) page of the calendar. */
export function turned(view: View, date: string | undefined, zone: string, now: number, step: 1 | -1): string {
  const day = read(date) ?? dateIn(zone, now);
  if (view === 'month') return day.with({ day: 1 }).add({ months: step }).toString();
  return day.add({ weeks: step * (view === 'week' ? 1 : 2) }).toString();
}

function read(date: string | undefined): Temporal.PlainDate | null {
  try {
    const day = date === undefined ? null : Temporal.PlainDate.from(date);
    return day !== null && day.year >= 2000 && day.year <= 2090 ? day : null;
  } catch {
    return null;
  }
}

/** Where a time is in a span: 0 at the start, 1 at the end. */
export const placeOf = (at: number, { start, end }: Span): number =>
  Math.min(Math.max((at - start) / (end - start), 0), 1);

/** The time at a place of the calendar, at a full hour of its day; every quarter of an hour with `fine`. */
export function timeAt(place: number, calendar: Calendar, fine = false): number {
  const at = calendar.start + Math.min(Math.max(place, 0), 1) * (calendar.end - calendar.start);
  const day = calendar.days.findLast(({ start }) => start <= at) ?? calendar.days[0];
  if (day === undefined) return at;
  const step = fine ? 900_000 : 3_600_000;
  return Math.min(day.start + Math.round((at - day.start) / step) * step, calendar.end);
}

/** The part of a span that is within another; null when there is none. */
export function cut<One extends Span>(span: One, { start, end }: Span): One | null {
  const from = Math.max(span.start, start);
  const to = Math.min(span.end, end);
  return from < to ? { ...span, start: from, end: to } : null;
}

/** Spans on as few lanes as possible, so that none overlaps another on its lane. */
export function onLanes<One extends Span>(
  spans: readonly One[],
): { lanes: number; placed: (One & { lane: number })[] } {
  const ends: number[] = [];
  const placed = [...spans]
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .map((span) => {
      const free = ends.findIndex((end) => end <= span.start);
      const lane = free < 0 ? ends.length : free;
      ends[lane] = span.end;
      return { ...span, lane };
    });
  return { lanes: Math.max(ends.length, 1), placed };
}
