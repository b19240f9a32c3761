import { newUuid, publicId, simulate, type IngestEvent, type Simulation, type SimulatedItem } from '@ams/contracts';
import { applyEvents, findIncidentOfGroup } from '@ams/alerting';
import { Database } from '@ams/database';
import { groupKeyOf, type AlertFacts, type IncidentStatus } from '@ams/domain';
import fc from 'fast-check';
import {
  dataOf,
  email,
  idempotencyOf,
  notify,
  startWorld,
  type Tenant,
  type TestWorld,
} from '../../testing/support.js';
import { ImaginedRecords } from './imagined-records.js';

let world: TestWorld;
let tenant: Tenant;
/** As the service has it. */
let database: Database;

beforeAll(async () => {
  world = await startWorld();
  await world.startReplica();
  database = await Database.open({ service: 'workflow-engine', url: world.databaseUrl, poolSize: 1 });
}, 60_000);
afterAll(async () => {
  await database?.close();
  await world.stop();
});
beforeEach(async () => {
  tenant = await world.newTenant();
});

const ask = (body: object, more: object = {}, as = tenant) => world.ask(as.principal, simulate, { body, ...more });
const simulated = async (body: object): Promise<SimulatedItem[]> => dataOf<Simulation>(await ask(body)).items;

/** A time that is imagined. */
const at = '2100-06-01T12:00:00.000Z';

const cpu = { title: 'High CPU', severity: 'critical', fingerprint: 'cpu' };

/** The public id of an integration. */
async function newIntegration(
  values: { settings?: object; dedupScope?: string; clientId?: string | null; type?: string } = {},
): Promise<string> {
  const { settings = {}, dedupScope = 'integration', clientId = null, type = 'generic' } = values;
  const base = {
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
    `INSERT INTO resources.integrations (id, organization_id, environment, name, type, enabled, client_id, token_hash, token_hint, settings, dedup_scope, created_at, updated_at)
     VALUES ($1, $2, $3, 'Probe', $4, true, $5, $6, 'hint', $7, $8, now(), now())`,
    [
      tenant.integrationId,
      tenant.organizationId,
      tenant.environment,
      type,
      clientId,
      newUuid(),
      JSON.stringify({ ...base, ...settings }),
      dedupScope,
    ],
  );
  return publicId('integration', tenant.integrationId);
}

/** The public id of a window from an hour before to an hour after a time. */
async function newWindow(values: { matchers?: object[]; around?: string; name?: string } = {}): Promise<string> {
  const { matchers = [], around = new Date().toISOString(), name = 'Maintenance' } = values;
  const id = newUuid();
  const [from, to] = [-3_600_000, 3_600_000].map((ms) => new Date(Date.parse(around) + ms));
  await world.admin.query(
    `INSERT INTO resources.suppression_windows (id, organization_id, environment, name, enabled, matchers, client_ids, integration_ids, except_severities, match_all, starts_at, ends_at, timezone, on_end, created_by)
     VALUES ($1, $2, $3, $4, true, $5, '{}', '{}', '{}', $6, $7, $8, 'UTC', 'resume', '{}')`,
    [id, tenant.organizationId, tenant.environment, name, JSON.stringify(matchers), matchers.length === 0, from, to],
  );
  return publicId('suppressionWindow', id);
}

/** How many rows there are of all that a simulation could write. */
const written = async (): Promise<unknown> =>
  (
    await world.admin.query(
      `SELECT (SELECT count(*) FROM alerts.alerts) AS alerts, (SELECT count(*) FROM alerts.events) AS events, (SELECT count(*) FROM workflows.considered) AS considered,
       (SELECT count(*) FROM workflows.runs) AS runs, (SELECT count(*) FROM workflows.notifications) AS notifications, (SELECT count(*) FROM workflows.outbox) AS outbox`,
    )
  ).rows[0];

