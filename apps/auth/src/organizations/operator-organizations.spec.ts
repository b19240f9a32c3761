import { inviteMember, isApiKey, listAuditLog, listApiKeys, uuidOf, type AuditEntry } from '@ams/contracts';
import { Database } from '@ams/database';
import { scopes } from '@ams/scopes';
import { pageOf } from '@ams/testing';
import { Replicas } from '../../testing/replicas.js';
import { addMember, disableMember } from '../members/operator-members.js';
import { addKey, revokeKey } from '../api-keys/operator-api-keys.js';
import { createOrganization, ensureFirstOrganization } from './operator-organizations.js';
import { listLimits, setLimit } from './operator-limits.js';
import { listOrganizations, showOrganization } from './organization-overviews.js';

let replicas: Replicas;
/** The actor of the admin command. */
let database: Database;
beforeAll(async () => {
  replicas = await Replicas.start(1);
  database = replicas.adminDatabase;
});
afterAll(async () => {
  await replicas?.stop();
});

it('creates the first organization once, also when two setups run at the same time', async () => {
  const wanted = { organization: 'Ship & Sail', ownerName: 'Ada', ownerEmail: 'ada@example.com', keyName: 'first key' };
  const made = await Promise.all([1, 2, 3].map(() => ensureFirstOrganization(replicas.database, wanted)));
  const keys = made.flatMap(({ key }) => key ?? []);
  expect(keys).toHaveLength(1);
  expect(new Set(made.map(({ organizationId, ownerId }) => `${organizationId} ${ownerId}`)).size).toBe(1);
  expect(await ensureFirstOrganization(replicas.database, wanted)).toEqual({ ...made[0], key: null });
  const [key] = keys as [string];
  expect(isApiKey(key)).toBe(true);

  const admission = await replicas.admit(key, { scope: 'audit:read' });
  expect(admission).toMatchObject({ kind: 'admitted', principal: { name: 'first key', environment: 'live', scopes } });
  if (admission.kind !== 'admitted') return;
  const log = await replicas.call(listAuditLog, admission.principal);
  expect(
    pageOf<AuditEntry>(log)
      .data.map(({ type, actor }) => ({ type, actor }))
      .sort((a, b) => a.type.localeCompare(b.type)),
  ).toEqual([
    { type: 'api_key.created', actor: { type: 'service', id: null, name: 'setup' } },
    { type: 'api_key.used', actor: { type: 'api_key', id: expect.stringMatching(/^key_/), name: 'first key' } },
    { type: 'member.created', actor: { type: 'service', id: null, name: 'setup' } },
    { type: 'organization.created', actor: { type: 'service', id: null, name: 'setup' } },
  ]);
  expect(JSON.stringify(log)).not.toContain(key);
  expect(await replicas.call(listApiKeys, admission.principal)).toMatchObject({
    body: { data: [{ name: 'first key', createdBy: { type: 'service', id: null, name: 'setup' } }] },
  });
});

