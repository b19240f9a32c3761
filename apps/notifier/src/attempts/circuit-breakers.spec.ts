import fc from 'fast-check';
import { CircuitBreakers, circuitBreakerRules, type Verdict } from './circuit-breakers.js';

const second = 1000;
const fail = (breakers: CircuitBreakers, key: string, now: number, times = 1) => {
  for (let n = 0; n < times; n++) breakers.end(key, 'failed', breakers.begin(key), now);
};

test('five failures in a row open it for 30 s', () => {
  const breakers = new CircuitBreakers();
  fail(breakers, 'a', 0, 4);
  expect(breakers.waitMs('a', 0)).toBe(0);
  fail(breakers, 'a', 0);
  expect([
    breakers.waitMs('a', 0),
    breakers.waitMs('a', 12 * second),
    breakers.waitMs('a', 30 * second),
    breakers.waitMs('b', 0),
  ]).toEqual([30 * second, 18 * second, 0, 0]);
});

test('a success or a permanent refusal in between resets the count', () => {
  const breakers = new CircuitBreakers();
  fail(breakers, 'a', 0, 4);
  breakers.end('a', 'worked', breakers.begin('a'), 0);
  fail(breakers, 'a', 0, 4);
  expect(breakers.waitMs('a', 0)).toBe(0);
  breakers.end('a', 'unknown', breakers.begin('a'), 0);
  fail(breakers, 'a', 0);
  expect(breakers.waitMs('a', 0)).toBe(30 * second);
});

test('after the pause one attempt probes, and the others wait until it ends', () => {
  const breakers = new CircuitBreakers();
  fail(breakers, 'a', 0, 5);
  expect(breakers.begin('a')).toBe(true);
  expect(breakers.waitMs('a', 31 * second)).toBe(circuitBreakerRules.probeMs);
  breakers.end('a', 'worked', true, 31 * second);
  expect([breakers.waitMs('a', 31 * second), breakers.begin('a')]).toEqual([0, false]);
});

test('a probe that fails doubles the pause, up to five minutes', () => {
  const breakers = new CircuitBreakers();
  let now = 0;
  fail(breakers, 'a', now, 5);
  const pauses = Array.from({ length: 6 }, () => {
    const pause = breakers.waitMs('a', now);
    now += pause;
    fail(breakers, 'a', now);
    return pause / second;
  });
  expect(pauses).toEqual([30, 60, 120, 240, 300, 300]);
});

test('after a probe without a verdict the next attempt probes', () => {
  const breakers = new CircuitBreakers();
  fail(breakers, 'a', 0, 5);
  breakers.end('a', 'unknown', breakers.begin('a'), 40 * second);
  expect([breakers.waitMs('a', 40 * second), breakers.begin('a')]).toEqual([0, true]);
});

test('attempts that began before it opened neither close it nor lengthen the pause', () => {
  const breakers = new CircuitBreakers();
  const late = [breakers.begin('a'), breakers.begin('a'), breakers.begin('a')];
  fail(breakers, 'a', 0, 5);
  breakers.end('a', 'worked', late[0]!, 1 * second);
  breakers.end('a', 'failed', late[1]!, 1 * second);
  expect(breakers.waitMs('a', 1 * second)).toBe(29 * second);
  const probe = breakers.begin('a');
  breakers.end('a', 'worked', late[2]!, 31 * second);
  expect([probe, breakers.waitMs('a', 31 * second)]).toEqual([true, circuitBreakerRules.probeMs]);
});

test('targets that work need no memory, and targets that fail a limited amount', () => {
  const breakers = new CircuitBreakers();
  for (let n = 0; n < 20_000; n++) breakers.end(`works ${n}`, 'worked', breakers.begin(`works ${n}`), 0);
  expect(breakers.size).toBe(0);
  for (let n = 0; n < circuitBreakerRules.kept + 500; n++) fail(breakers, `fails ${n}`, 0, 5);
  expect(breakers.size).toBe(circuitBreakerRules.kept);
  expect([breakers.waitMs('fails 0', 0), breakers.waitMs(`fails ${circuitBreakerRules.kept + 499}`, 0)]).toEqual([
    0,
    30 * second,
  ]);
});

test('for any sequence there is one probe at a time and no pause over five minutes', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('begin' as const) }),
    fc.record({ kind: fc.constant('end' as const), verdict: fc.constantFrom<Verdict>('worked', 'failed', 'unknown') }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 400_000 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const breakers = new CircuitBreakers();
      const underWay: boolean[] = [];
      let now = 0;
      for (const one of steps) {
        if (one.kind === 'wait') now += one.ms;
        if (one.kind === 'begin' && breakers.waitMs('a', now) === 0) underWay.push(breakers.begin('a'));
        if (one.kind === 'end' && underWay.length > 0) breakers.end('a', one.verdict, underWay.shift()!, now);
        expect(underWay.filter((isProbe) => isProbe).length).toBeLessThanOrEqual(1);
        expect(breakers.waitMs('a', now)).toBeLessThanOrEqual(circuitBreakerRules.longestPauseMs);
      }
    }),
  );
});
