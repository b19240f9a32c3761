/** The runs of a team that are due at the same time share their statements, and nothing else. */
import { eventually } from '@ams/testing';
import {
  email,
  notify,
  outcomes,
  startWorld,
  type RunFound,
  type Tenant,
  type TestWorld,
} from '../../testing/support.js';

let world: TestWorld;
let tenant: Tenant;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

beforeEach(async () => {
  tenant = await world.newTenant();
});
afterEach(() => world.stopReplicas());

const page = notify([email('ops@example.com')]);

/** Publishes an event of each of so many new alerts. Their runs begin together when a replica starts. */
async function publishAlerts(count: number): Promise<void> {
  const events = [];
  for (let i = 0; i < count; i++)
    events.push(await world.eventOf(tenant, 'alert.created', await world.newAlert(tenant)));
  await world.publish(...events);
}

const having = (runs: readonly RunFound[], status: RunFound['status']): RunFound[] =>
  runs.filter((run) => run.status === status);

test('forty runs create their notifications and write their results with few statements', async () => {
  await world.admin.query(`
    CREATE SEQUENCE workflows.inserts;
    CREATE SEQUENCE workflows.updates;
    GRANT USAGE ON SEQUENCE workflows.inserts, workflows.updates TO PUBLIC;
    CREATE FUNCTION workflows.counted() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM nextval(TG_ARGV[0]); RETURN NULL; END $$;
    CREATE TRIGGER counted AFTER INSERT ON workflows.notifications
      FOR EACH STATEMENT EXECUTE FUNCTION workflows.counted('workflows.inserts');
    CREATE TRIGGER counted AFTER UPDATE ON workflows.runs
      FOR EACH STATEMENT EXECUTE FUNCTION workflows.counted('workflows.updates')`);
  await world.newWorkflow(tenant, [page]);
  await publishAlerts(40);
  await world.startReplica();
  await eventually(async () => expect(having(await world.runsOf(tenant), 'completed')).toHaveLength(40));
  await eventually(async () => expect(await world.sentTo(tenant)).toHaveLength(40));
  const { rows } = await world.admin.query<{ inserts: number; updates: number }>(
    `SELECT (SELECT last_value::int FROM workflows.inserts) AS inserts,
       (SELECT last_value::int FROM workflows.updates) AS updates`,
  );
  await world.admin.query(`
    DROP TRIGGER counted ON workflows.notifications;
    DROP TRIGGER counted ON workflows.runs`);
  expect(rows[0]?.inserts).toBeLessThan(20);
  expect(rows[0]?.updates).toBeLessThan(20);
});

test('one that fails leaves the others as they are', async () => {
  const schedule = await world.newSchedule(tenant, [await world.newMember(tenant)]);
  await world.newWorkflow(tenant, [page], { name: 'Good' });
  const broken = await world.newWorkflow(tenant, [notify([{ type: 'schedule', id: schedule }])], { name: 'Broken' });
  await world.admin.query(`UPDATE resources.schedules SET layers = '{}' WHERE organization_id = $1`, [
    tenant.organizationId,
  ]);
  await publishAlerts(10);
  await world.startReplica();
  await eventually(async () => expect(having(await world.runsOf(tenant), 'completed')).toHaveLength(10));
  await eventually(async () => expect(await world.sentTo(tenant)).toHaveLength(10));
  await eventually(async () => expect(await world.failedJobs()).toBe(10));
  const running = having(await world.runsOf(tenant), 'running');
  expect(running.map(({ workflow_id: id, results }) => [id, results])).toEqual(Array(10).fill([broken, []]));
  await world.admin.query('DELETE FROM workflow_jobs._private_jobs');
});

test('one that another transaction has locked delays no other', async () => {
  await world.newWorkflow(tenant, [{ ...page, delaySeconds: 3600 }]);
  await world.startReplica();
  await publishAlerts(10);
  await eventually(async () => expect(having(await world.runsOf(tenant), 'waiting')).toHaveLength(10));
  await world.stopReplicas();
  await world.admin.query(`
    UPDATE workflows.runs SET previous_done_at = previous_done_at - interval '1 hour';
    UPDATE workflow_jobs._private_jobs SET run_at = now()`);
  const [locked] = await world.runsOf(tenant);
  const other = await world.admin.connect();
  try {
    await other.query('BEGIN');
    await other.query('SELECT FROM workflows.runs WHERE id = $1 FOR UPDATE', [locked?.id]);
    await world.startReplica();
    await eventually(async () => expect(having(await world.runsOf(tenant), 'completed')).toHaveLength(9));
    await other.query('COMMIT');
  } finally {
    other.release();
  }
  await eventually(async () =>
    expect((await world.runsOf(tenant)).map(outcomes)).toEqual(Array(10).fill(['page done'])),
  );
  expect(await world.notificationsOf(tenant)).toHaveLength(10);
});