describe('a standard payload', () => {
  test('goes the whole path, and leaves nothing behind', async () => {
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
    const before = await written();
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
            would: 'tell one recipient',
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
    expect(await written()).toEqual(before);
  });

  test('says all that is wrong with it', async () => {
    expect(await simulated({ alert: { severity: 'worst' } })).toMatchObject([
      { outcome: 'faulty', event: null, faults: [{ path: 'title', rule: 'required' }, { path: 'severity' }] },
    ]);
  });

  test('is decided with the windows of the time that it is to be', async () => {
    const hides = await newWindow({
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
          { windowId: hides, name: 'Maintenance', matched: true, until: '2040-11-20T15:00:00.000Z' },
          { windowId: other, name: 'Other', matched: false },
        ],
      },
    ]);
    expect(await simulated({ alert: cpu, at: '2040-11-20T16:00:00Z' })).toMatchObject([
      { alert: { status: 'firing' }, windows: [], workflows: [{ outcome: 'run' }] },
    ]);
  });
});

test('an alert that a window suppresses is created with the same changes as in the timeline of a real one', async () => {
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
  test('is mapped by its settings, about its client, and meets its open alert', async () => {
    const clientId = newUuid();
    await world.admin.query(
      `INSERT INTO resources.clients (id, organization_id, environment, name, slug, aliases, contacts, timezone) VALUES ($1, $2, $3, 'Acme', 'acme', '{}', '[]', 'UTC')`,
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

  test('meets an alert of another integration only when it looks in the whole environment', async () => {
    const integrationId = await newIntegration({ dedupScope: 'organization' });
    const alertId = await world.newAlert({ ...tenant, integrationId: newUuid() }, { fingerprint: 'cpu' });
    expect(await simulated({ alert: cpu, integrationId })).toMatchObject([{ alert: { decision: 'opened' } }]);
    await world.admin.query(`UPDATE alerts.alerts SET dedup_scope = 'organization' WHERE id = $1`, [alertId]);
    expect(await simulated({ alert: cpu, integrationId })).toMatchObject([
      { alert: { decision: 'occurred', alertId: publicId('alert', alertId) }, fingerprint: { scope: 'organization' } },
    ]);
    expect(await simulated({ alert: cpu })).toMatchObject([{ alert: { decision: 'opened' } }]);
  });

  test('may hold several alerts, of which the later ones meet what the earlier ones left', async () => {
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

  test('is refused when the integration is of somebody else', async () => {
    const integrationId = await newIntegration();
    expect(await ask({ payload: cpu, integrationId }, {}, await world.newTenant())).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ path: 'integrationId', rule: 'exists' }] },
    });
  });
});

const newIncident = async (
  values: {
    workflowId?: string;
    groupKey?: string;
    status?: IncidentStatus;
    autoResolve?: boolean;
    lastAlertAt?: string;
    openAlertCount?: number;
    createdAt?: string;
  } = {},
): Promise<string> => {
  const {
    workflowId = null,
    groupKey = null,
    status = 'triggered',
    autoResolve = false,
    lastAlertAt = new Date().toISOString(),
    openAlertCount = 1,
    createdAt = lastAlertAt,
  } = values;
  const id = await world.newIncident(tenant, { workflowId, groupKey, status });
  await world.admin.query(
    'UPDATE alerts.incidents SET auto_resolve = $2, last_alert_at = $3, open_alert_count = $4, alert_count = $4, created_at = $5 WHERE id = $1',
    [id, autoResolve, lastAlertAt, openAlertCount, createdAt],
  );
  return id;
};

/** The open alert of a fingerprint, as the integration of the tenant has opened it. */
const newOpenAlert = async (values: Parameters<TestWorld['newAlert']>[1] = {}): Promise<string> => {
  const id = await world.newAlert(tenant, values);
  await world.admin.query(`UPDATE alerts.alerts SET dedup_scope = 'integration:' || integration_id WHERE id = $1`, [
    id,
  ]);
  return id;
};

const open = (params: object = {}, more: object = {}) => ({ id: 'open', type: 'openIncident', params, ...more });
const setSeverity = (severity: string, more: object = {}) => ({
  id: 'severity',
  type: 'setSeverity',
  params: { severity },
  ...more,
});
const page = notify([email('ops@example.com')]);

/** `alert.created 0: Opener run`, … in the order in which it happens. */
const story = (item: SimulatedItem | undefined): string[] =>
  [{ event: '', depth: 0, workflows: item?.workflows ?? [] }, ...(item?.follows ?? [])].flatMap(
    ({ event, depth, workflows }) => [
      ...(event === '' ? [] : [`${event} ${depth}`]),
      ...workflows.map(
        ({ event: on, name, outcome, runStatus }) =>
          `${on}: ${[name, outcome, ...(runStatus ? [runStatus] : [])].join(' ')}`,
      ),
    ],
  );

