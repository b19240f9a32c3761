/** PagerDuty's Events API v2, tested over HTTP with the requests of its clients. */
import { presetSettings } from '@ams/domain';
import { eventually } from '@ams/testing';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { patientStore, startWorld, type World } from '../../testing/harness.js';

const samples = (
  JSON.parse(
    readFileSync(
      join(import.meta.dirname, '../../../../libs/domain/src/testdata/payloads/pagerduty-events-v2.json'),
      'utf8',
    ),
  ) as { samples: Record<string, object> }
).samples;

let world: World;
let url: string;
beforeAll(async () => {
  world = await startWorld();
  ({ url } = await world.gateway({
    ...patientStore,
    INGEST_LIMIT_PER_MINUTE: '100000',
    INGEST_MAX_BODY_BYTES: '20000',
  }));
});
afterAll(() => world.end());

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: { status: string; message: string; errors?: string[]; dedup_key?: string };
}

async function enqueue(body: unknown, headers: Record<string, string> = {}, to = `${url}/v2/enqueue`): Promise<Answer> {
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(to, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: (raw ? body : JSON.stringify(body)) as string,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as Answer['body'] };
}

const trigger = (routingKey: string, rest: object = {}) => ({
  routing_key: routingKey,
  event_action: 'trigger',
  dedup_key: 'disk',
  payload: { summary: 'Disk full', source: 'web-01', severity: 'error' },
  ...rest,
});
const stored = async (integrationId: string) =>
  (await world.events()).filter((event) => event.integrationId === integrationId);
const recorded = (integrationId: string, count: number) =>
  eventually(async () => {
    const found = (await world.loggedRequests()).filter((request) => request.integrationId === integrationId);
    expect(found.length).toBeGreaterThanOrEqual(count);
    return found;
  });

describe.each(['/v2/enqueue', '/api/inbound/pagerduty/v2/enqueue'])('at %s', (path) => {
  it('accepts a trigger, an acknowledgement and a resolve of one alert', async () => {
    const { token, integration } = await world.integration();
    for (const sample of ['firing', 'acknowledged', 'resolved']) {
      const { status, body } = await enqueue({ ...samples[sample], routing_key: token }, {}, url + path);
      expect([status, body]).toEqual([202, { status: 'success', message: 'Event processed', dedup_key: 'srv01/HTTP' }]);
    }
    expect(await stored(integration.id)).toMatchObject([
      {
        status: 'firing',
        severity: 'critical',
        title: 'HTTP down on srv01',
        fingerprint: 'srv01/HTTP',
        source: 'srv01.example.test',
        labels: { component: 'nginx', ping: '1500ms' },
        annotations: { link: 'https://runbooks.example.test/http' },
      },
      { status: 'acknowledged', fingerprint: 'srv01/HTTP', opensNone: true },
      { status: 'resolved', fingerprint: 'srv01/HTTP' },
    ]);
  });
});

it('creates a new key for each trigger without one', async () => {
  const { token, integration } = await world.integration();
  const keys = [
    await enqueue(trigger(token, { dedup_key: undefined })),
    await enqueue(trigger(token, { dedup_key: ' ' })),
  ].map(({ body }) => body.dedup_key);
  expect(new Set(keys).size).toBe(2);
  expect((await stored(integration.id)).map(({ fingerprint }) => fingerprint)).toEqual(keys);
});

it('stores a request with an Idempotency-Key once, with the key of the first answer', async () => {
  const { token, integration } = await world.integration();
  const body = trigger(token, { dedup_key: undefined });
  const [first, again] = [
    await enqueue(body, { 'idempotency-key': 'k' }),
    await enqueue(body, { 'idempotency-key': 'k' }),
  ];
  expect([first.status, again.status, again.text]).toEqual([202, 202, first.text]);
  expect(await stored(integration.id)).toHaveLength(1);
  expect((await enqueue(trigger(token), { 'idempotency-key': 'k' })).status).toBe(409);
});

it('maps with the settings of an integration of its type, and keeps the labels of any other integration', async () => {
  const own = presetSettings('pagerduty_events_v2');
  const edited = await world.integration({ settings: { ...own, severityMap: { ...own.severityMap, error: 'low' } } });
  const other = await world.integration({ settings: { ...presetSettings('grafana'), staticLabels: { team: 'sre' } } });
  await enqueue(trigger(edited.token));
  await enqueue(trigger(other.token));
  expect(await stored(edited.integration.id)).toMatchObject([{ severity: 'low' }]);
  expect(await stored(other.integration.id)).toMatchObject([{ severity: 'high', labels: { team: 'sre' } }]);
});

