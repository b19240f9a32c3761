import { serviceRequest } from '@ams/contracts';
import { removeState, startNats, type EmbeddedNats } from '@ams/embedded';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectNats } from '../connection.js';
import type { Logger } from '../logger.js';
import { OrganizationActivity } from '../organization-activity.js';
import { OrganizationTurns, tooLate, type TurnLimits } from './organization-turns.js';
import { RpcClient } from './rpc-client.js';
import { RpcServer } from './rpc-server.js';

const never = Infinity;

/** Work that ends when the test says so. */
function start(places: number, others: Partial<TurnLimits> = {}) {
  const activity = new OrganizationActivity();
  const limits = {
    places,
    placesBesideOthers: places,
    pace: 1,
    burstMs: Infinity,
    onePlaceFromMs: Infinity,
    restAfterEachMs: 0,
    countedFromMs: 0,
    longestRestMs: 60_000,
    heldMs: Infinity,
    ...others,
  };
  const turns = new OrganizationTurns(limits, activity);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (organization: string, name: string, until = never) =>
    turns.run(organization, until, () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await pause(0);
  };
  return { turns, activity, begun, run, end };
}

it('does few things of an organization at once, in the order in which they came, and all of another', async () => {
  const { turns, begun, run, end } = start(2);
  const all = ['a1', 'a2', 'a3', 'a4'].map((name) => run('a', name));
  all.push(run('b', 'b1'));
  await pause(0);
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  expect(turns.waiting).toBe(2);
  await end('a2');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  for (const name of ['a1', 'a3', 'a4', 'b1']) await end(name);
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
  expect(turns.waiting).toBe(0);
});

it('does not begin what nobody waits for any more, and goes on with the next', async () => {
  const { begun, run, end } = start(1);
  const [first, late, next] = [run('a', 'first'), run('a', 'late', performance.now()), run('a', 'next')];
  await end('first');
  expect(await late).toBe(tooLate);
  await end('next');
  expect([await first, await next]).toEqual(['first', 'next']);
  expect(begun).toEqual(['first', 'next']);
});

it('gives the place back after an error', async () => {
  const { turns, run, end } = start(1);
  const failing = turns.run('a', never, () => Promise.reject(new Error('at fault')));
  const next = run('a', 'next');
  await expect(failing).rejects.toThrow('at fault');
  await end('next');
  expect(await next).toBe('next');
});

it('gives the place of a request back that takes long, once', async () => {
  const { turns, begun, run, end } = start(1, { heldMs: 30 });
  const all = ['slow', 'next', 'last'].map((name) => run('a', name));
  while (!begun.includes('next')) await pause(1);
  await end('slow');
  expect(begun).toEqual(['slow', 'next']);
  expect(turns.waiting).toBe(1);
  await end('next');
  await end('last');
  expect(await Promise.all(all)).toEqual(['slow', 'next', 'last']);
});

