/** Accounts and sessions over two replicas: how they begin, what they may, and how they end. */
import {
  acceptInvitation,
  changePassword,
  createApiKey,
  credentialHash,
  disableMember,
  enableMember,
  endOtherSessions,
  endSession,
  getInvitation,
  getProfile,
  listSessions,
  publicId,
  requestPasswordReset,
  resetPassword,
  sendInvitation,
  sessionsEndedRequest,
  signOut,
  switchOrganization,
  updateMember,
  updateProfile,
  uuidOf,
  welcome,
  type Answer,
  type OwnSession,
  type Principal,
  type SessionsEndedNotice,
} from '@ams/contracts';
import { roles } from '@ams/scopes';
import { dataOf, eventually, insertMember, pageOf } from '@ams/testing';
import { disableMember as disableMemberByOperator } from '../members/operator-members.js';
import { createOrganization } from '../organizations/operator-organizations.js';
import { removeFactors } from '../second-factors/operator-factors.js';
import { People, goodPassword, signedIn, tokenOf, type SignedInPerson } from '../../testing/people.js';
import { Replicas } from '../../testing/replicas.js';
import { signInLink } from '../accounts/operator-links.js';
import { admin } from '../operator/operator.js';

let replicas: Replicas;
let people: People;
let owner: Principal;
/** Sessions of which the gateways were told. */
const told: SessionsEndedNotice[] = [];

const refused = (code: string): object => ({ ok: false, code });
const unauthorized = { kind: 'unauthorized' };

beforeAll(async () => {
  replicas = await Replicas.start(2, { PUBLIC_URL: 'https://alerts.example.com/' });
  people = new People(replicas);
  owner = (await replicas.newOrganizationKey()).principal;
  replicas.nats.subscribe(sessionsEndedRequest.subject, {
    callback: (_error, message) => {
      told.push(message.json<SessionsEndedNotice>());
      message.respond(JSON.stringify({ ended: 0 }));
    },
  });
});
afterAll(() => replicas.stop());

const entriesOf = async (organizationId: string, type: string): Promise<Record<string, unknown>[]> =>
  replicas.database.query(
    'SELECT actor_type, actor_id, resource_id, changes, ip FROM auth.audit_log WHERE organization_id = $1 AND type = $2',
    [organizationId, type],
  );

const sessionIdOf = ({ session }: Pick<SignedInPerson, 'session'>): string => uuidOf('session', session.id) as string;

