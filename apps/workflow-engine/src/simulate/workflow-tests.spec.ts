import { newUuid, publicId, simulate, testWorkflow, uuidOf, type Simulation, type WorkflowTest } from '@ams/contracts';
import {
  dataOf,
  email,
  idempotencyOf,
  notify,
  startWorld,
  type Tenant,
  type TestWorld,
} from '../../testing/support.js';
import { insertSuppressionWindow } from '@ams/testing';

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
const secretUrl = 'https://hooks.slack.com/services/T0/B0/secret';
const chat = { type: 'channel', kind: 'slack', url: secretUrl };

describe('testWorkflow', () => {
  const dryRun = (workflowId: string, body: object, more: object = {}) =>
    world.ask(tenant.principal, testWorkflow, { params: { id: publicId('workflow', workflowId) }, body, ...more });
  const payload = { title: 'High CPU', severity: 'critical' };

  test('compares the open alerts of an incident, and a simulation does so too', async () => {
    const workflowId = await world.newWorkflow(tenant, [page], {
      events: ['incident.created'],
      conditions: { field: 'alerts.any.labels.team', op: 'in', value: ['db', 'cache'] },
    });
    const incidentId = await world.newIncident(tenant);
    await world.newAlert(tenant, { incidentId, labels: { team: 'web' }, fingerprint: 'web' });
    const tested = async () =>
      dataOf<WorkflowTest>(await dryRun(workflowId, { incidentId: publicId('incident', incidentId) }));
    expect(await tested()).toMatchObject({ runs: false, reason: 'conditions', trace: { actual: 'web' } });
    await world.newAlert(tenant, { incidentId, labels: { team: 'db' }, fingerprint: 'db' });
    expect(await tested()).toMatchObject({ runs: true, reason: null, trace: { holds: true, actual: 'db' } });
    await world.newWorkflow(tenant, [{ id: 'open', type: 'openIncident' }], { name: 'Opener' });
    const alert = { title: 'High CPU', severity: 'critical', labels: { team: 'cache' } };
    const { items } = dataOf<Simulation>(await world.ask(tenant.principal, simulate, { body: { alert } }));
    expect(items[0]?.follows).toMatchObject([
      { event: 'incident.created', workflows: [{ outcome: 'run', trace: { holds: true, actual: 'cache' } }] },
    ]);
  });

  test('shows the conditions and the steps with their times, and changes nothing', async () => {
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
      ['open', at, 'open the incident "High CPU" (one incident for each fingerprint)'],
      ['page', at, 'notify 2 recipients'],
      ['later', later, 'notify one recipient'],
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

  describe('decides a payload like a real one', () => {
    const integrationId = () => publicId('integration', tenant.integrationId);
    const of = (workflowId: string, sent: object, more: object = {}) =>
      dryRun(workflowId, {
        payload: { ...payload, fingerprint: 'cpu', ...sent },
        integrationId: integrationId(),
        ...more,
      });
    const newWindow = (matchers: object[]) =>
      insertSuppressionWindow(world.admin, tenant, { matchers, startsAt: new Date(Date.now() - 3_600_000) });
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
        `INSERT INTO resources.integrations (id, organization_id, environment, name, type, enabled, token_hash,
           token_hint, settings, dedup_scope, created_at, updated_at)
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

    test('that a window suppresses from the beginning: the alert is created, and nobody is notified', async () => {
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

    test('with which a window suppresses the open alert', async () => {
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

    test('which resolves the open alert without a severity of its own', async () => {
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

    test('and shows which incident it would join', async () => {
      const workflowId = await world.newWorkflow(tenant, [{ id: 'open', type: 'openIncident' }, page]);
      const incidentId = publicId('incident', await world.newIncident(tenant, { workflowId, groupKey: '' }));
      expect(dataOf<WorkflowTest>(await of(workflowId, {})).steps).toMatchObject([
        { incident: { decision: 'joined', id: incidentId, number: 1, title: 'Outage' } },
        { outcome: 'skipped', reason: 'joined' },
      ]);
      expect(await world.runsOf(tenant)).toEqual([]);
    });
  });

  test('accepts alerts and incidents of the tenant, and maps a payload by its integration', async () => {
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

  test('repeats the answer to a repeated request, and stores only the answer', async () => {
    const workflowId = await world.newWorkflow(tenant, [page]);
    const more = { idempotency: idempotencyOf(newUuid(), payload) };
    const first = await dryRun(workflowId, { payload }, more);
    expect(await dryRun(workflowId, { payload }, more)).toEqual(first);
    expect(uuidOf('workflow', publicId('workflow', workflowId))).toBe(workflowId);
  });
});
