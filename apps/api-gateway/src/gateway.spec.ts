import {
  acknowledgeAlert,
  bulkAlerts,
  createApiKey,
  credentialHash,
  deleteIntegration,
  getAlert,
  listAlerts,
  newApiKey,
  revokeApiKey,
  runBatch,
  type AdmitReply,
  type Answer,
} from '@ams/contracts';
import { eventually } from '@ams/testing';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import {
  admission,
  admitAll,
  aKey,
  announcement,
  envelope,
  one,
  owner,
  owners,
  parseAnswer,
  principalOf,
  rate,
  startWorld,
  withKey,
  type Gateway,
  type World,
} from '../testing/support.js';

let world: World;
let gateway: Gateway;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  world = await startWorld();
  for (const name of owners) await world.announce(announcement(name));
  gateway = await world.startGateway({
    callTimeoutMs: 400,
    admitTimeoutMs: 250,
    maxBodyBytes: 100_000,
    requestTimeoutSeconds: 2,
  });
});
afterEach(async () => {
  while (stops.length > 0) await stops.pop()?.();
});
afterAll(() => world.stop());

const keep = async <T extends { stop: () => Promise<void> }>(starting: Promise<T>): Promise<T> => {
  const started = await starting;
  stops.push(started.stop);
  return started;
};
const admitting = (principal = principalOf()) => keep(admitAll(world.connection, principal));
const answering = (...args: Parameters<typeof owner> extends [unknown, ...infer Rest] ? Rest : never) =>
  keep(owner(world.connection, ...args));
const rateHeaders = { 'ratelimit-limit': '300', 'ratelimit-remaining': '299', 'ratelimit-reset': '41' };

function expectHeaders(headers: Headers, wanted: Record<string, string | null>): void {
  for (const [name, value] of Object.entries(wanted)) expect([name, headers.get(name)]).toEqual([name, value]);
}
const common = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-type': 'application/json; charset=utf-8',
};

