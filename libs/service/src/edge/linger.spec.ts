import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { linger } from './linger.js';

let server: Server;
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

/** A caller that has sent the head of a request with a long body, and has the answer. `closed`: when it was, in ms. */
async function refused(length = 100_000_000): Promise<{ socket: Socket; closed: Promise<number> }> {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
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
