import { createTestDatabase, eventually, startTcpProxy, type MigratedDatabase } from '@ams/testing';
import { Database } from './database.js';
import { FairSlots } from './fair-slots.js';

const storm = { organization: 'a', team: 'storm' };
const quiet = { organization: 'a', team: 'quiet' };

/** Work that ends when `end` is called. */
function heldWork() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { work: () => ended, end };
}

describe('places', () => {
  test('work that comes later is done before the rest of a storm', async () => {
    const slots = new FairSlots({ total: 1, organization: 1, team: 1 });
    const first = heldWork();
    const order: string[] = [];
    const all = [slots.run(storm, first.work)];
    for (let i = 0; i < 5; i++) all.push(slots.run(storm, async () => void order.push(`storm ${i}`)));
    all.push(slots.run(quiet, async () => void order.push('quiet')));
    expect(slots.waiting).toBe(6);
    expect(slots.oldestMs).toBeGreaterThanOrEqual(0);
    first.end();
    await Promise.all(all);
    expect(order.slice(0, 3)).toEqual(['storm 0', 'quiet', 'storm 1']);
    expect([slots.waiting, slots.oldestMs]).toEqual([0, 0]);
  });

  test('a place rests after work as long as the work was told to let it', async () => {
    const slots = new FairSlots({ total: 2, organization: 1, team: 1 });
    const busy = { begun: 0, ended: 0 };
    const first = slots.run(
      storm,
      async () => {
        busy.begun = performance.now();
        await new Promise((resolve) => setTimeout(resolve, 40));
        busy.ended = performance.now();
      },
      2,
    );
    const next = slots.run(storm, async () => performance.now());
    await first;
    expect(slots.waiting).toBe(1);
    expect((await next) - busy.ended).toBeGreaterThanOrEqual(2 * (busy.ended - busy.begun) - 2);
  });

  test('a rest has a longest time', async () => {
    const slots = new FairSlots({ total: 1, organization: 1, team: 1 }, 10);
    const work = () => new Promise((resolve) => setTimeout(resolve, 50));
    await slots.run(storm, work, 1e6);
    await expect(slots.run(storm, () => Promise.resolve('done'))).resolves.toBe('done');
  });

  test('work that fails gives its place back', async () => {
    const slots = new FairSlots({ total: 1, organization: 1, team: 1 });
    await expect(slots.run(storm, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(slots.run(storm, () => Promise.resolve('done'))).resolves.toBe('done');
  });

  test('what waits is refused when there are no more turns, and what has begun ends', async () => {
    const slots = new FairSlots({ total: 1, organization: 1, team: 1 });
    const first = heldWork();
    const running = slots.run(storm, first.work);
    const waiting = slots.run(quiet, () => Promise.resolve());
    slots.refuse(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    await expect(slots.run(quiet, () => Promise.resolve())).rejects.toThrow('stopped');
    first.end();
    await running;
  });
});

describe('connections', () => {
  let own: MigratedDatabase;
  let database: Database;
  /** Its connections are not waited for. */
  let hurried: Database;
  let timeOuts = 0;
  beforeAll(async () => {
    own = await createTestDatabase();
    const connectTimedOut = (): void => void timeOuts++;
    const options = { service: 'auth' as const, url: own.urls.auth, connectTimedOut };
    database = await Database.open({ ...options, connectTimeoutMs: 60_000, poolSize: 4 });
    hurried = await eventually(() => Database.open({ ...options, connectTimeoutMs: 1_000, poolSize: 4 }));
  });
  afterAll(async () => {
    await database?.close();
    await hurried?.close();
    await own?.drop();
  });

  test('very much work in the background leaves connections to others, and waits without a time limit', async () => {
    const held = heldWork();
    const storms = Array.from({ length: 40 }, (_, n) =>
      database.sharing({ organization: `${n % 5}`, team: 'storm' }, () =>
        database.asService(async (tx) => {
          await tx.query('SELECT 1');
          await held.work();
        }),
      ),
    );
    for (let i = 0; i < 10; i++) await database.query('SELECT pg_sleep(0.05)');
    const [row] = await database.asService((tx) => tx.query<{ one: number }>('SELECT 1 AS one'));
    expect(row).toEqual({ one: 1 });
    held.end();
    await Promise.all(storms);
    expect(timeOuts).toBe(0);
  });

  /** Begins 12 transactions of an organization. */
  const begin = (large: Database, organization: string) => {
    const held = heldWork();
    let begun = 0;
    const all = Array.from({ length: 12 }, () =>
      large.sharing({ organization, team: 'storm' }, () =>
        large.asService(() => {
          begun++;
          return held.work();
        }),
      ),
    );
    return {
      /** How many have begun after some time: `most`, or fewer. */
      async atOnce(most: number): Promise<number> {
        await eventually(() => expect(begun).toBeGreaterThanOrEqual(most), { timeoutMs: 5000 }).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, 200));
        return begun;
      },
      async end() {
        held.end();
        await Promise.all(all);
      },
    };
  };
  const atOnce = async (large: Database, organization: string, most: number): Promise<number> => {
    const storm = begin(large, organization);
    const begun = await storm.atOnce(most);
    const { any, besideOthers, muchWork } = large.waiting;
    expect(any + besideOthers + muchWork).toBe(12 - begun);
    await storm.end();
    return begun;
  };
  const run = (large: Database, organization: string, sql: string) =>
    large.sharing({ organization, team: 'storm' }, () => large.asService((tx) => tx.query(sql)));
  /** A new pool, which does not know of any work yet: so it depends on nobody's pace who has much of it. */
  const withLarge = async (url: string, work: (large: Database) => Promise<void>): Promise<void> => {
    const large = await Database.open({ service: 'auth', url, poolSize: 20 });
    try {
      await work(large);
    } finally {
      await large.close();
    }
  };

  test('while others have work in the background, an organization has fewer connections', async () => {
    await withLarge(own.urls.auth, async (large) => {
      const a = begin(large, 'a');
      await eventually(async () => expect(await a.atOnce(8)).toBe(8));
      const b = begin(large, 'b');
      await eventually(async () => expect(await b.atOnce(2)).toBe(2)); // all places
      await Promise.all([a.end(), b.end()]);
    });
    await withLarge(own.urls.auth, async (large) => {
      await run(large, 'b', 'SELECT 1');
      expect(await atOnce(large, 'a', 3)).toBe(3);
    });
  });

  test('while the database is slow, one with much more work than others has one connection of ten', async () => {
    const proxy = await startTcpProxy(own.urls.auth);
    await withLarge(proxy.through(own.urls.auth), async (large) => {
      await run(large, 'b', 'SELECT 1');
      expect(await atOnce(large, 'a', 3)).toBe(3);
      proxy.delay(50);
      for (let i = 0; i < 10; i++) await run(large, 'a', 'SELECT pg_sleep(0.1)');
      expect(await atOnce(large, 'a', 1)).toBe(1);
      expect(await atOnce(large, 'b', 3)).toBe(3);
    }).finally(() => proxy.stop());
  });

  test('a statement within a transaction in the background does not wait for its own place', async () => {
    const parts = Array.from({ length: 4 }, () =>
      database.sharing(storm, () => database.asService(() => database.query('SELECT 1 AS one'))),
    );
    expect(await Promise.all(parts)).toEqual(Array.from({ length: 4 }, () => [{ one: 1 }]));
  });

  test('several statements wait for their turn once, and give their connection back when one fails', async () => {
    for (let i = 0; i < 5; i++)
      await expect(database.statements((queries) => queries.query('SELECT 1 / 0'))).rejects.toThrow('division by zero');
    const pids = await Promise.all(
      Array.from({ length: 8 }, () =>
        database.sharing(storm, () =>
          database.statements(async (queries) => {
            const ask = () => queries.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
            return [...(await ask()), ...(await ask())];
          }),
        ),
      ),
    );
    for (const [first, second] of pids) expect(first).toEqual(second);
  });

  test('a connection that is not free in time is counted', async () => {
    const held = heldWork();
    const all: Promise<void>[] = [];
    /** Takes a connection and keeps it. A busy machine may need more than one attempt to open it. */
    const take = () =>
      eventually(
        () =>
          new Promise<void>((taken, refused) => {
            all.push(hurried.asService(() => (taken(), held.work())).catch(refused));
          }),
      );
    for (let i = 0; i < 4; i++) await take();
    timeOuts = 0;
    await Promise.all([
      expect(hurried.query('SELECT 1')).rejects.toThrow('timeout exceeded'),
      expect(hurried.asService((tx) => tx.query('SELECT 1'))).rejects.toThrow('timeout exceeded'),
    ]);
    expect(timeOuts).toBe(2);
    held.end();
    await Promise.all(all);
  });
});
