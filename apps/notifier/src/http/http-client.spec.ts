/** The HTTP client with servers on this machine: what it must not reach, what it reaches, and its limits. */
import diagnostics from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { eventually } from '@ams/testing';
import { certificateFor, trustCertificate } from '../../testing/certificate.js';
import { evasions, hostileNames } from '../../testing/evasions.js';
import { startWebServer, type WebServer } from '../../testing/web-server.js';
import { HttpClient, type HttpResult, type Post } from './http-client.js';
import { NotifierSettings } from '../settings.js';
import type { Resolver } from './resolver.js';

/** Every connection that this process opens while the tests run. */
let begun = 0;
const onSocket = (): void => void begun++;

/** Receives everything that is sent to this machine. */
let everywhere: WebServer;
/** A host that the operator allows, and that redirects callers to other hosts. */
let front: WebServer;

beforeAll(async () => {
  diagnostics.subscribe('net.client.socket', onSocket);
  [everywhere, front] = await Promise.all([startWebServer(), startWebServer({ host: '127.0.0.1' })]);
});

afterAll(async () => {
  diagnostics.unsubscribe('net.client.socket', onSocket);
  await Promise.all([everywhere.stop(), front.stop()]);
});

beforeEach(() => {
  everywhere.received.length = 0;
  everywhere.connections = 0;
  front.received.length = 0;
  front.answer = (_request, response) => void response.end('ok');
  begun = 0;
});

const names: Record<string, string[]> = { ...hostileNames, 'front.test': ['127.0.0.1'], 'hooks.test': ['127.0.0.1'] };
const resolve = (name: string) => Promise.resolve(names[name.replace(/\.$/, '')] ?? []);

const client = (allow = '', resolver: Partial<Resolver> = {}) => {
  const settings = Object.assign(new NotifierSettings(), { outboundAllow: allow });
  return new HttpClient(settings, { inDns: resolve, onThisMachine: resolve, ...resolver } as Resolver);
};
const post = (url: string, fields: Partial<Post> = {}): Post => ({
  url,
  headers: { 'content-type': 'application/json' },
  authorHeaders: {},
  body: '{"a":1}',
  timeoutMs: 5000,
  ...fields,
});
const at = (server: WebServer, url: string) => url.replaceAll('PORT', String(server.port));
const to = (server: WebServer, path = '/') => `http://127.0.0.1:${server.port}${path}`;

