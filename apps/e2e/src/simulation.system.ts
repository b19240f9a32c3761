import {
  publicId,
  uuidOf,
  type Explanation,
  type PlannedStep,
  type Simulation,
  type SimulatedItem,
  type SimulatedWorkflow,
  type SuppressionWindow,
  type Workflow,
} from '@ams/contracts';
import { validateWorkflow } from '@ams/domain';
import { eventually } from '@ams/testing';
import fc from 'fast-check';
import { faultsOf, type OpenApi } from './system/open-api.js';
import { type List, type One, type Organization, type Sender, type SystemClient } from './system.js';
import { sharedSystem } from './system/shared-system.js';

let system: SystemClient;
let acme: Organization;
let sender: Sender;

beforeAll(async () => {
  system = await sharedSystem();
});
afterAll(() => system?.close());

beforeEach(async () => {
  acme = await system.organization();
  sender = await acme.integration({
    fieldMappings: [{ target: 'title', source: 'check.name' }],
    severityMap: { urgent: 'critical' },
    dedupScope: 'organization',
  });
  // The default workflow of every organization is created a moment later and changes alerts. It is removed, so that
  // only the requests of a test change them.
  const initialWorkflows = await eventually(async () => {
    const { body } = await acme.api.get<List<Workflow>>('/api/v1/workflows');
    expect(body.data).toHaveLength(1);
    return body.data;
  });
  for (const { id } of initialWorkflows) await acme.api.delete(`/api/v1/workflows/${id}`);
  // Urgent alerts without a workflow page nobody: a simulation follows workflows only.
  expect((await acme.api.put('/api/v1/organization', { catchAllPolicyId: null })).status).toBe(200);
});

const made = async <T>(path: string, input: object): Promise<T> => {
  const { status, body } = await acme.api.post<One<T>>(path, input);
  if (status !== 201) throw new Error(`not created: ${status} ${JSON.stringify(body)}`);
  return body.data;
};

