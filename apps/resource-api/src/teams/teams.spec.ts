import {
  createEscalationPolicy,
  createIntegration,
  createSchedule,
  createSuppression,
  createTeam,
  createWorkflow,
  deleteIntegration,
  deleteTeam,
  getTeam,
  listIntegrations,
  listSchedules,
  listSuppression,
  listTeams,
  listWorkflows,
  newUuid,
  publicId,
  updateIntegration,
  updateSchedule,
  updateSuppression,
  updateTeam,
  updateWorkflow,
  type AuditRecord,
  type Operation,
  type Principal,
  type Team,
} from '@ams/contracts';
import { dataOf, eventually, idempotencyOf, insertMember, pageOf } from '@ams/testing';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let me: Principal;
let ann: string;
let bob: string;
let gone: string;
let policyId: string;
const audit: AuditRecord[] = [];

beforeAll(async () => {
  api = await startResourceApi();
  me = await api.newPrincipal();
  [ann, bob, gone] = [await newMember('Ann'), await newMember('Bob'), await newMember('Gone', 'disabled')];
  api.nats.subscribe('evt.audit', { callback: (_error, message) => void audit.push(message.json<AuditRecord>()) });
  policyId = await newPolicy();
});
afterAll(() => api.stop());

const newMember = async (name: string, status: 'active' | 'disabled' = 'active'): Promise<string> =>
  publicId('member', await insertMember(api.admin, me, { name, status }));

const newPolicy = async (body: object = {}): Promise<string> => {
  const levels = [{ targets: [{ type: 'user', id: ann }] }];
  return dataOf<{ id: string }>(
    await api.callAs(me, createEscalationPolicy, { body: { name: 'Policy', levels, ...body } }),
  ).id;
};
const create = async (body: object = {}, principal = me): Promise<Team> =>
  dataOf(await api.callAs(principal, createTeam, { body: { name: `Team ${newUuid()}`, ...body } }));
const update = (id: string, body: object, ifMatch: string | null = null) =>
  api.callAs<{ data: Team }>(me, updateTeam, { params: { id }, body, ifMatch });
const remove = (id: string) => api.callAs(me, deleteTeam, { params: { id } });
const idsWith = async (query: Record<string, string>): Promise<string[]> =>
  pageOf<Team>(await api.callAs(me, listTeams, { query })).data.map(({ id }) => id);
const refused = (...paths: [path: string, rule: string][]) => ({
  ok: false,
  code: 'VALIDATION_ERROR',
  details: { fields: paths.map(([path, rule]) => expect.objectContaining({ path, rule })) },
});

describe('creating a team', () => {
  it('makes the slug from the name, and leaves out members and policy', async () => {
    expect(await create({ name: 'Zahlungen & Käufe' })).toEqual({
      id: expect.stringMatching(/^tem_[0-9a-f]{32}$/),
      name: 'Zahlungen & Käufe',
      slug: 'zahlungen-kaufe',
      description: null,
      members: [],
      policyId: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      version: 1,
    });
    expect((await create({ name: '支付' })).slug).toMatch(/^team-[0-9a-f]{6}$/);
  });

  it('keeps members in their order, with their roles', async () => {
    const members = [
      { userId: bob, role: 'responder' },
      { userId: ann, role: 'manager' },
    ];
    const team = await create({ slug: 'ordered', description: 'In order', members, policyId });
    expect(team).toMatchObject({ slug: 'ordered', description: 'In order', members, policyId });
    expect(dataOf(await api.callAs(me, getTeam, { params: { id: team.id } }))).toEqual(team);
  });

  it('makes responders of members without a role', async () => {
    const { members } = await create({ members: [{ userId: bob }, { userId: ann, role: 'manager' }] });
    expect(members).toEqual([
      { userId: bob, role: 'responder' },
      { userId: ann, role: 'manager' },
    ]);
  });

  it.each<[string, () => object, [string, string][]]>([
    [
      'an unknown member and policy',
      () => ({ members: [{ userId: 'usr_x', role: 'manager' }], policyId: 'pol_x' }),
      [
        ['policyId', 'exists'],
        ['members[0].userId', 'exists'],
      ],
    ],
    ['a disabled member', () => ({ members: [{ userId: gone, role: 'manager' }] }), [['members[0].userId', 'exists']]],
    [
      'an unknown role and an unknown field',
      () => ({ members: [{ userId: ann, role: 'boss', since: 1 }], color: 'red' }),
      [
        ['members[0].role', 'enum'],
        ['members[0].since', 'unknown'],
        ['color', 'unknown'],
      ],
    ],
    [
      'a member twice',
      () => ({ members: [ann, ann].map((userId) => ({ userId, role: 'manager' })) }),
      [['members[1].userId', 'unique']],
    ],
    [
      '101 members',
      () => ({ members: Array.from({ length: 101 }, (_, i) => ({ userId: `usr_${i}`, role: 'manager' })) }),
      [['members', 'maxItems']],
    ],
    ['a slug with capitals', () => ({ slug: 'Payments' }), [['slug', 'matches']]],
  ])('refuses %s', async (_what, body, paths) => {
    const answer = await api.callAs(me, createTeam, { body: { name: 'Refused', ...body() } });
    expect(answer).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
    const { fields } = (answer as { details: { fields: { path: string; rule: string }[] } }).details;
    expect(fields.map(({ path, rule }) => [path, rule]).sort()).toEqual([...paths].sort());
  });

  it('refuses a slug that another team has, also when both are created at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => api.callAs(me, createTeam, { body: { name: 'Twin' } })),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    for (const answer of answers.filter(({ ok }) => !ok)) expect(answer).toMatchObject({ code: 'CONFLICT' });
    const other = await create();
    expect(await update(other.id, { slug: 'twin' })).toMatchObject({ code: 'CONFLICT' });
    // Another environment has teams of its own.
    const { organizationId } = me;
    const test = await api.newPrincipal({ organizationId, environment: 'test' });
    expect(await create({ name: 'Twin' }, test)).toMatchObject({ slug: 'twin' });
  });

  it('answers a repeated request with the same team', async () => {
    const body = { name: 'Once' };
    const idempotency = idempotencyOf('team-once', body);
    const [first, again] = [
      await api.callAs(me, createTeam, { body, idempotency }),
      await api.callAs(me, createTeam, { body, idempotency }),
    ];
    expect(again).toEqual(first);
  });
});

