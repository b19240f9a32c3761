/** A server that takes connections and does not answer, as PostgreSQL that stands still. */
import { createTestDatabase, eventually, startTcpProxy, type MigratedDatabase, type TcpProxy } from '@ams/testing';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { clientWithDeadline } from './deadline-client.js';

/** For attempts that get no answer. */
const shortMs = 1000;
const longMs = 30_000;

let own: MigratedDatabase;
let proxy: TcpProxy;
let pools: pg.Pool[];

beforeAll(async () => {
  own = await createTestDatabase();
});
beforeEach(async () => {
  pools = [];
  proxy = await startTcpProxy(own.urls['resource-api']);
  // Its port may be that of an earlier proxy, of which this process knows that it did not answer.
  await poolWith(longMs).query('SELECT 1');
});
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await proxy.stop();
});
afterAll(async () => {
  await own?.drop();
});

function poolWith(connectionTimeoutMillis: number, password?: string): pg.Pool {
  const url = new URL(proxy.through(own.urls['resource-api']));
  if (password) url.password = password;
  const Client = clientWithDeadline(longMs);
  const pool = new pg.Pool({ connectionString: url.href, max: 10, connectionTimeoutMillis, Client });
  pool.on('error', () => undefined);
  pools.push(pool);
  return pool;
}

/** Returns how many of ten queries at the same time have failed. */
async function failuresOfTen(pool: pg.Pool): Promise<number> {
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => pool.query('SELECT 1')));
  return outcomes.filter(({ status }) => status === 'rejected').length;
}

const attemptsWithoutAnswer = (count: number) => eventually(() => expect(proxy.silenced).toBe(count));

/** After it, the process knows that the server does not answer. */
async function becomeSilent(): Promise<void> {
  proxy.silenceNew(true);
  expect(await failuresOfTen(poolWith(shortMs))).toBe(10);
  await attemptsWithoutAnswer(10);
}

test('a server that does not answer gets one attempt at a time, over all pools', async () => {
  await becomeSilent();
  for (const count of [11, 12]) {
    expect(await failuresOfTen(poolWith(shortMs))).toBe(10);
    await attemptsWithoutAnswer(count);
  }
});

test('when it answers again, all connect', async () => {
  await becomeSilent();
  proxy.silenceNew(false);
  const pool = poolWith(longMs);
  expect(await failuresOfTen(pool)).toBe(0);
  expect(pool.totalCount).toBe(10);
});

test('whoever waits for the attempt of another waits no longer than its own time', async () => {
  await becomeSilent();
  let isLongOver = false;
  const long = poolWith(5000)
    .query('SELECT 1')
    .catch(() => (isLongOver = true));
  await expect(poolWith(50).query('SELECT 1')).rejects.toThrow('connection timeout');
  expect(isLongOver).toBe(false);
  await long;
  await attemptsWithoutAnswer(11);
});

test('who came shortly before the attempt of another ended tries next', async () => {
  await becomeSilent();
  const early = poolWith(shortMs).query('SELECT 1');
  const late = poolWith(longMs).query('SELECT 1');
  await expect(early).rejects.toThrow('connection timeout');
  await attemptsWithoutAnswer(12);
  proxy.silenceNew(false);
  proxy.cut();
  // The system resets a connection of which the proxy has not read the first bytes yet.
  await expect(late).rejects.toThrow(/Connection terminated unexpectedly|ECONNRESET/);
  expect(await failuresOfTen(poolWith(longMs))).toBe(0);
});

test('a refusal is for the user who got it only: the others who waited connect', async () => {
  await becomeSilent();
  proxy.silenceNew(false);
  const refused = poolWith(longMs, 'wrong').query('SELECT 1');
  const failures = failuresOfTen(poolWith(longMs));
  await expect(refused).rejects.toMatchObject({ code: '28P01' });
  expect(await failures).toBe(0);
});

test('after a refusal nobody waits for another attempt', async () => {
  expect(await failuresOfTen(poolWith(longMs, 'wrong'))).toBe(10);
  proxy.silenceNew(true);
  expect(await failuresOfTen(poolWith(shortMs))).toBe(10);
  await attemptsWithoutAnswer(10);
});

test('a port that cannot be one is an error of the caller', async () => {
  const pool = new pg.Pool({
    host: '127.0.0.1',
    port: 70_000,
    connectionTimeoutMillis: shortMs,
    Client: clientWithDeadline(longMs),
  });
  await expect(pool.query('SELECT 1')).rejects.toMatchObject({ code: 'ERR_SOCKET_BAD_PORT' });
  // An error to which nobody listens would end the process when the time for connecting is over.
  await pause(shortMs + 200);
});
