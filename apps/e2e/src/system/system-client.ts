/** The functions with which a test file uses a system: one that it has started, or the shared one. */
import { uuidOf } from '@ams/contracts';
import { Database } from '@ams/database';
import { connectNats } from '@ams/messaging';
import { eventually, httpClient, testMailDomains, type HttpClient } from '@ams/testing';
import pg from 'pg';
// eslint-disable-next-line @nx/enforce-module-boundaries -- operators make organizations and links, not the API
import { signInLink } from '../../../auth/src/accounts/operator-links.js';
// eslint-disable-next-line @nx/enforce-module-boundaries -- as above
import { entities } from '../../../auth/src/entities.js';
// eslint-disable-next-line @nx/enforce-module-boundaries -- as above
import { ensureFirstOrganization } from '../../../auth/src/organizations/operator-organizations.js';
import { organizationOf, type Organization, type SystemCalls } from './organization.js';

/** The addresses of a system. They stay the same when replicas restart. */
export interface SystemAddress {
  /** The URL of the superuser. */
  postgresUrl: string;
  natsUrl: string;
  observer: { user: string; password: string };
  /** The URL of the role of auth, with which an operator creates organizations. */
  authUrl: string;
  gateways: string[];
  ingestGateways: string[];
}

export interface SystemClient extends SystemCalls {
  address: SystemAddress;
  /** Creates an organization with a live key of all scopes, as an operator does. */
  organization(): Promise<Organization>;
  /** The address by which a member signs in, once, as `npm run admin -- members sign-in-link` makes it. */
  signInLink(organization: Organization, baseUrl: string, email?: string): Promise<string>;
  /** Runs SQL as the superuser of the database. */
  sql<T extends pg.QueryResultRow = Record<string, unknown>>(text: string, values?: unknown[]): Promise<T[]>;
  /** A separate connection, for a transaction that stays open. */
  session(): Promise<pg.Client>;
  /** Calls a function with a NATS connection that has all permissions. */
  observe<T>(look: (nats: Awaited<ReturnType<typeof connectNats>>) => Promise<T>): Promise<T>;
  /** Closes the connections of this test file. */
  close(): Promise<void>;
}

export function connectSystem(address: SystemAddress): SystemClient {
  const pool = new pg.Pool({ connectionString: address.postgresUrl, max: 4 });
  pool.on('error', () => undefined); // the database may be killed by the test
  const choose = (urls: string[]) => {
    let turn = 0;
    return (index = turn++): string => urls[index % urls.length] as string;
  };
  const gateway = choose(address.gateways);
  const ingestGateway = choose(address.ingestGateways);
  const sql = async <T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await pool.query<T>(text, values)).rows;

  const asOperator = async <T>(work: (database: Database) => Promise<T>): Promise<T> => {
    const database = await Database.open({
      service: 'auth',
      url: address.authUrl,
      poolSize: 1,
      connectTimeoutMs: 30_000, // the machine may be busy
      entities,
    });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  };
  const client: SystemClient = {
    address,
    as: (key, index) => inTurn(() => httpClient(gateway(index), { headers: { authorization: `Bearer ${key}` } })),
    ingest: (index) => inTurn(() => httpClient(ingestGateway(index))),
    async organization() {
      const input = {
        organization: `Organization ${crypto.randomUUID()}`,
        ownerName: 'Owner',
        ownerEmail: 'owner@example.com',
        keyName: 'all scopes',
        mailDomains: testMailDomains,
      };
      return asOperator(async (database) => {
        const { organizationId, key } = await ensureFirstOrganization(database, input);
        return organizationOf(client, organizationId, String(key));
      });
    },
    async signInLink({ id }, baseUrl, email) {
      const [row] = await sql<{ slug: string }>('SELECT slug FROM auth.organizations WHERE id = $1', [
        uuidOf('organization', id),
      ]);
      const operator = { type: 'service', id: null, name: 'operator' } as const;
      return asOperator(async (database) => {
        const link = await signInLink(database, operator, { organization: row?.slug ?? '', email, baseUrl });
        return link.url;
      });
    },
    async eventuallyApplied(eventIds, timeoutMs = 60_000) {
      const ids = eventIds.map((id) => uuidOf('event', id) ?? id);
      await eventually(
        async () => {
          const [row] = await sql<{ n: string }>(
            'SELECT count(*) AS n FROM alerts.events WHERE id = ANY ($1::uuid[])',
            [ids],
          );
          if (Number(row?.n) !== ids.length) throw new Error(`${row?.n} of ${ids.length} events are applied`);
        },
        { timeoutMs },
      );
    },
    sql,
    async session() {
      const session = new pg.Client({ connectionString: address.postgresUrl });
      await session.connect();
      return session;
    },
    async observe(look) {
      const nats = await connectNats({ url: address.natsUrl, ...address.observer, name: 'observer' });
      try {
        return await look(nats);
      } finally {
        await nats.close();
      }
    },
    close: () => pool.end(),
  };
  return client;
}

/** A client that chooses a replica for each request. */
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
