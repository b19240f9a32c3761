import { newIngestToken } from '@ams/contracts';
import { eventually } from '@ams/testing';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { announcement, parseAnswer, startWorld, type Gateway, type World } from '../../testing/support.js';

let world: World;
let upstream: Server;
let gateway: Gateway;
let ingestUrl: string;
const token = newIngestToken();
let answer: (request: IncomingMessage, response: ServerResponse, body: string) => void;

beforeAll(async () => {
  world = await startWorld();
  await world.announce(announcement('auth'));
  upstream = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(request, response, Buffer.concat(chunks).toString()));
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  ingestUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  gateway = await world.startGateway({ ingestUrl });
});

afterAll(async () => {
  await world.stop();
  upstream.closeAllConnections();
  upstream.close();
});

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}${path}`, { method: 'POST', body, headers });

test('a request to the webhook reaches the ingest gateway unchanged, and its answer reaches the sender', async () => {
  let seen: { url: string | undefined; headers: IncomingMessage['headers']; body: string } | null = null;
  answer = (request, response, body) => {
    seen = { url: request.url, headers: request.headers, body };
    response
      .writeHead(429, { 'content-type': 'application/json', 'retry-after': '7', 'x-request-id': 'theirs' })
      .end('{"code":"RATE_LIMITED"}');
  };
  const response = await post(`/api/inbound/webhook/${token}?x=1`, '{"title":"ä"}', {
    'content-type': 'application/json',
    'idempotency-key': 'k',
    'x-request-id': 'mine',
  });
  expect([
    response.status,
    response.headers.get('retry-after'),
    response.headers.get('x-request-id'),
    await response.text(),
  ]).toEqual([429, '7', 'mine', '{"code":"RATE_LIMITED"}']);
  expect(seen).toMatchObject({
    url: `/api/inbound/webhook/${token}?x=1`,
    body: '{"title":"ä"}',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': 'k',
      'x-request-id': 'mine',
      'x-forwarded-for': '127.0.0.1',
      via: '1.1 api-gateway',
    },
  });
});

test.each([
  '/v2/enqueue',
  '/v2/alerts',
  '/v2/alerts/a%2Fb/close?identifierType=alias',
  '/api/inbound/opsgenie/v2/alerts',
])('requests of clients of other paging services to %s reach it too', async (path) => {
  answer = (request, response) => response.writeHead(202).end(`${request.url} ${request.headers.authorization}`);
  const response = await post(path, '{}', { authorization: `GenieKey ${token}` });
  expect([response.status, await response.text()]).toEqual([202, `${path} GenieKey ${token}`]);
});

test('a body without a length is passed on when it is complete', async () => {
  answer = (request, response, body) => {
    response.writeHead(202).end(`${request.headers['content-length']} ${body.length}`);
  };
  const chunks = Array.from({ length: 20 }, () => Buffer.alloc(10_000, 'x'));
  const response = await fetch(`${gateway.url}/api/inbound/webhook/${token}`, {
    method: 'POST',
    body: ReadableStream.from(chunks),
    duplex: 'half',
  } as RequestInit);
  expect([response.status, await response.text()]).toEqual([202, '200000 200000']);
});

test('an answer before the end of the body reaches a sender that is still sending', async () => {
  const refusing = createServer((_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' }).end('{"code":"INVALID_INGEST_TOKEN"}');
  });
  await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
  const { url } = await world.startGateway({
    ingestUrl: `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`,
  });
  const [status, body] = await new Promise<[number | undefined, string]>((resolve, reject) => {
    const sent = httpRequest(`${url}/api/inbound/webhook/abc`, { method: 'POST' }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve([response.statusCode, text]));
    });
    sent.on('error', reject);
    const timer = setInterval(() => sent.write('x'.repeat(20_000)), 5);
    sent.on('close', () => clearInterval(timer));
  });
  refusing.closeAllConnections();
  refusing.close();
  expect([status, body]).toEqual([401, '{"code":"INVALID_INGEST_TOKEN"}']);
});

test('a refused caller that closes its side in the middle of its body does not keep its connection', async () => {
  const socket = connect(gateway.port, '127.0.0.1');
  const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)));
  socket.write('GET /api/v1/alerts HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n');
  await new Promise((resolve) => socket.once('data', resolve));
  socket.end();
  expect(await Promise.race([closed, pause(4000, false)])).toBe(true);
});

test('while there are many connections, one whose caller is refused stays, and gets no second answer', async () => {
  const small = await world.startGateway({ ingestUrl, maxConnections: 100 });
  const many = Array.from({ length: 40 }, () => connect(small.port, '127.0.0.1'));
  const refused = ['nonsense\r\n\r\n', 'GET /api/v1/none HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'];
  const answers = refused.map(() => '');
  const callers = refused.map((bytes, n) => {
    const socket = connect(small.port, '127.0.0.1');
    socket.on('data', (data) => (answers[n] += data.toString()));
    socket.write(bytes);
    return socket;
  });
  await eventually(() => expect(answers.map((text) => text.slice(9, 12))).toEqual(['400', '404']));
  for (const caller of callers) caller.write('more nonsense\r\n');
  answer = (_request, response) => response.writeHead(202).end('{}');
  expect((await fetch(`${small.url}/v2/enqueue`, { method: 'POST', body: '{}' })).status).toBe(202);
  expect(callers.map(({ readyState }) => readyState)).toEqual(['open', 'open']);
  expect(answers.map((text) => text.split('HTTP/1.1').length)).toEqual([2, 2]);
  for (const socket of [...many, ...callers]) socket.destroy();
});

test('callers that send their bodies slowly do not keep others from the ingest gateway', async () => {
  answer = (_request, response) => response.writeHead(202).end('{}');
  const head =
    'POST /v2/enqueue HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{';
  const slow: Socket[] = [];
  for (let n = 0; n < 300; n++) {
    const socket = connect(gateway.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(head);
    slow.push(socket);
  }
  const drip = setInterval(() => slow.forEach((socket) => socket.write(' ')), 500);
  try {
    await pause(1000); // the requests have begun
    const honest = [post('/v2/enqueue', '{}'), post(`/api/inbound/webhook/${token}`, '{"title":"a"}')];
    expect((await Promise.all(honest)).map(({ status }) => status)).toEqual([202, 202]);
    expect(slow.filter((socket) => !socket.destroyed).length).toBeGreaterThan(0);
  } finally {
    clearInterval(drip);
    slow.forEach((socket) => socket.destroy());
  }
});

test('a token that cannot be one is refused by the ingest gateway, which gets no body', async () => {
  answer = (request, response, body) =>
    response.writeHead(401).end(`${request.headers['content-length'] ?? 0} ${body.length}`);
  const paths = ['/api/inbound/webhook/abc', '/v2/alerts'];
  expect(await Promise.all(paths.map(async (path) => (await post(path, 'x'.repeat(9))).text()))).toEqual([
    '0 0',
    '0 0',
  ]);
});

test('a body that is too large, and one for which there is no memory, are refused in the form of the API', async () => {
  answer = (_request, response, body) => response.writeHead(202).end(String(body.length));
  const small = await world.startGateway({ ingestUrl, inboundMaxBodyBytes: 1024 * 1024, bodyMemoryMiB: 1 });
  const body = 'x'.repeat(1024 * 1024 - 10);
  const sent = async (path: string, body: string, headers = {}) => {
    const response = await fetch(`${small.url}${path}`, { method: 'POST', body, headers });
    return [response.status, await response.text()];
  };
  const large = `${body}${body}`;
  const key = { authorization: `GenieKey ${token}` };
  expect(await sent('/v2/enqueue', large)).toEqual([413, expect.stringContaining('"status":"invalid event"')]);
  expect(await sent('/v2/alerts', large, key)).toEqual([413, expect.stringMatching(/"took":.*"requestId":/)]);
  expect(await sent(`/api/inbound/webhook/${token}`, large)).toEqual([
    413,
    expect.stringContaining('"code":"PAYLOAD_TOO_LARGE"'),
  ]);
  // There is no room for two bodies: the older one of the address, which is unfinished, ends.
  const head = `POST /v2/enqueue HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`;
  const unfinished = small.raw(`${head}${body.slice(0, 700_000)}`, 30_000);
  await eventually(async () =>
    expect((await small.management.get<string>('/metrics')).body).toMatch(/ams_edge_body_bytes\{.*\} 700000/),
  );
  expect(await sent('/v2/enqueue', body)).toEqual([202, String(body.length)]);
  expect(await unfinished).toMatch(/^HTTP\/1.1 503 [^]*"status":"error"/);
});

test.each([
  '/api/inbound/../../metrics',
  '/api/inbound/%2e%2e/metrics',
  '/api/inbound/%252e%252e/metrics',
  '/api/inbound/..\\..\\metrics',
  '/api/inbound/webhook/..%5c..%5c..%5cmetrics',
  '/v2/alerts/../../readyz',
  '/v2/alerts/.%2e/%2e./readyz',
  '/api/inbound/%ff',
])('a path that leads elsewhere or cannot be decoded is not passed on: %s', async (path) => {
  let isCalled = false;
  answer = (_request, response) => {
    isCalled = true;
    response.end();
  };
  const text = await gateway.raw(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect(parseAnswer(text)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  expect(isCalled).toBe(false);
});

test.each(['/v2', '/v2/enqueues', '/v2/alertsx', '/v2/incidents'])('%s is answered 404', async (path) => {
  expect((await post(path, '{}')).status).toBe(404);
});

test('an ingest gateway that breaks off its answer or cannot be reached is answered 503, never 2xx', async () => {
  answer = (request) => request.socket.destroy();
  const broken = await post('/api/inbound/webhook/abc', '{}');
  expect([broken.status, broken.headers.get('retry-after'), ((await broken.json()) as { code: string }).code]).toEqual([
    503,
    '1',
    'UNAVAILABLE',
  ]);
  const alone = await world.startGateway({ ingestUrl: 'http://127.0.0.1:1' });
  expect((await fetch(`${alone.url}/api/inbound/webhook/abc`, { method: 'POST', body: '{}' })).status).toBe(503);
});

test('without an ingest gateway the path is answered 404', async () => {
  const without = await world.startGateway();
  expect((await fetch(`${without.url}/api/inbound/webhook/abc`, { method: 'POST', body: '{}' })).status).toBe(404);
});

test('no log line contains the token of the path', async () => {
  answer = (_request, response) => response.writeHead(202).end('{}');
  await post('/api/inbound/webhook/SECRETTOKENSECRETTOKENSECRETTOKE', '{}');
  expect(JSON.stringify(gateway.log)).not.toContain('SECRETTOKEN');
});