describe('the incident', () => {
  test('is a new one, and what waits for that goes on, with its cause', async () => {
    const opener = await world.newWorkflow(
      tenant,
      [
        open({ groupBy: ['labels.service'], title: '{{labels.service}}: {{title}}' }),
        page,
        { ...page, id: 'escalate', delaySeconds: 600, unless: ['acknowledged'] },
      ],
      { name: 'Opener' },
    );
    await world.newWorkflow(tenant, [{ id: 'take', type: 'acknowledge' }], {
      name: 'Taker',
      events: ['incident.created'],
      conditions: { field: 'incident.title', op: 'startsWith', value: 'shop' },
    });
    await world.newWorkflow(tenant, [page], {
      name: 'Listener',
      events: ['alert.acknowledged', 'incident.acknowledged'],
    });
    const before = await written();
    const [item] = await simulated({ alert: { ...cpu, labels: { service: 'shop' } }, at });
    expect(item?.workflows[0]?.steps).toMatchObject([
      {
        id: 'open',
        would: 'open the incident "shop: High CPU" (one for each labels.service)',
        outcome: 'done',
        changed: true,
        incident: { decision: 'opened', id: null, number: null, title: 'shop: High CPU', status: 'triggered' },
      },
      { id: 'page', at, would: 'tell one recipient', outcome: 'done', unless: [], changed: null, incident: null },
      {
        id: 'escalate',
        at,
        would: 'nothing: somebody had acknowledged',
        targets: [],
        outcome: 'skipped',
        reason: 'acknowledged',
        unless: ['acknowledged'],
      },
    ]);
    expect(story(item)).toEqual([
      'alert.created: Opener run completed',
      'incident.created 1',
      'incident.created: Taker run completed',
      'incident.acknowledged 2',
      'incident.acknowledged: Listener run completed',
      'alert.acknowledged 2',
      'alert.acknowledged: Listener run completed',
    ]);
    const by = (workflowId: string, workflowName: string, stepId: string, type = 'workflow') => ({
      type,
      workflowId: publicId('workflow', workflowId),
      workflowName,
      stepId,
    });
    expect(item?.follows[0]).toMatchObject({
      cause: by(opener, 'Opener', 'open'),
      at,
      alert: null,
      incident: { id: null, number: null, title: 'shop: High CPU', status: 'triggered' },
    });
    expect(item?.follows[2]).toMatchObject({
      cause: { type: 'incident', workflowName: 'Taker', stepId: 'take' },
      alert: { id: null, fingerprint: 'cpu', status: 'acknowledged' },
      incident: null,
    });
    expect(item?.leftOut).toBe(false);
    expect(await written()).toEqual(before);
  });

  test('is the one of its group that is open: nobody is paged again', async () => {
    const opener = await world.newWorkflow(tenant, [open({ groupBy: ['fingerprint'] }), page]);
    const incidentId = await newIncident({
      workflowId: opener,
      groupKey: groupKeyOf(['fingerprint'], { fingerprint: 'cpu' } as AlertFacts),
    });
    const [item] = await simulated({ alert: cpu });
    expect(item?.workflows[0]?.steps).toMatchObject([
      {
        would: 'join incident 1 "Outage", which is open (one for each fingerprint)',
        incident: {
          decision: 'joined',
          id: publicId('incident', incidentId),
          number: 1,
          title: 'Outage',
          status: 'triggered',
        },
      },
      {
        would: 'nothing: the incident was open already and its people knew',
        outcome: 'skipped',
        reason: 'joined',
        targets: [],
      },
    ]);
    expect(item?.follows).toEqual([]);
    const [other] = await simulated({ alert: { ...cpu, fingerprint: 'disk' } });
    expect(other?.workflows[0]?.steps).toMatchObject([{ incident: { decision: 'opened' } }, { outcome: 'done' }]);
  });

  test('is opened again when its last alert is not long ago', async () => {
    const opener = await world.newWorkflow(tenant, [open({ windowSeconds: 600 }), page]);
    const incidentId = await newIncident({ workflowId: opener, groupKey: '', status: 'resolved', lastAlertAt: at });
    const stepsAt = async (time: string) => (await simulated({ alert: cpu, at: time }))[0];
    const soon = await stepsAt(new Date(Date.parse(at) + 599_000).toISOString());
    expect(soon?.workflows[0]?.steps).toMatchObject([
      { incident: { decision: 'reopened', id: publicId('incident', incidentId), number: 1, status: 'triggered' } },
      { outcome: 'done' },
    ]);
    expect(story(soon)).toEqual(['alert.created: Page run completed', 'incident.reopened 1']);
    expect((await stepsAt(new Date(Date.parse(at) + 600_000).toISOString()))?.workflows[0]?.steps[0]).toMatchObject({
      incident: { decision: 'opened' },
    });
  });

  test('is the one that the alert is in already', async () => {
    await world.newWorkflow(tenant, [open(), page], { events: ['alert.severityChanged'] });
    const incidentId = await newIncident();
    const integrationId = await newIntegration();
    await newOpenAlert({ fingerprint: 'cpu', severity: 'low', incidentId });
    const [item] = await simulated({ payload: cpu, integrationId });
    expect(item?.workflows[0]?.steps).toMatchObject([
      {
        would: 'leave the alert in incident 1 "Outage" (one for everything)',
        changed: false,
        incident: { decision: 'kept', id: publicId('incident', incidentId) },
      },
      { reason: 'joined' },
    ]);
  });

  test('is shared by the alerts of one payload', async () => {
    await world.newWorkflow(tenant, [open({ groupBy: ['labels.service'] })]);
    const integrationId = await newIntegration({ settings: { itemsPath: 'alerts' } });
    const items = await simulated({
      payload: {
        alerts: ['a', 'b', 'c'].map((fingerprint) => ({
          ...cpu,
          fingerprint,
          labels: { service: fingerprint === 'c' ? 'y' : 'x' },
        })),
      },
      integrationId,
    });
    expect(items.map(({ workflows }) => workflows[0]?.steps[0]?.incident?.decision)).toEqual([
      'opened',
      'joined',
      'opened',
    ]);
    expect(items.map(({ follows }) => follows.length)).toEqual([1, 0, 1]);
  });

  test('of a group is chosen among records as the pipeline finds it among rows', async () => {
    const minute = 60_000;
    const one = fc.record({
      status: fc.constantFrom<IncidentStatus>('triggered', 'resolved', 'resolved', 'resolved'),
      minutes: fc.integer({ min: 0, max: 20 }),
      age: fc.integer({ min: 0, max: 40 }),
    });
    const some = fc
      .uniqueArray(one, { maxLength: 4, selector: ({ age }) => age })
      .filter((all) => all.filter(({ status }) => status !== 'resolved').length < 2);
    await fc.assert(
      fc.asyncProperty(some, fc.nat({ max: 20 }), fc.nat({ max: 15 }), async (incidents, windowMinutes, known) => {
        const workflowId = await world.newWorkflow(tenant, [open()]);
        const group = { ...tenant, workflowId, groupKey: 'g', windowSeconds: windowMinutes * 60 };
        const ids: string[] = [];
        for (const { status, minutes, age } of incidents) {
          ids.push(
            await newIncident({
              workflowId,
              groupKey: 'g',
              status,
              lastAlertAt: new Date(Date.parse(at) - minutes * minute).toISOString(),
              createdAt: new Date(Date.parse(at) - age * minute).toISOString(),
            }),
          );
        }
        await database.asService(async (tx) => {
          const records = new ImaginedRecords(tx, tenant);
          for (const [index, id] of ids.entries()) if ((known >> index) & 1) await records.incident(id);
          expect((await records.incidentOfGroup(group, at))?.id ?? null).toBe(await findIncidentOfGroup(tx, group, at));
        });
      }),
      { numRuns: 40, endOnFailure: true },
    );
  });
});

