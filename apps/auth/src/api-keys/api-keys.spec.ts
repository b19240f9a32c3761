import {
  createApiKey,
  credentialHash,
  isApiKey,
  listApiKeys,
  revokeApiKey,
  type ApiKey,
  type ApiKeyWithSecret,
} from '@ams/contracts';
import { dataOf, pageOf, whenAnswered } from '@ams/testing';
import { Replicas, type TestKeyOptions } from '../../testing/replicas.js';

let replicas: Replicas;
beforeAll(async () => {
  replicas = await Replicas.start(3, { API_LIMIT_PER_MINUTE: '100000' });
});
afterAll(() => replicas.stop());

const publicKeyId = (uuid: string): string => `key_${uuid.replaceAll('-', '')}`;

const someone = (options?: TestKeyOptions) => replicas.newOrganizationKey(options);

describe('creating a key', () => {
  it('shows the key once and stores only its hash', async () => {
    const { principal } = await someone();
    const answer = await replicas.call(createApiKey, principal, {
      body: { name: 'on-call bot', scopes: ['alerts:read'] },
    });
    expect(answer).toMatchObject({ ok: true, status: 201 });
    const { key, ...shown } = dataOf<ApiKeyWithSecret>(answer);
    expect(isApiKey(key)).toBe(true);
    expect(shown).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{32}$/),
      name: 'on-call bot',
      scopes: ['alerts:read'],
      environment: 'live',
      restrictedTo: null,
      keyPrefix: key.slice(0, 13),
      expiry: null,
      lastUsedAt: null,
      createdBy: { type: 'api_key', id: publicKeyId(principal.id), name: 'a key' },
      createdAt: expect.any(String),
    });
    expect(await replicas.admit(key)).toMatchObject({ kind: 'admitted', principal: { name: 'on-call bot' } });
    const list = await replicas.call(listApiKeys, principal);
    expect(pageOf<ApiKey>(list).data.map(({ name }) => name)).toEqual(['on-call bot', 'a key']);
    expect(JSON.stringify(list)).not.toContain(key);
    expect(JSON.stringify(list)).not.toContain(credentialHash(key));
    const log = await replicas.database.query<{ type: string; changes: unknown }>(
      "SELECT type, changes FROM auth.audit_log WHERE organization_id = $1 AND type <> 'api_key.used'",
      [principal.organizationId],
    );
    expect(log).toEqual([
      {
        type: 'api_key.created',
        changes: expect.arrayContaining([{ field: 'scopes', before: null, after: ['alerts:read'] }]),
      },
    ]);
  });

  it('answers a repeated request with the same key, never stores it as plain text, and counts it once', async () => {
    const { principal } = await someone();
    const idempotency = { key: 'once', fingerprint: 'f', sealKey: Buffer.alloc(32, 7).toString('base64url') };
    const request = { body: { name: 'once', scopes: ['alerts:read'] }, idempotency };
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => replicas.call(createApiKey, principal, request)),
    );
    const keys = new Set(answers.map((answer) => dataOf<ApiKeyWithSecret>(answer).key));
    expect(keys.size).toBe(1);
    const [key] = [...keys] as [string];
    const tables = await replicas.database.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname = 'auth' AND has_table_privilege(format('%I.%I', schemaname, tablename), 'SELECT')`,
    );
    expect(tables.length).toBeGreaterThan(5);
    for (const { name } of tables) {
      const rows = await replicas.database.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`);
      for (const { text } of rows) {
        expect(text).not.toContain(key);
        expect(text).not.toContain(Buffer.from(key).toString('hex'));
      }
    }
    expect(replicas.log.join('')).not.toContain(key);
    expect(
      await replicas.database.query('SELECT FROM auth.api_key_creations WHERE organization_id = $1', [
        principal.organizationId,
      ]),
    ).toHaveLength(1);
    expect(
      await replicas.call(createApiKey, principal, {
        ...request,
        idempotency: { ...idempotency, fingerprint: 'other' },
      }),
    ).toMatchObject({ ok: false, code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('refuses scopes that the caller does not have', async () => {
    const { principal } = await someone({ scopes: ['api_keys:write', 'alerts:read'] });
    const create = (body: object) => replicas.call(createApiKey, principal, { body });
    expect(await create({ name: 'more', scopes: ['alerts:read', 'alerts:write', 'audit:read'] })).toMatchObject({
      ok: false,
      code: 'INSUFFICIENT_SCOPE',
      details: { required: 'alerts:write, audit:read' },
    });
    const test = { ...(await someone({ environment: 'test' })).principal };
    expect(
      await replicas.call(createApiKey, test, {
        body: { name: 'live', scopes: ['alerts:read'], environment: 'live' },
      }),
    ).toMatchObject({ code: 'INSUFFICIENT_SCOPE', details: { required: 'live' } });
  });

  it('lets a live key create a key of the test environment, which only the list of test shows', async () => {
    const { principal } = await someone();
    const answer = await replicas.call(createApiKey, principal, {
      body: { name: 'for tests', scopes: ['api_keys:read'], environment: 'test' },
    });
    const { key } = dataOf<ApiKeyWithSecret>(answer);
    expect(key).toMatch(/^svc_test_/);
    const admission = await replicas.admit(key, { scope: 'api_keys:read' });
    expect(admission).toMatchObject({ kind: 'admitted', principal: { environment: 'test' } });
    const namesFor = async (who: typeof principal) =>
      pageOf<ApiKey>(await replicas.call(listApiKeys, who)).data.map(({ name }) => name);
    expect(await namesFor(principal)).toEqual(['a key']);
    if (admission.kind === 'admitted') expect(await namesFor(admission.principal)).toEqual(['for tests']);
  });

  it.each([
    ['an unknown scope', { name: 'k', scopes: ['alerts:delete'] }, 'scopes'],
    ['no scope', { name: 'k', scopes: [] }, 'scopes'],
    ['no name', { scopes: ['alerts:read'] }, 'name'],
    ['an expiry in the past', { name: 'k', scopes: ['alerts:read'], expiry: '2020-01-01' }, 'expiry'],
    ['a date that does not exist', { name: 'k', scopes: ['alerts:read'], expiry: '2099-02-30' }, 'expiry'],
    ['an unknown field', { name: 'k', scopes: ['alerts:read'], admin: true }, 'admin'],
    ['a name with NUL', { name: 'k\0', scopes: ['alerts:read'] }, 'name'],
  ])('refuses %s', async (_what, body, path) => {
    const { principal } = await someone();
    expect(await replicas.call(createApiKey, principal, { body })).toMatchObject({
      ok: false,
      code: 'VALIDATION_ERROR',
      details: { fields: expect.arrayContaining([expect.objectContaining({ path })]) },
    });
    expect(
      await replicas.database.query('SELECT FROM auth.api_key_creations WHERE organization_id = $1', [
        principal.organizationId,
      ]),
    ).toHaveLength(0);
  });

  it('names the scopes that do not exist, and those that do', async () => {
    const { principal } = await someone();
    const refusal = async (scopes: unknown) => {
      const answer = await replicas.call(createApiKey, principal, { body: { name: 'k', scopes } });
      return answer.ok ? '' : JSON.stringify(answer.details);
    };
    expect(await refusal(['alerts:read', 'alerts:delete', 7])).toContain(
      String.raw`scopes must not have \"alerts:delete\", 7: the scopes are alerts:read, alerts:write, `,
    );
    expect(await refusal('alerts:read')).toContain('scopes must be an array');
  });

  it('reads a date as the end of that day', async () => {
    const { principal } = await someone();
    const answer = await replicas.call(createApiKey, principal, {
      body: { name: 'k', scopes: ['alerts:read'], expiry: '2099-12-31' },
    });
    expect(dataOf<ApiKey>(answer).expiry).toBe('2099-12-31T23:59:59.999Z');
  });

  it('creates ten keys a day for each organization, over all replicas', async () => {
    const organizationId = await replicas.newOrganization();
    const [one, other] = [
      await replicas.newKey(organizationId),
      await replicas.newKey(organizationId, { environment: 'test' }),
    ];
    // They wait for one lock. On a busy machine some wait too long, and are sent again.
    const create = (i: number) =>
      whenAnswered(() =>
        replicas.call(createApiKey, (i % 2 ? one : other).principal, {
          body: { name: `key ${i}`, scopes: ['alerts:read'] },
        }),
      );
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => create(i)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(10);
    const refused = answers.filter((answer) => !answer.ok);
    expect(refused).toHaveLength(20);
    for (const answer of refused) {
      expect(answer).toMatchObject({
        code: 'RATE_LIMITED',
        details: { scope: 'per organization for API key creation', limit: 10, windowSeconds: 86_400 },
      });
    }
    const { retryAfterSeconds } = (refused[0] as unknown as { details: { retryAfterSeconds: number } }).details;
    expect(retryAfterSeconds).toBeGreaterThan(86_390);
    expect(retryAfterSeconds).toBeLessThanOrEqual(86_400);
    expect(
      await replicas.database.query(
        "SELECT FROM auth.audit_log WHERE organization_id = $1 AND type = 'api_key.created'",
        [organizationId],
      ),
    ).toHaveLength(10);

    await replicas.database.query(
      "UPDATE auth.api_key_creations SET created_at = created_at - interval '86380 s' WHERE organization_id = $1",
      [organizationId],
    );
    const soon = await create(31);
    expect((soon as { details: { retryAfterSeconds: number } }).details.retryAfterSeconds).toBeLessThanOrEqual(20);
    await replicas.database.query(
      "UPDATE auth.api_key_creations SET created_at = created_at - interval '30 s' WHERE organization_id = $1",
      [organizationId],
    );
    expect(await create(32)).toMatchObject({ ok: true });
  });
});

