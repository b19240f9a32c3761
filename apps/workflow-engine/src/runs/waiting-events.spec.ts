/** Events that are too much work for one organization wait for a turn of it, and delay no other. */
import { uuidOf } from '@ams/contracts';
import { eventually } from '@ams/testing';
import type pg from 'pg';
import { email, notify, startWorld, type Tenant, type TestWorld } from '../../testing/support.js';

let world: TestWorld;
let tenant: Tenant;
let managementUrl: string;

const page = notify([email('ops@example.com')]);
/** With an event that begins so many runs, the share of an organization in a batch is used up. */
const runsOfEvent = 70;

beforeAll(async () => {
  world = await startWorld();
}, 60_000);
afterAll(() => world?.stop());
beforeEach(async () => {
  tenant = await world.newTenant();
  await startReplica();
});
afterEach(() => world.stopReplicas());

async function startReplica(): Promise<void> {
  managementUrl = `http://127.0.0.1:${(await world.startReplica()).port}`;
}

async function waitingOf({ organizationId }: Tenant): Promise<number> {
  const found = await world.admin.query('SELECT FROM workflows.waiting_events WHERE organization_id = $1', [
    organizationId,
  ]);
  return found.rowCount ?? 0;
}

/** The organization has no turn until `release` is called, as if another replica had it. */
async function holdTurns({ organizationId }: Tenant): Promise<{ release: () => Promise<void> }> {
  const holder: pg.PoolClient = await world.admin.connect();
  await holder.query('BEGIN');
  await holder.query(`SELECT pg_advisory_xact_lock(hashtextextended('waiting events ' || $1, 0))`, [organizationId]);
  return {
    release: async () => {
      await holder.query('COMMIT');
      holder.release();
    },
  };
}

async function addWorkflows(event = 'alert.created'): Promise<void> {
  const later = { ...page, delaySeconds: 3600 };
  for (let n = 0; n < runsOfEvent; n++)
    await world.newWorkflow(tenant, [later], { name: `Later ${n}`, events: [event] });
}

/** The engine learns what an event of the tenant costs. */
async function learnCost(): Promise<void> {
  await addWorkflows();
  await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
  await eventually(async () => expect(await world.runsOf(tenant)).toHaveLength(runsOfEvent));
}

const newEvents = (count: number, team?: string): Promise<{ id: string }[]> =>
  Promise.all(
    Array.from({ length: count }, async () =>
      world.eventOf(tenant, 'alert.created', await world.newAlert(tenant, team ? { labels: { team } } : {})),
    ),
  );

test('a costly event waits for a turn of its own when another organization has little work', async () => {
  const neighbour = await world.newTenant();
  await world.newWorkflow(neighbour, [page]);
  await addWorkflows();
  const [first, second] = await newEvents(2);
  await world.publishEvent(neighbour, 'alert.created', await world.newAlert(neighbour));
  await eventually(async () => expect(await world.sentTo(neighbour)).toHaveLength(1));
  await world.publish(first!);
  await eventually(async () => expect(await world.runsOf(tenant)).toHaveLength(runsOfEvent));
  const turns = await holdTurns(tenant);
  await world.publish(second!);
  await eventually(async () => expect(await waitingOf(tenant)).toBe(1));
  expect(await world.runsOf(tenant)).toHaveLength(runsOfEvent);
  await turns.release();
  await eventually(async () => expect(await world.runsOf(tenant)).toHaveLength(2 * runsOfEvent));
  expect(await waitingOf(tenant)).toBe(0);
});

test('what is too much for one organization waits, another one is paged, and each run begins once', async () => {
  await learnCost();
  const turns = await holdTurns(tenant);
  const neighbour = await world.newTenant();
  await world.newWorkflow(neighbour, [page]);
  await world.publish(...(await newEvents(10)));
  await world.publishEvent(neighbour, 'alert.created', await world.newAlert(neighbour));
  await eventually(async () => expect(await world.sentTo(neighbour)).toHaveLength(1));
  await eventually(async () => expect(await waitingOf(tenant)).toBe(9));
  expect(await world.runsOf(tenant)).toHaveLength(2 * runsOfEvent);
  await eventually(async () => {
    const metrics = await (await fetch(`${managementUrl}/metrics`)).text();
    expect(metrics).toMatch(/^ams_workflow_waiting_events\S* 9$/m);
    expect(metrics).toMatch(/^ams_workflow_oldest_waiting_event_seconds\S* \d+\.\d/m);
  });
  await turns.release();
  await eventually(async () => expect(await waitingOf(tenant)).toBe(0));
  const runs = await world.runsOf(tenant);
  expect(runs).toHaveLength(11 * runsOfEvent);
  expect(await world.consideredOf(tenant)).toHaveLength(11);
});

