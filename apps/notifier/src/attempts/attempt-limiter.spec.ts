/** Which attempts are made, depending on free slots and on the circuit breakers of their hops. */
import { manualClock } from '@ams/testing';
import { AttemptLimiter, type Hop } from './attempt-limiter.js';
import { NotifierSettings } from '../settings.js';
import { permanentFailure, temporaryFailure, sent, type AttemptResult } from './attempt-result.js';

const target = (key: string, limit = 2): Hop => ({ key, limit, name: `host ${key}`, role: 'target' });
const relay = (limit = 5): Hop => ({ key: 'relay', limit, name: 'The mail server', role: 'relay' });

const down = temporaryFailure('500', 'it is down', 'target');
const relayDown = temporaryFailure('ESOCKET', 'the relay is down', 'relay');

function attemptLimiter({ limit = 100, waitMs = 0 } = {}) {
  const clock = manualClock();
  const settings = Object.assign(new NotifierSettings(), { concurrency: limit, waitMs });
  const limiter = new AttemptLimiter(settings, { now: () => clock.now().getTime() });
  const run = (hops: Hop[], outcome: AttemptResult) => limiter.run(hops, () => Promise.resolve(outcome));
  return { clock, limiter, run };
}

/** An attempt that ends when the test ends it. */
function pending() {
  let end = (_outcome: AttemptResult): void => undefined;
  const outcome = new Promise<AttemptResult>((resolve) => (end = resolve));
  return { attempt: () => outcome, end: () => end(sent('200')) };
}

async function repeat(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < times; n++) await work();
}

describe('circuit breakers', () => {
  test('a target that failed five times is not called, and the result says for how long', async () => {
    const { clock, run } = attemptLimiter();
    await repeat(5, () => run([target('a')], down));
    clock.advance(10_500);
    expect(await run([target('a')], sent('200'))).toEqual({
      reply: { kind: 'heldBack', retryAfterSeconds: 20, reason: expect.stringContaining('host a failed') as string },
      result: 'held',
      blame: 'unknown',
      code: 'circuit',
    });
    expect((await run([target('b')], sent('200'))).result).toBe('sent');
    clock.advance(20_000);
    expect((await run([target('a')], sent('200'))).result).toBe('sent');
    expect((await run([target('a')], sent('200'))).result).toBe('sent');
  });

  test('during a probe the other attempts are held back for a short time', async () => {
    const { clock, limiter, run } = attemptLimiter();
    await repeat(5, () => run([target('a')], down));
    clock.advance(30_000);
    const probe = pending();
    const probing = limiter.run([target('a')], probe.attempt);
    expect((await run([target('a')], sent('200'))).reply).toMatchObject({ kind: 'heldBack', retryAfterSeconds: 2 });
    probe.end();
    expect((await probing).result).toBe('sent');
    expect((await run([target('a')], sent('200'))).result).toBe('sent');
  });

  test('permanent refusals, and attempts that sent nothing, open no breaker', async () => {
    const { run } = attemptLimiter();
    await repeat(20, () => run([target('a')], permanentFailure('404', 'gone', 'none')));
    await repeat(20, () => run([target('a')], permanentFailure('private', 'private', 'unknown')));
    expect((await run([target('a')], sent('200'))).result).toBe('sent');
  });

  test('failures of a mail server do not open the breaker of a domain, and the other way round', async () => {
    const { clock, run } = attemptLimiter();
    await repeat(5, () => run([relay(), target('a.example')], relayDown));
    expect((await run([relay(), target('b.example')], sent('250'))).code).toBe('circuit');
    clock.advance(30_000);
    expect((await run([relay(), target('a.example')], sent('250'))).result).toBe('sent');

    await repeat(5, () => run([relay(), target('c.example')], temporaryFailure('450', 'later', 'target')));
    expect((await run([relay(), target('c.example')], sent('250'))).code).toBe('circuit');
    expect((await run([relay(), target('a.example')], sent('250'))).result).toBe('sent');
  });

  test('an attempt that throws releases its slot and its probe', async () => {
    const { clock, limiter, run } = attemptLimiter({ limit: 1 });
    await repeat(5, () => run([target('a')], down));
    clock.advance(30_000);
    await expect(limiter.run([target('a')], () => Promise.reject(new Error('a fault of ours')))).rejects.toThrow(
      'a fault of ours',
    );
    expect((await run([target('a')], sent('200'))).result).toBe('sent');
  });
});

describe('concurrency', () => {
  test('a third attempt to a target is held back, and other targets are not delayed', async () => {
    const { limiter, run } = attemptLimiter();
    const slow = [pending(), pending()];
    const going = slow.map(({ attempt }) => limiter.run([target('slow')], attempt));
    expect(await run([target('slow')], sent('200'))).toMatchObject({
      reply: { kind: 'heldBack', retryAfterSeconds: 2 },
      result: 'held',
      code: 'busy',
    });
    expect((await run([target('quick')], sent('200'))).result).toBe('sent');
    for (const { end } of slow) end();
    expect((await Promise.all(going)).map(({ result }) => result)).toEqual(['sent', 'sent']);
    expect((await run([target('slow')], sent('200'))).result).toBe('sent');
  });

  test('there is one limit for all targets together', async () => {
    const { limiter, run } = attemptLimiter({ limit: 3 });
    const slow = [pending(), pending(), pending()];
    const going = slow.map(({ attempt }, index) => limiter.run([target(`t${index}`)], attempt));
    expect((await run([target('another')], sent('200'))).code).toBe('busy');
    slow[0]!.end();
    await going[0];
    expect((await run([target('another')], sent('200'))).result).toBe('sent');
    for (const { end } of slow) end();
    await Promise.all(going);
  });

  test('waiting attempts start in order, except those whose target has no free slot', async () => {
    const { limiter } = attemptLimiter({ limit: 100, waitMs: 60_000 });
    const order: string[] = [];
    const [a, b] = [pending(), pending()];
    const going = [limiter.run([target('a', 1)], a.attempt), limiter.run([target('b', 1)], b.attempt)];
    const waiting = ['a1', 'a2', 'b1'].map((name) =>
      limiter.run([target(name[0]!, 1)], () => {
        order.push(name);
        return Promise.resolve(sent('200'));
      }),
    );
    b.end();
    await waiting[2];
    a.end();
    await Promise.all([...going, ...waiting]);
    expect(order).toEqual(['b1', 'a1', 'a2']);
  });

  test('no attempt waits longer than the limit', async () => {
    const { limiter, run } = attemptLimiter({ waitMs: 20 });
    const slow = pending();
    const going = limiter.run([target('a', 1)], slow.attempt);
    expect((await run([target('a', 1)], sent('200'))).code).toBe('busy');
    slow.end();
    await going;
    expect((await run([target('a', 1)], sent('200'))).result).toBe('sent');
  });

  test('a failure during the wait counts when the wait ends', async () => {
    const { limiter, run } = attemptLimiter({ waitMs: 60_000 });
    await repeat(4, () => run([target('a', 1)], down));
    let end = (): void => undefined;
    const fifth = limiter.run([target('a', 1)], () => new Promise((resolve) => (end = () => resolve(down))));
    await Promise.resolve();
    const waiting = run([target('a', 1)], sent('200'));
    await new Promise((resolve) => setImmediate(resolve));
    end();
    expect((await fifth).code).toBe('500');
    expect((await waiting).code).toBe('circuit');
  });
});
