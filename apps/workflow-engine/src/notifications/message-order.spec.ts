import { publicId, type Alert, type Incident } from '@ams/contracts';
import type { Statement } from '@ams/database';
import { eventually } from '@ams/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { startWorld, type NotificationFound, type Tenant, type TestWorld } from '../../testing/support.js';
import { waitReason, waitsForTurn } from './message-order.js';

let world: TestWorld;
let tenant: Tenant;

beforeAll(async () => {
  world = await startWorld();
  for (let i = 0; i < 2; i++) await world.startReplica({ WORKFLOW_CONCURRENCY: '40' });
});
afterAll(() => world.stop());

beforeEach(async () => {
  world.answerSends(null);
  world.answerCommands(null);
  tenant = await world.newTenant();
});

const url = 'https://example.com/hook';
const hook = (more: object = {}) => ({ id: 'hook', type: 'webhook', params: { url, ...more } });

/** Changes the alert, and publishes the event of the change. */
async function change(alertId: string, type: string, status: 'firing' | 'acknowledged' | 'resolved'): Promise<void> {
  await world.setStatus({ alertId, status });
  await world.admin.query('UPDATE alerts.alerts SET version = version + 1 WHERE id = $1', [alertId]);
  await world.publishEvent(tenant, type, alertId);
}

const events = ['alert.created', 'alert.acknowledged', 'alert.resolved'];

/** An alert is created, acknowledged and resolved, and each event is posted. */
async function changes(as = hook()): Promise<string> {
  await world.newWorkflow(tenant, [as], { events });
  const alertId = await world.newAlert(tenant);
  await change(alertId, 'alert.created', 'firing');
  await eventually(async () => expect(await world.notificationsOf(tenant)).toHaveLength(1));
  await change(alertId, 'alert.acknowledged', 'acknowledged');
  await change(alertId, 'alert.resolved', 'resolved');
  await eventually(async () => expect(await world.notificationsOf(tenant)).toHaveLength(3));
  return alertId;
}

/** Whatever was sent, in the order of the attempts. */
async function told(): Promise<[type: string, status: string | undefined, version: number | null | undefined][]> {
  return (await world.sentTo(tenant)).map(({ event }) => [
    event.type,
    (event.data as { alert: Alert | null }).alert?.status,
    event.version,
  ]);
}

const allTold = [
  ['alert.created', 'firing', 2],
  ['alert.acknowledged', 'acknowledged', 3],
  ['alert.resolved', 'resolved', 4],
];

const allEnded = () =>
  eventually(async () =>
    expect((await world.notificationsOf(tenant)).filter(({ status }) => status === 'queued')).toEqual([]),
  );

const waiting = async (): Promise<NotificationFound[]> =>
  (await world.notificationsOf(tenant)).filter(({ reason }) => reason === waitReason);

test('webhooks tell the state at their event, in order, although the first one is slow', async () => {
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  world.answerSends(async () => {
    await answered;
    return { kind: 'sent', detail: null };
  });
  await changes();
  await eventually(async () => expect(await waiting()).toHaveLength(2));
  expect(await told()).toEqual(allTold.slice(0, 1));
  answer();
  await allEnded();
  expect(await told()).toEqual(allTold);
});

test('a later webhook waits while an earlier one is attempted again, and each attempt tells the same', async () => {
  let attempts = 0;
  world.answerSends(() =>
    ++attempts < 3
      ? { kind: 'failed', reason: '503', retry: true, retryAfterSeconds: 1 }
      : { kind: 'sent', detail: null },
  );
  await changes();
  await allEnded();
  expect(await told()).toEqual([allTold[0], allTold[0], ...allTold]);
});

test('a webhook that fails for good, or is skipped, ends the wait of the next one', async () => {
  world.answerSends(({ event }) =>
    event.type === 'alert.created'
      ? { kind: 'failed', reason: '410 gone', retry: false, retryAfterSeconds: null }
      : { kind: 'sent', detail: null },
  );
  await changes({ ...hook(), unless: ['acknowledged'] } as ReturnType<typeof hook>);
  await allEnded();
  expect((await told()).map(([type]) => type)).toContain('alert.resolved');
  await eventually(async () => expect(await waiting()).toEqual([]));
});

test('acknowledging does not end the attempts of a webhook: its target gets every event', async () => {
  let attempts = 0;
  world.answerSends(() =>
    ++attempts === 1
      ? { kind: 'failed', reason: '503', retry: true, retryAfterSeconds: 1 }
      : { kind: 'sent', detail: null },
  );
  await changes();
  await allEnded();
  expect((await world.notificationsOf(tenant)).map(({ status }) => status)).toEqual(['sent', 'sent', 'sent']);
});

