import { newUuid } from '@ams/contracts';
import { eventually } from '@ams/testing';
import { startWorld, type Tenant, type TestWorld } from '../testing/support.js';

let world: TestWorld;
let tenant: Tenant;

beforeAll(async () => {
  world = await startWorld();
  await world.startReplica();
  tenant = await world.newTenant();
});
afterAll(() => world.stop());

const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);

async function newRun(finishedAt: Date | null): Promise<string> {
  const id = newUuid();
  await world.admin.query(
    `INSERT INTO workflows.runs (id, organization_id, environment, workflow_id, workflow_name, workflow_version,
       event_id, event_type, occurred_at, depth, status, trace, steps, previous_done_at,
       created_at, finished_at, due_at)
     VALUES ($1, $2, 'live', $3, 'x', 1, $4, 'alert.created', $5, 0, $6, '{}', '[]', $5, $5, $7, $8)`,
    [
      id,
      tenant.organizationId,
      newUuid(),
      newUuid(),
      daysAgo(200),
      finishedAt ? 'completed' : 'waiting',
      finishedAt,
      finishedAt ? null : daysAgo(-1),
    ],
  );
  return id;
}

async function newNotification(days: number, status: string): Promise<string> {
  const id = newUuid(daysAgo(days).getTime());
  await world.admin.query(
    `INSERT INTO workflows.notifications (id, organization_id, environment, channel, target, destination, notice,
       stop_when, why, status, created_at, updated_at, next_attempt_at)
     VALUES ($1, $2, 'live', 'email', 'x', '{}', '{}', '{}', '', $3, $4, $4, $5)`,
    [id, tenant.organizationId, status, daysAgo(days), status === 'queued' ? daysAgo(-1) : null],
  );
  return id;
}

async function newConsidered(days: number): Promise<string> {
  const id = newUuid(daysAgo(days).getTime());
  await world.admin.query(
    `INSERT INTO workflows.considered (event_id, organization_id, environment, event_type, occurred_at, workflows)
     VALUES ($1, $2, 'live', 'x', $3, '[]')`,
    [id, tenant.organizationId, daysAgo(days)],
  );
  return id;
}

const monthOf = (date: Date): string => date.toISOString().slice(0, 7).replace('-', '');
const exists = async (table: string): Promise<boolean> =>
  (await world.admin.query<{ name: string | null }>('SELECT to_regclass($1) AS name', [`workflows.${table}`])).rows[0]
    ?.name !== null;

test('ended runs and notifications are deleted after RUN_DAYS, waiting ones are kept', async () => {
  await world.admin.query(`SELECT public.ensure_partitions('workflows.notifications', now() - interval '200 days', 8)`);
  await newNotification(120, 'sent');
  const queuedLongAgo = await newNotification(200, 'queued');
  await newRun(daysAgo(31));
  await newNotification(31, 'sent');
  await newConsidered(31);
  const runs = [await newRun(daysAgo(29)), await newRun(null)];
  const notifications = [queuedLongAgo, await newNotification(29, 'sent'), await newNotification(31, 'queued')];
  const considered = await newConsidered(29);
  await world.startReplica({ RUN_DAYS: '30' });
  await eventually(async () => {
    expect((await world.runsOf(tenant)).map(({ id }) => id).toSorted()).toEqual(runs.toSorted());
    expect((await world.notificationsOf(tenant)).map(({ id }) => id).toSorted()).toEqual(notifications.toSorted());
    expect((await world.consideredOf(tenant)).map(({ event_id: id }) => id)).toEqual([considered]);
  });
  // Months without rows go, too: by the next round, or here by a start.
  await world.startReplica({ RUN_DAYS: '30' });
  await eventually(async () => expect(await exists(`notifications_${monthOf(daysAgo(120))}`)).toBe(false));
  expect(await exists(`notifications_${monthOf(daysAgo(200))}`)).toBe(true);
  expect(await exists(`notifications_${monthOf(daysAgo(29))}`)).toBe(true);
});

test('the tables have partitions for the next months', async () => {
  const month = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 2, 1))
    .toISOString()
    .slice(0, 7)
    .replace('-', '');
  for (const table of ['considered', 'notifications'])
    expect((await world.admin.query(`SELECT to_regclass('workflows.${table}_${month}') AS name`)).rows).toEqual([
      { name: `workflows.${table}_${month}` },
    ]);
});
