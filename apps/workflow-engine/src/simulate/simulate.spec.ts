import { newUuid, publicId, simulate, type IngestEvent, type Simulation, type SimulatedItem } from '@ams/contracts';
import { applyEvents } from '@ams/alerting';
import { Database } from '@ams/database';
import {
  dataOf,
  email,
  idempotencyOf,
  notify,
  startWorld,
  type Tenant,
  type TestWorld,
} from '../../testing/support.js';
import { simulationRecords } from '../../testing/simulation-records.js';
import { ImaginedRecords } from './imagined-records.js';

let world: TestWorld;
let tenant: Tenant;
/** The value that the service uses. */
let database: Database;

beforeAll(async () => {
  world = await startWorld();
  await world.startReplica();
  database = await Database.open({
    service: 'workflow-engine',
    url: world.databaseUrl,
    poolSize: 1,
    connectTimeoutMs: 30_000,
  });
});
afterAll(async () => {
  await database?.close();
  await world.stop();
});
beforeEach(async () => {
  tenant = await world.newTenant();
});

const ask = (body: object, more: object = {}, as = tenant) => world.ask(as.principal, simulate, { body, ...more });

const simulated = async (body: object): Promise<SimulatedItem[]> => dataOf<Simulation>(await ask(body)).items;

const { newIntegration, newOpenAlert, newWindow, rowCounts } = simulationRecords(
  () => world,
  () => tenant,
);

/** An imagined time. */
const at = '2100-06-01T12:00:00.000Z';

const cpu = { title: 'High CPU', severity: 'critical', fingerprint: 'cpu' };

describe('a standard payload', () => {
  test('passes all stages, and nothing is stored', async () => {
    const member = await world.newMember(tenant);
    const schedule = await world.newSchedule(tenant, [member]);
    const page = await world.newWorkflow(
      tenant,
      [
        notify([{ type: 'schedule', id: schedule }]),
        { id: 'incident', type: 'openIncident', params: {}, delaySeconds: 60 },
      ],
      {
        conditions: { field: 'severity', op: 'gte', value: 'high' },
      },
    );
    const other = await world.newWorkflow(tenant, [notify([email('ops@example.com')])], {
      name: 'Other',
      conditions: { field: 'title', op: 'eq', value: 'x' },
    });
    await world.newWorkflow(tenant, [notify([email('ops@example.com')])], { events: ['alert.resolved'] });
    await world.newWorkflow(tenant, [notify([email('ops@example.com')])], { enabled: false });
    const before = await rowCounts();
    const [item, ...more] = await simulated({ alert: cpu, at: '2040-11-20T14:00:00Z' });
    expect(more).toEqual([]);
    expect(item).toMatchObject({
      outcome: 'event',
      reason: null,
      faults: [],
      event: { ...cpu, status: 'firing', labels: {} },
      mapping: { title: { from: 'standard', path: 'title' }, status: { from: 'default' } },
      fingerprint: { value: 'cpu', source: 'explicit', inputs: { fingerprint: 'cpu' }, scope: 'integration' },
      alert: { decision: 'opened', alertId: null, status: 'firing' },
      windows: [],
    });
    expect(item?.workflows).toMatchObject([
      {
        workflowId: publicId('workflow', page),
        event: 'alert.created',
        outcome: 'run',
        trace: { holds: true },
        steps: [
          {
            id: 'page',
            at: '2040-11-20T14:00:00.000Z',
            would: 'notify one recipient',
            targets: [{ target: 'mira@example.com' }],
          },
          { id: 'incident', at: '2040-11-20T14:01:00.000Z' },
        ],
      },
      {
        workflowId: publicId('workflow', other),
        outcome: 'conditions',
        trace: { holds: false, actual: 'High CPU' },
        steps: [],
      },
    ]);
    expect(await rowCounts()).toEqual(before);
  });

  test('gets all its errors in one answer', async () => {
    expect(await simulated({ alert: { severity: 'worst' } })).toMatchObject([
      { outcome: 'faulty', event: null, faults: [{ path: 'title', rule: 'required' }, { path: 'severity' }] },
    ]);
  });

  test('is decided with the windows of the imagined time', async () => {
    const matching = await newWindow({
      around: '2040-11-20T14:00:00Z',
      matchers: [{ field: 'title', op: 'contains', value: 'CPU' }],
    });
    const other = await newWindow({
      around: '2040-11-20T14:00:00Z',
      name: 'Other',
      matchers: [{ field: 'title', op: 'contains', value: 'Disk' }],
    });
    await world.newWorkflow(tenant, [notify([email('ops@example.com')])]);
    expect(await simulated({ alert: cpu, at: '2040-11-20T14:30:00Z' })).toMatchObject([
      {
        alert: { decision: 'opened', status: 'suppressed' },
        workflows: [{ outcome: 'quiet', steps: [] }],
        windows: [
          { windowId: matching, name: 'Maintenance', matched: true, until: '2040-11-20T15:00:00.000Z' },
          { windowId: other, name: 'Other', matched: false },
        ],
      },
    ]);
    expect(await simulated({ alert: cpu, at: '2040-11-20T16:00:00Z' })).toMatchObject([
      { alert: { status: 'firing' }, windows: [], workflows: [{ outcome: 'run' }] },
    ]);
  });
});

