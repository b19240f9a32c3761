/** A key that creates keys: a child is never wider, and never valid longer, than its parent. */
import {
  createApiKey,
  listApiKeys,
  listAuditLog,
  publicId,
  revokeApiKey,
  uuidOf,
  type Answer,
  type ApiKey,
  type ApiKeyWithSecret,
  type Principal,
} from '@ams/contracts';
import { dataOf, insertClient, pageOf } from '@ams/testing';
import { Replicas, type TestKeyOptions } from '../../testing/replicas.js';

let replicas: Replicas;
beforeAll(async () => {
  replicas = await Replicas.start(1, { API_LIMIT_PER_MINUTE: '100000' });
});
afterAll(() => replicas.stop());

const create = (principal: Principal, body: object) =>
  replicas.call(createApiKey, principal, { body: { name: 'child', scopes: ['alerts:read'], ...body } });

const refusedFor = (...paths: string[]) => ({
  ok: false,
  code: 'VALIDATION_ERROR',
  details: { fields: paths.map((path) => expect.objectContaining({ path })) },
});

const fromNow = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
const teamId = `tem_${'1'.repeat(32)}`;

/** A tenant with two clients, and a key that is restricted to the first. */
async function restricted(options: TestKeyOptions = {}) {
  const organizationId = await replicas.newOrganization();
  const tenant = { organizationId, environment: 'live' } as const;
  const [mine, theirs] = [await insertClient(replicas.sql, tenant), await insertClient(replicas.sql, tenant)];
  const restrictedTo = { clientIds: [mine], teamIds: [] };
  const { principal } = await replicas.newKey(organizationId, { restrictedTo, ...options });
  const [myId, theirId] = [publicId('client', mine), publicId('client', theirs)];
  return { organizationId, principal, mine, theirs, myId, theirId };
}

describe('the expiry of a child', () => {
  it('is not later than that of its parent, and a parent that expires has no child without an expiry', async () => {
    const { principal } = await replicas.newOrganizationKey({ expiresInMs: 3_600_000 });
    expect(await create(principal, { expiry: fromNow(3000) })).toMatchObject({ ok: true });
    for (const body of [{ expiry: fromNow(3900) }, { expiry: null }, {}])
      expect(await create(principal, body)).toMatchObject(refusedFor('expiry'));
  });

  it('may be any time when the parent does not expire', async () => {
    const { principal } = await replicas.newOrganizationKey();
    expect(await create(principal, { expiry: '2999-01-01' })).toMatchObject({ ok: true });
    expect(await create(principal, {})).toMatchObject({ ok: true });
  });
});

describe('a restricted key', () => {
  it('is created by a key of the whole environment, admitted with its restriction, and shown with it', async () => {
    const { organizationId, mine, myId } = await restricted();
    const { principal } = await replicas.newKey(organizationId);
    const restrictedTo = { clientIds: [myId], teamIds: [teamId] };
    const made = dataOf<ApiKeyWithSecret>(await create(principal, { restrictedTo }));
    expect(made.restrictedTo).toEqual(restrictedTo);
    const admitted = { clientIds: [mine], teamIds: ['11111111-1111-1111-1111-111111111111'] };
    expect(await replicas.admit(made.key)).toMatchObject({ kind: 'admitted', principal: { restrictedTo: admitted } });
    const { data } = pageOf<ApiKey>(await replicas.call(listApiKeys, principal));
    expect(data.find(({ id }) => id === made.id)?.restrictedTo).toEqual(restrictedTo);
    const entries = await replicas.database.query<{ changes: object[] }>(
      'SELECT changes FROM auth.audit_log WHERE resource_id = $1',
      [made.id],
    );
    expect(entries[0]?.changes).toContainEqual({ field: 'restrictedTo', before: null, after: restrictedTo });
  });

  it('creates keys that are restricted to its own clients, and no wider ones', async () => {
    const { principal, myId, theirId } = await restricted();
    expect(await create(principal, { restrictedTo: { clientIds: [myId] } })).toMatchObject({ ok: true });
    for (const restrictedTo of [undefined, { clientIds: [theirId] }, { clientIds: [myId, theirId] }])
      expect(await create(principal, { restrictedTo })).toMatchObject(refusedFor('restrictedTo'));
    expect(await create(principal, { restrictedTo: { clientIds: [myId], teamIds: [teamId] } })).toMatchObject(
      refusedFor('restrictedTo'),
    );
  });

  it('is told all limits of a child at once', async () => {
    const { principal, theirId } = await restricted({ expiresInMs: 3_600_000 });
    expect(await create(principal, { restrictedTo: { clientIds: [theirId] } })).toMatchObject(
      refusedFor('expiry', 'restrictedTo'),
    );
  });

  it('lists and revokes only keys that are restricted to its own clients', async () => {
    const { organizationId, principal, myId, theirs } = await restricted();
    await replicas.newKey(organizationId, { name: 'of the whole' });
    const other = await replicas.newKey(organizationId, { restrictedTo: { clientIds: [theirs], teamIds: [] } });
    const child = dataOf<ApiKey>(await create(principal, { restrictedTo: { clientIds: [myId] } }));
    const list = pageOf<ApiKey>(await replicas.call(listApiKeys, principal));
    expect(list.data.map(({ name }) => name)).toEqual(['child', 'a key']);
    expect(list.meta.total).toBe(2);
    const revoke = (id: string) => replicas.call(revokeApiKey, principal, { params: { id } });
    expect(await revoke(publicId('apiKey', other.principal.id))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await revoke(child.id)).toMatchObject({ ok: true });
    expect(await revoke(publicId('apiKey', principal.id))).toMatchObject({ ok: true });
  });

  it('does not read the audit log', async () => {
    const { principal } = await restricted();
    expect(await replicas.call(listAuditLog, principal)).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      message: expect.stringContaining('restricted to clients or teams cannot use listAuditLog'),
    });
  });

  it.each([
    ['nothing', {}, 'restrictedTo'],
    ['empty lists', { clientIds: [], teamIds: [] }, 'restrictedTo'],
    ['what is no client', { clientIds: [teamId] }, 'restrictedTo.clientIds[0]'],
    ['what is no team', { teamIds: ['platform'] }, 'restrictedTo.teamIds[0]'],
    ['a client that does not exist', { clientIds: [`cli_${'1'.repeat(32)}`] }, 'restrictedTo.clientIds[0]'],
    ['too many', { teamIds: Array.from({ length: 101 }, (_, i) => `tem_${String(i)}`) }, 'restrictedTo.teamIds'],
    ['an unknown field', { organizations: [] }, 'restrictedTo.organizations'],
  ])('is not restricted to %s', async (_what, restrictedTo, path) => {
    const { principal } = await replicas.newOrganizationKey();
    expect(await create(principal, { restrictedTo })).toMatchObject(refusedFor(path));
  });

  it('names clients of the environment of the new key', async () => {
    const { organizationId, myId } = await restricted();
    const { principal } = await replicas.newKey(organizationId);
    expect(await create(principal, { environment: 'test', restrictedTo: { clientIds: [myId] } })).toMatchObject(
      refusedFor('restrictedTo.clientIds[0]'),
    );
  });
});

