import {
  beginOpenIdSignIn,
  getSignInMethods,
  publicId,
  signInWithOpenId,
  teamMembershipRequest,
  type Answer,
  type OpenIdRedirect,
  type OpenIdSignedIn,
  type TeamMembershipReply,
  type TeamMembershipRequest,
} from '@ams/contracts';
import { callPublicOperation, dataOf, eventually, insertMember, insertRows } from '@ams/testing';
import { randomUUID } from 'node:crypto';
import { hashOfCookie } from '../../testing/inserted-people.js';
import { Replicas } from '../../testing/replicas.js';
import { testClient, TestProvider, type Person } from '../../testing/test-provider.js';

const publicUrl = 'https://alerts.example.com';

let provider: TestProvider;
let replicas: Replicas;
let organizationId: string;
const told: TeamMembershipRequest[] = [];

beforeAll(async () => {
  provider = await TestProvider.start(`${publicUrl}/sign-in/openid`);
  replicas = await Replicas.start(2, {
    PUBLIC_URL: publicUrl,
    OPENID_ISSUER: provider.issuer,
    OPENID_CLIENT_ID: testClient.id,
    OPENID_CLIENT_SECRET: testClient.secret,
    OPENID_TIMEOUT_SECONDS: '60',
    OPENID_NAME: 'Example login',
    OPENID_ORGANIZATION: 'example',
    OPENID_CREATE_MEMBERS: 'true',
    OPENID_GROUPS_CLAIM: 'groups',
    OPENID_ROLES: 'leads=admin,bosses=owner,sre=responder',
    OPENID_TEAMS: 'pay=payments,sre=everybody',
  });
  organizationId = await replicas.newOrganization();
  await replicas.sql.query("UPDATE auth.organizations SET slug = 'example' WHERE id = $1", [organizationId]);
  replicas.nats.subscribe(teamMembershipRequest.subject, {
    callback: (_error, message) => {
      told.push(message.json<TeamMembershipRequest>());
      const reply: TeamMembershipReply = { changed: [], full: [], unknown: [] };
      message.respond(JSON.stringify(reply));
    },
  });
});
afterAll(async () => {
  await replicas?.stop();
  await provider?.stop();
});
beforeEach(() => {
  provider.tamper = null;
});

const anyone = (
  operation: Parameters<typeof callPublicOperation>[1],
  body: object,
  sessionHash: string | null = null,
) => callPublicOperation(replicas.nats, operation, { body, sessionHash });

const person = (changed: Partial<Person> = {}): Person => {
  const sub = randomUUID();
  return { sub, email: `${sub}@example.com`, email_verified: true, name: 'Mira Okafor', groups: ['sre'], ...changed };
};

interface Visit {
  cookie: string;
  parameters: Record<string, string>;
}

/** To the provider and back. */
async function visit(who: Person, body: object = {}): Promise<Visit> {
  provider.person = who;
  const begun = await anyone(beginOpenIdSignIn, body);
  const { url } = dataOf<OpenIdRedirect>(begun);
  return { cookie: hashOfCookie(begun), parameters: await provider.visit(url) };
}

async function signInAs(who: Person, body: object = {}): Promise<Answer> {
  const { cookie, parameters } = await visit(who, body);
  return anyone(signInWithOpenId, { parameters }, cookie);
}

const memberOf = async ({ email }: Person): Promise<{ role: string; status: string; name: string } | undefined> => {
  const [member] = await replicas.database.query<{ role: string; status: string; name: string }>(
    'SELECT role, status, name FROM auth.members WHERE organization_id = $1 AND lower(email) = lower($2)',
    [organizationId, email],
  );
  return member;
};

const member = (email: string, values: object = {}) =>
  insertMember(replicas.sql, { organizationId }, { email, ...values });

