import { listWorkflowRuns, publicId, type WorkflowRun } from '@ams/contracts';
import { eventually } from '@ams/testing';
import { email, notify, pageOf, startWorld, type Tenant, type TestWorld } from '../../testing/support.js';

let world: TestWorld;
let tenant: Tenant;

beforeAll(async () => {
  world = await startWorld();
  await world.startReplica();
});
afterAll(() => world.stop());

beforeEach(async () => {
  world.answerSends(null);
  tenant = await world.newTenant();
});

const page = notify([email('ops@example.com')]);

describe('listWorkflowRuns', () => {
  const list = (workflowId: string, query: Record<string, string> = {}, as = tenant) =>
    world.ask(as.principal, listWorkflowRuns, { params: { id: publicId('workflow', workflowId) }, query });

  test('answers the runs, newest first, with the outcome of each step and the pending steps', async () => {
    const workflowId = await world.newWorkflow(tenant, [
      page,
      { ...page, id: 'escalate', delaySeconds: 600, unless: ['acknowledged'] },
      { ...page, id: 'last' },
    ]);
    const [first, second] = [await world.newAlert(tenant), await world.newAlert(tenant)];
    await world.publishEvent(tenant, 'alert.created', first);
    await world.run(tenant, 'waiting');
    await world.publishEvent(tenant, 'alert.created', second);
    await eventually(async () =>
      expect((await world.runsOf(tenant)).map(({ status }) => status)).toEqual(['waiting', 'waiting']),
    );
    const { data, meta } = pageOf<WorkflowRun>(await list(workflowId));
    expect(meta.total).toBe(2);
    expect(data.map(({ alertId }) => alertId)).toEqual([publicId('alert', second), publicId('alert', first)]);
    expect(data[0]).toMatchObject({
      workflowName: 'Page',
      workflowVersion: 1,
      status: 'waiting',
      event: 'alert.created',
      depth: 0,
      incidentId: null,
      trace: { kind: 'always', holds: true },
      error: null,
    });
    expect(data[0]?.steps).toEqual([
      {
        id: 'page',
        type: 'notify',
        outcome: 'done',
        reason: null,
        at: expect.any(String),
        detail: {
          notifications: [expect.objectContaining({ target: 'ops@example.com', status: 'queued', onCall: null })],
        },
      },
      { id: 'escalate', type: 'notify', outcome: 'pending', reason: null, detail: null, at: expect.any(String) },
      { id: 'last', type: 'notify', outcome: 'pending', reason: null, detail: null, at: null },
    ]);
    const detail = (run: WorkflowRun | undefined): unknown => run?.steps[0]?.detail;
    await world.admin.query(
      `UPDATE workflows.runs SET results = replace(replace(results::text,
         '"notifications"', '"deliveries"'), '"notificationId"', '"deliveryId"')::jsonb
       WHERE alert_id = $1`,
      [first],
    );
    const shown = pageOf<WorkflowRun>(await list(workflowId)).data[1];
    expect([shown?.alertId, detail(shown)]).toEqual([publicId('alert', first), detail(data[1])]);
    expect(pageOf<WorkflowRun>(await list(workflowId, { alertId: publicId('alert', first) })).data).toHaveLength(1);
    expect(pageOf<WorkflowRun>(await list(workflowId, { status: 'completed,failed' })).data).toEqual([]);
    const firstPage = pageOf<WorkflowRun>(await list(workflowId, { limit: '1' }));
    const secondPage = pageOf<WorkflowRun>(
      await list(workflowId, { limit: '1', cursor: firstPage.meta.nextCursor ?? '' }),
    );
    expect([...firstPage.data, ...secondPage.data]).toEqual(data);
    expect(
      await list(await world.newWorkflow(tenant, [page]), { cursor: firstPage.meta.nextCursor ?? '' }),
    ).toMatchObject({ code: 'INVALID_CURSOR' });
  });

  test('shows that the steps after a failed one will not be done', async () => {
    world.answerCommands(() => ({ kind: 'refused', reason: 'no' }));
    const workflowId = await world.newWorkflow(tenant, [{ id: 'resolve', type: 'resolve' }, page]);
    await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
    await world.run(tenant, 'failed');
    world.answerCommands(null);
    expect(pageOf<WorkflowRun>(await list(workflowId)).data).toMatchObject([
      {
        status: 'failed',
        error: 'no',
        steps: [
          { id: 'resolve', outcome: 'failed', reason: 'no' },
          { id: 'page', outcome: 'skipped', reason: 'a step before it failed' },
        ],
      },
    ]);
  });

  test('does not find a workflow of another tenant or environment, or a deleted one', async () => {
    const workflowId = await world.newWorkflow(tenant, [page]);
    expect(await list(workflowId, {}, await world.newTenant())).toMatchObject({
      code: 'NOT_FOUND',
      details: { resource: 'workflow', id: publicId('workflow', workflowId) },
    });
    expect(
      await list(workflowId, {}, await world.newTenant({ organizationId: tenant.organizationId, environment: 'test' })),
    ).toMatchObject({ code: 'NOT_FOUND' });
    await world.admin.query('DELETE FROM resources.workflows WHERE id = $1', [workflowId]);
    expect(await list(workflowId)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await world.ask(tenant.principal, listWorkflowRuns, { params: { id: 'x' } })).toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});