const predicate = fc.oneof(
  fc.record({
    field: fc.constant('severity'),
    op: fc.constantFrom('gte', 'lt', 'eq'),
    value: fc.constantFrom('critical', 'high', 'low'),
  }),
  fc.record({
    field: fc.constant('labels.region'),
    op: fc.constantFrom('eq', 'neq'),
    value: fc.constantFrom('eu', 'us'),
  }),
  fc.record({ field: fc.constant('title'), op: fc.constant('contains'), value: fc.constantFrom('CPU', 'Disk') }),
);
const condition = fc.oneof(
  fc.constant(null),
  predicate,
  predicate.map((not) => ({ not })),
  fc.array(predicate, { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
  fc.array(predicate, { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
);
const events = fc.uniqueArray(
  fc.constantFrom('alert.created', 'alert.acknowledged', 'alert.resolved', 'alert.severityChanged', 'alert.suppressed'),
  { minLength: 1, maxLength: 4 },
);
const payload = fc.record({
  check: fc.record({ name: fc.constantFrom('High CPU', 'Disk full') }),
  severity: fc.constantFrom('urgent', 'high', 'low'),
  status: fc.constantFrom('firing', 'firing', 'firing', 'acknowledged', 'resolved'),
  fingerprint: fc.constantFrom('a', 'b'),
  labels: fc.record({ region: fc.constantFrom('eu', 'us') }),
});

const decisionOf = ({ alert }: SimulatedItem): string | undefined => alert?.decision;
/** The values of workflows that the simulation and the real decision both show. An explanation has its own order. */
const workflowsOf = (workflows: unknown[]): unknown[] =>
  (workflows as { workflowId: string; outcome: string; trace: unknown }[])
    .map(({ workflowId, outcome, trace }) => ({ workflowId, outcome, trace }))
    .sort((a, b) => (a.workflowId < b.workflowId ? -1 : 1));

let runs = 0;

test('a simulation of payloads shows what then happens', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(predicate, { maxLength: 2 }),
      fc.array(fc.record({ events, conditions: condition }), { minLength: 1, maxLength: 3 }),
      fc.array(payload, { minLength: 1, maxLength: 5 }),
      async (matchers, workflows, payloads) => {
        const run = `run-${++runs}`;
        const hour = 3_600_000;
        const windows: SuppressionWindow[] = [];
        for (const matcher of matchers) {
          windows.push(
            await made<SuppressionWindow>('/api/v1/suppression', {
              name: run,
              matchers: [{ field: 'labels.run', op: 'eq', value: run }, matcher],
              startsAt: new Date(Date.now() - hour).toISOString(),
              endsAt: new Date(Date.now() + hour).toISOString(),
              timezone: 'UTC',
            }),
          );
        }
        const watching: Workflow[] = [];
        for (const { events: named, conditions } of workflows) {
          watching.push(
            await made<Workflow>('/api/v1/workflows', {
              name: run,
              trigger: { events: named },
              conditions,
              steps: [
                {
                  id: 'tell',
                  type: 'notify',
                  params: { targets: [{ type: 'email', address: 'ops@example.com' }] },
                  delaySeconds: 3600,
                },
              ],
            }),
          );
        }
        const predicted = new Map<string, unknown[]>();
        for (const sent of payloads.map((one) => ({
          ...one,
          fingerprint: `${run}-${one.fingerprint}`,
          labels: { ...one.labels, run },
        }))) {
          const answer = await acme.api.post<One<Simulation>>('/api/v1/simulate', {
            payload: sent,
            integrationId: sender.id,
          });
          const item = answer.body.data.items[0] as SimulatedItem;
          const [eventId = ''] = await sender.fire(sent);
          const [row] = await system.sql<{ outcome: string; alert_id: string | null }>(
            'SELECT outcome, alert_id FROM alerts.events WHERE id = $1',
            [uuidOf('event', eventId)],
          );
          expect(decisionOf(item)).toBe(row?.outcome);
          if (!row?.alert_id) continue;
          const alertId = publicId('alert', row.alert_id);
          if (decisionOf(item) !== 'opened') expect(item.alert).toMatchObject({ alertId });
          const explained = (await explain(alertId)).events.find(({ id }) => id === eventId);
          expect({ mapping: item.mapping, fingerprint: item.fingerprint, windows: item.windows }).toEqual({
            mapping: explained?.mapping,
            fingerprint: explained?.fingerprint,
            windows: explained?.windows,
          });
          const [alert] = await system.sql<{ status: string }>('SELECT status FROM alerts.alerts WHERE id = $1', [
            row.alert_id,
          ]);
          expect(item.alert).toMatchObject({ status: alert?.status });
          if (item.workflows.length > 0)
            predicted.set(alertId, [...(predicted.get(alertId) ?? []), workflowsOf(item.workflows)]);
        }
        for (const [alertId, expected] of predicted) {
          await eventually(async () =>
            expect((await explain(alertId)).decisions.map((decision) => workflowsOf(decision.workflows))).toEqual(
              expected,
            ),
          );
        }
        for (const { id } of watching) {
          const gone = await acme.api.delete(`/api/v1/workflows/${id}`);
          if (gone.status !== 204) throw new Error(JSON.stringify([gone.status, gone.body]));
        }
        for (const { id } of windows) await acme.api.delete(`/api/v1/suppression/${id}`);
      },
    ),
    { numRuns: 12, endOnFailure: true },
  );
});

const explain = async (alertId: string): Promise<Explanation> =>
  (await acme.api.get<One<Explanation>>(`/api/v1/alerts/${alertId}/explain`)).body.data;

// --- What workflows cause --------------------------------------------------------------------------------------------

/** A workflow without the values that all have in common. */
interface Watching {
  events: string[];
  conditions: object | null;
  steps: object[];
}

const later = {
  id: 'later',
  type: 'notify',
  params: { targets: [{ type: 'email', address: 'ops@example.com' }] },
  delaySeconds: 3600,
};
const only = (type: string, params: object = {}): object => ({ id: 'does', type, params });
const severityIs = (op: string, value: string): object => ({ field: 'severity', op, value });
const on = (
  event: string,
  step: fc.Arbitrary<object>,
  conditions: fc.Arbitrary<object | null> = fc.constant(null),
): fc.Arbitrary<Watching[]> =>
  fc
    .record({ step, conditions, unless: fc.subarray(['acknowledged', 'resolved']) })
    .map(({ step: first, conditions: held, unless }) => [
      { events: [event], conditions: held, steps: [first, { ...later, unless }] },
    ]);

const openIncident = fc
  .record({
    groupBy: fc.constantFrom([], ['fingerprint'], ['labels.region'], ['severity']),
    windowSeconds: fc.constantFrom(0, 3600),
    autoResolve: fc.boolean(),
    title: fc.constantFrom(null, '{{labels.region}}: {{title}}'),
  })
  .map((params) => only('openIncident', params));
const acknowledge = fc.constant(only('acknowledge'));
const resolve = fc.constant(only('resolve'));
const severity = fc.constantFrom('critical', 'high', 'low').map((value) => only('setSeverity', { severity: value }));
const nothing = fc.constant<Watching[]>([]);
/** Two workflows that trigger each other. */
const pingPong = fc.constant<Watching[]>([
  {
    events: ['alert.severityChanged'],
    conditions: severityIs('eq', 'critical'),
    steps: [only('setSeverity', { severity: 'low' })],
  },
  {
    events: ['alert.severityChanged'],
    conditions: severityIs('neq', 'critical'),
    steps: [only('setSeverity', { severity: 'critical' })],
  },
]);
/** Notifies about every event and changes nothing. */
const listener = fc
  .record({
    conditions: condition,
    events: fc.subarray(
      [
        'alert.created',
        'alert.acknowledged',
        'alert.resolved',
        'alert.severityChanged',
        'alert.suppressed',
        'alert.resumed',
        'incident.created',
        'incident.acknowledged',
        'incident.resolved',
        'incident.reopened',
      ],
      { minLength: 3 },
    ),
  })
  // Conditions on fields that an event does not have are refused.
  .filter(
    ({ conditions, events: named }) =>
      validateWorkflow({ trigger: { events: named }, conditions, steps: [later] }).length === 0,
  )
  .map(({ conditions, events: named }): Watching[] => [{ events: named, conditions, steps: [later] }]);

/** More alerts than above, which fire more often, so that they join the same incidents. */
const oneOfMany = fc.record({
  check: fc.record({ name: fc.constantFrom('High CPU', 'Disk full') }),
  severity: fc.constantFrom('urgent', 'high', 'low'),
  status: fc.oneof(
    { weight: 6, arbitrary: fc.constant('firing') },
    { weight: 2, arbitrary: fc.constant('resolved') },
    { weight: 1, arbitrary: fc.constant('acknowledged') },
  ),
  fingerprint: fc.constantFrom('a', 'b', 'c'),
  labels: fc.record({ region: fc.constantFrom('eu', 'eu', 'us') }),
});

/** At most one workflow changes anything on an event, so that runs at the same time do not change the same record. */
const following = fc
  .tuple(
    fc.oneof(
      { weight: 6, arbitrary: on('alert.created', openIncident, fc.oneof(fc.constant(null), condition)) },
      { weight: 1, arbitrary: on('alert.created', severity) },
      { weight: 1, arbitrary: on('alert.created', acknowledge) },
    ),
    fc.oneof(
      { weight: 3, arbitrary: nothing },
      { weight: 2, arbitrary: on('incident.created', acknowledge) },
      { weight: 1, arbitrary: on('incident.created', resolve) },
    ),
    fc.oneof(
      nothing,
      nothing,
      on('alert.acknowledged', resolve),
      on('alert.acknowledged', openIncident),
      on('alert.acknowledged', severity),
    ),
    fc.oneof(nothing, pingPong, on('alert.severityChanged', openIncident), on('alert.severityChanged', acknowledge)),
    fc.oneof(nothing, on('alert.resolved', openIncident)),
    fc.oneof(nothing, on('incident.resolved', acknowledge)),
    fc.oneof(nothing, on('incident.reopened', acknowledge)),
    listener,
  )
  .map((all) => all.flat());

/** A run that waits is woken by the acknowledgement or by the resolve right after it, whichever is seen first. */
const withoutOrder = (reason: string | null): string | null =>
  reason === 'acknowledged' || reason === 'resolved' ? 'acknowledged or resolved' : reason;

/** A step of a simulation as a run shows it now: a step in the future is pending. */
function outcomeOf({ id, at, outcome, reason, changed, incident }: PlannedStep, now: string): string {
  const isDue = Date.parse(at) - Date.parse(now) < 3_600_000;
  const does = changed === null ? [] : [`changed ${changed}`];
  const joins = incident === null ? [] : [`incident ${incident.id ?? 'new'}`];
  return isDue || outcome === 'skipped'
    ? [id, outcome, withoutOrder(reason), ...does, ...joins].join(' ')
    : [id, 'pending'].join(' ');
}

/** The values of one considered workflow that the simulation and the real decision show. */
const comparable = (name: string, event: string, outcome: string, depth: number | null, steps: string[]): string =>
  [name, event, outcome, ...(outcome === 'run' ? [depth, ...steps] : [])].join(', ');

const predictedOf = ({ workflows, follows }: SimulatedItem, now: string): string[] =>
  [...workflows, ...follows.flatMap((follow) => follow.workflows)].map(
    ({ name, event, outcome, depth, steps }: SimulatedWorkflow) =>
      comparable(
        name,
        event,
        outcome,
        depth,
        steps.map((step) => outcomeOf(step, now)),
      ),
  );

interface Considered {
  considered_id: string;
  event_type: string;
  name: string;
  outcome: string;
  depth: number | null;
  steps: { id: string }[] | null;
  results:
    | {
        stepId: string;
        outcome: string;
        reason: string | null;
        detail: { changed?: boolean; incidentId?: string } | null;
      }[]
    | null;
  status: string | null;
}

/** The decisions about workflows whose names begin with `run`, with the present state of their runs. */
async function consideredOf(run: string): Promise<Considered[]> {
  return system.sql<Considered & Record<string, unknown>>(
    `SELECT c.event_id || ' ' || (w->>'workflowId') AS considered_id, c.event_type, w->>'name' AS name,
       w->>'outcome' AS outcome, r.depth, r.steps, r.results, r.status
     FROM workflows.considered c CROSS JOIN jsonb_array_elements(c.workflows) AS w
       LEFT JOIN workflows.runs r ON r.event_id = c.event_id AND r.workflow_id = (w->>'workflowId')::uuid
     WHERE c.organization_id = $1 AND w->>'name' LIKE $2 || ' %'`,
    [uuidOf('organization', acme.id), run],
  );
}

function actualOf(
  { name, event_type: event, outcome, depth, steps, results, status }: Considered,
  known: ReadonlySet<string>,
): string {
  const stepTexts = (steps ?? []).map(({ id }, index) => {
    const kept = results?.[index];
    if (!kept) return status === 'failed' ? `${id} skipped a step before it failed` : `${id} pending`;
    const { changed, incidentId } = kept.detail ?? {};
    const isOpening = incidentId !== undefined && name.includes('openIncident');
    return [
      id,
      kept.outcome,
      withoutOrder(kept.reason),
      ...(changed === undefined ? [] : [`changed ${changed}`]),
      ...(isOpening ? [`incident ${known.has(incidentId) ? incidentId : 'new'}`] : []),
    ].join(' ');
  });
  return comparable(name, event, outcome, depth, stepTexts);
}

const incidentsOf = async (): Promise<Map<string, string>> =>
  new Map(
    (
      await system.sql<{ id: string; status: string }>(
        'SELECT id, status FROM alerts.incidents WHERE organization_id = $1',
        [uuidOf('organization', acme.id)],
      )
    ).map(({ id, status }) => [publicId('incident', id), status]),
  );

/** The cases that must occur: alerts that join and resolve an incident, and workflows that stop at the depth limit. */
type Sent = typeof oneOfMany extends fc.Arbitrary<infer T> ? T : never;
const sent = (fingerprint: Sent['fingerprint'], status: Sent['status'] = 'firing'): Sent => ({
  check: { name: 'High CPU' },
  severity: 'urgent',
  status,
  fingerprint,
  labels: { region: 'eu' },
});
const opens = (params: object): Watching => ({
  events: ['alert.created'],
  conditions: null,
  steps: [only('openIncident', params), later],
});
const notifiesOn = (...named: string[]): Watching => ({ events: named, conditions: null, steps: [later] });
const examples: [Watching[], null, Sent[]][] = [
  [
    [opens({ autoResolve: true, windowSeconds: 3600 }), notifiesOn('incident.resolved', 'incident.reopened')],
    null,
    [sent('a'), sent('b'), sent('a', 'resolved'), sent('b', 'resolved'), sent('c')],
  ],
  [
    [
      opens({ groupBy: ['fingerprint'] }),
      ...(
        [
          ['critical', 'low'],
          ['low', 'critical'],
        ] as const
      ).map(([from, to]) => ({
        events: ['alert.severityChanged'],
        conditions: severityIs('eq', from),
        steps: [only('setSeverity', { severity: to })],
      })),
    ],
    null,
    [sent('a'), { ...sent('a'), severity: 'low' }, sent('a', 'resolved')],
  ],
  [
    [opens({ autoResolve: true, windowSeconds: 3600 }), notifiesOn('incident.acknowledged')],
    null,
    [sent('a'), sent('b'), sent('a', 'acknowledged'), sent('b', 'acknowledged')],
  ],
];

let chains = 0;

test('a simulation shows what then happens: incidents, workflows that trigger each other, up to the end', async () => {
  const { body: document } = await acme.api.get<OpenApi>('/api/v1/openapi.json');
  await fc.assert(
    fc.asyncProperty(
      following,
      fc.option(predicate, { freq: 4 }),
      fc.array(oneOfMany, { minLength: 2, maxLength: 6 }),
      async (workflows, matcher, payloads) => {
        const run = `chain-${++chains}`;
        const hour = 3_600_000;
        if (matcher) {
          // The window is not deleted at the end: alerts that resume would begin runs of the workflows of later tests.
          await made<SuppressionWindow>('/api/v1/suppression', {
            name: run,
            matchers: [{ field: 'labels.run', op: 'eq', value: run }, matcher],
            startsAt: new Date(Date.now() - hour).toISOString(),
            endsAt: new Date(Date.now() + hour).toISOString(),
            timezone: 'UTC',
          });
        }
        const watching: Workflow[] = [];
        for (const [index, { events: named, conditions, steps }] of workflows.entries()) {
          const does = (steps[0] as { type: string }).type;
          watching.push(
            await made<Workflow>('/api/v1/workflows', {
              name: `${run} ${index} ${does}`,
              trigger: { events: named },
              conditions,
              steps,
            }),
          );
        }
        const before = new Set<string>();
        for (const body of payloads.map((one) => ({
          ...one,
          fingerprint: `${run}-${one.fingerprint}`,
          labels: { ...one.labels, run },
        }))) {
          const known = await incidentsOf();
          const { data } = (
            await acme.api.post<One<Simulation>>('/api/v1/simulate', { payload: body, integrationId: sender.id })
          ).body;
          expect(faultsOf(document, { $ref: '#/components/schemas/Simulation' }, data)).toEqual([]);
          const { at, items } = data;
          const item = items[0] as SimulatedItem;
          await sender.fire(body);
          const predicted = predictedOf(item, at).sort();
          const allRunsEnded = async (): Promise<Considered[]> => {
            const news = (await consideredOf(run)).filter(({ considered_id: id }) => !before.has(id));
            expect(news.map((one) => actualOf(one, new Set(known.keys()))).sort()).toEqual(predicted);
            return news;
          };
          for (const { considered_id: id } of await eventually(allRunsEnded)) before.add(id);
          const statuses = new Map(
            item.follows.flatMap(({ incident }) => (incident?.id ? [[incident.id, incident.status] as const] : [])),
          );
          const now = await incidentsOf();
          for (const [id, status] of statuses) expect([id, now.get(id)]).toEqual([id, status]);
          expect(now.size - known.size).toBe(item.follows.filter(({ event }) => event === 'incident.created').length);
        }
        for (const { id } of watching) {
          const gone = await acme.api.delete(`/api/v1/workflows/${id}`);
          if (gone.status !== 204) throw new Error(JSON.stringify([gone.status, gone.body]));
        }
      },
    ),
    { numRuns: examples.length + 8, endOnFailure: true, examples },
  );
});
