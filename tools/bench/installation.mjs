// A separate installation for a measurement: new, on free ports, in a folder that is deleted afterwards.
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import * as embedded from '@ams/embedded';
import { startInstallation } from '../start/installation.mjs';
import { counterOf } from './prometheus.mjs';

const prefix = 'ams-bench-';

/** A folder of this run; folders of killed runs are deleted. */
export function temporaryFolder() {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const pid = Number(name.slice(prefix.length).split('-')[0]);
    const dir = join(tmpdir(), name);
    if (!pid || existsSync(`/proc/${pid}`) || lstatSync(dir).uid !== process.getuid?.()) continue;
    remove(dir);
  }
  const dir = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  chmodSync(dir, 0o711);
  return dir;
}

export function remove(dir) {
  embedded.removeState(dir);
  rmSync(dir, { recursive: true, force: true });
}

/**
 * `settings(name)`: additional environment variables of a service. `mail`: {url, from} of a mail server, or null.
 * `replicas(name)`: how many processes of a service.
 */
export async function startBenchInstallation({
  dir,
  report,
  profile = null,
  mail = null,
  settings = () => ({}),
  replicas = () => 1,
}) {
  const state = join(dir, `state-${Math.random().toString(36).slice(2, 8)}`);
  if (profile) mkdirSync(profile, { recursive: true });
  const installation = await startInstallation(
    {
      state,
      host: '127.0.0.1',
      port: await embedded.freePort(),
      mail,
      environment: (name) => ({ LOG_LEVEL: 'info', ...settings(name) }),
      nodeArguments: (name) => (profile ? ['--cpu-prof', `--cpu-prof-dir=${join(profile, name)}`] : []),
      replicas,
      postgresSettings: profile ? statementStatistics : {},
    },
    report,
  );
  const { services, postgres, nats, adminUrl } = installation;
  const database = new pg.Pool({ connectionString: adminUrl, max: 2 });
  database.on('error', () => undefined);
  const query = async (sql, params) => (await database.query(sql, params)).rows;
  if (profile) await query('CREATE EXTENSION pg_stat_statements');
  return {
    ...installation,
    query,
    /** By name, the id of the process that is the parent of the others of that name. */
    pids: () => ({
      ...Object.fromEntries(Object.values(services).map(({ name, pid }) => [name, pid])),
      PostgreSQL: postgres.pid,
      NATS: nats.pid,
    }),
    counter: (service, name, labels) => counterOf(services[service].managementPort, name, labels),
    async restart(name) {
      await services[name].stop();
      await services[name].start();
      await services[name].ready(120_000);
    },
    async stop() {
      if (profile) await writeStatements(query, join(profile, 'statements.json')).catch(() => undefined);
      await database.end().catch(() => undefined);
      await installation.stop();
      remove(state);
    },
  };
}

const statementStatistics = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
};

/** The statements that took most of PostgreSQL's time, in ms in total, with their calls. */
async function writeStatements(query, file) {
  const statements = await query(
    `SELECT rolname AS "role", calls::int, rows::int,
       round((total_plan_time + total_exec_time)::numeric, 1)::float8 AS ms,
       round(total_plan_time::numeric, 1)::float8 AS "planningMs", wal_bytes::float8 AS "walBytes", query
     FROM pg_stat_statements JOIN pg_roles ON pg_roles.oid = userid ORDER BY ms DESC LIMIT 100`,
  );
  writeFileSync(file, `${JSON.stringify(statements, null, 1)}\n`);
}
