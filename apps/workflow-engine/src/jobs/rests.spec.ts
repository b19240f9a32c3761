import { restForEach } from './rests.js';

test.each([
  ['few', false, 1],
  ['rest', false, 2],
  ['few', true, 3],
  ['rest', true, 5],
] as const)(
  'work of the kind %s, while the organization has much work and the database is slow: %s',
  (kind, isSlow, rest) => expect(restForEach({ hasMuchWhileSlow: () => isSlow }, 'a', kind)).toBe(rest),
);
