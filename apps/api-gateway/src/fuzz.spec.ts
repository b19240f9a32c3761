/** For any input: no 5xx, always the envelope, and the gateway continues to work. */
import { allOperations, newApiKey, statusOfCode, type Answer } from '@ams/contracts';
import fc from 'fast-check';
import {
  admitAll,
  announcement,
  owner,
  owners,
  parseAnswer,
  startWorld,
  type Gateway,
  type World,
} from '../testing/support.js';

let world: World;
let gateway: Gateway;

beforeAll(async () => {
  world = await startWorld();
  for (const name of owners) await world.announce(announcement(name));
  await admitAll(world.connection);
  const emptyPage = { data: [], meta: { limit: 50, hasMore: false, nextCursor: null } }; // exports read its position
  const answer: Answer = { ok: true, status: 200, body: emptyPage, version: 1 };
  for (const operation of allOperations) await owner(world.connection, operation, () => answer);
  gateway = await world.startGateway({ maxBodyBytes: 2048 });
});
afterAll(() => world.stop());

const key = newApiKey('test');
const anyPath = fc.oneof(
  fc.constantFrom(...allOperations.map(({ path }) => `/api/v1${path.replace(/\{\w+\}/g, 'x')}`)),
  fc
    .tuple(fc.constantFrom('/api/v1/alerts/', '/api/v1/', '/api/docs/', '/', ''), fc.string({ unit: 'binary' }))
    .map(([start, rest]) => start + encodeURI(rest.replace(/[\uD800-\uDFFF]/g, ''))),
  fc
    .tuple(fc.constantFrom('/api/v1/alerts', '/api/v1/alerts/x'), fc.string({ unit: 'grapheme-ascii' }))
    .map(([start, rest]) => `${start}?${rest.replace(/ /g, '+')}`),
  fc.stringMatching(/^\/api\/v1\/[!-~]{0,40}$/),
);
const anyMethod = fc.constantFrom(
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'TRACE',
  'PROPFIND',
  'NONSENSE',
);
const anyKey = fc.oneof(
  { weight: 3, arbitrary: fc.constant(`Bearer ${key}`) },
  fc.stringMatching(/^[ -~]{0,80}$/),
  fc.stringMatching(/^svc_(live|test)_[0-9A-Za-z]{38}$/).map((text) => `Bearer ${text}`),
);
const anyHeader = fc.tuple(
  fc.constantFrom(
    'Content-Type',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
    'X-Request-Id',
    'Accept-Encoding',
    'X-Forwarded-For',
    'Expect',
    'Content-Encoding',
    'Transfer-Encoding',
    'X-Any',
  ),
  fc.oneof(
    fc.stringMatching(/^[ -~]{0,60}$/),
    fc.constantFrom('application/json', '*', '"1"', 'chunked', 'gzip', '100-continue'),
  ),
);
const anyBody = fc.oneof(
  fc.constant(Buffer.alloc(0)),
  fc.json().map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.nat(4000).map((depth) => Buffer.from('['.repeat(depth))),
  fc.constant(Buffer.from('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')),
);

describe('any request', () => {
  it('gets a documented answer', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyMethod,
        anyPath,
        anyKey,
        fc.array(anyHeader, { maxLength: 3 }),
        anyBody,
        async (method, path, authorization, headers, body) => {
          const lines = [
            `Host: x`,
            `Authorization: ${authorization}`,
            `Content-Length: ${body.length}`,
            'Connection: close',
            ...headers.map(([name, value]) => `${name}: ${value}`),
          ];
          const text = await gateway.raw(
            Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`), body]),
            60_000,
          );
          const answer = text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
          const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);
          expect(status).toBeGreaterThanOrEqual(200);
          expect(status).toBeLessThan(500);
          expect(answer.split('\r\n\r\n')[0]).toMatch(/\r\nx-request-id: [!-~]{1,200}(\r\n|$)/i);
          if (status >= 400 && method !== 'HEAD') {
            const parsed = parseAnswer(answer);
            expect(parsed.body).toEqual({
              error: expect.any(String),
              code: expect.any(String),
              details: (parsed.body as { details: unknown }).details ?? null,
            });
            expect(statusOfCode[(parsed.body as { code: keyof typeof statusOfCode }).code]).toBe(status);
          }
        },
      ),
      { numRuns: 1500 },
    );
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect((await gateway.management.get('/healthz')).status).toBe(200);
    expect(gateway.log.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('is answered when its bytes arrive in any pieces, or when they are not HTTP', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
        const text = await gateway.raw(Buffer.concat([Buffer.from(bytes), Buffer.from('\r\n\r\n')]), 1000);
        if (text !== '') expect(parseAnswer(text)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
      }),
      { numRuns: 200 },
    );
  });
});
