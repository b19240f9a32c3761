import fc from 'fast-check';
import { RecentWork } from './recent-work.js';

test('work is forgotten by half in each second', () => {
  const work = new RecentWork(10);
  work.note('a', 100, 0);
  expect([0, 1000, 2000].map((now) => work.of('a', now))).toEqual([100, 50, 25]);
  work.note('a', 50, 1000);
  expect(work.of('a', 1000)).toBe(100);
  expect(work.of('b', 1000)).toBe(0);
});

test.each([
  ['alone', { a: 100 }, false],
  ['beside little', { a: 100, b: 1 }, true],
  ['beside half', { a: 100, b: 50 }, false],
  ['beside less than half', { a: 100, b: 49 }, true],
  ['beside equal work', { a: 100, b: 100 }, false],
  ['beside more', { a: 100, b: 1000 }, false],
  ['beside equal work and little', { a: 100, b: 100, c: 1 }, true],
  ['less than much, beside little', { a: 9, b: 1 }, false],
])('%s', (_what, amounts, expected) => {
  const work = new RecentWork(10);
  for (const [organization, amount] of Object.entries(amounts)) work.note(organization, amount, 0);
  expect(work.hasMuchBesideLittle('a', 0)).toBe(expected);
});

test('an organization without recent work is not beside others', () => {
  const work = new RecentWork(10);
  work.note('b', 1, 0);
  work.note('a', 1e9, 10_000);
  expect(work.hasMuchBesideLittle('a', 10_000)).toBe(true);
  expect(work.hasMuchBesideLittle('a', 10_001)).toBe(false);
});

test('the organization with the least work never has much beside little', () => {
  const notes = fc.array(
    fc.record({ organization: fc.constantFrom('a', 'b', 'c', 'd'), amount: fc.nat(100), after: fc.nat(3000) }),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(notes, (all) => {
      const work = new RecentWork(10);
      let now = 0;
      for (const { organization, amount, after } of all) {
        now += after;
        work.note(organization, amount, now);
      }
      const organizations = [...new Set(all.map(({ organization }) => organization))];
      const [least = ''] = organizations.sort((x, y) => work.of(x, now) - work.of(y, now));
      expect(work.hasMuchBesideLittle(least, now)).toBe(false);
    }),
  );
});
