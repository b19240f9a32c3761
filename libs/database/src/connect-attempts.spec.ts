/** A server that takes connections and does not answer, as PostgreSQL that stands still. */
import { createTestDatabase, type MigratedDatabase } from '@ams/testing';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { clientWithDeadline } from './deadline-client.js';

const connectTimeoutMs = 1500;

let own: MigratedDatabase;
let server: Server;
let isSilent: boolean;
let taken: Socket[];
let pool: pg.Pool;

beforeAll(async () => {
  own = await createTestDatabase();
});
beforeEach(async () => {
  isSilent = true;
  taken = [];
  const real = new URL(own.urls['resource-api']);
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    taken.push(socket);
    if (isSilent) return;
    const behind = connect(Number(real.port), real.hostname).on('error', () => socket.destroy());
    socket.pipe(behind).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(real);
  url.port = String((server.address() as AddressInfo).port);
  pool = new pg.Pool({
    connectionString: url.href,
    max: 10,
    connectionTimeoutMillis: connectTimeoutMs,
    Client: clientWithDeadline(5000),
  });
  pool.on('error', () => undefined);
});
afterEach(async () => {
  await pool.end();
  for (const socket of taken) socket.destroy();
  server.close();
});
afterAll(async () => {
  await own?.drop();
});

const askTenTimes = () => Promise.allSettled(Array.from({ length: 10 }, () => pool.query('SELECT 1 AS one')));
const failed = (outcomes: PromiseSettledResult<unknown>[]) => outcomes.filter(({ status }) => status === 'rejected');

test('a server that does not answer gets one attempt at a time, whose outcome is that of all who come meanwhile', async () => {
  expect(failed(await askTenTimes())).toHaveLength(10);
  expect(taken).toHaveLength(10); // nothing was known yet
  for (let round = 1; round <= 2; round++) {
    expect(failed(await askTenTimes())).toHaveLength(10);
    expect(taken).toHaveLength(10 + round);
  }
});

test('when it answers again, all connect', async () => {
  expect(failed(await askTenTimes())).toHaveLength(10);
  expect(failed(await askTenTimes())).toHaveLength(10);
  isSilent = false;
  expect(failed(await askTenTimes())).toEqual([]);
  expect(pool.totalCount).toBeGreaterThan(1);
});

test('whoever waits for the attempt of another waits no longer than its own time', async () => {
  await askTenTimes();
  const impatient = new pg.Pool({ ...pool.options, connectionTimeoutMillis: 50, Client: clientWithDeadline(5000) });
  const [long, short] = [pool.query('SELECT 1'), impatient.query('SELECT 1')];
  let isLongOver = false;
  const over = long.catch(() => (isLongOver = true));
  await expect(short).rejects.toThrow('connection timeout');
  expect(isLongOver).toBe(false);
  await over;
  await impatient.end();
});

test('a refusal is an answer: nobody waits for another attempt', async () => {
  isSilent = false;
  const wrong = new URL(pool.options.connectionString ?? '');
  wrong.password = 'wrong';
  const refused = new pg.Pool({
    connectionString: wrong.href,
    max: 10,
    connectionTimeoutMillis: 5000,
    Client: clientWithDeadline(5000),
  });
  for (let round = 1; round <= 2; round++) {
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => refused.query('SELECT 1')));
    expect(failed(outcomes)).toHaveLength(10);
    expect(taken).toHaveLength(10 * round);
  }
  await refused.end();
});
