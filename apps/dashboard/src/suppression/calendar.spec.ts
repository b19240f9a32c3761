import fc from 'fast-check';
import { calendarOf, lanesOf, onDay, placeOf } from './calendar.js';

const now = Date.parse('2026-11-22T19:00:00Z');
const one = (windowId: string, startsAt: string, endsAt: string) => ({ windowId, startsAt, endsAt });

test('a week begins on Monday, and leads to the weeks beside it', () => {
  const week = calendarOf('week', undefined, now, 'UTC');
  expect(week.days.map(({ date }) => date.slice(8))).toEqual(['16', '17', '18', '19', '20', '21', '22']);
  expect(week).toMatchObject({ previous: '2026-11-09', following: '2026-11-23', last: '2026-11-22' });
});

test('a month is shown in whole weeks', () => {
  const month = calendarOf('month', '2026-11-15', now, 'UTC');
  expect([month.days.length, month.days[0]?.date, month.days.at(-1)?.date]).toEqual([42, '2026-10-26', '2026-12-06']);
  expect(month).toMatchObject({ first: '2026-11-01', last: '2026-11-30', following: '2026-12-01' });
});

test('an address without a date, or with a wrong one, shows today', () => {
  expect(calendarOf('week', 'tomorrow', now, 'UTC')).toEqual(calendarOf('week', undefined, now, 'UTC'));
});

test('the day of the reader is that of the zone', () => {
  expect(calendarOf('week', undefined, Date.parse('2026-11-22T23:30:00Z'), 'Europe/Berlin').first).toBe('2026-11-23');
});

test('a day on which clocks go back has 25 hours, and is as wide as the others', () => {
  const { days } = calendarOf('week', '2026-10-25', now, 'Europe/Berlin');
  const sunday = days[6];
  expect((sunday!.before - sunday!.from) / 3_600_000).toBe(25);
  expect(placeOf(sunday!.from, days)).toBeCloseTo(6 / 7);
  expect(placeOf(sunday!.before, days)).toBe(1);
});

test('places follow the order of times', () => {
  const { days } = calendarOf('month', '2026-03-29', now, 'Europe/Berlin');
  const time = fc.integer({ min: days[0]!.from - 1e8, max: days.at(-1)!.before + 1e8 });
  fc.assert(
    fc.property(time, time, (a, b) => {
      const [first, last] = a < b ? [a, b] : [b, a];
      expect(placeOf(first, days)).toBeLessThanOrEqual(placeOf(last, days));
      expect(placeOf(first, days)).toBeGreaterThanOrEqual(0);
      expect(placeOf(last, days)).toBeLessThanOrEqual(1);
    }),
  );
});

test('an occurrence over midnight is on both days, and not on the one at whose start it ends', () => {
  const { days } = calendarOf('week', '2026-11-16', now, 'UTC');
  const night = one('w', '2026-11-17T22:00:00Z', '2026-11-19T00:00:00Z');
  expect(days.map((day) => onDay([night], day).length)).toEqual([0, 1, 1, 0, 0, 0, 0]);
});

test('each window has one row', () => {
  const rows = lanesOf([one('b', '1', '2'), one('a', '2', '3'), one('b', '4', '5')]);
  expect(rows.map(({ windowId, occurrences }) => [windowId, occurrences.length])).toEqual([
    ['b', 2],
    ['a', 1],
  ]);
});
