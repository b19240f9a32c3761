import { newUuid, publicId } from '@ams/contracts';
import { eventually, startTcpProxy } from '@ams/testing';
import { email, notify, startWorld, type Tenant, type TestWorld } from '../../testing/support.js';
import { addJobs, jobSchema } from './jobs.js';

let world: TestWorld;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
afterEach(() => world.stopReplicas());

/** Publishes the creation of alerts of a team. Returns their ids. */
async function created(tenant: Tenant, team: string, count: number): Promise<string[]> {
  const alerts: string[] = [];
  const events: object[] = [];
  for (let i = 0; i < count; i++) {
    const id = await world.newAlert(tenant, { labels: { team } });
    alerts.push(id);
    events.push(await world.eventOf(tenant, 'alert.created', id));
  }
  await world.publish(...events);
  return alerts;
}

const open = { id: 'open', type: 'openIncident', params: { groupBy: ['fingerprint'] } };

test.each(['the same', 'another'])(
  'while all that a team of an organization asks for takes long, a page of a team of %s organization is not delayed',
  async (whose) => {
    const stormy = await world.newTenant();
    const quiet = whose === 'another' ? await world.newTenant() : stormy;
    for (const tenant of new Set([stormy, quiet])) await world.newWorkflow(tenant, [open]);
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const asked: string[] = [];
    world.answerCommands(async ({ alertId }) => {
      if (alertId !== null && !asked.includes(alertId)) asked.push(alertId);
      await released;
      const incident = { id: publicId('incident', newUuid()) };
      return { kind: 'done', changed: true, alert: null, incident, joined: false } as never;
    });
    await world.startReplica({ WORKFLOW_CONCURRENCY: '20' });
    const storm = await created(stormy, 'storm', 40);
    await eventually(() => expect(asked.length).toBeGreaterThanOrEqual(10));
    const [page = ''] = await created(quiet, 'quiet', 1);
    await eventually(() => expect(asked).toContain(page));
    // Half of the places are the most that a team has. A command without an answer ends after some seconds.
    expect(asked.indexOf(page)).toBeLessThan(storm.length / 2);
    release();
    await eventually(async () => {
      const ended = (await world.runsOf(stormy)).filter(({ status }) => status === 'completed');
      expect(ended.length).toBeGreaterThanOrEqual(storm.length);
    });
  },
);

test('beside others, two runs that tell nobody are done at a time, and one after ten in a chain', async () => {
  const branching = await world.newTenant();
  const other = await world.newTenant();
  await world.newWorkflow(other, [notify([email('ops@example.com')])]);
  const setSeverity = { id: 's', type: 'setSeverity', params: { severity: 'low' } };
  for (let n = 0; n < 30; n++) await world.newWorkflow(branching, [setSeverity], { events: ['alert.severityChanged'] });
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let asked = 0;
  world.answerCommands(async () => {
    asked++;
    await released;
    return null;
  });
  await world.startReplica({ WORKFLOW_CONCURRENCY: '100' });
  await created(other, 'quiet', 1);
  const alertId = await world.newAlert(branching, { labels: { team: 'a' } });
  await world.publishEvent(branching, 'alert.severityChanged', alertId, { depth: 1 });
  await eventually(async () => expect(await world.runsOf(branching)).toHaveLength(30));
  await eventually(() => expect(asked).toBeGreaterThanOrEqual(3));
  await created(other, 'quiet', 1);
  await eventually(async () => expect(await world.sentTo(other)).toHaveLength(2));
  expect(asked).toBe(3);
  release();
  await eventually(async () => {
    const statuses = (await world.runsOf(branching)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 'completed')).toHaveLength(30);
  });
});

