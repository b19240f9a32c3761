import {
  attemptResultRequest,
  sendRequest,
  type AttemptResultReply,
  type SendReply,
  type SendRequest,
} from '@ams/contracts';
import { connectNats, RpcClient, type NatsConnection } from '@ams/messaging';
import { eventually, startTestNats, type TestNats } from '@ams/testing';
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
  client = new NotifierClient(new RpcClient(engine));
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

it('no notifier runs: the notification is attempted again', async () => {
  expect(await client.attempt(request)).toMatchObject({ kind: 'heldBack', reason: 'the notifier does not answer' });
});
