/** Keys that are restricted to clients: what their transactions see and write, in every table of the schema. */
import { newUuid, type Principal } from '@ams/contracts';
import {
  createDatabase,
  insertAlert,
  insertApiKey,
  insertClient,
  insertIncident,
  insertIntegration,
  insertRows,
  insertSchedule,
  insertSuppressionWindow,
  insertWorkflow,
  testPasswords,
  type TestDatabase,
} from '@ams/testing';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { Database } from './database.js';
import { migrate, migrations } from './migrate.js';
import { MembersAndNarrowedKeys1700000012000 } from './migrations/1700000012000-members-and-narrowed-keys.js';
import { serviceRoles, type DatabaseService } from './roles.js';

let own: TestDatabase;
let admin: pg.Pool;
const databases = new Map<DatabaseService, Database>();

const log = { warn: () => undefined };

beforeAll(async () => {
  own = await createDatabase();
  await migrate(own.url, testPasswords);
  admin = new pg.Pool({ connectionString: own.url });
  for (const service of Object.keys(serviceRoles) as DatabaseService[]) {
    const url = new URL(own.url);
    url.username = serviceRoles[service];
    url.password = testPasswords[service];
    databases.set(service, await Database.open({ service, url: url.href, poolSize: 4, log }));
  }
});
afterAll(async () => {
  await Promise.all([...databases.values()].map((database) => database.close()));
  await admin?.end();
  await own?.drop();
});

const of = (service: DatabaseService): Database => databases.get(service) as Database;

/** Tables whose rows a narrowed key may use like any other key of the tenant, each with the reason. */
const whole: Record<string, string> = {
  'alerts.idempotency': 'a key finds only its own answers',
  'auth.idempotency': 'a key finds only its own answers',
  'resources.idempotency': 'a key finds only its own answers',
  'workflows.idempotency': 'a key finds only its own answers',
  'alerts.incident_numbers': 'an incident of the key has the next number of the organization',
  'auth.api_key_creations': 'they count for the whole organization',
  'auth.mail_recipients': 'mails of pages go to the same addresses; the operations on recipients are refused',
  'auth.members': 'records name members; the operations on members are refused',
  'auth.organizations': 'the organization of the key',
  'workflows.message_counts': 'they count for the whole organization',
  'resources.data_keys': 'it seals the secrets of all records of the tenant',
  'auth.push_devices': 'whoever is paged is paged on all devices; the operations on devices are refused',
};

test('every table of tenants hides what a narrowed key may not see, or is in a list with the reason', async () => {
  const { rows } = await admin.query<{ name: string; narrowed: boolean }>(
    `SELECT format('%s.%s', schemaname, tablename) AS name, bool_or(policyname = 'narrowed') AS narrowed
     FROM pg_policies GROUP BY 1 ORDER BY 1`,
  );
  expect(rows.filter(({ narrowed }) => !narrowed).map(({ name }) => name)).toEqual(Object.keys(whole).sort());
});

test('the published view of such a table has the same condition', async () => {
  const { rows } = await admin.query<{ name: string; narrowed: boolean }>(
    `SELECT format('%s.%s', replace(schemaname, '_views', ''), viewname) AS name,
       definition LIKE '%app.client_ids%' AS narrowed
     FROM pg_views WHERE schemaname LIKE '%\\_views' AND definition LIKE '%app.organization_id%'`,
  );
  expect(rows.length).toBeGreaterThan(15);
  for (const { name, narrowed } of rows) expect({ name, narrowed }).toEqual({ name, narrowed: !(name in whole) });
});

interface World {
  principal: Principal;
  /** The same tenant with a key that is restricted to the client. */
  narrowed: Principal;
  mine: string;
  theirs: string;
}

async function restrictedKey(tenant: Principal, clientIds: string[], teamIds: string[] = []): Promise<Principal> {
  const { organizationId, environment } = tenant;
  const restrictedTo = { clientIds, teamIds };
  return (await insertApiKey(admin, { organizationId, environment, restrictedTo })).principal;
}

async function newWorld(): Promise<World> {
  const { principal } = await insertApiKey(admin);
  const [mine, theirs] = [await insertClient(admin, principal), await insertClient(admin, principal)];
  return { principal, narrowed: await restrictedKey(principal, [mine]), mine, theirs };
}

