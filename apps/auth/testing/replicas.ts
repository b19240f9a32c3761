/** Several replicas of the service in one process, with a database and a NATS server of their own. */
import {
  admitSubject,
  credentialHash,
  newUuid,
  type AdmitReply,
  type AdmitRequest,
  type Answer,
  type Call,
  type Operation,
  type Principal,
} from '@ams/contracts';
import { Database } from '@ams/database';
import { connectNats, type NatsConnection } from '@ams/messaging';
import { type Environment, type Scope } from '@ams/scopes';
import { createLogger, readSettings, startLegacyService, type RunningService } from '@ams/service';
import {
  callOperation,
  createTestDatabase,
  insertApiKey,
  insertOrganization,
  startTestNats,
  type MigratedDatabase,
  type SqlRunner,
} from '@ams/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { auth } from '../src/service.js';
import { AuthSettings } from '../src/settings.js';

export interface Replicas {
  services: RunningService[];
  broker: NatsConnection;
  database: Database;
  databaseUrl: string;
  admin: MigratedDatabase;
  settings: AuthSettings;
  /** What the replicas have logged. */
  log: string[];
  startOne(): Promise<RunningService>;
  stop(): Promise<void>;
}

/** `servers` are those of a test that stops them; others get a NATS server and share the PostgreSQL of the test run. */
export async function startReplicas(
  count: number,
  environment: Record<string, string> = {},
  servers?: { postgresUrl: string; natsUrl: string },
): Promise<Replicas> {
  const nats = servers ? null : await startTestNats();
  const admin = await createTestDatabase({ postgresUrl: servers?.postgresUrl });
  const databaseUrl = admin.urls.auth;
  const settings = readSettings(AuthSettings, {
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: '0',
    NATS_URL: servers?.natsUrl ?? nats?.url,
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: '6',
    ...environment,
  });
  const lines: string[] = [];
  const log = createLogger('auth', 'debug', { write: (line: string) => lines.push(line) });
  const services: RunningService[] = [];
  const startOne = async (): Promise<RunningService> => {
    const service = await startLegacyService(auth, settings, log);
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
      await nats?.stop();
    },
  };
}

export interface TestKey {
  key: string;
  principal: Principal;
}

const runnerOf = (database: Database): SqlRunner => ({
  query: async (text, values) => ({ rows: await database.query(text, values) }),
});

export const newOrganization = (database: Database): Promise<string> => insertOrganization(runnerOf(database));

export const newKey = (
  database: Database,
  organizationId: string,
  options: { scopes?: readonly Scope[]; environment?: Environment; expiresInMs?: number; name?: string } = {},
): Promise<TestKey> => {
  const { expiresInMs, ...values } = options;
  const expiresAt = expiresInMs === undefined ? null : new Date(Date.now() + expiresInMs);
  return insertApiKey(runnerOf(database), { name: 'a key', ...values, organizationId, expiresAt });
};

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

export const ask = (
  broker: NatsConnection,
  op: Pick<Operation, 'id'>,
  principal: Principal,
  more: Partial<Call> = {},
): Promise<Answer> => callOperation(broker, principal, op, more);

/** Waits until the database has told as many milliseconds. */
export const later = (ms: number): Promise<void> => pause(ms);
