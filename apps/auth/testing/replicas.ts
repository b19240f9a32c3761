/** Several replicas of the service in one process, with a database and a NATS server of their own. */
import {
  admitRequest,
  credentialHash,
  newUuid,
  type AdmitFacts,
  type AdmitReply,
  type AdmitRequest,
  type Answer,
  type Call,
  type Operation,
  type Principal,
} from '@ams/contracts';
import { Database } from '@ams/database';
import { brokerDefaults, connectNats, keepBroker, RpcClient, type NatsConnection } from '@ams/messaging';
import { type Environment, type Scope } from '@ams/scopes';
import { createLogger, readSettings, startService, type RunningService } from '@ams/service';
import {
  callOperation,
  createTestDatabase,
  eventually,
  insertApiKey,
  insertOrganization,
  startTestNats,
  type MigratedDatabase,
  type SqlRunner,
} from '@ams/testing';
import { entities } from '../src/entities.js';
import { auth } from '../src/service.js';
import { AuthSettings } from '../src/settings.js';

export interface TestKey {
  key: string;
  principal: Principal;
}

export interface TestKeyOptions {
  /** All scopes when left out. */
  scopes?: readonly Scope[];
  environment?: Environment;
  expiresInMs?: number;
  name?: string;
  /** UUIDs. */
  restrictedTo?: Principal['restrictedTo'];
}

const facts = (values: Partial<AdmitFacts>): AdmitFacts => ({
  useId: newUuid(),
  scope: 'alerts:read',
  operation: 'listAlerts',
  requestId: 'request',
  ip: '192.0.2.7',
  userAgent: 'test/1',
  ...values,
});

/** No resource-api runs in these tests: the database says at once that an organization has its first records. */
const defaultsAtOnce = `
  CREATE FUNCTION public.make_defaults() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
    INSERT INTO resources.defaults_made (organization_id, policies) VALUES (NEW.id, true);
    RETURN NULL;
  END $$;
  CREATE TRIGGER make_defaults AFTER INSERT ON auth.organizations FOR EACH ROW EXECUTE FUNCTION public.make_defaults()`;

export class Replicas {
  readonly services: RunningService[] = [];
  /** The lines that the replicas have logged. */
  readonly log: string[] = [];
  readonly rpc: RpcClient;

  private constructor(
    private readonly settings: AuthSettings,
    private readonly migrated: MigratedDatabase,
    readonly nats: NatsConnection,
    /** Connects with the role of the service. */
    readonly database: Database,
    /** Connects as the owner of the tables, as the admin command does. */
    readonly adminDatabase: Database,
    private readonly stopServers: () => Promise<void>,
  ) {
    this.rpc = new RpcClient(nats);
  }

  /** `servers`: given by a test that stops them. Otherwise: a new NATS server, and the PostgreSQL of the test run. */
  static async start(
    count: number,
    environment: Record<string, string> = {},
    servers?: { postgresUrl: string; natsUrl: string },
  ): Promise<Replicas> {
    const ownNats = servers ? null : await startTestNats();
    const migrated = await createTestDatabase({ postgresUrl: servers?.postgresUrl });
    const settings = readSettings(AuthSettings, {
      HTTP_HOST: '127.0.0.1',
      HTTP_PORT: '0',
      NATS_URL: servers?.natsUrl ?? ownNats?.url,
      DATABASE_URL: migrated.urls.auth,
      DATABASE_POOL: '6',
      // Tests that count entries of the audit log have no others in it.
      AUDIT_REFUSALS_SECONDS: '3600',
      // The machine may be busy. Tests that stop the servers check the usual limit.
      ...(servers ? {} : { DATABASE_CONNECT_TIMEOUT_MS: '30000', ADMISSION_TIMEOUT_MS: '9000' }),
      ...environment,
    });
    const nats = await connectNats({ url: settings.natsUrl, name: 'test' });
    await keepBroker(nats, brokerDefaults, { everyMs: 1000 });
    const open = (url: string) =>
      Database.open({ service: 'auth', url, poolSize: 8, connectTimeoutMs: 30_000, entities });
    const stopServers = async () => ownNats?.stop();
    const databases = [await open(migrated.urls.auth), await open(migrated.url)] as const;
    const replicas = new Replicas(settings, migrated, nats, ...databases, stopServers);
    await migrated.admin.query(defaultsAtOnce);
    for (let i = 0; i < count; i++) await replicas.startOne();
    return replicas;
  }

  /** `changed`: settings of this replica that differ from those of the others. */
  async startOne(changed: Partial<AuthSettings> = {}): Promise<RunningService> {
    const log = createLogger('auth', 'debug', { write: (line: string) => this.log.push(line) });
    const service = await startService(auth, Object.assign(new AuthSettings(), this.settings, changed), log);
    this.services.push(service);
    return service;
  }

  async stop(): Promise<void> {
    await Promise.all(this.services.map((service) => service.stop()));
    await this.nats.close();
    await Promise.all([this.database.close(), this.adminDatabase.close()]);
    await this.migrated.drop();
    await this.stopServers();
  }

  /** With the role of the service. */
  get databaseUrl(): string {
    return this.settings.databaseUrl;
  }

  /** As the superuser, for test data. */
  get sql(): SqlRunner {
    return this.migrated.admin;
  }

  newOrganization(): Promise<string> {
    return insertOrganization(this.sql, { mailDomains: [] });
  }

  newKey(organizationId: string, { expiresInMs, ...options }: TestKeyOptions = {}): Promise<TestKey> {
    const expiresAt = expiresInMs === undefined ? null : new Date(Date.now() + expiresInMs);
    return insertApiKey(this.sql, { name: 'a key', ...options, organizationId, expiresAt });
  }

  /** A key of a new organization. */
  async newOrganizationKey(options: TestKeyOptions = {}): Promise<TestKey> {
    return this.newKey(await this.newOrganization(), options);
  }

  /** Throws UNAVAILABLE when no reply comes in time. */
  admit(key: string, values: Partial<AdmitFacts> = {}, timeoutMs = 10_000): Promise<AdmitReply> {
    return this.requestAdmission({ keyHash: credentialHash(key), ...facts(values) }, timeoutMs);
  }

  admitSession(session: { sessionHash: string; environment: Environment }, values: Partial<AdmitFacts> = {}) {
    return this.requestAdmission({ ...session, ...facts(values) }, 10_000);
  }

  private requestAdmission(request: AdmitRequest, timeoutMs: number): Promise<AdmitReply> {
    return this.rpc.request(admitRequest, request, { timeoutMs, requestId: 'test' });
  }

  /** Settles when a statement that matches the pattern waits for a lock. */
  async lockWait(pattern: string): Promise<void> {
    const waiting = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`;
    await eventually(async () => (await this.adminDatabase.query(waiting, [pattern])).length > 0);
  }

  call(operation: Pick<Operation, 'id'>, principal: Principal, values: Partial<Call> = {}): Promise<Answer> {
    return callOperation(this.nats, principal, operation, values);
  }
}
