import { getStatus, newUuid, type Principal, type ServiceStatus, type StatusPart } from '@ams/contracts';
import { readingNames, type Readings, type ServicePart } from '@ams/domain';
import { sendReport } from '@ams/messaging';
import { eventually, insertAlert, insertApiKey, insertClient, insertRows } from '@ams/testing';
import { jetstream } from '@nats-io/jetstream';
import { startWorld, type Tenant, type TestWorld } from '../../testing/support.js';

const others = ['api-gateway', 'ingest-gateway', 'auth', 'resource-api', 'alert-pipeline', 'notifier'];
const nothingWaits: Readings = Object.fromEntries(readingNames.map((name) => [name, { value: 0, ageSeconds: 1 }]));

let world: TestWorld;
let tenant: Tenant;
/** What the replicas of the other services report every second, by `<service>.<replica>`. */
const reports = new Map<string, { isReady: boolean; readings: Readings }>();
let reporting: NodeJS.Timeout;

const sendAll = (): Promise<unknown> =>
  Promise.all(
    [...reports].map(async ([key, report]) => {
      const [service = '', replica = ''] = key.split('.');
      await sendReport(world.nats, service, replica, report);
    }),
  );
const allWell = (): void => {
  reports.clear();
  for (const service of others) reports.set(`${service}.one`, { isReady: true, readings: nothingWaits });
};

beforeAll(async () => {
  world = await startWorld();
  allWell();
  reporting = setInterval(() => void sendAll().catch(() => undefined), 1000);
  await world.startReplica();
  await world.startReplica();
  tenant = await world.newTenant();
});
beforeEach(allWell);
afterAll(async () => {
  clearInterval(reporting);
  await world?.stop();
});

async function status(principal: Principal = tenant.principal): Promise<ServiceStatus> {
  const answer = await world.ask(principal, getStatus);
  if (!answer.ok) throw new Error(answer.message);
  return (answer.body as { data: ServiceStatus }).data;
}
async function part(name: ServicePart, principal?: Principal): Promise<StatusPart> {
  return (await status(principal)).parts.find((one) => one.part === name) as StatusPart;
}
const becomes = (name: ServicePart, state: string, principal?: Principal): Promise<StatusPart> =>
  eventually(async () => {
    const found = await part(name, principal);
    expect(found).toMatchObject({ part: name, state });
    return found;
  });
const reading = ({ readings }: StatusPart, name: string) => readings.find((one) => one.name === name);

it('is operational when every service reports; the engine reports what it reads itself', async () => {
  const all = await eventually(async () => {
    const found = await status();
    expect(found.parts.map(({ part: name, state }) => [name, state])).toEqual(
      ['ingest', 'alerts', 'pages', 'notifications', 'api', 'stream'].map((name) => [name, 'operational']),
    );
    return found;
  });
  expect(all.state).toBe('operational');
  const pages = all.parts.find(({ part: name }) => name === 'pages') as StatusPart;
  for (const { value, ageSeconds } of pages.readings) {
    expect(value).toBeGreaterThanOrEqual(0);
    expect(ageSeconds).toBeGreaterThanOrEqual(0);
  }
});

it('says since when a part is degraded, and again since when it works', async () => {
  const well = await becomes('alerts', 'operational');
  reports.set('alert-pipeline.one', {
    isReady: true,
    readings: { ...nothingWaits, oldestUnappliedEvent: { value: 45, ageSeconds: 1 } },
  });
  const degraded = await becomes('alerts', 'degraded');
  expect(reading(degraded, 'oldestUnappliedEvent')).toMatchObject({ state: 'degraded', value: 45, degradedFrom: 30 });
  expect(Date.parse(degraded.since as string)).toBeGreaterThan(Date.parse(well.since as string));
  const { readAt } = await status();
  await eventually(async () => expect((await status()).readAt).not.toBe(readAt));
  expect((await part('alerts')).since).toBe(degraded.since);
  allWell();
  const again = await becomes('alerts', 'operational');
  expect(Date.parse(again.since as string)).toBeGreaterThan(Date.parse(degraded.since as string));
});

it('does not take an old reading or silence for health', async () => {
  await becomes('stream', 'operational');
  reports.set('api-gateway.one', {
    isReady: true,
    readings: { streamBehind: { value: 0, ageSeconds: 31 } },
  });
  expect(reading(await becomes('stream', 'unknown'), 'streamBehind')).toMatchObject({ state: 'unknown', value: null });
  reports.set('api-gateway.two', { isReady: true, readings: nothingWaits });
  await becomes('stream', 'operational');
});

it('is down when no replica of a service is ready, and works when one is', async () => {
  reports.set('notifier.one', { isReady: false, readings: {} });
  await becomes('notifications', 'down');
  reports.set('notifier.two', { isReady: true, readings: {} });
  await becomes('notifications', 'operational');
});

it('ignores a report that it cannot read', async () => {
  for (const [key, text] of [
    ['alert-pipeline.broken', 'not JSON'],
    ['alert-pipeline.other', '{"isReady":"yes","readings":{"leaseAge":{"value":"1","ageSeconds":-1},"other":7}}'],
    ['alert-pipeline.nothing', 'null'],
    ['nobody', '{}'],
  ])
    await jetstream(world.nats).publish(`$KV.status.${key}`, text ?? '');
  const { readAt } = await status();
  await eventually(async () => expect((await status()).readAt).not.toBe(readAt));
  await becomes('alerts', 'operational');
});

it('continues when a replica that collects has ended', async () => {
  const third = await world.startReplica();
  await third.stop();
  const { readAt } = await status();
  await eventually(async () => expect((await status()).readAt).not.toBe(readAt));
});

it('shows what of the organization waits to its own keys only', async () => {
  const [other, test] = [
    await world.newTenant(),
    await world.newTenant({ organizationId: tenant.organizationId, environment: 'test' }),
  ];
  const clientId = await insertClient(world.admin, tenant);
  const alertId = await insertAlert(world.admin, tenant, { clientId });
  await insertRows(world.admin, 'workflows.page_requests', [
    {
      id: newUuid(),
      organizationId: tenant.organizationId,
      environment: 'live',
      alertId,
      eventId: newUuid(),
      askedAt: new Date(Date.now() - 700_000),
    },
  ]);
  const restricted = async (to: string): Promise<Principal> =>
    (
      await insertApiKey(world.admin, {
        organizationId: tenant.organizationId,
        restrictedTo: { clientIds: [to], teamIds: [] },
      })
    ).principal;
  const own = await becomes('pages', 'down');
  expect(reading(own, 'pagesDue')).toMatchObject({ of: 'organization', value: 1, state: 'operational' });
  expect(Date.now() - Date.parse(own.since as string)).toBeGreaterThanOrEqual(100_000);
  expect(reading(await part('pages', await restricted(clientId)), 'pagesDue')).toMatchObject({ value: 1 });
  for (const principal of [other.principal, test.principal, await restricted(newUuid())]) {
    const foreign = await part('pages', principal);
    expect(foreign.state).toBe('operational');
    expect(reading(foreign, 'pagesDue')).toMatchObject({ value: 0 });
  }
});
