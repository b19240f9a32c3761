import fc from 'fast-check';
import { Circuits, circuitRules, type Verdict } from './circuits.js';

const second = 1000;
const fail = (circuits: Circuits, key: string, now: number, times = 1) => {
  for (let n = 0; n < times; n++) circuits.end(key, 'failed', circuits.begin(key), now);
};

test('five failures in a row open it for 30 s', () => {
  const circuits = new Circuits();
  fail(circuits, 'a', 0, 4);
  expect(circuits.waitMs('a', 0)).toBe(0);
  fail(circuits, 'a', 0);
  expect([
    circuits.waitMs('a', 0),
    circuits.waitMs('a', 12 * second),
    circuits.waitMs('a', 30 * second),
    circuits.waitMs('b', 0),
  ]).toEqual([30 * second, 18 * second, 0, 0]);
});

test('one that works, or refuses for good, in between begins the count again', () => {
  const circuits = new Circuits();
  fail(circuits, 'a', 0, 4);
  circuits.end('a', 'worked', circuits.begin('a'), 0);
  fail(circuits, 'a', 0, 4);
  expect(circuits.waitMs('a', 0)).toBe(0);
  circuits.end('a', 'unknown', circuits.begin('a'), 0);
  fail(circuits, 'a', 0);
  expect(circuits.waitMs('a', 0)).toBe(30 * second);
});

test('after the pause one probes, the others wait for how it ends', () => {
  const circuits = new Circuits();
  fail(circuits, 'a', 0, 5);
  expect(circuits.begin('a')).toBe(true);
  expect(circuits.waitMs('a', 31 * second)).toBe(circuitRules.probeMs);
  circuits.end('a', 'worked', true, 31 * second);
  expect([circuits.waitMs('a', 31 * second), circuits.begin('a')]).toEqual([0, false]);
});

test('a probe that fails doubles the pause, to five minutes', () => {
  const circuits = new Circuits();
  let now = 0;
  fail(circuits, 'a', now, 5);
  const pauses = Array.from({ length: 6 }, () => {
    const pause = circuits.waitMs('a', now);
    now += pause;
    fail(circuits, 'a', now);
    return pause / second;
  });
  expect(pauses).toEqual([30, 60, 120, 240, 300, 300]);
});

test('a probe that told nothing leaves the next one to probe', () => {
  const circuits = new Circuits();
  fail(circuits, 'a', 0, 5);
  circuits.end('a', 'unknown', circuits.begin('a'), 40 * second);
  expect([circuits.waitMs('a', 40 * second), circuits.begin('a')]).toEqual([0, true]);
});

test('attempts that began before it opened neither close it nor lengthen the pause', () => {
  const circuits = new Circuits();
  const late = [circuits.begin('a'), circuits.begin('a'), circuits.begin('a')];
  fail(circuits, 'a', 0, 5);
  circuits.end('a', 'worked', late[0]!, 1 * second);
  circuits.end('a', 'failed', late[1]!, 1 * second);
  expect(circuits.waitMs('a', 1 * second)).toBe(29 * second);
  const probe = circuits.begin('a');
  circuits.end('a', 'worked', late[2]!, 31 * second);
  expect([probe, circuits.waitMs('a', 31 * second)]).toEqual([true, circuitRules.probeMs]);
});

test('what works takes no memory, and what fails only so much', () => {
  const circuits = new Circuits();
  for (let n = 0; n < 20_000; n++) circuits.end(`works ${n}`, 'worked', circuits.begin(`works ${n}`), 0);
  expect(circuits.size).toBe(0);
  for (let n = 0; n < circuitRules.remembered + 500; n++) fail(circuits, `fails ${n}`, 0, 5);
  expect(circuits.size).toBe(circuitRules.remembered);
  expect([circuits.waitMs('fails 0', 0), circuits.waitMs(`fails ${circuitRules.remembered + 499}`, 0)]).toEqual([
    0,
    30 * second,
  ]);
});

test('whatever happens, there is one probe at a time and no pause over five minutes', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('begin' as const) }),
    fc.record({ kind: fc.constant('end' as const), verdict: fc.constantFrom<Verdict>('worked', 'failed', 'unknown') }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 400_000 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const circuits = new Circuits();
      const underWay: boolean[] = [];
      let now = 0;
      for (const one of steps) {
        if (one.kind === 'wait') now += one.ms;
        if (one.kind === 'begin' && circuits.waitMs('a', now) === 0) underWay.push(circuits.begin('a'));
        if (one.kind === 'end' && underWay.length > 0) circuits.end('a', one.verdict, underWay.shift()!, now);
        expect(underWay.filter((isProbe) => isProbe).length).toBeLessThanOrEqual(1);
        expect(circuits.waitMs('a', now)).toBeLessThanOrEqual(circuitRules.longestPauseMs);
      }
    }),
  );
});
