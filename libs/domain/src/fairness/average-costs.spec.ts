import fc from 'fast-check';
import { AverageCosts } from './average-costs.js';

it('moves from the first cost to those that are noted', () => {
  const costs = new AverageCosts(1);
  expect(costs.of('a')).toBe(1);
  costs.note('a', 0, 0);
  expect(costs.of('a')).toBe(1);
  costs.note('a', 60, 10);
  expect(costs.of('a')).toBe(6);
  costs.note('a', 110, 10);
  expect(costs.of('a')).toBe(7);
  for (let i = 0; i < 50; i++) costs.note('a', 110, 10);
  expect(costs.of('a')).toBeCloseTo(11, 2);
  expect(costs.of('b')).toBe(1);
});

it('is never lower than the first cost, and within what was noted', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(100), fc.integer({ min: 1, max: 10 })), { minLength: 1 }), (noted) => {
      const costs = new AverageCosts(1);
      for (const [cost, pieces] of noted) costs.note('a', cost, pieces);
      const most = Math.max(1, ...noted.map(([cost, pieces]) => cost / pieces));
      return costs.of('a') >= 1 && costs.of('a') <= most + 1e-9;
    }),
  );
});

it('forgets who had no work for the longest time', () => {
  const costs = new AverageCosts(1, 2);
  for (const name of ['a', 'b', 'a', 'c']) costs.note(name, 6, 1);
  expect(['a', 'b', 'c'].map((name) => costs.of(name) > 1)).toEqual([true, false, true]);
});
