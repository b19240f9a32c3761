import fc from 'fast-check';
import { onCallChanges } from '../index.js';

const hour = (n: number): string => new Date(Date.UTC(2026, 10, 20, n)).toISOString();
const shift = (userId: string, from: number, to: number) => ({ userId, startsAt: hour(from), endsAt: hour(to) });
const change = (from: number, to: number, before: string[], after: string[]) => ({
  startsAt: hour(from),
  endsAt: hour(to),
  before,
  after,
});

test.each([
  ['nothing', [shift('a', 0, 8)], [shift('a', 0, 8)], []],
  ['the same member in two shifts', [shift('a', 0, 8)], [shift('a', 0, 4), shift('a', 4, 8)], []],
  ['another member', [shift('a', 0, 8)], [shift('b', 0, 8)], [change(0, 8, ['a'], ['b'])]],
  [
    'a later hand-off',
    [shift('a', 0, 4), shift('b', 4, 8)],
    [shift('a', 0, 6), shift('b', 6, 8)],
    [change(4, 6, ['b'], ['a'])],
  ],
  ['a gap', [shift('a', 0, 8)], [shift('a', 0, 2)], [change(2, 8, ['a'], [])]],
  ['one more member', [shift('b', 0, 8)], [shift('b', 0, 8), shift('a', 2, 4)], [change(2, 4, ['b'], ['a', 'b'])]],
])('%s', (_, before, after, expected) => {
  expect(onCallChanges(before, after)).toEqual(expected);
});

const shifts = fc.array(
  fc
    .tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 0, max: 20 }), fc.integer({ min: 1, max: 4 }))
    .map(([member, from, length]) => shift(member, from, from + length)),
  { maxLength: 8 },
);

test('at every time, the members differ exactly within the changes', () => {
  fc.assert(
    fc.property(shifts, shifts, fc.integer({ min: 0, max: 24 }), (before, after, n) => {
      const at = hour(n);
      const on = (list: typeof before): string[] =>
        [...new Set(list.filter((s) => s.startsAt <= at && at < s.endsAt).map((s) => s.userId))].sort();
      const found = onCallChanges(before, after).find((s) => s.startsAt <= at && at < s.endsAt);
      const differ = on(before).join() !== on(after).join();
      expect(found === undefined ? null : [found.before, found.after]).toEqual(differ ? [on(before), on(after)] : null);
    }),
  );
});
