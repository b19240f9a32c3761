/** The service in this process, with a database and a NATS server of its own. */
import type { Answer, Call, IngestIntegration, Operation, Principal } from '@ams/contracts';
import { brokerDefaults, connectNats, integrationsKv, keepBroker, type NatsConnection } from '@ams/messaging';
import { createLogger, startService, type RunningService } from '@ams/service';
import {
  callOperation,
  createTestDatabase,
  insertApiKey,
  insertRows,
  masterKeyFile,
  startTestNats,
  type MigratedDatabase,
  streamManager,
} from '@ams/testing';
import { resourceApi } from '../src/service.js';
import { ResourceApiSettings } from '../src/settings.js';

export interface TestResourceApi extends Pick<MigratedDatabase, 'admin'> {
  /** Of the service's role. */
  databaseUrl: string;
  nats: NatsConnection;
  replicas: RunningService[];
  startReplica(settings?: Partial<ResourceApiSettings>): Promise<RunningService>;
  /** An API key of an organization that exists already, or of a new one. */
  newPrincipal(of?: Partial<Pick<Principal, 'organizationId' | 'environment'>>): Promise<Principal>;
  callAs<R = unknown>(
    principal: Principal,
    operation: Operation,
    call?: Partial<Pick<Call, 'params' | 'query' | 'body' | 'ifMatch' | 'idempotency' | 'after'>>,
  ): Promise<Answer & { body?: R }>;
  /** The integrations that the ingest gateways see, by the hash of their token. */
  bucketEntries(): Promise<Map<string, IngestIntegration>>;
  stop(): Promise<void>;
}

export async function startResourceApi({ replicas: count = 1 } = {}): Promise<TestResourceApi> {
  const [database, server] = await Promise.all([createTestDatabase(), startTestNats()]);
  const { admin } = database;
  const databaseUrl = database.urls['resource-api'];
  const nats = await connectNats({ url: server.url, name: 'test' });
  await keepBroker(nats, brokerDefaults, { everyMs: 1000 });
  const replicas: RunningService[] = [];
  const startReplica = async (more: Partial<ResourceApiSettings> = {}): Promise<RunningService> => {
    const settings = Object.assign(new ResourceApiSettings(), {
      httpHost: '127.0.0.1',
      httpPort: 0,
      natsUrl: server.url,
      databaseUrl,
      databasePool: 5,
      databaseConnectTimeoutMs: 30_000, // the machine may be busy
      publicUrl: 'https://alerts.example.com',
      masterKeyFile: masterKeyFile(),
      ...more,
    });
    const log = createLogger('resource-api', process.env['TEST_LOG'] ?? 'fatal');
    const replica = await startService(resourceApi, settings, log);
    replicas.push(replica);
    return replica;
  };
  for (let i = 0; i < count; i++) await startReplica();

  return {
    admin,
    databaseUrl,
    nats,
    replicas,
    startReplica,
    async newPrincipal(values = {}) {
      const { principal } = await insertApiKey(admin, { name: 'bot', ...values });
      const { organizationId } = principal;
      // The service makes no default records for it.
      await insertRows(
        admin,
        'resources.defaults_made',
        [{ organizationId, policies: true, pages: true }],
        'ON CONFLICT DO NOTHING',
      );
      return principal;
    },
    callAs: <R>(principal: Principal, operation: Operation, call: Partial<Call> = {}) =>
      callOperation(nats, principal, operation, { ip: '192.0.2.1', ...call }) as Promise<Answer & { body?: R }>,
    async bucketEntries() {
      const bucket = await integrationsKv(nats, { replicas: 1 });
      const entries = new Map<string, IngestIntegration>();
      const { state } = await (await streamManager(nats)).streams.info('KV_integrations', { subjects_filter: '>' });
      for (const key of Object.keys(state.subjects ?? {}).map((subject) => subject.slice('$KV.integrations.'.length))) {
        const entry = await bucket.get(key);
        if (entry?.operation === 'PUT') entries.set(key, entry.json<IngestIntegration>());
      }
      return entries;
    },
    async stop() {
      for (const replica of replicas) await replica.stop();
      await nats.close();
      await server.stop();
      await database.drop();
    },
  };
}
