import {
  beginTotp,
  confirmTotp,
  disableTotp,
  getTwoFactor,
  renewRecoveryCodes,
  signIn,
  signInWithCode,
  type Operation,
  type RecoveryCodes,
  type SignedIn,
  type TotpEnrolment,
} from '@ams/contracts';
import { callPublicOperation, dataOf, eventually, idempotencyOf } from '@ams/testing';
import { hash } from '@node-rs/argon2';
import { Secret } from 'otpauth';
import { SealedSecrets } from '@ams/service';
import { hashOfCookie, insertPerson, type PersonOptions, type TestPerson } from '../../testing/inserted-people.js';
import { Replicas } from '../../testing/replicas.js';
import { recordOfTotp } from './second-factors.js';
import { codeOfStep, stepAt } from './totp.js';

const password = 'correct horse battery stable';
const key = 'a secret of the operator';

let replicas: Replicas;
let passwordHash: string;
beforeAll(async () => {
  replicas = await Replicas.start(2, { SECRETS_KEY: key });
  passwordHash = await hash(password, { memoryCost: 64, timeCost: 1, parallelism: 1 });
});
afterAll(async () => {
  await replicas?.stop();
});

const newPerson = async (options: PersonOptions = {}): Promise<TestPerson> =>
  insertPerson(replicas.sql, await replicas.newOrganization(), { passwordHash, ...options });
const as = ({ principal }: TestPerson, operation: Pick<Operation, 'id'>, body: object = {}, more: object = {}) =>
  replicas.call(operation, principal, { body, ...more });
const anyone = (operation: Pick<Operation, 'id'>, body: object, sessionHash: string | null = null, ip = '192.0.2.7') =>
  callPublicOperation(replicas.nats, operation, { body, sessionHash, ip });

const stateOf = ({ principal }: TestPerson) => replicas.call(getTwoFactor, principal);

/** The code of a step, counted from now. Steps are 30 seconds long, and tests must not depend on when one begins. */
const codeOf = (secret: Uint8Array, stepsFromNow = 0): string => codeOfStep(secret, stepAt(new Date()) + stepsFromNow);

interface WithApp {
  person: TestPerson;
  secret: Uint8Array;
  recoveryCodes: string[];
}

async function withApp(options: PersonOptions = {}): Promise<WithApp> {
  const person = await newPerson(options);
  const { secret } = dataOf<TotpEnrolment>(await as(person, beginTotp));
  const bytes = Secret.fromBase32(secret).bytes;
  const { recoveryCodes } = dataOf<RecoveryCodes>(await as(person, confirmTotp, { code: codeOf(bytes, -1) }));
  return { person, secret: bytes, recoveryCodes };
}

/** Signs in with the password. Returns the hash of the cookie. */
async function pendingOf({ email }: TestPerson): Promise<string> {
  const answer = await anyone(signIn, { email, password });
  expect(dataOf<SignedIn>(answer)).toMatchObject({ session: null, secondFactor: expect.arrayContaining(['totp']) });
  return hashOfCookie(answer);
}

const auditTypes = async ({ organizationId }: TestPerson): Promise<string[]> =>
  (
    await replicas.database.query<{ type: string }>(
      'SELECT type FROM auth.audit_log WHERE organization_id = $1 ORDER BY id',
      [organizationId],
    )
  ).map(({ type }) => type);