/** Records of a client, or of nobody, in the tables that name clients and in those that belong to their records. */
async function fill({ principal }: World, clientId: string | null): Promise<void> {
  const integrationId = await insertIntegration(admin, principal, { clientId });
  const incidentId = await insertIncident(admin, principal, { clientId });
  const alertId = await insertAlert(admin, principal, { clientId, incidentId, integrationId });
  const { organizationId, environment } = principal;
  const tenant = { organizationId, environment };
  const entry = { ...tenant, type: 'x', occurredAt: new Date(), actor: {}, cause: {}, changes: [] };
  await insertRows(admin, 'alerts.timeline', [{ id: newUuid(), alertId, ...entry, alertVersion: 1 }]);
  await insertRows(admin, 'alerts.incident_timeline', [{ id: newUuid(), incidentId, ...entry, incidentVersion: 1 }]);
  const received = { integrationId, outcome: 'opened', receivedAt: new Date() };
  await insertRows(admin, 'alerts.events', [{ id: newUuid(), ...tenant, ...received, alertId, event: {} }]);
  const windowId = await insertSuppressionWindow(admin, principal, { clientIds: clientId ? [clientId] : [] });
  await insertRows(admin, 'alerts.window_counts', [{ ...tenant, windowId, partition: 0, n: 3 }]);
  const limited = { limitedCount: 0 };
  await insertRows(admin, 'resources.integration_activity', [{ integrationId, ...tenant, ...limited }]);
  const sent = {
    channel: 'email',
    target: 'mira@example.com',
    destination: {},
    notice: {},
    stopWhen: [],
    why: '',
    status: 'sent',
    attempts: 1,
    createdAt: new Date(),
    updatedAt: new Date(),
  };
  for (const about of [
    { alertId, incidentId },
    { alertId: null, incidentId },
  ])
    await insertRows(admin, 'workflows.notifications', [{ id: newUuid(), ...tenant, ...about, ...sent }]);
}

const rowsOf = async (service: DatabaseService, principal: Principal, table: string): Promise<number> =>
  (await of(service).readAs(principal, (tx) => tx.query(`SELECT FROM ${table}`))).length;

/** [service, table, rows of a client, rows of the tenant with two clients, and one time for nobody] */
const tables: [DatabaseService, string, number, number][] = [
  ['resource-api', 'resources.clients', 1, 2],
  ['resource-api', 'resources.client_names', 1, 2],
  ['resource-api', 'resources.integrations', 1, 3],
  ['resource-api', 'resources.integration_activity', 1, 3],
  ['resource-api', 'resources.suppression_windows', 1, 3],
  ['resource-api', 'resources.schedules', 0, 1],
  ['resource-api', 'resources.workflows', 0, 1],
  ['resource-api', 'alerts_views.alerts', 1, 3],
  ['resource-api', 'alerts_views.timeline', 1, 3],
  ['resource-api', 'alerts_views.incidents', 1, 3],
  ['resource-api', 'alerts_views.incident_timeline', 1, 3],
  ['resource-api', 'alerts_views.counts', 0, 3],
  ['resource-api', 'alerts_views.window_counts', 1, 3],
  ['alert-pipeline', 'alerts.alerts', 1, 3],
  ['alert-pipeline', 'alerts.timeline', 1, 3],
  ['alert-pipeline', 'alerts.incidents', 1, 3],
  ['alert-pipeline', 'alerts.incident_timeline', 1, 3],
  ['alert-pipeline', 'alerts.events', 1, 3],
  ['alert-pipeline', 'resources_views.clients', 1, 2],
  ['workflow-engine', 'alerts_views.events', 1, 3],
  ['workflow-engine', 'workflows.notifications', 2, 6],
  ['workflow-engine', 'resources_views.workflows', 0, 1],
  ['workflow-engine', 'resources_views.schedules', 0, 1],
  ['auth', 'auth.api_keys', 1, 2],
  ['auth', 'resources_views.clients', 1, 2],
];

