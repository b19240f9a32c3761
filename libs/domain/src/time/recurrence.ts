/**
 * The wall times at which a recurrence rule (RFC 5545) begins: calendar computation without a time zone. A wall time is
 * the date and time of day that clocks show, given as the instant with the same date and time in UTC, in milliseconds
 * since 1970.
 *
 * Where the RFC leaves a choice: the start (DTSTART) is a result only if the rule matches it; each part limits what the
 * others allow; and a year is a calendar year, also beside BYWEEKNO.
 *
 * It is implemented here because rrule-temporal 2.2.7 loses the Tuesdays of `FREQ=YEARLY;BYDAY=TU,1WE`, gives different
 * weekdays for `FREQ=YEARLY;BYWEEKNO=25` in each year, and throws, after up to a second, when a rule has no more times.
 * The cost here is bounded: the times of a period are computed from the calendar, and the calendar has an end.
 */
import type { Frequency, RecurrenceRule } from './recurrence-rule.js';
import { day, hour } from './wall-clock.js';

/** Nothing recurs at or after this time. */
export const calendarEnd = Date.UTC(2100, 0, 1);

/** The wall times at which a rule begins, in order, from `from` (inclusive) to `before` (exclusive). */
export type WallTimes = (from: number, before: number) => Iterable<number>;

/** `first` is the start of the rule, DTSTART in the RFC. */
export function wallTimesOf(rule: RecurrenceRule, first: number): WallTimes {
  const { FREQ, INTERVAL = 1, WKST = 1, COUNT = Infinity } = rule;
  const periods = periodsOf(FREQ, WKST);
  const origin = periods.numberOf(first);
  const timesWithin = timesOf(rule, first);

  function* endless(from: number, before: number): Generator<number> {
    const earliest = Math.max(first, from);
    const end = Math.min(before, calendarEnd);
    const steps = Math.ceil((periods.numberOf(earliest) - origin) / INTERVAL);
    for (let number = origin + steps * INTERVAL; periods.beginOf(number) < end; number += INTERVAL) {
      for (const time of timesWithin(periods.beginOf(number), periods.beginOf(number + 1))) {
        if (time >= earliest && time < end) yield time;
      }
    }
  }

  const last = COUNT === Infinity ? Infinity : lastOf(endless(first, Infinity), COUNT);
  return (from, before) => endless(from, Math.min(before, last + 1));
}

function lastOf(times: Iterable<number>, count: number): number {
  let left = count;
  let last = -Infinity;
  for (const time of times) {
    last = time;
    if (--left === 0) break;
  }
  return last;
}

/** The years, months, … of a rule, numbered without gaps. */
interface Periods {
  numberOf: (wall: number) => number;
  beginOf: (number: number) => number;
}

const every = (length: number, origin: number): Periods => ({
  numberOf: (wall) => Math.floor((wall - origin) / length),
  beginOf: (number) => origin + number * length,
});

const firstMonday = Date.UTC(1970, 0, 5);

function periodsOf(frequency: Frequency, weekStart: number): Periods {
  switch (frequency) {
    case 'YEARLY':
      return { numberOf: (wall) => new Date(wall).getUTCFullYear(), beginOf: (year) => Date.UTC(year, 0, 1) };
    case 'MONTHLY':
      return { numberOf: (wall) => monthsSince1970(new Date(wall)), beginOf: (month) => Date.UTC(1970, month, 1) };
    case 'WEEKLY':
      return every(7 * day, firstMonday + (weekStart - 1) * day);
    case 'DAILY':
      return every(day, 0);
    case 'HOURLY':
      return every(hour, 0);
  }
}

