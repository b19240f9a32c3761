import { newUuid, uuidOf } from '@ams/contracts';
import { Database } from '@ams/database';
import type { Environment } from '@ams/scopes';
import { insertRows, insertSchedule, insertScheduleOverride, insertWorkflow } from '@ams/testing';
import { Replicas } from '../../testing/replicas.js';
import {
  addMember,
  deleteMember,
  disableMember,
  enableMember,
  listMembers,
  setRole,
  type MemberSummary,
} from './operator-members.js';
import { createOrganization } from '../organizations/operator-organizations.js';

let replicas: Replicas;
let database: Database;
beforeAll(async () => {
  replicas = await Replicas.start(0);
  database = replicas.adminDatabase;
});
afterAll(async () => {
  await replicas?.stop();
});

const owner = 'ada@example.com';
let made = 0;

/** The slug of a new organization with the owner Ada. */
async function newOrganization(): Promise<string> {
  const { organization } = await createOrganization(database, {
    name: `Organization ${++made}`,
    ownerName: 'Ada',
    ownerEmail: owner,
  });
  return organization.slug;
}

const add = (organization: string, name: string, role = 'responder'): Promise<MemberSummary> =>
  addMember(database, { organization, name, email: `${name.toLowerCase()}@example.com`, role });
const entries = (slug: string) =>
  database.query<{ type: string; resource_id: string; environment: string; actor: object; changes: object[] }>(
    `SELECT type, resource_id, environment, changes,
       json_build_object('type', actor_type, 'id', actor_id, 'name', actor_name) AS actor
     FROM auth.audit_log WHERE organization_id = (SELECT id FROM auth.organizations WHERE slug = $1)
       AND type = 'member.updated' ORDER BY id`,
    [slug],
  );

it('adds members and lists them by name', async () => {
  const organization = await newOrganization();
  const zoe = await add(organization, 'zoe', 'viewer');
  const mira = await addMember(database, {
    organization,
    name: 'Mira Okafor',
    email: 'Mira@Example.com',
    role: 'admin',
    timezone: 'Europe/Berlin',
  });
  expect(mira).toEqual({
    id: expect.stringMatching(/^usr_[0-9a-f]{32}$/),
    name: 'Mira Okafor',
    email: 'Mira@Example.com',
    role: 'admin',
    status: 'active',
    timezone: 'Europe/Berlin',
    createdAt: expect.any(String),
  });
  const list = await listMembers(database, { organization });
  expect(list.map(({ name, timezone }) => `${name} ${timezone}`)).toEqual([
    'Ada UTC',
    'Mira Okafor Europe/Berlin',
    'zoe UTC',
  ]);
  expect(list.slice(1)).toEqual([mira, zoe]);
  expect(
    await database.query(
      "SELECT actor_name, changes FROM auth.audit_log WHERE type = 'member.created' AND resource_id = $1",
      [mira.id],
    ),
  ).toEqual([
    {
      actor_name: 'admin',
      changes: [
        { field: 'name', before: null, after: 'Mira Okafor' },
        { field: 'email', before: null, after: 'Mira@Example.com' },
        { field: 'role', before: null, after: 'admin' },
        { field: 'timezone', before: null, after: 'Europe/Berlin' },
      ],
    },
  ]);
});

it('adds an address once in an organization, in upper or lower case, also when three are added at once', async () => {
  const organization = await newOrganization();
  const results = await Promise.allSettled(
    ['mira@example.com', 'MIRA@example.com', 'mira@EXAMPLE.com'].map((email) =>
      addMember(database, { organization, name: 'Mira', email, role: 'viewer' }),
    ),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const result of results)
    if (result.status === 'rejected')
      expect(result.reason).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('already') });
  expect(await listMembers(database, { organization })).toHaveLength(2);
  const other = await newOrganization();
  expect(await add(other, 'mira')).toMatchObject({ email: 'mira@example.com' });
});

it.each([
  ['a name without a visible character', { name: ' \t' }, /no visible character/],
  ['a name that is too long', { name: 'x'.repeat(201) }, /more than 200/],
  ['an invalid address', { email: 'mira' }, /"mira" is not an e-mail address/],
  ['an unknown role', { role: 'boss' }, /no role "boss"; there are owner, admin, responder, viewer/],
  ['a property of every object as the role', { role: 'toString' }, /no role "toString"/],
  [
    'an unknown zone of a region',
    { timezone: 'europe/Berln' },
    /no time zone "europe\/Berln"; there are .*Europe\/Berlin, .*Europe\/Zurich/,
  ],
  ['an unknown zone', { timezone: 'Berlin' }, /no time zone "Berlin"; there are UTC and .*Europe\/…/],
  ['an offset', { timezone: '+02:00' }, /no time zone/],
])('refuses %s', async (_what, wrong, sentence) => {
  const organization = await newOrganization();
  await expect(
    addMember(database, { organization, name: 'Mira', email: 'mira@example.com', role: 'viewer', ...wrong }),
  ).rejects.toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringMatching(sentence) });
  expect(await listMembers(database, { organization })).toHaveLength(1);
});