describe('signing in', () => {
  it('makes a member, with the role of the groups, and answers the page that was wanted', async () => {
    const mira = person();
    const answer = await signInAs(mira, { returnTo: '/alerts?status=firing' });
    expect(dataOf<OpenIdSignedIn>(answer)).toMatchObject({
      returnTo: '/alerts?status=firing',
      secondFactor: null,
      session: {
        account: { email: mira.email, hasPassword: false },
        member: { name: 'Mira Okafor', role: 'responder', status: 'active' },
      },
    });
    expect(
      await replicas.admitSession({ sessionHash: hashOfCookie(answer), environment: 'live' }, { scope: null }),
    ).toMatchObject({ kind: 'admitted' });
  });

  it('finds the same account at the second time, also with another address', async () => {
    const mira = person();
    const first = dataOf<OpenIdSignedIn>(await signInAs(mira));
    const second = dataOf<OpenIdSignedIn>(
      await signInAs({ ...mira, email: `new-${mira.email}`, email_verified: false, groups: ['leads'] }),
    );
    expect(second.session?.member).toMatchObject({ id: first.session?.member.id, role: 'admin', email: mira.email });
  });

  it('makes a member active who was invited, and joins the account of a password', async () => {
    const mira = person();
    const email = mira.email as string;
    const id = await member(email.toUpperCase(), { status: 'invited', role: 'viewer' });
    const accountId = randomUUID();
    const now = new Date();
    await insertRows(replicas.sql, 'auth.accounts', [
      { id: accountId, email, password_hash: 'x', created_at: now, updated_at: now },
    ]);
    expect(dataOf<OpenIdSignedIn>(await signInAs(mira)).session).toMatchObject({
      account: { hasPassword: true },
      member: { id: publicId('member', id), role: 'responder', status: 'active' },
    });
  });

  it('records who changed the member', async () => {
    const mira = person();
    await signInAs(mira);
    await signInAs({ ...mira, groups: ['leads'] });
    const rows = await replicas.database.query<{ type: string; actor_name: string; changes: object[] }>(
      `SELECT a.type, a.actor_name, a.changes FROM auth.audit_log a JOIN auth.members m ON lower(m.email) = lower($1)
         AND a.resource_id = 'usr_' || replace(m.id::text, '-', '')
       WHERE a.type LIKE 'member.%' ORDER BY a.id`,
      [mira.email],
    );
    expect(rows.map(({ type, actor_name }) => `${type} by ${actor_name}`)).toEqual([
      'member.created by Example login',
      'member.signed_in by Mira Okafor',
      'member.updated by Example login',
      'member.signed_in by Mira Okafor',
    ]);
    expect(rows[2]?.changes).toEqual([{ field: 'role', before: 'responder', after: 'admin' }]);
  });

  it('tells resource-api the teams of the groups', async () => {
    const mira = person({ groups: ['sre', 'pay'] });
    const { session } = dataOf<OpenIdSignedIn>(await signInAs(mira));
    const toldAbout = () => told.find(({ memberId }) => publicId('member', memberId) === session?.member.id);
    await eventually(() => expect(toldAbout()).toBeDefined());
    expect(toldAbout()).toMatchObject({
      organizationId,
      actorName: 'Example login',
      teams: [
        { slug: 'payments', belongs: true },
        { slug: 'everybody', belongs: true },
      ],
    });
    await eventually(async () => expect(await replicas.database.query('SELECT 1 FROM auth.openid_teams')).toEqual([]));
  });

  it('lets the last active owner keep the role', async () => {
    const boss = person({ groups: ['bosses'] });
    await signInAs(boss);
    await replicas.sql.query(
      "UPDATE auth.members SET role = 'viewer' WHERE organization_id = $1 AND role = 'owner' AND email <> $2",
      [organizationId, boss.email],
    );
    expect(dataOf<OpenIdSignedIn>(await signInAs({ ...boss, groups: ['sre'] })).session?.member.role).toBe('owner');
  });
});