test('jobs that wait for their turn when a replica stops are done by another one at once', async () => {
  const tenant = await world.newTenant();
  await world.newWorkflow(tenant, [notify([email('ops@example.com')])]);
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  world.answerSends(async () => {
    await released;
    return { kind: 'sent', detail: null } as never;
  });
  const first = await world.startReplica({ WORKFLOW_CONCURRENCY: '4' });
  const alerts = await created(tenant, 'storm', 8);
  await eventually(async () => expect(world.sent.length).toBeGreaterThan(0));
  const stopping = first.stop();
  release();
  await stopping;
  const { rows } = await world.admin.query(
    `SELECT key FROM workflow_jobs._private_jobs
     WHERE (key LIKE 'advance:%' OR key LIKE 'sendNotification:%') AND locked_by IS NOT NULL`,
  );
  expect(rows).toEqual([]);
  await world.startReplica();
  await eventually(async () => {
    const sent = (await world.notificationsOf(tenant)).filter(({ status }) => status === 'sent');
    expect(sent).toHaveLength(alerts.length);
  });
  const ids = (await world.sentTo(tenant)).map(({ notificationId }) => notificationId);
  expect(new Set(ids)).toEqual(
    new Set((await world.notificationsOf(tenant)).map(({ id }) => publicId('notification', id))),
  );
});

test('a replica without NATS leaves the jobs to others, and begins again when NATS is back', async () => {
  const tenant = await world.newTenant();
  await world.newWorkflow(tenant, [{ ...notify([email('ops@example.com')]), delaySeconds: 3600 }]);
  const nats = await startTcpProxy(world.natsUrl);
  try {
    const cut = await world.startReplica({ NATS_URL: nats.through(world.natsUrl) });
    const jobsOf = async (): Promise<string | undefined> => {
      const answer = await fetch(`http://127.0.0.1:${cut.port}/readyz`);
      const { details } = (await answer.json()) as { details: Record<string, { message?: string; status: string }> };
      return details['jobs']?.message ?? details['jobs']?.status;
    };
    await created(tenant, 'any', 1);
    await world.run(tenant, 'waiting');
    expect(await jobsOf()).toBe('up');
    nats.redirect('nats://127.0.0.1:1');
    nats.cut();
    await eventually(async () => expect(await jobsOf()).toBe('jobs are not running'));
    await world.admin.query(
      `UPDATE workflows.runs SET previous_done_at = previous_done_at - interval '1 hour', due_at = now()
       WHERE organization_id = $1`,
      [tenant.organizationId],
    );
    await world.admin.query(`UPDATE ${jobSchema}._private_jobs SET run_at = now() WHERE key LIKE 'advance:%'`);
    await world.startReplica();
    await eventually(async () => expect(await world.sentTo(tenant)).toHaveLength(1));
    nats.redirect(world.natsUrl);
    await eventually(async () => expect(await jobsOf()).toBe('up'));
  } finally {
    await world.stopReplicas();
    await nats.stop();
  }
});

test('while an organization has 20,000 jobs that wait, a page of another one is sent before nearly all of them', async () => {
  const stormy = await world.newTenant();
  const quiet = await world.newTenant();
  await world.newWorkflow(quiet, [notify([email('ops@example.com')])]);
  await (await world.startReplica()).stop();
  const query = async <R>(text: string, params?: unknown[]): Promise<R[]> =>
    (await world.admin.query(text, params)).rows as R[];
  const share = { organization: stormy.organizationId, team: 'live storm' };
  for (let n = 0; n < 20; n++)
    await addJobs(
      { query },
      'advance',
      Array.from({ length: 1000 }, () => ({ runId: newUuid(), share })),
    );
  const [last] = await query<{ id: string }>(`SELECT max(id) AS id FROM ${jobSchema}._private_jobs`);
  await created(quiet, 'quiet', 1);
  await world.startReplica();
  await eventually(async () => expect(await world.sentTo(quiet)).toHaveLength(1));
  const [left] = await query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${jobSchema}._private_jobs WHERE id <= $1 AND attempts = 0`,
    [last?.id],
  );
  expect(left?.n).toBeGreaterThan(10_000);
  await world.stopReplicas(); // it deletes jobs too, in another order
  await query(`DELETE FROM ${jobSchema}._private_jobs WHERE payload->'share'->>'organization' = $1`, [
    stormy.organizationId,
  ]);
});
