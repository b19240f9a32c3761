/** Several replicas of the service in one process, with a database of their own. They share the broker of the test run. */
import {
  admitSubject,
  credentialHash,
  newApiKey,
  newUuid,
  subjectOf,
  type AdmitReply,
  type AdmitRequest,
  type Answer,
  type Call,
  type Operation,
  type Principal,
} from '@ams/contracts';
import { Database, migrate } from '@ams/database';
import { connectNats, type NatsConnection } from '@ams/messaging';
import { scopes, type Environment, type Scope } from '@ams/scopes';
import { createLog, readSettings, startService, type RunningService } from '@ams/service';
import { createDatabase, testNatsUrl, testPostgresUrl, type TestDatabase } from '@ams/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { auth } from '../src/service.js';
import { AuthSettings } from '../src/settings.js';

const password = 'of-tests';
const passwords = { auth: password, 'resource-api': password, 'alert-pipeline': password, 'workflow-engine': password };

export interface Replicas {
  services: RunningService[];
  broker: NatsConnection;
  database: Database;
  databaseUrl: string;
  admin: TestDatabase;
  settings: AuthSettings;
  /** What the replicas have logged. */
  log: string[];
  startOne(): Promise<RunningService>;
  stop(): Promise<void>;
}

/** On the servers of the test run, unless a test that kills servers has its own. */
export async function startReplicas(
  count: number,
  environment: Record<string, string> = {},
  servers: { postgresUrl: string; natsUrl: string } = { postgresUrl: testPostgresUrl(), natsUrl: testNatsUrl() },
): Promise<Replicas> {
  const admin = await createDatabase({ postgresUrl: servers.postgresUrl });
  await migrate(admin.url, passwords);
  const url = new URL(admin.url);
  url.username = 'ams_auth';
  url.password = password;
  const databaseUrl = url.href;
  const settings = readSettings(AuthSettings, {
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: '0',
    NATS_URL: servers.natsUrl,
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: '6',
    ...environment,
  });
  const lines: string[] = [];
  const log = createLog('auth', 'debug', { write: (line: string) => lines.push(line) });
  const services: RunningService[] = [];
  const startOne = async (): Promise<RunningService> => {
    const service = await startService(auth, settings, log);
    services.push(service);
    return service;
  };
  for (let i = 0; i < count; i++) await startOne();
  const broker = await connectNats({ url: settings.natsUrl, name: 'test' });
  const database = await Database.open({ service: 'auth', url: databaseUrl, poolSize: 4 });
  return {
    services,
    broker,
    database,
    databaseUrl,
    admin,
    settings,
    log: lines,
    startOne,
    stop: async () => {
      await Promise.all(services.map((service) => service.stop()));
      await broker.close();
      await database.close();
      await admin.drop();
    },
  };
}

export interface TestKey {
  key: string;
  principal: Principal;
}

export async function newOrganization(database: Database): Promise<string> {
  const id = newUuid();
  await database.query('INSERT INTO auth.organizations (id, name, slug) VALUES ($1, $2, $2)', [
    id,
    `organization ${id}`,
  ]);
  return id;
}

export async function newKey(
  database: Database,
  organizationId: string,
  options: { scopes?: readonly Scope[]; environment?: Environment; expiresInMs?: number; name?: string } = {},
): Promise<TestKey> {
  const { environment = 'live', name = 'a key' } = options;
  const key = newApiKey(environment);
  const id = newUuid();
  const held = [...(options.scopes ?? scopes)];
  await database.query(
    `INSERT INTO auth.api_keys (id, organization_id, environment, name, scopes, key_prefix, key_hash, expires_at, created_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8), '{"type":"service","id":null,"name":"test"}')`,
    [
      id,
      organizationId,
      environment,
      name,
      held,
      key.slice(0, 13),
      credentialHash(key),
      options.expiresInMs === undefined ? null : options.expiresInMs / 1000,
    ],
  );
  return { key, principal: { type: 'api_key', id, name, organizationId, environment, scopes: held } };
}

export async function admit(
  broker: NatsConnection,
  key: string,
  more: Partial<AdmitRequest> = {},
  timeoutMs = 10_000,
): Promise<AdmitReply> {
  const request: AdmitRequest = {
    useId: newUuid(),
    keyHash: credentialHash(key),
    scope: 'alerts:read',
    operation: 'listAlerts',
    requestId: 'request',
    ip: '192.0.2.7',
    userAgent: 'test/1',
    ...more,
  };
  return (await broker.request(admitSubject, JSON.stringify(request), { timeout: timeoutMs })).json<AdmitReply>();
}

export async function ask(
  broker: NatsConnection,
  op: Operation<never, never, never> | Operation,
  principal: Principal,
  more: Partial<Call> = {},
): Promise<Answer> {
  const call: Call = {
    requestId: `r-${newUuid()}`,
    principal,
    params: {},
    query: {},
    body: undefined,
    ifMatch: null,
    idempotency: null,
    ip: '192.0.2.7',
    userAgent: 'test/1',
    ...more,
  };
  return (await broker.request(subjectOf(op), JSON.stringify(call), { timeout: 15_000 })).json<Answer>();
}

/** Waits until the database has told as many milliseconds. */
export const later = (ms: number): Promise<void> => pause(ms);
