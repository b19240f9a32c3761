/** The deletion of members over two replicas (ADR 73). */
import {
  credentialHash,
  deleteMember,
  getInvitation,
  inviteMember,
  newUuid,
  publicId,
  sessionsEndedRequest,
  updateMember,
  uuidOf,
  type Call,
  type Principal,
  type SessionsEndedNotice,
} from '@ams/contracts';
import { roles } from '@ams/scopes';
import {
  dataOf,
  insertDevice,
  insertMember,
  insertRows,
  insertSchedule,
  insertScheduleOverride,
  insertWorkflow,
} from '@ams/testing';
import { People } from '../../testing/people.js';
import { Replicas } from '../../testing/replicas.js';

let replicas: Replicas;
let people: People;
let me: Principal;
/** Sessions of which the gateways were told. */
const told: SessionsEndedNotice[] = [];

beforeAll(async () => {
  replicas = await Replicas.start(2, { PUBLIC_URL: 'https://alerts.example.com/' });
  people = new People(replicas);
  replicas.nats.subscribe(sessionsEndedRequest.subject, {
    callback: (_error, message) => {
      told.push(message.json<SessionsEndedNotice>());
      message.respond(JSON.stringify({ ended: 0 }));
    },
  });
});
afterAll(() => replicas.stop());
beforeEach(async () => {
  me = (await replicas.newOrganizationKey()).principal;
});

const remove = (id: string, as = me, values: Partial<Call> = {}) =>
  replicas.call(deleteMember, as, { params: { id }, ...values });
const member = (more: object = {}): Promise<string> => insertMember(replicas.sql, me, more);
const isThere = async (id: string): Promise<boolean> =>
  (await replicas.adminDatabase.query('SELECT FROM auth.members WHERE id = $1', [id])).length === 1;
const notFound = (id: string) => ({ ok: false, code: 'NOT_FOUND', details: { resource: 'member', id } });
const unauthorized = { kind: 'unauthorized' };
const entries = () =>
  replicas.adminDatabase.query<Record<string, unknown>>(
    `SELECT type, actor_id, resource_id, changes FROM auth.audit_log
     WHERE organization_id = $1 AND type = 'member.deleted' ORDER BY id`,
    [me.organizationId],
  );

/** The tables that have one of the texts in some row. */
async function tablesWith(...texts: string[]): Promise<string[]> {
  const tables = await replicas.adminDatabase.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relnamespace IN ('auth'::regnamespace, 'resources'::regnamespace, 'alerts'::regnamespace,
         'workflows'::regnamespace) ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const has = `SELECT FROM ${name} t WHERE EXISTS (SELECT FROM unnest($1::text[]) w WHERE strpos(t::text, w) > 0) LIMIT 1`;
    if ((await replicas.adminDatabase.query(has, [texts])).length > 0) found.push(name);
  }
  return found;
}

const history = ['auth.audit_log'];

it('deletes the member once, and the audit log says so without personal data', async () => {
  const id = await member({ name: 'Mira Okafor', email: 'mira@deleted.example' });
  const shown = publicId('member', id);
  expect(await remove(shown)).toMatchObject({ ok: true, status: 204 });
  expect(await isThere(id)).toBe(false);
  expect(await remove(shown)).toMatchObject(notFound(shown));
  expect(await entries()).toEqual([
    {
      type: 'member.deleted',
      actor_id: publicId('apiKey', me.id),
      resource_id: shown,
      changes: [
        { field: 'role', before: 'responder', after: null },
        { field: 'status', before: 'active', after: null },
      ],
    },
  ]);
  expect(await tablesWith('mira@deleted.example', 'Mira Okafor')).toEqual([]);
});

