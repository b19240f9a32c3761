import { publicId, uuidOf, type Explanation, type Simulation, type SimulatedItem, type SuppressionWindow, type Workflow } from '@ams/contracts';
import { eventually } from '@ams/testing';
import fc from 'fast-check';
import { startSystem, type List, type One, type Organization, type Sender, type System } from './system.js';

let system: System;
let acme: Organization;
let sender: Sender;

beforeAll(async () => {
  system = await startSystem();
  acme = await system.organization();
  sender = await acme.integration({ fieldMappings: [{ target: 'title', source: 'check.name' }], severityMap: { urgent: 'critical' }, dedupScope: 'organization' });
  // The workflow that every organization begins with changes alerts; here nothing may but what a test sends.
  const { body } = await acme.api.get<List<Workflow>>('/api/v1/workflows');
  for (const { id } of body.data) await acme.api.delete(`/api/v1/workflows/${id}`);
});
afterAll(() => system?.stop());

const made = async <T>(path: string, input: object): Promise<T> => {
  const { status, body } = await acme.api.post<One<T>>(path, input);
  if (status !== 201) throw new Error(`not made: ${status} ${JSON.stringify(body)}`);
  return body.data;
};

const predicate = fc.oneof(
  fc.record({ field: fc.constant('severity'), op: fc.constantFrom('gte', 'lt', 'eq'), value: fc.constantFrom('critical', 'high', 'low') }),
  fc.record({ field: fc.constant('labels.region'), op: fc.constantFrom('eq', 'neq'), value: fc.constantFrom('eu', 'us') }),
  fc.record({ field: fc.constant('title'), op: fc.constant('contains'), value: fc.constantFrom('CPU', 'Disk') }),
);
const condition = fc.oneof(
  fc.constant(null), predicate, predicate.map((not) => ({ not })), fc.array(predicate, { minLength: 1, maxLength: 3 }).map((all) => ({ all })), fc.array(predicate, { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
);
const events = fc.uniqueArray(fc.constantFrom('alert.created', 'alert.acknowledged', 'alert.resolved', 'alert.severityChanged', 'alert.suppressed'), { minLength: 1, maxLength: 4 });
const payload = fc.record({
  check: fc.record({ name: fc.constantFrom('High CPU', 'Disk full') }), severity: fc.constantFrom('urgent', 'high', 'low'), status: fc.constantFrom('firing', 'firing', 'firing', 'acknowledged', 'resolved'),
  fingerprint: fc.constantFrom('a', 'b'), labels: fc.record({ region: fc.constantFrom('eu', 'us') }),
});

const decisionOf = ({ alert }: SimulatedItem): string => (alert as { decision: string }).decision;
/** What is said of workflows both before and after. */
const workflowsOf = (workflows: unknown[]): unknown[] => (workflows as { workflowId: string; outcome: string; trace: unknown }[]).map(({ workflowId, outcome, trace }) => ({ workflowId, outcome, trace }));

let runs = 0;

test('what a simulation says is what happens', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(predicate, { maxLength: 2 }), fc.array(fc.record({ events, conditions: condition }), { minLength: 1, maxLength: 3 }), fc.array(payload, { minLength: 1, maxLength: 5 }), async (matchers, workflows, payloads) => {
      const run = `run-${++runs}`;
      const hour = 3_600_000;
      const windows: SuppressionWindow[] = [];
      for (const matcher of matchers) {
        windows.push(await made<SuppressionWindow>('/api/v1/suppression', {
          name: run, matchers: [{ field: 'labels.run', op: 'eq', value: run }, matcher], startsAt: new Date(Date.now() - hour).toISOString(), endsAt: new Date(Date.now() + hour).toISOString(), timezone: 'UTC',
        }));
      }
      const watching: Workflow[] = [];
      for (const { events: named, conditions } of workflows) {
        watching.push(await made<Workflow>('/api/v1/workflows', {
          name: run, trigger: { events: named }, conditions, steps: [{ id: 'tell', type: 'notify', params: { targets: [{ type: 'email', address: 'ops@example.com' }] }, delaySeconds: 3600 }],
        }));
      }
      const foretold = new Map<string, unknown[]>();
      for (const sent of payloads.map((one) => ({ ...one, fingerprint: `${run}-${one.fingerprint}`, labels: { ...one.labels, run } }))) {
        const answer = await acme.api.post<One<Simulation>>('/api/v1/simulate', { payload: sent, integrationId: sender.id });
        const item = answer.body.data.items[0] as SimulatedItem;
        const [eventId = ''] = await sender.fire(sent);
        const [row] = await system.sql<{ outcome: string; alert_id: string | null }>('SELECT outcome, alert_id FROM alerts.events WHERE id = $1', [uuidOf('event', eventId)]);
        expect(decisionOf(item)).toBe(row?.outcome);
        if (!row?.alert_id) continue;
        const alertId = publicId('alert', row.alert_id);
        if (decisionOf(item) !== 'opened') expect(item.alert).toMatchObject({ alertId });
        const explained = (await explain(alertId)).events.find(({ id }) => id === eventId);
        expect({ mapping: item.mapping, fingerprint: item.fingerprint, windows: item.windows }).toEqual({ mapping: explained?.mapping, fingerprint: explained?.fingerprint, windows: explained?.windows });
        const [alert] = await system.sql<{ status: string }>('SELECT status FROM alerts.alerts WHERE id = $1', [row.alert_id]);
        expect(item.alert).toMatchObject({ status: alert?.status });
        if (item.workflows.length > 0) foretold.set(alertId, [...(foretold.get(alertId) ?? []), workflowsOf(item.workflows)]);
      }
      for (const [alertId, expected] of foretold) {
        await eventually(async () => expect((await explain(alertId)).decisions.map((decision) => workflowsOf(decision.workflows))).toEqual(expected), { timeoutMs: 15_000 });
      }
      for (const { id } of watching) await acme.api.delete(`/api/v1/workflows/${id}`);
      for (const { id } of windows) await acme.api.delete(`/api/v1/suppression/${id}`);
    }),
    { numRuns: 25, endOnFailure: true },
  );
});

const explain = async (alertId: string): Promise<Explanation> => (await acme.api.get<One<Explanation>>(`/api/v1/alerts/${alertId}/explain`)).body.data;
