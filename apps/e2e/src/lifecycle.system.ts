import { eventually } from '@ams/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { sendBadRequests } from './scenarios/malformed.js';
import { startSystem, type Organization, type Refusal, type Sender, type System } from './system.js';

let system: System;
let acme: Organization;
let sender: Sender;

beforeAll(async () => {
  system = await startSystem({ durable: true });
  acme = await system.organization();
  sender = await acme.integration();
});
afterAll(() => system?.stop());

const event = () => ({ title: 'Through everything', severity: 'low', fingerprint: crypto.randomUUID() });

/** Sends a request and measures its duration. */
async function timed<T>(ask: () => Promise<T>): Promise<[T, number]> {
  const started = performance.now();
  return [await ask(), performance.now() - started];
}

it('400 malformed requests each get a valid answer within a short time', async () => {
  const pids = system.allReplicas.map(({ pid }) => pid);
  await sendBadRequests(system, await system.organization(), 400);
  expect(system.allReplicas.map(({ pid, running }) => running && pid)).toEqual(pids);
  expect(system.logs()).not.toMatch(/"msg":"a request failed"/);
});

it('without the database, senders are served, the API soon answers 503, and nothing is lost', async () => {
  const pids = system.allReplicas.map(({ pid }) => pid);
  await system.postgres.kill();
  const accepted: string[] = [];
  for (let i = 0; i < 20; i++) {
    const answer = await sender.send(event());
    expect(answer.status).toBe(202);
    accepted.push(...answer.body.data.events.map(({ id }) => id));
    await pause(50);
  }
  for (let i = 0; i < 4; i++) {
    const [{ status, headers, body }, ms] = await timed(() => acme.api.get<Refusal>('/api/v1/alerts'));
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'UNAVAILABLE' });
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(ms).toBeLessThan(5000);
  }
  await system.postgres.restart();
  await system.eventuallyApplied(accepted);
  await eventually(async () => expect((await acme.api.get('/api/v1/alerts')).status).toBe(200));
  expect(system.allReplicas.map(({ pid, running }) => running && pid)).toEqual(pids);
});

it('without NATS, senders and callers get 503 within a short time, and are served when NATS runs again', async () => {
  const pids = system.allReplicas.map(({ pid }) => pid);
  await system.nats.kill();
  for (let i = 0; i < 4; i++) {
    const [{ status, headers, body }, ms] = await timed(() => sender.send<Refusal>(event()));
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'UNAVAILABLE' });
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(ms).toBeLessThan(5000);
    const [read, readMs] = await timed(() => acme.api.get<Refusal>('/api/v1/alerts'));
    expect({ status: read.status, code: read.body.code }).toEqual({ status: 503, code: 'UNAVAILABLE' });
    expect(readMs).toBeLessThan(5000);
  }
  await system.nats.restart();
  const [, ms] = await timed(() => eventually(() => sender.fire(event()), { everyMs: 100 }));
  expect(ms).toBeLessThan(50_000);
  await eventually(async () => expect((await acme.api.get('/api/v1/alerts')).status).toBe(200));
  expect(system.allReplicas.map(({ pid, running }) => running && pid)).toEqual(pids);
});