describe('an invitation', () => {
  it('arrives by mail, is looked at, and makes an active member who is signed in', async () => {
    const { email, id, status } = await people.invite(owner, 'viewer');
    expect(status).toBe('invited');
    const token = await people.tokenTo(email, 'invitation');
    const mail = people.mails.find(({ to }) => to.address === email);
    expect(mail).toMatchObject({ purpose: 'invitation', requestedBy: null, to: { name: 'Mira' } });
    expect(mail?.link).toBe(`https://alerts.example.com/invitation#${token}`);

    const looked = await people.public(getInvitation, { body: { token } });
    expect(dataOf(looked)).toMatchObject({ email, name: 'Mira', role: 'viewer', hasPassword: false });

    const weak = await people.public(acceptInvitation, { body: { token, password: 'qwertyuiop123' } });
    expect(weak).toMatchObject(refused('VALIDATION_ERROR'));
    const body = { token, password: goodPassword, name: 'Mira Okafor', timezone: 'Europe/Berlin' };
    const { session, token: cookie } = signedIn(await people.public(acceptInvitation, { body }));
    expect(session).toMatchObject({
      account: { email, hasPassword: true },
      member: { id, name: 'Mira Okafor', status: 'active', timezone: 'Europe/Berlin', version: 2 },
      organization: { id: publicId('organization', owner.organizationId) },
      scopes: roles.viewer,
    });
    expect(await people.whoAmI(cookie)).toEqual(session);
    for (const operation of [getInvitation, acceptInvitation])
      expect(await people.public(operation, { body: operation === getInvitation ? { token } : body })).toMatchObject(
        refused('NOT_FOUND'),
      );
    const actor = { actor_type: 'user', actor_id: id, ip: '192.0.2.7' };
    expect(await entriesOf(owner.organizationId, 'invitation.accepted')).toContainEqual(expect.objectContaining(actor));
    expect(await entriesOf(owner.organizationId, 'member.signed_in')).toContainEqual(expect.objectContaining(actor));
  });

  it('is sent again; any of its links works once, and none when the address has changed', async () => {
    const { id, email } = await people.invite(owner);
    const first = await people.tokenTo(email, 'invitation');
    expect(await replicas.call(sendInvitation, owner, { params: { id } })).toMatchObject({ ok: true });
    const second = await people.tokenTo(email, 'invitation', 2);
    const moved = people.newEmail();
    await replicas.call(updateMember, owner, { params: { id }, body: { email: moved } });
    for (const token of [first, second])
      expect(await people.public(getInvitation, { body: { token } })).toMatchObject(refused('NOT_FOUND'));
    await replicas.call(sendInvitation, owner, { params: { id } });
    const third = await people.tokenTo(moved, 'invitation');
    const answers = await Promise.all(
      [1, 2, 3].map(() => people.public(acceptInvitation, { body: { token: third, password: goodPassword } })),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await replicas.call(sendInvitation, owner, { params: { id } })).toMatchObject(refused('CONFLICT'));
  });

  it('ends with its time and with the disabling of the member, and is not sent without end', async () => {
    const { id, email } = await people.invite(owner);
    const token = await people.tokenTo(email, 'invitation');
    await replicas.call(disableMember, owner, { params: { id } });
    expect(await people.public(getInvitation, { body: { token } })).toMatchObject(refused('NOT_FOUND'));
    expect(await replicas.call(sendInvitation, owner, { params: { id } })).toMatchObject(refused('CONFLICT'));

    const other = await people.invite(owner);
    const expired = await people.tokenTo(other.email, 'invitation');
    await replicas.sql.query('UPDATE auth.account_tokens SET expires_at = now() WHERE token_hash = $1', [
      credentialHash(expired),
    ]);
    expect(await people.public(getInvitation, { body: { token: expired } })).toMatchObject(refused('NOT_FOUND'));
    const again = () => replicas.call(sendInvitation, owner, { params: { id: other.id } });
    for (let n = 0; n < 5; n++) expect(await again()).toMatchObject({ ok: true });
    expect(await again()).toMatchObject(refused('RATE_LIMITED'));
  });

  it('to another organization is accepted with the password that the person has', async () => {
    const { email, token: cookie, password } = await people.member(owner);
    const other = (await replicas.newOrganizationKey()).principal;
    await people.invite(other, 'owner', email);
    const token = await people.tokenTo(email, 'invitation', 2);
    expect(dataOf(await people.public(getInvitation, { body: { token } }))).toMatchObject({ hasPassword: true });
    const wrong = await people.public(acceptInvitation, { body: { token, password: 'another good password' } });
    expect(wrong).toMatchObject(refused('UNAUTHORIZED'));
    const joined = signedIn(await people.public(acceptInvitation, { body: { token, password } }));
    const organizations = [owner, other].map(({ organizationId }) => publicId('organization', organizationId));
    expect(joined.session.organizations.map(({ id }) => id).sort()).toEqual(organizations.sort());

    const before = await people.principal(cookie);
    const organizationId = publicId('organization', other.organizationId);
    const switched = await people.call(switchOrganization, cookie, { body: { organizationId } });
    expect(dataOf(switched)).toMatchObject({ organization: { id: organizationId }, member: { role: 'owner' } });
    expect(await people.principal(tokenOf(switched))).toMatchObject({ organizationId: other.organizationId });
    expect(await people.admit(cookie)).toEqual(unauthorized);
    expect(told.at(-1)?.sessionIds).toEqual([before.sessionId]);
    const nowhere = { organizationId: publicId('organization', before.id) };
    expect(await people.call(switchOrganization, tokenOf(switched), { body: nowhere })).toMatchObject(
      refused('NOT_FOUND'),
    );
  });
});

