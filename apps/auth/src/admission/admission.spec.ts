import { newUuid, type AdmitReply } from '@ams/contracts';
import { concurrently } from '@ams/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { Replicas } from '../../testing/replicas.js';

let replicas: Replicas;

const kinds = (replies: AdmitReply[]) => {
  const counts: Record<string, number> = {};
  for (const { kind } of replies) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

const usesOf = async (organizationId: string): Promise<number> =>
  Number(
    (
      await replicas.database.query<{ n: string }>(
        "SELECT count(*) AS n FROM auth.audit_log WHERE organization_id = $1 AND type = 'api_key.used'",
        [organizationId],
      )
    )[0]?.n,
  );

describe('admission over three replicas', () => {
  beforeAll(async () => {
    replicas = await Replicas.start(3);
  });
  afterAll(() => replicas.stop());

  it('admits exactly as many requests as the limit allows, and adds an audit entry for each of them', async () => {
    const organizationId = await replicas.newOrganization();
    const keys = await Promise.all([
      replicas.newKey(organizationId),
      replicas.newKey(organizationId, { environment: 'test' }),
    ]);
    const replies = await concurrently(1000, 200, (n) => replicas.admit((keys[n % 2] as { key: string }).key));
    expect(kinds(replies)).toEqual({ admitted: 300, limited: 700 });
    expect(await usesOf(organizationId)).toBe(300);
    const remaining = replies
      .flatMap((reply) => (reply.kind === 'admitted' ? [reply.rate.remaining] : []))
      .sort((a, b) => a - b);
    expect(remaining).toEqual(Array.from({ length: 300 }, (_, i) => i));
    for (const reply of replies)
      if (reply.kind === 'limited')
        expect(reply.rate).toEqual({ limit: 300, remaining: 0, resetSeconds: expect.any(Number) });
  });

  it('replies with the principal and the rest of the limit', async () => {
    const { key, principal } = await replicas.newOrganizationKey({
      scopes: ['alerts:read'],
      name: 'bot',
    });
    expect(await replicas.admit(key)).toEqual({
      kind: 'admitted',
      principal,
      rate: { limit: 300, remaining: 299, resetSeconds: 60 },
      expiresAt: null,
    });
    expect(await replicas.admit(key, { scope: null })).toMatchObject({
      kind: 'admitted',
      rate: { remaining: 298 },
    });
    const [row] = await replicas.database.query<{ last_used_at: Date | null }>(
      'SELECT last_used_at FROM auth.api_keys WHERE id = $1',
      [principal.id],
    );
    expect(row?.last_used_at).toBeInstanceOf(Date);
  });

  it('counts a use without the scope, and adds an audit entry that names the operation', async () => {
    const organizationId = await replicas.newOrganization();
    const { key, principal } = await replicas.newKey(organizationId, { scopes: ['clients:read'] });
    expect(await replicas.admit(key, { scope: 'alerts:write', operation: 'acknowledgeAlert' })).toMatchObject({
      kind: 'insufficientScope',
      principal,
      rate: { remaining: 299 },
    });
    const entries = await replicas.database.query(
      `SELECT type, actor_id, actor_name, ip, user_agent, request_id, resource_type, resource_id, environment
       FROM auth.audit_log WHERE organization_id = $1`,
      [organizationId],
    );
    expect(entries).toEqual([
      {
        type: 'api_key.used',
        actor_id: `key_${principal.id.replaceAll('-', '')}`,
        actor_name: 'a key',
        ip: '192.0.2.7',
        user_agent: 'test/1',
        request_id: 'request',
        resource_type: 'operation',
        resource_id: 'acknowledgeAlert',
        environment: 'live',
      },
    ]);
  });

  it('refuses an unknown, expired or revoked key, and adds no audit entry', async () => {
    const organizationId = await replicas.newOrganization();
    const expiring = await replicas.newKey(organizationId, { expiresInMs: 3_600_000 });
    const revoked = await replicas.newKey(organizationId);
    await replicas.database.query('UPDATE auth.api_keys SET revoked_at = now() WHERE id = $1', [revoked.principal.id]);
    expect(await replicas.admit(expiring.key)).toMatchObject({ kind: 'admitted' });
    await replicas.sql.query('UPDATE auth.api_keys SET expires_at = now() WHERE id = $1', [expiring.principal.id]);
    for (const key of [expiring.key, revoked.key, 'svc_live_unknown'])
      expect(await replicas.admit(key)).toEqual({ kind: 'unauthorized' });
    expect(await usesOf(organizationId)).toBe(1);
  });

  it('counts a request once and adds one audit entry when its admission is repeated', async () => {
    const organizationId = await replicas.newOrganization();
    const { key } = await replicas.newKey(organizationId);
    for (let round = 0; round < 20; round++) {
      const useId = newUuid();
      const replies = await Promise.all(Array.from({ length: 6 }, () => replicas.admit(key, { useId })));
      expect(kinds(replies)).toEqual({ admitted: 6 });
      expect(await replicas.admit(key, { useId })).toMatchObject({ kind: 'admitted' });
    }
    expect(await usesOf(organizationId)).toBe(20);
    expect(await replicas.admit(key)).toMatchObject({ rate: { remaining: 300 - 21 } });
  });

  it('never lowers the count of a window, because a connection could be lost before that', async () => {
    const organizationId = await replicas.newOrganization();
    const { key } = await replicas.newKey(organizationId);
    await replicas.sql.query(`
      CREATE FUNCTION auth.refuse_lower_count() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'the count was lowered'; END $$;
      CREATE TRIGGER refuse_lower_count BEFORE UPDATE ON auth.request_windows FOR EACH ROW
        WHEN (new.used < old.used AND new.started_at = old.started_at) EXECUTE FUNCTION auth.refuse_lower_count()`);
    try {
      for (let round = 0; round < 20; round++) {
        const useId = newUuid();
        const replies = await Promise.all(Array.from({ length: 6 }, () => replicas.admit(key, { useId })));
        expect(kinds(replies)).toEqual({ admitted: 6 });
      }
    } finally {
      await replicas.sql.query('DROP FUNCTION auth.refuse_lower_count CASCADE');
    }
    expect(await replicas.admit(key)).toMatchObject({ rate: { remaining: 300 - 21 } });
  });

  it('admits a repeated request also when the limit has been reached since', async () => {
    const { key } = await replicas.newOrganizationKey();
    const useId = newUuid();
    await replicas.admit(key, { useId });
    await concurrently(320, 100, () => replicas.admit(key));
    expect(await replicas.admit(key)).toMatchObject({ kind: 'limited' });
    expect(await replicas.admit(key, { useId })).toMatchObject({ kind: 'admitted', rate: { remaining: 0 } });
  });

  it('admits the other requests of a batch with an invalid one', async () => {
    const organizationId = await replicas.newOrganization();
    const { key } = await replicas.newKey(organizationId);
    const replies = await Promise.all([
      replicas.admit(key),
      replicas.admit(key, { useId: 'not-a-uuid' }),
      replicas.admit(key, { userAgent: 'nul \0 and half a pair \ud83d' }),
      replicas.admit(key, {
        userAgent: 'x'.repeat(100_000),
        requestId: 'svc_live_0123456789',
        ip: '☃'.repeat(1000),
      }),
      replicas.admit(key),
    ]);
    expect(replies.map(({ kind }) => kind)).toEqual(['admitted', 'unavailable', 'admitted', 'admitted', 'admitted']);
    const texts = JSON.stringify(
      await replicas.database.query('SELECT user_agent, request_id FROM auth.audit_log WHERE organization_id = $1', [
        organizationId,
      ]),
    );
    expect(texts).toContain('nul � and half a pair �');
    expect(texts).not.toContain('svc_live_0');
  });

  it('does not wait for a key that another transaction has locked', async () => {
    const { key, principal } = await replicas.newOrganizationKey();
    await replicas.database.asService(async (tx) => {
      await tx.query('SELECT FROM auth.api_keys WHERE id = $1 FOR UPDATE', [principal.id]);
      expect(await replicas.admit(key)).toMatchObject({ kind: 'admitted' });
    });
  });

  it('starts a new window after the clock of the database was set back', async () => {
    const organizationId = await replicas.newOrganization();
    const { key } = await replicas.newKey(organizationId);
    await replicas.database.query("INSERT INTO auth.request_windows VALUES ($1, now() + interval '10 minutes', 300)", [
      organizationId,
    ]);
    expect(await replicas.admit(key)).toMatchObject({
      kind: 'admitted',
      rate: { remaining: 299, resetSeconds: 60 },
    });
  });
});

describe('the window', () => {
  it('begins with the first request and ends after its length', async () => {
    const short = await Replicas.start(2, { API_LIMIT_WINDOW_SECONDS: '1', API_LIMIT_PER_MINUTE: '5' });
    try {
      const { key } = await short.newOrganizationKey();
      for (let window = 0; window < 3; window++) {
        const replies = await Promise.all(Array.from({ length: 20 }, () => short.admit(key)));
        expect(kinds(replies)).toEqual({ admitted: 5, limited: 15 });
        expect(replies.find(({ kind }) => kind === 'limited')).toMatchObject({ rate: { resetSeconds: 1 } });
        await pause(1010);
      }
    } finally {
      await short.stop();
    }
  });
});
