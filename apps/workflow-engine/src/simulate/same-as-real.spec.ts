import { publicId, testWorkflow, type PlannedStep, type WorkflowTest } from '@ams/contracts';
import {
  dataOf,
  email,
  notify,
  startWorld,
  type RunFound,
  type Tenant,
  type TestWorld,
} from '../../testing/support.js';

let world: TestWorld;
let tenant: Tenant;

beforeAll(async () => {
  world = await startWorld();
  await world.startReplica();
});
afterAll(() => world.stop());

beforeEach(async () => {
  tenant = await world.newTenant();
});

interface Compared {
  id: string;
  outcome: string;
  reason: string | null;
  recipients: unknown[];
}

const real = ({ stepId, outcome, reason, detail }: RunFound['results'][number]): Compared => {
  const { notifications = [] } = (detail ?? {}) as { notifications?: Record<string, unknown>[] };
  return {
    id: stepId,
    outcome,
    reason,
    recipients: notifications.map(({ channel, target, reason: unreachable, onCall }) => ({
      ...{ channel, target, unreachable, onCall },
    })),
  };
};

const planned = ({ id, outcome, reason, targets }: PlannedStep): Compared => ({
  id,
  outcome,
  reason,
  recipients: (targets as Record<string, unknown>[]).map(({ channel, target, unreachable, onCall }) => ({
    ...{ channel, target, unreachable, onCall },
  })),
});

const step = (id: string, targets: object[], more: object = {}) => notify(targets, { id, ...more });

/** The alert is acknowledged when the run begins. */
const cases: [name: string, steps: () => Promise<object[]>][] = [
  [
    'recipients of every kind, each address once',
    async () => {
      const onCall = await world.newMember(tenant, 'mira');
      const disabled = await world.newMember(tenant, 'otto', 'disabled');
      const user = { type: 'user', id: publicId('member', onCall) };
      const schedule = await world.newSchedule(tenant, [onCall, await world.newMember(tenant, 'next')]);
      return [
        step('all', [
          email('ops@example.com'),
          email('OPS@example.com'),
          user,
          { type: 'user', id: publicId('member', disabled) },
          { type: 'user', id: 'usr_unknown' },
          { type: 'schedule', id: schedule },
          { type: 'schedule', id: schedule, who: 'next' },
          { type: 'channel', kind: 'slack', url: 'https://hooks.slack.com/services/a' },
        ]),
        { id: 'hook', type: 'webhook', params: { url: 'https://example.com/hook' } },
      ];
    },
  ],
  [
    'a step is skipped when nobody can be notified',
    async () => [
      step('gap', [{ type: 'schedule', id: await world.newSchedule(tenant, []) }]),
      step('unknown', [{ type: 'schedule', id: 'sch_unknown' }]),
      step('last', [email('ops@example.com')]),
    ],
  ],
  [
    'nobody is assigned, and the run continues',
    async () => [
      { id: 'gap', type: 'assign', params: { scheduleId: await world.newSchedule(tenant, []) } },
      { id: 'unknown', type: 'assign', params: { scheduleId: 'sch_unknown' } },
      { id: 'nobody', type: 'assign', params: { userId: 'usr_unknown' } },
      step('last', [email('ops@example.com')]),
    ],
  ],
  [
    'a step with unless is skipped',
    async () => [
      step('first', [email('ops@example.com')], { unless: ['acknowledged'] }),
      step('second', [email('ops@example.com')]),
    ],
  ],
];

test.each(cases)('a dry run shows what the run does: %s', async (_name, stepsOf) => {
  const workflowId = await world.newWorkflow(tenant, await stepsOf(), { events: ['alert.acknowledged'] });
  const alertId = await world.newAlert(tenant, { status: 'acknowledged' });
  const answer = await world.ask(tenant.principal, testWorkflow, {
    params: { id: publicId('workflow', workflowId) },
    body: { alertId: publicId('alert', alertId) },
  });
  const { runs, steps } = dataOf<WorkflowTest>(answer);
  expect(runs).toBe(true);
  await world.publishEvent(tenant, 'alert.acknowledged', alertId);
  const { results } = await world.run(tenant, 'completed');
  expect(steps.map(planned)).toEqual(results.map(real));
});

test('a simulation and a run have the same result in the test environment', async () => {
  tenant = await world.newTenant({ environment: 'test' });
  const workflowId = await world.newWorkflow(tenant, [step('page', [email('ops@example.com')])]);
  const alertId = await world.newAlert(tenant);
  const answer = await world.ask(tenant.principal, testWorkflow, {
    params: { id: publicId('workflow', workflowId) },
    body: { alertId: publicId('alert', alertId) },
  });
  await world.publishEvent(tenant, 'alert.created', alertId);
  const { results } = await world.run(tenant, 'completed');
  expect(dataOf<WorkflowTest>(answer).steps.map(planned)).toEqual(results.map(real));
});