describe('signing in', () => {
  it('needs the password; the answer for an unknown address is the same', async () => {
    const { email, password, session: first } = await people.member(owner);
    const answers = [
      await people.signIn(email, 'not the password'),
      await people.signIn(people.newEmail(), 'not the password'),
    ];
    for (const answer of answers)
      expect(answer).toEqual({
        ok: false,
        code: 'UNAUTHORIZED',
        message: 'The e-mail address or the password is wrong.',
        details: null,
      });
    const failed = await entriesOf(owner.organizationId, 'member.sign_in_failed');
    expect(failed.filter(({ actor_id }) => actor_id === first.member.id)).toHaveLength(1);
    const { session, token } = signedIn(await people.signIn(email.toUpperCase(), password));
    expect(session.account.email).toBe(email);
    expect(await people.admit(token)).toMatchObject({ kind: 'admitted' });
  });

  it('ends the session that the browser had before', async () => {
    const { email, password, token } = await people.member(owner);
    const other = signedIn(await people.signIn(email, password)).token;
    const next = signedIn(await people.signIn(email, password, { sessionHash: credentialHash(token) })).token;
    expect(await people.admit(token)).toEqual(unauthorized);
    for (const live of [other, next]) expect(await people.admit(live)).toMatchObject({ kind: 'admitted' });
  });

  it('is limited to ten failures of an account, exactly over all replicas, also without an account', async () => {
    const { email, password } = await people.member(owner);
    for (const address of [email, people.newEmail()]) {
      const ip = `198.51.100.${address === email ? 1 : 2}`;
      const attempts = Array.from({ length: 24 }, () => people.signIn(address, 'not the password', { ip }));
      const codes = (await Promise.all(attempts)).map((answer) => (answer.ok ? 'ok' : answer.code));
      expect(codes.filter((code) => code === 'UNAUTHORIZED')).toHaveLength(10);
      expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(14);
    }
    const limited = await people.signIn(email, password);
    expect(limited).toMatchObject({
      code: 'RATE_LIMITED',
      details: { scope: 'for the account', limit: 10, windowSeconds: 900, retryAfterSeconds: expect.any(Number) },
    });
    await replicas.sql.query("UPDATE auth.sign_in_attempts SET started_at = now() - interval '16 minutes'");
    expect(await people.signIn(email, password)).toMatchObject({ ok: true });
  });

  it('is limited to fifty failures from a network, and a success is no failure', async () => {
    const { email, password } = await people.member(owner);
    const from = (n: number) => ({ ip: `2001:db8:7:7::${n.toString(16)}` });
    for (let n = 0; n < 3; n++) expect(await people.signIn(email, password, from(n))).toMatchObject({ ok: true });
    const attempts = Array.from({ length: 55 }, (_, n) => people.signIn(people.newEmail(), 'wrong password', from(n)));
    const codes = (await Promise.all(attempts)).map((answer) => (answer.ok ? 'ok' : answer.code));
    expect(codes.filter((code) => code === 'UNAUTHORIZED')).toHaveLength(50);
    expect(await people.signIn(email, password, from(99))).toMatchObject({ details: { scope: 'for the address' } });
    expect(await people.signIn(email, password, { ip: '2001:db8:7:8::1' })).toMatchObject({ ok: true });
  });
});

