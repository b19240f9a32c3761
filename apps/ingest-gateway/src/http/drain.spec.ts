/** What a sender with an open connection sees while the gateway stops. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { alert, startWorld, type World } from '../../testing/harness.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.end());

/** A connection to the gateway, and a function that sends an alert on it and returns the answer. */
async function openConnection(port: number): Promise<{ socket: Socket; send: () => Promise<string> }> {
  const { token } = await world.integration();
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const closed = once(socket, 'close').then(() => Promise.reject(new Error('the connection was closed')));
  closed.catch(() => undefined);
  const send = async (): Promise<string> => {
    const body = JSON.stringify(alert());
    socket.write(
      `POST /api/inbound/webhook/${token} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    const [answer] = (await Promise.race([once(socket, 'data'), closed])) as [Buffer];
    return answer.toString();
  };
  return { socket, send };
}

test('a request that arrives while the gateway stops is stored, and its answer closes the connection', async () => {
  const { port, stop } = await world.gateway({ SETTLE_MS: '5000' });
  const { socket, send } = await openConnection(port);
  expect(await send()).toMatch(/^HTTP\/1.1 202 (?![^]*connection: close)/i);

  const stopped = stop();
  // Fastify closes idle connections in one of the next turns of the event loop, if it does not wait.
  await sleep(200);
  expect(socket.destroyed).toBe(false);
  const closed = once(socket, 'close');
  expect(await send()).toMatch(/^HTTP\/1.1 202 [^]*\r\nconnection: close\r\n/i);
  await closed;
  await stopped;
});

test('a connection without a request can still be used for a while after the gateway stopped listening', async () => {
  const { port, stop } = await world.gateway({ SETTLE_MS: '0' });
  const { send } = await openConnection(port);
  const stopped = stop();
  await sleep(1800);
  await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(await send()).toMatch(/^HTTP\/1.1 202 [^]*\r\nconnection: close\r\n/i);
  await stopped;
});

test('the gateway listens as long as connections arrive', async () => {
  const { port, stop } = await world.gateway({ SETTLE_MS: '500' });
  const stopped = stop();
  for (let turn = 0; turn < 30; turn++) {
    await sleep(50);
    const { send } = await openConnection(port);
    expect(await send()).toMatch(/^HTTP\/1.1 202 /);
  }
  await stopped;
});
