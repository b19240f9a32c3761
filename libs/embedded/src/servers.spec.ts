// The real servers on this machine. Some tests need root, some an ordinary user; as root, `nobody` is the ordinary
// user.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createConnection, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { eventually, isAlive, processesWith } from '../test/support.js';
import pg from 'pg';
import {
  createDatabase,
  defaultCacheDir,
  dropDatabase,
  findNatsServer,
  type NatsServerBinary,
  removeState,
  startNats,
  startPostgres,
} from './index.js';

const isRoot = process.getuid?.() === 0;
const register = join(import.meta.dirname, '../../testing/jest/register-typescript.mjs');
const startBoth = join(import.meta.dirname, '../test/start-both.mjs');
const NOBODY = 65534;
const isReadableForNobody =
  spawnSync(process.execPath, ['-e', `require('fs').readFileSync(${JSON.stringify(startBoth)})`], {
    uid: NOBODY,
    gid: NOBODY,
    cwd: '/',
  }).status === 0;

let root: string;
let binary: NatsServerBinary;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'embedded-'));
  chmodSync(root, 0o755);
  binary = await findNatsServer({ cacheDir: defaultCacheDir(root) });
});

afterAll(() => removeState(root));

const folder = (name: string) => join(root, name);

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function takenPort(): Promise<{ port: number; release(): void }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, release: () => void server.close() };
}

describe('PostgreSQL', () => {
  it('keeps its data after a clean restart, a crash and a new start', async () => {
    const dir = folder('postgres');
    const first = await startPostgres({ dir });
    expect(await query(first.url, 'SHOW max_wal_size')).toEqual([{ max_wal_size: '2GB' }]); // docker/postgres
    await query(first.url, "CREATE TABLE kept AS SELECT 'Ärger' AS word");
    await first.restart();
    expect(await query(first.url, 'SELECT word FROM kept')).toEqual([{ word: 'Ärger' }]);
    await query(first.url, "INSERT INTO kept VALUES ('committed')");
    const before = first.pid;
    await first.kill();
    expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(existsSync(join(dir, 'data', 'postmaster.pid')) || existsSync(join(dir, 'postgres-location'))).toBe(true);
    await first.restart();
    expect(first.pid).not.toBe(before);
    expect(await query(first.url, 'SELECT count(*)::int AS n FROM kept')).toEqual([{ n: 2 }]);
    await first.stop();
    expect(await first.exited).toEqual({ code: 0, signal: null });

    const second = await startPostgres({ dir });
    expect(await query(second.url, 'SELECT count(*)::int AS n FROM kept')).toEqual([{ n: 2 }]);
    await second.stop();
  });

  it('is durable, and accessible only with the password and from this machine', async () => {
    const dir = folder('settings');
    const postgres = await startPostgres({ dir, settings: { work_mem: '6MB' } });
    const rows = await query(
      postgres.url,
      `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'listen_addresses',
         'unix_socket_directories', 'jit', 'max_connections', 'work_mem', 'server_encoding')`,
    );
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: 'on',
      synchronous_commit: 'on',
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      jit: 'off',
      max_connections: '200',
      work_mem: '6144',
      server_encoding: 'UTF8',
    });
    expect(statSync(join(dir, 'postgres-password')).mode & 0o777).toBe(0o600);
    const wrong = new URL(postgres.url);
    wrong.password = 'guess';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);

    const url = await createDatabase(postgres.url, 'my "own"');
    expect(await query(url, 'SELECT current_database() AS name')).toEqual([{ name: 'my "own"' }]);
    await dropDatabase(postgres.url, 'my "own"');
    await postgres.stop();
  });

  it('starts although the lock file of a crash has a process id that another program has now', async () => {
    const dir = folder('stale');
    const postgres = await startPostgres({ dir, settings: { fsync: 'off' } });
    const lock = join(await dataFolder(postgres.url), 'postmaster.pid');
    await postgres.kill();
    const ownLock = readFileSync(lock, 'utf8');
    writeFileSync(lock, ownLock.replace(/^\d+/, String(process.pid)));
    await postgres.restart();
    await postgres.stop();
  });

  it('rejects a folder that another server uses, and does not affect that server', async () => {
    const dir = folder('twice');
    const postgres = await startPostgres({ dir, settings: { fsync: 'off' } });
    expect(() => removeState(dir)).toThrow(expect.objectContaining({ code: 'ALREADY_RUNNING' }));
    await expect(startPostgres({ dir })).rejects.toMatchObject({ code: 'ALREADY_RUNNING' });
    expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await postgres.stop();
  });

  it('reports that a port is in use', async () => {
    const { port, release } = await takenPort();
    await expect(startPostgres({ dir: folder('postgres'), port })).rejects.toMatchObject({
      code: 'PORT_TAKEN',
      message: expect.stringContaining(String(port)),
    });
    release();
  });

  (isRoot ? it : it.skip)('runs for root under a folder that only root can enter', async () => {
    const closed = folder('closed');
    mkdirSync(closed, { mode: 0o700 });
    const dir = join(closed, 'state');
    const output: string[] = [];
    const postgres = await startPostgres({ dir, log: (line) => output.push(line), settings: { fsync: 'off' } });
    const data = await dataFolder(postgres.url);
    const home = dirname(data);
    expect(output.join('\n')).toContain(home);
    expect(readFileSync(join(dir, 'postgres-location'), 'utf8')).toContain(home);
    expect(statSync(home)).toMatchObject({ uid: 0 });
    expect(statSync(home).mode & 0o022).toBe(0);
    expect(statSync(data).uid).not.toBe(0);
    await query(postgres.url, 'CREATE TABLE kept ()');
    await postgres.stop();

    const again = await startPostgres({ dir, settings: { fsync: 'off' } });
    expect(await dataFolder(again.url)).toBe(data);
    expect(await query(again.url, 'SELECT * FROM kept')).toEqual([]);
    await again.stop();

    chownSync(home, NOBODY, NOBODY);
    await expect(startPostgres({ dir })).rejects.toMatchObject({ code: 'NO_PERMISSION' });
    chownSync(home, 0, 0);

    removeState(closed);
    expect(existsSync(home)).toBe(false);
    expect(existsSync(closed)).toBe(false);
  });
});