it('deletes at once what belongs to the person, and nothing of it stays outside of history', async () => {
  const { session, email } = await people.member(me);
  const id = uuidOf('member', session.member.id) as string;
  const contactMethods = [{ type: 'email', address: `home.${email}` }];
  dataOf(await replicas.call(updateMember, me, { params: { id: session.member.id }, body: { contactMethods } }));
  const of = { organizationId: me.organizationId, environment: 'live' };
  const [at, by] = [new Date(), { type: 'api_key', id: 'key_1', name: 'a key' }];
  const view = { ...of, page: 'alerts', query: {}, ownerId: id, position: 0, teamId: null };
  const teamId = newUuid();
  const shared = newUuid();
  const scheduleId = await insertSchedule(replicas.sql, me);
  await insertDevice(replicas.sql, me, { memberId: id });
  await insertRows(replicas.sql, 'resources.teams', [{ id: teamId, ...of, name: 'Web', slug: 'web' }]);
  await insertRows(replicas.sql, 'resources.calendar_feeds', [
    { id: newUuid(), ...of, memberId: id, tokenHash: newUuid(), createdBy: by, createdAt: at },
  ]);
  await insertRows(replicas.sql, 'resources.views', [
    { id: newUuid(), ...view, name: 'Mine', visibility: 'own', createdAt: at, updatedAt: at, version: 1 },
    { id: shared, ...view, name: 'Ours', visibility: 'team', teamId, createdAt: at, updatedAt: at, version: 1 },
  ]);
  await insertRows(replicas.sql, 'auth.openid_teams', [{ memberId: id, request: {}, notedAt: new Date('2100-01-01') }]);
  await insertRows(replicas.sql, 'auth.mail_recipients', [
    {
      id: newUuid(),
      organizationId: me.organizationId,
      kind: 'address',
      value: email,
      key: email,
      status: 'bounced',
      stoppedAt: at,
      createdAt: at,
      updatedAt: at,
    },
  ]);
  const past = { scheduleId, memberId: id, startsAt: new Date(at.getTime() - 7_200_000) };
  await insertScheduleOverride(replicas.sql, me, { ...past, endsAt: new Date(at.getTime() - 3_600_000) });

  expect(await remove(session.member.id)).toMatchObject({ ok: true });
  expect(await tablesWith(email)).toEqual(history);
  // Overrides of the past keep the id.
  expect(await tablesWith(id)).toEqual(['resources.schedule_overrides']);
  const owners = 'SELECT name, owner_id FROM resources.views WHERE organization_id = $1';
  expect(await replicas.adminDatabase.query(owners, [me.organizationId])).toEqual([{ name: 'Ours', owner_id: null }]);
  const noted = 'SELECT FROM resources.everybody_changes WHERE organization_id = $1';
  expect(await replicas.adminDatabase.query(noted, [me.organizationId])).not.toEqual([]);
});

describe('sessions and links', () => {
  it('end with the member: the gateways are told, and nobody signs in', async () => {
    const { session, token, email, password } = await people.member(me);
    const principal = await people.principal(token);
    expect(await remove(session.member.id)).toMatchObject({ ok: true });
    expect(told.flatMap(({ sessionIds }) => sessionIds)).toContain(uuidOf('session', session.id));
    expect(await people.admit(token)).toEqual(unauthorized);
    expect(await people.signIn(email, password)).toMatchObject({ code: 'UNAUTHORIZED' });
    // A request that was admitted before.
    const body = { name: 'Mine' };
    const late = await replicas.call(
      updateMember,
      { ...principal, scopes: [...roles.owner] },
      { params: { id: session.member.id }, body },
    );
    expect(late).toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('of other organizations go on, with the account', async () => {
    const { session, email, password } = await people.member(me);
    const other = (await replicas.newOrganizationKey()).principal;
    await insertMember(replicas.sql, other, { email });
    const link = `UPDATE auth.members SET account_id = (SELECT id FROM auth.accounts WHERE email = $1) WHERE email = $1`;
    await replicas.sql.query(link, [email]);
    expect(await remove(session.member.id)).toMatchObject({ ok: true });
    expect(await people.signIn(email, password)).toMatchObject({
      ok: true,
      body: { data: { session: { organization: { id: publicId('organization', other.organizationId) } } } },
    });
  });

  it('of an invitation end, and the address can be invited again', async () => {
    const { id, email } = await people.invite(me);
    const token = await people.tokenTo(email, 'invitation');
    expect(await remove(id)).toMatchObject({ ok: true });
    expect(await people.public(getInvitation, { body: { token } })).toMatchObject({ code: 'NOT_FOUND' });
    const again = dataOf<{ id: string }>(
      await replicas.call(inviteMember, me, { body: { name: 'Mira', email, role: 'viewer' } }),
    );
    expect(again.id).not.toBe(id);
  });
});

describe('a member who deletes the own record', () => {
  it('is signed out', async () => {
    await member({ role: 'owner' });
    const { session, token } = await people.member(me, 'admin');
    const answer = await people.call(deleteMember, token, { params: { id: session.member.id } });
    expect(answer).toMatchObject({ ok: true, status: 204, session: 'ended' });
    expect(await people.admit(token)).toEqual(unauthorized);
    expect(await entries()).toMatchObject([{ actor_id: session.member.id, resource_id: session.member.id }]);
  });

  it('is refused as the last active owner', async () => {
    const { session, token } = await people.member(me, 'owner');
    const answer = await people.call(deleteMember, token, { params: { id: session.member.id } });
    expect(answer).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('last active owner') });
    expect(await people.admit(token)).toMatchObject({ kind: 'admitted' });
  });
});

