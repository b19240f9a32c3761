/** Runs that wait are woken by events, whatever other runs are doing at the time. */
import { eventually } from '@ams/testing';
import { email, notify, outcomes, startWorld, type Tenant, type TestWorld } from '../../testing/support.js';

let world: TestWorld;
let tenant: Tenant;

beforeAll(async () => {
  world = await startWorld();
  tenant = await world.newTenant();
});
afterAll(() => world.stop());

const escalation = notify([email('second@example.com')], { delaySeconds: 3600, unless: ['acknowledged'] });

test('an event wakes the runs that nobody has locked at once, and the others when they are free', async () => {
  await world.newWorkflow(tenant, [escalation]);
  await world.startReplica();
  const alerts: string[] = [];
  for (let i = 0; i < 6; i++) alerts.push(await world.newAlert(tenant));
  await world.publish(...(await Promise.all(alerts.map((id) => world.eventOf(tenant, 'alert.created', id)))));
  await eventually(async () =>
    expect((await world.runsOf(tenant)).map(({ status }) => status)).toEqual(Array(6).fill('waiting')),
  );
  const ids = (await world.runsOf(tenant)).map(({ id }) => id).sort();
  const done = async (): Promise<string[]> =>
    (await world.runsOf(tenant)).filter(({ status }) => status === 'completed').map(({ id }) => id);
  const other = await world.admin.connect();
  try {
    await other.query('BEGIN');
    // The first one: locks are taken in the order of the ids.
    await other.query('SELECT FROM workflows.runs WHERE id = $1 FOR UPDATE', [ids[0]]);
    for (const alertId of alerts) await world.setStatus({ alertId, status: 'acknowledged' });
    await world.publish(...(await Promise.all(alerts.map((id) => world.eventOf(tenant, 'alert.acknowledged', id)))));
    await eventually(async () => expect((await done()).sort()).toEqual(ids.slice(1)));
    await other.query('COMMIT');
  } finally {
    other.release();
  }
  await eventually(async () => expect(await done()).toHaveLength(6));
  expect((await world.runsOf(tenant)).flatMap(outcomes)).toEqual(Array(6).fill('page skipped acknowledged'));
});