describe('an authenticator app', () => {
  it('is set up with the first code, which gives recovery codes', async () => {
    const { person, recoveryCodes } = await withApp();
    expect(recoveryCodes).toHaveLength(10);
    expect(dataOf(await stateOf(person))).toEqual({
      totpSince: expect.any(String),
      recoveryCodesLeft: 10,
      passkeys: 0,
    });
    expect(await auditTypes(person)).toEqual(['member.authenticator_added']);
  });

  it('does not count before its first code, and needs a right one', async () => {
    const person = await newPerson();
    expect(await as(person, confirmTotp, { code: '123456' })).toMatchObject({ code: 'CONFLICT' });
    const secret = Secret.fromBase32(dataOf<TotpEnrolment>(await as(person, beginTotp)).secret).bytes;
    expect(await as(person, confirmTotp, { code: codeOf(secret, 9) })).toMatchObject({ code: 'VALIDATION_ERROR' });
    const signedIn = dataOf<SignedIn>(await anyone(signIn, { email: person.email, password }));
    expect(signedIn.session).not.toBeNull();
  });

  it('is stored sealed', async () => {
    const { person, secret } = await withApp();
    const [row] = await replicas.database.query<{ secret: Buffer }>(
      'SELECT secret FROM auth.totp_secrets WHERE account_id = $1',
      [person.accountId],
    );
    expect(row?.secret.includes(Buffer.from(secret))).toBe(false);
    const opened = new SealedSecrets([key]).open(row?.secret as Buffer, recordOfTotp(person.accountId));
    expect(opened).toEqual(Buffer.from(secret));
  });

  it('cannot be set up without a key of the operator', async () => {
    const without = await Replicas.start(1);
    try {
      const person = await insertPerson(without.sql, await without.newOrganization());
      expect(await without.call(beginTotp, person.principal, { body: {} })).toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining('SECRETS_KEY'),
      });
    } finally {
      await without.stop();
    }
  });
});

