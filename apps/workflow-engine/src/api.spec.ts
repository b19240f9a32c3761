import {
  getDelivery,
  getNotification,
  listDeliveries,
  listNotifications,
  listWorkflowRuns,
  newUuid,
  publicId,
  testDelivery,
  testNotification,
  testWorkflow,
  uuidOf,
  type AuditRecord,
  type Notification,
  type WorkflowRun,
  type WorkflowTest,
} from '@ams/contracts';
import { managerOf } from '@ams/messaging';
import { eventually } from '@ams/testing';
import {
  dataOf,
  email,
  idempotencyOf,
  notify,
  pageOf,
  patience,
  startWorld,
  type Tenant,
  type TestWorld,
} from '../testing/support.js';

let world: TestWorld;
let tenant: Tenant;

beforeAll(async () => {
  world = await startWorld();
  await world.startReplica();
}, 60_000);
afterAll(() => world.stop());

beforeEach(async () => {
  world.answerSends(null);
  tenant = await world.newTenant();
});

const page = notify([email('ops@example.com')]);
const secretUrl = 'https://hooks.slack.com/services/T0/B0/secret';
const chat = { type: 'channel', kind: 'slack', url: secretUrl };

const auditEntries = async (): Promise<AuditRecord[]> => {
  const manager = await managerOf(world.nats);
  const { state } = await manager.streams.info('AUDIT');
  const entries: AuditRecord[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq++)
    entries.push((await manager.streams.getMessage('AUDIT', { seq }))!.json<AuditRecord>());
  return entries.filter(({ organizationId }) => organizationId === tenant.organizationId);
};

