/** Workflows about hand-offs of schedules and ends of suppression windows. */
import {
  listWorkflowRuns,
  newUuid,
  publicId,
  scheduleEventsSubject,
  suppressionEventsSubject,
  type HandOff,
  type ScheduleEvent,
  type SuppressionEvent,
  type WorkflowRun,
} from '@ams/contracts';
import { callOperation, eventually, pageOf } from '@ams/testing';
import { jetstream } from '@nats-io/jetstream';
import { email, notify, startWorld, type Tenant, type TestWorld } from '../../testing/support.js';

let world: TestWorld;
let tenant: Tenant;

beforeAll(async () => {
  world = await startWorld();
  for (let i = 0; i < 2; i++) await world.startReplica();
});
afterAll(() => world.stop());
beforeEach(async () => {
  tenant = await world.newTenant();
});

const member = (name: string) => ({ id: publicId('member', newUuid()), name, email: `${name}@example.com` });
const [ann, bob] = [member('Ann'), member('Bob')];

const handOff = (values: Partial<HandOff> = {}): ScheduleEvent => ({
  id: publicId('timelineEntry', newUuid()),
  organizationId: tenant.organizationId,
  environment: tenant.environment,
  type: 'schedule.handoff',
  occurredAt: '2027-03-29T07:00:00.000Z',
  depth: 0,
  schedule: {
    id: publicId('schedule', newUuid()),
    name: 'Primary',
    teamId: null,
    timezone: 'Europe/Berlin',
    from: [ann],
    to: [bob],
    source: 'layer',
    layer: { id: 'weekly', name: 'Weekly' },
    startsAt: '2027-03-29T07:00:00.000Z',
    endsAt: '2027-04-05T07:00:00.000Z',
    version: 4,
    ...values,
  },
});
const expiring = (): SuppressionEvent => ({
  id: publicId('timelineEntry', newUuid()),
  organizationId: tenant.organizationId,
  environment: tenant.environment,
  type: 'suppression.expiring',
  occurredAt: '2027-03-29T06:00:00.000Z',
  depth: 0,
  suppression: {
    id: publicId('suppressionWindow', newUuid()),
    name: 'Deployment',
    reason: 'new database',
    teamId: null,
    clientIds: [],
    endsAt: '2027-03-29T07:00:00.000Z',
    version: 1,
  },
});
const publish = async (subject: string, ...events: object[]): Promise<void> => {
  await jetstream(world.nats).publish(subject, JSON.stringify({ events }));
};
const url = 'https://example.com/hook';
const hook = { id: 'hook', type: 'webhook', params: { url } };
const runs = async (workflowId: string): Promise<WorkflowRun[]> =>
  pageOf<WorkflowRun>(
    await callOperation(world.nats, tenant.principal, listWorkflowRuns, {
      params: { id: publicId('workflow', workflowId) },
    }),
  ).data;

test('a hand-off notifies by its template and by a text of its own, and posts who was and who is on call', async () => {
  const templates = {
    subject: '{{schedule.to}} takes over {{schedule.name}}',
    message: 'From {{schedule.from}} until {{schedule.endsAt}}, layer {{schedule.layer}}',
  };
  const worded = notify([email('room@example.com')]) as { params: object };
  const workflowId = await world.newWorkflow(
    tenant,
    [
      { ...worded, id: 'worded', params: { ...worded.params, ...templates } },
      { ...notify([email('plain@example.com')]), id: 'plain' },
      hook,
    ],
    { events: ['schedule.handoff'] },
  );
  const event = handOff();
  // The second message has the same event, as after a failure of the relay.
  await publish(scheduleEventsSubject, event);
  await publish(scheduleEventsSubject, event);
  await eventually(async () => expect(await world.sentTo(tenant)).toHaveLength(3));
  const sent = await world.sentTo(tenant);
  const notices = sent.filter(({ target }) => target.channel === 'email').map(({ notice }) => notice);
  expect(notices.map(({ subject, message }) => [subject, message]).sort()).toEqual([
    ['Bob takes over Primary', 'From Ann until 2027-04-05T07:00:00.000Z, layer Weekly'],
    ['Primary: Bob is on call', 'Bob is on call in Primary, until 2027-04-05 07:00 UTC. Before: Ann.'],
  ]);
  expect(sent.find(({ target }) => target.channel === 'webhook')?.event).toMatchObject({
    type: 'schedule.handoff',
    occurredAt: event.occurredAt,
    version: 4,
    data: { alert: null, incident: null, schedule: event.schedule },
  });
  expect(await runs(workflowId)).toMatchObject([
    {
      event: 'schedule.handoff',
      scheduleId: event.schedule.id,
      alertId: null,
      incidentId: null,
      suppressionWindowId: null,
    },
  ]);
});

test('conditions compare the schedule, and each of the members who were and are on call', async () => {
  const when = (field: string, value: string) => ({ field, op: 'eq', value });
  const both = {
    all: [when('schedule.name', 'Primary'), when('schedule.to.id', bob.id), when('schedule.from.name', 'Ann')],
  };
  const gap = { field: 'schedule.to.id', op: 'exists', value: false };
  const hookAt = (host: string) => [{ ...hook, params: { url: `https://${host}/hook` } }];
  const events = ['schedule.handoff'];
  await world.newWorkflow(tenant, hookAt('both.example.com'), { events, conditions: both, name: 'Both' });
  await world.newWorkflow(tenant, hookAt('gap.example.com'), { events, conditions: gap, name: 'Gap' });
  await publish(
    scheduleEventsSubject,
    handOff({ to: [member('Cleo'), bob] }),
    handOff({ to: [] }),
    handOff({ from: [] }),
  );
  const targets = async (): Promise<string[]> =>
    (await world.sentTo(tenant)).map(({ target }) => ('url' in target ? target.url : '')).sort();
  await eventually(async () =>
    expect(await targets()).toEqual(['https://both.example.com/hook', 'https://gap.example.com/hook']),
  );
});

test('a window that ends soon is told with its name and its end', async () => {
  const workflowId = await world.newWorkflow(tenant, [notify([email('room@example.com')])], {
    events: ['suppression.expiring'],
    conditions: { field: 'suppression.reason', op: 'contains', value: 'database' },
  });
  const event = expiring();
  await publish(suppressionEventsSubject, event);
  await eventually(async () => expect(await world.sentTo(tenant)).toHaveLength(1));
  const [sent] = await world.sentTo(tenant);
  expect(sent?.notice).toMatchObject({
    subject: 'The suppression window "Deployment" ends at 2027-03-29 07:00 UTC',
    alert: null,
    incident: null,
  });
  expect(await runs(workflowId)).toMatchObject([{ suppressionWindowId: event.suppression.id, scheduleId: null }]);
});

test('hand-offs of two schedules to one webhook do not wait for each other, and those of one keep their order', async () => {
  await world.newWorkflow(tenant, [hook], { events: ['schedule.handoff'] });
  const id = publicId('schedule', newUuid());
  await publish(
    scheduleEventsSubject,
    handOff({ id, version: 1 }),
    handOff({ version: 9 }),
    handOff({ id, version: 2 }),
  );
  await eventually(async () => expect(await world.sentTo(tenant)).toHaveLength(3));
  const versions = (await world.sentTo(tenant))
    .filter(({ event }) => (event.data as { schedule: HandOff }).schedule.id === id)
    .map(({ event }) => event.version);
  expect(versions).toEqual([1, 2]);
});
