// A migrated database for each test file. The migrations run once for a cluster, in a template that the databases copy.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate, serviceRoles, type DatabaseService } from '@ams/database';
import { createDatabase as createDatabaseIn, dropDatabase } from '@ams/embedded';
import pg from 'pg';
import { createDatabase, type TestDatabase, testPostgresUrl } from './infrastructure.js';

export interface MigratedDatabase extends TestDatabase {
  /** The URL of each service's role; `url` is the superuser's. */
  urls: Record<DatabaseService, string>;
  /** Connections of the superuser, for whom row-level security does not apply. `drop` closes them. */
  admin: pg.Pool;
}

const services = Object.keys(serviceRoles) as DatabaseService[];
const ofEachService = (value: (service: DatabaseService) => string): Record<DatabaseService, string> =>
  Object.fromEntries(services.map((service) => [service, value(service)])) as Record<DatabaseService, string>;

/**
 * The passwords of the service roles. Roles belong to the whole cluster: a test that runs migrations must use these,
 * otherwise other tests on the cluster can no longer connect.
 */
export const testPasswords = ofEachService(() => 'test');

/** A new database with the current schema, in the test cluster or in the one that `postgresUrl` names. */
export async function createTestDatabase({ postgresUrl = testPostgresUrl() } = {}): Promise<MigratedDatabase> {
  const database = await createDatabase({ template: await migratedTemplate(postgresUrl), postgresUrl });
  const urls = ofEachService((service) => {
    const url = new URL(database.url);
    url.username = serviceRoles[service];
    url.password = testPasswords[service];
    return url.href;
  });
  const admin = new pg.Pool({ connectionString: database.url, max: 4 });
  admin.on('error', () => undefined); // the test stops or kills the server
  // PostgreSQL copies no rights on the database itself from a template; the job queue creates its schema.
  await admin.query(`GRANT CREATE ON DATABASE ${database.name} TO ${serviceRoles['workflow-engine']}`);
  const drop = async () => {
    await admin.end();
    await database.drop();
  };
  return { ...database, urls, admin, drop };
}

/**
 * The name of the template. It contains the hash of the sources, so that a long-lived cluster never provides an old
 * schema.
 */
async function migratedTemplate(postgresUrl: string): Promise<string> {
  const name = `template_${hashOfSources()}`;
  const client = new pg.Client({ connectionString: postgresUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [name]); // test files run in parallel
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) {
      const unfinished = `${name}_unfinished`;
      await dropDatabase(postgresUrl, unfinished);
      await migrate(await createDatabaseIn(postgresUrl, unfinished), testPasswords);
      await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`);
    }
    return name;
  } finally {
    await client.end();
  }
}

function hashOfSources(): string {
  const folder = join(import.meta.dirname, '../../database/src');
  const hash = createHash('sha256');
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (file.endsWith('.ts') && !file.endsWith('.spec.ts')) hash.update(file).update(readFileSync(join(folder, file)));
  }
  return hash.digest('hex').slice(0, 16);
}
