import { newUuid } from '@ams/contracts';
import { eventually } from '@ams/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { email, notify, outcomes, startWorld, type Tenant, type TestWorld } from '../../testing/support.js';

let world: TestWorld;
let tenant: Tenant;

beforeAll(async () => {
  world = await startWorld({ durable: true });
});
afterAll(() => world.stop());

beforeEach(async () => {
  tenant = await world.newTenant();
  await world.startReplica();
});
afterEach(() => world.stopReplicas());

const page = notify([email('ops@example.com')]);

/** Begins a run that has paged once and pages again after an hour (see `letDelayPass`). Returns its alert. */
async function escalating(): Promise<string> {
  await world.newWorkflow(tenant, [page, { ...page, id: 'escalate', delaySeconds: 3600, unless: ['acknowledged'] }]);
  const alertId = await world.newAlert(tenant);
  await world.publishEvent(tenant, 'alert.created', alertId);
  await world.run(tenant, 'waiting');
  // The result of the sending must be stored: a replica that dies before that sends the page again with the same id.
  await eventually(async () =>
    expect((await world.notificationsOf(tenant)).map(({ status }) => status)).toEqual(['sent']),
  );
  return alertId;
}

/** Moves all waiting runs an hour into the past. */
async function letDelayPass(): Promise<void> {
  await world.admin.query(
    `UPDATE workflows.runs SET previous_done_at = previous_done_at - interval '1 hour', due_at = now()
     WHERE status = 'waiting'`,
  );
  await world.admin.query('UPDATE workflow_jobs._private_jobs SET run_at = now() WHERE run_at > now()');
}

/** Expects that the run has paged twice, and not too early the second time. */
async function hasEscalated(): Promise<void> {
  expect(outcomes(await world.run(tenant, 'completed'))).toEqual(['page done', 'escalate done']);
  await eventually(async () =>
    expect((await world.notificationsOf(tenant)).map(({ status }) => status)).toEqual(['sent', 'sent']),
  );
  expect(await world.sentTo(tenant)).toHaveLength(2);
}

test('a delay continues over a restart of the service', async () => {
  await escalating();
  await world.stopReplicas();
  await letDelayPass();
  await world.startReplica();
  await hasEscalated();
});

test('steps that were due while no replica ran are done later, except after an acknowledgement', async () => {
  await escalating();
  await world.stopReplicas();
  const other = tenant;
  tenant = await world.newTenant();
  await world.startReplica();
  const alertId = await escalating();
  await world.stopReplicas();
  await world.setStatus({ alertId, status: 'acknowledged' });
  await world.publishEvent(tenant, 'alert.acknowledged', alertId);
  await letDelayPass();
  await world.startReplica();
  expect(outcomes(await world.run(tenant, 'completed'))).toEqual(['page done', 'escalate skipped acknowledged']);
  tenant = other;
  await hasEscalated();
});

