import { setTimeout as sleep } from 'node:timers/promises';
import {
  createIntegration,
  credentialHash,
  getIntegration,
  listIntegrationRequests,
  rotateIntegrationToken,
  updateIntegration,
  uuidOf,
  type IntegrationWithToken,
  type Principal,
} from '@ams/contracts';
import { dataOf, eventually, idempotencyOf, streamManager } from '@ams/testing';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let me: Principal;

beforeAll(async () => {
  api = await startResourceApi({ replicas: 2 });
  me = await api.newPrincipal();
});
afterAll(() => api.stop());

const create = async (body: object = {}, principal = me): Promise<IntegrationWithToken> =>
  dataOf(await api.callAs(principal, createIntegration, { body: { name: 'Prometheus EU', ...body } }));
const entryOf = async (token: string) => (await api.bucketEntries()).get(credentialHash(token));
const uuid = (id: string): string => uuidOf('integration', id) as string;

describe('a new token', () => {
  it('replaces the old one at once', async () => {
    const created = await create();
    const rotated = dataOf<IntegrationWithToken>(
      await api.callAs(me, rotateIntegrationToken, { params: { id: created.id }, body: null }),
    );
    expect(rotated.token).not.toBe(created.token);
    expect(rotated).toMatchObject({ id: created.id, version: 2, tokenHint: rotated.token.slice(-4) });
    expect(await entryOf(created.token)).toBeUndefined();
    expect(await entryOf(rotated.token)).toMatchObject({ id: uuid(created.id), version: 2, expiresAt: null });
  });

  it('keeps the old one valid for its grace period and no longer', async () => {
    const created = await create();
    const rotated = dataOf<IntegrationWithToken>(
      await api.callAs(me, rotateIntegrationToken, { params: { id: created.id }, body: { graceSeconds: 3600 } }),
    );
    const old = await entryOf(created.token);
    expect(Date.parse(old?.expiresAt as string)).toBeGreaterThan(Date.now() + 3_500_000);
    expect(await entryOf(rotated.token)).toMatchObject({ expiresAt: null });

    await api.callAs(me, updateIntegration, { params: { id: created.id }, body: { name: 'renamed' } });
    expect(await entryOf(created.token)).toMatchObject({ name: 'renamed', expiresAt: old?.expiresAt });

    await api.admin.query(
      'UPDATE resources.integrations SET previous_token_expires_at = now() - interval $$1 second$$ WHERE id = $1',
      [uuid(created.id)],
    );
    await eventually(async () => expect(await entryOf(created.token)).toBeUndefined());
    const { rows } = await api.admin.query('SELECT previous_token_hash FROM resources.integrations WHERE id = $1', [
      uuid(created.id),
    ]);
    expect(rows).toEqual([{ previous_token_hash: null }]);
    expect(await entryOf(rotated.token)).toBeDefined();
  });

  it('a second rotation ends the grace of the first token', async () => {
    const first = await create();
    const rotate = async () =>
      dataOf<IntegrationWithToken>(
        await api.callAs(me, rotateIntegrationToken, { params: { id: first.id }, body: { graceSeconds: 60 } }),
      );
    const second = await rotate();
    const third = await rotate();
    expect(await entryOf(first.token)).toBeUndefined();
    expect(await entryOf(second.token)).toBeDefined();
    expect(await entryOf(third.token)).toBeDefined();
  });

  it('is the same for a repeated request', async () => {
    const created = await create();
    const call = { params: { id: created.id }, body: {}, idempotency: idempotencyOf(`rotate ${created.id}`, {}) };
    const first = await api.callAs(me, rotateIntegrationToken, call);
    expect(await api.callAs(me, rotateIntegrationToken, call)).toEqual(first);
  });
});

describe('a key that is revoked', () => {
  it('changes nothing any more', async () => {
    const revoked = await api.newPrincipal();
    const created = await create({}, revoked);
    await api.admin.query('UPDATE auth.api_keys SET revoked_at = now() WHERE id = $1', [revoked.id]);
    expect(await api.callAs(revoked, createIntegration, { body: { name: 'x' } })).toMatchObject({
      code: 'UNAUTHORIZED',
    });
    expect(await api.callAs(revoked, getIntegration, { params: { id: created.id } })).toMatchObject({
      code: 'UNAUTHORIZED',
    });
    expect(await api.callAs(revoked, listIntegrationRequests, { params: { id: created.id } })).toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });
});

describe('the bucket of integrations', () => {
  it('is filled again after the bucket was lost, without entries that do not belong there', async () => {
    const created = await create();
    const before = await api.bucketEntries();
    const manager = await streamManager(api.nats);
    await manager.streams.delete('KV_integrations');
    const replica = await api.startReplica();
    expect(await api.bucketEntries()).toEqual(before);

    const { integrationsKv } = await import('@ams/messaging');
    const bucket = await integrationsKv(api.nats, { replicas: 1 });
    await bucket.put('stray', JSON.stringify({ id: 'x' }));
    await bucket.put(
      credentialHash(created.token),
      JSON.stringify({ ...before.get(credentialHash(created.token)), version: 0 }),
    );
    const second = await api.startReplica();
    expect(await api.bucketEntries()).toEqual(before);
    for (const service of [replica, second]) await service.stop();
    api.replicas.splice(-2);
  });

  it('is also created again by the next change', async () => {
    const created = await create();
    await (await streamManager(api.nats)).streams.delete('KV_integrations');
    await api.callAs(me, updateIntegration, { params: { id: created.id }, body: { name: 'after the loss' } });
    await eventually(async () =>
      expect(await entryOf(created.token)).toMatchObject({ name: 'after the loss', version: 2 }),
    );
  });

  it('keeps the newest state when comparisons and changes run at the same time', async () => {
    const replica = await api.startReplica({ reconcileSeconds: 1 });
    const created = await Promise.all(Array.from({ length: 5 }, () => create()));
    const until = Date.now() + 3000;
    await Promise.all(
      created.map(async ({ id, token }) => {
        for (let version = 2; Date.now() < until; version++) {
          expect(
            await api.callAs(me, updateIntegration, { params: { id }, body: { name: `v${version}` } }),
          ).toMatchObject({ ok: true, version });
          const entry = await entryOf(token);
          expect(entry?.version).toBe(version);
        }
      }),
    );
    await sleep(100);
    await replica.stop();
    api.replicas.pop();
  });
});