it('cuts details that are too large, and notes it in the request log', async () => {
  const { token, integration } = await world.integration();
  expect(
    (
      await enqueue(
        trigger(token, { payload: { summary: 's', severity: 'error', custom_details: { firing: 'x'.repeat(5000) } } }),
      )
    ).status,
  ).toBe(202);
  const [record] = await recorded(integration.id, 1);
  expect(record).toMatchObject({
    outcome: 'accepted',
    items: [{ outcome: 'event', warnings: [{ path: 'payload.custom_details.firing' }] }],
  });
});

it('stores no routing key, however the JSON escapes it', async () => {
  const { token, integration } = await world.integration();
  const escaped = [...token].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  await enqueue(trigger(token, { client: `sent by ${token}` }));
  await enqueue(JSON.stringify(trigger('KEY')).replace('KEY', escaped));
  await enqueue(`{"routing_key":"${token}","routing_key":"${token}"}`);
  const records = await recorded(integration.id, 3);
  expect(records.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted', 'rejected']);
  for (const record of records) {
    expect(JSON.stringify(record)).not.toContain(token);
    expect(JSON.parse(record.payload!)).toMatchObject({ routing_key: '[hidden]' });
  }
  expect(JSON.stringify(await stored(integration.id))).not.toContain(token);
});

it.each<[string, (token: string) => unknown, number, RegExp]>([
  ['no JSON', () => '{', 400, /not valid JSON/],
  ['a list', (token) => [trigger(token)], 400, /JSON object/],
  ['null', () => 'null', 400, /JSON object/],
  ['no routing key', () => trigger(' '), 400, /'routing_key' is missing/],
  ['a routing key of another form', () => trigger('short'), 400, /Length of 'routing_key'/],
  [
    'a routing key that is an object',
    (token) => ({ ...trigger(token), routing_key: { toString: token } }),
    400,
    /'routing_key' is missing/,
  ],
  [
    'a routing key that is not a token',
    () => trigger('0123456789abcdef0123456789abcdef'),
    400,
    /Invalid 'routing_key'/,
  ],
  ['no action', (token) => ({ ...trigger(token), event_action: undefined }), 400, /'event_action' is missing/],
  ['an unknown action', (token) => ({ ...trigger(token), event_action: 'escalate' }), 400, /'event_action' is invalid/],
  [
    'a trigger without a payload',
    (token) => ({ ...trigger(token), payload: undefined }),
    400,
    /'payload.summary' is missing/,
  ],
  [
    'a trigger with an odd summary',
    (token) => ({ ...trigger(token), payload: { summary: ['x'], severity: 'error' } }),
    400,
    /'payload.summary' is missing/,
  ],
  [
    'a resolve without a key',
    (token) => ({ routing_key: token, event_action: 'resolve' }),
    400,
    /'dedup_key' is missing/,
  ],
  [
    'an acknowledgement without a key',
    (token) => ({ routing_key: token, event_action: 'acknowledge', dedup_key: '' }),
    400,
    /'dedup_key' is missing/,
  ],
  [
    'a trigger without a severity',
    (token) => trigger(token, { payload: { summary: 's', source: 'x' } }),
    400,
    /'payload.severity' is missing/,
  ],
  [
    'a trigger with a severity that PagerDuty does not have',
    (token) => trigger(token, { payload: { summary: 's', source: 'x', severity: 'sepia' } }),
    400,
    /'payload.severity' is invalid/,
  ],
  [
    'a source that is not a text',
    (token) => trigger(token, { payload: { summary: 's', source: {}, severity: 'error' } }),
    202,
    /Event processed/,
  ],
  [
    'deeply nested details',
    (token) =>
      `{"routing_key":"${token}","event_action":"trigger","payload":{"summary":"s","severity":"error",` +
      `"custom_details":${'['.repeat(300)}${']'.repeat(300)}}}`,
    202,
    /success/,
  ],
  ['a client that is too large', (token) => trigger(token, { client: 'x'.repeat(20_000) }), 413, /larger/],
])('answers %s in the format of PagerDuty', async (_, bodyOf, status, words) => {
  const { token } = await world.integration();
  const answer = await enqueue(bodyOf(token));
  expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(words)]);
  if (status !== 202)
    expect(answer.body).toEqual({
      status: 'invalid event',
      message: expect.any(String) as string,
      errors: expect.arrayContaining([expect.any(String)]) as string[],
    });
  expect(answer.text).not.toContain(token);
});

it('refuses a token that is disabled', async () => {
  const { token } = await world.integration({ enabled: false });
  expect((await enqueue(trigger(token))).status).toBe(400);
});

it('names the methods that it accepts', async () => {
  const response = await fetch(`${url}/v2/enqueue`);
  expect([response.status, response.headers.get('allow'), await response.json()]).toEqual([
    405,
    'POST',
    {
      status: 'invalid event',
      message: 'This path accepts only POST.',
      errors: ['This path accepts only POST.'],
    },
  ]);
});

