import { alertEventsStream, newUuid, publicId, uuidOf } from '@ams/contracts';
import { defaultWorkflow } from '@ams/domain';
import { eventually, streamManager } from '@ams/testing';
import { email, notify, outcomes, startWorld, type Tenant, type TestWorld } from '../../testing/support.js';

let world: TestWorld;
let tenant: Tenant;

beforeAll(async () => {
  world = await startWorld();
  await world.startReplica();
});
afterAll(() => world.stop());

beforeEach(async () => {
  world.answerCommands(null);
  world.answerSends(null);
  tenant = await world.newTenant();
});

const page = notify([email('ops@example.com')]);

/** Settles when all messages of the stream have been processed. */
const allConsidered = () =>
  eventually(async () => {
    const manager = await streamManager(world.nats);
    const { state } = await manager.streams.info(alertEventsStream);
    const consumer = await manager.consumers.info(alertEventsStream, 'workflow-engine');
    expect(consumer.ack_floor.stream_seq).toBe(state.last_seq);
  });

const commandsOf = () => world.commands.filter(({ organizationId }) => organizationId === tenant.organizationId);

describe('the beginning of a run', () => {
  test('an event begins one run, also when it is delivered several times', async () => {
    await world.newWorkflow(tenant, [page]);
    const event = await world.eventOf(tenant, 'alert.created', await world.newAlert(tenant));
    await world.publish(event);
    await world.publish(event, event);
    await world.run(tenant, 'completed');
    await world.publish(event);
    await allConsidered();
    expect(await world.runsOf(tenant)).toHaveLength(1);
    expect(await world.consideredOf(tenant)).toHaveLength(1);
    await eventually(async () =>
      expect(await world.notificationsOf(tenant)).toMatchObject([
        { status: 'sent', target: 'ops@example.com', attempts: 1, reason: '250 OK' },
      ]),
    );
    expect(await world.sentTo(tenant)).toHaveLength(1);
  });

  test('conditions that are false begin none, and their trace is stored node by node', async () => {
    await world.newWorkflow(tenant, [page], { conditions: { field: 'labels.region', op: 'eq', value: 'eu' } });
    await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant, { labels: { region: 'us' } }));
    await allConsidered();
    expect(await world.consideredOf(tenant)).toMatchObject([
      {
        event_type: 'alert.created',
        workflows: [{ name: 'Page', outcome: 'conditions', runId: null, trace: { holds: false, actual: 'us' } }],
      },
    ]);
    expect(await world.runsOf(tenant)).toEqual([]);
  });

  test('of an incident compare its open alerts, and its last ones when none is open', async () => {
    const conditions = {
      all: [
        { field: 'alerts.any.labels.team', op: 'eq', value: 'db' },
        { field: 'alerts.any.severity', op: 'gte', value: 'high' },
      ],
    };
    await world.newWorkflow(tenant, [page], { events: ['incident.created', 'incident.resolved'], conditions });
    const incidentId = await world.newIncident(tenant);
    const [web, db] = [
      await world.newAlert(tenant, { incidentId, labels: { team: 'web' }, fingerprint: 'web' }),
      await world.newAlert(tenant, { incidentId, labels: { team: 'db' }, severity: 'low', fingerprint: 'db' }),
    ];
    const outcomesAfter = async (type: string): Promise<string[]> => {
      await world.publishEvent(tenant, type, incidentId);
      const before = (await world.consideredOf(tenant)).length;
      return eventually(async () => {
        const considered = await world.consideredOf(tenant);
        expect(considered.length).toBeGreaterThan(before);
        return considered.map(({ workflows: [one] }) => one?.outcome ?? '');
      });
    };
    expect(await outcomesAfter('incident.created')).toEqual(['run']);
    await world.setStatus({ alertId: db, status: 'resolved' });
    expect(await outcomesAfter('incident.created')).toEqual(['run', 'conditions']);
    await world.setStatus({ alertId: web, status: 'resolved' });
    expect(await outcomesAfter('incident.resolved')).toEqual(['run', 'conditions', 'run']);
    const [first, second] = await world.consideredOf(tenant);
    expect([first, second].map((one) => one?.workflows[0]?.trace)).toMatchObject([
      { children: [{ actual: 'db' }, { actual: 'critical' }] },
      {
        children: [
          { holds: false, actual: 'web' },
          { holds: true, actual: 'critical' },
        ],
      },
    ]);
  });

  test('each workflow with the trigger is considered, except disabled ones and those of other tenants', async () => {
    const first = await world.newWorkflow(tenant, [page], { name: 'First' });
    const second = await world.newWorkflow(tenant, [page], {
      name: 'Second',
      events: ['alert.created', 'alert.resolved'],
    });
    await world.newWorkflow(tenant, [page], { name: 'Off', enabled: false });
    await world.newWorkflow(tenant, [page], { name: 'Other event', events: ['alert.resolved'] });
    await world.newWorkflow(await world.newTenant(), [page], { name: 'Stranger' });
    await world.newWorkflow(
      await world.newTenant({ organizationId: tenant.organizationId, environment: 'test' }),
      [page],
      { name: 'Of the test environment' },
    );
    await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
    await allConsidered();
    expect((await world.runsOf(tenant)).map((run) => run.workflow_id).toSorted()).toEqual([first, second].toSorted());
  });

  test.each(['suppressed', 'acknowledged'] as const)(
    'an alert that is %s when it is created pages nobody',
    async (status) => {
      await world.newWorkflow(tenant, [page]);
      await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant, { status }));
      await allConsidered();
      expect(await world.consideredOf(tenant)).toMatchObject([{ workflows: [{ outcome: 'quiet', runId: null }] }]);
    },
  );

  test('an alert that was suppressed from the beginning counts as new when it resumes', async () => {
    await world.newWorkflow(tenant, [page]);
    const alertId = await world.newAlert(tenant, { status: 'suppressed' });
    await world.publishEvent(tenant, 'alert.created', alertId);
    await world.setStatus({ alertId, status: 'firing' });
    await world.publishEvent(tenant, 'alert.resumed', alertId);
    expect(await world.run(tenant, 'completed')).toMatchObject({ event_type: 'alert.resumed' });
  });

  test('an alert that resumes begins no second run of a workflow, also with all events in one message', async () => {
    await world.newWorkflow(tenant, [page]);
    const alertId = await world.newAlert(tenant);
    await world.publish(
      await world.eventOf(tenant, 'alert.created', alertId),
      await world.eventOf(tenant, 'alert.resumed', alertId),
    );
    await allConsidered();
    await world.publishEvent(tenant, 'alert.resumed', alertId);
    await allConsidered();
    expect(await world.runsOf(tenant)).toHaveLength(1);
  });

  test('workflows that trigger each other end at depth 5, and the decision is stored', async () => {
    await world.newWorkflow(tenant, [{ id: 'more', type: 'setSeverity', params: { severity: 'critical' } }], {
      events: ['alert.severityChanged'],
    });
    const alertId = await world.newAlert(tenant);
    world.answerCommands(async (command) => {
      if (command.organizationId === tenant.organizationId)
        await world.publishEvent(tenant, 'alert.severityChanged', alertId, { depth: command.depth });
      return null;
    });
    await world.publishEvent(tenant, 'alert.severityChanged', alertId);
    await eventually(async () => expect(await world.consideredOf(tenant)).toHaveLength(6));
    const considered = await world.consideredOf(tenant);
    expect(considered.map(({ workflows }) => workflows[0]?.outcome)).toEqual([
      'run',
      'run',
      'run',
      'run',
      'run',
      'loop',
    ]);
    expect((await world.runsOf(tenant)).map(({ depth }) => depth)).toEqual([0, 1, 2, 3, 4]);
  });

  test('one event causes at most 100 further runs, however its workflows branch; the rest is recorded', async () => {
    const severities = ['high', 'medium'].map((severity) => ({
      id: severity,
      type: 'setSeverity',
      params: { severity },
    }));
    for (let n = 0; n < 6; n++)
      await world.newWorkflow(tenant, severities, {
        name: `w${n}`,
        events: ['alert.created', 'alert.severityChanged'],
      });
    const alertId = await world.newAlert(tenant);
    world.answerCommands(async ({ organizationId, depth, rootEventId }) => {
      if (organizationId === tenant.organizationId)
        await world.publishEvent(tenant, 'alert.severityChanged', alertId, { depth, rootEventId });
      return null;
    });
    const root = await world.publishEvent(tenant, 'alert.created', alertId);
    // Jobs of a storm rest for a multiple of the time that they took.
    const patient = { timeoutMs: 200_000 };
    const ended = (expected: object) =>
      eventually(async () => {
        const runs = await world.runsOf(tenant);
        const caused = runs.filter(({ root_event_id }) => root_event_id === uuidOf('timelineEntry', root.id));
        expect({
          roots: runs.filter(({ depth }) => depth === 0).length,
          caused: caused.length,
          open: runs.filter(({ status }) => status !== 'completed').length,
          overBudget: (await world.consideredOf(tenant)).some(({ workflows }) =>
            workflows.some(({ outcome }) => outcome === 'budget'),
          ),
        }).toEqual(expected);
      }, patient);
    await ended({ roots: 6, caused: 100, open: 0, overBudget: true });
    // What the sender or a person does is never counted.
    world.answerCommands(null);
    await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
    await ended({ roots: 12, caused: 100, open: 0, overBudget: true });
  });

  test.each([
    ['no JSON', 'x'],
    ['no list', '{"events":{}}'],
    ['no ids', '{"events":[{}]}'],
  ])('a message that is %s delays no other message', async (_what, text) => {
    await world.newWorkflow(tenant, [page]);
    world.nats.publish('evt.alert.0', text);
    await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
    await world.run(tenant, 'completed');
  });

  test('an event that cannot be processed does not affect the others of its message', async () => {
    await world.newWorkflow(tenant, [page], { conditions: { field: 'labels.region', op: 'exists', value: false } });
    const good = await world.eventOf(tenant, 'alert.created', await world.newAlert(tenant));
    const bad = {
      ...(await world.eventOf(tenant, 'alert.created', await world.newAlert(tenant))),
      occurredAt: 'no time',
    };
    const later = await world.eventOf(tenant, 'alert.created', await world.newAlert(tenant));
    await world.publish(good, bad, later);
    await eventually(async () =>
      expect((await world.runsOf(tenant)).map(({ status }) => status)).toEqual(['completed', 'completed']),
    );
    await world.publish(await world.eventOf(tenant, 'alert.created', await world.newAlert(tenant)));
    await eventually(async () => expect(await world.runsOf(tenant)).toHaveLength(3));
  });
});

