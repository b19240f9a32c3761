import { setTimeout as sleep } from 'node:timers/promises';
import { newUuid, requestLogStream, ingestLimitStream, type RequestLogBatch } from '@ams/contracts';
import { presetSettings } from '@ams/domain';
import { concurrently, eventually, streamManager } from '@ams/testing';
import { alert, post, startWorld, type Answer, type World } from '../../testing/harness.js';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.end());

const counted = (statuses: number[]) =>
  Object.fromEntries(
    [...new Set(statuses)].sort().map((status) => [status, statuses.filter((s) => s === status).length]),
  );

it('accepts exactly 60 of 180 concurrent requests, over three replicas', async () => {
  const gateways = await Promise.all([world.gateway(), world.gateway(), world.gateway()]);
  const { token, integration } = await world.integration();
  const began = Date.now();
  const answers = await concurrently(180, 60, (n) =>
    post(gateways[n % 3]!.url, token, alert({ fingerprint: String(n) })),
  );
  const tookSeconds = Math.ceil((Date.now() - began) / 1000);
  expect(counted(answers.map(({ status }) => status))).toEqual({ 202: 60, 429: 120 });
  expect(await world.events()).toHaveLength(60);
  for (const { headers, body } of answers.filter(({ status }) => status === 429)) {
    const seconds = Number(headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(60 - tookSeconds);
    expect(seconds).toBeLessThanOrEqual(61);
    expect([body.code, body.details]).toEqual([
      'RATE_LIMITED',
      { scope: 'per ingest token', limit: 60, windowSeconds: 60, retryAfterSeconds: seconds },
    ]);
  }
  const another = await world.integration();
  expect((await post(gateways[0]!.url, another.token, alert())).status).toBe(202);
  await eventually(async () => {
    const limited = (await world.batches<RequestLogBatch>(requestLogStream)).flatMap((batch) => batch.limited);
    expect(
      limited
        .filter(({ integrationId }) => integrationId === integration.id)
        .reduce((sum, { count }) => sum + count, 0),
    ).toBe(120);
  });
});

it('a sender that goes on above its limit waits for its refusals', async () => {
  const gateway = await world.gateway({ INGEST_LIMIT_PER_MINUTE: '1' });
  const { token } = await world.integration();
  expect((await post(gateway.url, token, alert())).status).toBe(202);
  const begun = performance.now();
  const answers = await concurrently(40, 4, () => post(gateway.url, token, alert()));
  expect(counted(answers.map(({ status }) => status))).toEqual({ 429: 40 });
  // After twenty refusals each one waits for a twentieth of a second.
  expect(performance.now() - begun).toBeGreaterThan(900);
});

it('a refusal by way of a proxy does not wait, because others need the connections of the proxy', async () => {
  const gateway = await world.gateway({ INGEST_LIMIT_PER_MINUTE: '1' });
  const { token } = await world.integration();
  expect((await post(gateway.url, token, alert())).status).toBe(202);
  const begun = performance.now();
  const answers = await concurrently(500, 4, () => post(gateway.url, token, alert(), { via: '1.1 a-proxy' }));
  expect(counted(answers.map(({ status }) => status))).toEqual({ 429: 500 });
  // With the pace it would be 24 s.
  expect(performance.now() - begun).toBeLessThan(20_000);
});

it('limits the bytes of the events of an organization, over its tokens and two replicas', async () => {
  const environment = { INGEST_LIMIT_BYTES: '1048576', INGEST_LIMIT_PER_MINUTE: '8' };
  const [a, b] = await Promise.all([world.gateway(environment), world.gateway(environment)]);
  const organizationId = newUuid();
  const senders = await Promise.all([0, 1, 2, 3, 4, 5].map(() => world.integration({ organizationId })));
  // Eight annotations of 8 KB and a description: about 96 KB each.
  const annotations = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`a${n}`, 'x'.repeat(8_000)]));
  const large = () => alert({ fingerprint: newUuid(), annotations, description: 'y'.repeat(32_000) });
  let stored = 0;
  let refused: Answer | null = null;
  for (let round = 0; round < 6 && refused === null; round++)
    for (const [index, { token }] of senders.entries()) {
      const answer = await post((index % 2 ? a : b).url, token, large());
      if (answer.status === 202) stored++;
      else refused ??= answer;
    }
  // A part is 128 KB: eight parts, and what the two replicas have not counted.
  expect(stored).toBeGreaterThanOrEqual(10);
  expect(stored).toBeLessThanOrEqual(14);
  expect(refused).toMatchObject({
    status: 429,
    body: { code: 'RATE_LIMITED', details: { scope: 'bytes of events per organization', limit: 1_048_576 } },
  });
  expect(Number(refused!.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await world.events()).toHaveLength(stored);
  const another = await world.integration();
  expect((await post(a.url, another.token, large())).status).toBe(202);
});

