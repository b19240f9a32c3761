/**
 * What is taken away from the engine while it works. All cases are arranged together and looked for together, by
 * three replicas: a minute and a half is three looks for all of them.
 */
import { alertEventsStream, newUuid } from '@ams/contracts';
import { Database } from '@ams/database';
import type { RunningService } from '@ams/service';
import { eventually, streamManager } from '@ams/testing';
import { testPaging } from '../../testing/paging.js';
import { email, notify, startWorld, type Tenant, type TestWorld } from '../../testing/support.js';
import { NotificationEntity } from '../notifications/notification.entity.js';
import { addLostJobs } from './lost-jobs.js';
import { look } from './page-looks.js';
import { createPageNotifications } from './page-notifications.js';

let world: TestWorld;
const paging = testPaging(() => world);
const pageStep = { id: 'page', type: 'page', params: { policy: { teamFrom: 'labels.team' } } };

interface Case {
  tenant: Tenant;
  alertId: string;
  workflowId: string | null;
}

const cases: Record<string, Case> = {};
const caseOf = (name: string): Case => cases[name] as Case;
let replicas: RunningService[] = [];

/** Three replicas and the test share one process: a busy machine needs minutes for many pages. */
const patient = { timeoutMs: 180_000 };

async function fired(name: string, workflow: object[] | null = [pageStep]): Promise<{ id: string }> {
  const tenant = await world.newTenant();
  const workflowId = workflow && (await world.newWorkflow(tenant, workflow));
  if (!workflow) await paging.withCatchAll(tenant);
  const { alertId, event } = await paging.fire(tenant);
  cases[name] = { tenant, alertId, workflowId };
  return event;
}

/** The alert has asked, and its step or its request waits for the pipeline, which does not answer. */
async function asked(name: string, workflow?: object[] | null): Promise<void> {
  await world.publish(await fired(name, workflow));
  await eventually(async () => expect(await paging.linesOf(caseOf(name).tenant)).toHaveLength(1));
}

/** Somebody was told, once. */
async function expectTold(name: string, repairs: number, people = 2): Promise<void> {
  const { tenant } = caseOf(name);
  await eventually(async () => {
    const sent = await world.sentTo(tenant);
    expect(new Set(sent.map(({ notificationId }) => notificationId)).size).toBe(people);
    expect(await paging.linesOf(tenant)).toMatchObject([{ outcome: 'told', repairs }]);
  }, patient);
  expect(await world.sentTo(tenant)).toHaveLength(people);
}

const remove = (table: string, { tenant }: Case): Promise<unknown> =>
  world.admin.query(`DELETE FROM ${table} WHERE organization_id = $1`, [tenant.organizationId]);
const removeJobs = (like: string): Promise<unknown> =>
  world.admin.query(`DELETE FROM workflow_jobs._private_jobs WHERE key LIKE $1`, [like]);
const notificationIds = async ({ tenant }: Case): Promise<string[]> =>
  (await world.notificationsOf(tenant)).map(({ id }) => id);

beforeAll(async () => {
  world = await startWorld();
  await world.startReplica();
  world.answerCommands(paging.answer);
  await arrangeTold();
  world.answerCommands(({ body }) => (body.kind === 'acknowledge' ? { kind: 'refused', reason: 'no' } : 'no reply'));
  await arrangeAsked();
  await world.stopReplicas();
  await arrangeStopped();
  world.answerCommands(paging.answer);
  replicas = await Promise.all([1, 2, 3].map(() => world.startReplica()));
  await paging.missed();
});
afterAll(() => world?.stop());

/** While the engine runs: pages that were sent, or that the notifier does not take. */
async function arrangeTold(): Promise<void> {
  await asked('healthy');
  await expectTold('healthy', 0);
  world.answerSends(() => 'no reply');
  for (const name of ['notification job lost', 'one notification lost', 'incident event lost']) {
    await asked(name);
    await eventually(async () => expect(await world.notificationsOf(caseOf(name).tenant)).toHaveLength(2));
  }
  world.answerSends(null);
  await asked('opened again');
  await expectTold('opened again', 0);
}