describe('the resolve of the last open alert', () => {
  const resolve = async (values: { autoResolve: boolean; openAlertCount?: number }) => {
    const integrationId = await newIntegration();
    const incidentId = await newIncident(values);
    await newOpenAlert({ fingerprint: 'cpu', incidentId });
    const [item] = await simulated({ payload: { ...cpu, status: 'resolved' }, integrationId });
    return { item, incidentId };
  };

  test('resolves its incident, and what waits for that is considered', async () => {
    await world.newWorkflow(tenant, [page], { name: 'All clear', events: ['incident.resolved', 'alert.resolved'] });
    const { item, incidentId } = await resolve({ autoResolve: true });
    expect(story(item)).toEqual([
      'alert.resolved: All clear run completed',
      'incident.resolved 0',
      'incident.resolved: All clear run completed',
    ]);
    expect(item?.follows).toMatchObject([
      {
        cause: { type: 'alert', workflowId: null, stepId: null },
        alert: null,
        incident: { id: publicId('incident', incidentId), number: 1, status: 'resolved' },
      },
    ]);
  });

  test.each([[{ autoResolve: false }], [{ autoResolve: true, openAlertCount: 2 }]])(
    'leaves it open with %j',
    async (values) => {
      expect((await resolve(values)).item?.follows).toEqual([]);
    },
  );

  test('in a payload of several is the last of them', async () => {
    const integrationId = await newIntegration({ settings: { itemsPath: 'alerts' } });
    const incidentId = await newIncident({ autoResolve: true, openAlertCount: 2 });
    for (const fingerprint of ['a', 'b']) await newOpenAlert({ fingerprint, incidentId });
    const items = await simulated({
      payload: { alerts: ['a', 'b', 'c'].map((fingerprint) => ({ ...cpu, fingerprint, status: 'resolved' })) },
      integrationId,
    });
    expect(items.map(({ follows }) => follows.map(({ event }) => event))).toEqual([[], ['incident.resolved'], []]);
  });

  test('may be a step of a workflow', async () => {
    const resolver = await world.newWorkflow(tenant, [{ id: 'done', type: 'resolve' }], {
      events: ['alert.acknowledged'],
    });
    const integrationId = await newIntegration();
    const incidentId = await newIncident({ autoResolve: true });
    await newOpenAlert({ fingerprint: 'cpu', incidentId });
    const [item] = await simulated({ payload: { ...cpu, status: 'acknowledged' }, integrationId });
    expect(story(item)).toEqual(['alert.acknowledged: Page run completed', 'alert.resolved 1', 'incident.resolved 1']);
    expect(item?.follows[1]?.cause).toEqual({
      type: 'alert',
      workflowId: publicId('workflow', resolver),
      workflowName: 'Page',
      stepId: 'done',
    });
  });
});

