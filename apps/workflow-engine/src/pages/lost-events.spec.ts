/** A look for lost events compares a limited number of entries of the timelines, and several looks all of a day. */
import { newUuid } from '@ams/contracts';
import { Database } from '@ams/database';
import type { Seen } from '@ams/domain';
import { testPaging } from '../../testing/paging.js';
import { startWorld, type Tenant, type TestWorld } from '../../testing/support.js';
import { findLostEvents } from './lost-events.js';

let world: TestWorld;
let database: Database;
let tenant: Tenant;
const paging = testPaging(() => world);
const minute = 60_000;

beforeAll(async () => {
  world = await startWorld();
  database = await Database.open({ service: 'workflow-engine', url: world.databaseUrl, poolSize: 1 });
  tenant = await world.newTenant();
});
afterAll(async () => {
  await database?.close();
  await world?.stop();
});

/** An entry that nothing was decided about, received so many minutes ago. Returns its UUID. */
async function entry(minutesAgo: number): Promise<string> {
  const { alertId } = await paging.fire(tenant);
  const at = Date.now() - minutesAgo * minute;
  const id = newUuid(at);
  await world.admin.query('UPDATE alerts.timeline SET id = $1, occurred_at = $2 WHERE alert_id = $3', [
    id,
    new Date(at),
    alertId,
  ]);
  return id;
}

test('a look finds the newest entries, what the last one has found, and the next part of the day', async () => {
  const older: string[] = [];
  for (const minutesAgo of [50, 40, 30, 20]) older.push(await entry(minutesAgo));
  const newest = await entry(1);
  const tooOld = await entry(26 * 60);
  const since = new Date(Date.now() - 100 * 60 * minute);
  let seen: Seen = {};
  let checkedTo: string | null = null;
  let now = Date.now();
  const look = async (): Promise<{ seen: string[]; missing: string[] }> => {
    const found = await database.asService((tx) =>
      findLostEvents(tx, { seen, since, checkedTo, now: new Date(now).toISOString() }, { newest: 10, older: 2 }),
    );
    now += 20_000;
    seen = found.seen ?? {};
    checkedTo = found.checkedTo ?? null;
    return { seen: Object.keys(seen).sort(), missing: found.missing.map(({ event_id }) => event_id).sort() };
  };

  expect(await look()).toEqual({ seen: [...older.slice(0, 2), newest].sort(), missing: [] });
  expect(checkedTo).toBe(older[1]);
  // What was received long ago is missing when it is found the second time.
  expect(await look()).toEqual({ seen: [...older, newest].sort(), missing: [...older.slice(0, 2), newest].sort() });
  expect(await look()).toMatchObject({ missing: [...older, newest].sort() });
  expect(checkedTo).toBeNull();
  expect(await look()).toEqual({ seen: [...older, newest].sort(), missing: [...older, newest].sort() });
  expect(checkedTo).toBe(older[1]);
  expect(Object.keys(seen)).not.toContain(tooOld);
});

test('of very many new entries each look compares the newest ones, and the others come in their turn', async () => {
  const some: string[] = [];
  for (const minutesAgo of [5, 4, 3, 2]) some.push(await entry(minutesAgo));
  const since = new Date(Date.now() - 100 * 60 * minute);
  const ids = new Set<string>();
  let checkedTo: string | null = null;
  for (let looks = 0; looks < 6; looks++) {
    const found = await database.asService((tx) =>
      findLostEvents(tx, { seen: {}, since, checkedTo, now: new Date().toISOString() }, { newest: 1, older: 2 }),
    );
    checkedTo = found.checkedTo ?? null;
    for (const id of Object.keys(found.seen ?? {})) ids.add(id);
  }
  expect(some.filter((id) => !ids.has(id))).toEqual([]);
});
