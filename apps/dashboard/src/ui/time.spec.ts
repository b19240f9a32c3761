import { clockTime, duration, exactTime, relativeTime, shortTime, spanTexts } from './time.js';

const now = Date.parse('2026-11-22T19:33:45.000Z');

it.each([
  ['2026-11-22T19:33:43.000Z', 'now'],
  ['2026-11-22T19:33:15.000Z', '30s ago'],
  ['2026-11-22T19:28:00.000Z', '5m ago'],
  ['2026-11-22T21:33:45.000Z', 'in 2h'],
  ['2026-11-19T19:33:45.000Z', '3d ago'],
  ['not a time', ''],
])('relative: %s is %s', (at, expected) => {
  expect(relativeTime(at, now)).toBe(expected);
});

it.each([
  [0, '0s'],
  [59, '59s'],
  [65, '1m 5s'],
  [3600, '1h'],
  [3665, '1h 1m'],
  [90_061, '1d 1h'],
])('a length of %d seconds is %s', (seconds, expected) => {
  expect(duration(seconds)).toBe(expected);
});

it('is shown in the zone of the reader', () => {
  const at = '2026-11-22T19:33:45.000Z';
  expect([clockTime(at, 'UTC'), clockTime(at, 'Europe/Berlin')]).toEqual(['19:33:45', '20:33:45']);
  expect(exactTime(at, 'UTC')).toContain('22 Nov 2026');
  expect([shortTime(at, 'UTC', now), shortTime('2025-01-02T03:04:00.000Z', 'UTC', now)]).toEqual([
    '22 Nov, 19:33',
    '2 Jan 2025, 03:04',
  ]);
});

it('the day of a span is said once when both ends are on it, in the zone of the reader', () => {
  const spanOf = (from: string, to: string, zone: string) => spanTexts(from, to, zone, now).join(' – ');
  const [from, to] = ['2026-11-22T19:33:00.000Z', '2026-11-22T23:30:00.000Z'];
  expect(spanOf(from, to, 'UTC')).toBe('22 Nov, 19:33 – 23:30');
  expect(spanOf(from, to, 'Europe/Berlin')).toBe('22 Nov, 20:33 – 23 Nov, 00:30');
  expect(spanOf('2025-11-22T19:33:00.000Z', '2025-11-22T20:00:00.000Z', 'UTC')).toBe('22 Nov 2025, 19:33 – 20:00');
  expect(spanOf('2025-11-22T19:33:00.000Z', to, 'UTC')).toBe('22 Nov 2025, 19:33 – 22 Nov, 23:30');
});