test('what an event begins is counted also when events of its organization cost little before', async () => {
  await world.publish(...(await newEvents(5))); // without workflows
  await addWorkflows('alert.acknowledged');
  const turns = await holdTurns(tenant);
  const acknowledged = Array.from({ length: 10 }, async () =>
    world.eventOf(tenant, 'alert.acknowledged', await world.newAlert(tenant)),
  );
  await world.publish(...(await Promise.all(acknowledged)));
  await eventually(async () => expect(await waitingOf(tenant)).toBe(9));
  expect(await world.runsOf(tenant)).toHaveLength(runsOfEvent);
  await turns.release();
  await eventually(async () => expect(await world.runsOf(tenant)).toHaveLength(10 * runsOfEvent));
});

test('what comes after an event of its team waits behind it; a repeated message has no second effect', async () => {
  await learnCost();
  const turns = await holdTurns(tenant);
  const events = await newEvents(3, 'shop');
  await world.publish(...events);
  await eventually(async () => expect(await waitingOf(tenant)).toBe(2));
  const behind = await newEvents(1, 'shop');
  await world.publish(...behind);
  await world.publish(...events);
  await eventually(async () => expect(await waitingOf(tenant)).toBe(3));
  // Another team is not behind them.
  await world.publish(...(await newEvents(1, 'search')));
  await eventually(async () => expect(await world.consideredOf(tenant)).toHaveLength(3));
  await turns.release();
  await eventually(async () => expect(await waitingOf(tenant)).toBe(0));
  const runs = await world.runsOf(tenant);
  expect(runs).toHaveLength(6 * runsOfEvent);
  const { rows } = await world.admin.query<{ event_id: string }>(
    `SELECT event_id FROM workflows.runs WHERE organization_id = $1 GROUP BY event_id ORDER BY min(created_at)`,
    [tenant.organizationId],
  );
  const ofTeam = [...events, ...behind].map(({ id }) => uuidOf('timelineEntry', id));
  expect(rows.map(({ event_id }) => event_id).filter((id) => ofTeam.includes(id))).toEqual(ofTeam);
});

test('events that wait begin their runs after a restart', async () => {
  await learnCost();
  const turns = await holdTurns(tenant);
  await world.publish(...(await newEvents(4)));
  await eventually(async () => expect(await waitingOf(tenant)).toBe(3));
  await world.stopReplicas();
  await turns.release();
  expect(await waitingOf(tenant)).toBe(3);
  await startReplica();
  await eventually(async () => expect(await waitingOf(tenant)).toBe(0));
  expect(await world.runsOf(tenant)).toHaveLength(5 * runsOfEvent);
});

test('an event that is at fault is set aside, and those beside it begin their runs', async () => {
  await learnCost();
  const turns = await holdTurns(tenant);
  const events = await newEvents(5);
  await world.publish(...events);
  await eventually(async () => expect(await waitingOf(tenant)).toBe(4));
  const bad = uuidOf('timelineEntry', events[2]?.id ?? '') as string;
  await world.admin.query(`
    CREATE FUNCTION workflows.fail() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'a test' USING ERRCODE = '22001'; END $$;
    CREATE TRIGGER fail BEFORE INSERT ON workflows.considered FOR EACH ROW
      WHEN (NEW.event_id = '${bad}') EXECUTE FUNCTION workflows.fail()`);
  try {
    await turns.release();
    await eventually(async () => expect(await waitingOf(tenant)).toBe(0));
  } finally {
    await world.admin.query('DROP FUNCTION workflows.fail CASCADE');
  }
  const { rows } = await world.admin.query<{ id: string; payload: string }>(
    'SELECT id, payload FROM workflows.set_aside WHERE organization_id = $1',
    [tenant.organizationId],
  );
  expect(rows).toEqual([{ id: bad, payload: JSON.stringify({ events: [events[2]] }) }]);
  expect(await world.runsOf(tenant)).toHaveLength(5 * runsOfEvent);
});

test('an event whose alert the database does not have waits for it', async () => {
  await learnCost();
  const turns = await holdTurns(tenant);
  const alertId = await world.newAlert(tenant);
  await world.publish(...(await newEvents(1)), await world.eventOf(tenant, 'alert.created', alertId));
  await eventually(async () => expect(await waitingOf(tenant)).toBe(1));
  const { rows } = await world.admin.query<{ row: object }>(
    'DELETE FROM alerts.alerts a WHERE id = $1 RETURNING to_json(a) AS row',
    [alertId],
  );
  await world.publish(...(await newEvents(1)));
  await turns.release();
  await eventually(async () => expect(await world.consideredOf(tenant)).toHaveLength(3));
  expect(await waitingOf(tenant)).toBe(1);
  await world.admin.query('INSERT INTO alerts.alerts SELECT (json_populate_record(NULL::alerts.alerts, $1)).*', [
    rows[0]?.row,
  ]);
  await eventually(async () => expect(await waitingOf(tenant)).toBe(0));
  expect(await world.runsOf(tenant)).toHaveLength(4 * runsOfEvent);
});