describe('who may not sign in', () => {
  it.each<[string, Partial<Person>, string]>([
    ['somebody whose address is not verified', { email_verified: false }, 'notVerified'],
    ['somebody without an address', { email: undefined, email_verified: undefined } as never, 'notVerified'],
    ['somebody in none of the groups', { groups: ['guests'] }, 'noRole'],
  ])('is %s', async (_what, changed, required) => {
    const stranger = person(changed);
    expect(await signInAs(stranger)).toMatchObject({ code: 'INSUFFICIENT_SCOPE', details: { required } });
    expect(await memberOf(stranger)).toBeUndefined();
    const identities = 'SELECT 1 FROM auth.openid_identities WHERE subject = $1';
    expect(await replicas.database.query(identities, [stranger.sub])).toEqual([]);
  });

  it('is somebody who is disabled', async () => {
    const mira = person();
    await member(mira.email as string, { status: 'disabled' });
    expect(await signInAs(mira)).toMatchObject({ details: { required: 'disabled' } });
    expect(await memberOf(mira)).toMatchObject({ status: 'disabled' });
  });
});

describe('an answer is refused', () => {
  const refused = { ok: false, code: 'UNAUTHORIZED' };

  it('with another state, and then the right one is used up', async () => {
    const { cookie, parameters } = await visit(person());
    expect(await anyone(signInWithOpenId, { parameters: { ...parameters, state: 'x' } }, cookie)).toMatchObject(
      refused,
    );
    expect(await anyone(signInWithOpenId, { parameters }, cookie)).toMatchObject(refused);
  });

  it('without the cookie of the browser that began', async () => {
    const { parameters } = await visit(person());
    const other = await visit(person());
    for (const cookie of [null, other.cookie])
      expect(await anyone(signInWithOpenId, { parameters }, cookie)).toMatchObject(refused);
  });

  it('a second time, and when it comes too late', async () => {
    const { cookie, parameters } = await visit(person());
    expect(await anyone(signInWithOpenId, { parameters }, cookie)).toMatchObject({ ok: true });
    expect(await anyone(signInWithOpenId, { parameters }, cookie)).toMatchObject(refused);
    const late = await visit(person());
    await replicas.sql.query('UPDATE auth.openid_sign_ins SET expires_at = now()');
    expect(await anyone(signInWithOpenId, { parameters: late.parameters }, late.cookie)).toMatchObject(refused);
  });

  it('of another issuer, and with an error of the provider', async () => {
    const { cookie, parameters } = await visit(person());
    const foreign = { ...parameters, iss: 'https://evil.example' };
    expect(await anyone(signInWithOpenId, { parameters: foreign }, cookie)).toMatchObject(refused);
    const again = await visit(person());
    const { state = '', iss = '' } = again.parameters;
    const failed = { state, iss, error: 'access_denied' };
    expect(await anyone(signInWithOpenId, { parameters: failed }, again.cookie)).toMatchObject(refused);
  });

  it.each<[string, (claims: Record<string, unknown>) => Record<string, unknown>]>([
    ['another nonce', (claims) => ({ ...claims, nonce: 'x' })],
    ['no nonce', ({ nonce: _nonce, ...claims }) => claims],
    ['another audience', (claims) => ({ ...claims, aud: 'other' })],
    ['another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['an expiry in the past', (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 600 })],
    ['another subject than the user info', (claims) => ({ ...claims, sub: 'somebody else' })],
  ])('with an id token that has %s', async (_what, tamper) => {
    const mira = person();
    provider.tamper = tamper;
    expect(await signInAs(mira)).toMatchObject(refused);
    expect(await memberOf(mira)).toBeUndefined();
  });

  it('with an id token that another key has signed', async () => {
    const other = await TestProvider.start(`${publicUrl}/sign-in/openid`);
    const mira = person();
    provider.signer = other.signer;
    provider.tamper = (claims) => claims;
    try {
      expect(await signInAs(mira)).toMatchObject(refused);
    } finally {
      provider.signer = provider.ownSigner;
      await other.stop();
    }
  });

  it.each(['//evil.example', 'https://evil.example', '/\\evil.example', 'alerts', '/a b', '/\n'])(
    'for the page %j of another site',
    async (returnTo) =>
      expect(await anyone(beginOpenIdSignIn, { returnTo })).toMatchObject({ code: 'VALIDATION_ERROR' }),
  );
});

it('the sign-in page shows the provider', async () => {
  expect(dataOf(await anyone(getSignInMethods, {}))).toMatchObject({ openId: { name: 'Example login' } });
});
