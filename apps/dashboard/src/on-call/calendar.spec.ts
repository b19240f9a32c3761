import fc from 'fast-check';
import { calendarOf, cut, dateOf, onLanes, placeOf, timeAt, turned } from './calendar.js';

const now = Date.parse('2026-11-22T20:10:00Z');
const hours = (ms: number): number => ms / 3_600_000;

test.each([
  ['week', '2026-11-22', '2026-11-16', 7],
  ['fortnight', '2026-11-16', '2026-11-16', 14],
  ['month', '2026-11-22', '2026-11-01', 30],
  ['month', '2028-02-29', '2028-02-01', 29],
  ['week', 'not a date', '2026-11-16', 7],
  ['week', undefined, '2026-11-16', 7],
] as const)('a %s with %s begins on %s and has %i days', (view, date, first, count) => {
  const { days } = calendarOf(view, date, 'Europe/Berlin', now);
  expect([days[0]?.date, days.length]).toEqual([first, count]);
});

test('days are as long as they are in the zone', () => {
  const lengths = (zone: string, date: string): number[] =>
    calendarOf('week', date, zone, now).days.map(({ start, end }) => hours(end - start));
  expect([
    lengths('Europe/Berlin', '2027-03-28'),
    lengths('America/New_York', '2027-11-07'),
    lengths('Australia/Lord_Howe', '2027-04-04'),
  ]).toEqual([
    [24, 24, 24, 24, 24, 24, 23],
    [24, 24, 24, 24, 24, 24, 25],
    [24, 24, 24, 24, 24, 24, 24.5],
  ]);
});

test('pages of the calendar follow each other', () => {
  expect([
    turned('week', '2026-11-22', 'UTC', now, 1),
    turned('fortnight', '2026-11-22', 'UTC', now, -1),
    turned('month', '2026-01-31', 'UTC', now, 1),
    turned('month', undefined, 'UTC', now, -1),
  ]).toEqual(['2026-11-29', '2026-11-08', '2026-02-01', '2026-10-01']);
  expect(dateOf('Pacific/Auckland', now)).toBe('2026-11-23');
});

const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe');
const at = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2028-01-01') });

test('a place is the time at it, within half a step', () => {
  fc.assert(
    fc.property(zone, at, fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), (name, day, place, fine) => {
      const calendar = calendarOf('week', dateOf(name, day), name, now);
      const time = timeAt(place, calendar, fine);
      const off = Math.abs(placeOf(time, calendar) - place) * (calendar.end - calendar.start);
      expect(off).toBeLessThanOrEqual((fine ? 450_000 : 1_800_000) + 1);
    }),
  );
});

test('spans that overlap are on different lanes', () => {
  const span = fc
    .tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 1, max: 20 }))
    .map(([start, length]) => ({ start, end: start + length }));
  fc.assert(
    fc.property(fc.array(span, { maxLength: 12 }), (spans) => {
      const { lanes, placed } = onLanes(spans);
      expect(placed).toHaveLength(spans.length);
      for (const a of placed) {
        expect(a.lane).toBeLessThan(lanes);
        for (const b of placed) if (a !== b && a.lane === b.lane) expect(cut(a, b)).toBeNull();
      }
    }),
  );
});
