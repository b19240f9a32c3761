import fc from 'fast-check';
import { defaultLimits, highestLimit, leftOf, limitKinds, limitOf, resetsAt } from './organization-limits.js';

test.each<[string, Record<string, unknown> | null, number]>([
  ['no settings of the operator', null, 500],
  ['nothing set for this kind', { teams: 3 }, 500],
  ['a number', { workflows: 7 }, 7],
  ['zero: no further one', { workflows: 0 }, 0],
  ['a text', { workflows: '7' }, 500],
  ['a fraction', { workflows: 7.5 }, 500],
  ['a negative number', { workflows: -1 }, 500],
  ['a number that is too large', { workflows: highestLimit + 1 }, 500],
  ['a property of objects', Object.create({ workflows: 7 }) as Record<string, unknown>, 500],
])('the limit with %s', (_name, overrides, expected) => expect(limitOf('workflows', overrides)).toBe(expected));

test('what is left is never negative, and used and left are the limit below it', () => {
  fc.assert(
    fc.property(fc.constantFrom(...limitKinds), fc.nat(2 * highestLimit), (kind, used) => {
      const left = leftOf(kind, used, null);
      expect(left).toBe(used >= defaultLimits[kind] ? 0 : defaultLimits[kind] - used);
    }),
  );
});

test.each<[string, string]>([
  ['2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z'],
  ['2026-11-20T23:59:59.999Z', '2026-11-21T00:00:00.000Z'],
  ['2026-12-31T12:00:00.000Z', '2027-01-01T00:00:00.000Z'],
])('messages are counted for a day in UTC: %s until %s', (now, expected) => {
  expect(resetsAt('outsideMailsPerDay', Date.parse(now))).toBe(expected);
  expect(resetsAt('workflows', Date.parse(now))).toBeNull();
});
