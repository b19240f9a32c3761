import { credentialHash, uuidOf } from '@ams/contracts';
import { presetSettings } from '@ams/domain';
import { ingestIdempotencyKv } from '@ams/messaging';
import { eventually } from '@ams/testing';
import { alert, post, startWorld, type World } from '../../testing/harness.js';
import { bodyHash, entryKey, eventIdOf } from './idempotency.js';

let world: World;
let url: string;
beforeAll(async () => {
  world = await startWorld();
  ({ url } = await world.gateway());
});
afterAll(() => world.end());

const keyed = (key: string) => ({ 'content-type': 'application/json', 'idempotency-key': key });
const stored = async (integrationId: string) =>
  (await world.events()).filter((event) => event.integrationId === integrationId);

it('answers a repetition with the first answer and stores nothing', async () => {
  const { token, integration } = await world.integration();
  const first = await post(url, token, alert(), keyed('k-1'));
  const again = await post(url, token, alert(), keyed('k-1'));
  expect([first.status, again.status]).toEqual([202, 200]);
  expect(again.body).toEqual(first.body);
  const events = await stored(integration.id);
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({ repeatable: true, receivedAt: first.body.data!.receivedAt });
});

it('refuses a key with another body, and does not share keys among senders', async () => {
  const [a, b] = [await world.integration(), await world.integration()];
  expect((await post(url, a.token, alert(), keyed('same'))).status).toBe(202);
  const other = await post(url, a.token, alert({ title: 'Another' }), keyed('same'));
  expect([other.status, other.body.code, other.body.details]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED', null]);
  expect((await post(url, b.token, alert({ title: 'Another' }), keyed('same'))).status).toBe(202);
});

it('treats one of many concurrent requests as the first, and all answers have the same events', async () => {
  const { token, integration } = await world.integration();
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(url, token, alert(), keyed('at once'))));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 202]);
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(new Set((await stored(integration.id)).map(({ id }) => id)).size).toBe(1);
});

it.each([false, true])(
  'continues a request whose gateway was killed after it had reserved the key (published already: %p)',
  async (published) => {
    const { token, integration } = await world.integration();
    const body = JSON.stringify(alert());
    const bucket = await ingestIdempotencyKv(world.connection, { replicas: 1 });
    const key = entryKey(credentialHash(token), 'died');
    const reservation = {
      bodyHash: bodyHash(Buffer.from(body)),
      receivedAt: new Date(Date.now() - 5000).toISOString(),
      seed: 'ab'.repeat(16),
      answer: null,
    };
    if (published) {
      await post(url, token, body, keyed('died'));
      await bucket.put(key, JSON.stringify({ ...(await bucket.get(key))!.json<object>(), answer: null }));
    } else await bucket.create(key, JSON.stringify(reservation));

    const answer = await post(url, token, body, keyed('died'));
    expect(answer.status).toBe(200);
    if (!published) {
      expect(uuidOf('event', answer.body.data!.events[0]!.id)).toBe(eventIdOf(reservation, 0));
      expect(answer.body.data!.receivedAt).toBe(reservation.receivedAt);
    }
    const events = await stored(integration.id);
    expect(new Set(events.map(({ id }) => id)).size).toBe(1);
    expect(events.every(({ repeatable }) => repeatable)).toBe(true);
    expect((await post(url, token, body, keyed('died'))).body).toEqual(answer.body);
    expect(await stored(integration.id)).toHaveLength(events.length);
  },
);

it('accepts a refused request again with its key after the integration was corrected', async () => {
  const { token, integration } = await world.integration();
  const body = { title: 'Disk full', level: 'P1' };
  expect((await post(url, token, body, keyed('mend'))).status).toBe(400);
  await world.put(token, {
    ...integration,
    version: 2,
    settings: { ...presetSettings('generic'), fieldMappings: [{ target: 'severity', source: 'level' }] },
  });
  const answers = (status: number, headers?: Record<string, string>): Promise<void> =>
    eventually(async () => expect((await post(url, token, body, headers)).status).toBe(status));
  await answers(202, keyed('mend'));
  await world.put(token, integration);
  await answers(400);
  expect((await post(url, token, body, keyed('mend'))).status).toBe(200);
});

it('uses the message id of SNS as a key', async () => {
  const { token, integration } = await world.integration();
  const headers = { 'content-type': 'text/plain', 'x-amz-sns-message-id': '22b80b92-fdea-4c2c-8f9d-000000000002' };
  expect((await post(url, token, alert(), headers)).status).toBe(202);
  expect((await post(url, token, alert(), headers)).status).toBe(200);
  expect(await stored(integration.id)).toHaveLength(1);
});

it.each(['', 'x'.repeat(256)])('refuses the key %.10s', async (key) => {
  const { token } = await world.integration();
  expect((await post(url, token, alert(), keyed(key))).status).toBe(400);
});
