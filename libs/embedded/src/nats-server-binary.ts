// Finds or downloads a nats-server. There is no npm package with its binary, so several sources are tried in order and
// reported through `log`. Each either gives a binary that runs and prints its version, or leaves no files.
//
// Downloads are made in a temporary folder and then renamed into the cache, so that several processes may download at
// once. Only files with a signature of the distribution or a checksum in this file are used.
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { arch, homedir, platform } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedError } from './embedded-error.js';
import { removeAbandoned, renameInto } from './whole-folder.js';

const run = promisify(execFile);

export interface NatsServerBinary {
  path: string;
  /** For example `2.10.27`. */
  version: string;
}

export interface FindNatsServerOptions {
  /** The folder for downloaded binaries; default `defaultCacheDir()`. */
  cacheDir?: string;
  log?: (line: string) => void;
}

interface Step {
  name: string;
  /** The step takes seconds or more, so it is reported first. */
  slow?: true;
  find(cacheDir: string): Promise<NatsServerBinary | null>;
}

/** The JetStream settings that we use (`sync_interval`, filter lists) are those of this version. */
const WANTED = '2.10.0';
/** Older versions lack the key-value and discard-per-subject features that our code needs. */
const OLDEST = '2.9.0';

/**
 * The checksums are those of the project's own image definitions, nats-io/nats-docker, 2.12.x/alpine3.22/Dockerfile at
 * commit aa0caa5 ("Releases v2.14.5, v2.12.15").
 */
const RELEASE = {
  version: '2.12.15',
  sha256: {
    'linux-amd64': '58ab8131f819263897e2fc38e503e1b755b63bcafeecc7d12582487df48ca15e',
    'linux-arm64': 'b724db99fefbf8f5c808baa82819ee50350aee9734017e4a478f7e545cef3ab6',
  } as Record<string, string>,
};

export const STEPS: readonly Step[] = [
  { name: `nats-server ${WANTED} or later on the PATH`, find: () => onPath(WANTED) },
  { name: 'a cached download', find: async (cacheDir) => inCache(cacheDir, WANTED) },
  {
    name: 'the Debian package of trixie, without installing it',
    slow: true,
    find: (cacheDir) => fromDebian('trixie', cacheDir),
  },
  { name: `the official release ${RELEASE.version}`, slow: true, find: (cacheDir) => fromRelease(cacheDir) },
  { name: `an older nats-server on the PATH (${OLDEST} or later)`, find: () => onPath(OLDEST) },
  { name: 'an older cached download', find: async (cacheDir) => inCache(cacheDir, OLDEST) },
  {
    name: 'the Debian package of bookworm, without installing it',
    slow: true,
    find: (cacheDir) => fromDebian('bookworm', cacheDir),
  },
  { name: `the official Docker image ${RELEASE.version}`, slow: true, find: (cacheDir) => fromDocker(cacheDir) },
];

/** Throws EmbeddedError NO_BINARIES with the tried sources and a remedy. */
export async function findNatsServer({
  cacheDir = defaultCacheDir(),
  log = () => undefined,
}: FindNatsServerOptions = {}): Promise<NatsServerBinary> {
  const tried: string[] = [];
  for (const step of STEPS) {
    if (step.slow) log(`NATS: trying ${step.name}`);
    try {
      const found = await step.find(cacheDir);
      if (found) {
        log(`NATS: using ${found.path}, version ${found.version} (${step.name})`);
        return found;
      }
      tried.push(`${step.name}: not found`);
    } catch (error) {
      tried.push(`${step.name}: ${firstLines(error)}`);
    }
    log(`NATS: ${tried.at(-1)}`);
  }
  throw new EmbeddedError(
    'NO_BINARIES',
    'No nats-server was found, and the download ' +
      `failed:\n${tried.map((line) => `  - ${line}`).join('\n')}\nInstall one ` +
      `(https://github.com/nats-io/nats-server/releases, \`brew install nats-server\`, \`apt-get install ` +
      `nats-server\`) so that \`nats-server --version\` works, or set NATS_URL to a running server with ` +
      'JetStream.',
  );
}

/** Shared by all clones of this account: `$XDG_CACHE_HOME` or `~/.cache`; `fallback` when that is not writable. */
export function defaultCacheDir(fallback?: string): string {
  const wanted = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'alert-management-service');
  if (!fallback) return wanted;
  try {
    mkdirSync(wanted, { recursive: true });
    accessSync(wanted, constants.W_OK | constants.X_OK);
    return wanted;
  } catch {
    return join(fallback, 'cache');
  }
}

