import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Connections } from './connections.js';
import { endAfterAnswer, isOfLingering, linger, lingerMs } from './linger.js';

interface Refused {
  socket: Socket;
  closed: Promise<number>;
}

let server: Server;
let connections: Connections;
let sockets: Socket[];
/** How often the callback of this test's server was called. */
let ended: { times: number };

beforeEach(async () => {
  sockets = [];
  const own = { times: 0 };
  ended = own;
  server = createServer((request, response) => {
    response.writeHead(401, { connection: 'close', 'content-length': 2 });
    response.write('no');
    linger(request, () => {
      own.times++;
      response.end();
      request.socket.destroySoon();
    });
  });
  server.on('clientError', (error, socket) => {
    if (isOfLingering(error, socket as Socket)) return;
    socket.write('HTTP/1.1 400 Bad Request\r\n\r\nno');
    endAfterAnswer(socket as Socket);
  });
  connections = new Connections({ total: 50, waitingPerAddress: null });
  connections.watch(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const headOf = (length: number): string => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;

/** A caller that has sent the head of a request with a long body, and has the answer. `closed`: when it was, in ms. */
async function refused(length = 100_000_000, bytes = headOf(length)): Promise<Refused> {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(bytes);
  let text = '';
  await new Promise<void>((resolve) =>
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.endsWith('\r\n\r\nno')) resolve();
    }),
  );
  const began = performance.now();
  const closed = new Promise<number>((resolve) => socket.once('close', () => resolve(performance.now() - began)));
  return { socket, closed };
}

test('a caller that sends hardly anything keeps its connection', async () => {
  const { socket } = await refused();
  for (let n = 0; n < 5; n++) {
    await pause(500);
    socket.write('x');
  }
  expect([socket.readyState, ended.times]).toEqual(['open', 0]);
});

test('a caller that still sends its body reads the answer, and its connection ends soon', async () => {
  const { socket, closed } = await refused();
  const sending = setInterval(() => socket.write('x'.repeat(5000)), 100);
  expect(await closed).toBeGreaterThan(900);
  clearInterval(sending);
  expect(ended.times).toBe(1);
});

test('a body that is much too long ends it at once', async () => {
  const { socket, closed } = await refused();
  socket.write(Buffer.alloc(10_000_000));
  await closed;
  expect(ended.times).toBe(1);
});

test('it ends when the body has arrived', async () => {
  const { socket, closed } = await refused(3);
  socket.write('xyz');
  await closed;
  expect(ended.times).toBe(1);
});

test('it ends when the caller has closed the connection', async () => {
  const { socket } = await refused();
  socket.destroy();
  while (ended.times === 0) await pause(5);
  await pause(20);
  expect(ended.times).toBe(1);
});

/** Many connections that send nothing. */
async function hold(count: number): Promise<void> {
  const { port } = server.address() as AddressInfo;
  for (let n = 0; n < count; n++) {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    sockets.push(socket);
    await new Promise((resolve) => server.once('connection', resolve));
  }
}

describe('bytes that are no request', () => {
  const nonsense = 'nonsense\r\n\r\n';

  test('the connection ends after the answer', async () => {
    const { closed } = await refused(0, nonsense);
    expect(await closed).toBeLessThan(4000);
  });

  test('while there are many connections it stays, and nothing more is read or answered', async () => {
    await hold(15);
    const { socket } = await refused(0, nonsense);
    let more = 0;
    socket.on('data', () => more++);
    for (let n = 0; n < 5; n++) {
      socket.write(nonsense);
      await pause(100);
    }
    expect([socket.readyState, more]).toEqual(['open', 0]);
  });

  test('the connection ends when its caller has closed its side, also while there are many', async () => {
    await hold(15);
    const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
    sockets.push(socket);
    const began = performance.now();
    socket.resume().end('POST / HTTP/1.1\r\nHo');
    await new Promise((resolve) => socket.once('close', resolve));
    expect(performance.now() - began).toBeLessThan(4000);
  });

  test('in the body of a refused request get no second answer', async () => {
    const chunked = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
    const { socket, closed } = await refused(0, chunked);
    let more = 0;
    socket.on('data', () => more++);
    socket.write('nonsense\r\n');
    await closed;
    expect([more, ended.times]).toEqual([0, 1]);
  });
});

test('of many connections, one that lingers ends soon when the replica stops', async () => {
  await hold(15);
  const refusals = [await refused(), await refused(0, 'nonsense\r\n\r\n')];
  connections.stop(100);
  await Promise.all(refusals.map(({ closed }) => closed));
  const { closed } = await refused();
  expect(await closed).toBeLessThan(4000);
});

test('a caller that still sends its body when the replica stops has time to read the answer', async () => {
  const { socket, closed } = await refused();
  connections.stop(lingerMs);
  const sending = setInterval(() => socket.write('x'.repeat(5000)), 100);
  expect(await closed).toBeGreaterThan(900);
  clearInterval(sending);
});

test('at the limit of all connections, one that lingers ends before older ones, without another answer', async () => {
  await hold(15);
  const { socket, closed } = await refused();
  let more = 0;
  socket.on('data', () => more++);
  await hold(35);
  await closed;
  const open = sockets.filter(({ readyState }) => readyState === 'open').length;
  expect([more, connections.size, open]).toEqual([0, 50, 50]);
});
