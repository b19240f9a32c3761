/** Who is let through: by free places, and by the circuits of where an attempt goes. */
import { manualClock } from '@ams/testing';
import { Gate, type Stop } from './gate.js';
import { failedForGood, failedForNow, sent, type Outcome } from './outcome.js';

const target = (key: string, limit = 2): Stop => ({ key, limit, name: `host ${key}`, role: 'target' });
const relay = (limit = 5): Stop => ({ key: 'relay', limit, name: 'The mail server', role: 'relay' });

const down = failedForNow('500', 'it is down', 'target');
const relayDown = failedForNow('ESOCKET', 'the relay is down', 'relay');

function gate({ limit = 100, waitMs = 0 } = {}) {
  const clock = manualClock();
  const made = new Gate(limit, waitMs, () => clock.now().getTime());
  const pass = (stops: Stop[], outcome: Outcome) => made.pass(stops, () => Promise.resolve(outcome));
  return { clock, made, pass };
}

/** An attempt that ends when it is told to. */
function pending() {
  let end = (_outcome: Outcome): void => undefined;
  const outcome = new Promise<Outcome>((resolve) => (end = resolve));
  return { attempt: () => outcome, end: () => end(sent('200')) };
}

async function repeat(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < times; n++) await work();
}

describe('circuits', () => {
  test('a target that failed five times is left alone, and the answer says how long', async () => {
    const { clock, pass } = gate();
    await repeat(5, () => pass([target('a')], down));
    clock.advance(10_500);
    expect(await pass([target('a')], sent('200'))).toEqual({
      reply: { kind: 'heldBack', retryAfterSeconds: 20, reason: expect.stringContaining('host a failed') as string },
      result: 'held',
      blame: 'unknown',
      code: 'circuit',
    });
    expect((await pass([target('b')], sent('200'))).result).toBe('sent');
    clock.advance(20_000);
    expect((await pass([target('a')], sent('200'))).result).toBe('sent');
    expect((await pass([target('a')], sent('200'))).result).toBe('sent');
  });

  test('while one probes, the others are told to come back soon', async () => {
    const { clock, made, pass } = gate();
    await repeat(5, () => pass([target('a')], down));
    clock.advance(30_000);
    const probe = pending();
    const probing = made.pass([target('a')], probe.attempt);
    expect((await pass([target('a')], sent('200'))).reply).toMatchObject({ kind: 'heldBack', retryAfterSeconds: 2 });
    probe.end();
    expect((await probing).result).toBe('sent');
    expect((await pass([target('a')], sent('200'))).result).toBe('sent');
  });

  test('refusals for good, and what was never asked, open nothing', async () => {
    const { pass } = gate();
    await repeat(20, () => pass([target('a')], failedForGood('404', 'gone', 'nobody')));
    await repeat(20, () => pass([target('a')], failedForGood('private', 'private', 'unknown')));
    expect((await pass([target('a')], sent('200'))).result).toBe('sent');
  });

  test('a mail server that is away is not held against domains, nor a domain against the mail server', async () => {
    const { clock, pass } = gate();
    await repeat(5, () => pass([relay(), target('a.example')], relayDown));
    expect((await pass([relay(), target('b.example')], sent('250'))).code).toBe('circuit');
    clock.advance(30_000);
    expect((await pass([relay(), target('a.example')], sent('250'))).result).toBe('sent');

    await repeat(5, () => pass([relay(), target('c.example')], failedForNow('450', 'later', 'target')));
    expect((await pass([relay(), target('c.example')], sent('250'))).code).toBe('circuit');
    expect((await pass([relay(), target('a.example')], sent('250'))).result).toBe('sent');
  });

  test('an attempt that throws gives its place and its probe back', async () => {
    const { clock, made, pass } = gate({ limit: 1 });
    await repeat(5, () => pass([target('a')], down));
    clock.advance(30_000);
    await expect(made.pass([target('a')], () => Promise.reject(new Error('a fault of ours')))).rejects.toThrow(
      'a fault of ours',
    );
    expect((await pass([target('a')], sent('200'))).result).toBe('sent');
  });
});

describe('places', () => {
  test('two at once to a target; what does not fit is told to come back, and other targets are not delayed', async () => {
    const { made, pass } = gate();
    const slow = [pending(), pending()];
    const going = slow.map(({ attempt }) => made.pass([target('slow')], attempt));
    expect(await pass([target('slow')], sent('200'))).toMatchObject({
      reply: { kind: 'heldBack', retryAfterSeconds: 2 },
      result: 'held',
      code: 'busy',
    });
    expect((await pass([target('quick')], sent('200'))).result).toBe('sent');
    for (const { end } of slow) end();
    expect((await Promise.all(going)).map(({ result }) => result)).toEqual(['sent', 'sent']);
    expect((await pass([target('slow')], sent('200'))).result).toBe('sent');
  });

  test('so many in all', async () => {
    const { made, pass } = gate({ limit: 3 });
    const slow = [pending(), pending(), pending()];
    const going = slow.map(({ attempt }, index) => made.pass([target(`t${index}`)], attempt));
    expect((await pass([target('another')], sent('200'))).code).toBe('busy');
    slow[0]!.end();
    await going[0];
    expect((await pass([target('another')], sent('200'))).result).toBe('sent');
    for (const { end } of slow) end();
    await Promise.all(going);
  });

  test('who waits is served as soon as there is a place, in order, past those who wait for another target', async () => {
    const { made } = gate({ limit: 100, waitMs: 60_000 });
    const order: string[] = [];
    const [a, b] = [pending(), pending()];
    const going = [made.pass([target('a', 1)], a.attempt), made.pass([target('b', 1)], b.attempt)];
    const waiting = ['a1', 'a2', 'b1'].map((name) =>
      made.pass([target(name[0]!, 1)], () => {
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

  test('nobody waits longer than he may', async () => {
    const { made, pass } = gate({ waitMs: 20 });
    const slow = pending();
    const going = made.pass([target('a', 1)], slow.attempt);
    expect((await pass([target('a', 1)], sent('200'))).code).toBe('busy');
    slow.end();
    await going;
    expect((await pass([target('a', 1)], sent('200'))).result).toBe('sent');
  });

  test('what failed while one waited is known when the turn comes', async () => {
    const { made, pass } = gate({ waitMs: 60_000 });
    await repeat(4, () => pass([target('a', 1)], down));
    let end = (): void => undefined;
    const fifth = made.pass([target('a', 1)], () => new Promise((resolve) => (end = () => resolve(down))));
    await Promise.resolve();
    const waiting = pass([target('a', 1)], sent('200'));
    await new Promise((resolve) => setImmediate(resolve));
    end();
    expect((await fifth).code).toBe('500');
    expect((await waiting).code).toBe('circuit');
  });
});