describe('NATS', () => {
  it('keeps its store after a restart and a crash, and waits for the disk', async () => {
    const dir = folder('nats');
    const nats = await startNats({ dir, binary, monitorPort: true });
    const ask = async (path: string) =>
      (await fetch(`http://127.0.0.1:${nats.monitorPort}${path}`)).json() as Promise<Record<string, unknown>>;
    expect(await ask('/varz')).toMatchObject({ max_payload: 8 * 1024 * 1024, host: '127.0.0.1' });
    expect(await ask('/jsz')).toMatchObject({
      config: {
        store_dir: expect.stringContaining(dir),
        ...(nats.version.startsWith('2.9') ? {} : { sync_always: true }),
      },
    });
    const url = nats.url;
    await nats.kill();
    expect(await nats.exited).toEqual({ code: null, signal: 'SIGKILL' });
    await nats.restart();
    expect(nats.url).toBe(url);
    await expect(startNats({ dir, binary, port: nats.port })).rejects.toMatchObject({ code: 'ALREADY_RUNNING' });
    await nats.stop();
    expect(isAlive(nats.pid)).toBe(false);
  });

  it('allows users only their permitted subjects', async () => {
    const dir = folder('nats-users');
    const nats = await startNats({
      dir,
      binary,
      users: [
        { user: 'all', password: 'p "1" $HOME \\ #' },
        { user: 'one', password: 'two', permissions: { publish: { allow: ['own.>'] }, subscribe: { allow: [] } } },
      ],
    });
    expect(statSync(join(dir, 'nats.conf')).mode & 0o777).toBe(0o600);
    const connect = (user: string, pass: string) => JSON.stringify({ verbose: false, pedantic: false, user, pass });
    expect(await converse(nats.port, connect('all', 'wrong'))).toContain('Authorization Violation');
    expect(
      await converse(nats.port, connect('all', 'p "1" $HOME \\ #'), 'SUB > 1\r\nPUB any.where 0\r\n\r\n'),
    ).toContain('MSG any.where 1 0');
    const limited = await converse(
      nats.port,
      connect('one', 'two'),
      'SUB own.x 1\r\nPUB other 0\r\n\r\nPUB own.x 0\r\n\r\n',
    );
    expect(limited).toContain('Permissions Violation for Subscription to "own.x"');
    expect(limited).toContain('Permissions Violation for Publish to "other"');
    expect(limited).not.toContain('Publish to "own.x"');
    await nats.stop();
  });

  it('reports that a port is in use, and errors in the configuration', async () => {
    const { port, release } = await takenPort();
    await expect(startNats({ dir: folder('nats-port'), binary, port })).rejects.toMatchObject({
      code: 'PORT_TAKEN',
      message: expect.stringContaining(String(port)),
    });
    release();
    await expect(startNats({ dir: folder('nats-port'), binary, config: 'no_such_field: 1' })).rejects.toMatchObject({
      code: 'FAILED',
      message: expect.stringContaining('no_such_field'),
    });
  });
});

