import {
  beginPasskey,
  beginPasskeySignIn,
  createPasskey,
  deletePasskey,
  getSignInMethods,
  listPasskeys,
  signIn,
  signInWithCode,
  signInWithPasskey,
  updatePasskey,
  type NewPasskey,
  type Operation,
  type Passkey,
  type PasskeyOptions,
  type SignedIn,
} from '@ams/contracts';
import { callPublicOperation, dataOf, pageOf } from '@ams/testing';
import { hash } from '@node-rs/argon2';
import { Authenticator, type Differences } from '../../testing/authenticator.js';
import { hashOfCookie, insertPerson, type PersonOptions, type TestPerson } from '../../testing/inserted-people.js';
import { Replicas } from '../../testing/replicas.js';

const party = { rpId: 'alerts.example.com', origin: 'https://alerts.example.com' };
const password = 'correct horse battery stable';

let replicas: Replicas;
let passwordHash: string;
beforeAll(async () => {
  replicas = await Replicas.start(2, { PUBLIC_URL: party.origin });
  passwordHash = await hash(password, { memoryCost: 64, timeCost: 1, parallelism: 1 });
});
afterAll(async () => {
  await replicas?.stop();
});

const newPerson = async (options: PersonOptions = {}): Promise<TestPerson> =>
  insertPerson(replicas.sql, await replicas.newOrganization(), options);
const as = ({ principal }: TestPerson, operation: Pick<Operation, 'id'>, body: unknown = {}, id?: string) =>
  replicas.call(operation, principal, { body, params: id === undefined ? {} : { id } });
const anyone = (operation: Pick<Operation, 'id'>, body: unknown = null, sessionHash: string | null = null) =>
  callPublicOperation(replicas.nats, operation, { body, sessionHash });

const registrationOptions = async (person: TestPerson): Promise<Record<string, unknown>> =>
  dataOf<PasskeyOptions>(await as(person, beginPasskey)).options;
const signInOptions = async (): Promise<Record<string, unknown>> =>
  dataOf<PasskeyOptions>(await anyone(beginPasskeySignIn)).options;

async function register(person: TestPerson, authenticator: Authenticator, name = 'Laptop'): Promise<NewPasskey> {
  const response = authenticator.register(await registrationOptions(person));
  return dataOf(await as(person, createPasskey, { name, response }));
}

interface WithPasskey {
  person: TestPerson;
  authenticator: Authenticator;
  passkey: NewPasskey;
}

async function withPasskey(options: PersonOptions = {}, counts = true): Promise<WithPasskey> {
  const person = await newPerson(options);
  const authenticator = new Authenticator(party, counts);
  return { person, authenticator, passkey: await register(person, authenticator) };
}

const signInWith = async (authenticator: Authenticator, differences: Differences = {}, cookie: string | null = null) =>
  anyone(signInWithPasskey, { response: authenticator.sign(await signInOptions(), differences) }, cookie);

const audited = async ({ organizationId }: TestPerson): Promise<string[]> =>
  (
    await replicas.database.query<{ type: string }>(
      'SELECT type FROM auth.audit_log WHERE organization_id = $1 ORDER BY id',
      [organizationId],
    )
  ).map(({ type }) => type);

