// Runs the commands of docs/backup.md against an installation of its own: makes alerts, backs up, makes more alerts,
// deletes the database, restores it in both ways, and compares. Then it deletes the data of NATS, too, and expects that
// the loss is reported.
//
//   node tools/try-backup.mjs
//
// It needs the server and the programs of PostgreSQL, as Debian's package `postgresql` has them. As root it runs the server
// and the commands as the user `postgres`, because PostgreSQL refuses root.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './lib/workspace.mjs';

const waitMs = 900_000;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const say = (line) => console.log(`\n=== ${line}`);

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

async function until(what, check) {
  const end = Date.now() + waitMs;
  for (let last; ; await sleep(500)) {
    try {
      const value = await check();
      if (value) return value;
    } catch (error) {
      last = error;
    }
    if (Date.now() > end) throw new Error(`${what}: not within ${waitMs / 1000} s${last ? `; ${last.message}` : ''}`);
  }
}

const isRoot = process.getuid?.() === 0;
const account = isRoot ? accountOf('postgres') : null;
function accountOf(name) {
  const ids = (flag) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: ids('-u'), gid: ids('-g') };
}

/** Debian keeps the programs of the server in a folder that is not in PATH. */
function binaries() {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(debian, version, 'bin'));
}

const work = mkdtempSync(join(tmpdir(), 'ams-backup-'));
const backups = join(work, 'backups');
const data = join(work, 'postgres');
const state = join(work, 'state');
chmodSync(work, 0o755);
for (const folder of [backups, join(backups, 'wal')]) {
  mkdirSync(folder, { mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
}
mkdirSync(data, { mode: 0o700 });
if (account) chownSync(data, account.uid, account.gid);

const [databasePort, port] = [await freePort(), await freePort()];
const env = {
  ...process.env,
  PATH: [...binaries(), process.env.PATH].join(':'),
  PGDATA: data,
  DATABASE_URL: `postgres://postgres@127.0.0.1:${databasePort}/ams`,
  LC_ALL: 'C.UTF-8',
};

/** Runs commands in bash, as the account of the server; stops at the first line that fails, also in a pipe. */
function shell(commands) {
  const { status } = spawnSync('bash', ['-o', 'pipefail', '-e', '-v', '-c', commands], {
    cwd: work,
    env,
    stdio: 'inherit',
    ...account,
  });
  if (status !== 0) throw new Error(`a line failed with status ${status}`);
}

const page = readFileSync(join(root, 'docs/backup.md'), 'utf8');

/** The blocks of this language below a heading of the page, up to the next heading. */
function blocksBelow(heading, language = 'sh') {
  const [, after] = page.split(`\n${heading}\n`);
  if (after === undefined) throw new Error(`docs/backup.md has no heading "${heading}"`);
  const [part] = after.split(/^#+ /m);
  const blocks = [...part.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block]) => block,
  );
  if (blocks.length === 0) throw new Error(`no commands below "${heading}"`);
  return blocks.join('').replaceAll('/backups', backups);
}

const run = (heading) => {
  say(`docs/backup.md, ${heading.replace(/^#+ /, '')}`);
  shell(blocksBelow(heading));
};

function newServer() {
  shell(`initdb --pgdata="$PGDATA" --username=postgres --auth=trust --encoding=UTF8 --no-sync > /dev/null`);
  writeFileSync(
    join(data, 'postgresql.conf'),
    `listen_addresses = '127.0.0.1'\nport = ${databasePort}\nunix_socket_directories = ''\nmax_connections = 200\n` +
      blocksBelow('## Archived logs and a base backup', 'ini'),
    { flag: 'a' },
  );
  shell(`pg_ctl --pgdata="$PGDATA" --log="$PGDATA/server.log" --wait start > /dev/null`);
}

/** The server ends without a word, and its data are gone. */
function destroyDatabase() {
  say('the database is destroyed');
  shell(`pg_ctl --pgdata="$PGDATA" --mode=immediate --wait stop > /dev/null`);
  rmSync(data, { recursive: true });
  mkdirSync(data, { mode: 0o700 });
  if (account) chownSync(data, account.uid, account.gid);
}

let installation = null;
async function startInstallation() {
  say('npm start');
  const child = spawn(process.execPath, [join(root, 'tools/start.mjs'), '--state', state, '--port', String(port)], {
    cwd: root,
    env: { ...env, STANDBY_LAG_SECONDS: '3600' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  installation = { child, ended };
  await until('the API', async () => {
    if (child.exitCode !== null) throw new Error('npm start has ended');
    return (await alerts()) !== null;
  });
}

async function stopInstallation() {
  const { child, ended } = installation;
  installation = null;
  child.kill('SIGTERM');
  await ended;
}

const credentials = () => JSON.parse(readFileSync(join(state, 'credentials.json'), 'utf8'));

/** The ids of the alerts by their fingerprints. */
async function alerts() {
  const { apiUrl, key } = credentials();
  const response = await fetch(`${apiUrl}/alerts?limit=100`, { headers: { authorization: `Bearer ${key}` } });
  if (response.status !== 200) return null;
  return Object.fromEntries((await response.json()).data.map(({ fingerprint, id }) => [fingerprint, id]));
}

/** Sends alerts, and returns the ids of all when these are applied. */
async function fire(...fingerprints) {
  for (const fingerprint of fingerprints)
    await until(`202 for ${fingerprint}`, async () => {
      const response = await fetch(credentials().ingestUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ title: `Alert ${fingerprint}`, severity: 'high', fingerprint }),
      });
      return response.status === 202;
    });
  return until(`the alerts ${fingerprints.join(', ')}`, async () => {
    const found = await alerts();
    return found && fingerprints.every((fingerprint) => found[fingerprint]) ? found : null;
  });
}

async function expectAlerts(expected) {
  await until(`the alerts ${Object.keys(expected).join(', ')} with their ids`, async () => {
    const found = await alerts();
    const wrong = Object.entries(expected).filter(([fingerprint, id]) => found?.[fingerprint] !== id);
    if (wrong.length > 0) throw new Error(`missing, or with another id: ${wrong.map(([name]) => name).join(', ')}`);
    return true;
  });
  console.log(`there are: ${Object.keys(expected).join(', ')}`);
}

/** The sum of a metric of the pipeline. */
async function pipelineMetric(name) {
  const { port: own, managementPort } = JSON.parse(readFileSync(join(state, 'processes.json'), 'utf8'))[
    'alert-pipeline'
  ];
  const text = await (await fetch(`http://127.0.0.1:${managementPort ?? own}/metrics`)).text();
  const values = [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))].map(([, value]) =>
    Number(value),
  );
  return values.reduce((sum, value) => sum + value, 0);
}

