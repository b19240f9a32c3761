/**
 * The privileges of the service roles in the migrated database: all they need in their own schema, and only views of
 * other services, which show a principal its own tenant.
 */
import { newUuid } from '@ams/contracts';
import { createDatabase, testPasswords, type TestDatabase } from '@ams/testing';
import pg from 'pg';
import { migrate } from './migrate.js';
import { serviceRoles, type DatabaseService } from './roles.js';

const ownSchema: Record<DatabaseService, string> = {
  auth: 'auth',
  'resource-api': 'resources',
  'alert-pipeline': 'alerts',
  'workflow-engine': 'workflows',
};
const roles = (Object.entries(serviceRoles) as [DatabaseService, string][]).flatMap(([service, role]) => [
  { role, schema: ownSchema[service] },
  { role: `${role}_principal`, schema: ownSchema[service] },
]);

interface Tenant {
  organizationId: string;
  environment: string;
}
const organizationId = newUuid();
const tenants: Tenant[] = [
  { organizationId, environment: 'live' },
  { organizationId, environment: 'test' },
  { organizationId: newUuid(), environment: 'live' },
];

let own: TestDatabase;
let admin: pg.Pool;

beforeAll(async () => {
  own = await createDatabase();
  await migrate(own.url, testPasswords);
  admin = new pg.Pool({ connectionString: own.url });
});

afterAll(async () => {
  await admin?.end();
  await own?.drop();
});

test.each(roles)('$role has privileges in $schema, and elsewhere reads only views', async ({ role, schema }) => {
  const { rows } = await admin.query<{ name: string; kind: string; rights: string[] }>(
    `SELECT c.oid::regclass::text AS name, c.relkind AS kind, array_agg(r ORDER BY r) AS rights
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace,
       unnest('{SELECT,INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER,MAINTAIN}'::text[]) AS r
     WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema', $2)
       AND (has_table_privilege($1, c.oid, r)
         OR (r IN ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES') AND has_any_column_privilege($1, c.oid, r)))
     GROUP BY c.oid, c.relkind`,
    [role, schema],
  );
  expect(rows.filter(({ name, kind }) => kind !== 'v' || !/^\w+_views\./.test(name))).toEqual([]);
  for (const { name, rights } of rows) expect({ name, rights }).toEqual({ name, rights: ['SELECT'] });
});

test.each(roles)(
  '$role has usage on $schema, on schemas of views, and on auth for its functions',
  async ({ role, schema }) => {
    const { rows } = await admin.query<{ nspname: string }>(
      `SELECT nspname FROM pg_namespace WHERE has_schema_privilege($1, nspname, 'USAGE')
       AND nspname NOT IN ('pg_catalog', 'information_schema', 'public') AND nspname NOT LIKE '%\\_views' ORDER BY 1`,
      [role],
    );
    expect(rows.map(({ nspname }) => nspname)).toEqual([...new Set(['auth', schema])].sort());
  },
);

test('every policy on a table is for the owning service', async () => {
  const { rows } = await admin.query<{ schema: string; named: string[] }>(
    `SELECT schemaname AS schema, array(SELECT r::text FROM unnest(roles) AS r WHERE r LIKE 'ams\\_%') AS named
     FROM pg_policies`,
  );
  expect(rows.length).toBeGreaterThan(20);
  for (const { schema, named } of rows) {
    const owners = roles.filter((role) => role.schema === schema).map(({ role }) => role);
    expect(owners).toEqual(expect.arrayContaining(named));
  }
});

