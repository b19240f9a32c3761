/**
 * A whole installation for tests: PostgreSQL, NATS and every service as a process of its own, from what is compiled.
 *
 *   const system = await startSystem({ replicas: { 'ingest-gateway': 3 } });
 *   const acme = await system.organization();
 *   const sender = await acme.integration({ type: 'grafana' });
 *   await sender.fire({ title: 'High CPU', severity: 'critical' });
 *   expect(await acme.alerts({ status: 'firing' })).toHaveLength(1);
 *   await system.stop();
 *
 * The broker has the users and permissions of a deployment, the database its roles; ports are free ones; logs are files
 * that `logs()` reads. Tests speak HTTP, each request to the next replica in turn. `sql` and `observe` look behind the
 * scenes, with the eyes of an operator.
 *
 * Limits are out of the way unless `limits: 'specified'`. `supervised` processes come back when they are killed.
 */
import { uuidOf } from '@ams/contracts';
import { connectNats } from '@ams/messaging';
import { eventually, httpClient, type HttpClient } from '@ams/testing';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { organizationOf, type Organization, type Surroundings } from './system/organization.js';
import { root, startReplica, type Replica } from './system/replica.js';
import { startStores, type Stores } from './system/stores.js';

export * from './system/organization.js';
export type { Replica } from './system/replica.js';

/** In the order in which they start. */
export const serviceNames = [
  'auth',
  'alert-pipeline',
  'resource-api',
  'notifier',
  'workflow-engine',
  'ingest-gateway',
  'api-gateway',
] as const;
export type ServiceName = (typeof serviceNames)[number];

export interface SystemOptions {
  /** One of each unless told. */
  replicas?: Partial<Record<ServiceName, number>>;
  env?: Partial<Record<ServiceName, Record<string, string>>>;
  limits?: 'out of the way' | 'specified';
  /** Both stores wait for the disk, as in production. */
  durable?: boolean;
  supervised?: boolean;
}

export interface System extends Stores, Surroundings {
  replicas(service: ServiceName): Replica[];
  allReplicas: Replica[];
  /** A new organization with a live key of all scopes, made by the setup command. */
  organization(): Promise<Organization>;
  /** As the superuser of the database. */
  sql<T extends pg.QueryResultRow = Record<string, unknown>>(text: string, values?: unknown[]): Promise<T[]>;
  /** A connection of one's own, for a transaction that stays open. */
  session(): Promise<pg.Client>;
  /** Does something with the broker as a user that may do everything. */
  observe<T>(look: (broker: Awaited<ReturnType<typeof connectNats>>) => Promise<T>): Promise<T>;
  /** Everything that any service has logged. */
  logs(): string;
  allReady(timeoutMs?: number): Promise<void>;
}

const outOfTheWay: Partial<Record<ServiceName, Record<string, string>>> = {
  auth: { API_LIMIT_PER_MINUTE: '1000000', API_KEYS_PER_DAY: '100000' },
  'ingest-gateway': { INGEST_LIMIT_PER_MINUTE: '1000000' },
};

/** Where people would reach it; nothing listens there. */
const publicUrl = { PUBLIC_URL: 'http://alerts.example.com' };
const linkSecret = { LINK_SECRET: 'the secret of the links of a test' };
const own: Partial<Record<ServiceName, Record<string, string>>> = {
  'resource-api': publicUrl,
  'workflow-engine': { ...publicUrl, ...linkSecret },
  'api-gateway': { ...linkSecret, DRAIN_DELAY_MS: '0' },
  'ingest-gateway': { DRAIN_DELAY_MS: '0' },
};

