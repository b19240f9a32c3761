// An embedded NATS server with JetStream: a binary, a folder with its store, a guarded process.
//
// Folder: `nats.conf` (0600: it contains the users' passwords), `nats.log`, `nats.pid`, `jetstream`. The server does
// not lock its store, so we check the process id.
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandLineOf } from './command-line.js';
import { EmbeddedError, explainFileError } from './embedded-error.js';
import { freePort, requireFreePort } from './free-port.js';
import { type Exit, type GuardedProcess, spawnGuarded } from './guarded-process.js';
import { openLog, readLog } from './log-file.js';
import { defaultCacheDir, findNatsServer, isAtLeast, type NatsServerBinary } from './nats-server-binary.js';

export interface NatsUser {
  user: string;
  password: string;
  /** Missing means all. An empty `allow` allows nothing. */
  permissions?: {
    publish?: { allow?: string[]; deny?: string[] };
    subscribe?: { allow?: string[]; deny?: string[] };
    /** May publish to the reply subject of a received message: one reply, or the given limits. */
    allow_responses?: boolean | { max: number; expires: string };
  };
}

export interface NatsOptions {
  /** Created if missing; contains all state. Only one server may use it at a time. */
  dir: string;
  /** Default: a free port. */
  port?: number;
  /** The HTTP monitoring port; `true` selects a free one. Default: none. */
  monitorPort?: number | true;
  /** Without users, every client on 127.0.0.1 has all permissions. */
  users?: NatsUser[];
  /** `accounts` of the configuration, in place of `users`. `owner`: the account of the streams. */
  accounts?: { value: object; owner: string };
  /** Additional text for the configuration file. */
  config?: string;
  /** False for tests: JetStream then does not wait for the disk (before 2.10 it never does). */
  durable?: boolean;
  env?: NodeJS.ProcessEnv;
  /** Default: `findNatsServer`. */
  binary?: NatsServerBinary;
  log?: (line: string) => void;
}

export interface EmbeddedNats {
  /** Without a user; on 127.0.0.1. */
  readonly url: string;
  readonly port: number;
  readonly monitorPort: number | null;
  /** The server's version, for example `2.10.27`. */
  readonly version: string;
  readonly pid: number;
  /** The current process; a restart starts another one. */
  readonly exited: Promise<Exit>;
  stop(): Promise<void>;
  /** Sends SIGKILL, like a crash; for tests. */
  kill(): Promise<void>;
  /** Stops it if it runs, and starts it on the same ports with the same store, with another `config` if given. */
  restart(options?: Pick<NatsOptions, 'config'>): Promise<void>;
}

const START_TIMEOUT_MS = 60_000; // the server reads its store first
const STOP_GRACE_MS = 15_000;
/** By how many percent the heap of NATS grows between two collections (docs/adr/0083). */
const heapGrowth = '200';

/** Starts the server. Throws EmbeddedError. */
export async function startNats(options: NatsOptions): Promise<EmbeddedNats> {
  try {
    mkdirSync(join(options.dir, 'jetstream'), { recursive: true });
  } catch (error) {
    throw explainFileError(error, `NATS: creating ${options.dir}`);
  }
  const dir = realpathSync(options.dir);
  const { log } = options;
  const binary = options.binary ?? (await findNatsServer({ cacheDir: defaultCacheDir(dir), log }));
  let { port, monitorPort, server } = await startOn(dir, binary, options, options.port, options.monitorPort);
  return {
    get url() {
      return `nats://127.0.0.1:${port}`;
    },
    get port() {
      return port;
    },
    get monitorPort() {
      return monitorPort;
    },
    version: binary.version,
    get pid() {
      return server.pid;
    },
    get exited() {
      return server.exited;
    },
    async stop() {
      await server.stop();
      rmSync(join(dir, 'nats.pid'), { force: true });
    },
    async kill() {
      await server.kill();
    },
    async restart(changed = {}) {
      await server.stop();
      const changedOptions = { ...options, ...changed };
      ({ port, monitorPort, server } = await startOn(dir, binary, changedOptions, port, monitorPort ?? undefined));
    },
  };
}

interface Started {
  port: number;
  monitorPort: number | null;
  server: GuardedProcess;
}

async function startOn(
  dir: string,
  binary: NatsServerBinary,
  options: NatsOptions,
  wanted: number | undefined,
  wantedMonitor: number | true | undefined,
): Promise<Started> {
  await awaitPredecessor(dir);
  if (options.accounts) moveStreams(join(dir, 'jetstream/jetstream'), options.accounts.owner);
  for (let attempt = 1; ; attempt++) {
    const port = wanted ?? (await freePort());
    if (wanted) await requireFreePort(wanted, 'NATS');
    const monitorPort = wantedMonitor === true ? await freePort() : (wantedMonitor ?? null);
    if (typeof wantedMonitor === 'number') await requireFreePort(wantedMonitor, 'NATS monitoring');

    const name = `embedded-${randomBytes(8).toString('hex')}`;
    const logPath = join(dir, 'nats.log');
    const configPath = join(dir, 'nats.conf');
    let server: GuardedProcess;
    let from: number;
    try {
      replace(configPath, configuration({ ...options, dir, name, port, monitorPort, version: binary.version }));
      const output = openLog(logPath);
      from = output.from;
      try {
        server = await spawnGuarded(binary.path, ['--config', configPath], {
          cwd: dir,
          env: { GOGC: heapGrowth, ...(options.env ?? process.env) },
          stopSignal: 'SIGINT',
          graceMs: STOP_GRACE_MS,
          output: output.fd,
        });
      } finally {
        output.close();
      }
      replace(join(dir, 'nats.pid'), `${server.pid}\n`);
    } catch (error) {
      throw explainFileError(error, 'NATS: starting');
    }
    if (await answers(name, port, server)) return { port, monitorPort, server };

    const late = server.running;
    await server.kill();
    rmSync(join(dir, 'nats.pid'), { force: true });
    const logText = readLog(logPath, from);
    if (/address already in use/.test(logText)) {
      const isOwnPort = !wanted || wantedMonitor === true;
      if (isOwnPort && attempt < 10) continue;
      throw new EmbeddedError(
        'PORT_TAKEN',
        `NATS: port ${port} of 127.0.0.1${monitorPort ? ` or ${monitorPort}` : ''} is in use: stop the ` +
          'program that uses it or choose another port',
      );
    }
    throw failure(
      `starting on port ${port}`,
      late ? `no response within ${START_TIMEOUT_MS / 1000} s\n${logText}` : logText,
    );
  }
}