describe('a run that is imagined', () => {
  test('finds what its steps before have done', async () => {
    await world.newWorkflow(tenant, [
      setSeverity('low'),
      { id: 'labels', type: 'addLabels', params: { labels: { team: 'a' } } },
      open({ title: '{{severity}} of {{labels.team}}' }),
      setSeverity('low', { id: 'again' }),
    ]);
    const [item] = await simulated({ alert: cpu });
    expect(item?.workflows[0]?.steps).toMatchObject([
      { changed: true },
      { changed: true },
      { incident: { title: 'low of a' } },
      { outcome: 'done', changed: false },
    ]);
  });

  test('ends with a step that is refused, unless that may fail', async () => {
    await world.newWorkflow(tenant, [
      { id: 'resolve', type: 'resolve' },
      { id: 'may', type: 'acknowledge', continueOnError: true },
      open(),
      page,
    ]);
    const [item] = await simulated({ alert: cpu });
    expect(item?.workflows[0]).toMatchObject({
      runStatus: 'failed',
      steps: [
        { outcome: 'done' },
        { id: 'may', outcome: 'failed', reason: 'what is resolved cannot become acknowledged' },
        { id: 'open', outcome: 'failed', reason: 'the alert is resolved already', incident: null },
        { id: 'page', outcome: 'skipped', reason: 'a step before it failed' },
      ],
    });
  });

  test('waits with its page for an alert that a window has hidden meanwhile', async () => {
    await newWindow({ around: at, matchers: [{ field: 'severity', op: 'eq', value: 'low' }] });
    await world.newWorkflow(tenant, [setSeverity('low'), page, { ...page, id: 'later', delaySeconds: 60 }], {
      name: 'Lower',
    });
    await world.newWorkflow(tenant, [page], { name: 'Told of windows', events: ['alert.suppressed'] });
    const [item] = await simulated({ alert: cpu, at });
    expect(story(item)).toEqual([
      'alert.created: Lower run waiting',
      'alert.suppressed 1',
      'alert.suppressed: Told of windows run completed',
    ]);
    expect(item?.workflows[0]?.steps).toMatchObject([
      { outcome: 'done' },
      {
        id: 'page',
        outcome: 'pending',
        reason: 'it waits until the alert fires again',
        targets: [{ target: 'ops@example.com' }],
      },
      { id: 'later', outcome: 'pending', at: new Date(Date.parse(at) + 60_000).toISOString() },
    ]);
  });

  test('goes on when the alert fires again', async () => {
    await newWindow({ around: at, matchers: [{ field: 'severity', op: 'eq', value: 'low' }] });
    await world.newWorkflow(tenant, [setSeverity('low'), page], { name: 'Lower' });
    await world.newWorkflow(tenant, [setSeverity('high')], { name: 'Higher', events: ['alert.suppressed'] });
    const [item] = await simulated({ alert: cpu, at });
    expect(story(item)).toEqual([
      'alert.created: Lower run completed',
      'alert.suppressed 1',
      'alert.suppressed: Higher run completed',
      'alert.resumed 2',
    ]);
  });

  test('that cause each other end at the guard, and it is said', async () => {
    for (const [from, to] of [
      ['critical', 'high'],
      ['high', 'critical'],
    ] as const) {
      await world.newWorkflow(tenant, [setSeverity(to)], {
        name: to,
        events: ['alert.created', 'alert.severityChanged'],
        conditions: { field: 'severity', op: 'eq', value: from },
      });
    }
    const [item] = await simulated({ alert: cpu });
    expect(item?.follows.map(({ depth, workflows }) => [depth, ...workflows.map(({ outcome }) => outcome)])).toEqual([
      [1, 'conditions', 'run'],
      [2, 'run', 'conditions'],
      [3, 'conditions', 'run'],
      [4, 'run', 'conditions'],
      [5, 'loop', 'loop'],
    ]);
  });

  test('of very many are cut to an answer that can be sent, and it is said', async () => {
    const shout = {
      ...page,
      params: { targets: Array.from({ length: 20 }, (_, n) => email(`somebody-${n}@example.com`)) },
    };
    for (let n = 0; n < 12; n++) {
      await world.newWorkflow(
        tenant,
        [setSeverity(n % 2 ? 'high' : 'low'), ...Array.from({ length: 4 }, (_, i) => ({ ...shout, id: `shout-${i}` }))],
        { name: `Loud ${n}`, events: ['alert.created', 'alert.severityChanged'] },
      );
    }
    const answer = await ask({ alert: cpu });
    expect(JSON.stringify(answer).length).toBeLessThan(900_000);
    const [item] = dataOf<Simulation>(answer).items;
    expect(item).toMatchObject({ leftOut: true });
    expect(item?.follows.length).toBeGreaterThan(0);
  });
});

