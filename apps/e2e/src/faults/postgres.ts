/** PostgreSQL is stopped, read-only, replaced by a standby server, or its connections become half-open. */
import { startPostgres, type EmbeddedPostgres } from '@ams/embedded';
import { eventually } from '@ams/testing';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  chownSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Fault, FaultRun } from './fault.js';
import { query } from './judge.js';

const away: Fault = {
  name: 'postgres-away-60',
  class: 'postgres',
  what: 'PostgreSQL is stopped for 60 s.',
  seconds: 60,
  inject: ({ system }) => system.postgres.stop(),
  end: ({ system }) => system.postgres.restart(),
};

/** Changes a setting of the running server. */
async function setSetting(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
    await client.query('SELECT pg_reload_conf()');
  } finally {
    await client.end();
  }
}

const readOnly: Fault = {
  name: 'postgres-read-only-45',
  class: 'postgres',
  what: 'Every transaction of PostgreSQL is read-only for 45 s.',
  quick: true,
  seconds: 45,
  inject: ({ databaseUrl }) => setSetting(databaseUrl, 'ALTER SYSTEM SET default_transaction_read_only = on'),
  end: ({ databaseUrl }) => setSetting(databaseUrl, 'ALTER SYSTEM RESET default_transaction_read_only'),
};

/** With TCP proxies between the services and the servers. */
export const proxied = { proxied: true };

const halfOpen: Fault = {
  name: 'postgres-half-open',
  class: 'postgres',
  what: 'All connections to PostgreSQL become half-open: no more bytes arrive. New connections work.',
  quick: true,
  system: proxied,
  seconds: 0,
  inject: async ({ system }) => system.proxies?.postgres.silence(),
};

const unreachable: Fault = {
  name: 'postgres-unreachable-60',
  class: 'postgres',
  what: 'No byte reaches PostgreSQL for 60 s. Connections are accepted, but those of this time never work.',
  system: proxied,
  seconds: 60,
  async inject({ system }) {
    system.proxies?.postgres.silenceNew(true);
    system.proxies?.postgres.silence();
  },
  end: async ({ system }) => system.proxies?.postgres.silenceNew(false),
};

const slotName = 'standby';

/** Copies the data of the running primary, and starts a server that follows it by streaming. */
async function startStandby({ system, cleanUp }: FaultRun): Promise<EmbeddedPostgres> {
  const { postgres, dir } = system;
  const session = new pg.Client({ connectionString: postgres.url });
  await session.connect();
  try {
    await session.query('SELECT pg_create_physical_replication_slot($1, true)', [slotName]);
    const { rows: paths } = await session.query<{ data_directory: string }>('SHOW data_directory');
    const source = String(paths[0]?.data_directory);
    const home = join(dir, 'standby');
    const data = join(home, 'data');
    mkdirSync(home);
    copyFileSync(join(dir, 'postgres', 'postgres-password'), join(home, 'postgres-password'));
    await session.query("SELECT pg_backup_start('standby', true)");
    copyRunning(source, data);
    const { rows: ends } = await session.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    rmSync(join(data, 'postmaster.pid'), { force: true });
    const wal = join(data, 'pg_wal');
    for (const entry of readdirSync(wal, { withFileTypes: true })) if (entry.isFile()) rmSync(join(wal, entry.name));
    const { uid, gid } = statSync(source);
    const write = (name: string, text: string): void => {
      writeFileSync(join(data, name), text, { mode: 0o600 });
      if (process.getuid?.() === 0) chownSync(join(data, name), uid, gid);
    };
    write('backup_label', String(ends[0]?.labelfile));
    write('standby.signal', '');
    const { hostname, port, username, password } = new URL(postgres.url);
    appendFileSync(
      join(data, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}'\n` +
        `primary_slot_name = '${slotName}'\n`,
    );
    const standby = await startPostgres({ dir: home });
    cleanUp(() => standby.stop());
    await eventually(
      async () => {
        const { rows } = await session.query("SELECT FROM pg_stat_replication WHERE state = 'streaming'");
        if (rows.length === 0) throw new Error('the standby does not follow the primary');
      },
      { timeoutMs: 30_000 },
    );
    return standby;
  } finally {
    await session.end();
  }
}

/** Files may be deleted while they are copied. The write-ahead log of the primary has what is missing. */
function copyRunning(from: string, to: string): void {
  try {
    execFileSync('cp', ['-a', from, to], { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    const lines = String((error as { stderr?: Buffer }).stderr)
      .trim()
      .split('\n');
    if (!lines.every((line) => line.includes('No such file or directory'))) throw error;
  }
}

const standbys = new WeakMap<object, EmbeddedPostgres>();

async function promote(run: FaultRun): Promise<void> {
  const standby = standbys.get(run.system);
  if (!standby) throw new Error('there is no standby');
  run.databaseUrl = standby.url;
  await query(run, 'SELECT pg_promote(true, 60)', []);
  run.system.proxies?.postgres.redirect(standby.url);
  run.system.proxies?.postgres.cut();
}

const failover: Fault = {
  name: 'postgres-failover',
  class: 'postgres',
  what: 'PostgreSQL is killed, and its synchronous standby is promoted 5 s later at the same address.',
  quick: true,
  needs: ['linux'],
  system: proxied,
  ownSystem: true,
  seconds: 5,
  async inject(run) {
    standbys.set(run.system, await startStandby(run));
    await setSetting(run.databaseUrl, "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await pause(3000);
    await run.system.postgres.kill();
  },
  end: promote,
};

const lagSeconds = 8;

const failoverWithLag: Fault = {
  name: 'postgres-failover-lag',
  class: 'postgres',
  what: `PostgreSQL is killed, and a standby that is ${lagSeconds} s behind is promoted 5 s later.`,
  needs: ['linux'],
  system: proxied,
  ownSystem: true,
  seconds: 5,
  async inject(run) {
    const standby = await startStandby(run);
    standbys.set(run.system, standby);
    await pause(3000);
    await setSetting(standby.url, "ALTER SYSTEM SET primary_conninfo = ''");
    await pause(lagSeconds * 1000);
    await run.system.postgres.kill();
    run.destroyed.commits = true;
  },
  end: promote,
};

export const postgresFaults: readonly Fault[] = [away, readOnly, halfOpen, unreachable, failover, failoverWithLag];
