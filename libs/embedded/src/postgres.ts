// An embedded PostgreSQL: the binaries of an npm package, a folder with the data, a guarded process.
//
// Folder: `postgres-password` (0600), `postgres.log`, and `data`, or `postgres-location` naming the location of
// `data`. The cluster uses UTF-8 with the built-in locale C.UTF-8, so that the order of strings does not depend on the
// machine's libc.
import {
  closeSync,
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Account, unprivilegedAccount } from './account.js';
import { EmbeddedError, explainFileError } from './embedded-error.js';
import { freePort, requireFreePort } from './free-port.js';
import { type Exit, type GuardedProcess, spawnGuarded } from './guarded-process.js';
import { openLog, readLog } from './log-file.js';
import { commandLineOf } from './command-line.js';
import { type PostgresBinaries, postgresBinaries } from './postgres-binaries.js';
import { otherHome, postgresHome } from './postgres-home.js';
import { removeAbandoned, renameInto } from './whole-folder.js';

export interface PostgresOptions {
  /** Created if missing; contains (or names) all state. Only one server may use it at a time. */
  dir: string;
  /** Default: a free port. */
  port?: number;
  /** Receives progress messages. */
  log?: (line: string) => void;
  /** Added to our settings, with precedence, for example `{ fsync: 'off' }`. */
  settings?: Record<string, string | number>;
}

export interface EmbeddedPostgres {
  /**
   * The URL of the superuser `postgres` on 127.0.0.1; the database is `postgres`. It contains the password: do not log
   * it.
   */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** The current process; a restart starts another one. */
  readonly exited: Promise<Exit>;
  /** A clean shutdown: connections are closed, everything is on disk. */
  stop(): Promise<void>;
  /** Sends SIGKILL, like a crash; for tests. */
  kill(): Promise<void>;
  /** Stops it if it runs, and starts it on the same port with the same data. */
  restart(): Promise<void>;
}

/** docker/postgres/postgresql.conf, and settings that only an embedded server needs. */
function settingsOfFile(): Record<string, string> {
  const text = readFileSync(join(import.meta.dirname, '../../../docker/postgres/postgresql.conf'), 'utf8');
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
  return Object.fromEntries(lines.filter(Boolean).map((line) => line.split(/\s*=\s*/) as [string, string]));
}

const embeddedOnly: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '', // unused, and its path may have at most 107 bytes
  logging_collector: 'off', // the process writes its log to our file
};

const START_TIMEOUT_MS = 60_000; // recovery after a crash can take some time
const STOP_GRACE_MS = 60_000; // the last checkpoint can take some time

/** Starts the server, and first creates the database cluster if the folder is empty. Throws EmbeddedError. */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const { log = () => undefined } = options;
  try {
    mkdirSync(options.dir, { recursive: true });
  } catch (error) {
    throw explainFileError(error, `PostgreSQL: creating ${options.dir}`);
  }
  const dir = realpathSync(options.dir);
  const account = unprivilegedAccount(join(otherHome(dir) ?? dir, 'data'));
  let cluster: Cluster;
  try {
    const home = postgresHome(dir, account, log);
    const binaries = postgresBinaries(account, home, log);
    cluster = {
      dir,
      home,
      data: join(home, 'data'),
      account,
      binaries,
      log,
      password: '',
      settings: options.settings ?? {},
    };
    checkBinaries(cluster);
    initialise(cluster);
  } catch (error) {
    throw explainFileError(error, `PostgreSQL: preparing ${dir}`);
  }

  let { port, server } = await startOn(cluster, options.port);
  return {
    get url() {
      return urlOf(cluster, port);
    },
    get port() {
      return port;
    },
    get pid() {
      return server.pid;
    },
    get exited() {
      return server.exited;
    },
    async stop() {
      await server.stop();
    },
    async kill() {
      await server.kill();
    },
    async restart() {
      await server.stop();
      ({ port, server } = await startOn(cluster, port));
    },
  };
}

interface Cluster {
  dir: string;
  home: string;
  data: string;
  account: Account | null;
  binaries: PostgresBinaries;
  log: (line: string) => void;
  password: string;
  settings: Record<string, string | number>;
}

