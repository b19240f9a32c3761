/** The limits of the specification, counted over several replicas. */
import { concurrently, type HttpResponse } from '@ams/testing';
import { startSystem, type Refusal, type System } from './system.js';

let system: System;

beforeAll(async () => {
  system = await startSystem({
    limits: 'specified',
    replicas: { 'ingest-gateway': 3, 'api-gateway': 2, auth: 2 },
    // Refusals because of a time limit would be counted, too. This test is only about the number of requests.
    env: {
      'ingest-gateway': { INGEST_STORE_TIMEOUT_MS: '20000' },
      'api-gateway': { ADMIT_TIMEOUT_MS: '10000' },
      auth: { ADMISSION_TIMEOUT_MS: '20000' },
    },
  });
});
afterAll(() => system?.stop());

const atOnce = <T>(count: number, ask: (n: number) => Promise<T>): Promise<T[]> => concurrently(count, 50, ask);
const withStatus = <T extends HttpResponse>(answers: T[], status: number): T[] =>
  answers.filter((answer) => answer.status === status);

/** Expects a Retry-After in whole seconds, at least 1, up to the end of the window that began between these times. */
function expectRetryAfter(
  { headers, body }: HttpResponse<Refusal>,
  windowSeconds: number,
  began: { after: number; before: number },
  limit: number,
): void {
  const seconds = Number(headers.get('retry-after'));
  expect(body).toEqual({
    error: expect.any(String),
    code: 'RATE_LIMITED',
    details: { scope: expect.any(String), limit, windowSeconds, retryAfterSeconds: seconds },
  });
  expect(Number.isInteger(seconds)).toBe(true);
  expect(seconds).toBeGreaterThanOrEqual(Math.max(1, windowSeconds - (Date.now() - began.after) / 1000 - 1));
  expect(seconds).toBeLessThanOrEqual(windowSeconds + 1);
}

it('accepts exactly 60 of 180 requests of one token at the same time, over three replicas', async () => {
  const acme = await system.organization();
  const [sender, other] = [await acme.integration(), await acme.integration()];
  const after = Date.now();
  const answers = await atOnce(180, (n) => sender.send<Refusal>({ title: `alert ${n}`, severity: 'low' }));
  const before = Date.now();
  expect(withStatus(answers, 202)).toHaveLength(60);
  const refused = withStatus(answers, 429);
  expect(refused).toHaveLength(120);
  for (const answer of refused) expectRetryAfter(answer, 60, { after, before }, 60);
  expect((await other.send({ title: 'not limited', severity: 'low' })).status).toBe(202);
});

it('accepts exactly 300 of 400 API requests of an organization, over all its keys and replicas', async () => {
  const [acme, other] = [await system.organization(), await system.organization()];
  const after = Date.now();
  const second = await acme.newKey({ scopes: ['alerts:read'] });
  const answers = await atOnce(399, (n) =>
    system.as(n % 2 ? acme.key : second.key).get<Refusal>('/api/v1/alerts', { query: { limit: 1 } }),
  );
  const before = Date.now();
  const passed = withStatus(answers, 200);
  expect(passed).toHaveLength(299);
  expect(passed.map(({ headers }) => Number(headers.get('ratelimit-remaining'))).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 299 }, (_, n) => n),
  );
  const refused = withStatus(answers, 429);
  expect(refused).toHaveLength(100);
  for (const answer of refused) {
    expectRetryAfter(answer, 60, { after, before }, 300);
    expect(answer.headers.get('ratelimit-limit')).toBe('300');
    expect(answer.headers.get('ratelimit-remaining')).toBe('0');
  }
  expect((await other.api.get('/api/v1/alerts')).status).toBe(200);
});

it('creates exactly 10 of 20 requested keys of an organization in a day', async () => {
  const acme = await system.organization();
  const after = Date.now();
  const answers = await atOnce(20, (n) =>
    acme.api.post<Refusal>('/api/v1/api-keys', { name: `key ${n}`, scopes: ['alerts:read'] }),
  );
  expect(withStatus(answers, 201)).toHaveLength(10);
  const refused = withStatus(answers, 429);
  expect(refused).toHaveLength(10);
  for (const answer of refused) expectRetryAfter(answer, 86_400, { after, before: Date.now() }, 10);
});

it('counts a payload of many alerts once, and does not count unknown tokens', async () => {
  const acme = await system.organization();
  const sender = await acme.integration({ itemsPath: 'alerts' });
  const answers = await atOnce(61, () =>
    sender.send({ alerts: Array.from({ length: 20 }, (_, n) => ({ title: `alert ${n}`, severity: 'low' })) }),
  );
  expect(withStatus(answers, 202)).toHaveLength(60);
  const junk = await atOnce(200, (n) =>
    system.ingest().post(`/api/inbound/webhook/${'x'.repeat(31)}${n % 10}`, { title: 'x' }),
  );
  expect(withStatus(junk, 401)).toHaveLength(200);
});