describe('an organization without its first records', () => {
  const names = { ownerName: 'Ada', ownerEmail: 'ada@example.com' };
  const withinMs = 200;
  /** As resource-api does it, or as if it did not run. */
  const recordsAre = (made: 'made' | 'lacking', slug: string) =>
    replicas.sql.query(
      `UPDATE resources.defaults_made SET policies = $1
       WHERE organization_id = (SELECT id FROM auth.organizations WHERE slug = $2)`,
      [made === 'made', slug],
    );
  const notYet = { code: 'UNAVAILABLE', message: expect.stringMatching(/resource-api has not made its schedule/) };
  const keysOf = async (slug: string) => (await showOrganization(database, slug)).keys;

  beforeAll(() => replicas.sql.query('ALTER TABLE auth.organizations DISABLE TRIGGER make_defaults'));
  afterAll(() => replicas.sql.query('ALTER TABLE auth.organizations ENABLE TRIGGER make_defaults'));

  it('gets no key by any command, and gets it as soon as it has them', async () => {
    await expect(createOrganization(database, { name: 'Late', ...names }, { withinMs })).rejects.toMatchObject(notYet);
    await expect(
      addKey(database, { organization: 'late', name: 'k', may: { role: 'viewer' } }, { withinMs }),
    ).rejects.toMatchObject(notYet);
    expect(await keysOf('late')).toEqual({ live: 0, test: 0 });

    const waiting = addKey(database, { organization: 'late', name: 'k', may: { role: 'viewer' } });
    await replicas.sql.query(
      `INSERT INTO resources.defaults_made (organization_id, policies) SELECT id, true FROM auth.organizations
       WHERE slug = 'late'`,
    );
    expect(await waiting).toMatchObject({ name: 'k' });
  });

  it('gets its key from a setup that is repeated after it ended in between, and only once', async () => {
    const wanted = { organization: 'Ended', ...names, keyName: 'first key' };
    await expect(ensureFirstOrganization(replicas.database, wanted, { withinMs })).rejects.toMatchObject(notYet);
    await replicas.sql.query(
      `INSERT INTO resources.defaults_made (organization_id) SELECT id FROM auth.organizations WHERE slug = 'ended'`,
    );
    await expect(ensureFirstOrganization(replicas.database, wanted, { withinMs })).rejects.toMatchObject(notYet);
    expect(await keysOf('ended')).toEqual({ live: 0, test: 0 });
    await recordsAre('made', 'ended');
    const made = await Promise.all([1, 2, 3].map(() => ensureFirstOrganization(replicas.database, wanted)));
    expect(made.filter(({ key }) => key !== null)).toHaveLength(1);
    expect(await keysOf('ended')).toEqual({ live: 1, test: 0 });
  });

  it('and without an active owner can have keys: nobody could be on call', async () => {
    const id = await replicas.newOrganization();
    const [{ slug }] = (await replicas.sql.query('SELECT slug FROM auth.organizations WHERE id = $1', [id])).rows as [
      { slug: string },
    ];
    expect(await addKey(database, { organization: slug, name: 'k', may: { role: 'viewer' } })).toMatchObject({
      name: 'k',
    });
  });
});