describe('a request that succeeds', () => {
  it('goes to admission, then to the owner, and gets the answer of the owner', async () => {
    const principal = principalOf();
    const { asked } = await admitting(principal);
    const { calls } = await answering(getAlert, () => one({ id: 'alr_1', title: 'Ünïcode ✓' }, 7));
    const answer = await gateway.client.get(
      '/api/v1/alerts/alr_1',
      withKey(aKey, { 'x-request-id': 'my-id', 'user-agent': 'u'.repeat(600) }),
    );
    expect(answer).toMatchObject({ status: 200, body: { data: { id: 'alr_1', title: 'Ünïcode ✓' } } });
    expectHeaders(answer.headers, { ...common, ...rateHeaders, etag: '"7"', 'x-request-id': 'my-id' });
    expect(asked).toEqual([
      {
        useId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        keyHash: createHash('sha256').update(aKey).digest('base64url'),
        scope: 'alerts:read',
        operation: 'getAlert',
        requestId: 'my-id',
        ip: '127.0.0.1',
        userAgent: 'u'.repeat(512),
      },
    ]);
    expect(calls).toEqual([
      {
        requestId: 'my-id',
        principal,
        params: { id: 'alr_1' },
        query: {},
        body: null,
        ifMatch: null,
        idempotency: null,
        ip: '127.0.0.1',
        userAgent: 'u'.repeat(512),
      },
    ]);
  });

  it('counts a batch as one request for every ten operations', async () => {
    const { asked } = await admitting();
    await answering(runBatch, () => one({ results: [] }));
    const operations = Array.from({ length: 31 }, (_, n) => ({ id: `c${n}`, method: 'DELETE', path: '/clients/x' }));
    for (const [count, requests] of [
      [1, 1],
      [10, 1],
      [11, 2],
      [31, 4],
    ] as const) {
      asked.length = 0;
      const body = { operations: operations.slice(0, count) };
      expect(await gateway.client.post('/api/v1/batch', body, withKey(aKey))).toMatchObject({ status: 200 });
      expect(asked).toHaveLength(requests);
      expect(asked).toEqual(Array(requests).fill(expect.objectContaining({ scope: null, operation: 'runBatch' })));
      expect(new Set(asked.map(({ useId }) => useId)).size).toBe(requests);
    }
    for (const body of [{}, { operations: 'x' }, [], null])
      expect(await gateway.client.post('/api/v1/batch', body, withKey(aKey))).toMatchObject({ status: 200 });
  });

  it('does not pass on a batch of which a part is over the limit', async () => {
    let admissions = 0;
    await keep(
      admission(world.connection, () =>
        ++admissions > 2
          ? { kind: 'limited', rate: { ...rate, remaining: 0 } }
          : { kind: 'admitted', principal: principalOf(), rate },
      ),
    );
    const { calls } = await answering(runBatch, () => one({ results: [] }));
    const body = { operations: Array.from({ length: 100 }, (_, n) => ({ id: `${n}` })) };
    const key = newApiKey('live');
    expect(await gateway.client.post('/api/v1/batch', body, withKey(key))).toMatchObject({
      status: 429,
      body: { code: 'RATE_LIMITED' },
    });
    expect(calls).toEqual([]);
  });

  it('a caller whose limit is used up and who goes on costs nobody else, and no longer than a moment', async () => {
    let isUsedUp = true;
    const { asked } = await keep(
      admission(world.connection, () =>
        isUsedUp
          ? { kind: 'limited', rate: { ...rate, remaining: 0 } }
          : { kind: 'admitted', principal: principalOf(), rate },
      ),
    );
    const { calls } = await answering(listAlerts, () => ({
      ok: true,
      status: 200,
      body: { data: [], meta: { limit: 50, hasMore: false, nextCursor: null, total: 0 } },
      version: null,
    }));
    const [key, another] = [newApiKey('live'), newApiKey('live')];
    const list = async (by = key): Promise<number> => (await gateway.client.get('/api/v1/alerts', withKey(by))).status;
    const askedBy = (by: string): number => asked.filter(({ keyHash }) => keyHash === credentialHash(by)).length;
    const begun = performance.now();
    for (let i = 0; i < 60; i++) expect(await list()).toBe(429);
    // After twenty refusals each one waits for a twentieth of a second.
    expect(performance.now() - begun).toBeGreaterThan(1_900);
    expect(askedBy(key)).toBeLessThanOrEqual(1 + (performance.now() - begun) / 250);
    expect(await list(another)).toBe(429);
    expect(askedBy(another)).toBe(1);
    isUsedUp = false;
    await eventually(async () => expect(await list()).toBe(200));
    expect(calls).toHaveLength(1);
  });

  it('passes on the decoded query', async () => {
    await admitting();
    const { calls } = await answering(listAlerts, () => ({
      ok: true,
      status: 200,
      body: { data: [], meta: { limit: 50, hasMore: false, nextCursor: null, total: 0 } },
      version: null,
    }));
    const answer = await gateway.client.get(
      '/api/v1/alerts?label=a:1&label=b:2&q=one+two%20%C3%BC&empty=&flag&&__proto__=x&constructor=y',
      withKey(),
    );
    expect(answer).toMatchObject({ status: 200, body: { data: [], meta: { total: 0 } } });
    expect(JSON.stringify(calls[0]?.query)).toBe(
      '{"label":["a:1","b:2"],"q":"one two ü","empty":"","flag":"","__proto__":"x","constructor":"y"}',
    );
    expect(answer.headers.get('etag')).toBeNull();
  });

  it('creates with 201 and deletes with 204', async () => {
    await admitting();
    await answering(createApiKey, () => one({ id: 'key_1' }, null, 201));
    await answering(deleteIntegration, () => ({ ok: true, status: 204, body: null, version: null }));
    const created = await gateway.client.post('/api/v1/api-keys', { name: 'n', scopes: ['alerts:read'] }, withKey());
    expect(created).toMatchObject({ status: 201, body: { data: { id: 'key_1' } } });
    const deleted = await gateway.client.delete('/api/v1/integrations/int_1', withKey(aKey, { 'if-match': '"3"' }));
    expect(deleted).toMatchObject({ status: 204, body: null });
    expectHeaders(deleted.headers, { ...rateHeaders, 'content-length': null, 'cache-control': 'no-store' });
  });

  it('reads an answer whose JSON has another form', async () => {
    await admitting();
    await answering(getAlert, () => '{ "version": 3, "ok": true, "status": 200, "body": {"data": {"version":5}} }');
    const answer = await gateway.client.get('/api/v1/alerts/alr_1', withKey());
    expect(answer).toMatchObject({ status: 200, body: { data: { version: 5 } } });
    expect(answer.headers.get('etag')).toBe('"3"');
  });

  it('passes on If-Match, and the body unchanged', async () => {
    await admitting();
    const { calls } = await answering(acknowledgeAlert, () => one({}, 4));
    await gateway.client.post(
      '/api/v1/alerts/a%2Fb+c/acknowledge',
      '{ "note" : "\\u00fc" }',
      withKey(aKey, { 'content-type': 'application/merge-patch+json; charset=utf-8', 'if-match': 'W/"3"' }),
    );
    await gateway.client.post('/api/v1/alerts/x/acknowledge', undefined, withKey());
    expect(calls).toMatchObject([{ body: { note: 'ü' }, ifMatch: 'W/"3"', params: { id: 'a/b+c' } }, { body: null }]);
  });

  it('answers 304 to If-None-Match, and HEAD like GET without the body', async () => {
    await admitting();
    await answering(getAlert, () => one({ id: 'alr_1' }, 7));
    for (const tag of ['"7"', 'W/"7"', '"1", "7"', '*']) {
      const answer = await gateway.client.get('/api/v1/alerts/a', withKey(aKey, { 'if-none-match': tag }));
      expect(answer).toMatchObject({ status: 304, body: null });
      expectHeaders(answer.headers, { etag: '"7"', ...rateHeaders });
    }
    expect((await gateway.client.get('/api/v1/alerts/a', withKey(aKey, { 'if-none-match': '"8"' }))).status).toBe(200);
    const head = await gateway.client.request('HEAD', '/api/v1/alerts/a', withKey());
    expect(head).toMatchObject({ status: 200, body: null });
    expectHeaders(head.headers, { etag: '"7"', 'content-length': String('{"data":{"id":"alr_1"}}'.length) });
  });

  it('uses the request id of the caller when it is visible ASCII, and creates one otherwise', async () => {
    await admitting();
    const { calls } = await answering(getAlert, () => one({}));
    for (const bad of ['', 'with space', 'x'.repeat(201), 'ümläut', 'tab\there']) {
      const answer = parseAnswer(
        await gateway.raw(
          Buffer.from(
            `GET /api/v1/alerts/a HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${aKey}\r\n` +
              `X-Request-Id: ${bad}\r\nConnection: close\r\n\r\n`,
            'latin1',
          ),
        ),
      );
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect(
      (await gateway.client.get('/api/v1/alerts/a', withKey(aKey, { 'x-request-id': '~'.repeat(200) }))).headers.get(
        'x-request-id',
      ),
    ).toBe('~'.repeat(200));
    expect(new Set(calls.map(({ requestId }) => requestId)).size).toBe(6);
  });
});

describe('a request that is refused', () => {
  it.each([
    '/api/v1/nothing',
    '/api/v1/',
    '/api/v1',
    '/api/v1/alerts/',
    '/api/v1/alerts//acknowledge',
    '/api/v1/alerts/a/b/c',
    '/api/v2/alerts',
    '/nothing',
    '/api/docs/nothing',
    '/api/docs/assets/../../package.json',
    '/api/docs/assets/__proto__',
  ])('404 for %s', async (path) => {
    const answer = parseAnswer(await gateway.raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`));
    expect(answer).toMatchObject({
      status: 404,
      body: envelope('NOT_FOUND'),
      headers: { 'x-request-id': expect.any(String), 'x-content-type-options': 'nosniff' },
    });
  });

  it('405 with Allow for another method of a known path', async () => {
    const answer = await gateway.client.put('/api/v1/alerts', {});
    expect(answer).toMatchObject({
      status: 405,
      body: envelope('METHOD_NOT_ALLOWED', { allowed: ['GET', 'HEAD', 'OPTIONS'] }),
    });
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    // A literal path: it is not read as the id of an alert.
    expect((await gateway.client.get('/api/v1/alerts/bulk')).headers.get('allow')).toBe('POST, OPTIONS');
    for (const method of ['PATCH', 'PROPFIND', 'TRACE']) {
      expect(
        parseAnswer(await gateway.raw(`${method} /api/v1/alerts HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`))
          .status,
      ).toBe(405);
    }
    const options = await gateway.client.request('OPTIONS', '/api/v1/integrations/x');
    expect(options.status).toBe(204);
    expect(options.headers.get('allow')).toBe('GET, HEAD, PUT, DELETE, OPTIONS');
    expect((await gateway.client.post('/healthz', {})).body).toEqual(envelope('NOT_FOUND'));
    expect((await gateway.client.post('/api/docs', {})).body).toEqual(
      envelope('METHOD_NOT_ALLOWED', { allowed: ['GET', 'HEAD', 'OPTIONS'] }),
    );
  });

  it('401 without a well-formed key, and admission gets no request', async () => {
    const { asked } = await admitting();
    const typo = `${aKey.slice(0, -1)}${aKey.endsWith('a') ? 'b' : 'a'}`;
    for (const authorization of [
      '',
      'Bearer',
      `Basic ${aKey}`,
      aKey,
      `Bearer ${typo}`,
      `Bearer ${aKey} ${aKey}`,
      `Bearer ${aKey.slice(4)}`,
      `Bearer ${'x'.repeat(4000)}`,
    ]) {
      const answer = await gateway.client.get('/api/v1/alerts', { headers: { authorization } });
      expect(answer).toMatchObject({ status: 401, body: envelope('UNAUTHORIZED') });
      expectHeaders(answer.headers, { ...common, 'www-authenticate': 'Bearer', 'ratelimit-limit': null });
    }
    expect(asked).toEqual([]);
  });

  it.each([
    [
      { kind: 'unauthorized' },
      401,
      envelope('UNAUTHORIZED'),
      { 'www-authenticate': 'Bearer', 'ratelimit-limit': null },
    ],
    [
      { kind: 'insufficientScope', principal: principalOf(), rate },
      403,
      envelope('INSUFFICIENT_SCOPE', { required: 'alerts:read' }),
      rateHeaders,
    ],
    [
      { kind: 'limited', rate: { limit: 300, remaining: 0, resetSeconds: 17 } },
      429,
      envelope('RATE_LIMITED', { scope: 'organization', limit: 300, windowSeconds: 60, retryAfterSeconds: 17 }),
      { 'retry-after': '17', 'ratelimit-remaining': '0', 'ratelimit-reset': '17' },
    ],
    [{ kind: 'unavailable' }, 503, envelope('UNAVAILABLE', { requestId: 'r' }), { 'retry-after': '1' }],
  ] as [AdmitReply, number, unknown, Record<string, string | null>][])(
    'as admission says, %#',
    async (reply, status, body, headers) => {
      await keep(admission(world.connection, () => reply));
      const key = newApiKey('live');
      const answer = await gateway.client.get('/api/v1/alerts', withKey(key, { 'x-request-id': 'r' }));
      expect(answer).toMatchObject({ status, body });
      expectHeaders(answer.headers, { ...common, ...headers, 'x-request-id': 'r' });
    },
  );

  it.each([
    ['that is not a percent-encoding', '?limit=%zz'],
    ['that is not UTF-8', '?q=%C3%28'],
    ['with U+0000', '?q=a%00b'],
    ['of too many parameters', `?${'a=1&'.repeat(101)}`],
  ])('400 for a query %s, with the limits in the headers', async (_what, query) => {
    await admitting();
    const answer = await gateway.client.get(`/api/v1/alerts${query}`, withKey());
    expect(answer).toMatchObject({
      status: 400,
      body: envelope('VALIDATION_ERROR', {
        fields: [{ path: '', rule: expect.any(String), message: expect.any(String) }],
      }),
    });
    expectHeaders(answer.headers, rateHeaders);
  });

  it('400 for a path that cannot be decoded, and for a URL that is too long', async () => {
    await admitting();
    expect(await gateway.client.get('/api/v1/alerts/%ff', withKey())).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
    });
    expect(await gateway.client.get(`/api/v1/alerts?q=${'x'.repeat(8200)}`, withKey())).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
    });
  });

  it.each([
    ['no content type', '{}', { 'content-type': '' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'another content type',
      'note=x',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['another charset', '{}', { 'content-type': 'application/json; charset=latin1' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a compressed body', '{}', { 'content-encoding': 'gzip' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['half a body', '{"note":', {}, 400, 'INVALID_JSON'],
    ['nothing but space', '  ', {}, 400, 'INVALID_JSON'],
    ['bytes that are not UTF-8', Uint8Array.of(0x22, 0xff, 0x22), {}, 400, 'INVALID_JSON'],
    ['a depth bomb', '['.repeat(50_000), {}, 400, 'VALIDATION_ERROR'],
    [
      'a complete body that is deeply nested',
      `{"note":${'['.repeat(2000)}${']'.repeat(2000)}}`,
      {},
      400,
      'VALIDATION_ERROR',
    ],
    ['U+0000', '{"note":"a\\u0000"}', {}, 400, 'VALIDATION_ERROR'],
    ['half a surrogate pair', '{"note":["\\ud800"]}', {}, 400, 'VALIDATION_ERROR'],
    ['a body over the limit', JSON.stringify({ note: 'x'.repeat(100_000) }), {}, 413, 'PAYLOAD_TOO_LARGE'],
  ])('for %s', async (_what, body, headers, status, code) => {
    await admitting();
    const { calls } = await answering(acknowledgeAlert, () => one({}));
    const answer = await gateway.client.post(
      '/api/v1/alerts/a/acknowledge',
      body,
      withKey(aKey, { 'content-type': 'application/json', ...headers }),
    );
    expect(answer).toMatchObject({ status, body: { code, error: expect.any(String) } });
    if (status === 413) expect(answer.body).toEqual(envelope('PAYLOAD_TOO_LARGE', { limitBytes: 100_000 }));
    expectHeaders(answer.headers, { ...common, ...rateHeaders });
    expect(calls).toEqual([]);
  });

  it('accepts a literal backslash before u0000, and brackets in strings', async () => {
    await admitting();
    const { calls } = await answering(acknowledgeAlert, () => one({}));
    const note = `\\u0000 ${'['.repeat(500)} \\"`;
    await gateway.client.post('/api/v1/alerts/a/acknowledge', { note }, withKey());
    expect(calls[0]?.body).toEqual({ note });
  });

  it('413 for a stream without a length, and the answer arrives while the caller is still sending', async () => {
    await admitting();
    const answer = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const request = httpRequest(
        `${gateway.url}/api/v1/alerts/a/acknowledge`,
        { method: 'POST', headers: { ...withKey().headers, 'content-type': 'application/json' } },
        (response) => {
          let body = '';
          response.on('data', (chunk: Buffer) => (body += chunk.toString()));
          response.on('end', () => resolve({ status: response.statusCode, body }));
        },
      );
      request.on('error', reject);
      const timer = setInterval(() => request.write('x'.repeat(50_000)), 5);
      request.on('close', () => clearInterval(timer));
    });
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.body)).toEqual(envelope('PAYLOAD_TOO_LARGE', { limitBytes: 100_000 }));
  });

  it('tells the caller to send the body only after admission', async () => {
    const head =
      `POST /api/v1/alerts/a/acknowledge HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${aKey}\r\n` +
      `Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n`;
    const refusing = await admission(world.connection, () => ({ kind: 'unauthorized' }));
    expect(parseAnswer(await gateway.raw(head, 5000))).toMatchObject({ status: 401, headers: { connection: 'close' } });
    await refusing.stop();
    await admitting();
    await answering(acknowledgeAlert, () => one({}));
    expect(await gateway.raw(head, 1500)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  });

  it.each([
    ['another version', 'GET / HTTP/9.9\r\n\r\n', 'http'],
    ['nonsense', 'nonsense\r\n\r\n', 'http'],
    ['too large headers', `GET /api/v1/alerts HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`, 'maxLength'],
    [
      'two lengths',
      'GET /api/v1/alerts HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      'http',
    ],
  ])('400 for bytes that are not HTTP: %s', async (_what, bytes, rule) => {
    const answer = parseAnswer(await gateway.raw(bytes));
    expect(answer).toMatchObject({
      status: 400,
      body: envelope('VALIDATION_ERROR', { fields: [{ path: expect.any(String), rule, message: expect.any(String) }] }),
      headers: { connection: 'close', 'x-request-id': expect.any(String) },
    });
  });

  it('answers without a Host, and CONNECT', async () => {
    expect(parseAnswer(await gateway.raw('GET /api/v1/alerts HTTP/1.1\r\nConnection: close\r\n\r\n'))).toMatchObject({
      status: 401,
      body: envelope('UNAUTHORIZED'),
    });
    expect(parseAnswer(await gateway.raw('CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n'))).toMatchObject({
      status: 404,
      body: envelope('NOT_FOUND'),
    });
    // The second request on a connection is not HTTP. The first is answered nevertheless.
    const both = await gateway.raw('GET /nothing HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n');
    expect(both.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 400']);
  });

  it('400 for a body with a broken chunked encoding, and for one that does not arrive', async () => {
    await admitting();
    const head =
      `POST /api/v1/alerts/a/acknowledge HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine\r\n` +
      `Authorization: Bearer ${aKey}\r\nContent-Type: application/json\r\n`;
    const broken = parseAnswer(await gateway.raw(`${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"not\r\nzz\r\n`));
    expect(broken).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
      headers: { 'x-request-id': 'mine', connection: 'close' },
    });
    const slow = parseAnswer(await gateway.raw(`${head}Content-Length: 10\r\n\r\n{`, 6000));
    expect(slow).toMatchObject({ status: 408, body: { code: 'REQUEST_TIMEOUT', details: null } });
  });

  it('400 for a body whose caller closes its side, and the connection ends', async () => {
    const { asked } = await admitting();
    const socket = connect(gateway.port, '127.0.0.1');
    let text = '';
    socket.on('data', (data: Buffer) => (text += data.toString()));
    socket.write(
      `POST /api/v1/alerts/a/acknowledge HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${aKey}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 5\r\n\r\n',
    );
    await eventually(() => expect(asked).toHaveLength(1));
    const began = performance.now();
    socket.end('[]');
    await once(socket, 'close');
    expect(parseAnswer(text)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(performance.now() - began).toBeLessThan(4500);
  });

  it('with the codes of the owner', async () => {
    await admitting();
    const faults: [Answer, number, Record<string, string>][] = [
      [{ ok: false, code: 'NOT_FOUND', message: 'm', details: { resource: 'alert', id: 'a' } }, 404, {}],
      [
        {
          ok: false,
          code: 'INVALID_STATE_TRANSITION',
          message: 'm',
          details: { from: 'resolved', to: 'acknowledged', allowed: [] },
        },
        409,
        {},
      ],
      [{ ok: false, code: 'VERSION_MISMATCH', message: 'm', details: { current: 3 } }, 412, {}],
      [
        {
          ok: false,
          code: 'RATE_LIMITED',
          message: 'm',
          details: { scope: 'keyCreation', limit: 10, windowSeconds: 86400, retryAfterSeconds: 500 },
        },
        429,
        { 'retry-after': '500' },
      ],
      [{ ok: false, code: 'UNAVAILABLE', message: 'm', details: { requestId: 'r' } }, 503, { 'retry-after': '1' }],
      [{ ok: false, code: 'INTERNAL_ERROR', message: 'm', details: { requestId: 'r' } }, 500, {}],
    ];
    let next: Answer = faults[0]![0];
    await answering(acknowledgeAlert, () => next);
    for (const [answer, status, headers] of faults) {
      next = answer;
      const got = await gateway.client.post('/api/v1/alerts/a/acknowledge', {}, withKey(aKey, { 'x-request-id': 'r' }));
      expect(got).toMatchObject({
        status,
        body: {
          code: (answer as { code: string }).code,
          error: 'm',
          details: (answer as { details: unknown }).details,
        },
      });
      expectHeaders(got.headers, { ...common, ...rateHeaders, ...headers });
    }
  });

  it('500 with only the request id when the answer of the owner is invalid', async () => {
    await admitting();
    let text = '';
    await answering(getAlert, () => text);
    for (text of ['SELECT secret FROM x', '{"ok":false,"code":"SQL","message":"at line 1"}', '{"ok":true']) {
      const answer = await gateway.client.get('/api/v1/alerts/a', withKey(aKey, { 'x-request-id': 'r9' }));
      expect(answer).toMatchObject({
        status: 500,
        body: { code: 'INTERNAL_ERROR', details: { requestId: 'r9' }, error: expect.not.stringContaining('SELECT') },
      });
    }
    expect(gateway.log).toContainEqual(
      expect.objectContaining({ level: 'error', requestId: 'r9', msg: 'a request failed' }),
    );
  });
});

describe('Idempotency-Key', () => {
  it('is passed on with a fingerprint of the request and the seal key of the caller', async () => {
    await admitting();
    const { calls } = await answering(bulkAlerts, () => one({}));
    const post = (body: string, key: string, idempotencyKey: string) =>
      gateway.client.post(
        '/api/v1/alerts/bulk',
        body,
        withKey(key, { 'content-type': 'application/json', 'idempotency-key': idempotencyKey }),
      );
    const other = newApiKey('live');
    await post('{"action":"resolve","ids":["a","b"]}', aKey, 'k 1');
    await post('{ "ids": ["a", "b"], "action": "resolve" }', aKey, 'k 1');
    await post('{"action":"resolve","ids":["b","a"]}', aKey, 'k 1');
    await post('{"action":"resolve","ids":["a","b"]}', other, 'k 1');
    await post('{"action":"resolve","ids":["a","b"]}', aKey, 'k'.repeat(255));
    await post('{"action":"resolve","ids":[123456789012345678]}', aKey, 'k 2');
    await post('{"action":"resolve","ids":[123456789012345679]}', aKey, 'k 2');
    const [first, reordered, changed, byOther, long, number, otherNumber] = calls.map(({ idempotency }) => idempotency);
    expect(first).toEqual({
      key: 'k 1',
      fingerprint: expect.stringMatching(/^[\w-]{43}$/),
      sealKey: createHmac('sha256', aKey).update('idempotency:k 1').digest('base64url'),
    });
    expect(reordered).toEqual(first);
    expect(changed?.fingerprint).not.toBe(first?.fingerprint);
    expect(byOther).toMatchObject({ fingerprint: first?.fingerprint });
    expect(byOther?.sealKey).not.toBe(first?.sealKey);
    expect(long?.key).toHaveLength(255);
    expect(otherNumber?.fingerprint).not.toBe(number?.fingerprint);
  });

  it.each([
    ['nothing', ''],
    ['256 characters', 'x'.repeat(256)],
    ['not ASCII', 'ü'],
    ['not printable', 'tab\there'],
  ])('is refused when it is %s', async (_what, key) => {
    await admitting();
    const { calls } = await answering(acknowledgeAlert, () => one({}));
    const text = await gateway.raw(
      Buffer.from(
        `POST /api/v1/alerts/a/acknowledge HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${aKey}\r\n` +
          `Idempotency-Key: ${key}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
        'latin1',
      ),
    );
    expect(parseAnswer(text)).toMatchObject({
      status: 400,
      body: envelope('VALIDATION_ERROR', {
        fields: [{ path: 'Idempotency-Key', rule: expect.any(String), message: expect.any(String) }],
      }),
    });
    expect(calls).toEqual([]);
  });

  it('is ignored on other methods', async () => {
    await admitting();
    const { calls } = await answering(getAlert, () => one({}));
    await gateway.client.get('/api/v1/alerts/a', withKey(aKey, { 'idempotency-key': 'x'.repeat(300) }));
    expect(calls).toMatchObject([{ idempotency: null }]);
  });
});

