import {
  credentialHash,
  isApiKey,
  keyRevokedRequest,
  newUuid,
  publicId,
  uuidOf,
  type RevokedNotice,
} from '@ams/contracts';
import { Database } from '@ams/database';
import { roles } from '@ams/scopes';
import { insertClient } from '@ams/testing';
import { Replicas } from '../../testing/replicas.js';
import { createOrganization } from '../organizations/operator-organizations.js';
import { addKey, listKeys, revokeKey, type ApiKeyInput } from './operator-api-keys.js';

let replicas: Replicas;
let database: Database;
let organization: string;
let made = 0;
beforeAll(async () => {
  replicas = await Replicas.start(1);
  database = replicas.adminDatabase;
});
beforeEach(async () => {
  organization = (
    await createOrganization(database, {
      name: `Organization ${++made}`,
      ownerName: 'Ada',
      ownerEmail: 'ada@example.com',
    })
  ).organization.slug;
});
afterAll(async () => {
  await replicas?.stop();
});

const add = (more: Partial<ApiKeyInput> = {}) =>
  addKey(database, { organization, name: 'bot', may: { scopes: ['alerts:read'] }, ...more });
const revoke = (id: string) => revokeKey(database, replicas.rpc, id);
const entriesOf = (id: string) =>
  database.query(
    `SELECT type, environment, actor_type, actor_id, actor_name, changes FROM auth.audit_log
     WHERE resource_id = $1 AND type <> 'api_key.used' ORDER BY id`,
    [id],
  );
const byAdmin = { actor_type: 'service', actor_id: null, actor_name: 'admin' };

