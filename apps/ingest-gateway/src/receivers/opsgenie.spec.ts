/** Opsgenie's alert API, tested over HTTP with the requests of its clients. */
import { presetSettings } from '@ams/domain';
import { eventually } from '@ams/testing';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { patientStore, startWorld, type World } from '../../testing/harness.js';
import { alertsQueryOf } from './alerts-query.js';
import { opsgenieRequestOf } from './opsgenie-request.js';

const samples = (
  JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../../libs/domain/src/testdata/payloads/opsgenie.json'), 'utf8'),
  ) as { samples: Record<string, object> }
).samples;

let world: World;
let url: string;
beforeAll(async () => {
  world = await startWorld();
  ({ url } = await world.gateway({
    ...patientStore,
    INGEST_LIMIT_PER_MINUTE: '100000',
    INGEST_MAX_BODY_BYTES: '60000',
  }));
});
afterAll(() => world.end());

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: {
    result?: string;
    message?: string;
    errors?: Record<string, string>;
    took: number;
    requestId: string;
    data?: object;
  };
}

async function ask(
  token: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  base = url,
): Promise<Answer> {
  const raw = typeof body === 'string' || body instanceof Uint8Array || body === undefined;
  const response = await fetch(base + path, {
    method,
    headers: { 'content-type': 'application/json', authorization: `GenieKey ${token}`, ...headers },
    ...(body !== undefined && { body: (raw ? body : JSON.stringify(body)) as string }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as Answer['body'] };
}

const create = (rest: object = {}) => ({ message: 'Disk full', alias: 'disk', priority: 'P2', ...rest });
const stored = async (integrationId: string) =>
  (await world.events()).filter((event) => event.integrationId === integrationId);
const recorded = (integrationId: string, count: number) =>
  eventually(async () => {
    const found = (await world.loggedRequests()).filter((request) => request.integrationId === integrationId);
    expect(found.length).toBeGreaterThanOrEqual(count);
    return found;
  });

describe.each(['/v2/alerts', '/api/inbound/opsgenie/v2/alerts'])('at %s', (path) => {
  it('creates, acknowledges and closes one alert', async () => {
    const { token, integration } = await world.integration();
    const answers = [
      await ask(token, 'POST', path, samples.firing, { 'x-request-id': 'r-1' }),
      await ask(token, 'POST', `${path}/checkout-errors/acknowledge?identifierType=alias`),
      await ask(token, 'POST', `${path}/checkout-errors/close?identifierType=alias`, samples.resolved),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    const events = await stored(integration.id);
    // The sender can get the result by this id.
    expect(answers[0]!.body).toEqual({
      result: 'Request will be processed',
      took: expect.any(Number) as number,
      requestId: events[0]!.id,
    });
    expect(answers[0]!.headers.get('x-request-id')).toBe('r-1');
    expect(events).toMatchObject([
      {
        status: 'firing',
        severity: 'critical',
        title: 'Checkout error rate high',
        fingerprint: 'checkout-errors',
        source: 'grafana',
        labels: { region: 'eu-west-1', entity: 'checkout', tags: 'checkout, prod' },
      },
      { status: 'acknowledged', fingerprint: 'checkout-errors' },
      { status: 'resolved', fingerprint: 'checkout-errors', annotations: { note: 'fixed', user: 'kim' } },
    ]);
  });
});

it('accepts any characters in an alias, and reads it only from the path', async () => {
  const { token, integration } = await world.integration();
  const alias = 'a/b c?d#ü%"💥';
  await ask(token, 'POST', '/v2/alerts', create({ alias, action: 'close' }));
  await ask(token, 'POST', `/v2/alerts/${encodeURIComponent(alias)}/close?identifierType=alias`, {
    alias: 'another',
    action: 'create',
    message: ['x'],
  });
  expect(await stored(integration.id)).toMatchObject([
    { status: 'firing', fingerprint: alias },
    { status: 'resolved', fingerprint: alias },
  ]);
});

it.each<[method: string, path: string, body: object | undefined, edit: object]>([
  ['PUT', 'message', { message: ' new ' }, { title: 'new' }],
  ['PUT', 'description', { description: 'd' }, { description: 'd' }],
  ['POST', 'priority', { priority: 'P1' }, { severity: 'critical' }],
  ['POST', 'notes', { note: 'checked', user: 'kim' }, { note: 'kim: checked' }],
  ['POST', 'tags', { tags: ['a', 'env:prod'], note: 'n' }, { addTags: ['a'], setLabels: { env: 'prod' }, note: 'n' }],
  ['DELETE', 'tags?tags=a,b%3Ac', undefined, { removeTags: ['a'], removeLabels: ['b'] }],
  ['POST', 'details', { details: { k: 1, l: { m: 2 } } }, { setLabels: { k: '1', l: '{"m":2}' } }],
  ['DELETE', 'details?keys=k,l', undefined, { removeLabels: ['k', 'l'] }],
  ['POST', 'assign', { owner: { username: 'kim@example.com' } }, { assignee: 'kim@example.com' }],
  ['POST', 'unacknowledge', undefined, { unacknowledge: true }],
])('stores %s %s as an edit that opens no alert', async (method, path, body, edit) => {
  const { token, integration } = await world.integration();
  const [rest, query = ''] = path.split('?');
  const answer = await ask(token, method, `/v2/alerts/disk/${rest}/?identifierType=alias&${query}`, body);
  const [event] = await stored(integration.id);
  expect([answer.status, answer.body.requestId]).toEqual([202, event!.id]);
  expect(event).toMatchObject({ fingerprint: 'disk', opensNone: true, edit });
  expect(event!.edit).toEqual(edit);
  expect(await recorded(integration.id, 1)).toMatchObject([{ outcome: 'accepted', operation: 'edit' }]);
});

it('closes an alert by DELETE', async () => {
  const { token, integration } = await world.integration();
  expect((await ask(token, 'DELETE', '/v2/alerts/disk?identifierType=alias')).status).toBe(202);
  expect(await stored(integration.id)).toMatchObject([{ status: 'resolved', fingerprint: 'disk' }]);
});

it.each(['/alr_01938f3a7c2e7d4ab1c2d3e4f5060001', '', '/count', '/x?identifierType=alias'])(
  'answers 503 to a question that the pipeline does not answer: GET %s',
  async (path) => {
    const { token } = await world.integration();
    const answer = await ask(token, 'GET', `/v2/alerts${path}`);
    expect([answer.status, answer.headers.get('retry-after'), Object.keys(answer.body)]).toEqual([
      503,
      '2',
      ['message', 'took', 'requestId'],
    ]);
  },
);

it('maps with the settings of an integration of its type', async () => {
  const own = presetSettings('opsgenie');
  const { token, integration } = await world.integration({
    settings: { ...own, severityMap: { p2: 'info' }, staticLabels: { team: 'sre' } },
  });
  await ask(token, 'POST', '/v2/alerts', create({ description: 'x'.repeat(40_000) }));
  expect(await stored(integration.id)).toMatchObject([{ severity: 'info', labels: { team: 'sre' } }]);
});

it('stores a request with an Idempotency-Key once, and refuses the key with another path', async () => {
  const { token, integration } = await world.integration();
  const close = (alias: string) =>
    ask(token, 'POST', `/v2/alerts/${alias}/close?identifierType=alias`, {}, { 'idempotency-key': 'k' });
  const [first, again, another] = [await close('a'), await close('a'), await close('b')];
  expect([first.status, again.status, again.text, another.status]).toEqual([202, 202, first.text, 409]);
  expect(await stored(integration.id)).toHaveLength(1);
});

it('shows the operation in the request log, and no token', async () => {
  const { token, integration } = await world.integration();
  await ask(token, 'POST', '/v2/alerts/disk/close?identifierType=alias', { source: token });
  const [record] = await recorded(integration.id, 1);
  expect(JSON.parse(record!.payload!)).toEqual({
    source: '[hidden]',
    action: 'close',
    alias: 'disk',
    message: 'Opsgenie alert disk',
  });
});

it.each<[string, string, string, unknown, number, RegExp]>([
  ['no JSON', 'POST', '', '{', 400, /not valid JSON/],
  ['an empty create', 'POST', '', '', 400, /not valid JSON/],
  ['a list', 'POST', '', '[]', 400, /JSON object/],
  ['a create without a message', 'POST', '', { alias: 'a' }, 422, /"errors":\{"message":/],
  ['a message that is not a text', 'POST', '', { message: {} }, 422, /"errors":\{"message":/],
  ['a message that is too large', 'POST', '', { message: 'x'.repeat(60_000) }, 413, /larger/],
  ['a close by id', 'POST', '/70413a06-38d6-4c85-92b8-5ebc900d42e2/close', {}, 422, /identifierType=alias/],
  ['a close by tiny id', 'POST', '/23/close?identifierType=tiny', {}, 422, /identifierType=alias/],
  ['an acknowledgement by id', 'POST', '/x/acknowledge?identifierType=id', {}, 422, /identifierType=alias/],
  ['an empty alias', 'POST', '//close?identifierType=alias', {}, 422, /identifierType=alias/],
  ['a note without a text', 'POST', '/x/notes?identifierType=alias', {}, 422, /"errors":\{"note":/],
  ['tags without tags', 'POST', '/x/tags?identifierType=alias', { tags: 1 }, 422, /"errors":\{"tags":/],
  ['details without keys', 'DELETE', '/x/details?identifierType=alias', undefined, 422, /"errors":\{"keys":/],
  ['an owner by id', 'POST', '/x/assign?identifierType=alias', { owner: { id: 'u' } }, 422, /"errors":\{"owner":/],
  ['an update without a value', 'PUT', '/x/message?identifierType=alias', {}, 422, /"errors":\{"message":/],
  ['a snooze', 'POST', '/x/snooze?identifierType=alias', { endTime: 't' }, 422, /suppression window/],
  ['an escalation', 'POST', '/x/escalate?identifierType=alias', {}, 404, /operations of the alert API/],
  ['notes by GET', 'GET', '/x/notes?identifierType=alias', undefined, 405, /accepts only POST/],
  ['saved searches', 'GET', '/saved-searches', undefined, 404, /operations of the alert API/],
  ['a deletion by id', 'DELETE', '/x', undefined, 422, /identifierType=alias/],
  ['a list with an unknown query', 'GET', '?query=teams%3A%20x', undefined, 422, /"errors":\{"query":/],
  ['a list with another method', 'PATCH', '', undefined, 405, /accepts only GET, POST/],
  ['the result of no request', 'GET', '/requests/r-1', undefined, 404, /might not be processed, yet/],
  ['a close by GET', 'GET', '/x/close?identifierType=alias', undefined, 405, /accepts only POST/],
  [
    'a path that cannot be decoded',
    'POST',
    '/%zz/close?identifierType=alias',
    {},
    404,
    /No resource exists at this path/,
  ],
])('answers %s in the format of Opsgenie', async (_, method, path, body, status, words) => {
  const { token } = await world.integration();
  const answer = await ask(token, method, `/v2/alerts${path}`, body);
  expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(words)]);
  expect(answer.body).toMatchObject({
    message: expect.any(String) as string,
    took: expect.any(Number) as number,
    requestId: answer.headers.get('x-request-id'),
  });
});

it.each<[string, (token: string) => string]>([
  ['none', () => ''],
  ['one of another scheme', (token) => `Bearer ${token}`],
  ['malformed', () => 'GenieKey malformed'],
  ['an unknown one', () => 'GenieKey 0123456789abcdef0123456789abcdef'],
])('answers 401 to a key: %s', async (_, authorizationOf) => {
  const { token } = await world.integration();
  for (const [method, path] of [
    ['POST', ''],
    ['GET', '/requests/r'],
    ['GET', '/x?identifierType=alias'],
  ] as const) {
    const answer = await ask(token, method, `/v2/alerts${path}`, method === 'POST' ? create() : undefined, {
      authorization: authorizationOf(token),
    });
    expect([answer.status, Object.keys(answer.body)]).toEqual([401, ['message', 'took', 'requestId']]);
  }
});

it('is limited like the webhook, and answers in the format of Opsgenie', async () => {
  const gateway = await world.gateway({ INGEST_LIMIT_PER_MINUTE: '1' });
  const { token } = await world.integration();
  const answers = [
    await ask(token, 'POST', '/v2/alerts', create(), {}, gateway.url),
    await ask(token, 'POST', '/v2/alerts', create(), {}, gateway.url),
  ];
  expect(answers.map(({ status }) => status)).toEqual([202, 429]);
  expect(Number(answers[1]!.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Object.keys(answers[1]!.body)).toEqual(['message', 'took', 'requestId']);
});

it('answers 503 in the format of Opsgenie while NATS is disconnected', async () => {
  const own = await startWorld();
  try {
    const gateway = await own.gateway({ INGEST_STORE_TIMEOUT_MS: '300' });
    const { token } = await own.integration();
    expect((await ask(token, 'POST', '/v2/alerts', create(), {}, gateway.url)).status).toBe(202);
    await own.nats.stop();
    const answer = await ask(token, 'POST', '/v2/alerts', create(), {}, gateway.url);
    expect([answer.status, answer.headers.get('retry-after'), Object.keys(answer.body)]).toEqual([
      503,
      '2',
      ['message', 'took', 'requestId'],
    ]);
    await own.nats.restart();
  } finally {
    await own.end();
  }
});

it('never fails for any input, and always answers in the same format', async () => {
  const { token } = await world.integration();
  const path = fc.oneof(
    fc.constantFrom(
      '',
      '/a/close?identifierType=alias',
      '/a/acknowledge?identifierType=alias',
      '/a/message?identifierType=alias',
    ),
    fc.webPath(),
  );
  const body = fc.oneof(
    fc.json(),
    fc.uint8Array({ maxLength: 200 }),
    fc.record(
      {
        message: fc.jsonValue(),
        alias: fc.jsonValue(),
        tags: fc.jsonValue(),
        details: fc.jsonValue(),
        priority: fc.jsonValue(),
        note: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  );
  await fc.assert(
    fc.asyncProperty(path, body, async (rest, content) => {
      const answer = await ask(token, 'POST', `/v2/alerts${rest}`, content);
      expect(answer.status).toBeLessThan(500);
      expect(Object.keys(answer.body)).toEqual(
        expect.arrayContaining(['took', 'requestId', answer.status === 202 ? 'result' : 'message']),
      );
    }),
    { numRuns: 300 },
  );
});

it('parses any method and path', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH'),
      fc.string({ unit: 'binary' }),
      (method, rest) => void opsgenieRequestOf(method, rest),
    ),
  );
});

it.each<[string, object]>([
  ['', { sort: 'createdAt', descending: true, offset: 0, limit: 20 }],
  ['query=status%3Aopen&limit=100&offset=900', { open: true, limit: 100, offset: 900 }],
  ['query=status%3D%20closed%20AND%20acknowledged%3Atrue', { open: false, acknowledged: true }],
  ['query=alias%3A%22a%20b%22&order=asc&sort=updatedAt', { alias: 'a b', sort: 'updatedAt', descending: false }],
])('reads the query of a list: %s', (text, query) => {
  expect(alertsQueryOf(new URLSearchParams(text))).toMatchObject(query);
});

it.each([
  'limit=0',
  'limit=x',
  'limit=101',
  'offset=1000',
  'sort=tinyId',
  'order=up',
  'query=open',
  'query=status%3Ax',
])('refuses %s', (text) => {
  expect(() => alertsQueryOf(new URLSearchParams(text))).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR' }) as Error,
  );
});