async function tryAll() {
  newServer();
  shell(`createdb --maintenance-db="\${DATABASE_URL%/*}/postgres" ams`);
  await startInstallation();
  await fire('before-1', 'before-2');
  run('## Dumps');
  run('## Archived logs and a base backup');
  const archived = await fire('archived-1', 'archived-2');
  // As after `archive_timeout`.
  shell(`psql "$DATABASE_URL" --quiet --tuples-only --command='SELECT pg_switch_wal()' > /dev/null`);
  await until('the archived log', () =>
    execFileSync(
      'psql',
      [
        env.DATABASE_URL,
        '-tAc',
        'SELECT last_archived_time IS NOT NULL AND pg_walfile_name(pg_current_wal_lsn()) > last_archived_wal FROM pg_stat_archiver',
      ],
      { env, encoding: 'utf8' },
    ).startsWith('t'),
  );

  destroyDatabase();
  await stopInstallation();
  run('### Restore it');
  await startInstallation();
  await expectAlerts(archived);
  const all = await fire('restored');

  destroyDatabase();
  await stopInstallation();
  newServer();
  run('### Restore a dump');
  await startInstallation();
  // What came after the dump is applied again from NATS, which keeps it for STANDBY_LAG_SECONDS.
  await expectAlerts(all);
  const gaps = await pipelineMetric('ams_pipeline_position_gaps_total');
  if (gaps !== 0) throw new Error(`${gaps} gaps are reported, and nothing is missing`);

  await stopInstallation();
  say('the data of NATS are gone, too');
  rmSync(join(state, 'nats'), { recursive: true });
  await startInstallation();
  await until('the report of the gap', async () => (await pipelineMetric('ams_pipeline_position_gaps_total')) > 0);
  await fire('without-nats');
  await expectAlerts(all);
}

try {
  await tryAll();
  console.log('\nBackup and restore work.');
} catch (error) {
  console.error(`\n${error.stack}`);
  process.exitCode = 1;
} finally {
  if (installation) await stopInstallation();
  spawnSync('pg_ctl', [`--pgdata=${data}`, '--mode=immediate', 'stop'], {
    cwd: work,
    env,
    stdio: 'ignore',
    ...account,
  });
  if (process.exitCode) console.error(`state and backups: ${work}`);
  else rmSync(work, { recursive: true, force: true });
}