export async function startSystem(options: SystemOptions = {}): Promise<System> {
  const { replicas = {}, env = {}, limits = 'out of the way', durable = false, supervised = false } = options;
  const dir = mkdtempSync(join(tmpdir(), `ams-test-${process.pid}-`)); // a later run removes what a killed one left
  chmodSync(dir, 0o711); // as root, PostgreSQL runs as another user
  const logDir = join(dir, 'logs');
  mkdirSync(logDir);
  const stores = await startStores(dir, durable);
  const started: Replica[] = [];
  const byService = new Map<ServiceName, Replica[]>();
  const pool = new pg.Pool({ connectionString: stores.postgres.url, max: 4 });
  pool.on('error', () => undefined); // the database may be killed by the test

  const stop = async (): Promise<void> => {
    await Promise.all(started.map((replica) => replica.stop()));
    await pool.end();
    await stores.stop();
  };
  try {
    for (const service of serviceNames) {
      const ingest = byService.get('ingest-gateway')?.[0];
      const settings = {
        LOG_LEVEL: 'info',
        ...stores.environmentOf(service),
        ...own[service],
        ...(limits === 'specified' ? {} : outOfTheWay[service]),
        ...env[service],
      };
      if (service === 'api-gateway' && ingest) Object.assign(settings, { INGEST_URL: ingest.url });
      const list = await Promise.all(
        Array.from({ length: replicas[service] ?? 1 }, (_, index) =>
          startReplica({ service, index, env: settings, logDir, supervised }),
        ),
      );
      byService.set(service, list);
      started.push(...list);
    }
    await Promise.all(started.map((replica) => replica.ready()));
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }

  const of = (service: ServiceName): Replica[] => byService.get(service) ?? [];
  const turns = new Map<ServiceName, number>();
  const one = (service: ServiceName, index?: number): Replica => {
    const turn = index ?? turns.get(service) ?? 0;
    if (index === undefined) turns.set(service, turn + 1);
    return of(service)[turn % of(service).length] as Replica;
  };
  const system: System = {
    ...stores,
    replicas: of,
    allReplicas: started,
    as: (key, gateway) =>
      inTurn(() => httpClient(one('api-gateway', gateway).url, { headers: { authorization: `Bearer ${key}` } })),
    ingest: (replica) => inTurn(() => httpClient(one('ingest-gateway', replica).url)),
    async organization() {
      const name = `Organization ${crypto.randomUUID()}`;
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [
          join(root, 'apps/auth/dist/bootstrap.js'),
          '--organization',
          name,
          '--owner-name',
          'Owner',
          '--owner-email',
          'owner@example.com',
          '--key-name',
          'all scopes',
        ],
        { env: { PATH: process.env['PATH'], ...stores.environmentOf('auth') } },
      );
      const { organizationId, key } = JSON.parse(stdout) as { organizationId: string; key: string };
      return organizationOf(system, organizationId, key);
    },
    async eventuallyApplied(eventIds, timeoutMs = 20_000) {
      const ids = eventIds.map((id) => uuidOf('event', id) ?? id);
      await eventually(
        async () => {
          const [row] = await system.sql<{ n: string }>(
            'SELECT count(*) AS n FROM alerts.events WHERE id = ANY ($1::uuid[])',
            [ids],
          );
          if (Number(row?.n) !== ids.length) throw new Error(`${row?.n} of ${ids.length} events are applied`);
        },
        { timeoutMs },
      );
    },
    sql: async <T extends pg.QueryResultRow>(text: string, values: unknown[] = []) =>
      (await pool.query<T>(text, values)).rows,
    async session() {
      const client = new pg.Client({ connectionString: stores.postgres.url });
      await client.connect();
      return client;
    },
    async observe(look) {
      const broker = await connectNats({ url: stores.nats.url, ...stores.observer, name: 'observer' });
      try {
        return await look(broker);
      } finally {
        await broker.close();
      }
    },
    logs: () => started.map((replica) => replica.log()).join(''),
    allReady: async (timeoutMs) => void (await Promise.all(started.map((replica) => replica.ready(timeoutMs)))),
    stop,
  };
  return system;
}

/** A client that chooses its replica anew for each request. */
function inTurn(choose: () => HttpClient): HttpClient {
  return {
    request: (...args) => choose().request(...args),
    get: (...args) => choose().get(...args),
    post: (...args) => choose().post(...args),
    put: (...args) => choose().put(...args),
    patch: (...args) => choose().patch(...args),
    delete: (...args) => choose().delete(...args),
  };
}