test('without a payload, or with two, there is nothing to simulate', async () => {
  for (const body of [{}, { payload: cpu, alert: cpu }])
    expect(await ask(body)).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ path: 'payload', rule: 'oneOf' }] },
    });
  expect(await ask({ alert: cpu, at: 'soon' })).toMatchObject({ code: 'VALIDATION_ERROR' });
});

test('text that cannot be stored does no harm', async () => {
  expect(
    await simulated({ alert: { title: 'a\0b', severity: 'low', fingerprint: '\0', labels: { client: '\0\ud800' } } }),
  ).toMatchObject([{ outcome: 'event', event: { title: 'a\ufffdb' } }]);
});

test('under an Idempotency-Key the first answer is given again, and only that is written', async () => {
  await world.newWorkflow(tenant, [notify([email('ops@example.com')])]);
  const before = await written();
  const body = { alert: cpu };
  const first = await ask(body, { idempotency: idempotencyOf('s1', body) });
  expect(first).toMatchObject({ ok: true });
  await newWindow();
  expect(await ask(body, { idempotency: idempotencyOf('s1', body) })).toEqual(first);
  expect(await simulated(body)).toMatchObject([{ alert: { status: 'suppressed' } }]);
  expect(await written()).toEqual(before);
});

test('alerts, windows and workflows of other tenants count for nothing', async () => {
  const mine = tenant;
  tenant = await world.newTenant();
  await newWindow();
  await world.newWorkflow(tenant, [notify([email('ops@example.com')])]);
  tenant = mine;
  expect(await simulated({ alert: cpu })).toMatchObject([
    { alert: { decision: 'opened', status: 'firing' }, windows: [], workflows: [] },
  ]);
});
