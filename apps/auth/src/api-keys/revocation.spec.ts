import { keyRevokedRequest, newUuid, revokeApiKey, type Principal, type RevokedNotice } from '@ams/contracts';
import { Database } from '@ams/database';
import { setTimeout as pause } from 'node:timers/promises';
import { Replicas } from '../../testing/replicas.js';

let replicas: Replicas;
beforeAll(async () => {
  replicas = await Replicas.start(3, { API_LIMIT_PER_MINUTE: '100000' });
});
afterAll(() => replicas.stop());

const publicKeyId = (uuid: string): string => `key_${uuid.replaceAll('-', '')}`;

describe('a revocation', () => {
  const revoke = (by: Principal, keyId: string, requestId = 'revoking') =>
    replicas.call(revokeApiKey, by, { params: { id: publicKeyId(keyId) }, requestId });

  it('takes effect on every replica before it is answered, and notifies the gateways', async () => {
    const organizationId = await replicas.newOrganization();
    const [admin, victim] = [await replicas.newKey(organizationId), await replicas.newKey(organizationId)];
    const notices: RevokedNotice[] = [];
    const gateway = replicas.nats.subscribe(keyRevokedRequest.subject, {
      callback: (_error, message) => {
        notices.push(message.json<RevokedNotice>());
        message.respond(JSON.stringify({ ended: 0 }));
      },
    });
    expect(await revoke(admin.principal, victim.principal.id)).toEqual({
      ok: true,
      status: 204,
      body: null,
      version: null,
    });
    expect(notices).toEqual([{ keyId: victim.principal.id, sparedRequestId: null }]);
    const replies = await Promise.all(Array.from({ length: 12 }, () => replicas.admit(victim.key)));
    expect(new Set(replies.map(({ kind }) => kind))).toEqual(new Set(['unauthorized']));
    await expect(replicas.database.writeAs(victim.principal, async () => 1)).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
    await expect(replicas.database.readAs(victim.principal, async () => 1)).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
    });
    expect(await revoke(admin.principal, victim.principal.id)).toMatchObject({
      ok: false,
      code: 'NOT_FOUND',
      details: { resource: 'api_key', id: publicKeyId(victim.principal.id) },
    });

    expect(await revoke(admin.principal, admin.principal.id, 'of itself')).toMatchObject({ ok: true, status: 204 });
    expect(notices[1]).toEqual({ keyId: admin.principal.id, sparedRequestId: 'of itself' });
    gateway.unsubscribe();
    expect(
      await replicas.database.query(
        "SELECT type FROM auth.audit_log WHERE organization_id = $1 AND type = 'api_key.revoked'",
        [organizationId],
      ),
    ).toHaveLength(2);
  });

  it('answers NOT_FOUND for a key of another organization or environment, and for a malformed id', async () => {
    const [admin, foreign] = [await replicas.newOrganizationKey(), await replicas.newOrganizationKey()];
    const test = await replicas.newKey(admin.principal.organizationId, { environment: 'test' });
    for (const id of [
      publicKeyId(foreign.principal.id),
      publicKeyId(test.principal.id),
      publicKeyId(newUuid()),
      'key_1',
      "key_' OR 1=1",
    ]) {
      expect(await replicas.call(revokeApiKey, admin.principal, { params: { id } })).toMatchObject({
        ok: false,
        code: 'NOT_FOUND',
        details: { resource: 'api_key', id },
      });
    }
    expect(await replicas.admit(foreign.key)).toMatchObject({ kind: 'admitted' });
  });

  it('succeeds once when several run at the same time', async () => {
    const organizationId = await replicas.newOrganization();
    const [admin, victim] = [await replicas.newKey(organizationId), await replicas.newKey(organizationId)];
    const answers = await Promise.all(Array.from({ length: 6 }, () => revoke(admin.principal, victim.principal.id)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  });

  it('succeeds for two keys that revoke each other', async () => {
    for (let round = 0; round < 10; round++) {
      const organizationId = await replicas.newOrganization();
      const [a, b] = [await replicas.newKey(organizationId), await replicas.newKey(organizationId)];
      const answers = await Promise.all([revoke(a.principal, b.principal.id), revoke(b.principal, a.principal.id)]);
      for (const answer of answers) if (!answer.ok) expect(answer.code).toBe('UNAUTHORIZED');
      expect(answers.some(({ ok }) => ok)).toBe(true);
    }
  });

  it('leaves no effect of the key after its answer, in 80 races', async () => {
    const organizationId = await replicas.newOrganization();
    const admin = await replicas.newKey(organizationId);
    const writers = await Database.open({ service: 'auth', url: replicas.databaseUrl, poolSize: 8 });
    let before = 0;
    let prevented = 0;
    try {
      for (let race = 0; race < 80; race++) {
        const victim = await replicas.newKey(organizationId);
        const write = async (wait: number): Promise<void> => {
          await pause(wait);
          const done = await writers
            .writeAs(victim.principal, (tx) =>
              tx.query('UPDATE auth.api_keys SET name = $2 WHERE id = $1', [admin.principal.id, `by ${race}`]),
            )
            .then(
              () => true,
              () => false,
            );
          if (done) before++;
          else prevented++;
        };
        const writes = [0, 0, race % 3, race % 5].map(write);
        await pause(race % 4);
        expect(await revoke(admin.principal, victim.principal.id)).toMatchObject({ ok: true });
        // What is stored when the revocation is answered does not change while the writers end.
        const [row] = await replicas.database.query<{ name: string; x: string }>(
          'SELECT name, xmin::text AS x FROM auth.api_keys WHERE id = $1',
          [admin.principal.id],
        );
        await Promise.all(writes);
        expect(
          await replicas.database.query('SELECT name, xmin::text AS x FROM auth.api_keys WHERE id = $1', [
            admin.principal.id,
          ]),
        ).toEqual([row]);
      }
    } finally {
      await writers.close();
    }
    expect(before).toBeGreaterThan(0);
    expect(prevented).toBeGreaterThan(0);
  });
});