describe('a session', () => {
  it('has the scopes of the role as it is now, in both environments', async () => {
    const { token, session } = await people.member(owner, 'viewer');
    const viewer = { type: 'user', scopes: roles.viewer, sessionId: sessionIdOf({ session }) };
    for (const environment of ['live', 'test'] as const)
      expect(await people.admit(token, { environment })).toMatchObject({
        kind: 'admitted',
        principal: { ...viewer, environment, name: 'Mira' },
      });
    expect(await people.admit(token, { scope: 'alerts:write' })).toMatchObject({ kind: 'insufficientScope' });
    await replicas.call(updateMember, owner, { params: { id: session.member.id }, body: { role: 'responder' } });
    expect(await people.admit(token, { scope: 'alerts:write' })).toMatchObject({ kind: 'admitted' });
  });

  it('counts its requests for the member, not for the organization', async () => {
    const key = await replicas.newOrganizationKey();
    const { email, password, token } = await people.member(key.principal);
    const second = tokenOf(await people.signIn(email, password));
    const used = async () => {
      const reply = await replicas.admit(key.key);
      return reply.kind === 'admitted' ? reply.rate.limit - reply.rate.remaining : -1;
    };
    const before = await used();
    const replies = await Promise.all(
      Array.from({ length: 640 }, (_, n) => people.admit(n % 2 === 0 ? token : second)),
    );
    const limited = replies.filter(({ kind }) => kind === 'limited');
    expect(limited).toHaveLength(40);
    expect(limited[0]).toMatchObject({ of: 'member', rate: { limit: 600, remaining: 0 } });
    expect(await used()).toBe(before + 1);
    expect(await people.admit((await people.member(key.principal)).token)).toMatchObject({ kind: 'admitted' });
  });

  it('notes its use once a minute, lives on when it is used, and ends with its time', async () => {
    const { token, session } = await people.member(owner);
    const id = sessionIdOf({ session });
    const set = (values: string) => replicas.sql.query(`UPDATE auth.sessions SET ${values} WHERE id = $1`, [id]);
    await set("last_seen_at = now() - interval '50 s', expires_at = now() + interval '1 hour'");
    await people.admit(token);
    expect(await seen(id)).toMatchObject({ recently: false });
    await set("last_seen_at = now() - interval '61 s'");
    await people.admit(token);
    expect(await seen(id)).toMatchObject({ recently: true, days: 14 });
    await set("last_seen_at = now() - interval '61 s', created_at = now() - interval '29 days'");
    await people.admit(token);
    expect(await seen(id)).toMatchObject({ days: 1 });
    await set('expires_at = now()');
    expect(await people.admit(token)).toEqual(unauthorized);
  });

  const seen = async (id: string): Promise<unknown> =>
    (
      await replicas.database.query(
        `SELECT last_seen_at > now() - interval '45 s' AS recently,
           round(extract(epoch FROM expires_at - now()) / 86400)::int AS days FROM auth.sessions WHERE id = $1`,
        [id],
      )
    )[0];

  it('that waits for another factor, or is of nobody, is not admitted', async () => {
    const { token, session } = await people.member(owner);
    await replicas.sql.query('UPDATE auth.sessions SET pending = true WHERE id = $1', [sessionIdOf({ session })]);
    expect(await people.admit(token)).toEqual(unauthorized);
    expect(await people.admit('x')).toEqual(unauthorized);
  });

  it('ends when its owner signs out, and the gateways are told before the answer', async () => {
    const { token, session } = await people.member(owner);
    const answer = await people.call(signOut, token, { requestId: 'the sign-out' });
    expect(answer).toMatchObject({ ok: true, status: 204, session: 'ended' });
    expect(told).toContainEqual({ sessionIds: [sessionIdOf({ session })], sparedRequestId: 'the sign-out' });
    expect(await people.admit(token)).toEqual(unauthorized);
    expect(await entriesOf(owner.organizationId, 'member.signed_out')).toContainEqual(
      expect.objectContaining({ actor_id: session.member.id }),
    );
  });

  it('is in the list of its owner, who ends it, or all others', async () => {
    const person = await people.member(owner);
    const stranger = await people.member(owner);
    const [second, third] = [
      signedIn(await people.signIn(person.email, person.password, { userAgent: 'Phone' })),
      signedIn(await people.signIn(person.email, person.password)),
    ];
    const list = async () => pageOf<OwnSession>(await people.call(listSessions, person.token)).data;
    const ids = (sessions: OwnSession[]) => sessions.map(({ id }) => id);
    expect(ids(await list())).toEqual([third.session.id, second.session.id, person.session.id]);
    expect((await list())[1]).toMatchObject({ isCurrent: false, userAgent: 'Phone', ip: '192.0.2.7' });
    expect((await list())[2]).toMatchObject({ isCurrent: true });
    const end = (id: string): Promise<Answer> => people.call(endSession, person.token, { params: { id } });
    expect(await end(stranger.session.id)).toMatchObject(refused('NOT_FOUND'));
    expect(await end(second.session.id)).toMatchObject({ status: 204 });
    expect(await end(second.session.id)).toMatchObject(refused('NOT_FOUND'));
    expect(await people.admit(second.token)).toEqual(unauthorized);
    expect(await people.call(endOtherSessions, person.token)).toMatchObject({ status: 204 });
    expect(ids(await list())).toEqual([person.session.id]);
    expect(await people.admit(stranger.token)).toMatchObject({ kind: 'admitted' });
    const entries = await entriesOf(owner.organizationId, 'session.ended');
    expect(entries.map(({ resource_id }) => resource_id).sort()).toEqual([second.session.id, third.session.id].sort());
  });

  it('ends when the member is disabled, and does not come back', async () => {
    const { token, session, email, password } = await people.member(owner);
    const params = { id: session.member.id };
    await replicas.call(disableMember, owner, { params });
    expect(told.flatMap(({ sessionIds }) => sessionIds)).toContain(sessionIdOf({ session }));
    expect(await people.admit(token)).toEqual(unauthorized);
    expect(await people.signIn(email, password)).toMatchObject(refused('UNAUTHORIZED'));
    await replicas.call(enableMember, owner, { params });
    expect(await people.admit(token)).toEqual(unauthorized);
    expect(await people.signIn(email, password)).toMatchObject({ ok: true });
  });

  it('ends when an operator disables the member, or removes the second factors: the gateways are told', async () => {
    const { organization } = await createOrganization(replicas.adminDatabase, {
      name: 'Ended by an operator',
      ownerName: 'Ada',
      ownerEmail: people.newEmail(),
    });
    const byOperator = { ...owner, organizationId: uuidOf('organization', organization.id) as string };
    const ends = [disableMemberByOperator, removeFactors];
    for (const end of ends) {
      const { email, token, session } = await people.member(byOperator);
      const address = { organization: organization.slug, email };
      expect(await end(replicas.adminDatabase, replicas.rpc, address)).toMatchObject({
        sessions: 1,
        gatewaysTold: 1,
        ended: true,
      });
      expect(told).toContainEqual({ sessionIds: [sessionIdOf({ session })], sparedRequestId: null });
      expect(await people.admit(token)).toEqual(unauthorized);
    }
  });

  it('acts as the member: records show the person, and a write of an ended session is not made', async () => {
    const { token, session } = await people.member(owner, 'admin');
    const body = { name: 'bot', scopes: ['alerts:read'] };
    const created = dataOf<{ createdBy: unknown }>(await people.call(createApiKey, token, { body }));
    expect(created.createdBy).toEqual({ type: 'user', id: session.member.id, name: 'Mira' });
    const principal = await people.principal(token);
    await people.call(signOut, token);
    expect(await replicas.call(createApiKey, principal, { body })).toMatchObject(refused('UNAUTHORIZED'));
    expect(await replicas.call(getProfile, principal)).toMatchObject(refused('UNAUTHORIZED'));
  });
});

