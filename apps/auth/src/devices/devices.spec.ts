import {
  addDevice,
  deleteDevice,
  deviceGoneRequest,
  getPush,
  listDevices,
  maxDevices,
  newUuid,
  recordOfSubscription,
  uuidOf,
  type Device,
  type Operation,
  type PushSettings,
} from '@ams/contracts';
import { SealedSecrets } from '@ams/service';
import { dataOf, eventually, insertMember, newVapidKeys, pageOf } from '@ams/testing';
import { randomBytes } from 'node:crypto';
import { insertPerson, type TestPerson } from '../../testing/inserted-people.js';
import { Replicas } from '../../testing/replicas.js';

const { publicKey } = newVapidKeys();
const [key, newKey] = ['the secret of the devices', 'the next secret of the devices'];

let replicas: Replicas;
beforeAll(async () => {
  replicas = await Replicas.start(1, { SECRETS_KEY: key, VAPID_PUBLIC_KEY: publicKey });
});
afterAll(() => replicas?.stop());

const newPerson = async (organizationId?: string): Promise<TestPerson> =>
  insertPerson(replicas.sql, organizationId ?? (await replicas.newOrganization()));
const as = ({ principal }: TestPerson, operation: Pick<Operation, 'id'>, body: unknown = null, id?: string) =>
  replicas.call(operation, principal, { body, params: id === undefined ? {} : { id } });

const browser = () => ({
  endpoint: `https://push.example.com/wpush/${randomBytes(24).toString('base64url')}`,
  keys: { p256dh: newVapidKeys().publicKey, auth: randomBytes(16).toString('base64url') },
});
const add = async (person: TestPerson, subscription = browser(), name = 'Phone'): Promise<Device> =>
  dataOf(await as(person, addDevice, { name, ...subscription }));
const devicesOf = async (person: TestPerson): Promise<Device[]> => pageOf<Device>(await as(person, listDevices)).data;

const audited = async ({ organizationId }: TestPerson) =>
  replicas.adminDatabase.query<{ type: string; actor: string; changes: unknown }>(
    'SELECT type, actor_name AS actor, changes FROM auth.audit_log WHERE organization_id = $1 ORDER BY id',
    [organizationId],
  );
const stored = (id: string) =>
  replicas.adminDatabase.query<{ subscription: Buffer | null }>(
    'SELECT subscription FROM auth.push_devices WHERE id = $1',
    [uuidOf('device', id)],
  );
const gone = (person: TestPerson, id: string) =>
  replicas.rpc.request(
    deviceGoneRequest,
    {
      deviceId: uuidOf('device', id) ?? '',
      organizationId: person.organizationId,
      environment: 'live',
      requestId: 'ntf_1',
    },
    { timeoutMs: 10_000, requestId: 'ntf_1' },
  );

it('adds a browser, and shows neither its endpoint nor its keys', async () => {
  const person = await newPerson();
  expect(dataOf<PushSettings>(await as(person, getPush))).toEqual({ publicKey });
  const subscription = browser();
  const device = await add(person, subscription);
  expect(device).toEqual({
    id: expect.stringMatching(/^dev_/),
    name: 'Phone',
    service: 'push.example.com',
    fingerprint: expect.stringMatching(/^[\w-]{16}$/),
    createdAt: expect.any(String),
    endedAt: null,
    endReason: null,
  });
  expect(await devicesOf(person)).toEqual([device]);
  const [row] = await stored(device.id);
  const opened = new SealedSecrets([key]).open(
    row?.subscription as Buffer,
    recordOfSubscription(uuidOf('device', device.id) ?? ''),
  );
  expect(JSON.parse(String(opened))).toEqual(subscription);
  const everything = JSON.stringify([device, await audited(person), replicas.log, row]);
  for (const secret of [subscription.endpoint.slice(-32), subscription.keys.p256dh, subscription.keys.auth])
    expect(everything).not.toContain(secret);
  expect(await audited(person)).toMatchObject([
    { type: 'device.added', actor: 'Mira', changes: [{ field: 'name', before: null, after: 'Phone' }] },
  ]);
});

it('keeps one entry for a browser that is added again', async () => {
  const person = await newPerson();
  const subscription = browser();
  const first = await add(person, subscription);
  expect(await add(person, subscription, 'Work phone')).toEqual({ ...first, name: 'Work phone' });
  expect(await devicesOf(person)).toHaveLength(1);
});

it('shows and removes the own devices only', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  const colleague = await newPerson(person.organizationId);
  const { id } = await add(person);
  for (const stranger of [other, colleague]) {
    expect(await devicesOf(stranger)).toEqual([]);
    expect(await as(stranger, deleteDevice, null, id)).toMatchObject({ code: 'NOT_FOUND' });
  }
  expect(await as(person, deleteDevice, null, 'dev_x')).toMatchObject({ code: 'NOT_FOUND' });
  expect(await as(person, deleteDevice, null, id)).toMatchObject({ ok: true });
  expect(await devicesOf(person)).toEqual([]);
  expect(await stored(id)).toEqual([]);
});