const redirecting =
  (status: number, location: string | ((request: IncomingMessage) => string)) =>
  (request: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(status, { location: typeof location === 'string' ? location : location(request) }).end();

describe('addresses that are not public are not called', () => {
  test('there are more than 100 ways to try', () => expect(evasions.length).toBeGreaterThan(100));

  test.each(evasions)('%s', async (_spelling, url) => {
    const result = await client().post(post(at(everywhere, url)));
    expect(result.kind).toBe('blocked');
    expect([begun, everywhere.connections]).toEqual([0, 0]);
    if (result.kind === 'blocked' && result.code === 'private')
      expect(result.why).toMatch(/ is in a private network or this one/);
  });

  test.each(evasions.filter(([, url]) => url.trim() !== ''))('on redirect: %s', async (_spelling, url) => {
    // A header holds Latin-1 without control characters: other characters of a URL have to be encoded.
    const location = at(everywhere, url).replace(/[\t\n]/g, '');
    front.answer = redirecting(307, Buffer.from(location).toString('latin1'));
    const result = await client('front.test').post(post(at(front, 'http://front.test:PORT/')));
    expect(result.kind).not.toBe('response');
    // Only the allowed host is called. A text that browsers read as a path stays on that host.
    expect([begun, everywhere.connections]).toEqual([front.received.length, 0]);
    expect(front.received.every(({ headers }) => headers.host === `front.test:${front.port}`)).toBe(true);
  });

  test('the same names and spellings arrive when they are allowed', async () => {
    for (const host of [
      '2130706433',
      '127.1',
      '①②⑦.⓪.⓪.①',
      'loopback.test',
      'mapped.test',
      'bücher.test',
      '[::ffff:7f00:1]',
    ]) {
      expect(await client('127.0.0.0/8').post(post(at(everywhere, `http://${host}:PORT/`)))).toMatchObject({
        kind: 'response',
        status: 200,
      });
    }
    expect(everywhere.connections).toBe(7);
  });

  test('the reason does not contain the addresses of a name', async () => {
    const result = await client().post(post('http://private.test/'));
    expect(JSON.stringify(result)).not.toContain('10.0.0.1');
  });

  test('a name is resolved once, and the connection goes to the addresses of that answer', async () => {
    let asked = 0;
    const rebinding = () => Promise.resolve(asked++ === 0 ? ['127.0.0.1'] : ['127.0.0.2']);
    const result = await client('127.0.0.1', { inDns: rebinding }).post(post(at(front, 'http://rebinding.test:PORT/')));
    expect([result.kind, asked, front.received[0]?.headers.host]).toEqual([
      'response',
      1,
      `rebinding.test:${front.port}`,
    ]);
    expect(
      await client('127.0.0.1', { inDns: rebinding }).post(post(at(front, 'http://rebinding.test:PORT/'))),
    ).toMatchObject({ kind: 'blocked', code: 'private' });
  });

  test('a redirect to the same name is checked again', async () => {
    let asked = 0;
    const rebinding = () => Promise.resolve(asked++ === 0 ? ['127.0.0.1'] : ['127.0.0.2']);
    front.answer = redirecting(307, '/again');
    const result = await client('127.0.0.1', { inDns: rebinding }).post(post(at(front, 'http://rebinding.test:PORT/')));
    expect([result, front.received.length]).toEqual([expect.objectContaining({ kind: 'blocked', code: 'private' }), 1]);
  });
});

describe('a result', () => {
  beforeEach(
    () => (front.answer = (_request, response) => void response.writeHead(202, { 'retry-after': '7' }).end('taken')),
  );

  test('sends the headers and the body, and returns the response', async () => {
    const result = await client('127.0.0.1').post(post(to(front, '/a/b?c=d#e'), { authorHeaders: { 'x-own': '1' } }));
    expect(result).toEqual({
      kind: 'response',
      host: `127.0.0.1:${front.port}`,
      status: 202,
      retryAfter: '7',
      text: 'taken',
    });
    expect(front.received).toMatchObject([
      {
        method: 'POST',
        path: '/a/b?c=d',
        body: '{"a":1}',
        headers: { 'content-type': 'application/json', 'content-length': '7', 'x-own': '1' },
      },
    ]);
  });

  test.each([
    ['a refused connection', 'http://127.0.0.1:1/', 'ECONNREFUSED'],
    ['a name without an address', 'http://nothing.test/', 'ENOTFOUND'],
  ])('%s', async (_what, url, code) => {
    expect(await client('127.0.0.1').post(post(url))).toMatchObject({ kind: 'error', code });
  });

  test('a resolver that fails or never answers is an error', async () => {
    const failing = client('', {
      inDns: () => Promise.reject(Object.assign(new Error('x'), { code: 'ESERVFAIL' })),
    });
    expect(await failing.post(post('http://a.test/'))).toEqual({ kind: 'error', host: 'a.test', code: 'ESERVFAIL' });
    const silent = client('', { inDns: () => new Promise(() => undefined) });
    expect(await silent.post(post('http://a.test/', { timeoutMs: 50 }))).toEqual({
      kind: 'error',
      host: 'a.test',
      code: 'TIMEOUT',
    });
    expect(begun).toBe(0);
  });
});

describe('redirects', () => {
  afterEach(() => (everywhere.answer = (_request, response) => void response.end('ok')));

  test.each([307, 308])('%d repeats the POST at the other URL', async (status) => {
    front.answer = (request, response) =>
      request.url === '/' ? redirecting(status, '/there?x=1')(request, response) : void response.end('ok');
    expect(await client('127.0.0.1').post(post(to(front)))).toMatchObject({ kind: 'response', status: 200 });
    expect(front.received.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/', '{"a":1}'],
      ['POST', '/there?x=1', '{"a":1}'],
    ]);
  });

  test.each([300, 301, 302, 303, 304, 305])('%d is not followed', async (status) => {
    front.answer = redirecting(status, to(everywhere));
    expect(await client('127.0.0.1').post(post(to(front)))).toMatchObject({ kind: 'response', status });
    expect(everywhere.connections).toBe(0);
  });

  test('three are followed, a fourth is not', async () => {
    front.answer = redirecting(307, (request) => `/${Number(request.url!.slice(1)) + 1}`);
    expect(await client('127.0.0.1').post(post(to(front, '/0')))).toMatchObject({ kind: 'blocked', code: 'redirect' });
    expect(front.received.map(({ path }) => path)).toEqual(['/0', '/1', '/2', '/3']);
  });

  test('one without a Location is not followed', async () => {
    front.answer = (_request, response) => void response.writeHead(307).end();
    expect(await client('127.0.0.1').post(post(to(front)))).toMatchObject({ kind: 'blocked', code: 'redirect' });
  });

  test('only the same origin gets the headers of the author', async () => {
    const authorHeaders = { authorization: 'Bearer secret' };
    front.answer = (request, response) =>
      redirecting(307, request.url === '/' ? '/same' : to(everywhere))(request, response);
    expect(await client('127.0.0.1').post(post(to(front), { authorHeaders }))).toMatchObject({
      kind: 'response',
      status: 200,
    });
    expect(front.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret', 'Bearer secret']);
    expect(everywhere.received[0]?.headers).not.toHaveProperty('authorization');
    expect(everywhere.received[0]?.headers).toMatchObject({ 'content-type': 'application/json' });
  });
});

describe('TLS', () => {
  const tls = certificateFor('hooks.test');
  let secure: WebServer;
  beforeAll(async () => {
    names['other.test'] = ['127.0.0.1'];
    secure = await startWebServer({ tls });
  });
  afterAll(() => secure.stop());
  let removeCertificate = (): void => undefined;
  beforeEach(() => (removeCertificate = trustCertificate(tls.cert)));
  afterEach(() => removeCertificate());

  test('a trusted certificate with the right name is accepted', async () => {
    expect(await client('127.0.0.1').post(post(at(secure, 'https://hooks.test:PORT/')))).toMatchObject({
      kind: 'response',
      status: 200,
    });
  });

  test.each([
    ['not trusted', 'https://hooks.test:PORT/', false, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['of another name', 'https://other.test:PORT/', true, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['of a name, where an address was asked for', 'https://127.0.0.1:PORT/', true, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('one that is %s is an error, and nothing is sent', async (_what, url, isTrusted, code) => {
    if (!isTrusted) removeCertificate();
    secure.received.length = 0;
    expect(await client('127.0.0.1').post(post(at(secure, url)))).toMatchObject({
      kind: 'error',
      code,
    });
    expect(secure.received).toEqual([]);
  });

  test('a redirect from https to http is not followed', async () => {
    secure.answer = redirecting(307, to(everywhere));
    expect(await client('127.0.0.1').post(post(at(secure, 'https://hooks.test:PORT/')))).toMatchObject({
      kind: 'blocked',
      code: 'redirect',
    });
    expect(everywhere.connections).toBe(0);
  });
});

describe('faulty servers', () => {
  /** Answers every request with these bytes, or as the function says. */
  async function raw(
    work: (socket: Socket) => void,
  ): Promise<{ url: string; closed: () => boolean; stop: () => void }> {
    let isClosed = false;
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => (isClosed = true));
      socket.once('data', () => work(socket));
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      closed: () => isClosed,
      stop: () => {
        server.close();
        for (const socket of sockets) socket.destroy();
      },
    };
  }

  async function resultWith(work: (socket: Socket) => void, timeoutMs = 400): Promise<HttpResult> {
    const server = await raw(work);
    try {
      const result = await client('127.0.0.1').post(post(server.url, { timeoutMs }));
      await eventually(() => server.closed());
      return result;
    } finally {
      server.stop();
    }
  }

  test('one that never answers', async () => {
    expect(await resultWith(() => undefined)).toMatchObject({ kind: 'error', code: 'TIMEOUT' });
  });

  test('one that never ends its headers', async () => {
    let timer: NodeJS.Timeout;
    const result = await resultWith((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      timer = setInterval(() => socket.write('x-a: b\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    expect(result).toMatchObject({ kind: 'error', code: 'TIMEOUT' });
  });

  test('headers that are too long are an error', async () => {
    const result = await resultWith(
      (socket) => void socket.write(`HTTP/1.1 200 OK\r\n${'x-a: bbbbbbbbbbbbbbbbbbbbbbbbbbbb\r\n'.repeat(10_000)}`),
      5000,
    );
    expect(result).toMatchObject({ kind: 'error', code: 'UND_ERR_HEADERS_OVERFLOW' });
  });

  test('of a body of megabytes 64 KiB are read, then the connection is closed', async () => {
    let written = 0;
    const result = await resultWith((socket) => {
      socket.write('HTTP/1.1 500 No\r\ncontent-type: text/plain\r\n\r\n');
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const more = (): void => {
        while (!socket.destroyed && written < 512 * chunk.length) {
          written += chunk.length;
          if (!socket.write(chunk)) return void socket.once('drain', more);
        }
      };
      more();
    }, 5000);
    expect(result).toMatchObject({ kind: 'response', status: 500 });
    expect(result.kind === 'response' && result.text.length).toBe(64 * 1024);
    expect(written).toBeLessThan(512 * 64 * 1024);
  });

  test('a response whose body never ends counts as a response', async () => {
    const result = await resultWith(
      (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nonly this'),
      10_000,
    );
    expect(result).toMatchObject({ kind: 'response', status: 200, text: 'only this' });
  });

  test('a response whose body breaks off counts as a response', async () => {
    const result = await resultWith(
      (socket) => socket.end('HTTP/1.1 404 No\r\ncontent-length: 100\r\n\r\nno_service'),
      5000,
    );
    expect(result).toMatchObject({ kind: 'response', status: 404 });
  });

  test.each([
    ['closes at once', (socket: Socket) => void socket.destroy()],
    ['resets', (socket: Socket) => void socket.resetAndDestroy()],
    ['speaks no HTTP', (socket: Socket) => void socket.end('220 mail.example.com ESMTP\r\n')],
    [
      'gives two lengths',
      (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'),
    ],
    [
      'changes the protocol',
      (socket: Socket) =>
        void socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ],
  ])('one that %s gives no response', async (_what, work) => {
    expect(await resultWith(work, 5000)).toMatchObject({
      kind: 'error',
      code: expect.not.stringMatching(/TIMEOUT/) as string,
    });
  });

  test('an interim response (1xx) is skipped', async () => {
    expect(
      await resultWith(
        (socket) => socket.end('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n'),
        5000,
      ),
    ).toMatchObject({ kind: 'response', status: 204 });
  });
});