describe('when a service does not answer', () => {
  it('repeats the request to admission with the same use id, and succeeds', async () => {
    let tries = 0;
    const { asked } = await keep(
      admission(world.connection, () =>
        ++tries === 1 ? undefined : { kind: 'admitted', principal: principalOf(), rate },
      ),
    );
    await answering(getAlert, () => one({}));
    expect((await gateway.client.get('/api/v1/alerts/a', withKey())).status).toBe(200);
    expect(asked).toHaveLength(2);
    expect(asked[1]).toEqual(asked[0]);
  });

  it('503 when admission or the owner does not reply or does not run', async () => {
    const silent = await admission(world.connection, () => undefined);
    const unavailable = { status: 503, body: envelope('UNAVAILABLE', { requestId: 'r' }) };
    const get = () => gateway.client.get('/api/v1/alerts/a', withKey(aKey, { 'x-request-id': 'r' }));
    expect(await get()).toMatchObject(unavailable);
    await silent.stop();
    // Nobody serves admission now: the answer does not wait for the time limit.
    const patient = await world.startGateway({ admitTimeoutMs: 10_000 });
    const started = performance.now();
    const none = await patient.client.get('/api/v1/alerts/a', withKey(aKey, { 'x-request-id': 'r' }));
    expect(none).toMatchObject(unavailable);
    expect(performance.now() - started).toBeLessThan(9_000);
    await patient.stop();
    await admitting();
    expect(await get()).toMatchObject(unavailable);
    const quiet = await answering(getAlert, () => undefined);
    const answer = await get();
    expect(answer).toMatchObject(unavailable);
    expectHeaders(answer.headers, { 'retry-after': '1', ...rateHeaders });
    expect(quiet.calls).toHaveLength(1);
  });

  it('sends the call again after a short pause while an owner restarts', async () => {
    await admitting();
    setTimeout(() => void answering(getAlert, () => one({ id: 1 })), 40);
    expect(await gateway.client.get('/api/v1/alerts/a', withKey())).toMatchObject({
      status: 200,
      body: { data: { id: 1 } },
    });
  });

  it('forgets a caller that closes its connection', async () => {
    await admitting();
    const { calls } = await answering(getAlert, () => undefined);
    await gateway.raw(
      `GET /api/v1/alerts/a HTTP/1.1\r\nHost: x\r\nX-Request-Id: left\r\nAuthorization: Bearer ${aKey}\r\n\r\n`,
      eventually(() => expect(calls).toHaveLength(1)),
    );
    await eventually(() =>
      expect(gateway.log).toContainEqual(expect.objectContaining({ requestId: 'left', status: 499 })),
    );
    const metrics = await gateway.management.get<string>('/metrics');
    expect(metrics.body).toMatch(/ams_http_requests_in_flight\{[^}]*\} 0/);
    expect(metrics.body).toMatch(/ams_http_requests_total\{operation="alerts.get",status="499"[^}]*\} 1/);
  });
});

describe('the caller', () => {
  it('is the address of the connection, unless the proxy is trusted', async () => {
    const trusting = await world.startGateway({ trustProxy: true });
    const { asked } = await admitting();
    await answering(getAlert, () => one({}));
    const send = (to: Gateway, forwarded: string) =>
      to.client.get('/api/v1/alerts/a', withKey(aKey, { 'x-forwarded-for': forwarded }));
    await send(gateway, '192.0.2.7');
    await send(trusting, '203.0.113.1, 192.0.2.7');
    await send(trusting, '2001:db8::1');
    await send(trusting, "'; DROP TABLE x");
    expect(asked.map(({ ip }) => ip)).toEqual(['127.0.0.1', '192.0.2.7', '2001:db8::1', '127.0.0.1']);
  });

  it('has no key in the log', async () => {
    await admitting();
    await answering(revokeApiKey, () => ({ ok: false, code: 'INTERNAL_ERROR', message: 'm', details: null }));
    await gateway.client.delete(`/api/v1/api-keys/${aKey}`, withKey(aKey, { 'x-request-id': aKey }));
    const text = JSON.stringify(gateway.log);
    expect(text).toContain('apiKeys.revoke');
    expect(text).not.toContain(aKey);
  });
});