describe('listWorkflowRuns', () => {
  const list = (workflowId: string, query: Record<string, string> = {}, as = tenant) =>
    world.ask(as.principal, listWorkflowRuns, { params: { id: publicId('workflow', workflowId) }, query });

  test('answers the runs, newest first, with what became of each step and what is to come', async () => {
    const workflowId = await world.newWorkflow(tenant, [
      page,
      { ...page, id: 'escalate', delaySeconds: 600, unless: ['acknowledged'] },
      { ...page, id: 'last' },
    ]);
    const [first, second] = [await world.newAlert(tenant), await world.newAlert(tenant)];
    await world.publishEvent(tenant, 'alert.created', first);
    await world.run(tenant, 'waiting');
    await world.publishEvent(tenant, 'alert.created', second);
    await eventually(
      async () => expect((await world.runsOf(tenant)).map(({ status }) => status)).toEqual(['waiting', 'waiting']),
      patience,
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
      `UPDATE workflows.runs SET results = replace(replace(results::text, '"notifications"', '"deliveries"'), '"notificationId"', '"deliveryId"')::jsonb
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

  test('says of what comes after a failed step that it will not be done', async () => {
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

  test('knows no workflow of another tenant, of the other environment, or that was deleted', async () => {
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

describe('listNotifications', () => {
  const list = async (query: Record<string, string> = {}, as = tenant) =>
    pageOf<Notification>(await world.ask(as.principal, listNotifications, { query }));

  test('answers them newest first, by any filter, and never where they really go', async () => {
    const member = await world.newMember(tenant);
    const workflowId = await world.newWorkflow(tenant, [
      notify([{ type: 'user', id: publicId('member', member) }, chat]),
      notify([email('late@example.com')], { id: 'late' }),
    ]);
    const alertId = await world.newAlert(tenant);
    await world.publishEvent(tenant, 'alert.created', alertId);
    await eventually(async () => expect((await list({ status: 'sent' })).data).toHaveLength(3), patience);
    const { data, meta } = await list();
    expect(meta).toMatchObject({ total: 3, hasMore: false });
    expect(data[0]).toMatchObject({ target: 'late@example.com', stepId: 'late', userId: null });
    expect(data.find(({ channel }) => channel === 'slack')).toMatchObject({
      target: 'hooks.slack.com',
      status: 'sent',
      why: 'The workflow "Page" tells this channel.',
    });
    const told = data.find(({ userId }) => userId !== null);
    expect(told).toEqual({
      id: expect.stringMatching(/^ntf_/),
      alertId: publicId('alert', alertId),
      incidentId: null,
      workflowId: publicId('workflow', workflowId),
      runId: expect.stringMatching(/^run_/),
      stepId: 'page',
      userId: publicId('member', member),
      target: 'mira@example.com',
      channel: 'email',
      status: 'sent',
      reason: '250 OK',
      why: 'The workflow "Page" tells you.',
      attempts: 1,
      nextAttemptAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(JSON.stringify(data)).not.toContain('secret');
    for (const query of [
      { channel: 'email' },
      { alertId: publicId('alert', alertId), channel: 'email' },
      { workflowId: publicId('workflow', workflowId), channel: 'email' },
      { since: '2020-01-01T00:00:00Z', channel: 'email' },
    ])
      expect((await list(query as unknown as Record<string, string>)).data).toHaveLength(2);
    expect((await list({ userId: publicId('member', member) })).data).toEqual([told]);
    for (const query of [
      { status: 'failed' },
      { incidentId: 'inc_x' },
      { until: '2020-01-01T00:00:00Z' },
      { alertId: 'x' },
    ])
      expect((await list(query as unknown as Record<string, string>)).data).toEqual([]);
    const first = await list({ limit: '2' });
    expect([...first.data, ...(await list({ limit: '2', cursor: first.meta.nextCursor ?? '' })).data]).toEqual(data);
    expect((await list({}, await world.newTenant())).data).toEqual([]);
  });
});

test('the deprecated operations answer the same', async () => {
  const body = { target: email('ops@example.com') };
  const sent = dataOf<Notification>(await world.ask(tenant.principal, testDelivery, { body }));
  expect(sent).toMatchObject({ id: expect.stringMatching(/^ntf_/), target: 'ops@example.com', status: 'queued' });
  const call = { params: { id: sent.id } };
  const get = async () => dataOf<Notification>(await world.ask(tenant.principal, getNotification, call));
  await eventually(async () => expect(await get()).toMatchObject({ status: 'sent' }), patience);
  expect(dataOf(await world.ask(tenant.principal, getDelivery, call))).toEqual(await get());
  const query = { status: 'sent' };
  const page = pageOf<Notification>(await world.ask(tenant.principal, listDeliveries, { query }));
  expect(page.data).toEqual([await get()]);
  expect(pageOf(await world.ask(tenant.principal, listNotifications, { query }))).toEqual(page);
});

test('getNotification answers one, and none of others', async () => {
  const get = (id: string, as = tenant) => world.ask(as.principal, getNotification, { params: { id } });
  const sent = dataOf<Notification>(
    await world.ask(tenant.principal, testNotification, { body: { target: email('ops@example.com') } }),
  );
  await eventually(
    async () =>
      expect(dataOf<Notification>(await get(sent.id))).toEqual({
        ...sent,
        status: 'sent',
        reason: '250 OK',
        attempts: 1,
        updatedAt: expect.any(String),
      }),
    patience,
  );
  const elsewhere = [
    await world.newTenant(),
    await world.newTenant({ organizationId: tenant.organizationId, environment: 'test' }),
  ];
  for (const as of elsewhere)
    expect(await get(sent.id, as)).toMatchObject({
      code: 'NOT_FOUND',
      details: { resource: 'notification', id: sent.id },
    });
  for (const id of ['x', publicId('notification', newUuid())])
    expect(await get(id)).toMatchObject({ code: 'NOT_FOUND', details: { id } });
});

describe('sendTestNotification', () => {
  const send = (target: object, as = tenant, more: object = {}) =>
    world.ask(as.principal, testNotification, { body: { target }, ...more });

  test('sends to each kind of target, says so in the audit log, and answers no secret', async () => {
    const member = await world.newMember(tenant);
    const schedule = await world.newSchedule(tenant, [member]);
    const answers: Notification[] = [];
    for (const target of [
      email('ops@example.com'),
      { type: 'user', id: publicId('member', member) },
      { type: 'schedule', id: schedule },
      chat,
    ])
      answers.push(dataOf<Notification>(await send(target)));
    expect(answers).toMatchObject([
      {
        target: 'ops@example.com',
        status: 'queued',
        why: 'key sends a test.',
        runId: null,
        workflowId: null,
        attempts: 0,
        userId: null,
      },
      { target: 'mira@example.com', userId: publicId('member', member) },
      { target: 'mira@example.com', userId: publicId('member', member) },
      { target: 'hooks.slack.com', channel: 'slack' },
    ]);
    await eventually(async () => expect((await world.sentTo(tenant)).length).toBe(4), patience);
    const sent = await world.sentTo(tenant);
    expect(sent.find(({ target }) => target.channel === 'slack')).toMatchObject({
      target: { url: secretUrl },
      notice: { reason: 'key sends a test.', alert: null },
      event: { type: 'test' },
    });
    await eventually(
      async () =>
        expect((await auditEntries()).map(({ type, resource, actor }) => [type, resource?.id, actor.name])).toEqual(
          answers.map(({ id }) => ['notification.tested', id, 'key']),
        ),
      patience,
    );
    expect(JSON.stringify(await auditEntries())).not.toContain('secret');
  });

  test('sends nothing in the test environment', async () => {
    const testing = await world.newTenant({ environment: 'test' });
    expect(dataOf<Notification>(await send(email('ops@example.com'), testing))).toMatchObject({ status: 'captured' });
    expect(await world.sentTo(testing)).toEqual([]);
  });

  test('says why nobody can be told', async () => {
    const nobody = await world.newSchedule(tenant, []);
    expect(dataOf<Notification>(await send({ type: 'schedule', id: nobody }))).toMatchObject({
      status: 'skipped',
      reason: 'nobody is on call in Primary',
    });
    expect(dataOf<Notification>(await send({ type: 'user', id: publicId('member', newUuid()) }))).toMatchObject({
      status: 'skipped',
      reason: 'the member is not there',
    });
    const foreign = await world.newMember(await world.newTenant());
    expect(dataOf<Notification>(await send({ type: 'user', id: publicId('member', foreign) }))).toMatchObject({
      status: 'skipped',
      reason: 'the member is not there',
      target: '',
    });
  });

  test('refuses a target that no step could have', async () => {
    expect(await send({ type: 'email', address: 'no address' })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ path: 'target.address' }] },
    });
  });

  test('answers the same request the same, and sends once', async () => {
    const target = email('ops@example.com');
    const more = { idempotency: idempotencyOf(newUuid(), target) };
    const [first, second] = [await send(target, tenant, more), await send(target, tenant, more)];
    expect(second).toEqual(first);
    expect(await world.notificationsOf(tenant)).toHaveLength(1);
  });

  test('ten a minute for an organization, in both environments, however many at once', async () => {
    const testing = await world.newTenant({ organizationId: tenant.organizationId, environment: 'test' });
    const answers = await Promise.all(
      Array.from({ length: 15 }, (_, n) => send(email('ops@example.com'), n % 2 ? tenant : testing)),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(10);
    const refused = answers.find(({ ok }) => !ok) as unknown as { details: { retryAfterSeconds: number } };
    expect(refused).toMatchObject({ code: 'RATE_LIMITED', details: { limit: 10, windowSeconds: 60 } });
    expect(refused.details.retryAfterSeconds).toBeGreaterThan(0);
    expect(refused.details.retryAfterSeconds).toBeLessThanOrEqual(60);
    expect(await send(email('ops@example.com'), await world.newTenant())).toMatchObject({ ok: true });
  });
});

describe('testWorkflow', () => {
  const dryRun = (workflowId: string, body: object, more: object = {}) =>
    world.ask(tenant.principal, testWorkflow, { params: { id: publicId('workflow', workflowId) }, body, ...more });
  const payload = { title: 'High CPU', severity: 'critical' };

  test('says what holds and what would be done when, and does nothing', async () => {
    const member = await world.newMember(tenant);
    const schedule = await world.newSchedule(tenant, [member]);
    const workflowId = await world.newWorkflow(
      tenant,
      [
        { id: 'open', type: 'openIncident', params: { groupBy: ['fingerprint'] } },
        notify([{ type: 'schedule', id: schedule }, chat]),
        { ...page, id: 'later', delaySeconds: 600 },
        { id: 'assign', type: 'assign', params: { scheduleId: schedule } },
        { id: 'labels', type: 'addLabels', params: { labels: { team: 'a' } } },
        { id: 'severity', type: 'setSeverity', params: { severity: 'high' } },
        { id: 'hook', type: 'webhook', params: { url: 'https://example.com/secret', secret: 'hidden' } },
        { id: 'resolve', type: 'resolve' },
      ],
      { conditions: { field: 'severity', op: 'gte', value: 'high' } },
    );
    const at = new Date().toISOString();
    const result = dataOf<WorkflowTest>(await dryRun(workflowId, { payload, at }));
    const later = new Date(Date.parse(at) + 600_000).toISOString();
    expect(result).toMatchObject({ runs: true, reason: null, trace: { holds: true, actual: 'critical' } });
    expect(result.steps.map(({ id, at: time, would }) => [id, time, would])).toEqual([
      ['open', at, 'open the incident "High CPU" (one for each fingerprint)'],
      ['page', at, 'tell 2 recipients'],
      ['later', later, 'tell one recipient'],
      ['assign', later, `assign ${publicId('member', member)}, who is on call in Primary`],
      ['labels', later, 'add the labels team: a'],
      ['severity', later, 'set the severity to high'],
      ['hook', later, 'call example.com'],
      ['resolve', later, 'resolve the alert'],
    ]);
    expect(result.steps[1]?.targets).toMatchObject([
      {
        channel: 'email',
        target: 'mira@example.com',
        why: 'You are on call in "Primary".',
        unreachable: null,
        onCall: { scheduleName: 'Primary', source: 'layer', userId: publicId('member', member) },
      },
      { channel: 'slack', target: 'hooks.slack.com' },
    ]);
    expect(JSON.stringify(result)).not.toMatch(/secret|hidden/);
    expect([await world.runsOf(tenant), await world.notificationsOf(tenant), await world.consideredOf(tenant)]).toEqual(
      [[], [], []],
    );
  });

  test('says why it would not run', async () => {
    const workflowId = await world.newWorkflow(tenant, [page], {
      conditions: { field: 'severity', op: 'eq', value: 'low' },
    });
    const off = await world.newWorkflow(tenant, [page], { enabled: false });
    const quiet = await world.newWorkflow(tenant, [page]);
    const ofIncidents = await world.newWorkflow(tenant, [page], { events: ['incident.created'] });
    expect(dataOf(await dryRun(workflowId, { payload }))).toMatchObject({
      runs: false,
      reason: 'conditions',
      trace: { holds: false },
      steps: [{ id: 'page' }],
    });
    expect(dataOf(await dryRun(workflowId, { payload, event: 'alert.resolved' }))).toMatchObject({
      runs: false,
      reason: 'trigger',
    });
    expect(dataOf(await dryRun(off, { payload }))).toMatchObject({ runs: false, reason: 'disabled' });
    expect(dataOf(await dryRun(ofIncidents, { payload }))).toMatchObject({ runs: false, reason: 'trigger' });
    const alertId = publicId('alert', await world.newAlert(tenant, { status: 'suppressed' }));
    expect(dataOf(await dryRun(quiet, { alertId }))).toMatchObject({ runs: false, reason: 'quiet' });
  });

  describe('decides a payload as if it came', () => {
    const integrationId = () => publicId('integration', tenant.integrationId);
    const of = (workflowId: string, sent: object, more: object = {}) =>
      dryRun(workflowId, {
        payload: { ...payload, fingerprint: 'cpu', ...sent },
        integrationId: integrationId(),
        ...more,
      });
    const newWindow = (matchers: object[]) =>
      world.admin.query(
        `INSERT INTO resources.suppression_windows (id, organization_id, environment, name, enabled, matchers, client_ids, integration_ids, except_severities, match_all, starts_at, ends_at, timezone, on_end, created_by)
         VALUES ($1, $2, $3, 'Maintenance', true, $4, '{}', '{}', '{}', false, now() - interval '1 hour', now() + interval '1 hour', 'UTC', 'resume', '{}')`,
        [newUuid(), tenant.organizationId, tenant.environment, JSON.stringify(matchers)],
      );
    const newOpenAlert = async (values: Parameters<TestWorld['newAlert']>[1] = {}) => {
      const id = await world.newAlert(tenant, { fingerprint: 'cpu', ...values });
      await world.admin.query(`UPDATE alerts.alerts SET dedup_scope = 'integration:' || integration_id WHERE id = $1`, [
        id,
      ]);
      return publicId('alert', id);
    };
    const [created, resolved, suppressed] = [['alert.created'], ['alert.resolved'], ['alert.suppressed']];

    beforeEach(async () => {
      const settings = {
        fieldMappings: [],
        itemsPath: null,
        parseJson: [],
        severityMap: null,
        statusMap: null,
        defaultSeverity: null,
        staticLabels: {},
        handshakeWhen: [],
        ignoreWhen: [],
      };
      await world.admin.query(
        `INSERT INTO resources.integrations (id, organization_id, environment, name, type, enabled, token_hash, token_hint, settings, dedup_scope, created_at, updated_at)
         VALUES ($1, $2, $3, 'Probe', 'generic', true, $4, 'hint', $5, 'integration', now(), now())`,
        [tenant.integrationId, tenant.organizationId, tenant.environment, newUuid(), JSON.stringify(settings)],
      );
    });

    test('which opens an alert', async () => {
      const workflowId = await world.newWorkflow(tenant, [page], { events: created });
      expect(dataOf(await of(workflowId, {}))).toMatchObject({
        runs: true,
        event: 'alert.created',
        alert: { decision: 'opened', alertId: null, status: 'firing' },
        windows: [],
      });
    });

    test('which a window hides from the beginning: the alert is created, and nobody hears of it', async () => {
      await newWindow([{ field: 'title', op: 'contains', value: 'CPU' }]);
      const workflowId = await world.newWorkflow(tenant, [page], { events: created });
      expect(dataOf(await of(workflowId, {}))).toMatchObject({
        runs: false,
        reason: 'quiet',
        event: 'alert.created',
        alert: { decision: 'opened', status: 'suppressed' },
        windows: [{ name: 'Maintenance', matched: true }],
      });
      expect(dataOf(await of(workflowId, { title: 'Disk' }))).toMatchObject({
        runs: true,
        windows: [{ matched: false }],
      });
    });

    test('which brings the open alert under a window', async () => {
      await newWindow([{ field: 'severity', op: 'eq', value: 'low' }]);
      const alertId = await newOpenAlert();
      const workflowId = await world.newWorkflow(tenant, [page], { events: suppressed });
      expect(dataOf(await of(workflowId, { severity: 'low' }))).toMatchObject({
        runs: true,
        event: 'alert.suppressed',
        alert: { decision: 'occurred', alertId, status: 'suppressed' },
      });
      expect(dataOf(await of(workflowId, {}))).toMatchObject({
        runs: false,
        reason: 'trigger',
        event: null,
        alert: { decision: 'occurred', alertId, status: 'firing' },
      });
      expect(dataOf(await of(workflowId, {}, { event: 'alert.suppressed' }))).toMatchObject({
        runs: true,
        event: 'alert.suppressed',
      });
    });

    test('which resolves the open alert, whose severity it does not say', async () => {
      const alertId = await newOpenAlert({ severity: 'high' });
      const workflowId = await world.newWorkflow(tenant, [page], {
        events: resolved,
        conditions: { field: 'severity', op: 'eq', value: 'high' },
      });
      expect(dataOf(await of(workflowId, { severity: undefined, status: 'resolved' }))).toMatchObject({
        runs: true,
        event: 'alert.resolved',
        alert: { decision: 'resolved', alertId, status: 'resolved' },
      });
    });

    test('which resolves nothing', async () => {
      const workflowId = await world.newWorkflow(tenant, [page], { events: resolved });
      const body = { severity: undefined, status: 'resolved' };
      expect(dataOf(await of(workflowId, body))).toMatchObject({
        runs: false,
        reason: 'trigger',
        event: null,
        alert: { decision: 'noMatch', alertId: null, status: null },
      });
      expect(dataOf(await of(workflowId, body, { event: 'alert.resolved' }))).toMatchObject({
        runs: true,
        trace: { holds: true },
      });
    });

    test('and says which incident it would join', async () => {
      const workflowId = await world.newWorkflow(tenant, [{ id: 'open', type: 'openIncident' }, page]);
      const incidentId = publicId('incident', await world.newIncident(tenant, { workflowId, groupKey: '' }));
      expect(dataOf<WorkflowTest>(await of(workflowId, {})).steps).toMatchObject([
        { incident: { decision: 'joined', id: incidentId, number: 1, title: 'Outage' } },
        { outcome: 'skipped', reason: 'joined' },
      ]);
      expect(await world.runsOf(tenant)).toEqual([]);
    });
  });

  test('takes alerts and incidents of the tenant, and a payload as its integration maps it', async () => {
    const workflowId = await world.newWorkflow(tenant, [page], {
      conditions: { field: 'labels.region', op: 'eq', value: 'eu' },
    });
    const ofIncidents = await world.newWorkflow(tenant, [page], {
      events: ['incident.created'],
      conditions: { field: 'incident.title', op: 'eq', value: 'Outage' },
    });
    expect(
      dataOf(
        await dryRun(workflowId, {
          alertId: publicId('alert', await world.newAlert(tenant, { labels: { region: 'eu' } })),
        }),
      ),
    ).toMatchObject({ runs: true });
    expect(
      dataOf(await dryRun(ofIncidents, { incidentId: publicId('incident', await world.newIncident(tenant)) })),
    ).toMatchObject({ runs: true });
    const stranger = await world.newTenant();
    expect(await dryRun(workflowId, { alertId: publicId('alert', await world.newAlert(stranger)) })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ path: 'alertId', rule: 'exists' }] },
    });
    expect(
      await dryRun(workflowId, { incidentId: publicId('incident', await world.newIncident(stranger)) }),
    ).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await dryRun(workflowId, { payload, integrationId: publicId('integration', newUuid()) })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ path: 'integrationId' }] },
    });
    expect(await dryRun(workflowId, { payload: { severity: 'critical' } })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ path: 'payload.title' }] },
    });
    expect(await dryRun(workflowId, {})).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await dryRun(newUuid(), { payload })).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('answers the same request the same, and keeps nothing but the answer', async () => {
    const workflowId = await world.newWorkflow(tenant, [page]);
    const more = { idempotency: idempotencyOf(newUuid(), payload) };
    const first = await dryRun(workflowId, { payload }, more);
    expect(await dryRun(workflowId, { payload }, more)).toEqual(first);
    expect(uuidOf('workflow', publicId('workflow', workflowId))).toBe(workflowId);
  });
});