it('is limited like the webhook, and answers in the format of PagerDuty', async () => {
  const gateway = await world.gateway({ INGEST_LIMIT_PER_MINUTE: '2' });
  const { token } = await world.integration();
  const answers = [];
  for (let i = 0; i < 3; i++) answers.push(await enqueue(trigger(token), {}, `${gateway.url}/v2/enqueue`));
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 429]);
  expect(Number(answers[2]!.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answers[2]!.body.status).toBe('throttle exceeded');
});

it('never fails for any input, and always answers in the same format', async () => {
  const { token } = await world.integration();
  const key = fc.oneof(fc.constant(token), fc.jsonValue());
  const event = fc.record(
    {
      routing_key: key,
      event_action: fc.oneof(fc.constantFrom('trigger', 'acknowledge', 'resolve'), fc.jsonValue()),
      dedup_key: fc.jsonValue(),
      payload: fc.oneof(
        fc.jsonValue(),
        fc.record({
          summary: fc.jsonValue(),
          source: fc.jsonValue(),
          severity: fc.oneof(fc.constantFrom('critical', 'info'), fc.jsonValue()),
          custom_details: fc.jsonValue(),
        }),
      ),
      links: fc.jsonValue(),
      images: fc.jsonValue(),
      client_url: fc.jsonValue(),
    },
    { requiredKeys: ['routing_key'] },
  );
  const body = fc.oneof({ weight: 5, arbitrary: event }, fc.json(), fc.uint8Array({ maxLength: 200 }));
  await fc.assert(
    fc.asyncProperty(body, async (content) => {
      const answer = await enqueue(content);
      expect(answer.status).toBeLessThan(500);
      expect(Object.keys(answer.body)).toEqual(
        answer.status === 202 ? ['status', 'message', 'dedup_key'] : ['status', 'message', 'errors'],
      );
    }),
    { numRuns: 300 },
  );
});

it('answers 503 in the format of PagerDuty while NATS is disconnected', async () => {
  const own = await startWorld();
  try {
    const gateway = await own.gateway({ INGEST_STORE_TIMEOUT_MS: '300' });
    const { token } = await own.integration();
    expect((await enqueue(trigger(token), {}, `${gateway.url}/v2/enqueue`)).status).toBe(202);
    await own.nats.stop();
    const answer = await enqueue(trigger(token), {}, `${gateway.url}/v2/enqueue`);
    expect([answer.status, answer.headers.get('retry-after'), answer.body.status]).toEqual([503, '2', 'error']);
    await own.nats.restart();
  } finally {
    await own.end();
  }
});

describe('change events', () => {
  const change = (token: string, payload: object = {}) => ({
    routing_key: token,
    payload: { summary: 'Deploy 42', source: 'ci', timestamp: '2026-11-22T08:00:00Z', custom_details: {}, ...payload },
    links: [{ href: 'https://ci.example.com/42', text: 'Build' }],
  });

  it.each(['/v2/change/enqueue', '/api/inbound/pagerduty/v2/change/enqueue'])(
    'at %s become a note for the open alerts',
    async (path) => {
      const { token, integration } = await world.integration();
      const { status, body } = await enqueue(change(token), {}, url + path);
      expect([status, body]).toEqual([202, { status: 'success', message: 'Change event processed' }]);
      const note = 'Change: Deploy 42\nSource: ci\nhttps://ci.example.com/42';
      expect(await stored(integration.id)).toMatchObject([{ opensNone: true, edit: { note, toAllOpen: true } }]);
      const [record] = await recorded(integration.id, 1);
      expect(record!.payload).not.toContain(token);
    },
  );

  it.each<[string, object, RegExp]>([
    ['no summary', { summary: ' ' }, /'payload.summary' is missing or blank/],
    ['a summary that is no text', { summary: 1 }, /'payload.summary' is missing or blank/],
  ])('with %s are refused', async (_, payload, words) => {
    const { token } = await world.integration();
    const { status, body } = await enqueue(change(token, payload), {}, `${url}/v2/change/enqueue`);
    expect([status, body.status, body.errors?.[0]]).toEqual([400, 'invalid event', expect.stringMatching(words)]);
  });

  it('are not taken for alerts, nor the other way', async () => {
    const { token, integration } = await world.integration();
    expect((await enqueue({ ...trigger(token), event_action: 'change' })).status).toBe(400);
    expect((await enqueue(trigger(token), {}, `${url}/v2/change/enqueue`)).status).toBe(202);
    expect(await stored(integration.id)).toMatchObject([{ edit: { toAllOpen: true } }]);
  });
});
