import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Connections, type ConnectionLimits } from './connections.js';

let server: Server;
let connections: Connections;
let reasons: string[];
let inWork: ServerResponse[];
let sockets: Socket[];

async function start(limits: ConnectionLimits): Promise<void> {
  reasons = [];
  inWork = [];
  sockets = [];
  connections = new Connections(limits, (reason) => reasons.push(reason));
  server = createServer((request, response) => {
    if (request.url === '/unread') {
      inWork.push(response);
      return;
    }
    request.resume();
    if (request.url === '/held') inWork.push(response);
    else request.once('end', () => response.end('served'));
  });
  server.on('clientError', (error: Error & { code: string }, socket) => socket.end(`closed: ${error.code}`));
  connections.watch(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  server.close();
});

interface Caller {
  socket: Socket;
  /** All that it received, when it is closed. */
  ended: Promise<string>;
  received(part: string): Promise<void>;
}

async function call(bytes: string, from = '127.0.0.1'): Promise<Caller> {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress: from });
  sockets.push(socket);
  let text = '';
  socket.on('data', (data) => (text += data.toString()));
  socket.on('error', () => undefined);
  const ended = new Promise<string>((resolve) => socket.on('close', () => resolve(text)));
  const accepted = new Promise<void>((resolve) => server.once('connection', () => resolve()));
  await accepted;
  if (bytes !== '') socket.write(bytes);
  return {
    socket,
    ended,
    received: (part) =>
      new Promise((resolve) => {
        const look = () => void (text.includes(part) && resolve());
        socket.on('data', look);
        look();
      }),
  };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const slowBody = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{';

test('one connection more than an address may have waiting closes the oldest one of this address', async () => {
  await start({ total: 100, waitingPerAddress: 2 });
  const other = await call('');
  const oldest = await call('GET /', '127.0.0.2');
  await call(slowBody, '127.0.0.2');
  const newest = await call(get('/'), '127.0.0.2');
  expect(await oldest.ended).toBe('closed: ERR_HTTP_REQUEST_TIMEOUT');
  await newest.received('served');
  other.socket.write(get('/'));
  await other.received('served');
  expect([reasons, connections.size]).toEqual([['address'], 3]);
});

test('one connection more than the total closes the one that has waited longest', async () => {
  await start({ total: 3, waitingPerAddress: null });
  const first = await call(get('/'));
  await first.received('served'); // idle since now
  const slow = await call(slowBody, '127.0.0.2');
  const second = await call(get('/'));
  await second.received('served');
  const third = await call(get('/'), '127.0.0.3');
  expect(await first.ended).toContain('served');
  await third.received('served');
  const fourth = await call(get('/'), '127.0.0.3');
  expect(await slow.ended).toContain('closed: ERR_HTTP_REQUEST_TIMEOUT');
  await fourth.received('served');
  expect(reasons).toEqual(['total', 'total']);
});

test('a connection whose request is in work is not closed; when there are only such, one more is refused', async () => {
  await start({ total: 2, waitingPerAddress: 1 });
  const held: Caller[] = [];
  for (let n = 1; n <= 2; n++) {
    held.push(await call(get('/held')));
    while (inWork.length < n) await new Promise((resolve) => setImmediate(resolve));
  }
  const refused = await call(get('/'));
  expect(await refused.ended).toBe('');
  for (const response of inWork) response.end('answered');
  for (const caller of held) await caller.received('answered');
  expect(reasons).toEqual(['total']);
});

test('a request that has arrived and is not read yet is not closed as a slow one', async () => {
  await start({ total: 100, waitingPerAddress: 2 });
  const whole = 'POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n0123456789';
  const arrived = [await call(whole), await call(whole)];
  while (inWork.length < 2) await new Promise((resolve) => setImmediate(resolve));
  const slow = await call(slowBody);
  const last = await call(get('/'));
  expect(await slow.ended).toContain('ERR_HTTP_REQUEST_TIMEOUT');
  await last.received('served');
  for (const response of inWork) response.end('answered');
  for (const caller of arrived) await caller.received('answered');
  expect(reasons).toEqual(['address']);
});

test('closed connections are forgotten', async () => {
  await start({ total: 2, waitingPerAddress: 2 });
  for (let n = 0; n < 5; n++) {
    const caller = await call(get('/'), `127.0.0.${n + 2}`);
    await caller.received('served');
    caller.socket.destroy();
    while (connections.size > 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(reasons).toEqual([]);
});