describe('steps', () => {
  test('run in order, each with the command of its type', async () => {
    const member = await world.newMember(tenant);
    const schedule = await world.newSchedule(tenant, [member]);
    const workflowId = await world.newWorkflow(tenant, [
      {
        id: 'open',
        type: 'openIncident',
        params: {
          groupBy: ['labels.service'],
          windowSeconds: 60,
          autoResolve: true,
          title: '{{labels.service}}: {{title}}',
        },
      },
      { id: 'severity', type: 'setSeverity', params: { severity: 'high' } },
      { id: 'labels', type: 'addLabels', params: { labels: { team: 'a' } } },
      { id: 'assign', type: 'assign', params: { userId: publicId('member', member) } },
      { id: 'on-call', type: 'assign', params: { scheduleId: schedule } },
      { id: 'acknowledge', type: 'acknowledge' },
      { id: 'resolve', type: 'resolve' },
    ]);
    const alertId = await world.newAlert(tenant, { labels: { service: 'shop' } });
    await world.publishEvent(tenant, 'alert.created', alertId, { depth: 1 });
    const run = await world.run(tenant, 'completed');
    expect(outcomes(run)).toEqual([
      'open done',
      'severity done',
      'labels done',
      'assign done',
      'on-call done',
      'acknowledge done',
      'resolve done',
    ]);
    expect(commandsOf().map(({ body }) => body)).toEqual([
      {
        kind: 'openIncident',
        groupKey: '14:labels.service=4:shop',
        windowSeconds: 60,
        autoResolve: true,
        title: 'shop: High CPU',
        severity: null,
      },
      { kind: 'setSeverity', severity: 'high' },
      { kind: 'addLabels', labels: { team: 'a' } },
      { kind: 'assign', memberId: member },
      { kind: 'assign', memberId: member },
      { kind: 'acknowledge' },
      { kind: 'resolve' },
    ]);
    expect(commandsOf()[0]).toMatchObject({
      workflow: { id: workflowId, name: 'Page' },
      runId: run.id,
      depth: 2,
      alertId,
      environment: 'live',
    });
    expect(run.incident_id).not.toBeNull();
    expect(commandsOf()[1]?.incidentId).toBe(run.incident_id);
  });

  test('a refused one ends the run, unless it may fail', async () => {
    world.answerCommands(({ body }) =>
      body.kind === 'resolve' ? { kind: 'refused', reason: 'what is resolved stays so' } : null,
    );
    await world.newWorkflow(tenant, [
      { id: 'may', type: 'resolve', continueOnError: true },
      { id: 'must', type: 'resolve' },
      page,
    ]);
    await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
    const run = await world.run(tenant, 'failed');
    expect(run.error).toBe('what is resolved stays so');
    expect(outcomes(run)).toEqual(['may failed what is resolved stays so', 'must failed what is resolved stays so']);
    expect(await world.notificationsOf(tenant)).toEqual([]);
  });

  test('one without a reply is repeated until there is a reply', async () => {
    await world.stopNeighbours();
    await world.newWorkflow(tenant, [{ id: 'resolve', type: 'resolve' }]);
    await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
    await eventually(async () => expect(await world.failedJobs()).toBe(1));
    expect(await world.run(tenant, 'running')).toMatchObject({ results: [] });
    world.startNeighbours();
    expect(outcomes(await world.run(tenant, 'completed'))).toEqual(['resolve done']);
  });

  test('one with unless is skipped as soon as the alert is acknowledged, and the page is never sent', async () => {
    await world.newWorkflow(tenant, [
      page,
      { ...page, id: 'escalate', delaySeconds: 3600, unless: ['acknowledged', 'resolved'] },
    ]);
    const alertId = await world.newAlert(tenant);
    await world.publishEvent(tenant, 'alert.created', alertId);
    await world.run(tenant, 'waiting');
    await world.setStatus({ alertId, status: 'acknowledged' });
    await world.publishEvent(tenant, 'alert.acknowledged', alertId);
    expect(outcomes(await world.run(tenant, 'completed'))).toEqual(['page done', 'escalate skipped acknowledged']);
    expect(await world.notificationsOf(tenant)).toHaveLength(1);
  });

  test('one with a delay is done at its time, and the run shows this time', async () => {
    await world.newWorkflow(tenant, [
      { ...page, id: 'late', delaySeconds: 1 },
      { ...page, id: 'later', delaySeconds: 1 },
    ]);
    const before = Date.now();
    await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
    expect((await world.run(tenant, 'waiting')).due_at?.getTime()).toBeGreaterThanOrEqual(before + 1000);
    await world.run(tenant, 'completed');
    const [late, later] = await world.notificationsOf(tenant);
    expect([late?.step_id, later?.step_id]).toEqual(['late', 'later']);
    expect(late?.created_at.getTime()).toBeGreaterThanOrEqual(before + 1000);
    expect((later?.created_at.getTime() ?? 0) - (late?.created_at.getTime() ?? 0)).toBeGreaterThanOrEqual(1000);
  });

  test('the acknowledgement of the incident stops the runs of all its alerts', async () => {
    await world.newWorkflow(tenant, [
      { id: 'open', type: 'openIncident' },
      { ...page, delaySeconds: 3600, unless: ['acknowledged'] },
    ]);
    await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
    const incidentId = (await world.run(tenant, 'waiting')).incident_id ?? '';
    await world.setStatus({ incidentId, status: 'acknowledged' });
    await world.publishEvent(tenant, 'incident.acknowledged', incidentId);
    expect(outcomes(await world.run(tenant, 'completed'))).toEqual(['open done', 'page skipped acknowledged']);
  });

  test('a page for an alert that was suppressed in the meantime is held back, and sent when it resumes', async () => {
    await world.newWorkflow(tenant, [{ ...page, delaySeconds: 1 }]);
    const alertId = await world.newAlert(tenant);
    await world.publishEvent(tenant, 'alert.created', alertId);
    await world.run(tenant, 'waiting');
    await world.setStatus({ alertId, status: 'suppressed' });
    await eventually(async () => expect(await world.run(tenant, 'waiting')).toMatchObject({ due_at: null }));
    expect(await world.notificationsOf(tenant)).toEqual([]);
    await world.setStatus({ alertId, status: 'firing' });
    await world.publishEvent(tenant, 'alert.resumed', alertId);
    expect(outcomes(await world.run(tenant, 'completed'))).toEqual(['page done']);
    expect(await world.runsOf(tenant)).toHaveLength(1);
  });

  test('an alert that joins an open incident pages nobody again', async () => {
    await world.newWorkflow(tenant, [{ id: 'open', type: 'openIncident' }, page]);
    await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
    await world.run(tenant, 'completed');
    await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
    await eventually(async () =>
      expect((await world.runsOf(tenant)).map(outcomes)).toEqual([
        ['open done', 'page done'],
        ['open done', 'page skipped joined'],
      ]),
    );
    expect(await world.notificationsOf(tenant)).toHaveLength(1);
  });

  test('alerts of one incident that resume in the same minute page once', async () => {
    await world.newWorkflow(tenant, [{ id: 'open', type: 'openIncident' }, page]);
    const alerts = [
      await world.newAlert(tenant, { status: 'suppressed' }),
      await world.newAlert(tenant, { status: 'suppressed' }),
      await world.newAlert(tenant, { status: 'suppressed' }),
    ];
    const incidentId = await world.newIncident(tenant);
    const events = [];
    for (const alertId of alerts) {
      await world.admin.query('UPDATE alerts.alerts SET incident_id = $2 WHERE id = $1', [alertId, incidentId]);
      await world.setStatus({ alertId, status: 'firing' });
      events.push({
        ...(await world.eventOf(tenant, 'alert.resumed', alertId)),
        occurredAt: '2026-11-20T14:00:30.000Z',
      });
    }
    await world.publish(...events);
    await eventually(async () =>
      expect((await world.runsOf(tenant)).map(outcomes)).toEqual(alerts.map(() => ['open done', 'page done'])),
    );
    expect(await world.notificationsOf(tenant)).toHaveLength(1);
  });

  test('a workflow that an incident triggers notifies about the incident', async () => {
    await world.newWorkflow(tenant, [page, { id: 'acknowledge', type: 'acknowledge' }], {
      events: ['incident.created'],
    });
    const incidentId = await world.newIncident(tenant, { title: 'Shop is down' });
    await world.publishEvent(tenant, 'incident.created', incidentId);
    await world.run(tenant, 'completed');
    expect(commandsOf()).toMatchObject([{ alertId: null, incidentId, body: { kind: 'acknowledge' } }]);
    await eventually(async () =>
      expect(await world.sentTo(tenant)).toMatchObject([
        { notice: { subject: 'Shop is down', alert: null, incident: { title: 'Shop is down' } } },
      ]),
    );
  });

  test('one with an internal error at each attempt fails in the end, and the run continues if it may', async () => {
    const member = await world.newMember(tenant);
    const schedule = await world.newSchedule(tenant, [member]);
    await world.newWorkflow(tenant, [
      notify([{ type: 'schedule', id: schedule }], { id: 'broken', continueOnError: true }),
      page,
    ]);
    await world.admin.query(`UPDATE resources.schedules SET layers = '{}' WHERE organization_id = $1`, [
      tenant.organizationId,
    ]);
    await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
    await eventually(async () => expect(await world.failedJobs()).toBe(1));
    // The attempts in between would take too long.
    await world.admin.query(
      `UPDATE workflow_jobs._private_jobs SET attempts = 4, run_at = now() WHERE last_error IS NOT NULL`,
    );
    expect(outcomes(await world.run(tenant, 'completed'))).toEqual([
      'broken failed it failed several times because of an internal error',
      'page done',
    ]);
  });

  test.each([
    ['deleted', 'DELETE FROM resources.workflows WHERE id = $1'],
    ['disabled', 'UPDATE resources.workflows SET enabled = false WHERE id = $1'],
  ])('a run whose workflow is %s ends at its next step, and says why', async (state, statement) => {
    const workflowId = await world.newWorkflow(tenant, [{ ...page, delaySeconds: 1 }]);
    await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
    await world.run(tenant, 'waiting');
    await world.admin.query(statement, [workflowId]);
    expect(await world.run(tenant, 'failed')).toMatchObject({ error: `the workflow was ${state}`, results: [] });
    expect(await world.notificationsOf(tenant)).toEqual([]);
  });

  test('an alert whose workflow is deleted before its step that pages asks the catch-all policy', async () => {
    const step = { id: 'page', type: 'page', params: {}, delaySeconds: 1 };
    const workflowId = await world.newWorkflow(tenant, [step]);
    const alertId = await world.newAlert(tenant);
    await world.publishEvent(tenant, 'alert.created', alertId);
    await world.run(tenant, 'waiting');
    await world.admin.query('DELETE FROM resources.workflows WHERE id = $1', [workflowId]);
    await world.run(tenant, 'failed');
    await eventually(() =>
      expect(commandsOf()).toMatchObject([{ alertId, workflow: null, body: { page: { catchAll: true } } }]),
    );
  });

  test('a run that an earlier release began notifies to its end after its workflow has got the step page', async () => {
    const workflowId = await world.newWorkflow(tenant, [
      { id: 'incident', type: 'openIncident', params: { groupBy: ['fingerprint'], autoResolve: true } },
      page,
      { ...page, id: 'escalate', delaySeconds: 1, unless: ['acknowledged', 'resolved'] },
    ]);
    await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
    await world.run(tenant, 'waiting');
    const { steps } = defaultWorkflow;
    await world.admin.query('UPDATE resources.workflows SET steps = $2, version = 2 WHERE id = $1', [
      workflowId,
      JSON.stringify(steps),
    ]);
    expect(outcomes(await world.run(tenant, 'completed'))).toEqual(['incident done', 'page done', 'escalate done']);
    await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
    await eventually(async () => expect(world.commands.at(-1)?.body).toMatchObject({ page: { team: null } }));
  });

  test('a hundred alerts of one group make one incident and one page', async () => {
    await world.newWorkflow(tenant, [
      { id: 'open', type: 'openIncident', params: { groupBy: ['labels.service'] } },
      page,
    ]);
    // One alert comes first, as with the real pipeline.
    let turn: Promise<unknown> = Promise.resolve();
    let opened = 0;
    world.answerCommands(() => {
      const mine = turn.then(
        () =>
          ({
            kind: 'done',
            changed: true,
            alert: null,
            incident: { id: publicId('incident', newUuid()) },
            joined: opened++ > 0,
          }) as never,
      );
      turn = mine;
      return mine;
    });
    const events = [];
    for (let i = 0; i < 100; i++)
      events.push(
        await world.eventOf(tenant, 'alert.created', await world.newAlert(tenant, { labels: { service: 'shop' } })),
      );
    await world.publish(...events);
    await eventually(async () =>
      expect((await world.runsOf(tenant)).filter(({ status }) => status === 'completed')).toHaveLength(100),
    );
    expect(await world.notificationsOf(tenant)).toHaveLength(1);
  });
});