describe('the last active owner', () => {
  it('is not deleted, unless there is another one', async () => {
    const id = publicId('member', await member({ role: 'owner' }));
    await member({ role: 'owner', status: 'disabled' });
    await member({ role: 'owner', status: 'invited' });
    expect(await remove(id)).toMatchObject({ code: 'CONFLICT' });
    await member({ role: 'owner' });
    expect(await remove(id)).toMatchObject({ ok: true });
  });

  it('stays when all owners are deleted at the same time', async () => {
    const ids = [await member({ role: 'owner' }), await member({ role: 'owner' }), await member({ role: 'owner' })];
    const answers = await Promise.all(ids.map((id) => remove(publicId('member', id))));
    expect(answers.map(({ ok }) => ok).sort()).toEqual([false, true, true]);
  });
});

describe('a member whom something names', () => {
  const levels = [{ id: 'one', targets: [], escalateAfterSeconds: 60 }];

  it('is not deleted: the answer lists what names the member, in both environments', async () => {
    const id = await member({ email: 'named@example.com' });
    const [live, test] = [me, { ...me, environment: 'test' as const }];
    const of = (tenant: Principal) => ({ organizationId: tenant.organizationId, environment: tenant.environment });
    const schedule = await insertSchedule(replicas.sql, test, { name: 'Nights' });
    const other = await insertSchedule(replicas.sql, live, { name: 'Days' });
    const workflow = await insertWorkflow(replicas.sql, live, { name: 'Tell Mira' });
    const [policy, team] = [newUuid(), newUuid()];
    const override = await insertScheduleOverride(replicas.sql, live, { scheduleId: other, memberId: id });
    await insertRows(replicas.sql, 'resources.schedule_members', [{ ...of(test), scheduleId: schedule, memberId: id }]);
    await insertRows(replicas.sql, 'resources.workflow_references', [
      { ...of(live), workflowId: workflow, memberId: id },
    ]);
    await insertRows(replicas.sql, 'resources.escalation_policies', [
      { id: policy, ...of(live), name: 'Web', levels, repeat: 0 },
    ]);
    await insertRows(replicas.sql, 'resources.policy_references', [{ ...of(live), policyId: policy, memberId: id }]);
    await insertRows(replicas.sql, 'resources.teams', [{ id: team, ...of(test), name: 'Web', slug: 'web' }]);
    await insertRows(replicas.sql, 'resources.team_members', [
      { ...of(test), teamId: team, memberId: id, role: 'manager', position: 0 },
    ]);
    const answer = await remove(publicId('member', id));
    expect(answer).toMatchObject({
      code: 'RESOURCE_IN_USE',
      details: {
        references: [
          { resource: 'escalation_policy', id: publicId('escalationPolicy', policy), name: 'Web' },
          { resource: 'override', id: publicId('scheduleOverride', override), name: 'Days' },
          { resource: 'schedule', id: publicId('schedule', schedule), name: 'Nights' },
          { resource: 'team', id: publicId('team', team), name: 'Web' },
          { resource: 'workflow', id: publicId('workflow', workflow), name: 'Tell Mira' },
        ],
      },
      message: expect.stringContaining(`the schedule "Nights" (test, ${publicId('schedule', schedule)})`),
    });
    expect(JSON.stringify(answer)).not.toContain('named@example.com');
    expect(await isThere(id)).toBe(true);
    expect(await entries()).toEqual([]);

    for (const table of ['schedule_members', 'workflow_references', 'policy_references', 'team_members'])
      await replicas.sql.query(`DELETE FROM resources.${table} WHERE member_id = $1`, [id]);
    await replicas.sql.query("UPDATE resources.schedule_overrides SET ends_at = now() - interval '1 s' WHERE id = $1", [
      override,
    ]);
    expect(await remove(publicId('member', id))).toMatchObject({ ok: true });
  });

  it('is seen, when the record is written at the same time', async () => {
    const id = await member();
    const scheduleId = await insertSchedule(replicas.sql, me);
    const { organizationId, environment } = me;
    const [answer] = await replicas.adminDatabase.asService(async (tx) => {
      expect(
        await tx.query('SELECT auth.hold_members($1, ARRAY[$2]::uuid[], ARRAY[]::uuid[])', [organizationId, id]),
      ).toHaveLength(1);
      const deletion = remove(publicId('member', id));
      await replicas.lockWait('%"auth"."members"%FOR UPDATE%');
      await tx.query(
        'INSERT INTO resources.schedule_members (organization_id, environment, schedule_id, member_id) VALUES ($1, $2, $3, $4)',
        [organizationId, environment, scheduleId, id],
      );
      return [deletion];
    });
    expect(await answer).toMatchObject({
      code: 'RESOURCE_IN_USE',
      details: { references: [{ resource: 'schedule', id: publicId('schedule', scheduleId) }] },
    });
  });
});