describe('a password', () => {
  it('is changed with the present one; other sessions end, this one is replaced, and a mail tells it', async () => {
    const { email, password, token } = await people.member(owner);
    const other = tokenOf(await people.signIn(email, password));
    const change = (body: object): Promise<Answer> => people.call(changePassword, token, { body });
    const newPassword = 'four quiet ducks at noon';
    for (const [body, path] of [
      [{ newPassword }, 'currentPassword'],
      [{ newPassword, currentPassword: 'wrong password' }, 'currentPassword'],
      [{ newPassword: email, currentPassword: password }, 'newPassword'],
    ] as const)
      expect(await change(body)).toMatchObject({ code: 'VALIDATION_ERROR', details: { fields: [{ path }] } });
    const next = tokenOf(await change({ newPassword, currentPassword: password }));
    for (const ended of [token, other]) expect(await people.admit(ended)).toEqual(unauthorized);
    expect(await people.admit(next)).toMatchObject({ kind: 'admitted' });
    expect(await people.signIn(email, password)).toMatchObject(refused('UNAUTHORIZED'));
    expect(await people.signIn(email, newPassword)).toMatchObject({ ok: true });
    await eventually(() =>
      expect(people.mails).toContainEqual(
        expect.objectContaining({ purpose: 'password_changed', to: { address: email, name: null }, link: null }),
      ),
    );
  });

  it('is replaced by a link that a mail brings, which works once and ends all sessions', async () => {
    const { email, token } = await people.member(owner);
    const ask = (address: string, ip = '203.0.113.9'): Promise<Answer> =>
      people.public(requestPasswordReset, { body: { email: address }, ip });
    const nobody = people.newEmail();
    expect(await ask(nobody)).toEqual(await ask(email));
    const link = await people.tokenTo(email, 'password_reset');
    expect(people.mails.filter(({ to }) => to.address === nobody)).toEqual([]);
    const reset = (password: string): Promise<Answer> =>
      people.public(resetPassword, { body: { token: link, password } });
    expect(await reset(email)).toMatchObject(refused('VALIDATION_ERROR'));
    expect(await reset('four quiet ducks at noon')).toMatchObject({ ok: true, status: 204 });
    expect(await reset('another good password')).toMatchObject(refused('NOT_FOUND'));
    expect(await people.admit(token)).toEqual(unauthorized);
    expect(await people.signIn(email, 'four quiet ducks at noon')).toMatchObject({ ok: true });
    for (let n = 0; n < 8; n++) expect(await ask(email)).toMatchObject({ ok: true });
    await people.tokenTo(email, 'password_reset', 5);
  });

  it('may be missing: an active member without an account gets one by a link of the operator or by a reset', async () => {
    const [first, second] = [people.newEmail(), people.newEmail()];
    for (const email of [first, second]) await insertMember(replicas.sql, owner, { email, role: 'owner' });
    const [{ slug }] = (await replicas.database.query('SELECT slug FROM auth.organizations WHERE id = $1', [
      owner.organizationId,
    ])) as [{ slug: string }];
    const input = { organization: slug, email: first, baseUrl: 'http://localhost:3000' };
    const { url } = await signInLink(replicas.adminDatabase, admin, input);
    expect(url).toMatch(/^http:\/\/localhost:3000\/welcome#[\w-]{43}$/);
    const body = { token: url.split('#')[1] };
    const { token, session } = signedIn(await people.public(welcome, { body }));
    expect(session.account).toEqual({ email: first, hasPassword: false });
    expect(await people.public(welcome, { body })).toMatchObject(refused('NOT_FOUND'));
    const chosen = await people.call(changePassword, token, { body: { newPassword: goodPassword } });
    expect(dataOf(chosen)).toMatchObject({ account: { hasPassword: true } });
    expect(await people.signIn(first, goodPassword)).toMatchObject({ ok: true });

    await people.public(requestPasswordReset, { body: { email: second } });
    const reset = await people.tokenTo(second, 'password_reset');
    await people.public(resetPassword, { body: { token: reset, password: goodPassword } });
    expect(await people.signIn(second, goodPassword)).toMatchObject({ ok: true });
  });
});

it('a member changes the own name, time zone and addresses; new addresses are not verified', async () => {
  const { token, session } = await people.member(owner, 'viewer');
  const contactMethods = [{ type: 'email', address: 'phone@example.com' }];
  const changed = await people.call(updateProfile, token, { body: { name: 'M. Okafor', contactMethods } });
  expect(dataOf(changed)).toMatchObject({
    name: 'M. Okafor',
    version: 3,
    contactMethods: [{ verified: true }, { address: 'phone@example.com', verified: false }],
  });
  expect(dataOf(await people.call(getProfile, token))).toEqual(dataOf(changed));
  const twice = { contactMethods: [{ type: 'email', address: session.account.email }] };
  expect(await people.call(updateProfile, token, { body: twice })).toMatchObject(refused('VALIDATION_ERROR'));
  expect(await people.call(updateProfile, token, { body: { role: 'owner' } })).toMatchObject(
    refused('VALIDATION_ERROR'),
  );
  expect(await people.call(updateProfile, token, { body: {}, ifMatch: '"1"' })).toMatchObject(
    refused('VERSION_MISMATCH'),
  );
  expect(await replicas.call(getProfile, owner)).toMatchObject(refused('INSUFFICIENT_SCOPE'));
});

it('no password and no token is in a log, in the audit log or in a table', async () => {
  const { token, password, email } = await people.member(owner);
  const link = String(people.mails.find(({ to }) => to.address === email)?.link).split('#')[1] as string;
  const tables = ['accounts', 'sessions', 'account_tokens', 'account_mails', 'audit_log', 'sign_in_attempts'];
  const texts = [...replicas.log];
  for (const table of tables) {
    const rows = await replicas.adminDatabase.query<{ row: string }>(`SELECT t::text AS row FROM auth.${table} t`);
    texts.push(...rows.map(({ row }) => row));
  }
  const all = texts.join('\n');
  for (const secret of [token, password, link]) expect(all.includes(secret)).toBe(false);
});
