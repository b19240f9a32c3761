import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { day, hour, timeOfDay, wallClock } from './wall-clock.js';

const wall = (text: string): number => Date.parse(`${text}Z`);
const text = (instant: number): string => new Date(instant).toISOString();

test.each([
  // zone, wall time, its instant
  ['Europe/Berlin', '2025-03-30T01:59', '2025-03-30T00:59:00.000Z', 'before an hour that clocks skip'],
  ['Europe/Berlin', '2025-03-30T02:00', '2025-03-30T01:00:00.000Z', 'its first minute is the one after it'],
  ['Europe/Berlin', '2025-03-30T02:30', '2025-03-30T01:30:00.000Z', 'in it: moves forward'],
  ['Europe/Berlin', '2025-03-30T03:00', '2025-03-30T01:00:00.000Z', 'after it'],
  ['Europe/Berlin', '2025-10-26T01:59', '2025-10-25T23:59:00.000Z', 'before an hour that comes twice'],
  ['Europe/Berlin', '2025-10-26T02:30', '2025-10-26T00:30:00.000Z', 'in it: the first'],
  ['Europe/Berlin', '2025-10-26T03:00', '2025-10-26T02:00:00.000Z', 'after it'],
  ['America/New_York', '2025-03-09T02:30', '2025-03-09T07:30:00.000Z', 'skipped'],
  ['America/New_York', '2025-11-02T01:30', '2025-11-02T05:30:00.000Z', 'twice'],
  ['Australia/Lord_Howe', '2025-10-05T02:15', '2025-10-04T15:45:00.000Z', 'skipped, with half an hour'],
  ['Australia/Lord_Howe', '2025-04-06T01:45', '2025-04-05T14:45:00.000Z', 'twice, of half an hour'],
  ['Australia/Lord_Howe', '2025-04-06T02:00', '2025-04-05T15:30:00.000Z', 'after it'],
  ['Africa/Casablanca', '2025-02-23T02:30', '2025-02-23T01:30:00.000Z', 'twice, as Ramadan comes near'],
  ['Africa/Casablanca', '2025-04-06T02:30', '2025-04-06T02:30:00.000Z', 'skipped, after Ramadan'],
  ['Antarctica/Troll', '2025-03-30T01:30', '2025-03-30T01:30:00.000Z', 'skipped, of two hours'],
  ['Pacific/Apia', '2011-12-30T12:00', '2011-12-30T22:00:00.000Z', 'on a day that never was'],
  ['Africa/Monrovia', '1972-01-07T00:30', '1972-01-07T01:14:30.000Z', 'skipped, of 44 minutes and a half'],
  ['UTC', '2025-03-30T02:30', '2025-03-30T02:30:00.000Z', 'no change ever'],
])('%s %s is %s: %s', (zone, time, instant) => {
  const at = Date.parse(instant);
  for (const margin of [0, hour, day, 300 * day])
    expect(text(wallClock(zone, at - margin, at + margin).instantOf(wall(time)))).toBe(instant);
});

test.each([
  ['00:00', 0],
  ['08:30', 8.5 * hour],
  ['24:00', day],
])('%s is %d milliseconds after midnight', (time, milliseconds) => expect(timeOfDay(time)).toBe(milliseconds));

const zones = fc.constantFrom(
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Antarctica/Troll',
  'Pacific/Apia',
  'Asia/Kathmandu',
  'UTC',
);
const minutes = fc.integer({ min: wall('2000-01-01T00:00') / 60_000, max: wall('2040-01-01T00:00') / 60_000 });

test('every wall time has the same instant as in Temporal', () => {
  fc.assert(
    fc.property(
      zones,
      minutes,
      fc.integer({ min: -3 * 1440, max: 3 * 1440 }),
      fc.integer({ min: 0, max: 400 }),
      (zone, minute, offset, days) => {
        const since = minute * 60_000;
        const until = since + days * day;
        const clock = wallClock(zone, since, until);
        for (const near of [since, until]) {
          const time = near + offset * 60_000;
          const expected = Temporal.Instant.fromEpochMilliseconds(time)
            .toZonedDateTimeISO('UTC')
            .toPlainDateTime()
            .toZonedDateTime(zone).epochMilliseconds;
          const instant = clock.instantOf(time);
          if (expected >= since && expected <= until) expect(text(instant)).toBe(text(expected));
          else expect(instant < since).toBe(expected < since);
          expect(instant > until).toBe(expected > until);
          if (instant <= until) expect(time).toBeLessThanOrEqual(clock.latestBy(until));
          if (instant > since) expect(time).toBeGreaterThanOrEqual(clock.earliestAfter(since));
        }
      },
    ),
    { numRuns: 500 },
  );
});