/** Compares versions by their first three numbers. */
export function isAtLeast(version: string, least: string): boolean {
  const [a, b] = [version, least].map((text) => text.split(/[.-]/).slice(0, 3).map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = (a?.[i] ?? 0) - (b?.[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

async function askVersion(path: string): Promise<string> {
  const { stdout } = await run(path, ['--version'], { timeout: 10_000 });
  const version = /v?(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1];
  if (!version) throw new Error(`${path} does not print its version`);
  return version;
}

async function onPath(least: string): Promise<NatsServerBinary | null> {
  // Debian installs it into /usr/sbin, which is not in the PATH of ordinary users.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin'];
  for (const path of new Set(folders.filter(Boolean).map((folder) => join(folder, executable)))) {
    if (!isExecutable(path)) continue;
    const version = await askVersion(path).catch(() => null);
    if (version && isAtLeast(version, least)) return { path, version };
  }
  return null;
}

const executable = platform() === 'win32' ? 'nats-server.exe' : 'nats-server';

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function inCache(cacheDir: string, least: string): Promise<NatsServerBinary | null> {
  if (!existsSync(cacheDir)) return null;
  const candidates = readdirSync(cacheDir)
    .filter((name) => /^nats-server-\d/.test(name))
    .sort((a, b) => (isAtLeast(a.slice(12), b.slice(12)) ? -1 : 1));
  for (const name of candidates) {
    const path = join(cacheDir, name, executable);
    if (!isOurs(path)) continue;
    const version = await askVersion(path).catch(() => null);
    if (version && isAtLeast(version, least)) return { path, version };
  }
  return null;
}

/** Only files of our account or of root are run from a cache. */
function isOurs(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return Boolean(
    found?.isFile() &&
    (process.platform === 'win32' || ([0, process.getuid?.()].includes(found.uid) && (found.mode & 0o022) === 0)),
  );
}

/**
 * Adds a binary to the cache: `fetch` works in a temporary folder and returns the path of the binary in it. The folder
 * is deleted in any case.
 */
async function keep(cacheDir: string, fetch: (work: string) => Promise<string>): Promise<NatsServerBinary> {
  const work = join(cacheDir, `.fetch-${randomBytes(6).toString('hex')}`);
  mkdirSync(work, { recursive: true, mode: 0o700 });
  removeAbandoned(cacheDir, /^\.fetch-/);
  try {
    const got = await fetch(work);
    chmodSync(got, 0o755);
    const version = await askVersion(got);
    if (!isAtLeast(version, OLDEST)) throw new Error(`version ${version} is too old`);
    const finished = join(work, 'finished');
    mkdirSync(finished, { mode: 0o755 });
    renameSync(got, join(finished, executable));
    const place = join(cacheDir, `nats-server-${version}`);
    renameInto(finished, place);
    return { path: join(place, executable), version };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * Uses a separate state folder of apt: it installs nothing, changes nothing on the machine, and needs no root. Mirror,
 * proxies and time-outs are those of the machine's configuration; other settings (hooks, pins) are not used. The
 * release must be signed by Debian.
 */
async function fromDebian(suite: string, cacheDir: string): Promise<NatsServerBinary | null> {
  const mirror = await debianMirror();
  if (!mirror || !existsSync(KEYRING)) return null;
  return keep(cacheDir, async (work) => {
    for (const folder of ['lists/partial', 'archives/partial', 'download'])
      mkdirSync(join(work, folder), { recursive: true });
    writeFileSync(join(work, 'sources.list'), `deb [signed-by=${KEYRING}] ${mirror} ${suite} main\n`);
    writeFileSync(join(work, 'status'), '');
    const { stdout } = await run('apt-config', ['dump'], { timeout: 30_000 });
    const network = stdout.split('\n').filter((line) => /^Acquire::(?!IndexTargets|Languages|Allow)/.test(line));
    const own: Record<string, string> = {
      'Dir::Etc::main': '/dev/null',
      'Dir::Etc::parts': '/dev/null',
      'Dir::Etc::preferences': '/dev/null',
      'Dir::Etc::preferencesparts': '/dev/null',
      'Dir::Etc::sourcelist': join(work, 'sources.list'),
      'Dir::Etc::sourceparts': '/dev/null',
      'Dir::State': work,
      'Dir::State::lists': join(work, 'lists'),
      'Dir::State::status': join(work, 'status'),
      'Dir::Cache': work,
      'Dir::Cache::archives': join(work, 'archives'),
      'Acquire::Languages': 'none',
      'Acquire::Retries': '1',
      'Acquire::http::Timeout': '20',
      'Acquire::https::Timeout': '20',
      // The folder is private, so apt's own account cannot write to it.
      'APT::Sandbox::User': process.getuid?.() === 0 ? 'root' : '',
    };
    const settings = Object.entries(own).map(([name, value]) => `${name} "${value}";`);
    writeFileSync(join(work, 'apt.conf'), [...network, ...settings, ''].join('\n'));
    const options = {
      cwd: join(work, 'download'),
      env: { ...process.env, APT_CONFIG: join(work, 'apt.conf'), LC_ALL: 'C' },
      timeout: 180_000,
    };
    await run('apt-get', ['update', '-q', '--error-on=any'], options);
    await run('apt-get', ['download', '-q', 'nats-server'], options);
    const archive = readdirSync(options.cwd).find((name) => name.endsWith('.deb'));
    if (!archive) throw new Error('apt-get downloaded nothing');
    await run('dpkg-deb', ['-x', join(options.cwd, archive), join(work, 'package')], options);
    const path = ['usr/sbin', 'usr/bin']
      .map((folder) => join(work, 'package', folder, 'nats-server'))
      .find((file) => existsSync(file));
    if (!path) throw new Error(`${archive} contains no nats-server`);
    return path;
  });
}

/** The mirror of the machine's own Debian release, or null when it is not Debian. */
async function debianMirror(): Promise<string | null> {
  if (platform() !== 'linux' || !existsSync('/etc/os-release')) return null;
  const codename = /^VERSION_CODENAME="?([a-z]+)"?$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  const format = ['--no-release-info', '--format', '$(RELEASE) $(COMPONENT) $(REPO_URI)', 'Created-By: Packages'];
  const targets = await run('apt-get', ['indextargets', ...format], { timeout: 30_000 }).catch(() => ({ stdout: '' }));
  const own = targets.stdout
    .split('\n')
    .map((line) => line.split(' '))
    .find(([release, component]) => release === codename && component === 'main');
  return own?.[2] ?? null;
}

async function fromRelease(cacheDir: string): Promise<NatsServerBinary | null> {
  const cpu = { x64: 'amd64', arm64: 'arm64' }[arch() as string];
  const target = `${platform()}-${cpu}`;
  const sha256 = RELEASE.sha256[target];
  if (!sha256) return null;
  const name = `nats-server-v${RELEASE.version}-${target}`;
  const url = `https://github.com/nats-io/nats-server/releases/download/v${RELEASE.version}/${name}.tar.gz`;
  return keep(cacheDir, async (work) => {
    const archive = join(work, `${name}.tar.gz`);
    await download(url, archive);
    const found = createHash('sha256').update(readFileSync(archive)).digest('hex');
    if (found !== sha256) throw new Error(`${url} has the checksum ${found}, not ${sha256}`);
    await run('tar', ['-xzf', archive, '-C', work, `${name}/nats-server`], { timeout: 60_000 });
    return join(work, name, 'nats-server');
  });
}

/** With curl if it exists, because it uses the machine's proxy. */
async function download(url: string, path: string): Promise<void> {
  const viaCurl = await run('curl', ['--version'], { timeout: 10_000 }).then(
    () => true,
    () => false,
  );
  if (viaCurl) {
    await run(
      'curl',
      ['-fsSL', '--proto-redir', '=https', '--connect-timeout', '10', '--max-time', '120', '-o', path, url],
      { timeout: 130_000 },
    );
    return;
  }
  const response = await fetch(url, { signal: AbortSignal.timeout(120_000) });
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
  writeFileSync(path, Buffer.from(await response.arrayBuffer()));
}

/** Extracts the binary from the image; it is static and runs on any Linux. */
async function fromDocker(cacheDir: string): Promise<NatsServerBinary | null> {
  if (platform() !== 'linux') return null;
  if (
    !(await run('docker', ['version'], { timeout: 15_000 }).then(
      () => true,
      () => false,
    ))
  )
    return null;
  return keep(cacheDir, async (work) => {
    const container = `nats-server-${randomBytes(6).toString('hex')}`;
    await run('docker', ['create', '--name', container, `nats:${RELEASE.version}`], { timeout: 300_000 });
    try {
      await run('docker', ['cp', `${container}:/nats-server`, join(work, 'nats-server')], { timeout: 60_000 });
    } finally {
      await run('docker', ['rm', '-f', container], { timeout: 60_000 }).catch(() => undefined);
    }
    return join(work, 'nats-server');
  });
}

function firstLines(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message?: string };
  return (stderr?.trim() || message || String(error)).split('\n').slice(0, 3).join(' | ');
}
