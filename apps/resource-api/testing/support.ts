/** The service in this process against a database and a broker of its own kind, and calls to it as the gateway makes them. */
import { createHash, randomBytes } from 'node:crypto';
import {
  newUuid,
  subjectOf,
  type Answer,
  type Call,
  type IngestIntegration,
  type Operation,
  type Page,
  type Principal,
} from '@ams/contracts';
import { migrate } from '@ams/database';
import { connectNats, integrationsKv, managerOf, type NatsConnection } from '@ams/messaging';
import { createLog, startService, type RunningService } from '@ams/service';
import { createDatabase, testNatsUrl, type TestDatabase } from '@ams/testing';
import pg from 'pg';
import { resourceApi } from '../src/service.js';
import { ResourceApiSettings } from '../src/settings.js';

const password = 'test';

export interface TestWorld {
  database: TestDatabase;
  /** As the superuser, past every policy. */
  admin: pg.Pool;
  broker: NatsConnection;
  services: RunningService[];
  /** Starts one more replica. */
  startReplica(settings?: Partial<ResourceApiSettings>): Promise<RunningService>;
  newPrincipal(of?: Partial<Pick<Principal, 'organizationId' | 'environment'>>): Promise<Principal>;
  callAs<R = unknown>(
    principal: Principal,
    operation: Operation,
    call?: Partial<Pick<Call, 'params' | 'query' | 'body' | 'ifMatch' | 'idempotency'>>,
  ): Promise<Answer & { body?: R }>;
  bucketEntries(): Promise<Map<string, IngestIntegration>>;
  stop(): Promise<void>;
}

/** `serviceUrl` of the role, by which the service itself connects. */
const urlOf = (database: TestDatabase, role: string): string => {
  const url = new URL(database.url);
  url.username = role;
  url.password = password;
  return url.toString();
};

const passwords = { auth: password, 'resource-api': password, 'alert-pipeline': password, 'workflow-engine': password };

/** Roles belong to the whole cluster, where another test file may be making them just now. */
async function migrated(url: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await migrate(url, passwords);
      return;
    } catch (error) {
      if (attempt === 10 || !/concurrently|already exists|duplicate key/.test(String(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100 * attempt));
    }
  }
}

export async function startWorld({ replicas = 1 } = {}): Promise<TestWorld> {
  const database = await createDatabase();
  await migrated(database.url);
  const admin = new pg.Pool({ connectionString: database.url, max: 4 });
  const broker = await connectNats({ url: testNatsUrl(), name: 'test' });
  const services: RunningService[] = [];
  const startReplica = async (more: Partial<ResourceApiSettings> = {}): Promise<RunningService> => {
    const settings = Object.assign(new ResourceApiSettings(), {
      httpHost: '127.0.0.1',
      httpPort: 0,
      natsUrl: testNatsUrl(),
      databaseUrl: urlOf(database, 'ams_resource_api'),
      databasePool: 5,
      publicUrl: 'https://alerts.example.com',
      ...more,
    });
    const service = await startService(
      resourceApi,
      settings,
      createLog('resource-api', process.env['TEST_LOG'] ?? 'fatal'),
    );
    services.push(service);
    return service;
  };
  for (let i = 0; i < replicas; i++) await startReplica();

  return {
    database,
    admin,
    broker,
    services,
    startReplica,
    async newPrincipal({ organizationId = newUuid(), environment = 'live' } = {}) {
      const id = newUuid();
      await admin.query(
        `INSERT INTO auth.organizations (id, name, slug) VALUES ($1, 'Example', $2) ON CONFLICT DO NOTHING`,
        [organizationId, organizationId],
      );
      // Its records are those that a test makes.
      await admin.query('INSERT INTO resources.defaults_made (organization_id) VALUES ($1) ON CONFLICT DO NOTHING', [
        organizationId,
      ]);
      await admin.query(
        `INSERT INTO auth.api_keys (id, organization_id, environment, name, scopes, key_prefix, key_hash, created_by) VALUES ($1, $2, $3, 'bot', '{alerts:read}', 'svc_', $4, '{}')`,
        [id, organizationId, environment, randomBytes(16).toString('hex')],
      );
      return { type: 'api_key', id, name: 'bot', organizationId, environment, scopes: [] };
    },
    async callAs<R>(principal: Principal, operation: Operation, call: Partial<Call> = {}) {
      const request: Call = {
        requestId: randomBytes(4).toString('hex'),
        principal,
        params: {},
        query: {},
        body: null,
        ifMatch: null,
        idempotency: null,
        ip: '192.0.2.1',
        userAgent: 'test',
        ...call,
      };
      const message = await broker.request(subjectOf(operation), JSON.stringify(request), { timeout: 10_000 });
      return message.json<Answer & { body?: R }>();
    },
    async bucketEntries() {
      const bucket = await integrationsKv(broker, { replicas: 1 });
      const entries = new Map<string, IngestIntegration>();
      const { state } = await (await managerOf(broker)).streams.info('KV_integrations', { subjects_filter: '>' });
      for (const key of Object.keys(state.subjects ?? {}).map((subject) => subject.slice('$KV.integrations.'.length))) {
        const entry = await bucket.get(key);
        if (entry?.operation === 'PUT') entries.set(key, entry.json<IngestIntegration>());
      }
      return entries;
    },
    async stop() {
      for (const service of services) await service.stop();
      await broker.close();
      await admin.end();
      await database.drop();
    },
  };
}

/** The object of a successful answer; fails with the answer when it is none. */
export function dataOf<R>(answer: Answer): R {
  if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer)}`);
  return (answer.body as { data: R }).data;
}

export function pageOf<R>(answer: Answer): Page<R> {
  if (!answer.ok) throw new Error(`refused: ${JSON.stringify(answer)}`);
  return answer.body as Page<R>;
}

/** As the gateway makes it of a header and a body. */
export const idempotent = (key: string, body: unknown) => ({
  key,
  fingerprint: createHash('sha256')
    .update(JSON.stringify(body ?? null))
    .digest('base64url'),
  sealKey: createHash('sha256').update('seal').digest('base64url'),
});