describe('both', () => {
  it('run beside others', async () => {
    const servers = await Promise.all(
      ['a', 'b'].flatMap((name) => [
        startPostgres({ dir: folder(`postgres-${name}`), settings: { fsync: 'off' } }),
        startNats({ dir: folder(`nats-${name}`), binary, durable: false }),
      ]),
    );
    expect(new Set(servers.map(({ port }) => port)).size).toBe(4);
    await Promise.all(servers.map((server) => server.stop()));
  });

  it('end when their parent is killed by SIGKILL, and start again', async () => {
    const dir = folder('orphans');
    const parent = await runStartBoth(dir);
    expect([isAlive(parent.postgres), isAlive(parent.nats)]).toEqual([true, true]);
    parent.kill();
    await eventually(() => expect([isAlive(parent.postgres), isAlive(parent.nats)]).toEqual([false, false]));
    await eventually(() => expect(processesWith('cmdline', dir)).toEqual([]));

    const next = await runStartBoth(dir);
    next.kill();
    const atOnce = await runStartBoth(dir); // the previous ones may still be stopping
    await atOnce.end();
    await eventually(() => expect(processesWith('cmdline', dir)).toEqual([]));
  });

  (isRoot && isReadableForNobody ? it : it.skip)('run for an ordinary user', async () => {
    const dir = folder('ordinary');
    mkdirSync(dir);
    chownSync(dir, NOBODY, NOBODY);
    const cache = join(dir, 'cache', 'alert-management-service', `nats-server-${binary.version}`);
    mkdirSync(cache, { recursive: true });
    spawnSync('cp', [binary.path, cache]);
    const parent = await runStartBoth(
      dir,
      { uid: NOBODY, gid: NOBODY, env: { ...process.env, HOME: '/nonexistent' }, cwd: dir },
      join(dir, 'cache'),
    );
    expect(parent.uid).toBe(NOBODY);
    expect(await query(parent.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await parent.end();
    expect(statSync(join(dir, 'postgres', 'data')).uid).toBe(NOBODY);

    // root can also start what the ordinary user has created
    const postgres = await startPostgres({ dir: join(dir, 'postgres') });
    await postgres.stop();
  });
});

const dataFolder = async (url: string) => (await query(url, 'SHOW data_directory'))[0]?.['data_directory'] as string;

interface Parent {
  postgres: number;
  nats: number;
  url: string;
  uid: number;
  kill(): void;
  end(): Promise<void>;
}

async function runStartBoth(dir: string, options: object = {}, cache = ''): Promise<Parent> {
  const child = spawn(process.execPath, ['--import', register, startBoth, dir, cache], {
    ...options,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const line = await Promise.race([
    new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(String(data)))),
    exited.then(() => Promise.reject(new Error('the script has ended'))),
  ]);
  return {
    ...(JSON.parse(line) as Omit<Parent, 'kill' | 'end'>),
    kill: () => void child.kill('SIGKILL'),
    end: async () => {
      child.stdin.end();
      await exited;
    },
  };
}

/** Speaks the client protocol briefly and returns the server's output. */
function converse(port: number, connect: string, commands = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    let output = '';
    socket.on('error', reject);
    socket.on('data', (data) => {
      output += String(data);
      if (/PONG\r\n|Authorization Violation/.test(output)) {
        socket.destroy();
        resolve(output);
      }
    });
    socket.write(`CONNECT ${connect}\r\n${commands}PING\r\n`);
  });
}
