import fc from 'fast-check';
import { withinShares, type BatchWork } from './batch-share.js';

interface Named extends BatchWork {
  name: string;
}

/** `a1:5` is work of the organization `a` in lane 1 with weight 5; a `!` at the end: it is behind other work. */
const parse = (text: string): Named => {
  const [, organization = '', lane = '', weight = '', behind] = /^(\w)(\d):(\d+)(!?)$/.exec(text) ?? [];
  return { name: text, organization, lane, weight: Number(weight), isBehind: behind === '!' };
};

it.each([
  ['nothing', '', '', ''],
  ['what fits is done', 'a1:4 a1:6 b1:10', 'a1:4 a1:6 b1:10', ''],
  ['what is too much waits, and others are done', 'a1:6 a1:6 b1:6', 'a1:6 b1:6', 'a1:6'],
  ['the first is done whatever its weight', 'a1:50 a2:1', 'a1:50', 'a2:1'],
  ['what comes later in a lane does not overtake', 'a1:6 a1:6 a1:1', 'a1:6', 'a1:6 a1:1'],
  ['what is light in another lane is done', 'a1:6 a1:6 a2:1', 'a1:6 a2:1', 'a1:6'],
  ['lanes take turns', 'a1:4 a1:4 a1:4 a2:4', 'a1:4 a2:4', 'a1:4 a1:4'],
  ['what is behind waits', 'a1:1! a2:1 a1:1', 'a2:1', 'a1:1! a1:1'],
  ['lanes of organizations are apart', 'a1:1! b1:1', 'b1:1', 'a1:1!'],
])('%s', (_what, batch, now, later) => {
  const names = (works: Named[]): string => works.map(({ name }) => name).join(' ');
  const split = withinShares(batch.split(' ').filter(Boolean).map(parse), () => 10);
  expect({ now: names(split.now), later: names(split.later) }).toEqual({ now, later });
});

const batches = fc.array(
  fc
    .record({
      organization: fc.constantFrom('a', 'b', 'c'),
      lane: fc.nat(2),
      weight: fc.integer({ min: 1, max: 12 }),
      isBehind: fc.boolean(),
    })
    .map((work) => ({ ...work })),
);

it('divides the batch, in its order, and never lets work of a lane overtake', () => {
  fc.assert(
    fc.property(batches, (batch) => {
      const { now, later } = withinShares(batch, () => 20);
      const place = new Map(batch.map((work, index) => [work, index]));
      const places = (works: BatchWork[]): number[] => works.map((work) => place.get(work as never) ?? -1);
      expect([...places(now), ...places(later)].sort((x, y) => x - y)).toEqual(batch.map((_work, index) => index));
      for (const part of [now, later]) expect(places(part)).toEqual(places(part).sort((x, y) => x - y));
      for (const done of now)
        for (const waits of later)
          if (done.organization === waits.organization && done.lane === waits.lane)
            expect(places([done])[0]).toBeLessThan(places([waits])[0] as number);
    }),
  );
});

it('limits each organization, and delays nobody who is within the limit', () => {
  fc.assert(
    fc.property(batches, (batch) => {
      const { now, later } = withinShares(batch, () => 20);
      const weightOf = (works: BatchWork[]): number => works.reduce((sum, { weight }) => sum + weight, 0);
      for (const name of ['a', 'b', 'c']) {
        const of = (works: BatchWork[]): BatchWork[] => works.filter(({ organization }) => organization === name);
        if (of(now).length > 1) expect(weightOf(of(now))).toBeLessThanOrEqual(20);
        if (weightOf(of(batch)) <= 20 && of(batch).every(({ isBehind }) => !isBehind)) expect(of(later)).toEqual([]);
      }
    }),
  );
});
