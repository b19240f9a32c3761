/** Simulations of `page` steps, and of alerts for which no workflow runs. */
import { publicId, simulate, uuidOf, type SimulatedItem, type Simulation } from '@ams/contracts';
import { defaultWorkflow } from '@ams/domain';
import { dataOf, startWorld, type Tenant, type TestWorld } from '../../testing/support.js';
import { pagingRecords } from '../../testing/paging-records.js';
import { simulationRecords } from '../../testing/simulation-records.js';
import { plannedTargets } from './planned-page.js';

let world: TestWorld;
let tenant: Tenant;
/** UUIDs. */
let mira: string;
let ada: string;
/** The catch-all policy, which tells Ada. */
let catchAll: string;

beforeAll(async () => {
  world = await startWorld();
  await world.startReplica();
});
afterAll(() => world.stop());
beforeEach(async () => {
  tenant = await world.newTenant();
  mira = await world.newMember(tenant, 'mira');
  ada = await world.newMember(tenant, 'ada');
  catchAll = await newPolicy('Default', ada);
  await setCatchAll(catchAll);
});

const records = [() => world, () => tenant] as const;
const { newPolicy, newTeam, setCatchAll } = pagingRecords(...records);
const { newOpenAlert, rowCounts } = simulationRecords(...records);

const simulated = async (...alerts: object[]): Promise<SimulatedItem[]> => {
  const items: SimulatedItem[] = [];
  for (const alert of alerts)
    items.push(...dataOf<Simulation>(await world.ask(tenant.principal, simulate, { body: { alert } })).items);
  return items;
};

const pageTeams = () =>
  world.newWorkflow(tenant, defaultWorkflow.steps, {
    name: defaultWorkflow.name,
    conditions: defaultWorkflow.conditions,
  });

const alert = (labels: Record<string, string> = {}, severity = 'critical') => ({
  title: 'Checkout is slow',
  severity,
  fingerprint: crypto.randomUUID(),
  labels: { service: 'shop', ...labels },
});

const told = (targets: readonly unknown[] | undefined) =>
  (targets as { target: string; unreachable: string | null }[] | undefined)?.map(({ target }) => target);

const inNewIncident =
  'open the incident "Checkout is slow" (one incident for each service, alert name or fingerprint), and page by';

describe('a page', () => {
  test('shows the policy of the team that the alert names, and whom its first level would tell now', async () => {
    const policy = await newPolicy('Payments', mira, ada);
    await newTeam('payments', policy);
    await pageTeams();
    const before = await rowCounts();
    const [item] = await simulated(alert({ team: 'payments' }));
    const [step] = item?.workflows[0]?.steps ?? [];
    expect(step).toMatchObject({
      type: 'page',
      would: `${inNewIncident} the escalation policy "Payments" (the alert names the team "payments")`,
      outcome: 'done',
      incident: { decision: 'opened', id: null },
      page: { policyId: policy, policyName: 'Payments', by: 'team', tellsNow: true },
    });
    expect([told(step?.targets), told(step?.page?.levelOne)]).toEqual([['mira@example.com'], ['mira@example.com']]);
    expect(step?.page?.later).toMatchObject([{ level: 2, targets: [{ target: 'ada@example.com' }] }]);
    expect(item?.catchAll).toMatchObject({ outcome: 'workflow', incident: null, page: null });
    expect(await rowCounts()).toEqual(before);
  });

  test.each<[string, Record<string, string>, string]>([
    ['names no team', {}, 'The alert names no team.'],
    ['names a team that nobody knows', { team: 'atlantis' }, 'There is no team "atlantis".'],
    ['names a team without a policy', { team: 'bare' }, 'The team "bare" has no policy.'],
  ])('of an alert that %s shows the catch-all policy, and why', async (_what, labels, why) => {
    await newTeam('bare', null);
    await pageTeams();
    const [item] = await simulated(alert(labels));
    const [step] = item?.workflows[0]?.steps ?? [];
    expect(step?.page).toMatchObject({ policyId: catchAll, policyName: 'Default', by: 'catchAll', why });
    expect(told(step?.targets)).toEqual(['ada@example.com']);
  });

  test('shows the policy that the step names by its id, and the catch-all when that one is gone', async () => {
    const policy = await newPolicy('Payments', mira);
    await world.newWorkflow(tenant, [{ id: 'page', type: 'page', params: { policy: { id: policy } } }]);
    const [item] = await simulated(alert());
    expect(item?.workflows[0]?.steps[0]?.page).toMatchObject({ policyId: policy, by: 'policy' });
    await world.admin.query('DELETE FROM resources.escalation_policies WHERE id = $1', [
      uuidOf('escalationPolicy', policy),
    ]);
    const [later] = await simulated(alert());
    expect(later?.workflows[0]?.steps[0]?.page).toMatchObject({
      policyId: catchAll,
      by: 'catchAll',
      why: 'The policy of the step does not exist.',
    });
  });

  test('that joins an open incident tells nobody again, and shows the policy of this incident', async () => {
    const workflowId = await pageTeams();
    const [first] = await simulated(alert());
    expect(first?.workflows[0]?.steps[0]?.incident?.decision).toBe('opened');
    const [policy, groupKey] = [await newPolicy('Earlier', mira), await groupKeyOf(workflowId)];
    const incidentId = await openIncident(policy, { workflowId, groupKey });
    const [item] = await simulated(alert());
    const [step] = item?.workflows[0]?.steps ?? [];
    expect(step).toMatchObject({
      targets: [],
      incident: { decision: 'joined', id: publicId('incident', incidentId) },
      page: {
        policyId: policy,
        by: 'incident',
        tellsNow: false,
        why: 'The open incident pages by it already.',
      },
    });
    expect(step?.would).toMatch(
      /^join incident 7 ".*", which is open .*, which pages by the escalation policy "Earlier"/,
    );
    expect(told(step?.page?.levelOne)).toEqual(['mira@example.com']);
  });

  /** The key of the group is what the engine asks of the pipeline for such an alert. */
  async function groupKeyOf(workflowId: string): Promise<string> {
    await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant, { labels: { service: 'shop' } }));
    await world.run(tenant, 'completed');
    const command = world.commands.find(({ workflow }) => workflow?.id === workflowId);
    await world.admin.query(`UPDATE alerts.incidents SET status = 'resolved', resolved_at = '2020-01-01'`);
    return command?.body.kind === 'openIncident' ? command.body.groupKey : '';
  }
});

