/** The published client with the running system, as other programs use it. */
import { createAlertClient, pages, type AlertClient } from '@ams/client';
import { type Organization, type SystemClient } from './system.js';
import { sharedSystem } from './system/shared-system.js';

let system: SystemClient;
let acme: Organization;
let client: AlertClient;

beforeAll(async () => {
  system = await sharedSystem();
  acme = await system.organization();
  client = createAlertClient({ baseUrl: `${system.address.gateways[0]}/api/v1`, apiKey: acme.key });
});
afterAll(() => system?.close());

it('reads the pages of a list, with filters', async () => {
  const sender = await acme.integration();
  await sender.fire(
    Array.from({ length: 25 }, (_, n) => ({
      title: `alert ${n}`,
      severity: n % 2 === 0 ? 'low' : 'info',
      fingerprint: `walk-${n}`,
      labels: { region: 'eu', disk: 'a,b' },
    })),
  );
  const seen: string[] = [];
  for await (const { data, error } of pages(client, '/alerts', {
    query: { limit: 10, severity: ['low', 'info'], label: ['region:eu', 'disk:a,b'], sort: 'createdAt' },
  })) {
    expect(error).toBeUndefined();
    seen.push(...(data?.data ?? []).map(({ fingerprint }) => fingerprint));
  }
  expect(new Set(seen).size).toBe(25);
  expect(seen).toHaveLength(25);
});

it('creates, changes with a version, deletes, and gets the errors', async () => {
  const { data: made, response } = await client.POST('/clients', { body: { name: 'Acme Shipping', slug: 'acme' } });
  expect(response.status).toBe(201);
  const id = made?.data.id as string;
  const path = { id };
  const changed = await client.PUT('/clients/{id}', {
    params: { path, header: { 'If-Match': '"1"' } },
    body: { timezone: 'Europe/Berlin' },
  });
  expect(changed.data?.data).toMatchObject({ timezone: 'Europe/Berlin', version: 2 });
  const stale = await client.PUT('/clients/{id}', {
    params: { path, header: { 'If-Match': '"1"' } },
    body: { timezone: 'UTC' },
  });
  expect(stale.error).toMatchObject({ code: 'VERSION_MISMATCH', details: { current: 2 } });
  expect((await client.DELETE('/clients/{id}', { params: { path } })).response.status).toBe(204);
  expect((await client.GET('/clients/{id}', { params: { path } })).error).toMatchObject({ code: 'NOT_FOUND' });
});

it('reads who is on call', async () => {
  const { data: members } = await client.GET('/users', { params: { query: { role: ['owner'] } } });
  const owner = members?.data[0]?.id as string;
  const layer = {
    name: 'Always',
    members: [owner],
    rotation: { unit: 'week' as const, interval: 1, handoffTime: '09:00', handoffDay: 1 },
    startsAt: '2026-01-05T08:00:00Z',
  };
  const { data: schedule } = await client.POST('/schedules', { body: { name: 'Primary', layers: [layer] } });
  const { data: onCall } = await client.GET('/schedules/current-oncall', {
    params: { query: { scheduleId: [schedule?.data.id as string] } },
  });
  expect(onCall?.data).toMatchObject([{ scheduleName: 'Primary', isGap: false, users: [{ id: owner }] }]);
});