describe('signing in with a second factor', () => {
  it('asks for a code, and then replaces the token', async () => {
    const { person, secret } = await withApp();
    const pending = await pendingOf(person);
    const answer = await anyone(signInWithCode, { code: codeOf(secret) }, pending);
    expect(dataOf<SignedIn>(answer)).toMatchObject({
      session: { account: { email: person.email } },
      secondFactor: null,
    });
    expect(hashOfCookie(answer)).not.toBe(pending);
    expect(await anyone(signInWithCode, { code: codeOf(secret, 1) }, pending)).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await auditTypes(person)).toEqual(['member.authenticator_added', 'member.signed_in']);
  });

  it('gives no rights before the code', async () => {
    const { person } = await withApp();
    const pending = await pendingOf(person);
    const [session] = await replicas.database.query<{ id: string }>(
      'SELECT id FROM auth.sessions WHERE token_hash = $1 AND pending',
      [pending],
    );
    const principal = { ...person.principal, sessionId: session?.id as string };
    expect(await replicas.call(getTwoFactor, principal)).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await replicas.admitSession({ sessionHash: pending, environment: 'live' }, { scope: null })).toMatchObject({
      kind: 'unauthorized',
    });
  });

  it('accepts a code once, also at the same time on two replicas', async () => {
    const { person, secret } = await withApp();
    const cookies = await Promise.all([1, 2, 3].map(() => pendingOf(person)));
    const code = codeOf(secret);
    const answers = await Promise.all(cookies.map((cookie) => anyone(signInWithCode, { code }, cookie)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    for (const answer of answers.filter(({ ok }) => !ok)) expect(answer).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('accepts a recovery code once, however it is typed', async () => {
    const { person, recoveryCodes } = await withApp();
    const [code = ''] = recoveryCodes;
    const typed = { code: code.toUpperCase().replaceAll('-', ' ') };
    expect(await anyone(signInWithCode, typed, await pendingOf(person))).toMatchObject({ ok: true });
    expect(await anyone(signInWithCode, typed, await pendingOf(person))).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(dataOf(await stateOf(person))).toMatchObject({ recoveryCodesLeft: 9 });
  });

  it('needs the cookie of a sign-in that waits', async () => {
    const { person, secret } = await withApp();
    for (const cookie of [null, person.sessionHash])
      expect(await anyone(signInWithCode, { code: codeOf(secret) }, cookie)).toMatchObject({ code: 'UNAUTHORIZED' });
    const pending = await pendingOf(person);
    await replicas.sql.query('UPDATE auth.sessions SET expires_at = now() WHERE token_hash = $1', [pending]);
    expect(await anyone(signInWithCode, { code: codeOf(secret) }, pending)).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('allows ten wrong codes, which a right password does not make forgotten', async () => {
    const { person, secret } = await withApp();
    for (let i = 0; i < 10; i++) {
      const ip = `198.51.100.${i}`;
      const answer = await anyone(signInWithCode, { code: '000000' }, await pendingOf(person), ip);
      expect(answer).toMatchObject({ code: 'UNAUTHORIZED' });
    }
    const cookie = await pendingOf(person);
    expect(await anyone(signInWithCode, { code: codeOf(secret) }, cookie)).toMatchObject({
      code: 'RATE_LIMITED',
      details: { limit: 10, windowSeconds: 900, retryAfterSeconds: expect.any(Number) },
    });
    expect(await auditTypes(person)).toContain('member.sign_in_failed');
  });
});

describe('a change of factors', () => {
  const hourMs = 3_600_000;

  it('needs a proof when the sign-in was long ago', async () => {
    const person = await newPerson({ signedInMsAgo: hourMs });
    expect(await as(person, beginTotp)).toMatchObject({ code: 'INSUFFICIENT_SCOPE', details: { required: 'proof' } });
    expect(await as(person, beginTotp, { password: 'wrong' })).toMatchObject({ details: { required: 'proof' } });
    expect(await as(person, beginTotp, { password })).toMatchObject({ ok: true });
  });

  it('always needs one to remove the app; its recovery codes end too', async () => {
    const { person, secret } = await withApp();
    expect(await as(person, disableTotp)).toMatchObject({ details: { required: 'proof' } });
    expect(dataOf(await as(person, disableTotp, { code: codeOf(secret) }))).toEqual({
      totpSince: null,
      recoveryCodesLeft: 0,
      passkeys: 0,
    });
    expect(dataOf<SignedIn>(await anyone(signIn, { email: person.email, password })).session).not.toBeNull();
  });

  it('accepts ten wrong proofs only', async () => {
    const person = await newPerson({ signedInMsAgo: hourMs });
    for (let i = 0; i < 10; i++) await as(person, beginTotp, { code: '000000' }, { ip: `203.0.113.${i}` });
    expect(await as(person, beginTotp, { code: '000000' })).toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('makes new recovery codes; the earlier ones end', async () => {
    const { person, recoveryCodes } = await withApp();
    const request = { idempotency: idempotencyOf('codes') };
    const renewed = dataOf<RecoveryCodes>(await as(person, renewRecoveryCodes, {}, request));
    // A repeated request gets the same ones.
    expect(dataOf(await as(person, renewRecoveryCodes, {}, request))).toEqual(renewed);
    const cookie = await pendingOf(person);
    expect(await anyone(signInWithCode, { code: recoveryCodes[0] }, cookie)).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await anyone(signInWithCode, { code: renewed.recoveryCodes[0] }, cookie)).toMatchObject({ ok: true });
    expect(await as(await newPerson(), renewRecoveryCodes)).toMatchObject({ code: 'CONFLICT' });
  });

  it('concerns the own account only', async () => {
    const { person } = await withApp();
    const other = await newPerson();
    expect(dataOf(await stateOf(other))).toMatchObject({ totpSince: null });
    await as(other, disableTotp, { password });
    expect(dataOf(await stateOf(person))).toMatchObject({ recoveryCodesLeft: 10 });
  });
});

it('secrets of an older key are sealed again with the newest one', async () => {
  const { person, secret } = await withApp();
  await replicas.startOne({ secretsKey: `a newer secret of the operator, ${key}` });
  const newest = new SealedSecrets(['a newer secret of the operator']);
  await eventually(async () => {
    const [row] = await replicas.database.query<{ secret: Buffer }>(
      'SELECT secret FROM auth.totp_secrets WHERE account_id = $1',
      [person.accountId],
    );
    return newest.open(row?.secret as Buffer, recordOfTotp(person.accountId))?.equals(Buffer.from(secret)) === true;
  });
});