describe('the list of keys', () => {
  it('shows each key once, page by page, while keys are created and revoked', async () => {
    const organizationId = await replicas.newOrganization();
    const { principal } = await replicas.newKey(organizationId, { name: 'key 00' });
    const others = await Promise.all(
      Array.from({ length: 24 }, (_, i) =>
        replicas.newKey(organizationId, { name: `key ${String(i + 1).padStart(2, '0')}` }),
      ),
    );
    for (const sort of ['createdAt', '-createdAt', 'name', '-name']) {
      const names: string[] = [];
      let cursor: string | undefined;
      do {
        const answer = await replicas.call(listApiKeys, principal, {
          query: { limit: '4', sort, ...(cursor ? { cursor } : {}) },
        });
        const { data, meta } = pageOf<ApiKey>(answer);
        expect(meta.total).toBe(cursor ? undefined : 25);
        names.push(...data.map(({ name }) => name));
        cursor = meta.nextCursor ?? undefined;
      } while (cursor);
      expect([...names].sort()).toEqual(Array.from({ length: 25 }, (_, i) => `key ${String(i).padStart(2, '0')}`));
      if (sort.endsWith('name'))
        expect(names).toEqual(sort === 'name' ? [...names].sort() : [...names].sort().reverse());
    }
    await replicas.call(revokeApiKey, principal, {
      params: { id: publicKeyId((others[0] as { principal: { id: string } }).principal.id) },
    });
    const found = await replicas.call(listApiKeys, principal, { query: { q: 'Y 0', sort: 'name' } });
    expect(pageOf<ApiKey>(found).data.map(({ name }) => name)).toEqual([
      'key 00',
      ...Array.from({ length: 8 }, (_, i) => `key 0${i + 2}`),
    ]);
    expect(await replicas.call(listApiKeys, principal, { query: { q: '%' } })).toMatchObject({
      body: { data: [] },
    });
    expect(await replicas.call(listApiKeys, principal, { query: { cursor: 'bm8' } })).toMatchObject({
      code: 'INVALID_CURSOR',
    });
    expect(await replicas.call(listApiKeys, principal, { query: { q: 'a\0' } })).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('shows only the own tenant, also to a query without conditions on the tenant', async () => {
    const [a, b] = [await someone(), await someone()];
    const seen = await replicas.database.readAs(a.principal, (tx) =>
      tx.query<{ organization_id: string }>('SELECT * FROM auth.api_keys'),
    );
    expect(seen.map((row) => row.organization_id)).toEqual([a.principal.organizationId]);
    const organizations = await replicas.database.readAs(b.principal, (tx) =>
      tx.query<{ id: string }>('SELECT id FROM auth.organizations'),
    );
    expect(organizations).toEqual([{ id: b.principal.organizationId }]);
    expect(
      await replicas.database.readAs({ ...a.principal, environment: 'test' }, (tx) =>
        tx.query('SELECT * FROM auth.api_keys'),
      ),
    ).toEqual([]);
    const forge = (sql: string) =>
      replicas.database.writeAs(a.principal, (tx) => tx.query(sql, [b.principal.organizationId]));
    await expect(
      forge(
        `INSERT INTO auth.audit_log (id, organization_id, environment, type, occurred_at, actor_type, actor_name)
         VALUES (gen_random_uuid(), $1, 'live', 'x', now(), 'user', 'x')`,
      ),
    ).rejects.toThrow(/row-level security/);
    await expect(
      replicas.database.writeAs(a.principal, (tx) => tx.query('UPDATE auth.audit_log SET type = type')),
    ).rejects.toThrow(/permission denied/);
    await expect(
      replicas.database.query(`DELETE FROM auth.audit_log_${new Date().toISOString().slice(0, 7).replace('-', '')}`),
    ).rejects.toThrow(/permission denied/);
  });
});
