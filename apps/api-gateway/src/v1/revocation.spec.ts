import { acknowledgeAlert, credentialHash, getAlert, newApiKey, revokeApiKey, type Answer } from '@ams/contracts';
import { eventually } from '@ams/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  admission,
  announcement,
  envelope,
  one,
  owner,
  owners,
  parseAnswer,
  principalOf,
  rate,
  revoke,
  startWorld,
  withKey,
  type Gateway,
  type World,
} from '../../testing/support.js';

let world: World;
let gateways: Gateway[];

beforeAll(async () => {
  world = await startWorld();
  for (const name of owners) await world.announce(announcement(name));
  gateways = await Promise.all([world.startGateway(), world.startGateway()]);
});
afterAll(() => world.stop());

const unauthorized = { status: 401, body: envelope('UNAUTHORIZED') };

describe('a revocation', () => {
  it('ends the requests of the key on every replica at once, and no others', async () => {
    const [mine, others] = [principalOf(), principalOf()];
    const [key, otherKey] = [newApiKey('live'), newApiKey('live')];
    const hashes = new Map<string, typeof mine>();
    const { asked, stop } = await admission(world.connection, ({ keyHash }) => ({
      kind: 'admitted',
      principal: hashes.get(keyHash) ?? mine,
      rate,
    }));
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    const slow = await owner(world.connection, getAlert, async () => held.then(() => one({ late: true }, 1)));
    const first = gateways.map((gateway) => gateway.client.get('/api/v1/alerts/a', withKey(key)));
    await eventually(() => expect(slow.calls).toHaveLength(2));
    hashes.set(asked[0]!.keyHash, mine);
    const probe = credentialHash(otherKey);
    hashes.set(probe, others);
    const spared = gateways[0]!.client.get('/api/v1/alerts/a', withKey(otherKey));
    await eventually(() => expect(slow.calls).toHaveLength(3));

    expect(await revoke(world.connection, mine.id)).toBe(2);
    for (const ended of await Promise.all(first)) expect(ended).toMatchObject(unauthorized); // before the owner answers
    answer();
    expect(await spared).toMatchObject({ status: 200, body: { data: { late: true } } });
    await stop();
    await slow.stop();
  });

  it('ends a request that was admitted before it and whose admission arrives after it', async () => {
    const principal = principalOf();
    let reply = (): void => undefined;
    const { asked, stop } = await admission(
      world.connection,
      () => new Promise((resolve) => (reply = () => resolve({ kind: 'admitted', principal, rate }))),
    );
    const { calls, stop: stopOwner } = await owner(world.connection, getAlert, () => one({}));
    const answer = gateways[0]!.client.get('/api/v1/alerts/a', withKey());
    await eventually(() => expect(asked).toHaveLength(1));
    await revoke(world.connection, principal.id);
    reply();
    expect(await answer).toMatchObject(unauthorized);
    expect(calls).toEqual([]);
    await stop();
    await stopOwner();
  });

  it('ends a request whose body is still arriving', async () => {
    const principal = principalOf();
    const { asked, stop } = await admission(world.connection, () => ({ kind: 'admitted', principal, rate }));
    const { calls, stop: stopOwner } = await owner(world.connection, acknowledgeAlert, () => one({}));
    const answer = gateways[1]!.raw(
      `POST /api/v1/alerts/a/acknowledge HTTP/1.1\r\nHost: x\r\n` +
        `Authorization: Bearer ${newApiKey('live')}\r\nContent-Type: application/json\r\n` +
        `Content-Length: 20\r\nConnection: close\r\n\r\n{`,
      700,
    );
    await eventually(() => expect(asked).toHaveLength(1));
    await sleep(50);
    await revoke(world.connection, principal.id);
    expect(parseAnswer(await answer)).toMatchObject(unauthorized);
    expect(calls).toEqual([]);
    await stop();
    await stopOwner();
  });

  it('does not end the request that revoked the key, but all others', async () => {
    const principal = principalOf();
    const { stop } = await admission(world.connection, () => ({ kind: 'admitted', principal, rate }));
    const slow = await owner(world.connection, getAlert, async () => sleep(300).then(() => one({})));
    const deleting = await owner(world.connection, revokeApiKey, async ({ requestId }): Promise<Answer> => {
      await revoke(world.connection, principal.id, requestId);
      return { ok: true, status: 204, body: null, version: null };
    });
    // Another request with the same request id, which the caller chose, is ended.
    const reading = gateways[0]!.client.get('/api/v1/alerts/a', withKey(undefined, { 'x-request-id': 'same' }));
    await eventually(() => expect(slow.calls).toHaveLength(1));
    expect(
      (await gateways[0]!.client.delete('/api/v1/api-keys/key_1', withKey(undefined, { 'x-request-id': 'same' })))
        .status,
    ).toBe(204);
    expect(await reading).toMatchObject(unauthorized);
    for (const service of [stop, slow.stop, deleting.stop]) await service();
  });

  it('is followed by no success after its answer, in 200 races', async () => {
    let principal = principalOf();
    const { stop } = await admission(world.connection, () => ({ kind: 'admitted', principal, rate }));
    const quick = await owner(world.connection, getAlert, async () => sleep(Math.random() * 4).then(() => one({})));
    for (let race = 0; race < 200; race++) {
      principal = principalOf();
      let revokedAt = Infinity;
      const answers = [0, 1, 0, 1].map((i) =>
        gateways[i]!.client.get('/api/v1/alerts/a', withKey()).then(({ status }) => ({
          status,
          late: Date.now() > revokedAt + 20,
        })),
      );
      await sleep(Math.random() * 6);
      const notice = world.connection.requestMany(
        'ctl.gateway.revoked',
        JSON.stringify({ keyId: principal.id, sparedRequestId: null }),
        // A full machine may need long for an answer.
        { strategy: 'count', maxMessages: 2, maxWait: 20_000 },
      );
      let told = 0;
      for await (const _answer of await notice) told++;
      expect(told).toBe(2);
      revokedAt = Date.now();
      for (const { status, late } of await Promise.all(answers)) expect(late ? status : 401).toBe(401);
    }
    await stop();
    await quick.stop();
  });
});
