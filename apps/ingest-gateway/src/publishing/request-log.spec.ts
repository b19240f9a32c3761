import { parsePayload } from '@ams/contracts';
import { compileDropIn, dropInBody, isDropIn, mapDropIn, mayBeEmpty, presetSettings, type Received } from '@ams/domain';
import { concurrently, eventually } from '@ams/testing';
import { randomBytes } from 'node:crypto';
import { alert, post, startWorld, type World } from '../../testing/harness.js';

let world: World;
let url: string;
beforeAll(async () => {
  world = await startWorld();
  ({ url } = await world.gateway({ INGEST_LIMIT_PER_MINUTE: '100000' }));
});
afterAll(() => world.end());

const of = (integrationId: string, count: number) =>
  eventually(async () => {
    const found = (await world.loggedRequests()).filter((request) => request.integrationId === integrationId);
    expect(found.length).toBeGreaterThanOrEqual(count);
    return found;
  });

it('records the outcome of each request and of its items', async () => {
  const settings = {
    ...presetSettings('generic'),
    itemsPath: 'alerts',
    ignoreWhen: [{ path: 'title', equals: 'test' }],
  };
  const { token, integration } = await world.integration({ settings });
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'k', 'x-request-id': 'r-1' };
  const body = { alerts: [alert({ fingerprint: 'f' }), {}, { title: 'test' }] };
  const answer = await post(url, token, body, headers);
  await post(url, token, body, headers);
  await post(url, token, '{');
  await post(url, token, { alerts: [] });
  await post(url, token, '<a/>', { 'content-type': 'text/xml' });
  const records = await of(integration.id, 5);
  expect(records.map(({ outcome, status, stored }) => [outcome, status, stored])).toEqual([
    ['partial', 202, 1],
    ['repeated', 200, 0],
    ['rejected', 400, 0],
    ['ignored', 200, 0],
    ['rejected', 415, 0],
  ]);
  expect(records[0]).toMatchObject({
    organizationId: integration.organizationId,
    environment: 'live',
    contentType: 'application/json',
    payload: JSON.stringify(body),
    note: null,
    requestId: 'r-1',
  });
  expect(records[0]!.items).toEqual([
    { outcome: 'event', eventId: answer.body.data!.events[0]!.id, fingerprint: 'f', warnings: [] },
    { outcome: 'faulty', faults: expect.any(Array) as unknown[] },
    { outcome: 'ignored', reason: expect.any(String) as string },
  ]);
  expect(records[2]).toMatchObject({ payload: '{', note: 'The body is not valid JSON.' });
});

it('stores a payload of half a megabyte, and the beginning of one that is too large', async () => {
  const wide = await world.gateway({ INGEST_LIMIT_PER_MINUTE: '100000', INGEST_MAX_BODY_BYTES: '12000000' });
  const { token, integration } = await world.integration();
  const large = JSON.stringify(alert({ filler: 'x'.repeat(500_000) }));
  const random = randomBytes(7_500_000).toString('base64');
  await post(url, token, large);
  await post(wide.url, token, random);
  const [whole, cut] = await of(integration.id, 2);
  expect(whole).toMatchObject({ payload: large, note: null });
  expect(random.startsWith(cut!.payload!)).toBe(true);
  expect(cut!.payload!.length).toBeGreaterThan(100_000);
  expect(cut!.note).toBe(
    'The body is not valid JSON. The payload is too large to be kept whole: only its beginning is shown.',
  );
});

it('packs long payloads only', async () => {
  const { token, integration } = await world.integration();
  const bodies = [100, 10_000].map((length) => JSON.stringify(alert({ filler: 'x'.repeat(length) })));
  for (const body of bodies) await post(url, token, body);
  const [short, long] = await of(integration.id, 2);
  expect([short!.payload, long!.payload]).toEqual(bodies);
  expect(short).not.toHaveProperty('packedPayload');
  expect(long!.packedPayload!.length).toBeLessThan(1000);
});

it('keeps the newest hundred records of a burst', async () => {
  const { token, integration } = await world.integration();
  await concurrently(400, 100, (n) => post(url, token, alert({ fingerprint: String(n) })));
  const records = await of(integration.id, 100);
  expect(records.every(({ outcome }) => outcome === 'accepted')).toBe(true);
});

it('names the API of each request, and stores everything that its mapping needs except the token', async () => {
  const settings = { ...presetSettings('grafana'), staticLabels: { team: 'sre' } };
  const { token, integration } = await world.integration({ settings });
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json', authorization: `GenieKey ${token}` };
    return (await fetch(url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }))
      .status;
  };
  const enqueue = (event: object) => ask('POST', '/v2/enqueue', { routing_key: token, ...event });
  const payload = { summary: 'x'.repeat(2_000), severity: 'error', custom_details: { host: 'web-01' } };
  const statuses = [
    (await post(url, token, { title: 'one', alerts: [] })).status,
    await enqueue({ event_action: 'trigger', payload }),
    await enqueue({ event_action: 'resolve', dedup_key: 7 }),
    await enqueue({ event_action: 'resolve' }),
    await ask('POST', '/v2/alerts', { message: 'Disk full', alias: 'disk', action: 'close', tags: ['env:prod'] }),
    await ask('POST', '/v2/alerts/a%2Fb/close?identifierType=alias'),
    await ask('POST', `/v2/alerts/${token}/acknowledge?identifierType=alias`, { note: 'mine' }),
    await ask('PUT', '/v2/alerts/disk/message?identifierType=alias', { message: 'm' }),
    await ask('POST', '/v2/alerts', []),
    await ask('POST', '/v2/alerts/disk/escalate?identifierType=alias', {}),
  ];
  expect(statuses).toEqual([200, 202, 202, 400, 202, 202, 202, 202, 400, 404]);
  const records = await of(integration.id, 10);
  const made = expect.stringMatching(/^[0-9a-f]{32}$/) as string;
  expect(records.map(({ api, operation, alertKey }) => [api, operation, alertKey])).toEqual([
    ['webhook', null, null],
    ['pagerduty', null, made],
    ['pagerduty', null, null],
    ['pagerduty', null, made],
    ['opsgenie', 'create', null],
    ['opsgenie', 'close', 'a/b'],
    ['opsgenie', 'acknowledge', '[hidden]'],
    ['opsgenie', 'edit', 'disk'],
    ['opsgenie', 'create', null],
    ['opsgenie', null, null],
  ]);
  // A fingerprint shows the sender's own key as it is, and this one is the token.
  for (const { items: _, ...record } of records) expect(JSON.stringify(record)).not.toContain(token);

  const again = records.map((record) => {
    const received = record as Received;
    const body =
      record.payload === null || !isDropIn(received)
        ? null
        : dropInBody(parsePayload(record.payload, 'json', mayBeEmpty(received) ? {} : undefined));
    return body === null || !isDropIn(received) ? [] : mapDropIn(compileDropIn(received.api, settings), received, body);
  });
  expect(again.map(([item]) => item?.kind ?? null)).toEqual([
    null,
    'event',
    'event',
    'faulty',
    'event',
    'event',
    'event',
    'event',
    null,
    null,
  ]);
  const events = again.flat().flatMap((item) => (item.kind === 'event' ? [item.event] : []));
  const stored = (await world.events()).filter(({ integrationId }) => integrationId === integration.id);
  expect(stored).toMatchObject(
    events.map(
      ({ labels, ...event }) =>
        JSON.parse(JSON.stringify({ ...event, labels }).replaceAll('[hidden]', token)) as object,
    ),
  );
});
