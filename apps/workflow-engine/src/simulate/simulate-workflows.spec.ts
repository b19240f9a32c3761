import { publicId, simulate, type Simulation, type SimulatedItem } from '@ams/contracts';
import { findIncidentsOfGroups } from '@ams/alerting';
import { Database } from '@ams/database';
import { groupKeyOf, type AlertFacts, type IncidentStatus } from '@ams/domain';
import fc from 'fast-check';
import { dataOf, email, notify, startWorld, type Tenant, type TestWorld } from '../../testing/support.js';
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

const newIncident = async (
  values: {
    workflowId?: string;
    groupKey?: string;
    status?: IncidentStatus;
    autoResolve?: boolean;
    resolvedAt?: string;
    openAlertCount?: number;
    createdAt?: string;
  } = {},
): Promise<string> => {
  const {
    workflowId = null,
    groupKey = null,
    status = 'triggered',
    autoResolve = false,
    resolvedAt = status === 'resolved' ? new Date().toISOString() : null,
    openAlertCount = 1,
    createdAt = resolvedAt ?? new Date().toISOString(),
  } = values;
  const id = await world.newIncident(tenant, { workflowId, groupKey, status });
  await world.admin.query(
    `UPDATE alerts.incidents SET auto_resolve = $2, resolved_at = $3, open_alert_count = $4, alert_count = $4,
       created_at = $5 WHERE id = $1`,
    [id, autoResolve, resolvedAt, openAlertCount, createdAt],
  );
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
  test('is a new one, and workflows with this trigger run, with its cause', async () => {
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
    const before = await rowCounts();
    const [item] = await simulated({ alert: { ...cpu, labels: { service: 'shop' } }, at });
    expect(item?.workflows[0]?.steps).toMatchObject([
      {
        id: 'open',
        would: 'open the incident "shop: High CPU" (one incident for each labels.service)',
        outcome: 'done',
        changed: true,
        incident: { decision: 'opened', id: null, number: null, title: 'shop: High CPU', status: 'triggered' },
      },
      { id: 'page', at, would: 'notify one recipient', outcome: 'done', unless: [], changed: null, incident: null },
      {
        id: 'escalate',
        at,
        would: 'nothing: it was already acknowledged',
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
    expect(await rowCounts()).toEqual(before);
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
        would: 'join incident 1 "Outage", which is open (one incident for each fingerprint)',
        incident: {
          decision: 'joined',
          id: publicId('incident', incidentId),
          number: 1,
          title: 'Outage',
          status: 'triggered',
        },
      },
      {
        would: 'nothing: the incident was already open, and people were already notified',
        outcome: 'skipped',
        reason: 'joined',
        targets: [],
      },
    ]);
    expect(item?.follows).toEqual([]);
    const [other] = await simulated({ alert: { ...cpu, fingerprint: 'disk' } });
    expect(other?.workflows[0]?.steps).toMatchObject([{ incident: { decision: 'opened' } }, { outcome: 'done' }]);
  });

  test('is opened again when it was resolved recently', async () => {
    const opener = await world.newWorkflow(tenant, [open({ windowSeconds: 600 }), page]);
    const incidentId = await newIncident({ workflowId: opener, groupKey: '', status: 'resolved', resolvedAt: at });
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

  test('is the one to which the alert belongs already', async () => {
    await world.newWorkflow(tenant, [open(), page], { events: ['alert.severityChanged'] });
    const incidentId = await newIncident();
    const integrationId = await newIntegration();
    await newOpenAlert({ fingerprint: 'cpu', severity: 'low', incidentId });
    const [item] = await simulated({ payload: cpu, integrationId });
    expect(item?.workflows[0]?.steps).toMatchObject([
      {
        would: 'keep the alert in incident 1 "Outage" (one incident for everything)',
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

  test('of a group is chosen from records in the same way as the pipeline chooses it from rows', async () => {
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
        const group = { ...tenant, workflowId, groupKey: 'g', clientId: null, windowSeconds: windowMinutes * 60 };
        const ids: string[] = [];
        for (const { status, minutes, age } of incidents) {
          ids.push(
            await newIncident({
              workflowId,
              groupKey: 'g',
              status,
              ...(status === 'resolved'
                ? { resolvedAt: new Date(Date.parse(at) - minutes * minute).toISOString() }
                : {}),
              createdAt: new Date(Date.parse(at) - age * minute).toISOString(),
            }),
          );
        }
        await database.asService(async (tx) => {
          const records = new ImaginedRecords(tx, tenant);
          for (const [index, id] of ids.entries()) if ((known >> index) & 1) await records.incident(id);
          const [found] = await findIncidentsOfGroups(tx, [group], at);
          expect((await records.incidentOfGroup(group, at))?.id ?? null).toBe(found);
        });
      }),
      { numRuns: 40, endOnFailure: true },
    );
  });
});

describe('resolving the last open alert', () => {
  const resolve = async ({ others = [], ...values }: { autoResolve: boolean; others?: string[] }) => {
    const integrationId = await newIntegration();
    const incidentId = await newIncident(values);
    for (const fingerprint of ['cpu', ...others]) await newOpenAlert({ fingerprint, incidentId });
    const [item] = await simulated({ payload: { ...cpu, status: 'resolved' }, integrationId });
    return { item, incidentId };
  };

  test('resolves its incident, and workflows with this trigger are considered', async () => {
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

  test.each([[{ autoResolve: false }], [{ autoResolve: true, others: ['disk'] }]])(
    'leaves it open with %j',
    async (values) => {
      expect((await resolve(values)).item?.follows.filter(({ incident }) => incident?.status === 'resolved')).toEqual(
        [],
      );
    },
  );

  test('is the last item in a payload of several', async () => {
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
    expect(story(item)).toEqual([
      'alert.acknowledged: Page run completed',
      'incident.acknowledged 0',
      'alert.resolved 1',
      'incident.resolved 1',
    ]);
    expect(item?.follows[2]?.cause).toEqual({
      type: 'alert',
      workflowId: publicId('workflow', resolver),
      workflowName: 'Page',
      stepId: 'done',
    });
  });
});

describe('an imagined run', () => {
  test('sees the effects of its earlier steps', async () => {
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

  test('ends with a refused step, unless the step may fail', async () => {
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

  test('holds its page back when a window has suppressed the alert in the meantime', async () => {
    await newWindow({ around: at, matchers: [{ field: 'severity', op: 'eq', value: 'low' }] });
    await world.newWorkflow(tenant, [setSeverity('low'), page, { ...page, id: 'later', delaySeconds: 60 }], {
      name: 'Lower',
    });
    await world.newWorkflow(tenant, [page], { name: 'On suppression', events: ['alert.suppressed'] });
    const [item] = await simulated({ alert: cpu, at });
    expect(story(item)).toEqual([
      'alert.created: Lower run waiting',
      'alert.suppressed 1',
      'alert.suppressed: On suppression run completed',
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

  test('continues when the alert fires again', async () => {
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

  test('of workflows that trigger each other ends at the limit of depth, and the answer says so', async () => {
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

  test('is left out when very many do not fit into an answer, and the answer says so', async () => {
    const notifyStep = {
      ...page,
      params: { targets: Array.from({ length: 20 }, (_, n) => email(`somebody-${n}@example.com`)) },
    };
    for (let n = 0; n < 12; n++) {
      await world.newWorkflow(
        tenant,
        [
          setSeverity(n % 2 ? 'high' : 'low'),
          ...Array.from({ length: 4 }, (_, i) => ({ ...notifyStep, id: `notify-${i}` })),
        ],
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