const monthsSince1970 = (date: Date): number => (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();

/**
 * Gives the wall times within one period, in order. A period consists of days, or is one hour; all matching days have
 * the same times of day.
 */
function timesOf(rule: RecurrenceRule, first: number): (begin: number, end: number) => number[] {
  const { FREQ, BYHOUR, BYSETPOS } = rule;
  const isOnDay = dayTest(rule, calendarDay(midnightBefore(first)));
  const isOnHour = (wall: number) => BYHOUR === undefined || BYHOUR.includes((wall - midnightBefore(wall)) / hour);
  const isOn = FREQ === 'HOURLY' ? (wall: number) => isOnHour(wall) && isOnDay(midnightBefore(wall)) : isOnDay;
  const unit = FREQ === 'HOURLY' ? hour : day;
  const offsets = offsetsOf(rule, first);
  return (begin, end) => {
    const times: number[] = [];
    for (let at = begin; at < end; at += unit) {
      if (isOn(at)) for (const offset of offsets) times.push(at + offset);
    }
    return BYSETPOS === undefined ? times : atPositions(times, BYSETPOS);
  };
}

const midnightBefore = (wall: number): number => Math.floor(wall / day) * day;

/**
 * The times of day, or in an hour, at which a rule begins; with the milliseconds of its start, which the RFC does not
 * have.
 */
function offsetsOf({ FREQ, BYHOUR, BYMINUTE, BYSECOND }: RecurrenceRule, first: number): number[] {
  const date = new Date(first);
  const hours = FREQ === 'HOURLY' ? [0] : (BYHOUR ?? [date.getUTCHours()]);
  const minutes = BYMINUTE ?? [date.getUTCMinutes()];
  const seconds = BYSECOND ?? [date.getUTCSeconds()];
  const offsets = hours.flatMap((h) =>
    minutes.flatMap((m) => seconds.map((s) => h * hour + m * 60_000 + s * 1_000 + date.getUTCMilliseconds())),
  );
  return inOrder(offsets);
}

const atPositions = (times: readonly number[], positions: readonly number[]): number[] =>
  inOrder(positions.flatMap((position) => times.at(position > 0 ? position - 1 : position) ?? []));

/** Without duplicates, earliest first. */
export const inOrder = (times: Iterable<number>): number[] => [...new Set(times)].sort((a, b) => a - b);

// --- Days of the calendar -------------------------------------------------------------------------------------------

/** A day with all values that rules can refer to. */
interface CalendarDay {
  midnight: number;
  /** 1 is Monday. */
  weekday: number;
  month: number;
  monthDay: number;
  monthLength: number;
  yearDay: number;
  yearLength: number;
}

function calendarDay(midnight: number): CalendarDay {
  const date = new Date(midnight);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const newYear = Date.UTC(year, 0, 1);
  return {
    midnight,
    weekday: weekdayOf(midnight),
    month: month + 1,
    monthDay: date.getUTCDate(),
    monthLength: new Date(Date.UTC(year, month + 1, 0)).getUTCDate(),
    yearDay: (midnight - newYear) / day + 1,
    yearLength: (Date.UTC(year + 1, 0, 1) - newYear) / day,
  };
}

const weekdayOf = (midnight: number): number => new Date(midnight).getUTCDay() || 7;

type DayTest = (date: CalendarDay) => boolean;

/** Whether a rule matches a day, which is given by its midnight. */
function dayTest(rule: RecurrenceRule, first: CalendarDay): (midnight: number) => boolean {
  const { FREQ, WKST = 1, BYMONTH, BYWEEKNO, BYYEARDAY, BYMONTHDAY, BYDAY } = { ...impliedBy(first, rule), ...rule };
  const ordinalsOfYear = FREQ === 'YEARLY' && BYMONTH === undefined;
  const tests: DayTest[] = [];
  if (BYMONTH) tests.push(({ month }) => BYMONTH.includes(month));
  if (BYMONTHDAY) tests.push(({ monthDay, monthLength }) => isNumbered(BYMONTHDAY, monthDay, monthLength));
  if (BYYEARDAY) tests.push(({ yearDay, yearLength }) => isNumbered(BYYEARDAY, yearDay, yearLength));
  if (BYWEEKNO) tests.push(({ midnight }) => isNumbered(BYWEEKNO, ...weekOfYear(midnight, WKST)));
  if (BYDAY) {
    tests.push(({ weekday, yearDay, yearLength, monthDay, monthLength }) => {
      const [nth, nthFromEnd] = ordinalsOfYear ? ordinals(yearDay, yearLength) : ordinals(monthDay, monthLength);
      return BYDAY.some((named) => named.weekday === weekday && [0, nth, nthFromEnd].includes(named.ordinal));
    });
  }
  return remembering((midnight) => {
    const date = calendarDay(midnight);
    return tests.every((holds) => holds(date));
  });
}

/** An hourly rule tests the same day twenty-four times. */
function remembering(test: (midnight: number) => boolean): (midnight: number) => boolean {
  let known = { midnight: NaN, holds: false };
  return (midnight) => {
    if (midnight !== known.midnight) known = { midnight, holds: test(midnight) };
    return known.holds;
  };
}

/** Parts that a rule takes from its first day when they are missing. */
function impliedBy(
  first: CalendarDay,
  { FREQ, BYMONTH, BYWEEKNO, BYYEARDAY, BYMONTHDAY, BYDAY }: RecurrenceRule,
): Partial<RecurrenceRule> {
  if (BYYEARDAY ?? BYMONTHDAY ?? BYDAY) return {};
  const sameWeekday = { BYDAY: [{ weekday: first.weekday, ordinal: 0 }] };
  const sameMonthDay = { BYMONTHDAY: [first.monthDay] };
  switch (FREQ) {
    case 'YEARLY':
      if (BYWEEKNO) return sameWeekday;
      return BYMONTH ? sameMonthDay : { ...sameMonthDay, BYMONTH: [first.month] };
    case 'MONTHLY':
      return sameMonthDay;
    case 'WEEKLY':
      return sameWeekday;
    default:
      return {};
  }
}

/** Whether one of the numbers is `value`, where negative numbers count from the end of `count`. */
const isNumbered = (numbers: readonly number[], number: number, length: number): boolean =>
  numbers.includes(number) || numbers.includes(number - length - 1);

/** The position of a day among the days with its weekday in the month or year, from the beginning and from the end. */
const ordinals = (number: number, length: number): [number, number] => [
  Math.ceil(number / 7),
  -Math.ceil((length - number + 1) / 7),
];

/**
 * The week number of a day, and the number of weeks in its year. A week belongs to the year that has at least four of
 * its days.
 */
function weekOfYear(midnight: number, weekStart: number): [week: number, weeks: number] {
  const begin = weekBegin(midnight, weekStart);
  const year = new Date(begin + 3 * day).getUTCFullYear();
  const firstWeek = weekBegin(Date.UTC(year, 0, 4), weekStart);
  const nextYear = weekBegin(Date.UTC(year + 1, 0, 4), weekStart);
  return [(begin - firstWeek) / (7 * day) + 1, (nextYear - firstWeek) / (7 * day)];
}

const weekBegin = (midnight: number, weekStart: number): number =>
  midnight - ((weekdayOf(midnight) - weekStart + 7) % 7) * day;