test('an alert that a window suppresses is created with the changes of a real timeline', async () => {
  const windowId = await newWindow({ around: at });
  const [item] = await simulated({ alert: cpu, at });
  const suppression = { windowId, until: '2100-06-01T13:00:00.000Z', priorStatus: 'firing' };
  expect(item?.alert?.changes).toEqual([
    { field: 'status', before: null, after: 'suppressed' },
    { field: 'severity', before: null, after: 'critical' },
    { field: 'suppression', before: null, after: suppression },
  ]);
});

test('an open alert gets the present name of its integration', async () => {
  await newOpenAlert({ fingerprint: 'cpu' });
  const event: IngestEvent = {
    ...{ id: newUuid(), integrationId: tenant.integrationId, integrationName: 'New name', receivedAt: at },
    ...{ organizationId: tenant.organizationId, environment: tenant.environment, clientId: null },
    ...{ title: 'High CPU', severity: 'critical', status: 'firing', source: null, description: null },
    ...{ fingerprint: 'cpu', fingerprintSource: 'explicit', labels: {}, annotations: {} },
    ...{ dedupScope: 'integration', autoResolveAfterSeconds: null },
  };
  await database.asService(async (tx) => {
    const records = new ImaginedRecords(tx, tenant);
    const [applied] = await applyEvents(tx, records, [event], { partition: 0, now: new Date(at) });
    expect(applied).toMatchObject({ effect: 'occurred', alert: { integrationName: 'New name' } });
  });
});

