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
    await eventually(async () =>
      expect((await world.notificationsOf(tenant)).map(({ status }) => status)).toEqual(['sent', 'sent']),
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
          notifications: [expect.objectContaining({ target: 'ops@example.com', status: 'sent', onCall: null })],
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

  describe('shows a step that notifies by the ends of its messages', () => {
    const refuse = (address: string) =>
      world.answerSends(({ target }) =>
        target.channel === 'email' && target.address === address
          ? { kind: 'failed', reason: '550 no such user', retry: false, retryAfterSeconds: null }
          : { kind: 'sent', detail: '250 OK' },
      );
    const begin = async (...steps: object[]): Promise<string> => {
      const workflowId = await world.newWorkflow(tenant, steps);
      await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
      return workflowId;
    };
    const shown = (workflowId: string, expected: object, query: Record<string, string> = {}) =>
      eventually(async () => expect(pageOf<WorkflowRun>(await list(workflowId, query)).data).toMatchObject([expected]));

    test('a step and its run have failed when each message has failed', async () => {
      refuse('ops@example.com');
      const workflowId = await begin(page);
      const failed = {
        status: 'failed',
        error: '550 no such user',
        steps: [{ outcome: 'failed', reason: '550 no such user', detail: { notifications: [{ status: 'failed' }] } }],
      };
      await shown(workflowId, failed);
      await shown(workflowId, failed, { status: 'failed' });
      expect(pageOf<WorkflowRun>(await list(workflowId, { status: 'completed' })).data).toEqual([]);
    });

    test('a step is done when one of its messages was sent, whatever became of the others', async () => {
      refuse('ops@example.com');
      const gap = { type: 'schedule', id: await world.newSchedule(tenant, []) };
      const workflowId = await begin(notify([email('ops@example.com'), gap, email('second@example.com')]));
      await shown(workflowId, {
        status: 'completed',
        error: null,
        steps: [
          {
            outcome: 'done',
            reason: null,
            detail: { notifications: [{ status: 'failed' }, { status: 'skipped' }, { status: 'sent' }] },
          },
        ],
      });
    });

    test('a step is skipped when nobody can be notified, and its run is completed', async () => {
      const workflowId = await begin(notify([{ type: 'schedule', id: await world.newSchedule(tenant, []) }]));
      await shown(workflowId, {
        status: 'completed',
        steps: [{ outcome: 'skipped', reason: 'nobody is on call in Primary' }],
      });
    });

    test('a step is pending while its message is attempted again', async () => {
      world.answerSends(() => ({ kind: 'failed', reason: '451 later', retry: true, retryAfterSeconds: 3600 }));
      const workflowId = await begin(page);
      await shown(workflowId, {
        status: 'completed',
        steps: [{ outcome: 'pending', reason: null, detail: { notifications: [{ reason: '451 later' }] } }],
      });
    });

    test('a run continues after a failed message, and has failed at its end', async () => {
      refuse('ops@example.com');
      const workflowId = await begin(page, { ...notify([email('second@example.com')]), id: 'later', delaySeconds: 3 });
      await shown(workflowId, {
        status: 'waiting',
        error: null,
        steps: [{ outcome: 'failed' }, { outcome: 'pending', detail: null }],
      });
      await shown(workflowId, {
        status: 'failed',
        error: '550 no such user',
        steps: [{ outcome: 'failed' }, { outcome: 'done' }],
      });
    });

    test('with continueOnError the step has failed and the run is completed', async () => {
      refuse('ops@example.com');
      const workflowId = await begin({ ...page, continueOnError: true });
      await shown(workflowId, { status: 'completed', error: null, steps: [{ outcome: 'failed' }] });
    });

    test('when the last two messages fail at the same time, the run has failed', async () => {
      world.answerSends(() => ({ kind: 'failed', reason: '550 no', retry: false, retryAfterSeconds: null }));
      await world.newWorkflow(tenant, [notify(Array.from({ length: 4 }, (_, n) => email(`ops-${n}@example.com`)))]);
      const alerts: string[] = [];
      for (let i = 0; i < 15; i++) alerts.push(await world.newAlert(tenant));
      await world.publish(...(await Promise.all(alerts.map((id) => world.eventOf(tenant, 'alert.created', id)))));
      await eventually(async () =>
        expect((await world.runsOf(tenant)).map(({ status }) => status)).toEqual(alerts.map(() => 'failed')),
      );
    });
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
