/** What a sender with an open connection sees while the gateway stops. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { alert, startWorld, type World } from '../../testing/harness.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.end());

test('a request that arrives while the gateway stops is stored, and its answer closes the connection', async () => {
  const { port, stop } = await world.gateway({ SETTLE_MS: '5000' });
  const { token } = await world.integration();
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (data) => (text += data.toString()));
  const answered = async (): Promise<string> => {
    await once(socket, 'data');
    return text;
  };
  const body = JSON.stringify(alert());
  const send = (): Promise<string> => {
    text = '';
    socket.write(
      `POST /api/inbound/webhook/${token} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    return answered();
  };
  expect(await send()).toMatch(/^HTTP\/1.1 202 (?![^]*connection: close)/i);

  const stopped = stop();
  // Fastify closes idle connections in one of the next turns of the event loop, if it does not wait.
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(socket.destroyed).toBe(false);
  const closed = once(socket, 'close');
  expect(await send()).toMatch(/^HTTP\/1.1 202 [^]*\r\nconnection: close\r\n/i);
  await closed;
  await stopped;
});