describe('the list of teams', () => {
  it('finds teams by slug, policy, member and text', async () => {
    const own = await newPolicy();
    const one = await create({ name: 'Alpha search', policyId: own, members: [{ userId: bob, role: 'manager' }] });
    const two = await create({ name: 'Beta', slug: 'search-two' });
    expect(await idsWith({ slug: one.slug })).toEqual([one.id]);
    expect(await idsWith({ policyId: own })).toEqual([one.id]);
    expect(await idsWith({ userId: bob })).toContain(one.id);
    expect(await idsWith({ userId: bob })).not.toContain(two.id);
    expect(await idsWith({ q: 'SEARCH' })).toEqual([one.id, two.id]);
    expect(await idsWith({ q: 'search', sort: '-name' })).toEqual([two.id, one.id]);
    expect(await idsWith({ policyId: 'nothing' })).toEqual([]);
  });

  it('shows a tenant its own teams only', async () => {
    const { id } = await create();
    const stranger = await api.newPrincipal();
    expect(pageOf(await api.callAs(stranger, listTeams)).data).toEqual([]);
    for (const operation of [getTeam, updateTeam, deleteTeam] as Operation[])
      expect(await api.callAs(stranger, operation, { params: { id }, body: {} })).toMatchObject({ code: 'NOT_FOUND' });
    // A policy of another tenant does not exist for it.
    expect(await api.callAs(stranger, createTeam, { body: { name: 'X', policyId } })).toMatchObject(
      refused(['policyId', 'exists']),
    );
  });
});

describe('changing a team', () => {
  it('keeps what is not sent, clears with null, and changes nothing when nothing differs', async () => {
    const members = [{ userId: ann, role: 'manager' }];
    const team = await create({ description: 'Old', members, policyId });
    expect(await update(team.id, { name: team.name, members })).toMatchObject({ body: { data: { version: 1 } } });
    expect(await update(team.id, { description: null, policyId: null }, '"1"')).toMatchObject({
      body: { data: { description: null, policyId: null, members, version: 2 } },
    });
    expect(await update(team.id, { name: 'Late' }, '"1"')).toMatchObject({ code: 'VERSION_MISMATCH' });
    const swapped = [
      { userId: bob, role: 'manager' },
      { userId: ann, role: 'responder' },
    ];
    expect(await update(team.id, { members: swapped })).toMatchObject({ body: { data: { members: swapped } } });
  });

  it('leaves a member who was disabled meanwhile, but does not add one', async () => {
    const leaving = await newMember('Leaving');
    const team = await create({ members: [{ userId: leaving, role: 'responder' }] });
    await api.admin.query(`UPDATE auth.members SET status = 'disabled' WHERE name = 'Leaving'`);
    expect(await update(team.id, { members: [{ userId: leaving, role: 'manager' }] })).toMatchObject({ ok: true });
    expect(await update((await create()).id, { members: [{ userId: leaving, role: 'manager' }] })).toMatchObject(
      refused(['members[0].userId', 'exists']),
    );
  });

  it('has an entry in the audit log for each change', async () => {
    const { id } = await create({ name: 'Audited' });
    await update(id, { description: 'New' });
    await remove(id);
    const entries = await eventually(() => {
      const found = audit.filter(({ resource }) => resource?.id === id);
      expect(found).toHaveLength(3);
      return found;
    });
    expect(entries.map(({ type, resource }) => [type, resource?.type])).toEqual([
      ['team.created', 'team'],
      ['team.updated', 'team'],
      ['team.deleted', 'team'],
    ]);
    expect(entries[1]?.changes).toEqual([{ field: 'description', before: null, after: 'New' }]);
  });
});