describe('is refused', () => {
  it('to other organizations, and for an id of the wrong form', async () => {
    const id = await member();
    const shown = publicId('member', id);
    const elsewhere = (await replicas.newOrganizationKey()).principal;
    expect(await remove(shown, elsewhere)).toMatchObject(notFound(shown));
    expect(await remove('usr_1')).toMatchObject(notFound('usr_1'));
    expect(await isThere(id)).toBe(true);
  });

  it('to keys of the test environment, and to those without a scope of the role', async () => {
    const id = publicId('member', await member({ role: 'admin' }));
    const test = (await replicas.newKey(me.organizationId, { environment: 'test' })).principal;
    const scopes = ['users:write', ...roles.responder] as const;
    const lesser = (await replicas.newKey(me.organizationId, { scopes })).principal;
    expect(await remove(id, test)).toMatchObject({ code: 'INSUFFICIENT_SCOPE', details: { required: 'live' } });
    expect(await remove(id, lesser)).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    const responder = publicId('member', await member());
    expect(await remove(responder, lesser)).toMatchObject({ ok: true });
  });

  it('for another version than the one that was read', async () => {
    const id = publicId('member', await member());
    expect(await remove(id, me, { ifMatch: '"7"' })).toMatchObject({
      code: 'VERSION_MISMATCH',
      details: { current: 1 },
    });
    expect(await remove(id, me, { ifMatch: '"1"' })).toMatchObject({ ok: true });
  });
});

it('stores no credential of the person after the deletion', async () => {
  const { session, token } = await people.member(me);
  expect(await tablesWith(credentialHash(token))).toEqual(['auth.sessions']);
  await remove(session.member.id);
  expect(await tablesWith(credentialHash(token))).toEqual([]);
});