it('counts the bytes of requests at the same time one after another', async () => {
  const { url } = await world.gateway({ INGEST_LIMIT_BYTES: '1048576', INGEST_LIMIT_PER_MINUTE: '8' });
  const organizationId = newUuid();
  const senders = await Promise.all(Array.from({ length: 8 }, () => world.integration({ organizationId })));
  const annotations = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`a${n}`, 'x'.repeat(8_000)]));
  // Three of 83 KB: nearly two parts.
  const large = () =>
    [0, 1, 2].map(() => alert({ fingerprint: newUuid(), annotations, description: 'y'.repeat(19_000) }));
  const answers = await Promise.all(senders.map(({ token }) => post(url, token, large())));
  const stored = answers.filter(({ status }) => status === 202).length;
  expect(stored).toBeGreaterThanOrEqual(1);
  expect(stored).toBeLessThanOrEqual(5);
});

it('accepts a request again after Retry-After, on every replica', async () => {
  const environment = { INGEST_LIMIT_WINDOW_SECONDS: '2', INGEST_LIMIT_PER_MINUTE: '5' };
  const [a, b] = await Promise.all([world.gateway(environment), world.gateway(environment)]);
  const { token } = await world.integration();
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 5; i++) expect((await post(a.url, token, alert())).status).toBe(202);
    const refused = await post(b.url, token, alert());
    expect(refused.status).toBe(429);
    expect((await post(a.url, token, alert())).status).toBe(429);
    await sleep(Number(refused.headers.get('retry-after')) * 1000);
  }
  expect((await post(b.url, token, alert())).status).toBe(202);
});

it('counts a request before its body is checked', async () => {
  const gateway = await world.gateway({ INGEST_LIMIT_PER_MINUTE: '2' });
  const { token } = await world.integration();
  expect((await post(gateway.url, token, '{')).status).toBe(400);
  expect((await post(gateway.url, token, '{')).status).toBe(400);
  expect((await post(gateway.url, token, 'x'.repeat(600_000))).status).toBe(429);
});

it('creates the stream of counts again when NATS has lost it', async () => {
  const gateway = await world.gateway();
  const { token } = await world.integration();
  expect((await post(gateway.url, token, alert())).status).toBe(202);
  await (await streamManager(world.connection)).streams.delete(ingestLimitStream);
  expect((await post(gateway.url, token, alert())).status).toBe(202);
});

it('lets the bytes of an organization wait for each other, and not those of another', async () => {
  // A quarter of a second goes on at once, about 25 KB; the next part is due after most of a second.
  const { url } = await world.gateway({ INGEST_BYTES_PER_SECOND: '100000' });
  const sender = await world.integration({ settings: { ...presetSettings('generic'), itemsPath: 'alerts' } });
  const another = await world.integration();
  const large = (name: string) => alert({ fingerprint: name, description: 'y'.repeat(30_000) });
  const answered: string[] = [];
  const send = async (name: string, token: string, body: unknown) => {
    const { status } = await post(url, token, body);
    answered.push(name);
    expect(status).toBe(202);
  };
  const slow = send('many', sender.token, { alerts: Array.from({ length: 20 }, (_, n) => large(String(n))) });
  // The first parts are stored, the last ones wait.
  await eventually(async () => expect((await world.events()).length).toBeGreaterThan(0));
  await send('another', another.token, large('b'));
  await slow;
  expect(answered).toEqual(['another', 'many']);
  expect(await world.events()).toHaveLength(21);
});

it('refuses an organization of which too many bytes wait, and says when to send again', async () => {
  const { url } = await world.gateway({ INGEST_BYTES_PER_SECOND: '131072' });
  const { token } = await world.integration();
  const annotations = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`a${n}`, 'x'.repeat(8_000)]));
  const large = () => alert({ fingerprint: newUuid(), annotations, description: 'y'.repeat(32_000) });
  // About 0.7 s each, and more at the same time than may wait.
  const answers = await Promise.all(Array.from({ length: 40 }, () => post(url, token, large())));
  const refused = answers.filter(({ status }) => status !== 202);
  expect(refused.length).toBeGreaterThan(0);
  expect(answers.length - refused.length).toBeGreaterThan(1);
  for (const { status, body, headers } of refused) {
    expect(status).toBe(429);
    expect(body).toMatchObject({ code: 'RATE_LIMITED', details: { limit: 131_072, windowSeconds: 1 } });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(5);
  }
});
