/** The table of kinds of an export (`organizations export`) is compared with the database. */
import { createTestDatabase, provideTestInfrastructure, type MigratedDatabase } from '@ams/testing';
// eslint-disable-next-line @nx/enforce-module-boundaries -- a tool of the workspace, not a library
import { dataKeyKind, kinds, notExported } from '../../../tools/admin/organization-files/kinds.mjs';

let stopServers: () => Promise<void>;
let database: MigratedDatabase;
let stored: Map<string, Column>;

interface Column {
  table: string;
  columns: string[];
  partitioned: boolean;
}

beforeAll(async () => {
  stopServers = await provideTestInfrastructure();
  database = await createTestDatabase();
  const { rows } = await database.admin.query<Column>(
    `SELECT n.nspname || '.' || c.relname AS table, c.relkind = 'p' AS partitioned,
       array_agg(a.attname::text ORDER BY a.attname) AS columns
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE n.nspname IN ('auth', 'resources', 'alerts', 'workflows') AND c.relkind IN ('r', 'p')
       AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped GROUP BY 1, 2`,
  );
  stored = new Map(rows.map((row) => [row.table, row]));
});

afterAll(async () => {
  await database?.drop();
  await stopServers?.();
});

test('has every table, or says why not: a new table must be in kinds.mjs', () => {
  const listed = [...kinds.map(({ table }) => table), dataKeyKind.table, ...Object.keys(notExported)];
  expect(listed.toSorted()).toEqual([...stored.keys()].sort());
});

test('has every column, or says why not: a new column must be in kinds.mjs', () => {
  for (const { kind, table, columns, leftOut = {} } of kinds)
    expect({ kind, columns: [...columns, ...Object.keys(leftOut)].sort() }).toEqual({
      kind,
      columns: stored.get(table)?.columns,
    });
});

test('knows which tables have months', () => {
  for (const { kind, table, monthly } of kinds)
    expect({ kind, monthly: monthly !== undefined }).toEqual({ kind, monthly: stored.get(table)?.partitioned });
});

test('checks what is unique over all organizations', async () => {
  const { rows } = await database.admin.query<{ table: string; column: string }>(
    `SELECT i.indrelid::regclass::text AS table, a.attname AS column FROM pg_index i
     JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
     WHERE i.indisunique AND i.indnkeyatts = 1 AND a.attname <> 'organization_id'
       AND i.indrelid = ANY($1::regclass[]) ORDER BY 1, 2`,
    [kinds.map(({ table }) => table)],
  );
  const checked = kinds.flatMap(({ table, global = [] }) => global.map(({ column }) => `${table} ${column}`));
  // One for each record of the organization.
  const ofRecords = ['resources.calendar_feeds schedule_id', 'resources.integration_activity integration_id'];
  expect(rows.map(({ table, column }) => `${table} ${column}`).filter((name) => !ofRecords.includes(name))).toEqual(
    checked.sort(),
  );
});

test('has a record after those to which it refers', async () => {
  const { rows } = await database.admin.query<{ child: string; parent: string; column: string }>(
    `SELECT c.conrelid::regclass::text AS child, c.confrelid::regclass::text AS parent, a.attname AS column
     FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
     WHERE c.contype = 'f' AND c.conrelid = ANY($1::regclass[])`,
    [kinds.map(({ table }) => table)],
  );
  const place = new Map(kinds.map(({ table }, i) => [table, i]));
  for (const { child, parent, column } of rows) {
    const kind = kinds.find(({ table }) => table === child)!;
    if (kind.leftOut?.[column] === undefined && kind.later !== column)
      expect(`${child} ${place.get(child)! > place.get(parent)!}`).toBe(`${child} true`);
  }
});