it.each([
  ['list', (organization: string) => listMembers(database, { organization })],
  ['add', (organization: string) => add(organization, 'mira')],
  ['set-role', (organization: string) => setRole(database, { organization, email: owner, role: 'admin' })],
  ['disable', (organization: string) => disableMember(database, null, { organization, email: owner })],
  ['delete', (organization: string) => deleteMember(database, null, { organization, email: owner })],
  ['enable', (organization: string) => enableMember(database, { organization, email: owner })],
])('%s says that there is no such organization', async (_verb, act) => {
  await expect(act('nowhere')).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: 'There is no organization with the slug "nowhere".',
  });
});

it('changes a role, and reports no change when it is repeated', async () => {
  const organization = await newOrganization();
  const mira = await add(organization, 'mira');
  expect(await setRole(database, { organization, email: 'MIRA@example.com', role: 'owner' })).toEqual({
    changed: true,
    member: { ...mira, role: 'owner' },
  });
  expect(await setRole(database, { organization, email: 'mira@example.com', role: 'owner' })).toEqual({
    changed: false,
    member: { ...mira, role: 'owner' },
  });
  expect(await entries(organization)).toEqual([
    {
      type: 'member.updated',
      resource_id: mira.id,
      environment: 'live',
      actor: { type: 'service', id: null, name: 'admin' },
      changes: [{ field: 'role', before: 'responder', after: 'owner' }],
    },
  ]);
  await expect(setRole(database, { organization, email: 'mira@example.com', role: 'boss' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  });
  await expect(setRole(database, { organization, email: 'nobody@example.com', role: 'owner' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: `There is no member with the address "nobody@example.com" in ${organization}.`,
  });
});

it('disables and enables, and reports no change when it is repeated', async () => {
  const organization = await newOrganization();
  const mira = await add(organization, 'mira');
  const named = { organization, email: 'mira@example.com' };
  expect(await disableMember(database, null, named)).toMatchObject({
    changed: true,
    member: { ...mira, status: 'disabled' },
  });
  expect(await disableMember(database, null, named)).toMatchObject({ changed: false });
  expect(await enableMember(database, named)).toEqual({ changed: true, member: mira });
  expect(await enableMember(database, named)).toMatchObject({ changed: false });
  expect((await entries(organization)).map(({ changes }) => changes)).toEqual([
    [{ field: 'status', before: 'active', after: 'disabled' }],
    [{ field: 'status', before: 'disabled', after: 'active' }],
  ]);
});

it('deletes a member whom nothing names, once', async () => {
  const organization = await newOrganization();
  const mira = await add(organization, 'mira');
  const named = { organization, email: 'MIRA@example.com' };
  const [team, tenant] = [
    newUuid(),
    await replicas.sql.query('SELECT id FROM auth.organizations WHERE slug = $1', [organization]),
  ];
  const of = { organizationId: (tenant.rows[0] as { id: string }).id, environment: 'test' };
  await insertRows(replicas.sql, 'resources.teams', [{ id: team, ...of, name: 'Web', slug: 'web' }]);
  await insertRows(replicas.sql, 'resources.team_members', [
    { ...of, teamId: team, memberId: uuidOf('member', mira.id), role: 'responder', position: 0 },
  ]);
  await expect(deleteMember(database, null, named)).rejects.toMatchObject({
    code: 'RESOURCE_IN_USE',
    message: expect.stringMatching(/^mira@example.com is used by the team "Web" \(test, tem_\w+\)\. Remove/),
  });
  await replicas.sql.query('DELETE FROM resources.team_members WHERE team_id = $1', [team]);
  expect(await deleteMember(database, null, named)).toEqual({
    member: mira,
    sessions: 0,
    gatewaysTold: 0,
    ended: true,
  });
  await expect(deleteMember(database, null, named)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await listMembers(database, { organization })).map(({ name }) => name)).toEqual(['Ada']);
  await expect(deleteMember(database, null, { organization, email: owner })).rejects.toMatchObject({
    code: 'CONFLICT',
  });
});

describe('the last active owner', () => {
  const refusal = {
    code: 'CONFLICT',
    message: expect.stringMatching(
      /^ada@example.com is the last active owner of .*: first make somebody else an owner\.$/,
    ),
  };

  it('cannot be disabled and keeps the role', async () => {
    const organization = await newOrganization();
    await add(organization, 'mira', 'owner');
    await disableMember(database, null, { organization, email: 'mira@example.com' });
    await expect(disableMember(database, null, { organization, email: owner })).rejects.toMatchObject(refusal);
    await expect(setRole(database, { organization, email: owner, role: 'admin' })).rejects.toMatchObject(refusal);
    expect((await entries(organization)).map(({ changes }) => changes)).toEqual([
      [{ field: 'status', before: 'active', after: 'disabled' }],
    ]);
    expect(await setRole(database, { organization, email: 'mira@example.com', role: 'viewer' })).toMatchObject({
      changed: true,
    }); // a disabled owner does not count
  });

  it('stays active when all owners are disabled at once', async () => {
    for (let round = 0; round < 10; round++) {
      const organization = await newOrganization();
      await Promise.all(['mira', 'zoe'].map((name) => add(organization, name, 'owner')));
      const results = await Promise.allSettled([
        disableMember(database, null, { organization, email: owner }),
        setRole(database, { organization, email: 'mira@example.com', role: 'viewer' }),
        disableMember(database, null, { organization, email: 'zoe@example.com' }),
      ]);
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
      expect(
        (await listMembers(database, { organization })).filter(
          ({ role, status }) => role === 'owner' && status === 'active',
        ),
      ).toHaveLength(1);
    }
  });
});

describe('a member whom a schedule, a workflow or an escalation policy names', () => {
  let organization: string;
  let organizationId: string;
  let mira: string;
  beforeEach(async () => {
    organization = await newOrganization();
    mira = uuidOf('member', (await add(organization, 'mira')).id) as string;
    [{ id: organizationId }] = (await database.query<{ id: string }>(
      'SELECT id FROM auth.organizations WHERE slug = $1',
      [organization],
    )) as [{ id: string }];
  });

  const tenant = (environment: Environment = 'live') => ({ organizationId, environment });
  const schedule = (name: string, environment: Environment) =>
    insertSchedule(replicas.sql, tenant(environment), { name });
  const inLayers = (scheduleId: string, memberId: string, environment: Environment) =>
    insertRows(replicas.sql, 'resources.schedule_members', [{ ...tenant(environment), scheduleId, memberId }]);
  const override = (scheduleId: string, endsAt: string) =>
    insertScheduleOverride(replicas.sql, tenant(), {
      scheduleId,
      memberId: mira,
      startsAt: '2020-01-01T00:00:00Z',
      endsAt,
    });
  async function workflow(name: string, environment: Environment, memberId: string): Promise<string> {
    const workflowId = await insertWorkflow(replicas.sql, tenant(environment), { name });
    await insertRows(replicas.sql, 'resources.workflow_references', [{ ...tenant(environment), workflowId, memberId }]);
    return workflowId;
  }
  async function policy(name: string, memberId: string): Promise<string> {
    const id = newUuid();
    await insertRows(replicas.sql, 'resources.escalation_policies', [{ ...tenant(), id, name, levels: [], repeat: 0 }]);
    await insertRows(replicas.sql, 'resources.policy_references', [{ ...tenant(), policyId: id, memberId }]);
    return id;
  }
  const publicForm = (prefix: string, uuid: string) => `${prefix}_${uuid.replaceAll('-', '')}`;
  const disable = () => disableMember(database, null, { organization, email: 'mira@example.com' });

  it('is not disabled, and the refusal names the schedule, workflow or policy', async () => {
    const [night, day] = [await schedule('Night', 'live'), await schedule('Day', 'test')];
    await inLayers(day, mira, 'test');
    const coming = await override(night, '9999-01-01T00:00:00Z');
    const page = await workflow('Page Mira', 'live', mira);
    const escalation = await policy('Mira first', mira);
    const references = [
      { resource: 'escalation_policy', id: publicForm('pol', escalation), name: 'Mira first' },
      { resource: 'override', id: publicForm('ovr', coming), name: 'Night' },
      { resource: 'schedule', id: publicForm('sch', day), name: 'Day' },
      { resource: 'workflow', id: publicForm('wfl', page), name: 'Page Mira' },
    ];
    await expect(disable()).rejects.toMatchObject({
      code: 'RESOURCE_IN_USE',
      details: { references },
      message:
        `mira@example.com is used by the escalation policy "Mira first" (live, ${references[0]?.id}), ` +
        `an override of the schedule "Night" (live, ${references[1]?.id}), ` +
        `the schedule "Day" (test, ${references[2]?.id}), ` +
        `the workflow "Page Mira" (live, ${references[3]?.id}). Remove these references first.`,
    });
    expect(await entries(organization)).toEqual([]);
    expect(await setRole(database, { organization, email: 'mira@example.com', role: 'viewer' })).toMatchObject({
      changed: true,
    });
  });

  it('is disabled when the override has ended, or when another member is named instead', async () => {
    const night = await schedule('Night', 'live');
    const zoe = uuidOf('member', (await add(organization, 'zoe')).id) as string;
    await override(night, '2020-01-02T00:00:00Z');
    await inLayers(night, zoe, 'live');
    await workflow('Page Zoe', 'live', zoe);
    expect(await disable()).toMatchObject({ changed: true, member: { status: 'disabled' } });
  });

  it('is not disabled while a schedule that names the member is being written', async () => {
    const night = await schedule('Night', 'live');
    let disabling: Promise<unknown> = Promise.resolve();
    await database.asService(async (tx) => {
      await tx.query(
        `INSERT INTO resources.schedule_members (organization_id, environment, schedule_id, member_id)
         VALUES ($1, 'live', $2, $3)`,
        [organizationId, night, mira],
      );
      disabling = disable();
      disabling.catch(() => undefined);
      await replicas.lockWait('%"auth"."members"%');
    });
    await expect(disabling).rejects.toMatchObject({ code: 'RESOURCE_IN_USE' });
  });
});
