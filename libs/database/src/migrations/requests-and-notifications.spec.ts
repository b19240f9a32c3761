/** The upgrade of a database in which two tables are named `deliveries`: no row is lost, and every name changes. */
import { newUuid } from '@ams/contracts';
import { createDatabase, testPasswords as passwords, type TestDatabase } from '@ams/testing';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { migrations } from '../migrate.js';
import { ensureRoles } from '../roles.js';
import { RequestsAndNotifications1700000004000 } from './1700000004000-requests-and-notifications.js';

const at = migrations.indexOf(RequestsAndNotifications1700000004000);
const earlier = migrations.slice(0, at);
const migrationsUpToThis = migrations.slice(0, at + 1);

let own: TestDatabase;
let admin: pg.Client;
let namesBefore: string[];
const organizationId = newUuid();
const [requestId, notificationId, oldNotificationId] = [newUuid(), newUuid(), newUuid(Date.UTC(2020, 0))];

const sourceOf = (of: typeof migrations): DataSource =>
  new DataSource({ type: 'postgres', url: own.url, migrations: of, migrationsTableName: 'ams_migrations' });

async function run(of: typeof migrations): Promise<void> {
  const source = await sourceOf(of).initialize();
  await source.runMigrations();
  await source.destroy();
}

/** Of tables, indexes, constraints and policies, each with its table. */
async function names(): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(`
    SELECT relname::text AS name FROM pg_class WHERE relnamespace::regnamespace::text IN ('resources', 'workflows')
    UNION ALL SELECT conrelid::regclass || ' ' || conname FROM pg_constraint
      WHERE connamespace::regnamespace::text IN ('resources', 'workflows')
    UNION ALL SELECT schemaname || '.' || tablename || ' ' || policyname FROM pg_policies
      WHERE schemaname IN ('resources', 'workflows')
    ORDER BY 1`);
  return rows.map(({ name }) => name);
}

const partitions = async (): Promise<string[]> => {
  const { rows } = await admin.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
     WHERE inhparent = 'workflows.notifications'::regclass ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
};

beforeAll(async () => {
  own = await createDatabase();
  admin = new pg.Client({ connectionString: own.url });
  await admin.connect();
  await ensureRoles(admin, passwords);
  await run(earlier);
  await admin.query(
    `INSERT INTO resources.deliveries (id, organization_id, environment, integration_id, received_at, outcome, status,
        items, request_id)
     VALUES ($1, $2, 'live', $3, now(), 'accepted', 202, '[]', 'r')`,
    [requestId, organizationId, newUuid()],
  );
  for (const id of [notificationId, oldNotificationId])
    await admin.query(
      `INSERT INTO workflows.deliveries (id, organization_id, environment, channel, target, destination, notice,
          stop_when, why, status, created_at, updated_at)
       VALUES ($1, $2, 'live', 'email', 'ops@example.com', '{}', '{}', '{}', '', 'queued', now(), now())`,
      [id, organizationId],
    );
  namesBefore = await names();
  await run(migrationsUpToThis);
});
afterAll(async () => {
  await admin?.end();
  await own?.drop();
});

test('keeps every row', async () => {
  const requests = await admin.query('SELECT id, outcome, organization_id FROM resources.requests');
  expect(requests.rows).toEqual([{ id: requestId, outcome: 'accepted', organization_id: organizationId }]);
  const notifications = await admin.query('SELECT id FROM workflows.notifications ORDER BY id');
  expect(notifications.rows).toEqual([{ id: oldNotificationId }, { id: notificationId }]);
});

test('leaves no old name, and changes only names', async () => {
  const after = await names();
  expect(namesBefore.filter((name) => name.includes('deliveries')).length).toBeGreaterThan(20);
  expect(after.filter((name) => name.includes('deliver'))).toEqual([]);
  expect(after).toHaveLength(namesBefore.length);
});

test('partitions of later months are named like existing ones', async () => {
  const before = await partitions();
  for (const name of before) expect(name).toMatch(/^notifications_(other|\d{6})$/);
  await admin.query(`SELECT public.ensure_partitions('workflows.notifications', now() - interval '1 day', 4)`);
  expect(await partitions()).toEqual(before);
  await admin.query(`SELECT public.ensure_partitions('workflows.notifications', now() - interval '1 day', 6)`);
  expect(await partitions()).toHaveLength(before.length + 2);
});

test('can be reverted', async () => {
  const fresh = await createDatabase();
  const client = new pg.Client({ connectionString: fresh.url });
  await client.connect();
  const source = await new DataSource({
    type: 'postgres',
    url: fresh.url,
    migrations: migrationsUpToThis,
    migrationsTableName: 'ams_migrations',
  }).initialize();
  await source.runMigrations();
  await source.undoLastMigration();
  const { rows } = await client.query<{ n: string }>(
    `SELECT relname AS n FROM pg_class WHERE relnamespace::regnamespace::text IN ('resources', 'workflows')
        AND relname ~ '^(requests|notifications)'`,
  );
  expect(rows).toEqual([]);
  await source.destroy();
  await client.end();
  await fresh.drop();
});