test('those that wait take no place of others: other subjects and other targets are not delayed', async () => {
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const slow = await world.newAlert(tenant);
  world.answerSends(async ({ event, target }) => {
    const { alert } = event.data as { alert: Alert };
    if (alert.id === publicId('alert', slow) && 'url' in target && target.url === url) await answered;
    return { kind: 'sent', detail: null };
  });
  await world.newWorkflow(tenant, [hook(), { ...hook({ url: 'https://example.com/other' }), id: 'other' }], { events });
  await change(slow, 'alert.created', 'firing');
  // The other replica could begin the run of the next event before this one: such runs have no order.
  await eventually(async () => expect(await world.notificationsOf(tenant)).toHaveLength(2));
  for (let i = 0; i < 6; i++) await change(slow, 'alert.acknowledged', 'acknowledged');
  await eventually(async () => expect(await waiting()).toHaveLength(6));
  const others: string[] = [];
  for (let i = 0; i < 12; i++) others.push(await world.newAlert(tenant));
  for (const other of others) await change(other, 'alert.created', 'firing');
  await eventually(async () => {
    const found = await world.notificationsOf(tenant);
    expect(found.filter(({ status }) => status === 'sent')).toHaveLength(7 + 24);
  });
  answer();
  await allEnded();
  const versions = (await world.sentTo(tenant)).flatMap(({ event, target }) =>
    (event.data as { alert: Alert }).alert.id === publicId('alert', slow) && 'url' in target && target.url === url
      ? [event.version]
      : [],
  );
  // On a busy machine the reply comes too late: then the same one is sent again.
  expect([...new Set(versions)]).toEqual(Array.from({ length: 7 }, (_, index) => index + 2));
});

test('a webhook waits for an earlier run that has not created its own yet', async () => {
  let reply: () => void = () => undefined;
  const replied = new Promise<void>((resolve) => (reply = resolve));
  world.answerCommands(async () => {
    await replied;
    return { kind: 'done', changed: true, alert: null, incident: null, joined: false };
  });
  await world.newWorkflow(tenant, [{ id: 'take', type: 'addLabels', params: { labels: { a: 'b' } } }, hook()]);
  await world.newWorkflow(tenant, [hook()], { events: ['alert.resolved'], name: 'Ends' });
  const alertId = await world.newAlert(tenant);
  await change(alertId, 'alert.created', 'firing');
  await world.run(tenant, 'running');
  await change(alertId, 'alert.resolved', 'resolved');
  await eventually(async () => expect(await waiting()).toHaveLength(1));
  reply();
  await eventually(async () =>
    expect(await told()).toEqual([
      ['alert.created', 'firing', 2],
      ['alert.resolved', 'resolved', 3],
    ]),
  );
});

test('a webhook of an incident tells the incident at its event; one of an alert has its incident beside it', async () => {
  await world.newWorkflow(tenant, [hook()], { events: ['incident.created', 'incident.resolved', 'alert.created'] });
  const incidentId = await world.newIncident(tenant);
  const alertId = await world.newAlert(tenant, { incidentId });
  await world.publishEvent(tenant, 'incident.created', incidentId);
  await world.setStatus({ incidentId, status: 'resolved' });
  await world.admin.query('UPDATE alerts.incidents SET version = version + 1 WHERE id = $1', [incidentId]);
  await world.publishEvent(tenant, 'incident.resolved', incidentId);
  await eventually(async () => expect(await world.sentTo(tenant)).toHaveLength(2));
  await world.publishEvent(tenant, 'alert.created', alertId);
  await eventually(async () => expect(await world.sentTo(tenant)).toHaveLength(3));
  const data = (await world.sentTo(tenant)).map(({ event }) => {
    const { alert, incident } = event.data as { alert: Alert | null; incident: Incident | null };
    return [event.type, event.version, alert?.status ?? null, incident?.status ?? null];
  });
  expect(data).toEqual([
    ['incident.created', 1, null, 'triggered'],
    ['incident.resolved', 2, null, 'resolved'],
    ['alert.created', 1, 'firing', 'resolved'],
  ]);
});

test('the order is kept when the replicas die in the midst', async () => {
  world.answerSends(() => 'no reply');
  await changes();
  await eventually(async () => expect(await waiting()).toHaveLength(2));
  await world.stopReplicas();
  world.answerSends(null);
  await sleep(100);
  for (let i = 0; i < 2; i++) await world.startReplica({ WORKFLOW_CONCURRENCY: '40' });
  await allEnded();
  const order = (await told()).map(([type]) => type);
  expect([...new Set(order)]).toEqual(events);
  expect(order.slice(-2)).toEqual(events.slice(1));
});

test('a run that ends while a later message is checked is seen, as a run or by its message', async () => {
  world.answerSends(() => ({ kind: 'failed', reason: '503', retry: true, retryAfterSeconds: 1 }));
  await changes();
  await eventually(async () => expect(await waiting()).toHaveLength(2));
  await world.stopReplicas();
  const [first, second] = (await world.notificationsOf(tenant)) as [NotificationFound, NotificationFound];
  const { admin } = world;
  const setFirst = async (message: string, run: string): Promise<void> => {
    await admin.query('UPDATE workflows.notifications SET status = $2 WHERE id = $1', [first.id, message]);
    await admin.query(
      `UPDATE workflows.runs SET status = $2, finished_at = CASE $2 WHEN 'completed' THEN now() END WHERE id = $1`,
      [first.run_id, run],
    );
  };
  // It is doing its step, and has not created its message.
  await setFirst('sent', 'running');
  let statements = 0;
  const query = async <R>(statement: Statement, values: unknown[] = []): Promise<R[]> => {
    const text = typeof statement === 'string' ? statement : statement.text;
    const { rows } = await admin.query(text, values);
    if (++statements === 1) await setFirst('queued', 'completed');
    return rows as R[];
  };
  const waits = await waitsForTurn({ query }, { ...tenant, id: second.id });
  expect(waits).toBe(true);
  world.answerSends(null);
  for (let i = 0; i < 2; i++) await world.startReplica({ WORKFLOW_CONCURRENCY: '40' });
  await allEnded();
});