it('is for people who are signed in', async () => {
  const { principal } = await replicas.newOrganizationKey();
  for (const operation of [getPush, listDevices, deleteDevice] as const)
    expect(await replicas.call(operation, principal)).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
});

it.each<[string, object, string]>([
  ['http', { endpoint: 'http://push.example.com/1' }, 'endpoint'],
  ['a password', { endpoint: 'https://a:b@push.example.com/1' }, 'endpoint'],
  ['too many characters', { endpoint: `https://push.example.com/${'x'.repeat(1024)}` }, 'endpoint'],
  ['a key that is too short', { keys: { ...browser().keys, p256dh: 'BAAA' } }, 'keys.p256dh'],
  ['a key that is no point', { keys: { ...browser().keys, p256dh: `BA${'_'.repeat(84)}8` } }, 'keys.p256dh'],
  ['a secret that is too short', { keys: { ...browser().keys, auth: 'abc' } }, 'keys.auth'],
  ['no keys', { keys: undefined }, 'keys'],
  ['no name', { name: ' ' }, 'name'],
])('refuses %s', async (_what, fields, path) => {
  const answer = await as(await newPerson(), addDevice, { name: 'Phone', ...browser(), ...fields });
  expect(answer).toMatchObject({ code: 'VALIDATION_ERROR' });
  expect(JSON.stringify(answer)).toContain(`"${path}`);
});

it(`adds at most ${maxDevices}; those that have ended make room`, async () => {
  const person = await newPerson();
  const first = await add(person);
  for (let i = 1; i < maxDevices; i++) await add(person);
  expect(await as(person, addDevice, { name: 'One more', ...browser() })).toMatchObject({ code: 'CONFLICT' });
  await gone(person, first.id);
  await add(person);
  const ids = (await devicesOf(person)).map(({ id }) => id);
  expect(ids).toHaveLength(maxDevices);
  expect(ids).not.toContain(first.id);
});

it('ends a device that the push service does not know any more, once, and says so', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  const { id } = await add(person);
  expect(await gone(other, id)).toEqual({ ended: false });
  expect(await gone(person, id)).toEqual({ ended: true });
  expect(await gone(person, id)).toEqual({ ended: false });
  expect(await devicesOf(person)).toMatchObject([{ id, endedAt: expect.any(String), endReason: 'gone' }]);
  expect(await stored(id)).toEqual([{ subscription: null }]);
  expect((await audited(person)).slice(1)).toMatchObject([{ type: 'device.ended', actor: 'push.example.com' }]);
});

it('belongs to one person: another one who adds the same browser ends it, another member of the person does not', async () => {
  const [person, other] = [await newPerson(), await newPerson()];
  const organizationId = await replicas.newOrganization();
  const tenant = { organizationId, environment: 'live' } as const;
  const memberId = await insertMember(replicas.sql, tenant, { name: 'Mira', email: `${newUuid()}@example.com` });
  await replicas.sql.query('UPDATE auth.members SET account_id = $2 WHERE id = $1', [memberId, person.accountId]);
  const sessionId = newUuid();
  await replicas.sql.query(
    `INSERT INTO auth.sessions (id, token_hash, account_id, member_id, organization_id, created_at, last_seen_at, expires_at)
     VALUES ($1::uuid, $1::uuid::text, $2, $3, $4, now(), now(), now() + interval '1 hour')`,
    [sessionId, person.accountId, memberId, organizationId],
  );
  const elsewhere: TestPerson = {
    ...person,
    memberId,
    organizationId,
    principal: { ...person.principal, id: memberId, organizationId, sessionId },
  };
  const subscription = browser();
  await add(person, subscription);
  await add(elsewhere, subscription);
  expect(await devicesOf(person)).toMatchObject([{ endReason: null }]);
  await add(other, subscription);
  for (const before of [person, elsewhere])
    expect(await devicesOf(before)).toMatchObject([{ endReason: 'replaced', endedAt: expect.any(String) }]);
  expect(await devicesOf(other)).toMatchObject([{ endReason: null }]);
});

it('says when the operator has not set it up', async () => {
  const without = await Replicas.start(1, { VAPID_PUBLIC_KEY: publicKey });
  try {
    const person = await insertPerson(without.sql, await without.newOrganization());
    expect(dataOf(await without.call(getPush, person.principal))).toEqual({ publicKey: null });
    const body = { name: 'Phone', ...browser() };
    expect(await without.call(addDevice, person.principal, { body })).toMatchObject({ code: 'CONFLICT' });
  } finally {
    await without.stop();
  }
});

it('seals again with the newest key', async () => {
  const person = await newPerson();
  const { id } = await add(person);
  await replicas.startOne({ secretsKey: `${newKey},${key}` });
  const record = recordOfSubscription(uuidOf('device', id) ?? '');
  await eventually(async () => {
    const [row] = await stored(id);
    expect(new SealedSecrets([newKey]).open(row?.subscription as Buffer, record)).not.toBeNull();
  });
});