test('a job that a dead replica had begun is done once by another within seconds', async () => {
  // A dead replica leaves its jobs locked and writes no heartbeat.
  await escalating();
  const dead = `pool-${newUuid()}`;
  await eventually(async () => {
    await world.admin.query(
      `INSERT INTO workflows.replicas (id, seen_at) VALUES ($1, clock_timestamp())
       ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
      [dead],
    );
    const { rowCount } = await world.admin.query(
      `UPDATE workflow_jobs._private_jobs SET locked_by = $1, locked_at = now(), attempts = 1
       WHERE locked_by IS NULL
         AND key = 'advance:' || (SELECT id FROM workflows.runs WHERE organization_id = $2)`,
      [dead, tenant.organizationId],
    );
    expect(rowCount).toBe(1);
  });
  const died = Date.now();
  await letDelayPass();
  await hasEscalated();
  expect(Date.now() - died).toBeLessThan(120_000);
  await eventually(async () =>
    expect((await world.admin.query('SELECT FROM workflows.replicas WHERE id = $1', [dead])).rowCount).toBe(0),
  );
});

test('a replica tries again when the database fails while the replica starts', async () => {
  await world.stopReplicas();
  await world.admin.query('ALTER TABLE workflow_jobs._private_tasks RENAME TO renamed_tasks');
  await world.startReplica();
  await pause(1000);
  await world.admin.query('ALTER TABLE workflow_jobs.renamed_tasks RENAME TO _private_tasks');
  await world.newWorkflow(tenant, [page]);
  await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
  expect(outcomes(await world.run(tenant, 'completed'))).toEqual(['page done']);
});

test('a replica that stops leaves no job locked', async () => {
  await world.newWorkflow(tenant, [{ ...page, delaySeconds: 3 }]);
  await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
  await world.run(tenant, 'waiting');
  const { rowCount } = await world.admin.query(
    `UPDATE workflow_jobs._private_jobs SET locked_at = now(),
       locked_by = (SELECT id FROM workflows.replicas ORDER BY seen_at DESC LIMIT 1)
     WHERE run_at > now()`,
  );
  expect(rowCount).toBe(1);
  await world.stopReplicas();
  await world.startReplica();
  expect(outcomes(await world.run(tenant, 'completed'))).toEqual(['page done']);
});

test('a job that is locked for a replica that has not fetched it is done', async () => {
  await world.newWorkflow(tenant, [{ ...page, delaySeconds: 2 }]);
  await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
  await world.run(tenant, 'waiting');
  const { rowCount } = await world.admin.query(
    `UPDATE workflow_jobs._private_jobs SET locked_at = now() - interval '1 minute',
       locked_by = (SELECT id FROM workflows.replicas ORDER BY seen_at DESC LIMIT 1)
     WHERE run_at > now()`,
  );
  expect(rowCount).toBe(1);
  expect(outcomes(await world.run(tenant, 'completed'))).toEqual(['page done']);
});

test('a job that is locked for a replica that never wrote a heartbeat is done', async () => {
  await world.newWorkflow(tenant, [{ ...page, delaySeconds: 2 }]);
  await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
  await world.run(tenant, 'waiting');
  const { rowCount } = await world.admin.query(
    `UPDATE workflow_jobs._private_jobs SET locked_at = now() - interval '1 minute', locked_by = $1
     WHERE run_at > now()`,
    [`pool-${newUuid()}`],
  );
  expect(rowCount).toBe(1);
  expect(outcomes(await world.run(tenant, 'completed'))).toEqual(['page done']);
});

test('jobs are done after the database was killed again and again while jobs ended', async () => {
  await world.newWorkflow(tenant, [page]);
  const [rounds, events] = [2, 20];
  for (let round = 0; round < rounds; round++) {
    const alerts = await Promise.all(Array.from({ length: events }, () => world.newAlert(tenant)));
    const sentBefore = world.sent.length;
    await world.publish(...(await Promise.all(alerts.map((id) => world.eventOf(tenant, 'alert.created', id)))));
    await eventually(() => expect(world.sent.length).toBeGreaterThan(sentBefore + 2), { everyMs: 1 });
    await world.servers?.postgres.kill();
    await world.servers?.postgres.restart();
  }
  await eventually(async () =>
    expect((await world.notificationsOf(tenant)).filter(({ status }) => status === 'sent')).toHaveLength(
      rounds * events,
    ),
  );
});

test('jobs are done after the database was read-only for some seconds', async () => {
  await world.newWorkflow(tenant, [page]);
  const alerts = await Promise.all(Array.from({ length: 20 }, () => world.newAlert(tenant)));
  const sentBefore = world.sent.length;
  await world.publish(...(await Promise.all(alerts.map((id) => world.eventOf(tenant, 'alert.created', id)))));
  await eventually(() => expect(world.sent.length).toBeGreaterThan(sentBefore), { everyMs: 1 });
  await world.admin.query('ALTER SYSTEM SET default_transaction_read_only = on');
  await world.admin.query('SELECT pg_reload_conf()');
  await pause(12_000);
  await world.admin.query('ALTER SYSTEM RESET default_transaction_read_only');
  await world.admin.query('SELECT pg_reload_conf()');
  await eventually(async () =>
    expect((await world.notificationsOf(tenant)).filter(({ status }) => status === 'sent')).toHaveLength(20),
  );
});

test('a run whose replica died after it sent a command sends it again, and pages once', async () => {
  world.answerCommands(() => 'no reply');
  await world.newWorkflow(tenant, [{ id: 'resolve', type: 'resolve' }, page]);
  await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
  await eventually(async () =>
    expect(world.commands.filter(({ organizationId }) => organizationId === tenant.organizationId)).toHaveLength(1),
  );
  world.answerCommands(null);
  expect(outcomes(await world.run(tenant, 'completed'))).toEqual(['resolve done', 'page done']);
  expect(await world.notificationsOf(tenant)).toHaveLength(1);
});

test('a restart of the database and of NATS during a delay changes nothing', async () => {
  await escalating();
  await world.servers?.postgres.restart();
  await world.servers?.nats.restart();
  await eventually(letDelayPass);
  await hasEscalated();
});

test('when the database is killed while events arrive and runs wait, no run is lost or doubled', async () => {
  await escalating();
  await world.servers?.postgres.kill();
  const before = tenant;
  await world.servers?.postgres.restart();
  await eventually(letDelayPass);
  await hasEscalated();
  tenant = await world.newTenant();
  await world.newWorkflow(tenant, [page]);
  await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
  await world.run(tenant, 'completed');
  tenant = before;
  expect(await world.sentTo(tenant)).toHaveLength(2);
});

test('events that arrive while the database cannot be reached are processed afterwards', async () => {
  await world.newWorkflow(tenant, [page]);
  const events = [];
  for (let i = 0; i < 5; i++) events.push(await world.eventOf(tenant, 'alert.created', await world.newAlert(tenant)));
  await world.servers?.postgres.kill();
  for (const event of events) await world.publish(event);
  await world.servers?.postgres.restart();
  await eventually(async () =>
    expect((await world.notificationsOf(tenant)).filter(({ status }) => status === 'sent')).toHaveLength(5),
  );
  expect(await world.runsOf(tenant)).toHaveLength(5);
});
