import { remaining } from './remaining.js';

it.each([
  [-5000, '0:00'],
  [0, '0:00'],
  [1, '0:01'],
  [9000, '0:09'],
  [60_000, '1:00'],
  [750_000, '12:30'],
  [3_723_000, '1:02:03'],
  [183_600_000, '2d 3h'],
])('%s ms: %s', (ms, expected) => expect(remaining(ms)).toBe(expected));
