import { getAlert } from '@ams/contracts';
import { eventually, startTcpProxy } from '@ams/testing';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  admitAll,
  aKey,
  announcement,
  envelope,
  one,
  owner,
  startWorld,
  withKey,
  type Gateway,
  type World,
} from '../testing/support.js';

let world: World;

beforeAll(async () => {
  world = await startWorld();
  await world.announce(announcement('resource-api'));
});
afterAll(() => world.stop());

async function serves(gateway: Gateway): Promise<void> {
  await eventually(async () => expect((await gateway.client.get('/api/v1/alerts/a', withKey())).status).toBe(200));
}

describe('NATS', () => {
  it('disconnects: 503 within a short time, also for requests in progress; 200 after the reconnection', async () => {
    const gateway = await world.startGateway();
    const { stop } = await admitAll(world.connection);
    let hold = false;
    const { calls, stop: stopOwner } = await owner(world.connection, getAlert, () => (hold ? undefined : one({})));
    await serves(gateway);
    hold = true;
    const before = calls.length;
    const served = gateway.client.get('/api/v1/alerts/a', withKey());
    await eventually(() => expect(calls.length).toBe(before + 1));
    await world.nats.kill();
    const started = Date.now();
    expect(await served).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    for (let i = 0; i < 5; i++) {
      const answer = await gateway.client.get('/api/v1/alerts/a', withKey(aKey, { 'x-request-id': 'r' }));
      expect(answer).toMatchObject({ status: 503, body: envelope('UNAVAILABLE', { requestId: 'r' }) });
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect(Date.now() - started).toBeLessThan(8000);
    expect(await gateway.management.get('/readyz')).toMatchObject({ status: 503 });
    expect((await gateway.client.get('/api/docs/openapi.json')).status).toBe(200);
    hold = false;
    await world.nats.restart();
    await serves(gateway);
    expect((await gateway.management.get('/readyz')).status).toBe(200);
    // It still receives announcements.
    await world.announce(announcement('alert-pipeline'));
    await eventually(async () => expect((await gateway.client.post('/api/v1/alerts/bulk', {})).status).toBe(401));
    await gateway.stop();
    await stop();
    await stopOwner();
  });

  it('does not answer while a gateway that starts reads the announced parts: the gateway reads them again', async () => {
    const proxy = await startTcpProxy(world.nats.url);
    proxy.silence('STREAM.MSG.GET');
    const gateway = await world.startGateway({ natsUrl: proxy.through(world.nats.url) });
    expect(proxy.silenced).toBe(1);
    expect(JSON.stringify(gateway.log)).toContain('NATS or the database is unavailable; the service waits for it');
    const { stop } = await admitAll(world.connection);
    const { stop: stopOwner } = await owner(world.connection, getAlert, () => one({}));
    await serves(gateway);
    await gateway.stop();
    await stop();
    await stopOwner();
    await proxy.stop();
  });

  it('does not respond: 503 within a short time', async () => {
    const gateway = await world.startGateway();
    const { stop } = await admitAll(world.connection);
    const { stop: stopOwner } = await owner(world.connection, getAlert, () => one({}));
    await serves(gateway);
    process.kill(world.nats.pid, 'SIGSTOP');
    const started = Date.now();
    const answer = await gateway.client.get('/api/v1/alerts/a', withKey());
    const took = Date.now() - started;
    process.kill(world.nats.pid, 'SIGCONT');
    expect(answer.status).toBe(503);
    expect(took).toBeLessThan(8000);
    await serves(gateway);
    await gateway.stop();
    await stop();
    await stopOwner();
  });
});

describe('a replica that stops', () => {
  it('loses no request of a caller with open connections', async () => {
    const { stop } = await admitAll(world.connection);
    const { stop: stopOwner } = await owner(world.connection, getAlert, async () =>
      sleep(Math.random() * 30).then(() => one({})),
    );
    // Long enough for the balancer below to see it, also on a busy machine.
    const settleMs = 3000;
    const stays = await world.startGateway({ settleMs });
    const goes = await world.startGateway({ settleMs });
    await serves(stays);
    await serves(goes);
    const agents = new Map([stays, goes].map((gateway) => [gateway, new Agent({ keepAlive: true, maxSockets: 16 })]));
    let going = true;
    const outcomes = new Map<string, number>();
    // Like a load balancer: a replica that is not ready gets no new request. No request is repeated.
    let ready = [stays, goes];
    const watching = (async () => {
      for (; going && ready.length > 1; await sleep(50))
        if ((await goes.management.get('/readyz')).status !== 200) ready = [stays];
    })();
    const send = (turn: number): Promise<string> => {
      const gateway = ready[turn % ready.length] as Gateway;
      return ask(gateway, agents.get(gateway) as Agent);
    };
    const callers = Array.from({ length: 16 }, async (_, i) => {
      for (let turn = i; going; turn++) {
        const outcome = await send(turn);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
    });
    const answers = (): number => [...outcomes.values()].reduce((sum, count) => sum + count, 0);
    const furtherAnswers = async (count: number): Promise<void> => {
      for (const before = answers(); answers() < before + count;) await sleep(10);
    };
    await furtherAnswers(100);
    await goes.stop();
    await furtherAnswers(50);
    going = false;
    await Promise.all([...callers, watching]);
    for (const agent of agents.values()) agent.destroy();
    expect([...outcomes.keys()]).toEqual(['200']);
    await stop();
    await stopOwner();
  });

  it('does not wait for a caller that sent only part of a request', async () => {
    const gateway = await world.startGateway();
    const half = gateway.raw('GET /api/v1/alerts HTTP/1.1\r\nHost', 10_000);
    await sleep(50);
    const started = Date.now();
    await gateway.stop();
    await half;
    expect(Date.now() - started).toBeLessThan(9000);
  });
});

const ask = (gateway: Gateway, agent: Agent): Promise<string> =>
  new Promise((resolve) => {
    const sent = request(`${gateway.url}/api/v1/alerts/a`, { agent, headers: withKey().headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(String(response.statusCode)));
      response.on('error', (error) => resolve(String((error as NodeJS.ErrnoException).code)));
    });
    sent.on('error', (error) => resolve(String((error as NodeJS.ErrnoException).code)));
    sent.end();
  });
