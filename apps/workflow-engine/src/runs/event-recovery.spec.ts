/** A failover to a standby server that was behind: the database loses its last transactions, and NATS does not. */
import { alertEventsStream } from '@ams/contracts';
import { consumers } from '@ams/messaging';
import { eventually, streamManager } from '@ams/testing';
import { jetstream } from '@nats-io/jetstream';
import { email, notify, outcomes, startWorld, type Tenant, type TestWorld } from '../../testing/support.js';

let world: TestWorld;
let tenant: Tenant;

beforeAll(async () => {
  world = await startWorld();
}, 60_000);
afterAll(() => world?.stop());
beforeEach(async () => {
  tenant = await world.newTenant();
  await world.startReplica();
});
afterEach(() => world.stopReplicas());

const page = notify([email('ops@example.com')]);
const lastSequence = async (): Promise<number> =>
  (await (await streamManager(world.nats)).streams.info(alertEventsStream)).state.last_seq;

/** What the engine has written about the tenant, and that it has processed the messages after this one. */
async function lose({ organizationId }: Tenant, after: number): Promise<void> {
  for (const table of ['notifications', 'runs', 'considered'])
    await world.admin.query(`DELETE FROM workflows.${table} WHERE organization_id = $1`, [organizationId]);
  await world.admin.query('DELETE FROM workflows.processed_messages WHERE sequence > $1', [after]);
}

/** Publishes the event of a new alert, waits for its page, and stops the engine. Returns the id of the notification. */
async function pagedOnce(alertId: string): Promise<string> {
  await world.publishEvent(tenant, 'alert.created', alertId);
  await world.run(tenant, 'completed');
  await eventually(async () => expect(await world.notificationsOf(tenant)).toMatchObject([{ status: 'sent' }]));
  await world.stopReplicas();
  const [notification] = await world.notificationsOf(tenant);
  return notification?.id ?? '';
}

test('an event whose run was lost is processed again, and its page has the same id', async () => {
  await world.newWorkflow(tenant, [page]);
  const before = await lastSequence();
  const id = await pagedOnce(await world.newAlert(tenant));
  await lose(tenant, before);
  await world.startReplica();
  expect(outcomes(await world.run(tenant, 'completed'))).toEqual(['page done']);
  await eventually(async () => expect(await world.notificationsOf(tenant)).toMatchObject([{ id, status: 'sent' }]));
});

test('only the record that it was processed is lost: nothing is sent again', async () => {
  await world.newWorkflow(tenant, [page]);
  await pagedOnce(await world.newAlert(tenant));
  const sequence = await lastSequence();
  await world.admin.query('DELETE FROM workflows.processed_messages WHERE sequence = $1', [sequence]);
  await world.startReplica();
  await eventually(async () => {
    const { rowCount } = await world.admin.query('SELECT FROM workflows.processed_messages WHERE sequence = $1', [
      sequence,
    ]);
    expect(rowCount).toBe(1);
  });
  expect(await world.runsOf(tenant)).toHaveLength(1);
  expect(await world.sentTo(tenant)).toHaveLength(1);
});

test('a workflow that was created after the event is not triggered', async () => {
  const first = await world.newWorkflow(tenant, [page]);
  const before = await lastSequence();
  await pagedOnce(await world.newAlert(tenant));
  await lose(tenant, before);
  await world.newWorkflow(tenant, [page], { name: 'Later' });
  await world.startReplica();
  expect(await world.run(tenant, 'completed')).toMatchObject({ workflow_id: first });
  expect(await world.runsOf(tenant)).toHaveLength(1);
});

test('a message from before the records were introduced is not processed again', async () => {
  await world.newWorkflow(tenant, [page]);
  const before = await lastSequence();
  await pagedOnce(await world.newAlert(tenant));
  await lose(tenant, before);
  await world.admin.query(`UPDATE workflows.processing_recorded SET since = now() + interval '1 hour'`);
  await world.startReplica();
  await eventually(async () => {
    const { rowCount } = await world.admin.query('SELECT FROM workflows.processed_messages WHERE sequence > $1', [
      before,
    ]);
    expect(rowCount).toBe(1);
  });
  expect(await world.runsOf(tenant)).toEqual([]);
  await world.admin.query('UPDATE workflows.processing_recorded SET since = now()');
});

