import { remaining, untilNextSecond } from './remaining.js';

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

it.each([4500, 4001, 4000, 3999, 1, 0, -500])('after %s ms the next text begins when it is waited for', (ms) => {
  const wait = untilNextSecond(ms);
  expect([remaining(ms - wait + 1), Math.min(wait, 1000), Math.max(wait, 1)]).toEqual([remaining(ms), wait, wait]);
  if (ms > 1000) expect(remaining(ms - wait)).not.toBe(remaining(ms));
});