describe('a payload of an integration', () => {
  test('is mapped by its settings, belongs to its client, and finds its open alert', async () => {
    const clientId = newUuid();
    await world.admin.query(
      `INSERT INTO resources.clients (id, organization_id, environment, name, slug, aliases, contacts, timezone)
       VALUES ($1, $2, $3, 'Acme', 'acme', '{}', '[]', 'UTC')`,
      [clientId, tenant.organizationId, tenant.environment],
    );
    const integrationId = await newIntegration({
      clientId,
      settings: { fieldMappings: [{ target: 'title', source: 'check.name' }], severityMap: { urgent: 'critical' } },
    });
    await world.newWorkflow(tenant, [notify([email('ops@example.com')])], {
      events: ['alert.severityChanged', 'alert.resolved'],
      conditions: { field: 'client.slug', op: 'eq', value: 'acme' },
    });
    const alertId = await world.newAlert(tenant, { fingerprint: 'cpu', severity: 'low', status: 'firing' });
    await world.admin.query(`UPDATE alerts.alerts SET dedup_scope = 'integration:' || integration_id WHERE id = $1`, [
      alertId,
    ]);
    const payload = { check: { name: 'High CPU' }, severity: 'urgent', fingerprint: 'cpu' };
    const [item] = await simulated({ payload, integrationId });
    expect(item).toMatchObject({
      mapping: {
        title: { from: 'mapping', entry: 0, path: 'check.name' },
        severity: { raw: 'urgent', via: 'severityMap' },
      },
      alert: { decision: 'occurred', alertId: publicId('alert', alertId), status: 'firing' },
      workflows: [{ event: 'alert.severityChanged', outcome: 'run' }],
    });
    expect(item?.alert).toMatchObject({
      changes: expect.arrayContaining([
        { field: 'severity', before: 'low', after: 'critical' },
        { field: 'occurrenceCount', before: 1, after: 2 },
      ]),
    });
    expect(await simulated({ payload: { ...payload, status: 'resolved' }, integrationId })).toMatchObject([
      { alert: { decision: 'resolved', status: 'resolved' }, workflows: [{ event: 'alert.resolved', outcome: 'run' }] },
    ]);
    expect(
      await simulated({ payload: { ...payload, status: 'resolved', fingerprint: 'other' }, integrationId }),
    ).toMatchObject([{ alert: { decision: 'noMatch', alertId: null, status: null, changes: [] }, workflows: [] }]);
    expect(
      (await world.admin.query('SELECT status, occurrence_count FROM alerts.alerts WHERE id = $1', [alertId])).rows,
    ).toEqual([{ status: 'firing', occurrence_count: 1 }]);
  });

  test('finds an alert of another integration only when the deduplication scope is the environment', async () => {
    const integrationId = await newIntegration({ dedupScope: 'organization' });
    const alertId = await world.newAlert({ ...tenant, integrationId: newUuid() }, { fingerprint: 'cpu' });
    expect(await simulated({ alert: cpu, integrationId })).toMatchObject([{ alert: { decision: 'opened' } }]);
    await world.admin.query(`UPDATE alerts.alerts SET dedup_scope = 'organization' WHERE id = $1`, [alertId]);
    expect(await simulated({ alert: cpu, integrationId })).toMatchObject([
      { alert: { decision: 'occurred', alertId: publicId('alert', alertId) }, fingerprint: { scope: 'organization' } },
    ]);
    expect(await simulated({ alert: cpu })).toMatchObject([{ alert: { decision: 'opened' } }]);
  });

  test('may contain several alerts, and later ones see the effects of earlier ones', async () => {
    const integrationId = await newIntegration({
      settings: { itemsPath: 'alerts', ignoreWhen: [{ path: 'test', equals: true }] },
    });
    const alerts = [
      cpu,
      { ...cpu, severity: 'low' },
      { test: true },
      7,
      { ...cpu, status: 'resolved' },
      { ...cpu, status: 'acknowledged' },
    ];
    const items = await simulated({ payload: { alerts }, integrationId });
    expect(items.map(({ outcome, alert }) => [outcome, (alert as { decision?: string } | null)?.decision])).toEqual([
      ['event', 'opened'],
      ['event', 'occurred'],
      ['ignored', undefined],
      ['faulty', undefined],
      ['event', 'resolved'],
      ['event', 'opened'],
    ]);
    expect(items[2]?.reason).toBe('ignoreWhen[0]: test is true');
    expect(await simulated({ payload: { alerts: Array.from({ length: 60 }, () => cpu) }, integrationId })).toHaveLength(
      25,
    );
  });

  test('may be a handshake', async () => {
    const integrationId = await newIntegration({
      settings: { handshakeWhen: [{ path: 'Type', equals: 'SubscriptionConfirmation' }] },
    });
    expect(await simulated({ payload: { Type: 'SubscriptionConfirmation' }, integrationId })).toMatchObject([
      { outcome: 'ignored', reason: 'it is a handshake, which holds no alert' },
    ]);
  });

  test('is refused when the integration belongs to another tenant', async () => {
    const integrationId = await newIntegration();
    expect(await ask({ payload: cpu, integrationId }, {}, await world.newTenant())).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ path: 'integrationId', rule: 'exists' }] },
    });
  });
});

test('a request without a payload, or with two, is refused', async () => {
  for (const body of [{}, { payload: cpu, alert: cpu }])
    expect(await ask(body)).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ path: 'payload', rule: 'oneOf' }] },
    });
  expect(await ask({ alert: cpu, at: 'soon' })).toMatchObject({ code: 'VALIDATION_ERROR' });
});

test('text that cannot be stored causes no error', async () => {
  expect(
    await simulated({ alert: { title: 'a\0b', severity: 'low', fingerprint: '\0', labels: { client: '\0\ud800' } } }),
  ).toMatchObject([{ outcome: 'event', event: { title: 'a\ufffdb' } }]);
});

test('with an Idempotency-Key the first answer is repeated, and only this answer is stored', async () => {
  await world.newWorkflow(tenant, [notify([email('ops@example.com')])]);
  const before = await rowCounts();
  const body = { alert: cpu };
  const first = await ask(body, { idempotency: idempotencyOf('s1', body) });
  expect(first).toMatchObject({ ok: true });
  await newWindow();
  expect(await ask(body, { idempotency: idempotencyOf('s1', body) })).toEqual(first);
  expect(await simulated(body)).toMatchObject([{ alert: { status: 'suppressed' } }]);
  expect(await rowCounts()).toEqual(before);
});

test('alerts, windows and workflows of other tenants have no effect', async () => {
  const mine = tenant;
  tenant = await world.newTenant();
  await newWindow();
  await world.newWorkflow(tenant, [notify([email('ops@example.com')])]);
  tenant = mine;
  expect(await simulated({ alert: cpu })).toMatchObject([
    { alert: { decision: 'opened', status: 'firing' }, windows: [], workflows: [] },
  ]);
});
