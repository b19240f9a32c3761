import fc from 'fast-check';
import { SpentTime } from './spent-time.js';

test('what an organization spent is forgotten at the pace, and belongs to nobody else', () => {
  const spent = new SpentTime(0.5);
  spent.note('a', 300, 1000);
  expect(spent.of('a', 1000)).toBe(300);
  expect(spent.of('b', 1000)).toBe(0);
  expect(spent.of('a', 1400)).toBe(100);
  expect(spent.msUntil(100, 'a', 1000)).toBe(400);
  expect(spent.msUntil(100, 'a', 1400)).toBe(0);
  expect(spent.of('a', 1601)).toBe(0);
  spent.note('a', 10, 9000);
  expect(spent.of('a', 9000)).toBe(10);
});

test('more than the most is not noted', () => {
  const spent = new SpentTime(0.5, 100);
  spent.note('a', 1000, 0);
  spent.note('a', 1000, 0);
  expect(spent.of('a', 0)).toBe(100);
  expect(spent.msUntil(0, 'a', 0)).toBe(200);
});

test('it says the same as adding and subtracting in each millisecond', () => {
  const work = fc.record({ organization: fc.constantFrom('a', 'b'), spentMs: fc.nat(500), after: fc.nat(400) });
  fc.assert(
    fc.property(fc.array(work), (all) => {
      const spent = new SpentTime(0.5);
      const left = { a: 0, b: 0 };
      let now = 0;
      for (const { organization, spentMs, after } of all) {
        for (let ms = 0; ms < after; ms++) {
          left.a = Math.max(0, left.a - 0.5);
          left.b = Math.max(0, left.b - 0.5);
        }
        now += after;
        left[organization] += spentMs;
        spent.note(organization, spentMs, now);
        for (const one of ['a', 'b'] as const) expect(spent.of(one, now)).toBeCloseTo(left[one], 6);
      }
    }),
  );
});

test('many organizations that are forgotten take no memory', () => {
  const spent = new SpentTime(1);
  for (let n = 0; n < 10_000; n++) spent.note(`o${n}`, 1, n * 2);
  expect((spent as unknown as { forgottenAt: Map<string, number> }).forgottenAt.size).toBeLessThanOrEqual(1000);
});