describe('registering a passkey', () => {
  it('asks the browser for one that it can find, with the person verified', async () => {
    const person = await newPerson();
    expect(await registrationOptions(person)).toMatchObject({
      rp: { id: party.rpId },
      user: { name: person.email, displayName: 'Mira' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [],
    });
  });

  it('adds it with its name, and recovery codes with the first one', async () => {
    const { person, passkey } = await withPasskey();
    expect(passkey).toEqual({
      id: expect.stringMatching(/^psk_/),
      name: 'Laptop',
      backedUp: true,
      createdAt: expect.any(String),
      lastUsedAt: null,
      recoveryCodes: expect.any(Array),
    });
    expect(passkey.recoveryCodes).toHaveLength(10);
    expect((await register(person, new Authenticator(party), 'Phone')).recoveryCodes).toBeNull();
    expect(pageOf<Passkey>(await as(person, listPasskeys, null)).data.map(({ name }) => name)).toEqual([
      'Laptop',
      'Phone',
    ]);
    expect(await audited(person)).toEqual(['passkey.created', 'passkey.created']);
  });

  it.each<[string, Differences]>([
    ['of another site', { origin: 'https://alerts.example.com.evil.example' }],
    ['of another relying party', { rpId: 'evil.example' }],
    ['with another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['without verifying the person', { userVerified: false }],
  ])('is refused %s', async (_what, differences) => {
    const person = await newPerson();
    const response = new Authenticator(party).register(await registrationOptions(person), differences);
    expect(await as(person, createPasskey, { name: 'x', response })).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('takes a challenge once, from the person for whom it was made, and for 5 minutes', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const authenticator = new Authenticator(party);
    const body = { name: 'x', response: authenticator.register(await registrationOptions(person)) };
    expect(await as(other, createPasskey, body)).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await as(person, createPasskey, body)).toMatchObject({ ok: true });
    expect(await as(person, createPasskey, body)).toMatchObject({ code: 'VALIDATION_ERROR' });
    const late = await registrationOptions(person);
    await replicas.sql.query('UPDATE auth.passkey_challenges SET expires_at = now() WHERE account_id = $1', [
      person.accountId,
    ]);
    const response = new Authenticator(party).register(late);
    expect(await as(person, createPasskey, { name: 'x', response })).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it.each([{}, { id: 'x' }, { response: { clientDataJSON: 'e30' } }, { response: { clientDataJSON: '!' } }])(
    'is refused with %j',
    async (response) => {
      const person = await newPerson();
      expect(await as(person, createPasskey, { name: 'x', response })).toMatchObject({ code: 'VALIDATION_ERROR' });
    },
  );

  it('needs a proof when the sign-in was long ago', async () => {
    const person = await newPerson({ signedInMsAgo: 3_600_000 });
    expect(await as(person, beginPasskey)).toMatchObject({ details: { required: 'proof' } });
  });
});

describe('signing in with a passkey', () => {
  it('needs no password and no address', async () => {
    const { person, authenticator } = await withPasskey();
    expect(await signInOptions()).toMatchObject({ rpId: party.rpId, userVerification: 'required' });
    const answer = await signInWith(authenticator);
    expect(dataOf<SignedIn>(answer)).toMatchObject({ session: { account: { email: person.email } } });
    const [passkey] = pageOf<Passkey>(await as(person, listPasskeys, null)).data;
    expect(passkey?.lastUsedAt).not.toBeNull();
    expect(await audited(person)).toEqual(['passkey.created', 'member.signed_in']);
  });

  it('is the second factor after a password', async () => {
    const { person, authenticator, passkey } = await withPasskey({ passwordHash });
    const withPassword = () => anyone(signIn, { email: person.email, password });
    const answer = await withPassword();
    expect(dataOf(answer)).toEqual({ session: null, secondFactor: ['passkey', 'recovery'] });
    const cookie = hashOfCookie(answer);
    const signedIn = await signInWith(authenticator, {}, cookie);
    expect(dataOf<SignedIn>(signedIn).session).not.toBeNull();
    expect(await signInWith(authenticator, {}, cookie)).toMatchObject({ ok: true });
    const [code] = passkey.recoveryCodes as string[];
    expect(await anyone(signInWithCode, { code }, hashOfCookie(await withPassword()))).toMatchObject({ ok: true });
  });

  it.each<[string, Differences]>([
    ['for another site', { origin: 'https://evil.example' }],
    ['for another relying party', { rpId: 'evil.example' }],
    ['with another challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['without verifying the person', { userVerified: false }],
  ])('is refused when it was signed %s', async (_what, differences) => {
    const { authenticator } = await withPasskey();
    expect(await signInWith(authenticator, differences)).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('is refused with the signature of another key', async () => {
    const { authenticator } = await withPasskey();
    const forged = new Authenticator(party).sign(await signInOptions());
    const { credentialId: id } = authenticator;
    expect(await anyone(signInWithPasskey, { response: { ...forged, id, rawId: id } })).toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });

  it('takes a challenge once, also at the same time, and none that was made to register', async () => {
    const { person, authenticator } = await withPasskey({}, false);
    const response = authenticator.sign(await signInOptions());
    const answers = await Promise.all([1, 2, 3].map(() => anyone(signInWithPasskey, { response })));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    const other = authenticator.sign(await registrationOptions(person));
    expect(await anyone(signInWithPasskey, { response: other })).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('refuses and records a counter that does not rise', async () => {
    const { person, authenticator } = await withPasskey();
    await signInWith(authenticator, { counter: 7 });
    for (const counter of [7, 6, 0]) expect(await signInWith(authenticator, { counter })).toMatchObject({ ok: false });
    expect((await audited(person)).filter((type) => type === 'passkey.counter_regressed')).toHaveLength(3);
    // Nobody can cause the entry without the key.
    const forged = new Authenticator(party).sign(await signInOptions(), { counter: 1 });
    const { credentialId: id } = authenticator;
    await anyone(signInWithPasskey, { response: { ...forged, id, rawId: id } });
    expect((await audited(person)).filter((type) => type === 'passkey.counter_regressed')).toHaveLength(3);
    expect(await signInWith(authenticator, { counter: 8 })).toMatchObject({ ok: true });
  });

  it('is refused to a member who is disabled', async () => {
    const { person, authenticator } = await withPasskey();
    await replicas.sql.query("UPDATE auth.members SET status = 'disabled' WHERE id = $1", [person.memberId]);
    expect(await signInWith(authenticator)).toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('the passkeys of a person', () => {
  it('are renamed and removed by their owner only', async () => {
    const { person, passkey } = await withPasskey({ passwordHash });
    const other = await newPerson();
    for (const [operation, body] of [[updatePasskey, { name: 'mine' }] as const, [deletePasskey, null] as const]) {
      expect(await as(other, operation, body, passkey.id)).toMatchObject({ code: 'NOT_FOUND' });
      expect(await as(person, operation, body, 'psk_1')).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(dataOf(await as(person, updatePasskey, { name: 'Work' }, passkey.id))).toMatchObject({ name: 'Work' });
    expect(await as(person, deletePasskey, null, passkey.id)).toMatchObject({ ok: true });
    expect(pageOf(await as(person, listPasskeys, null)).data).toEqual([]);
    expect(dataOf<SignedIn>(await anyone(signIn, { email: person.email, password })).session).not.toBeNull();
    expect(await audited(person)).toEqual([
      'passkey.created',
      'passkey.updated',
      'passkey.deleted',
      'member.signed_in',
    ]);
  });

  it('are not removed when there is no other way to sign in', async () => {
    const { person, authenticator, passkey } = await withPasskey();
    expect(await as(person, deletePasskey, null, passkey.id)).toMatchObject({ code: 'CONFLICT' });
    expect(await signInWith(authenticator)).toMatchObject({ ok: true });
  });
});

it('the sign-in page learns which ways there are', async () => {
  expect(dataOf(await anyone(getSignInMethods))).toEqual({ password: true, passkey: true, openId: null });
});