describe('while others are active', () => {
  it('an organization has fewer places', async () => {
    const { turns, begun, run, end } = start(3, { placesBesideOthers: 2 });
    const all = [run('b', 'b1'), ...['a1', 'a2', 'a3'].map((name) => run('a', name))];
    await pause(0);
    expect(begun).toEqual(['b1', 'a1', 'a2']);
    expect(turns.waiting).toBe(1);
    for (const name of ['a1', 'a2', 'a3', 'b1']) await end(name);
    await Promise.all(all);
  });

  it('also when they have no requests, but for example events', async () => {
    const { turns, activity, begun, run, end } = start(3, { placesBesideOthers: 1 });
    activity.note('b', performance.now());
    const all = ['a1', 'a2'].map((name) => run('a', name));
    await pause(0);
    expect(begun).toEqual(['a1']);
    expect(turns.waiting).toBe(1);
    for (const name of ['a1', 'a2']) await end(name);
    await Promise.all(all);
  });

  it('one whose requests have taken some time has one place, without a rest', async () => {
    const { begun, run, end } = start(3, { pace: 0.001, onePlaceFromMs: 50 });
    const b = run('b', 'b1');
    const long = run('a', 'long');
    await pause(60);
    await end('long');
    await long;
    const all = ['a1', 'a2', 'a3'].map((name) => run('a', name));
    await pause(0);
    expect(begun).toEqual(['b1', 'long', 'a1']);
    await end('a1');
    expect(begun).toEqual(['b1', 'long', 'a1', 'a2']);
    for (const name of ['a2', 'a3', 'b1']) await end(name);
    await Promise.all([...all, b]);
  });

  it.each([
    [60_000, 120],
    [20, 20],
  ])(
    'one that has one place rests after a request twice as long as it took, %d ms at most',
    async (restAfterEachMs, least) => {
      const { begun, run, end } = start(1, { pace: 0.001, onePlaceFromMs: 50, restAfterEachMs });
      const all = [run('b', 'b1'), run('a', 'long'), run('a', 'next')];
      await pause(60);
      const ended = performance.now();
      await end('long');
      expect(begun).toEqual(['b1', 'long']);
      while (!begun.includes('next')) await pause(1);
      expect(performance.now() - ended).toBeGreaterThanOrEqual(least - 1);
      for (const name of ['next', 'b1']) await end(name);
      await Promise.all(all);
    },
  );

  it('one whose requests have taken much time has one place, and rests before the next', async () => {
    const { turns, begun, run, end } = start(3, { pace: 0.001, burstMs: 50, onePlaceFromMs: 50 });
    const long = run('a', 'long');
    await pause(60);
    await end('long');
    await long;
    const alone = ['a1', 'a2', 'a3'].map((name) => run('a', name));
    await pause(0);
    expect(begun).toEqual(['long', 'a1', 'a2', 'a3']); // nobody else is there
    const b = run('b', 'b1');
    for (const name of ['a1', 'a2', 'a3']) await end(name);
    await Promise.all(alone);
    const late = run('a', 'late', performance.now() + 100);
    const next = run('a', 'next');
    await pause(150);
    expect(begun).toEqual(['long', 'a1', 'a2', 'a3', 'b1']);
    expect(turns.waiting).toBe(2);
    turns.drain(); // nobody rests when the replica stops
    expect(await late).toBe(tooLate);
    await pause(0);
    expect(begun.at(-1)).toBe('next');
    for (const name of ['next', 'b1']) await end(name);
    expect(await Promise.all([next, b])).toEqual(['next', 'b1']);
  });

  it('the rest ends by itself, and short requests need none', async () => {
    const { begun, run, end } = start(3, { pace: 1, burstMs: 0, countedFromMs: 30 });
    const b = run('b', 'b1');
    for (let n = 0; n < 20; n++) {
      const short = run('a', `short ${n}`);
      await end(`short ${n}`);
      await short;
    }
    const long = run('a', 'long');
    await pause(100);
    await end('long');
    await long;
    const next = run('a', 'next');
    await pause(0);
    expect(begun).not.toContain('next');
    for (let waited = 0; waited < 500 && !begun.includes('next'); waited++) await pause(10);
    for (const name of ['next', 'b1']) await end(name);
    expect(await Promise.all([next, b])).toEqual(['next', 'b1']);
  });
});

describe('over NATS', () => {
  let dir: string;
  let nats: EmbeddedNats;
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'ams-turns-'));
    nats = await startNats({ dir, durable: false });
  });
  afterAll(async () => {
    await nats.stop();
    removeState(dir);
  });

  it('calls of one organization wait for each other, those of another do not, and a late one is not done', async () => {
    const connection = await connectNats({ url: nats.url, name: 'owner' });
    const silent = { warn: () => undefined, error: () => undefined } as unknown as Logger;
    const server = new RpcServer(connection, 'owner', silent);
    const work = serviceRequest<object, { done: string }>('rpc.work');
    const ends = new Map<string, () => void>();
    const begun: string[] = [];
    const handler = ({ body }: { body: string }) => {
      begun.push(body);
      return new Promise((resolve) => ends.set(body, () => resolve({ done: body })));
    };
    server.addHandler(work.subject, handler as never, false, { operation: { id: 'work' } });
    await server.listen((error) => {
      if (error) throw error as Error;
    });
    const rpc = new RpcClient(connection);
    const send = (organizationId: string, body: string, timeoutMs = 60_000) =>
      rpc.request(work, { principal: { organizationId }, body }, { timeoutMs, requestId: body });
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await pause(5);
    };
    try {
      const first = ['a1', 'a2', 'a3', 'a4'];
      const some = first.map((name) => send('a', name));
      await until(() => begun.length === 4);
      await expect(send('a', 'late', 200)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
      some.push(send('a', 'a5'), send('b', 'b1'));
      await until(() => begun.length === 5 && server.waitingCalls === 1);
      expect(begun).toEqual([...first, 'b1']);
      first.forEach((name) => ends.get(name)!());
      await until(() => begun.length === 6); // after a rest
      expect(begun[5]).toBe('a5');
      ['a5', 'b1'].forEach((name) => ends.get(name)!());
      expect(await Promise.all(some)).toEqual([...first, 'a5', 'b1'].map((done) => ({ done })));
    } finally {
      ends.forEach((end) => end());
      await server.close();
      await connection.close();
    }
  });
});