describe('views', () => {
  let views: { view: string; columns: string[] }[];

  beforeAll(async () => {
    const { rows } = await admin.query<{ view: string; columns: string[] }>(
      `SELECT c.oid::regclass::text AS view, array_agg(a.attname::text) AS columns
       FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
       WHERE c.relkind = 'v' AND c.relnamespace::regnamespace::text LIKE '%\\_views' GROUP BY c.oid ORDER BY 1`,
    );
    views = rows;
    await addRows(views.map(({ view }) => view.replace('_views.', '.')));
  });

  test.each(roles)('show $role its permitted rows only, without a predicate', async ({ role }) => {
    for (const { view, columns } of views) {
      if (!(await mayRead(role, view))) continue;
      if (withoutTenant.includes(view)) {
        expect({ view, isForPrincipals: role.endsWith('_principal') }).toEqual({ view, isForPrincipals: false });
        continue;
      }
      const ofEnvironment = columns.includes('environment');
      const seenBy = (tenant: Tenant | null): Promise<string[]> =>
        tenantsSeen(role, tenant, view, columns.includes('organization_id') ? 'organization_id' : 'id', ofEnvironment);
      const nameOf = (tenant: Tenant): string =>
        ofEnvironment ? `${tenant.organizationId} ${tenant.environment}` : tenant.organizationId;
      if (role.endsWith('_principal')) {
        expect({ view, seen: await seenBy(null) }).toEqual({ view, seen: [] });
        for (const tenant of tenants)
          expect({ view, seen: await seenBy(tenant) }).toEqual({ view, seen: [nameOf(tenant)] });
      } else {
        const all = [...new Set(tenants.map(nameOf))].sort();
        expect({ view, seen: await seenBy(null) }).toEqual({ view, seen: all });
      }
    }
  });

  test('exist, and at least one service reads each', async () => {
    expect(views.length).toBeGreaterThan(15);
    const read: string[] = [];
    for (const { view } of views)
      for (const { role } of roles) if (await mayRead(role, view)) read.push(`${role} ${view}`);
    expect(read.length).toBeGreaterThan(50);
  });

  const mayRead = async (role: string, view: string): Promise<boolean> => {
    const { rows } = await admin.query<{ may: boolean }>("SELECT has_table_privilege($1, $2, 'SELECT') AS may", [
      role,
      view,
    ]);
    return rows[0]?.may === true;
  };

  async function tenantsSeen(
    role: string,
    tenant: Tenant | null,
    view: string,
    organization: string,
    ofEnvironment: boolean,
  ): Promise<string[]> {
    const client = await admin.connect();
    try {
      await client.query(`BEGIN; SET LOCAL ROLE ${role}`);
      for (const [name, value] of [
        ['app.organization_id', tenant?.organizationId],
        ['app.environment', tenant?.environment],
      ])
        await client.query('SELECT set_config($1, $2, true)', [name, value ?? '']);
      const { rows } = await client.query<{ name: string }>(
        `SELECT DISTINCT ${organization}${ofEnvironment ? " || ' ' || environment" : '::text'} AS name FROM ${view}`,
      );
      return rows.map(({ name }) => name).sort();
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }
});

/** Views of records that belong to no tenant. Roles of principals must not read them. */
const withoutTenant = ['workflows_views.processed_messages'];

/** By type, for columns that require a value; $1 is a small number. */
const valueOf: Record<string, string> = {
  bytea: "sha256('$1')",
  uuid: 'gen_random_uuid()',
  text: 'gen_random_uuid()::text',
  environment: "'live'",
  bool: 'true',
  int2: '$1',
  int4: '$1',
  int8: '$1',
  date: "'2026-01-01'",
  timestamptz: "'2026-01-01T00:00:00Z'",
  jsonb: "'{}'",
  _text: "'{alert.created}'",
  _uuid: "'{}'",
};

/** Values that the checks of the tables require. */
const checked: Record<string, string> = {
  role: "'owner'",
  status: "'active'",
  fingerprint_source: "'explicit'",
  dedup_scope: "'organization'",
  layer_mode: "'last'",
  on_end: "'resume'",
  starts_at: "'2025-01-01T00:00:00Z'",
};
const checkedIn: Record<string, Record<string, string>> = {
  'alerts.alerts': { status: "'firing'" },
  'alerts.incidents': { status: "'triggered'" },
  'resources.suppression_windows': { ends_at: "'2026-01-01T00:00:00Z'" },
  'resources.workflow_references': { member_id: 'gen_random_uuid()' },
  'resources.policy_references': { member_id: 'gen_random_uuid()' },
  'resources.team_members': { role: "'responder'" },
  'auth.push_devices': { subscription: "'sealed'" },
  'auth.mail_recipients': { kind: "'address'", status: "'pending'" },
  'workflows.runs': { status: "'running'" },
};

/** One row in each table for each tenant. Foreign keys are disabled, because the referenced rows do not exist. */
async function addRows(tables: string[]): Promise<void> {
  const client = await admin.connect();
  try {
    await client.query("BEGIN; SET LOCAL session_replication_role = 'replica'");
    for (const table of tables) {
      const { rows: columns } = await client.query<{ name: string; type: string; required: boolean }>(
        `SELECT attname AS name, typname AS type, attnotnull AND NOT atthasdef AS required
         FROM pg_attribute JOIN pg_type t ON t.oid = atttypid WHERE attrelid = $1::regclass AND attnum > 0`,
        [table],
      );
      const special = checkedIn[table] ?? {};
      const filled = columns.filter(({ name, required }) => required || name in special);
      for (const [index, tenant] of tenants.entries()) {
        const given: Record<string, string> = {
          ...checked,
          ...special,
          [table === 'auth.organizations' ? 'id' : 'organization_id']: `'${tenant.organizationId}'`,
          environment: `'${tenant.environment}'`,
        };
        const values = filled.map(({ name, type }) => given[name] ?? valueOf[type]?.replace('$1', String(index + 1)));
        // An organization with two tenants has one row.
        await client.query(
          `INSERT INTO ${table} (${filled.map(({ name }) => name).join(', ')}) VALUES (${values.join(', ')})
           ON CONFLICT DO NOTHING`,
        );
      }
    }
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}