describe('the keys that descend from a key', () => {
  const admitted = async (key: string): Promise<boolean> => (await replicas.admit(key)).kind === 'admitted';

  /** The principal that admission finds for a key which the test has created. */
  const asKey = (parent: ApiKeyWithSecret, principal: Principal): Principal => ({
    ...principal,
    id: uuidOf('apiKey', parent.id) as string,
    name: parent.name,
    environment: parent.environment,
  });
  const made = async (by: Principal, body: object = {}): Promise<ApiKeyWithSecret> =>
    dataOf<ApiKeyWithSecret>(await create(by, { scopes: ['alerts:read', 'api_keys:write'], ...body }));
  const revoke = (by: Principal, { id }: { id: string }, query: Record<string, string> = {}): Promise<Answer> =>
    replicas.call(revokeApiKey, by, { params: { id }, query });

  /** A key `top` with a child, a grandchild whose parent is revoked already, a test key of it, and an unrelated key. */
  async function family() {
    const organizationId = await replicas.newOrganization();
    const owner = (await replicas.newKey(organizationId)).principal;
    const top = await made(owner);
    const child = await made(asKey(top, owner));
    const grandchild = await made(asKey(child, owner));
    const inTest = await made(asKey(child, owner), { environment: 'test' });
    const ofTest = await made(asKey(inTest, owner));
    const unrelated = await made(owner);
    expect(await revoke(owner, child)).toMatchObject({ ok: true });
    return { organizationId, owner, top, child, grandchild, inTest, ofTest, unrelated };
  }

  it('are found by it, and stay when it alone is revoked', async () => {
    const { owner, top, child, grandchild } = await family();
    const of = async (createdBy: string) =>
      pageOf<ApiKey>(await replicas.call(listApiKeys, owner, { query: { createdBy } })).data.map(({ id }) => id);
    expect(await of(child.id)).toEqual([grandchild.id]);
    expect(await of(grandchild.id)).toEqual([]);
    expect(await revoke(owner, top)).toMatchObject({ ok: true, status: 204 });
    expect(await admitted(grandchild.key)).toBe(true);
  });

  it('are revoked with it when asked for, in both environments, each with an entry in the audit log', async () => {
    const { organizationId, owner, top, child, grandchild, inTest, ofTest, unrelated } = await family();
    expect(await revoke(owner, top, { cascade: 'true' })).toMatchObject({ ok: true, status: 204 });
    for (const { key } of [top, child, grandchild, inTest, ofTest]) expect(await admitted(key)).toBe(false);
    expect(await admitted(unrelated.key)).toBe(true);
    const entries = await replicas.database.query<{ resource_id: string }>(
      "SELECT resource_id FROM auth.audit_log WHERE organization_id = $1 AND type = 'api_key.revoked'",
      [organizationId],
    );
    expect(entries.map(({ resource_id }) => resource_id).sort()).toEqual(
      [top, child, grandchild, inTest, ofTest].map(({ id }) => id).sort(),
    );
  });

  it('may revoke it with all of them, themselves included', async () => {
    const { owner, top, grandchild } = await family();
    expect(await revoke(asKey(grandchild, owner), top, { cascade: 'true' })).toMatchObject({ ok: true });
    expect(await admitted(grandchild.key)).toBe(false);
  });

  it('cannot be created while they are revoked', async () => {
    const { owner, top } = await family();
    for (let race = 0; race < 10; race++) {
      const parent = await made(asKey(top, owner));
      // Ten creations a day: the rows of the limit are removed.
      await replicas.sql.query('DELETE FROM auth.api_key_creations');
      const [answer, ...births] = await Promise.all([
        revoke(owner, parent, { cascade: 'true' }),
        ...[1, 2, 3].map(() => create(asKey(parent, owner), {})),
      ]);
      expect(answer).toMatchObject({ ok: true });
      for (const birth of births) {
        if (birth.ok) expect(await admitted(dataOf<ApiKeyWithSecret>(birth).key)).toBe(false);
        else expect(birth.code).toBe('UNAUTHORIZED');
      }
    }
  });

  it.each(['yes', '1', ''])('are not revoked by cascade=%j, which is refused', async (cascade) => {
    const { owner, top } = await family();
    expect(await revoke(owner, top, { cascade })).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await admitted(top.key)).toBe(true);
  });
});
