import { channels, notificationStatuses } from '@ams/contracts';
import { createTestDatabase, schemaDifference, type MigratedDatabase } from '@ams/testing';
import { entities } from './entities.js';

let database: MigratedDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('the entities and the migrated tables agree', async () => {
  expect(await schemaDifference(database.url, entities)).toEqual([]);
});

/** Nothing is open: an index of what is open has one page then, and a plan that is kept would read all of it later. */
test.each([
  ['runs', `status IN ('running', 'waiting')`],
  ['notifications', `status = 'queued'`],
  ['page_requests', 'outcome IS NULL'],
])('a row of %s is found by its id also by a plan from the time when nothing was open', async (table, isOpen) => {
  const { rows } = await database.admin.query<Record<string, string>>(
    `EXPLAIN (GENERIC_PLAN) SELECT FROM workflows.${table} WHERE id = $1 AND ${isOpen}`,
  );
  const indexes = rows.flatMap((row) => /Scan using (\S+)/.exec(row['QUERY PLAN'] ?? '')?.[1] ?? []);
  expect(indexes).not.toEqual([]);
  expect(indexes.filter((name) => !name.endsWith('_pkey'))).toEqual([]);
});

/** TypeORM compares checks by their names only. */
test.each([
  ['notifications_channel_check', channels],
  ['notifications_status_check', notificationStatuses],
])('%s allows what the contracts say', async (name, values) => {
  const { rows } = await database.admin.query<{ definition: string }>(
    `SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE conname = $1 AND conrelid = 'workflows.notifications'::regclass`,
    [name],
  );
  const allowed = [...(rows[0]?.definition ?? '').matchAll(/'(\w+)'::text/g)].map(([, value]) => value);
  expect(allowed.toSorted()).toEqual([...values].toSorted());
});