test('the loss of the stream is reported, and later events are processed', async () => {
  await world.newWorkflow(tenant, [page]);
  await pagedOnce(await world.newAlert(tenant));
  await (await streamManager(world.nats)).streams.delete(alertEventsStream);
  const { port } = await world.startReplica();
  const losses = async () =>
    /^ams_workflow_event_stream_losses_total\S* (\d+)$/m.exec(
      await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
    )?.[1];
  await eventually(async () => expect(await losses()).toBe('1'));
  await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
  await eventually(async () => expect(await world.notificationsOf(tenant)).toHaveLength(2));
});

test('the run waits until the lost alert is there again', async () => {
  await world.newWorkflow(tenant, [page]);
  const before = await lastSequence();
  const alertId = await world.newAlert(tenant);
  await pagedOnce(alertId);
  await lose(tenant, before);
  const { rows } = await world.admin.query<{ row: object }>(
    'DELETE FROM alerts.alerts a WHERE id = $1 RETURNING to_json(a) AS row',
    [alertId],
  );
  await world.startReplica();
  // The engine has checked once: a message that was lost, too, but whose alert exists, has been processed again.
  await world.admin.query('DELETE FROM workflows.processed_messages WHERE sequence <= $1', [before]);
  await eventually(async () => {
    const { rowCount } = await world.admin.query('SELECT FROM workflows.processed_messages WHERE sequence = $1', [
      before,
    ]);
    expect(rowCount).toBe(1);
  });
  expect(await world.runsOf(tenant)).toEqual([]);
  await world.admin.query('INSERT INTO alerts.alerts SELECT * FROM json_populate_record(null::alerts.alerts, $1)', [
    JSON.stringify(rows[0]?.row),
  ]);
  expect(outcomes(await world.run(tenant, 'completed'))).toEqual(['page done']);
});

test('an event that arrives while its alert is lost waits for it, and does not delay the others of its message', async () => {
  await world.newWorkflow(tenant, [page]);
  const events = [];
  const lost = await world.newAlert(tenant);
  for (const id of [lost, await world.newAlert(tenant)]) events.push(await world.eventOf(tenant, 'alert.created', id));
  const { rows } = await world.admin.query<{ row: object }>(
    'DELETE FROM alerts.alerts a WHERE id = $1 RETURNING to_json(a) AS row',
    [lost],
  );
  await world.publish(...events);
  await eventually(async () => expect(await world.notificationsOf(tenant)).toHaveLength(1));
  expect((await world.runsOf(tenant)).map(({ alert_id }) => alert_id)).not.toContain(lost);
  await world.admin.query('INSERT INTO alerts.alerts SELECT * FROM json_populate_record(null::alerts.alerts, $1)', [
    JSON.stringify(rows[0]?.row),
  ]);
  await eventually(async () => expect(await world.notificationsOf(tenant)).toHaveLength(2));
  expect((await world.runsOf(tenant)).map(({ alert_id }) => alert_id)).toContain(lost);
});

test('messages that a replica had received when it stood still are processed together when they come again', async () => {
  await world.newWorkflow(tenant, [page]);
  await world.stopReplicas();
  const alerts = await Promise.all(Array.from({ length: 20 }, () => world.newAlert(tenant)));
  for (const alertId of alerts) await world.publishEvent(tenant, 'alert.created', alertId);
  // Received and not acknowledged: NATS delivers them again after `ack_wait`.
  const { stream, config } = consumers.domainEvents;
  const consumer = await jetstream(world.nats).consumers.get(stream, config.durable_name);
  let received = 0;
  for await (const _ of await consumer.fetch({ max_messages: alerts.length, expires: 10_000 })) received++;
  expect(received).toBe(alerts.length);
  await world.startReplica();
  await eventually(async () => expect(await world.runsOf(tenant)).toHaveLength(alerts.length));
  const { rows } = await world.admin.query<{ transactions: string }>(
    'SELECT count(DISTINCT xmin::text) AS transactions FROM workflows.considered WHERE organization_id = $1',
    [tenant.organizationId],
  );
  expect(Number(rows[0]?.transactions)).toBeLessThan(alerts.length / 2);
});