describe('the admin command', () => {
  const owner = { ownerName: 'Ada', ownerEmail: 'ada@example.com' };

  it('creates an organization, its owner and a key with all scopes, with an audit entry for each', async () => {
    const {
      organization,
      owner: ada,
      key,
    } = await createOrganization(database, { name: 'Überwald & Söhne', ...owner });
    expect(organization).toEqual({
      id: expect.stringMatching(/^org_[0-9a-f]{32}$/),
      name: 'Überwald & Söhne',
      slug: 'uberwald-sohne',
      createdAt: expect.any(String),
    });
    expect(ada).toMatchObject({
      id: expect.stringMatching(/^usr_/),
      name: 'Ada',
      email: 'ada@example.com',
      role: 'owner',
      status: 'active',
      timezone: 'UTC',
    });
    expect(key).toMatchObject({
      scopes,
      environment: 'live',
      expiry: null,
      createdBy: { type: 'service', id: null, name: 'admin' },
    });
    expect(await replicas.admit(key.key, { scope: 'audit:read' })).toMatchObject({
      kind: 'admitted',
      principal: { scopes },
    });
    const log = await database.query(
      `SELECT type, resource_id, actor_type, actor_id, actor_name, changes FROM auth.audit_log
       WHERE resource_id = ANY ($1) AND type <> 'api_key.used' ORDER BY id`,
      [[organization.id, ada.id, key.id]],
    );
    const byAdmin = { actor_type: 'service', actor_id: null, actor_name: 'admin', changes: expect.any(Array) };
    expect(log).toEqual([
      { type: 'organization.created', resource_id: organization.id, ...byAdmin },
      { type: 'member.created', resource_id: ada.id, ...byAdmin },
      { type: 'api_key.created', resource_id: key.id, ...byAdmin },
    ]);
    expect(JSON.stringify(log)).not.toContain(key.key);
  });

  it('creates one of several organizations with the same slug', async () => {
    const results = await Promise.allSettled(
      ['Twin', 'twin', 'TWIN!'].map((name) => createOrganization(database, { name, ...owner })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({
          code: 'CONFLICT',
          message: 'There is an organization with the slug twin already.',
        });
    expect(await createOrganization(database, { name: 'Twin', slug: 'twin-2', ...owner })).toMatchObject({
      organization: { name: 'Twin', slug: 'twin-2' },
    });
    expect(await showOrganization(database, 'twin')).toMatchObject({
      owners: ['ada@example.com'],
      members: { active: 1 },
      keys: { live: 1 },
    });
  });

  it.each([
    ['a name without a visible character', { name: ' ' }, /no visible character/],
    ['a name without a letter', { name: '&&&' }, /needs a letter or a digit/],
    ['an empty slug', { slug: '' }, /"" is not a slug/],
    ['a slug with other characters', { slug: 'Ship & Sail' }, /"Ship & Sail" is not a slug: write small letters/],
    ['a slug that is too long', { slug: 'x'.repeat(201) }, /more than 200/],
    ['an owner without a name', { ownerName: '' }, /The text for the name of the owner has no visible character/],
    ['an invalid address', { ownerEmail: 'ada@' }, /not an e-mail address/],
  ])('refuses %s', async (_what, wrong, sentence) => {
    const before = await listOrganizations(database);
    await expect(createOrganization(database, { name: 'Refused', ...owner, ...wrong })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(sentence),
    });
    expect(await listOrganizations(database)).toEqual(before);
  });

  it('shows the owners of an organization and the numbers of its members and keys', async () => {
    const { organization } = await createOrganization(database, { name: 'Shown', ...owner });
    const at = { organization: 'shown' };
    for (const name of ['Mira', 'Zoe'])
      await addMember(database, { ...at, name, email: `${name}@example.com`, role: 'owner' });
    await disableMember(database, null, { ...at, email: 'zoe@example.com' });
    const keys = [
      await addKey(database, { ...at, name: 'k', may: { role: 'viewer' } }),
      await addKey(database, { ...at, name: 'k', may: { role: 'viewer' }, environment: 'test' }),
    ];
    await revokeKey(database, null, keys[0]?.id ?? '');
    const overview = {
      ...organization,
      owners: ['ada@example.com', 'Mira@example.com'],
      members: { active: 2, invited: 0, disabled: 1 },
      keys: { live: 1, test: 1 },
    };
    expect(await showOrganization(database, 'shown')).toEqual(overview);
    const list = await listOrganizations(database);
    expect(list).toContainEqual(overview);
    expect(list.map(({ slug }) => slug)).toEqual([...list.map(({ slug }) => slug)].sort());
    await expect(showOrganization(database, 'nowhere')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'There is no organization with the slug "nowhere".',
    });
  });
});

describe('the limits of an organization', () => {
  const owner = { ownerName: 'Ada', ownerEmail: 'ada@example.com' };
  const limitOfMembers = async (organization: string): Promise<unknown> =>
    (await listLimits(database, organization)).find(({ kind }) => kind === 'members');

  it('are set and taken back, and refuse further members', async () => {
    const { organization } = await createOrganization(database, { name: 'Small', ...owner });
    const { slug } = organization;
    expect(await limitOfMembers(slug)).toEqual({ kind: 'members', limit: 10_000, isSet: false });
    await setLimit(database, { organization: slug, kind: 'members', limit: '1' });
    expect(await limitOfMembers(slug)).toEqual({ kind: 'members', limit: 1, isSet: true });
    const { principal } = await replicas.newKey(uuidOf('organization', organization.id) ?? '');
    const invite = () =>
      replicas.call(inviteMember, principal, { body: { name: 'Mira', email: 'mira@example.com', role: 'viewer' } });
    expect(await invite()).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      details: { kind: 'members', limit: 1, used: 1 },
    });
    await setLimit(database, { organization: slug, kind: 'members', limit: 'default' });
    expect(await limitOfMembers(slug)).toEqual({ kind: 'members', limit: 10_000, isSet: false });
    expect(await invite()).toMatchObject({ ok: true });
  });

  it.each([
    ['a kind that does not exist', 'rooms', '1'],
    ['a text', 'members', 'many'],
    ['a negative number', 'members', '-1'],
    ['a number that is too large', 'members', '1000001'],
  ])('refuses %s', async (_what, kind, limit) => {
    await expect(setLimit(database, { organization: 'small', kind, limit })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});
