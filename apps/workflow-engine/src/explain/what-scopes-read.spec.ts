/** What a caller reads through answers about other records: no more than its scopes read directly. */
import {
  explainAlert,
  exportNotifications,
  getNotification,
  listNotifications,
  listWorkflowRuns,
  publicId,
  simulate,
  testNotification,
  testWorkflow,
  type Explanation,
  type Notification,
  type Operation,
  type Principal,
  type Simulation,
  type WorkflowRun,
  type WorkflowTest,
} from '@ams/contracts';
import { settingsForNewIntegration } from '@ams/domain';
import { scopes, type Scope } from '@ams/scopes';
import { eventually, insertApiKey, insertClient, insertIntegration } from '@ams/testing';
import { dataOf, notify, pageOf, startWorld, type Tenant, type TestWorld } from '../../testing/support.js';

const address = 'mira@example.com';
const masked = 'm…@example.com';
const payload = { title: 'High CPU', severity: 'critical', fingerprint: 'other' };

let world: TestWorld;
let tenant: Tenant;
let requests: Record<string, { operation: Operation; call: object }>;
let clientId: string;

beforeAll(async () => {
  world = await startWorld();
  await world.startReplica();
  tenant = await world.newTenant();
  const { type, ...settings } = settingsForNewIntegration('generic', {});
  await insertIntegration(world.admin, tenant, { id: tenant.integrationId, type, settings });
  const member = publicId('member', await world.newMember(tenant));
  clientId = await insertClient(world.admin, tenant);
  const workflow = await world.newWorkflow(tenant, [notify([{ type: 'user', id: member }])], {
    conditions: { field: 'title', op: 'contains', value: 'CPU' },
  });
  const alert = await world.newAlert(tenant);
  await world.admin.query('UPDATE alerts.alerts SET client_id = $2 WHERE id = $1', [alert, clientId]);
  await world.publishEvent(tenant, 'alert.created', alert);
  const list = async () => pageOf<Notification>(await world.ask(tenant.principal, listNotifications)).data;
  await eventually(async () => expect(await list()).toMatchObject([{ status: 'sent' }]));
  const [notification] = await list();
  const id = publicId('alert', alert);
  const ofWorkflow = { id: publicId('workflow', workflow) };
  requests = {
    listNotifications: { operation: listNotifications, call: {} },
    exportNotifications: { operation: exportNotifications, call: {} },
    getNotification: { operation: getNotification, call: { params: { id: notification?.id } } },
    explainAlert: { operation: explainAlert, call: { params: { id } } },
    listWorkflowRuns: { operation: listWorkflowRuns, call: { params: ofWorkflow } },
    simulate: { operation: simulate, call: { body: { alert: payload } } },
    testWorkflow: { operation: testWorkflow, call: { params: ofWorkflow, body: { alertId: id } } },
    testNotification: {
      operation: testNotification,
      call: { body: { target: { type: 'user', id: member } } },
    },
  };
});
afterAll(() => world.stop());

const without = (...missing: Scope[]): Principal => ({
  ...tenant.principal,
  scopes: scopes.filter((scope) => !missing.includes(scope)),
});

const ask = (name: string, principal: Principal) => {
  const { operation, call } = requests[name] as (typeof requests)[string];
  return world.ask(principal, operation, call);
};

const operations = [
  'listNotifications',
  'exportNotifications',
  'getNotification',
  'explainAlert',
  'listWorkflowRuns',
  'simulate',
  'testWorkflow',
  'testNotification',
];

describe.each(operations)('%s', (name) => {
  it('shows the addresses of members to a key with users:read only', async () => {
    const [all, less] = [await ask(name, tenant.principal), await ask(name, without('users:read'))];
    expect(JSON.stringify(all)).toContain(address);
    expect(all.ok && less.ok).toBe(true);
    expect(JSON.stringify(less)).toContain(masked);
    expect(JSON.stringify(less)).not.toContain(address);
  });

  it.each(scopes)('shows no address to a key with the scope %s alone', async (scope) => {
    if (scope === 'users:read') return;
    const answer = await ask(name, { ...tenant.principal, scopes: [scope] });
    expect(JSON.stringify(answer)).not.toContain(address);
  });
});

it.each(['listNotifications', 'getNotification', 'explainAlert'])(
  '%s shows no address to a key that is restricted to a client',
  async (name) => {
    const { principal } = await insertApiKey(world.admin, {
      organizationId: tenant.organizationId,
      restrictedTo: { clientIds: [clientId], teamIds: [] },
    });
    const answer = await ask(name, principal);
    expect(answer.ok).toBe(true);
    expect(JSON.stringify(answer)).toContain(masked);
    expect(JSON.stringify(answer)).not.toContain(address);
  },
);

describe.each(['simulate', 'testWorkflow'])('%s', (name) => {
  it.each<Scope>(['workflows:read', 'alerts:read', 'incidents:read'])('is refused without %s', async (scope) => {
    expect(await ask(name, without(scope))).toMatchObject({
      ok: false,
      code: 'INSUFFICIENT_SCOPE',
      details: { required: scope },
    });
  });

  it('shows no settings of an integration without integrations:read', async () => {
    const { operation, call } = requests[name] as (typeof requests)[string];
    const body = { payload, integrationId: publicId('integration', tenant.integrationId) };
    expect(await world.ask(tenant.principal, operation, { ...call, body })).toMatchObject({ ok: true });
    expect(await world.ask(without('integrations:read'), operation, { ...call, body })).toMatchObject({
      ok: false,
      code: 'INSUFFICIENT_SCOPE',
      details: { required: 'integrations:read' },
    });
  });
});

it('a run shows what its conditions compared to those only who read alerts and incidents', async () => {
  const traceOf = async (principal: Principal) =>
    pageOf<WorkflowRun>(await ask('listWorkflowRuns', principal)).data.map(({ trace }) => trace);
  expect(await traceOf(tenant.principal)).toMatchObject([{ holds: true, actual: expect.stringContaining('CPU') }]);
  for (const scope of ['alerts:read', 'incidents:read'] as const)
    expect(await traceOf(without(scope))).toMatchObject([{ holds: true, actual: null }]);
});

it.each<[Scope, (explanation: Explanation) => unknown[]]>([
  ['workflows:read', ({ decisions }) => decisions],
  ['workflows:read', ({ runs }) => runs],
])('an explanation has what %s reads only with this scope', async (scope, part) => {
  const of = async (principal: Principal) => part(dataOf<Explanation>(await ask('explainAlert', principal)));
  expect(await of(tenant.principal)).toHaveLength(1);
  expect(await of(without(scope))).toEqual([]);
});

it('a simulation and a test give the same decisions to all who may call them', async () => {
  const lesser = without('users:read', 'suppression:read');
  const [item] = dataOf<Simulation>(await ask('simulate', lesser)).items;
  expect(item?.workflows).toMatchObject([{ steps: [{ targets: [{ channel: 'email', target: masked }] }] }]);
  expect(dataOf<WorkflowTest>(await ask('testWorkflow', lesser))).toMatchObject({ runs: true });
});
