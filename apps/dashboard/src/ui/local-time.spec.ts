import fc from 'fast-check';
import { fromLocal, isZone, toLocal } from './local-time.js';

const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe');
const at = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2028-01-01') });

test('a time in a field is read as it was written', () => {
  fc.assert(
    fc.property(zone, at, (name, time) => {
      const written = toLocal(new Date(time).toISOString(), name);
      expect(toLocal(fromLocal(written, name) ?? '', name)).toBe(written);
    }),
  );
});

test.each([
  ['', 'UTC', null],
  ['2026-02-30T08:30', 'UTC', null],
  ['2026-11-22T08:30', 'Europe/Berlin', '2026-11-22T07:30:00.000Z'],
  ['2027-10-31T02:30', 'Europe/Berlin', '2027-10-31T00:30:00.000Z'],
  ['2027-03-28T02:30', 'Europe/Berlin', '2027-03-28T01:30:00.000Z'],
])('%s in %s is %s', (text, name, expected) => {
  expect(fromLocal(text, name)).toBe(expected);
});

test('zones', () => {
  expect(['Europe/Berlin', 'Europe/Atlantis', ''].map(isZone)).toEqual([true, false, false]);
});
