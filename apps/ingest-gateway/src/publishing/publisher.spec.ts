import { connectNats, type NatsConnection } from '@ams/messaging';
import { startTestNats, type TestNats } from '@ams/testing';
import { Publisher } from './publisher.js';

let nats: TestNats;
let server: NatsConnection;
let connection: NatsConnection;

beforeAll(async () => {
  nats = await startTestNats();
  server = await connectNats({ url: nats.url, name: 'test' });
  connection = await connectNats({ url: nats.url, name: 'publisher' });
});
afterAll(async () => {
  await connection?.close();
  await server?.close();
  await nats?.stop();
});

/** A subject on which NATS gives these acknowledgements, one after another. */
async function acknowledging(subject: string, ...acks: string[]): Promise<void> {
  let count = 0;
  server.subscribe(subject, {
    callback(_error, message) {
      message.respond(acks[Math.min(count++, acks.length - 1)] ?? '');
    },
  });
  await server.flush();
}

const duplicate = '{"stream":"INGEST", "seq":0,"duplicate": true}';

it.each(['{"stream":"INGEST", "seq":7}', '{"stream":"INGEST", "seq":70,"duplicate": true}'])(
  'takes %s as stored',
  async (ack) => {
    await acknowledging('stored', ack);
    expect(await new Publisher(connection).publish({ subject: 'stored', data: '{}', messageId: '1' }, 60_000)).toEqual({
      kind: 'stored',
    });
  },
);

it('does not take a duplicate of a message that no majority has stored as stored, and asks again', async () => {
  await acknowledging('unstored', duplicate);
  const publisher = new Publisher(connection);
  const message = { subject: 'unstored', data: '{}', messageId: '1' };
  expect(await publisher.publish(message, 60_000)).toEqual({ kind: 'timeout' });
  await acknowledging('later', duplicate, duplicate, '{"stream":"INGEST", "seq":7}');
  const deadline = performance.now() + 60_000;
  expect(await publisher.persist({ ...message, subject: 'later' }, deadline, async () => undefined)).toEqual({
    kind: 'stored',
  });
});