describe('a narrowed key', () => {
  let world: World;
  beforeAll(async () => {
    world = await newWorld();
    for (const clientId of [world.mine, world.theirs, null]) await fill(world, clientId);
    await insertSchedule(admin, world.principal);
    await insertWorkflow(admin, world.principal);
  });

  test.each(tables)('%s: sees of %s what belongs to its clients, and another key all', async (...row) => {
    const [service, table, narrow, wide] = row;
    expect(await rowsOf(service, world.narrowed, table)).toBe(narrow);
    expect(await rowsOf(service, world.principal, table)).toBe(wide);
  });

  test('sees nothing of clients when it is restricted to teams', async () => {
    const ofTeam = await restrictedKey(world.principal, [], [newUuid()]);
    for (const [service, table] of tables.filter(([, name]) => name !== 'auth.api_keys'))
      expect([table, await rowsOf(service, ofTeam, table)]).toEqual([table, 0]);
  });

  test('changes and deletes nothing else, and gives a record to nobody else', async () => {
    const { narrowed, theirs, principal } = world;
    const change = (sql: string, params: unknown[] = []) =>
      of('resource-api').writeAs(narrowed, (tx) => tx.query(`${sql} RETURNING id`, params));
    expect(await change(`UPDATE resources.integrations SET name = 'mine'`)).toHaveLength(1);
    const refusal = { code: 'INSUFFICIENT_SCOPE', message: expect.stringContaining('restricted to clients or teams') };
    for (const clientId of [theirs, null])
      await expect(change('UPDATE resources.integrations SET client_id = $1', [clientId])).rejects.toMatchObject(
        refusal,
      );
    for (const clientIds of [[theirs], [], [world.mine, theirs]])
      await expect(
        change('UPDATE resources.suppression_windows SET client_ids = $1', [clientIds]),
      ).rejects.toMatchObject(refusal);
    const { rows } = await admin.query(
      `SELECT count(*)::int AS n FROM resources.integrations WHERE organization_id = $1 AND name = 'mine'`,
      [principal.organizationId],
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  test('bookkeeping sees the whole tenant, and the work after it only its part again', async () => {
    const seen = await of('alert-pipeline').writeAs(world.narrowed, async (tx) => {
      const count = async () => (await tx.query('SELECT FROM alerts.alerts')).length;
      return [await count(), await tx.beyondNarrowing(count), await count()];
    });
    expect(seen).toEqual([1, 3, 1]);
  });

  test('is not valid in a service that does not know restrictions, or knows others', async () => {
    const { restrictedTo: _unknown, ...before } = world.narrowed;
    const wider = { ...before, restrictedTo: { clientIds: [world.mine, world.theirs], teamIds: [] } };
    for (const principal of [before, wider]) {
      await expect(of('resource-api').readAs(principal, (tx) => tx.query('SELECT 1'))).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
      });
      let ran = false;
      await expect(of('resource-api').writeAs(principal, async () => (ran = true))).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
      });
      expect(ran).toBe(false);
    }
  });
});

test('the database accepts no key that is restricted to nothing', async () => {
  const { principal } = await insertApiKey(admin);
  for (const values of [`'{}', '{}'`, `'{}', NULL`])
    await expect(
      admin.query(`UPDATE auth.api_keys SET (client_ids, team_ids) = (${values}) WHERE id = $1`, [principal.id]),
    ).rejects.toMatchObject({ code: '23514' });
});

test('the migration and those after it can be taken back and applied again', async () => {
  const fresh = await createDatabase();
  const source = new DataSource({ type: 'postgres', url: fresh.url });
  try {
    await migrate(fresh.url, testPasswords);
    await source.initialize();
    const runner = source.createQueryRunner();
    const these = migrations.slice(migrations.indexOf(MembersAndNarrowedKeys1700000012000)).map((one) => new one());
    const policies = async () =>
      (await runner.query(`SELECT FROM pg_policies WHERE policyname = 'narrowed'`)) as unknown[];
    const before = (await policies()).length;
    for (const migration of [...these].reverse()) await migration.down(runner);
    expect(await policies()).toEqual([]);
    for (const migration of these) await migration.up(runner);
    expect(await policies()).toHaveLength(before);
    await runner.release();
  } finally {
    await source.destroy();
    await fresh.drop();
  }
});