const urlOf = ({ password }: Cluster, port: number) => `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;

/** libpq's environment variables of the user must not affect the server or initdb. */
function environment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG|LD_|DYLD_)/.test(name));
  return { ...Object.fromEntries(inherited), LC_ALL: 'C', TZ: 'UTC' };
}

function checkBinaries({ binaries, account }: Cluster): void {
  const { status, stderr, error } = spawnSync(binaries.postgres, ['--version'], {
    ...account,
    cwd: '/',
    env: environment(),
    encoding: 'utf8',
  });
  if (status === 0) return;
  const reason = error?.message ?? stderr.trim();
  if (account && error && ['EPERM', 'EINVAL'].includes((error as NodeJS.ErrnoException).code ?? '')) {
    throw new EmbeddedError(
      'NO_PERMISSION',
      `PostgreSQL cannot run as root, and this process may not switch to user ${account.uid} (${reason}): ` +
        'start as an ordinary user',
    );
  }
  throw new EmbeddedError(
    'NO_BINARIES',
    `The PostgreSQL binaries do not run on this machine (${reason}). They need glibc. On systems without it ` +
      '(Alpine), start a PostgreSQL server yourself and set DATABASE_URL.',
  );
}

/**
 * Runs initdb in a temporary folder and renames it when complete: an interrupted run leaves nothing that looks like a
 * database.
 */
function initialise(cluster: Cluster): void {
  const { dir, home, data, account, binaries, log } = cluster;
  const passwordFile = join(dir, 'postgres-password');
  if (existsSync(data)) {
    if (!existsSync(passwordFile)) {
      throw new EmbeddedError(
        'FAILED',
        `PostgreSQL: ${data} contains data but ${passwordFile} is missing: restore the file, or reset`,
      );
    }
    cluster.password = readFileSync(passwordFile, 'utf8').trim();
    return;
  }
  cluster.password = ensurePassword(passwordFile);
  log('PostgreSQL: creating a new database cluster');
  removeAbandoned(home, /^data\..*\.unfinished$/);
  const half = `${data}.${randomBytes(4).toString('hex')}.unfinished`;
  const passwordForInitdb = `${data}.${randomBytes(4).toString('hex')}.password.unfinished`;
  try {
    mkdirSync(half, { mode: 0o700 });
    writeFileSync(passwordForInitdb, cluster.password, { mode: 0o600 });
    if (account) {
      chownSync(half, account.uid, account.gid);
      chownSync(passwordForInitdb, account.uid, account.gid);
    }
    const args = [
      '--pgdata',
      half,
      '--username=postgres',
      `--pwfile=${passwordForInitdb}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
    ];
    args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions');
    if (cluster.settings['fsync'] === 'off') args.push('--no-sync');
    const { status, stdout, stderr, error } = spawnSync(binaries.initdb, args, {
      ...account,
      cwd: half,
      env: environment(),
      encoding: 'utf8',
    });
    if (status !== 0) throw failure('creating the database cluster', error?.message ?? `${stdout}\n${stderr}`);
    renameInto(half, data);
  } finally {
    rmSync(half, { recursive: true, force: true });
    rmSync(passwordForInitdb, { force: true });
  }
}