async function openIncident(
  policyId: string,
  values: { workflowId?: string | null; groupKey?: string | null; urgency?: 'high' | 'low' } = {},
): Promise<string> {
  const { workflowId = null, groupKey = null, urgency = 'high' } = values;
  const id = await world.newIncident(tenant, { workflowId, groupKey, status: 'triggered' });
  const paging = {
    stage: 'policy',
    reached: true,
    remainingMs: null,
    joined: null,
    flappingUntil: null,
    refireAt: null,
  };
  const escalation = {
    state: 'escalating',
    episode: 1,
    round: 1,
    level: 1,
    nextAt: '2100-01-01T00:00:00.000Z',
    told: [],
  };
  await world.admin.query(
    `UPDATE alerts.incidents SET number = 7, policy_id = $2, severity = $3, urgency = $4, escalation = $5, paging = $6
     WHERE id = $1`,
    [
      id,
      uuidOf('escalationPolicy', policyId),
      urgency === 'high' ? 4 : 1,
      urgency,
      JSON.stringify(escalation),
      JSON.stringify(paging),
    ],
  );
  return id;
}

describe('an alert for which no workflow runs', () => {
  test('asks the catch-all policy when it is urgent: its incident, and whom its first level would tell now', async () => {
    await pageTeams();
    await world.admin.query('UPDATE resources.workflows SET enabled = false WHERE organization_id = $1', [
      tenant.organizationId,
    ]);
    const before = await rowCounts();
    const [item] = await simulated(alert());
    expect(item?.workflows).toEqual([]);
    expect(item?.catchAll).toMatchObject({
      outcome: 'asked',
      would:
        `No workflow runs for the alert, which is urgent. It would ${inNewIncident} ` +
        'the catch-all policy "Default" (no workflow runs for the alert).',
      incident: { decision: 'opened' },
      page: { policyId: catchAll, by: 'catchAll', tellsNow: true },
    });
    expect(told(item?.catchAll?.targets)).toEqual(['ada@example.com']);
    expect(await rowCounts()).toEqual(before);
  });

  test('begins the workflows of the incident that the catch-all policy opens', async () => {
    await world.newWorkflow(tenant, [{ id: 'take', type: 'acknowledge' }], {
      name: 'Taker',
      events: ['incident.created'],
    });
    const [item] = await simulated(alert());
    expect(item?.follows[0]).toMatchObject({
      event: 'incident.created',
      cause: { type: 'catchAll', workflowId: null },
      catchAll: null,
      workflows: [{ name: 'Taker', outcome: 'run' }],
    });
  });

  test.each<[string, object, string, string]>([
    ['is not urgent', alert({}, 'medium'), 'lowUrgency', 'The catch-all policy is not asked: the alert is not urgent.'],
    [
      'is acknowledged by its sender',
      { ...alert(), status: 'acknowledged' },
      'notFiring',
      'The catch-all policy is not asked: the alert is not firing.',
    ],
  ])('that %s does not ask it, and says why', async (_what, sent, outcome, would) => {
    const [item] = await simulated(sent);
    expect(item?.catchAll).toEqual({ outcome, would, incident: null, page: null, targets: [] });
  });

  test('asks nobody when the organization has no catch-all policy, and says so', async () => {
    await world.admin.query('UPDATE resources.organization_settings SET catch_all_policy_id = NULL');
    const [item] = await simulated(alert());
    expect(item?.catchAll).toMatchObject({ outcome: 'noPolicy' });
  });
});

test('of very many recipients a hundred are shown', () => {
  const recipient = { key: '', channel: 'email', target: 'a@example.com', why: '', unreachable: null, onCall: null };
  expect(plannedTargets(Array.from({ length: 150 }, () => recipient as never))).toHaveLength(100);
});

test('an alert that becomes worse shows the message of the incident in which it is', async () => {
  const policy = await newPolicy('Payments', mira);
  const incidentId = await openIncident(policy, { urgency: 'low' });
  await newOpenAlert({ fingerprint: 'worse', severity: 'low', incidentId });
  const [item] = dataOf<Simulation>(
    await world.ask(tenant.principal, simulate, {
      body: {
        payload: { title: 'Checkout is slow', severity: 'critical', fingerprint: 'worse' },
        integrationId: await simulationRecords(...records).newIntegration(),
      },
    }),
  ).items;
  expect(item?.alert).toMatchObject({ decision: 'occurred' });
  expect(item?.pages).toMatchObject([
    {
      incident: { id: publicId('incident', incidentId), number: 7 },
      why: 'Level 1 of the escalation policy "Payments" is told.',
      targets: [{ target: 'mira@example.com' }],
    },
  ]);
});