async function arrangeAsked(): Promise<void> {
  for (const name of ['run lost', 'run and decision lost', 'run job lost', 'workflow deleted']) await asked(name);
  await asked('catch-all job lost', null);
  await asked('run failed', [{ id: 'assign', type: 'acknowledge' }, pageStep]);
  const { tenant } = caseOf('run failed');
  await eventually(async () => expect(await world.runsOf(tenant)).toMatchObject([{ status: 'failed' }]));
}

async function arrangeStopped(): Promise<void> {
  await remove('workflows.runs', caseOf('run lost'));
  await remove('workflows.runs', caseOf('run and decision lost'));
  await remove('workflows.considered', caseOf('run and decision lost'));
  await remove('workflows.runs', caseOf('workflow deleted'));
  await remove('resources.workflows', caseOf('workflow deleted'));
  await removeJobs('advance:%');
  await removeJobs('pageCatchAll:%');
  for (const id of await notificationIds(caseOf('notification job lost'))) await removeJobs(`sendNotification:${id}`);
  const [first] = await notificationIds(caseOf('one notification lost'));
  await removeJobs(`sendNotification:${first}`);
  await world.admin.query('DELETE FROM workflows.notifications WHERE id = $1', [first]);
  for (const id of await notificationIds(caseOf('incident event lost'))) await removeJobs(`sendNotification:${id}`);
  await remove('workflows.notifications', caseOf('incident event lost'));
  await takenFromBroker('event lost', [pageStep]);
  await takenFromBroker('event for the catch-all policy lost', null);
  await takenFromBroker('event of nobody lost', [notify([email('ops@example.com')])]);
  const { tenant, workflowId } = caseOf('event of nobody lost');
  await world.admin.query('DELETE FROM resources.workflows WHERE organization_id = $1 AND id = $2', [
    tenant.organizationId,
    workflowId,
  ]);
}

/** The event is published, and deleted before the engine reads it. */
async function takenFromBroker(name: string, workflow: object[] | null): Promise<void> {
  await world.publish(await fired(name, workflow));
  const { streams } = await streamManager(world.nats);
  const { state } = await streams.info(alertEventsStream);
  await streams.deleteMessage(alertEventsStream, state.last_seq);
}

describe('within 90 seconds a page goes out, and nobody is told twice', () => {
  test('whose run was deleted', () => expectTold('run lost', 1));
  test('whose run and decision were deleted', () => expectTold('run and decision lost', 1));
  test('whose job was deleted', () => expectTold('run job lost', 0));
  test('whose run and workflow were deleted: the catch-all policy is asked', () => expectTold('workflow deleted', 1));
  test('whose request to the catch-all policy has lost its job', () => expectTold('catch-all job lost', 1));
  test('whose event was taken from the broker', () => expectTold('event lost', 0));
  test('whose event was taken from the broker and that nobody but the catch-all policy wants', () =>
    expectTold('event for the catch-all policy lost', 0));
  test('whose notifications have lost their jobs', async () => {
    const { tenant } = caseOf('notification job lost');
    await eventually(async () => {
      expect((await world.notificationsOf(tenant)).map(({ status }) => status)).toEqual(['sent', 'sent']);
      expect(await paging.linesOf(tenant)).toMatchObject([{ outcome: 'told' }]);
    });
  });
  test.each(['one notification lost', 'incident event lost'])('with %s', async (name) => {
    const { tenant } = caseOf(name);
    await eventually(async () => {
      expect((await world.notificationsOf(tenant)).map(({ status }) => status)).toEqual(['sent', 'sent']);
      expect(await paging.linesOf(tenant)).toMatchObject([{ outcome: 'told' }]);
    });
  });
});

test('a line whose run failed before its page step asks the catch-all policy', () => expectTold('run failed', 1));

test('each is counted once, by one of the replicas', async () => {
  const once = { event: 2, run: 4, notification: 2 };
  expect(await paging.counted(replicas)).toMatchObject(once);
  await paging.missed();
  const counts = await paging.counted(replicas);
  expect(counts).toMatchObject(once);
  expect(counts['job']).toBeGreaterThan(0);
});