/** Of two concurrent processes, the second uses the password of the first. */
function ensurePassword(path: string): string {
  try {
    const file = openSync(path, 'wx', 0o600);
    writeSync(file, `${randomBytes(24).toString('hex')}\n`);
    closeSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(path, 'utf8').trim();
}

function failure(doing: string, log: string): EmbeddedError {
  const output = errorLines(log);
  if (/No space left on device|Disk quota exceeded/.test(output)) {
    return new EmbeddedError('DISK_FULL', `PostgreSQL: ${doing}: the disk is full\n${output}`);
  }
  if (/lock file ".*postmaster\.pid" already exists/.test(output)) {
    return new EmbeddedError(
      'ALREADY_RUNNING',
      `PostgreSQL: ${doing}: another server is running on this folder\n${output}`,
    );
  }
  if (/Permission denied|has wrong ownership|Operation not permitted/.test(output)) {
    return new EmbeddedError('NO_PERMISSION', `PostgreSQL: ${doing}: no permission\n${output}`);
  }
  return new EmbeddedError('FAILED', `PostgreSQL: ${doing}: ${output || 'it ended without output'}`);
}

/** The error lines of a server's output; without errors, its last lines. */
function errorLines(log: string): string {
  const lines = log.trim().split('\n');
  const errors = lines.filter(
    (line) =>
      /FATAL|PANIC|ERROR|error:|could not|HINT|DETAIL|No space/.test(line) && !/system is starting up/.test(line),
  );
  return (errors.length ? errors : lines).slice(-12).join('\n');
}

async function startOn(
  cluster: Cluster,
  wanted: number | undefined,
): Promise<{ port: number; server: GuardedProcess }> {
  await awaitPredecessor(cluster);
  for (let attempt = 1; ; attempt++) {
    const port = wanted ?? (await freePort());
    if (wanted) await requireFreePort(port, 'PostgreSQL');
    const outcome = await tryStart(cluster, port);
    if (outcome.kind === 'ready') return { port, server: outcome.server };
    const again =
      // its last processes are ending
      (outcome.kind === 'port taken' && !wanted && attempt < 10) || (outcome.kind === 'predecessor' && attempt < 40);
    if (again) {
      if (outcome.kind === 'predecessor') await sleep(250);
      continue;
    }
    if (outcome.kind === 'port taken') {
      throw new EmbeddedError(
        'PORT_TAKEN',
        `PostgreSQL: port ${port} of 127.0.0.1 is in use: stop the program that uses it or choose another port`,
      );
    }
    throw failure(`starting on port ${port}`, outcome.output);
  }
}

type Outcome =
  { kind: 'ready'; server: GuardedProcess } | { kind: 'port taken' | 'predecessor' | 'failed'; output: string };

async function tryStart(cluster: Cluster, port: number): Promise<Outcome> {
  const { dir, data, account, binaries, settings } = cluster;
  const logPath = join(dir, 'postgres.log');
  let server: GuardedProcess;
  const output = openLog(logPath);
  try {
    server = await spawnGuarded(
      binaries.postgres,
      ['-D', data, ...settingArguments({ ...settingsOfFile(), ...embeddedOnly, ...settings, port })],
      {
        ...account,
        cwd: data,
        env: environment(),
        stopSignal: 'SIGINT', // "fast": does not wait for clients
        graceMs: STOP_GRACE_MS,
        output: output.fd,
      },
    );
  } catch (error) {
    throw explainFileError(error, 'PostgreSQL: starting');
  } finally {
    output.close();
  }
  if (await answers(cluster, port, server)) return { kind: 'ready', server };
  if (server.running) {
    await server.kill();
    return {
      kind: 'failed',
      output: `no response within ${START_TIMEOUT_MS / 1000} s\n${readLog(logPath, output.from)}`,
    };
  }
  const log = readLog(logPath, output.from);
  if (/could not bind|could not create any TCP\/IP sockets/.test(log)) return { kind: 'port taken', output: log };
  if (/pre-existing shared memory block/.test(log)) return { kind: 'predecessor', output: log };
  return { kind: 'failed', output: log };
}

/** On the command line, so that no file is written into a folder of another account. */
const settingArguments = (settings: Record<string, string | number>) =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** Ready means that a server accepts our password and serves our folder. False when it ended or the time is up. */
async function answers({ data, password }: Cluster, port: number, server: GuardedProcess): Promise<boolean> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (server.running && Date.now() < deadline) {
    const client = new pg.Client({
      host: '127.0.0.1',
      port,
      user: 'postgres',
      password,
      database: 'postgres',
      connectionTimeoutMillis: 5000,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
      if (rows[0]?.data_directory === data) return true;
    } catch {
      // not ready yet; the log has the reason if it never is
    } finally {
      await client.end().catch(() => undefined);
    }
    await sleep(30);
  }
  return false;
}

/**
 * A server whose parent was killed may still be stopping: waits for its end. After a crash, the lock file may have a
 * process id that another program has now, which PostgreSQL would take for a running server: then the file is removed.
 */
async function awaitPredecessor({ data }: Cluster): Promise<void> {
  const started = Date.now();
  for (;;) {
    const lock = readLock(data);
    if (!lock || !commandLineOf(lock.pid)) return; // missing or ended: PostgreSQL detects that itself
    const { pid, status } = lock;
    if (!commandLineOf(pid).includes(data)) {
      rmSync(join(data, LOCK), { force: true });
      return;
    }
    if (Date.now() - started > (status === 'stopping' ? STOP_GRACE_MS : 2000))
      throw new EmbeddedError(
        'ALREADY_RUNNING',
        `PostgreSQL is already running on ${data} (process ${pid}): stop it first`,
      );
    await sleep(50);
  }
}

const LOCK = 'postmaster.pid';

/** The process id of the server that uses the data of this folder, or null. */
export function runningPostgres(dir: string): number | null {
  const data = join(otherHome(dir) ?? dir, 'data');
  const pid = readLock(data)?.pid;
  return pid && commandLineOf(pid).includes(data) ? pid : null;
}

/** Its first line is the process id, its eighth the state of the server: `starting`, `ready`, `stopping`. */
function readLock(data: string): { pid: number; status: string | undefined } | null {
  const path = join(data, LOCK);
  if (!existsSync(path)) return null;
  const lines = readFileSync(path, 'utf8').split('\n');
  return { pid: Number(lines[0]), status: lines[7]?.trim() };
}
