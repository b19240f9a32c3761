/** Half-open connections, which a proxy between the service and PostgreSQL makes. */
import { newUuid, type Principal } from '@ams/contracts';
import { createTestDatabase, startTcpProxy, type MigratedDatabase, type TcpProxy } from '@ams/testing';
import { Database } from './database.js';

const timeoutMs = 1000;

let own: MigratedDatabase;
let proxy: TcpProxy;
let database: Database;

beforeAll(async () => {
  own = await createTestDatabase();
  proxy = await startTcpProxy(own.urls['resource-api']);
});
beforeEach(async () => {
  database = await Database.open({
    service: 'resource-api',
    url: proxy.through(own.urls['resource-api']),
    poolSize: 2,
    timeoutMs,
  });
});
afterEach(async () => {
  proxy.silence('no packet contains this');
  await database.close();
  proxy.cut();
});
afterAll(async () => {
  await proxy?.stop();
  await own?.drop();
});

const noAnswer = { name: 'NoAnswerError', code: 'ETIMEDOUT' };
const one = () => database.asService((tx) => tx.query('SELECT 1 AS one'));

test('a single statement on a silent connection fails in time, and the connection is not used again', async () => {
  await database.query('SELECT 1');
  proxy.silence();
  await expect(database.query('SELECT 1')).rejects.toMatchObject(noAnswer);
  for (let i = 0; i < 10; i++) await expect(database.query('SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
});

test.each(['BEGIN', 'SELECT 1 AS one', 'COMMIT'])(
  'a transaction whose connection becomes silent at %s fails once, in time',
  async (statement) => {
    await one();
    proxy.silence(statement);
    const before = proxy.silenced;
    await expect(one()).rejects.toMatchObject(noAnswer);
    expect(proxy.silenced).toBe(before + 1);
    for (let i = 0; i < 10; i++) await expect(one()).resolves.toEqual([{ one: 1 }]);
  },
);

describe('reads for a principal', () => {
  const principal: Principal = {
    type: 'user',
    id: newUuid(),
    name: 'a member',
    organizationId: newUuid(),
    environment: 'live',
    scopes: [],
  };
  const sql = 'SELECT 1 AS one';
  let uses = 0;
  /** A text that is repeated gets a name, and is sent once. */
  const unrepeated = () => `${sql} -- ${++uses}`;
  const single = () => database.readAtOnceAs(principal, (tx) => tx.query(unrepeated()));
  const several = () => database.readAs(principal, (tx) => tx.query(unrepeated()));

  test('a single statement needs one round trip, the first of several needs none of its own', async () => {
    await single();
    proxy.holdAnswersUntil('COMMIT');
    await expect(single()).resolves.toEqual([{ one: 1 }]);
    proxy.holdAnswersUntil(sql);
    await expect(several()).resolves.toEqual([{ one: 1 }]);
  });

  test.each(['BEGIN', sql, 'COMMIT'])(
    'one whose connection becomes silent at %s fails once, in time',
    async (statement) => {
      for (const read of [single, several]) {
        await read();
        proxy.silence(statement);
        await expect(read()).rejects.toMatchObject(noAnswer);
        for (let i = 0; i < 5; i++) await expect(read()).resolves.toEqual([{ one: 1 }]);
      }
    },
  );
});

test('PostgreSQL ends the transaction of a lost connection, and with it its locks', async () => {
  const lock = () => database.asService((tx) => tx.query('SELECT pg_advisory_xact_lock(1), 2 AS two'));
  await one();
  proxy.silence('COMMIT');
  await expect(lock()).rejects.toMatchObject(noAnswer);
  // The lock time-out is shorter than the time after which the server ends the transaction.
  await expect(lock()).rejects.toMatchObject({ code: '55P03' });
  let taken: unknown;
  for (let i = 0; i < 5 && taken === undefined; i++) taken = await lock().catch(() => undefined);
  expect(taken).toMatchObject([{ two: 2 }]);
});

test('the server ends a slow statement before the deadline, and the connection is kept', async () => {
  const pid = () => database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const before = await pid();
  await database
    .asService((tx) => tx.query('SELECT pg_sleep(60)'))
    .then(
      () => expect('no error').toBe(''),
      (error: unknown) => expect(error).toMatchObject({ code: '57014' }),
    );
  expect(await pid()).toEqual(before);
});