test('80 ordinary alerts that are acknowledged, resolved and suppressed count nothing', async () => {
  const before = await paging.counted(replicas);
  const tenant = await world.newTenant();
  await world.newWorkflow(tenant, [pageStep, notify([email('ops@example.com')], { id: 'tell', delaySeconds: 3600 })]);
  await paging.withCatchAll(tenant);
  const statuses = ['firing', 'acknowledged', 'resolved', 'suppressed'] as const;
  const alerts = await Promise.all(
    Array.from({ length: 80 }, (_, n) =>
      paging.fire(tenant, { severity: n % 3 ? 'critical' : 'low', service: n % 10 }),
    ),
  );
  await world.publish(...alerts.map(({ event }) => event));
  const changes = alerts.map(async ({ alertId }, index) => {
    const status = statuses[index % statuses.length] ?? 'firing';
    if (status === 'firing') return [];
    await world.setStatus({ alertId, status });
    return [await world.eventOf(tenant, `alert.${status}`, alertId)];
  });
  await world.publish(...(await Promise.all(changes)).flat());
  await eventually(async () => {
    const lines = await paging.linesOf(tenant);
    expect(lines).toHaveLength(80);
    expect(lines.filter(({ outcome }) => outcome === null)).toEqual([]);
  }, patient);
  await paging.missed();
  expect(await paging.counted(replicas)).toEqual(before);
  expect((await paging.linesOf(tenant)).every(({ repairs }) => repairs === 0)).toBe(true);
});

test('what a workflow that is switched on later would have paged for is not missing', async () => {
  const before = await paging.counted(replicas);
  const tenant = await world.newTenant();
  const workflowId = await world.newWorkflow(tenant, [pageStep], { enabled: false });
  const { event } = await paging.fire(tenant);
  await world.publish(event);
  await eventually(async () => expect(await world.consideredOf(tenant)).toHaveLength(1));
  await world.admin.query('UPDATE resources.workflows SET enabled = true WHERE id = $1', [workflowId]);
  await paging.withCatchAll(tenant);
  await paging.missed();
  expect(await paging.counted(replicas)).toEqual(before);
  expect(await paging.linesOf(tenant)).toEqual([]);
});

const openDatabase = (timeoutMs = 30_000): Promise<Database> =>
  Database.open({
    service: 'workflow-engine',
    url: world.databaseUrl,
    poolSize: 1,
    timeoutMs,
    connectTimeoutMs: 30_000,
    entities: [NotificationEntity],
  });

test('a replica that stands still in the middle of a look holds the others back for seconds only', async () => {
  const database = await openDatabase(1000);
  let goOn: () => void = () => undefined;
  const standsStill = new Promise<void>((resolve) => (goOn = resolve));
  let isLooking = false;
  let looking: Promise<unknown> = Promise.resolve();
  await eventually(async () => {
    await paging.passes(31);
    let begins: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begins = resolve));
    looking = look(database, 'event', async () => {
      isLooking = true;
      begins();
      await standsStill;
      return { missing: [] };
    });
    await Promise.race([looking, begun]);
    expect(isLooking).toBe(true); // the other replica may have looked first
  });
  const ended = expect(looking).rejects.toThrow();
  await paging.looked();
  goOn();
  await ended;
  await database.close();
});

/** Runs of one workflow with an open line each. */
const insertWaiting = (of: Case, values: { count: number; dueAt: string }): Promise<unknown> =>
  world.admin.query(
    `WITH events AS (SELECT gen_random_uuid() AS id FROM generate_series(1, $5)),
       waiting AS (INSERT INTO workflows.runs (id, organization_id, environment, workflow_id, workflow_name,
         workflow_version, event_id, event_type, occurred_at, depth, alert_id, status, trace, steps, previous_done_at,
         due_at, created_at)
       SELECT gen_random_uuid(), $1, $2, $3, 'Page', 1, id, 'alert.created', now(), 0, $4, 'waiting', '{}', '[]', now(),
         now() + $6::interval, now() FROM events)
     INSERT INTO workflows.page_requests (id, organization_id, environment, alert_id, event_id, workflow_id, asked_at)
       SELECT gen_random_uuid(), $1, $2, $4, id, $3, now() - interval '1 hour' FROM events`,
    [of.tenant.organizationId, of.tenant.environment, of.workflowId, of.alertId, values.count, values.dueAt],
  );

