import { presetSettings } from '@ams/domain';
import { eventually } from '@ams/testing';
import { alert, post, startWorld, type World } from '../testing/harness.js';

let world: World;
let url: string;
beforeAll(async () => {
  world = await startWorld();
  ({ url } = await world.gateway({ INGEST_LIMIT_PER_MINUTE: '100000' }));
});
afterAll(() => world.end());

const of = (integrationId: string, count: number) =>
  eventually(async () => {
    const found = (await world.deliveries()).filter((delivery) => delivery.integrationId === integrationId);
    expect(found.length).toBeGreaterThanOrEqual(count);
    return found;
  });

it('says of each request what became of it and of its items', async () => {
  const settings = { ...presetSettings('generic'), itemsPath: 'alerts', ignoreWhen: [{ path: 'title', equals: 'test' }] };
  const { token, integration } = await world.integration({ settings });
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'k', 'x-request-id': 'r-1' };
  const body = { alerts: [alert({ fingerprint: 'f' }), {}, { title: 'test' }] };
  const answer = await post(url, token, body, headers);
  await post(url, token, body, headers);
  await post(url, token, '{');
  await post(url, token, { alerts: [] });
  await post(url, token, '<a/>', { 'content-type': 'text/xml' });
  const records = await of(integration.id, 5);
  expect(records.map(({ outcome, status, stored }) => [outcome, status, stored])).toEqual([['partial', 202, 1], ['repeated', 200, 0], ['rejected', 400, 0], ['ignored', 200, 0], ['rejected', 415, 0]]);
  expect(records[0]).toMatchObject({ organizationId: integration.organizationId, environment: 'live', contentType: 'application/json', payload: JSON.stringify(body), note: null, requestId: 'r-1' });
  expect(records[0]!.items).toEqual([
    { outcome: 'event', eventId: answer.body.data!.events[0]!.id, fingerprint: 'f', warnings: [] },
    { outcome: 'faulty', faults: expect.any(Array) as unknown[] },
    { outcome: 'ignored', reason: expect.any(String) as string },
  ]);
  expect(records[2]).toMatchObject({ payload: '{', note: 'The body is not valid JSON.' });
});

it('keeps a payload of half a megabyte, and the beginning of one that would not fit', async () => {
  const { token, integration } = await world.integration();
  const large = JSON.stringify(alert({ filler: 'x'.repeat(500_000) }));
  await post(url, token, large);
  await post(url, token, '\u0001'.repeat(520_000));
  const [whole, cut] = await of(integration.id, 2);
  expect(whole!.payload).toBe(large);
  const fits = cut!.payload!.length === 520_000;
  if (!fits) expect(cut!.note).toContain('only its beginning');
});

it('keeps the newest hundred of a burst', async () => {
  const { token, integration } = await world.integration();
  await Promise.all(Array.from({ length: 400 }, (_, i) => post(url, token, alert({ fingerprint: String(i) }))));
  const records = await of(integration.id, 100);
  expect(records.every(({ outcome }) => outcome === 'accepted')).toBe(true);
});
