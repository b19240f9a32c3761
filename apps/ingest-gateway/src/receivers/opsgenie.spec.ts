/** Opsgenie's alert API, tested over HTTP with the requests of its clients. */
import { presetSettings } from '@ams/domain';
import { eventually } from '@ams/testing';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startWorld, type World } from '../../testing/harness.js';
import { opsgenieRequestOf } from './opsgenie.js';

const samples = (
  JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../../libs/domain/src/testdata/payloads/opsgenie.json'), 'utf8'),
  ) as { samples: Record<string, object> }
).samples;

let world: World;
let url: string;
beforeAll(async () => {
  world = await startWorld();
  ({ url } = await world.gateway({ INGEST_LIMIT_PER_MINUTE: '100000', INGEST_MAX_BODY_BYTES: '60000' }));
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
    expect(answers[0]!.body).toEqual({
      result: 'Request will be processed',
      took: expect.any(Number) as number,
      requestId: 'r-1',
    });
    expect(await stored(integration.id)).toMatchObject([
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
    const asked = await ask(token, 'GET', `${path}/requests/r-1`);
    expect([asked.status, asked.body]).toEqual([
      200,
      {
        data: { success: true, isSuccess: true, status: 'Request is processed' },
        took: expect.any(Number) as number,
        requestId: 'r-1',
      },
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

it('accepts the updates that Alertmanager sends after a create, and stores nothing for them', async () => {
  const { token, integration } = await world.integration();
  for (const [field, value] of Object.entries({ message: 'm', description: 'd' })) {
    expect((await ask(token, 'PUT', `/v2/alerts/disk/${field}?identifierType=alias`, { [field]: value })).status).toBe(
      202,
    );
  }
  expect((await recorded(integration.id, 2)).map(({ outcome, status }) => [outcome, status])).toEqual([
    ['ignored', 202],
    ['ignored', 202],
  ]);
  expect(await stored(integration.id)).toEqual([]);
});

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
  ['a note', 'POST', '/x/notes?identifierType=alias', {}, 404, /takes create/],
  ['a deletion', 'DELETE', '/x?identifierType=alias', undefined, 404, /takes create/],
  ['a list of alerts', 'GET', '', undefined, 405, /accepts only POST/],
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
      fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
      fc.string({ unit: 'binary' }),
      (method, rest) => void opsgenieRequestOf(method, rest),
    ),
  );
});