interface Belonging {
  what: string;
  create: Operation;
  update: Operation;
  list: Operation;
  body: () => object;
}

const belonging: Belonging[] = [
  {
    what: 'integration',
    create: createIntegration,
    update: updateIntegration,
    list: listIntegrations,
    body: () => ({}),
  },
  {
    what: 'workflow',
    create: createWorkflow,
    update: updateWorkflow,
    list: listWorkflows,
    body: () => ({ trigger: { events: ['alert.created'] }, steps: [{ id: 'a', type: 'acknowledge' }] }),
  },
  { what: 'schedule', create: createSchedule, update: updateSchedule, list: listSchedules, body: () => ({}) },
  {
    what: 'suppression_window',
    create: createSuppression,
    update: updateSuppression,
    list: listSuppression,
    body: () => ({ startsAt: '2030-01-01T00:00:00Z', endsAt: '2030-01-01T01:00:00Z', matchAll: true }),
  },
];

describe.each(belonging)('a $what', ({ what, create: creating, update: updating, list, body }) => {
  const make = async (more: object): Promise<{ id: string; teamId: string | null }> =>
    dataOf(await api.callAs(me, creating, { body: { name: `Of a team ${newUuid()}`, ...body(), ...more } }));

  it('belongs to a team, is found by it, and keeps the team from deletion', async () => {
    const team = await create();
    const of = await make({ teamId: team.id });
    const none = await make({});
    expect([of.teamId, none.teamId]).toEqual([team.id, null]);
    const found = async (teamId: string): Promise<string[]> =>
      pageOf<{ id: string }>(await api.callAs(me, list, { query: { teamId } })).data.map(({ id }) => id);
    expect(await found(team.id)).toEqual([of.id]);
    for (const teamId of ['!', `!${team.id}`]) {
      expect(await found(teamId)).toContain(none.id);
      expect(await found(teamId)).not.toContain(of.id);
    }
    expect(await found(`!,${team.id}`)).toEqual(expect.arrayContaining([of.id, none.id]));
    expect(await api.callAs(me, list, { query: { teamId: `${team.id},!${team.id}` } })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ path: 'teamId' }] },
    });
    expect(await remove(team.id)).toMatchObject({
      code: 'RESOURCE_IN_USE',
      details: { references: [{ resource: what, id: of.id, name: expect.any(String) }] },
    });

    const changed = await api.callAs(me, updating, { params: { id: of.id }, body: { teamId: null } });
    expect(dataOf(changed)).toMatchObject({ teamId: null, version: 2 });
    expect(await remove(team.id)).toMatchObject({ ok: true });
  });

  it('cannot belong to a team that does not exist', async () => {
    const stranger = await create({}, await api.newPrincipal());
    for (const teamId of ['tem_x', stranger.id]) {
      const sent = { name: 'X', ...body(), teamId };
      expect(await api.callAs(me, creating, { body: sent })).toMatchObject(refused(['teamId', 'exists']));
      const { id } = await make({});
      expect(await api.callAs(me, updating, { params: { id }, body: { teamId } })).toMatchObject(
        refused(['teamId', 'exists']),
      );
    }
  });
});

it('a team of a deleted integration is deleted', async () => {
  const team = await create();
  const body = { name: 'Gone', teamId: team.id };
  const { id } = dataOf<{ id: string }>(await api.callAs(me, createIntegration, { body }));
  await api.callAs(me, deleteIntegration, { params: { id } });
  expect(await remove(team.id)).toMatchObject({ ok: true });
});

it('a team that a policy pages, or that has a policy, is not deleted', async () => {
  const team = await create();
  const targets = [{ type: 'team', id: team.id }];
  const policy = await newPolicy({ name: 'Pages it', teamId: team.id, levels: [{ targets }] });
  expect(await remove(team.id)).toMatchObject({
    code: 'RESOURCE_IN_USE',
    details: { references: [{ resource: 'escalation_policy', id: policy, name: 'Pages it' }] },
  });
});

it('a record that names a team while the team is deleted is refused, or the deletion is', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, async (_, i) => {
      const { id: teamId } = await create();
      const [named, deleted] = await Promise.all([
        api.callAs(me, createSchedule, { body: { name: `Race ${i}`, teamId } }),
        remove(teamId),
      ]);
      return [named.ok, deleted.ok];
    }),
  );
  for (const outcome of outcomes) expect(outcome.filter(Boolean)).toHaveLength(1);
});
