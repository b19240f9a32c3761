import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import {
  isDate,
  isEndOfDay,
  isInstant,
  isTimeOfDay,
  parseDateOrInstant,
  parseInstant,
  senderInstant,
} from './instant.js';

describe('an instant', () => {
  test.each([
    ['2026-11-20T14:00:00Z', '2026-11-20T14:00:00.000Z'],
    ['2026-11-20T14:00Z', '2026-11-20T14:00:00.000Z'],
    ['2026-11-20t14:00:00z', '2026-11-20T14:00:00.000Z'],
    ['2026-11-20 14:00:00+01:00', '2026-11-20T13:00:00.000Z'],
    ['2026-11-20T14:00:00.1239-00:30', '2026-11-20T14:30:00.123Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
  ])('%s', (text, utc) => expect(new Date(parseInstant(text)).toISOString()).toBe(utc));

  test.each([
    ['2026-02-30T00:00:00Z'],
    ['2026-02-29T00:00:00Z'],
    ['2026-13-01T00:00:00Z'],
    ['2026-11-20T24:00:00Z'],
    ['2026-11-20T14:00:60Z'],
    ['2026-11-20T14:00:00'],
    ['2026-11-20T14:00:00+25:00'],
    ['2026-11-20T14:00:00+01:60'],
    ['2026-11-20'],
    ['9999-12-31T23:59:59-01:00'],
    ['0000-01-01T00:00:00+01:00'],
    ['+012026-11-20T14:00:00Z'],
    ['now'],
    [1_700_000_000_000],
    [null],
  ])('%j is invalid', (value) => expect(isInstant(value)).toBe(false));

  test('is parsed as Date and Temporal parse it', () => {
    const digits = (most: number) => fc.integer({ min: 0, max: most }).map((n) => String(n).padStart(2, '0'));
    const text = fc
      .tuple(
        fc.integer({ min: 1_000, max: 9_998 }),
        digits(13),
        digits(32),
        digits(25),
        digits(61),
        digits(61),
        digits(25),
      )
      .map(([y, m, d, h, min, s, o]) => `${y}-${m}-${d}T${h}:${min}:${s}.5+${o}:30`);
    fc.assert(
      fc.property(text, (value) => {
        const instant = parseInstant(value);
        if (Number.isNaN(instant)) return;
        expect(Temporal.Instant.from(value).epochMilliseconds).toBe(instant);
        expect(new Date(value).getTime()).toBe(instant);
      }),
      { numRuns: 1_000 },
    );
  });
});

test.each([
  ['2026-11-20', true],
  ['2026-02-30', false],
  ['2026-11-20T00:00:00Z', false],
  [20_261_120, false],
])('whether %j is a date: %s', (value, expected) => expect(isDate(value)).toBe(expected));

test.each([
  ['08:30', true, true],
  ['23:59', true, true],
  ['24:00', false, true],
  ['24:01', false, false],
  ['8:30', false, false],
  ['08:60', false, false],
  [830, false, false],
])('whether %j is a time of day: %s, the end of one: %s', (value, time, end) => {
  expect([isTimeOfDay(value), isEndOfDay(value)]).toEqual([time, end]);
});

test.each([
  ['2026-11-20', '2026-11-20T23:59:59.999Z'],
  ['2026-11-20T14:00:00Z', '2026-11-20T14:00:00.000Z'],
])('%s expires at %s', (text, utc) => expect(parseDateOrInstant(text)?.toISOString()).toBe(utc));

test.each([['2026-02-30'], ['tomorrow'], [null]])('%j is not an expiry', (value) =>
  expect(parseDateOrInstant(value)).toBeNull(),
);

test.each<[string, string | null]>([
  ['2026-11-20T14:00:00Z', '2026-11-20T14:00:00.000Z'],
  ['2026-11-20T14:00:00.123456789+01:00', '2026-11-20T13:00:00.123Z'],
  ['2017-01-12T16:30:42.236+0000', '2017-01-12T16:30:42.236Z'],
  ['2026-11-20 14:00:00.5Z', '2026-11-20T14:00:00.500Z'],
  ['1420452191', '2015-01-05T10:03:11.000Z'],
  ['1420452191.25', '2015-01-05T10:03:11.000Z'],
  ['1420452191104', '2015-01-05T10:03:11.104Z'],
  ['1420452193166002000', '2015-01-05T10:03:13.166Z'],
  ['2026-11-20T14:00:00', null],
  ['2026-02-30T14:00:00Z', null],
  ['yesterday', null],
  ['12', null],
])('the instant of a sender: %s', (text, expected) => {
  const instant = senderInstant(text);
  expect(Number.isNaN(instant) ? null : new Date(instant).toISOString()).toBe(expected);
});

test('a date exists when Date does not move it to another day', () => {
  const two = (value: number): string => String(value).padStart(2, '0');
  fc.assert(
    fc.property(fc.nat(9999), fc.nat(14), fc.nat(33), (year, month, day) => {
      const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
      const date = new Date(`${text}T00:00:00Z`);
      expect(isDate(text)).toBe(!Number.isNaN(date.getTime()) && date.toISOString().startsWith(text));
    }),
  );
});
