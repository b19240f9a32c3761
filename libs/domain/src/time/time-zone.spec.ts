import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { isTimeZone } from './time-zone.js';

test.each([
  ['Europe/Berlin', true],
  ['europe/berlin', true],
  ['UTC', true],
  ['Etc/GMT+5', true],
  ['America/Port-au-Prince', true],
  ['US/Pacific', true],
  ['+02:00', false],
  ['Z', false],
  ['Europe/Atlantis', false],
  ['Europe/Berlin ', false],
  ['', false],
  [null, false],
  [2, false],
])('whether %j is a time zone: %s', (value, expected) => expect(isTimeZone(value)).toBe(expected));

test('schedules and windows can compute in every time zone', () => {
  const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'GMT', 'EST', 'EST5EDT', 'Etc/GMT-14'];
  fc.assert(
    fc.property(
      fc.oneof(fc.constantFrom(...zones), fc.string(), fc.stringMatching(/^[A-Z][a-z]+\/[A-Z][a-z]+$/)),
      (name) => {
        if (isTimeZone(name)) expect(() => new Temporal.ZonedDateTime(0n, name)).not.toThrow();
      },
    ),
    { numRuns: 1_000 },
  );
});
