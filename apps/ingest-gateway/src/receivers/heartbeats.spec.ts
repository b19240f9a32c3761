/** Opsgenie's heartbeat API at the gateway: what is stored, and its answers while the alert pipeline is down. */
import { receivingRequest } from '@ams/contracts';
import { RpcClient } from '@ams/messaging';
import { eventually } from '@ams/testing';
import { startWorld, type World } from '../../testing/harness.js';
import { heartbeatRequestOf, newHeartbeatOf } from './heartbeat-request.js';

let world: World;
let url: string;
beforeAll(async () => {
  world = await startWorld();
  ({ url } = await world.gateway({ INGEST_LIMIT_PER_MINUTE: '2' }));
});
afterAll(() => world.end());

async function ask(token: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `GenieKey ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

it.each(['GET', 'POST', 'PUT', 'PATCH'])('a ping by %s is stored while the pipeline is down', async (method) => {
  const { token, integration } = await world.integration();
  const { status, body } = await ask(token, method, '/v2/heartbeats/nightly%20backup/ping');
  expect([status, body['result']]).toEqual([202, 'PONG - Heartbeat received']);
  const events = (await world.events()).filter((event) => event.integrationId === integration.id);
  expect(events).toMatchObject([
    { status: 'resolved', fingerprint: 'heartbeat:nightly backup', heartbeat: 'nightly backup' },
  ]);
});

it('pings have a limit of their own', async () => {
  const { token } = await world.integration();
  for (const status of [202, 202, 429])
    expect((await ask(token, 'POST', '/v2/alerts', { message: 'm' })).status).toBe(status);
  for (const status of [202, 202, 429])
    expect((await ask(token, 'GET', '/api/inbound/opsgenie/v2/heartbeats/b/ping')).status).toBe(status);
});

it.each<[string, string, unknown, number, RegExp]>([
  ['GET', '', undefined, 503, /retry|unavailable/i],
  ['GET', '/b', undefined, 503, /retry|unavailable/i],
  ['POST', '', { name: ' ' }, 422, /"name"/],
  [
    'POST',
    '',
    { name: 'b', interval: 0, intervalUnit: 'weeks', enabled: 1 },
    422,
    /"intervalUnit".*"interval".*"enabled"/,
  ],
  ['PATCH', '/b', { alertPriority: 'P9', alertTags: 'x' }, 422, /"alertPriority".*"alertTags"/],
  ['PUT', '', undefined, 405, /GET, POST/],
  ['DELETE', '/b/ping', undefined, 405, /GET, POST, PUT, PATCH/],
  ['POST', '/b/snooze', undefined, 404, /heartbeat API/],
])('answers %s %s in the form of Opsgenie', async (method, path, body, status, words) => {
  const { token } = await world.integration();
  const answer = await ask(token, method, `/v2/heartbeats${path}`, body);
  expect([answer.status, JSON.stringify(answer.body)]).toEqual([status, expect.stringMatching(words)]);
  expect(answer.body).toMatchObject({ message: expect.any(String) as string, took: expect.any(Number) as number });
});

it('answers 401 to an unknown key', async () => {
  expect((await ask('0123456789abcdef0123456789abcdef', 'GET', '/v2/heartbeats/b/ping')).status).toBe(401);
});

it('has the defaults of the API', () => {
  expect(newHeartbeatOf({ name: 'b' })).toEqual({
    name: 'b',
    settings: {
      description: null,
      interval: 10,
      intervalUnit: 'minutes',
      enabled: true,
      alertMessage: null,
      alertTags: [],
      alertPriority: 'P3',
    },
  });
  expect(heartbeatRequestOf('POST', '/')).toEqual({ kind: 'create' });
  expect(heartbeatRequestOf('POST', '/a/enable/')).toEqual({ kind: 'enable', name: 'a' });
});

it('every gateway reports how long it has received: since its start, or since NATS disconnected', async () => {
  const own = await startWorld();
  try {
    const receiving = async () =>
      (await new RpcClient(own.connection).requestAll(receivingRequest, {}, { stallMs: 500, maxWaitMs: 2000 })).map(
        ({ receivingMs }) => receivingMs,
      );
    const started = performance.now();
    await own.gateway();
    await own.gateway();
    const [first, second, ...others] = await receiving();
    expect(others).toEqual([]);
    for (const ms of [first!, second!]) {
      expect(ms).toBeGreaterThan(0);
      expect(ms).toBeLessThan(performance.now() - started);
    }
    const stopped = performance.now();
    await own.restart();
    await eventually(async () => {
      const durations = await receiving();
      expect(durations).toHaveLength(2);
      for (const ms of durations) expect(ms).toBeLessThan(performance.now() - stopped);
    });
  } finally {
    await own.end();
  }
});
