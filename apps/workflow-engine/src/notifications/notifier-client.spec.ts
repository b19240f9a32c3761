import {
  attemptLookupRequest,
  attemptResultRequest,
  sendRequest,
  type AttemptResultReply,
  type SendReply,
  type SendRequest,
} from '@ams/contracts';
import { connectNats, RpcClient, type NatsConnection } from '@ams/messaging';
import { eventually, startTestNats, type TestNats } from '@ams/testing';
import type { Msg } from '@nats-io/transport-node';
import { NotifierClient } from './notifier-client.js';

const request = { notificationId: 'ntf_1' } as SendRequest;
const sent: SendReply = { kind: 'sent', detail: '250 OK' };

let server: TestNats;
let engine: NatsConnection;
let notifier: NatsConnection;
let client: NotifierClient;

beforeAll(async () => {
  server = await startTestNats();
});
afterAll(() => server.stop());
beforeEach(async () => {
  [engine, notifier] = (await Promise.all(
    ['engine', 'notifier'].map((name) => connectNats({ url: server.url, name })),
  )) as [NatsConnection, NatsConnection];
  client = new NotifierClient(new RpcClient(engine), engine);
});
afterEach(() => Promise.all([engine.close(), notifier.close()]));

/** A replica of the notifier that has begun an attempt. */
function sending(replicaId: string, result: () => AttemptResultReply): { asked: () => number } {
  let asked = 0;
  notifier.subscribe(sendRequest.subject, {
    callback: (_error, message) => void message.respond(JSON.stringify({ kind: 'sending', replicaId })),
  });
  notifier.subscribe(attemptResultRequest(replicaId).subject, {
    callback: (_error, message) => {
      asked++;
      message.respond(JSON.stringify(result()));
    },
  });
  return { asked: () => asked };
}

it('a long attempt: the replica that makes it is asked until it has the result', async () => {
  const replica = sending('long', () => (replica.asked() < 4 ? { kind: 'sending', replicaId: 'long' } : sent));
  await notifier.flush();
  expect(await client.attempt(request)).toEqual(sent);
});

it('the replica dies during the attempt: the notification is attempted again soon', async () => {
  const replica = sending('dies', () => ({ kind: 'sending', replicaId: 'dies' }));
  await notifier.flush();
  const reply = client.attempt(request);
  await eventually(() => expect(replica.asked()).toBeGreaterThan(0));
  await notifier.close();
  expect(await reply).toMatchObject({ kind: 'heldBack', reason: 'the notifier stopped during the attempt' });
});

it('the replica loses its connection for a moment: its result is still collected', async () => {
  const replica = sending('away', () => (replica.asked() < 4 ? { kind: 'sending', replicaId: 'away' } : sent));
  await notifier.flush();
  const reply = client.attempt(request);
  await eventually(() => expect(replica.asked()).toBeGreaterThan(0));
  await notifier.reconnect();
  expect(await reply).toEqual(sent);
});

it('the replica does not know the attempt after a restart: the notification is attempted again', async () => {
  sending('restarted', () => ({ kind: 'unknown' }));
  await notifier.flush();
  expect(await client.attempt(request)).toMatchObject({ kind: 'heldBack' });
});

/** A replica whose reply to the request is lost. `reply`: what it replies to who asks all replicas; null: nothing. */
async function replyIsLost(reply: () => AttemptResultReply | null): Promise<{ received: () => number }> {
  let received = 0;
  notifier.subscribe(sendRequest.subject, { callback: () => void received++ });
  notifier.subscribe(attemptLookupRequest.subject, {
    callback: (_error, message) => {
      const known = reply();
      if (known) message.respond(JSON.stringify(known));
    },
  });
  await notifier.flush();
  return { received: () => received };
}

it('the reply is lost with the connection to NATS: the replica that has sent the message is found', async () => {
  const replica = await replyIsLost(() => sent);
  const reply = client.attempt(request);
  await eventually(() => expect(replica.received()).toBe(1));
  await engine.reconnect();
  expect(await reply).toEqual(sent);
  expect(replica.received()).toBe(1);
});

it('the same for one that is still sending: it is asked until it has the result', async () => {
  const replica = await replyIsLost(() => ({ kind: 'sending', replicaId: 'found' }));
  let asked = 0;
  notifier.subscribe(attemptResultRequest('found').subject, {
    callback: (_error, message) =>
      void message.respond(JSON.stringify(++asked < 3 ? { kind: 'sending', replicaId: 'found' } : sent)),
  });
  const reply = client.attempt(request);
  await eventually(() => expect(replica.received()).toBe(1));
  await engine.reconnect();
  expect(await reply).toEqual(sent);
});

it('no replica knows the attempt after the reconnection: silence says nothing, and the reply is awaited', async () => {
  let held: Msg | null = null;
  let lookedUp = 0;
  notifier.subscribe(sendRequest.subject, { callback: (_error, message) => void (held = message) });
  notifier.subscribe(attemptLookupRequest.subject, { callback: () => void lookedUp++ });
  await notifier.flush();
  const reply = client.attempt(request);
  await eventually(() => expect(held).not.toBeNull());
  await engine.reconnect();
  await eventually(() => expect(lookedUp).toBeGreaterThan(1));
  (held as Msg | null)?.respond(JSON.stringify(sent));
  expect(await reply).toEqual(sent);
});

it('a reply that is late by more than its time, without a loss of the connection: the replica is found', async () => {
  const replica = await replyIsLost(() => sent);
  expect(await client.attempt(request)).toEqual(sent);
  expect(replica.received()).toBe(1);
});

it('no notifier runs: the notification is attempted again', async () => {
  expect(await client.attempt(request)).toMatchObject({ kind: 'heldBack', reason: 'the notifier does not answer' });
});