test('many lines that wait for a step with a delay do not hold back the end of a later one', async () => {
  const tenant = await world.newTenant();
  const workflowId = await world.newWorkflow(tenant, [{ ...pageStep, delaySeconds: 86_400 }]);
  const waiting = { tenant, workflowId, alertId: await world.newAlert(tenant) };
  await insertWaiting(waiting, { count: 1200, dueAt: '1 day' });
  await asked('later');
  await expectTold('later', 0);
  await remove('workflows.page_requests', waiting);
});

test('an alert that opens its incident again was not told by the pages before', async () => {
  const { tenant, alertId } = caseOf('opened again');
  const { alertId: next, event } = await paging.fire(tenant);
  const { rows } = await world.admin.query<{ id: string }>(
    `UPDATE alerts.incidents SET opened_by = $2, escalation = escalation || '{"episode": 2, "level": 0}'
     WHERE id = (SELECT incident_id FROM alerts.alerts WHERE id = $1) RETURNING id`,
    [alertId, next],
  );
  await world.admin.query('UPDATE alerts.alerts SET incident_id = $2 WHERE id = $1', [next, rows[0]?.id]);
  await world.publish(event);
  const lineOfNext = async () => (await paging.linesOf(tenant)).find(({ alert_id }) => alert_id === next);
  await eventually(async () => expect(await lineOfNext()).toMatchObject({ outcome: null }));
  await asked('after it');
  await expectTold('after it', 0);
  expect(await lineOfNext()).toMatchObject({ outcome: null });
});

test('a job that is added waits in the queue of its own organization', async () => {
  const tenant = await world.newTenant();
  const workflowId = await world.newWorkflow(tenant, [pageStep]);
  const waiting = { tenant, workflowId, alertId: await world.newAlert(tenant) };
  await world.stopReplicas();
  await insertWaiting(waiting, { count: 1, dueAt: '-1 hour' });
  const database = await openDatabase();
  const { missing } = await database.asService((tx) => addLostJobs(tx));
  await database.close();
  const { rows } = await world.admin.query<{ share: object }>(
    `SELECT j.payload->'share' AS share FROM workflow_jobs._private_jobs j
     JOIN workflows.runs r ON j.key = 'advance:' || r.id WHERE r.workflow_id = $1 AND r.id = ANY($2::uuid[])`,
    [workflowId, missing],
  );
  expect(rows).toEqual([
    { share: { organization: tenant.organizationId, team: `${tenant.environment} workflow ${workflowId}` } },
  ]);
});

test('a page may have more recipients than a statement has parameters', async () => {
  const { organizationId, environment } = await world.newTenant();
  const recipients = Array.from({ length: 4000 }, () => ({
    key: 'nobody',
    channel: 'email' as const,
    target: 'Nobody',
    destination: { channel: 'email' as const, address: 'nobody@example.com', name: 'Nobody' },
    memberId: null,
    why: 'Level 1 is told.',
    unreachable: 'the member is disabled',
    onCall: null,
    notificationId: newUuid(),
  }));
  const incident = { incidentId: newUuid(), alertId: null, title: 'Much', urgency: 'high' as const, why: 'Level 1.' };
  const page = { id: newUuid(), organizationId, environment, ...incident, kind: 'level' as const, recipients };
  const database = await openDatabase();
  const created = await database.asService((tx) =>
    createPageNotifications(tx, [{ ...page, stage: 'policy', workflowId: null, policyId: null }]),
  );
  await database.close();
  expect(created).toBe(4000);
});