function failure(doing: string, output: string): EmbeddedError {
  if (/no space left on device|disk quota exceeded/i.test(output)) {
    return new EmbeddedError('DISK_FULL', `NATS: ${doing}: the disk is full\n${output}`);
  }
  if (/permission denied/i.test(output)) {
    return new EmbeddedError('NO_PERMISSION', `NATS: ${doing}: no permission\n${output}`);
  }
  return new EmbeddedError('FAILED', `NATS: ${doing}: ${output || 'it ended without output'}`);
}

/** docker/nats/nats.conf with the values of this start. JSON values are valid in the format of the file. */
function configuration(
  of: Pick<NatsOptions, 'users' | 'accounts' | 'config' | 'durable'> & {
    dir: string;
    name: string;
    port: number;
    monitorPort: number | null;
    version: string;
  },
): string {
  const { durable = true } = of;
  const shared = readFileSync(join(import.meta.dirname, '../../../docker/nats/nats.conf'), 'utf8');
  const syncAlways = durable && isAtLeast(of.version, '2.10.0'); // older servers fail on an unknown field
  const lines = [
    '# Written at each start.',
    `server_name: ${JSON.stringify(of.name)}`,
    `listen: "127.0.0.1:${of.port}"`,
    of.monitorPort === null ? '' : `http: "127.0.0.1:${of.monitorPort}"`,
    `JETSTREAM_DIR: ${JSON.stringify(join(of.dir, 'jetstream'))}`,
    syncAlways ? shared : shared.replace(/^\s*sync_interval:.*$/m, ''),
    of.users ? `authorization { users: ${JSON.stringify(of.users.map(userEntry), null, 2)} }` : '',
    of.accounts ? `accounts ${JSON.stringify(of.accounts.value, null, 2)}` : '',
    of.config ?? '',
  ];
  return `${lines.filter(Boolean).join('\n')}\n`;
}

/**
 * Streams of a server without accounts are in `$G`, as in earlier releases: they become those of the account. The
 * server is not running. It makes the folder `jetstream` in the store of its configuration.
 */
function moveStreams(store: string, account: string): void {
  const [before, after] = [join(store, '$G'), join(store, account)];
  if (existsSync(before) && !existsSync(after)) renameSync(before, after);
}

/**
 * The entry of a user in a configuration file. The server treats an empty `allow` as "everything", so "nothing" is
 * written as a deny rule.
 */
export function userEntry({ user, password, permissions }: NatsUser): object {
  const plain = (side: { allow?: string[]; deny?: string[] } | undefined) =>
    side?.allow?.length === 0 ? { deny: ['>'] } : side;
  if (!permissions) return { user, password };
  const { publish, subscribe, allow_responses } = permissions;
  return { user, password, permissions: { publish: plain(publish), subscribe: plain(subscribe), allow_responses } };
}

function replace(path: string, text: string): void {
  const half = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    writeFileSync(half, text, { mode: 0o600 });
    renameSync(half, path);
  } finally {
    rmSync(half, { force: true });
  }
}

/**
 * Ready means that a server with our name responds: it greets clients only after JetStream has read its store. False
 * when the server ended or the time is up.
 */
async function answers(name: string, port: number, server: GuardedProcess): Promise<boolean> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (server.running && Date.now() < deadline) {
    const greeting = await greetingOf(port);
    if (greeting.includes(`"server_name":"${name}"`)) return true;
    await sleep(20);
  }
  return false;
}

function greetingOf(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    let text = '';
    socket.setTimeout(2000, () => socket.destroy());
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8');
      if (text.includes('\r\n')) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}

/** A server whose parent was killed may still be stopping: waits for its end, and throws if it keeps running. */
async function awaitPredecessor(dir: string): Promise<void> {
  const deadline = Date.now() + 3000; // it stops within milliseconds
  for (;;) {
    const pid = runningNats(dir);
    if (!pid) return;
    if (Date.now() > deadline)
      throw new EmbeddedError('ALREADY_RUNNING', `NATS is already running on ${dir} (process ${pid}): stop it first`);
    await sleep(50);
  }
}

/** The process id of the server that uses this folder, or null. */
export function runningNats(dir: string): number | null {
  const path = join(dir, 'nats.pid');
  if (!existsSync(path)) return null;
  const pid = Number(readFileSync(path, 'utf8'));
  return commandLineOf(pid).includes(join(dir, 'nats.conf')) ? pid : null;
}