describe('a key that an operator creates', () => {
  it('works at once, is stored as its hash, and has an audit entry without the key', async () => {
    const { key, ...shown } = await add({
      environment: 'test',
      may: { scopes: ['alerts:read', 'users:read', 'alerts:read'] },
      expiry: '9999-01-01',
    });
    expect(isApiKey(key)).toBe(true);
    expect(shown).toEqual({
      id: expect.stringMatching(/^key_[0-9a-f]{32}$/),
      name: 'bot',
      scopes: ['alerts:read', 'users:read'],
      environment: 'test',
      restrictedTo: null,
      keyPrefix: key.slice(0, 13),
      expiry: '9999-01-01T23:59:59.999Z',
      lastUsedAt: null,
      createdBy: { type: 'service', id: null, name: 'admin' },
      createdAt: expect.any(String),
    });
    expect(await replicas.admit(key)).toMatchObject({
      kind: 'admitted',
      principal: { name: 'bot', environment: 'test', scopes: ['alerts:read', 'users:read'] },
    });
    const log = await entriesOf(shown.id);
    expect(log).toEqual([
      {
        type: 'api_key.created',
        environment: 'test',
        ...byAdmin,
        changes: expect.arrayContaining([{ field: 'scopes', before: null, after: shown.scopes }]),
      },
    ]);
    for (const secret of [key, credentialHash(key)]) expect(JSON.stringify(log)).not.toContain(secret);
  });

  it('is restricted to clients that exist in its environment', async () => {
    const [{ id: organizationId }] = (await database.query<{ id: string }>(
      'SELECT id FROM auth.organizations WHERE slug = $1',
      [organization],
    )) as [{ id: string }];
    const client = await insertClient(replicas.sql, { organizationId, environment: 'live' });
    const restrictedTo = { clientIds: [publicId('client', client)] };
    const made = await add({ restrictedTo });
    expect(made.restrictedTo).toEqual({ ...restrictedTo, teamIds: [] });
    expect(await replicas.admit(made.key)).toMatchObject({
      kind: 'admitted',
      principal: { restrictedTo: { clientIds: [client], teamIds: [] } },
    });
    for (const refused of [{ clientIds: [publicId('client', newUuid())] }, { clientIds: ['acme'] }, {}])
      await expect(add({ restrictedTo: refused })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(add({ restrictedTo, environment: 'test' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('has the scopes of a role', async () => {
    expect(await add({ may: { role: 'responder' } })).toMatchObject({
      scopes: [...roles.responder],
      environment: 'live',
      expiry: null,
    });
  });

  it('does not count against the daily limit of the API', async () => {
    for (let i = 0; i < 12; i++) await add();
    expect(
      await database.query(
        `SELECT FROM auth.api_key_creations
         WHERE organization_id = (SELECT id FROM auth.organizations WHERE slug = $1)`,
        [organization],
      ),
    ).toEqual([]);
  });

  it.each<[string, Partial<ApiKeyInput>, RegExp]>([
    ['a name without a visible character', { name: '' }, /no visible character/],
    [
      'an unknown scope',
      { may: { scopes: ['alerts:read', 'alerts:eat', ''] } },
      /no scope "alerts:eat", ""; there are alerts:read, .*audit:read/,
    ],
    ['no scope', { may: { scopes: [] } }, /needs a scope/],
    ['an unknown role', { may: { role: 'robot' } }, /no role "robot"; there are owner/],
    ['an unknown environment', { environment: 'prod' }, /no environment "prod"; there are live, test/],
    ['a date that does not exist', { expiry: '2099-02-30' }, /"2099-02-30" is not a valid time/],
    ['an expiry in the past', { expiry: '2020-01-01' }, /expiry must be in the future/],
  ])('is refused with %s', async (_what, wrong, sentence) => {
    await expect(add(wrong)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(sentence),
    });
    expect(await listKeys(database, { organization })).toHaveLength(1);
  });
});

it('lists the keys of one environment, newest first', async () => {
  await add({ name: 'second' });
  const third = await add({ name: 'third' });
  await add({ name: 'of test', environment: 'test' });
  const names = async (environment?: string) =>
    (await listKeys(database, { organization, environment })).map(({ name }) => name);
  expect(await names()).toEqual(['third', 'second', 'first key']);
  expect(await names('live')).toEqual(['third', 'second', 'first key']);
  expect(await names('test')).toEqual(['of test']);
  await revoke(third.id);
  expect(await names()).toEqual(['second', 'first key']);
  await expect(names('prod')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  await expect(listKeys(database, { organization: 'nowhere' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

describe('a revocation', () => {
  it('notifies the gateways, is final, and has an audit entry', async () => {
    const { key, ...shown } = await add({ environment: 'test' });
    const notices: RevokedNotice[] = [];
    const gateways = [1, 2].map(() =>
      replicas.nats.subscribe(keyRevokedRequest.subject, {
        callback: (_error, message) => {
          notices.push(message.json<RevokedNotice>());
          message.respond(JSON.stringify({ ended: 0 }));
        },
      }),
    );
    expect(await revoke(shown.id)).toEqual({ key: shown, gatewaysTold: 2, ended: true });
    const notice = { keyId: uuidOf('apiKey', shown.id), sparedRequestId: null };
    expect(notices).toEqual([notice, notice]);
    for (const gateway of gateways) gateway.unsubscribe();
    expect(await replicas.admit(key)).toEqual({ kind: 'unauthorized' });
    await expect(revoke(shown.id)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: `There is no key with the id "${shown.id}" that could be revoked.`,
    });
    expect((await entriesOf(shown.id)).slice(1)).toEqual([
      { type: 'api_key.revoked', environment: 'test', ...byAdmin, changes: [] },
    ]);
  });

  it('answers NOT_FOUND for an unknown key and for a malformed id', async () => {
    for (const id of [`key_${newUuid().replaceAll('-', '')}`, 'key_1', "key_' OR 1=1", ''])
      await expect(revoke(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('succeeds once when several run at the same time', async () => {
    const { id } = await add();
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => revoke(id)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await entriesOf(id)).toHaveLength(2);
  });

  it('takes effect without NATS, and without a gateway', async () => {
    const [one, other] = [await add(), await add()];
    expect(await revokeKey(database, null, one.id)).toMatchObject({ gatewaysTold: 0, ended: true });
    expect(await revokeKey(database, replicas.rpc, other.id)).toMatchObject({ gatewaysTold: 0, ended: true });
    for (const { key } of [one, other]) expect(await replicas.admit(key)).toEqual({ kind: 'unauthorized' });
  });

  it('reports when a transaction of the key does not end', async () => {
    const { id, key } = await add();
    await database.asService(async (tx) => {
      await tx.query('SELECT auth.hold_key($1)', [uuidOf('apiKey', id)]);
      expect(await revoke(id)).toMatchObject({ ended: false });
    });
    expect(await replicas.admit(key)).toEqual({ kind: 'unauthorized' });
  });

  it('waits for the transactions of the key', async () => {
    const { id } = await add();
    const holder = await replicas.database.query<{ organization_id: string }>(
      'SELECT organization_id FROM auth.api_keys WHERE id = $1',
      [uuidOf('apiKey', id)],
    );
    const principal = {
      type: 'api_key' as const,
      id: uuidOf('apiKey', id) as string,
      name: 'bot',
      organizationId: holder[0]?.organization_id ?? '',
      environment: 'live' as const,
      scopes: [],
    };
    let over = false;
    let revocation: Promise<boolean> | undefined;
    const writing = replicas.database.writeAs(principal, async () => {
      revocation = revoke(id).then(() => over);
      await replicas.lockWait('%auth.api_keys%FOR UPDATE');
      over = true;
    });
    await expect(writing).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await revocation).toBe(true);
  });
});
