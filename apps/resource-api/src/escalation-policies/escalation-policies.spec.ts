import {
  createEscalationPolicy,
  createSchedule,
  createTeam,
  deleteEscalationPolicy,
  deleteSchedule,
  getCurrentRecipients,
  getEscalationPolicy,
  listEscalationPolicies,
  publicId,
  updateEscalationPolicy,
  updateOrganization,
  updateTeam,
  uuidOf,
  type AuditRecord,
  type CurrentRecipients,
  type EscalationPolicy,
  type Operation,
  type Principal,
} from '@ams/contracts';
import { replacedInLevel, type PolicyLevel } from '@ams/domain';
import { dataOf, eventually, idempotencyOf, insertDevice, insertMember, insertWorkflow, pageOf } from '@ams/testing';
import { openingOf } from '../../testing/opened-secrets.js';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let me: Principal;
let ann: string;
let bob: string;
let gone: string;
let schedule: string;
const audit: AuditRecord[] = [];

beforeAll(async () => {
  api = await startResourceApi();
  me = await api.newPrincipal();
  [ann, bob, gone] = [await newMember('Ann'), await newMember('Bob'), await newMember('Gone', 'disabled')];
  schedule = await newSchedule({ members: [ann, bob] });
  api.nats.subscribe('evt.audit', { callback: (_error, message) => void audit.push(message.json<AuditRecord>()) });
});
afterAll(() => api.stop());

const newMember = async (name: string, status: 'active' | 'disabled' = 'active'): Promise<string> =>
  publicId('member', await insertMember(api.admin, me, { name, status, email: `${name.toLowerCase()}@example.com` }));

const rotation = { unit: 'week', interval: 1, handoffTime: '09:00', handoffDay: 1 };
const newSchedule = async ({ members = [] as string[], name = 'Primary' } = {}): Promise<string> => {
  const layers = [{ name: 'Weekly', members, rotation, startsAt: '2026-11-16T09:00:00Z' }];
  return dataOf<{ id: string }>(await api.callAs(me, createSchedule, { body: { name, layers } })).id;
};
const newTeam = async (body: object = {}): Promise<string> =>
  dataOf<{ id: string }>(
    await api.callAs(me, createTeam, { body: { name: 'Payments', slug: `t${crypto.randomUUID()}`, ...body } }),
  ).id;

const user = (id = ann) => ({ type: 'user', id });
const level = (...targets: object[]) => ({ targets });
const create = async (body: object = {}, principal = me): Promise<EscalationPolicy> =>
  dataOf(
    await api.callAs(principal, createEscalationPolicy, { body: { name: 'Policy', levels: [level(user())], ...body } }),
  );
const update = (id: string, body: object, ifMatch: string | null = null) =>
  api.callAs<{ data: EscalationPolicy }>(me, updateEscalationPolicy, { params: { id }, body, ifMatch });
const remove = (id: string) => api.callAs(me, deleteEscalationPolicy, { params: { id } });
const refused = (...paths: [path: string, rule: string][]) => ({
  ok: false,
  code: 'VALIDATION_ERROR',
  details: { fields: paths.map(([path, rule]) => expect.objectContaining({ path, rule })) },
});
const entriesOf = (id: string, count: number): Promise<AuditRecord[]> =>
  eventually(() => {
    const found = audit.filter(({ resource }) => resource?.id === id);
    expect(found).toHaveLength(count);
    return found;
  });

describe('creating a policy', () => {
  it('fills every field that is left out', async () => {
    const teamId = await newTeam();
    const policy = await create({ teamId, levels: [level(user()), level({ type: 'schedule', id: schedule })] });
    expect(policy).toEqual({
      id: expect.stringMatching(/^pol_[0-9a-f]{32}$/),
      name: 'Policy',
      description: null,
      teamId,
      levels: [
        { id: 'level-1', targets: [user()], escalateAfterSeconds: 600 },
        { id: 'level-2', targets: [{ type: 'schedule', id: schedule }], escalateAfterSeconds: 600 },
      ],
      repeat: 0,
      ackTimeoutSeconds: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      version: 1,
    });
    expect(dataOf(await api.callAs(me, getEscalationPolicy, { params: { id: policy.id } }))).toEqual(policy);
  });

  it.each<[string, () => object, [string, string][]]>([
    ['no levels', () => ({ levels: [] }), [['levels', 'required']]],
    [
      'what is wrong in several places',
      () => ({ levels: [level()], repeat: 10, ackTimeoutSeconds: 1, pager: 1 }),
      [
        ['pager', 'unknown'],
        ['levels[0].targets', 'required'],
        ['repeat', 'range'],
        ['ackTimeoutSeconds', 'range'],
      ],
    ],
    [
      'a member, a schedule and teams that do not exist',
      () => ({
        teamId: 'tem_x',
        levels: [level(user('usr_x')), level({ type: 'schedule', id: 'sch_x' }, { type: 'team', id: 'tem_y' })],
      }),
      [
        ['levels[0].targets[0].id', 'exists'],
        ['levels[1].targets[0].id', 'exists'],
        ['levels[1].targets[1].id', 'exists'],
        ['teamId', 'exists'],
      ],
    ],
    ['a disabled member', () => ({ levels: [level(user(gone))] }), [['levels[0].targets[0].id', 'exists']]],
    [
      'a mark without a stored secret',
      () => ({ levels: [level({ type: 'channel', kind: 'slack', url: 'https://hooks.slack.com/********' })] }),
      [['levels[0].targets[0].url', 'exists']],
    ],
  ])('refuses %s', async (_what, body, paths) => {
    const sent = { name: 'Refused', levels: [level(user())], ...body() };
    expect(await api.callAs(me, createEscalationPolicy, { body: sent })).toMatchObject(refused(...paths));
  });

  it('answers a repeated request with the same policy', async () => {
    const body = { name: 'Once', levels: [level(user())] };
    const idempotency = idempotencyOf('policy-once', body);
    const first = await api.callAs(me, createEscalationPolicy, { body, idempotency });
    expect(await api.callAs(me, createEscalationPolicy, { body, idempotency })).toEqual(first);
  });
});

describe('the secrets of a policy', () => {
  const slack = 'https://hooks.slack.com/services/T/B/secret';
  const firstSecret = 'whsec_Zmlyc3QgZmlyc3QgZmlyc3QgZmlyc3Qg';
  const secondSecret = 'whsec_c2Vjb25kIHNlY29uZCBzZWNvbmQgc2Vj';
  const channels = (url = slack, secret = firstSecret) => [
    {
      id: 'chat',
      targets: [
        { type: 'channel', kind: 'slack', url },
        { type: 'channel', kind: 'webhook', url: 'https://hook.example.com/in', secret },
      ],
    },
  ];
  /** The levels as they are stored, and with their secrets. */
  const stored = async (id: string): Promise<{ sealed: string; opened: string }> => {
    const { rows } = await api.admin.query<{ levels: PolicyLevel[] }>(
      'SELECT levels FROM resources.escalation_policies WHERE id = $1',
      [uuidOf('escalationPolicy', id)],
    );
    const levels = rows[0]?.levels ?? [];
    const opening = await openingOf(api.admin, me, id);
    const opened = levels.map((level) => replacedInLevel(level, opening));
    return { sealed: JSON.stringify(levels), opened: JSON.stringify(opened) };
  };

  it('are never shown, and stay stored when their marks are sent back', async () => {
    const policy = await create({ levels: channels() });
    expect(JSON.stringify(policy)).not.toMatch(/secret"?:"whsec|services/);
    expect(policy.levels[0]?.targets).toMatchObject([
      { url: 'https://hooks.slack.com/********' },
      { url: 'https://hook.example.com/in', secret: '********' },
    ]);
    expect(await update(policy.id, { levels: policy.levels, repeat: 1 })).toMatchObject({
      body: { data: { levels: policy.levels, version: 2 } },
    });
    const { sealed, opened } = await stored(policy.id);
    expect(sealed).not.toMatch(/whsec|services/);
    expect(opened).toContain(slack);
    expect(opened).toContain(firstSecret);
    expect(await update(policy.id, { levels: channels(slack, secondSecret) })).toMatchObject({
      body: { data: { levels: policy.levels, version: 3 } },
    });
    expect((await stored(policy.id)).opened).toContain(secondSecret);
    const entries = await entriesOf(policy.id, 3);
    expect(entries[2]?.changes).toEqual([{ field: 'secrets', before: '[hidden]', after: '[hidden]' }]);
    expect(JSON.stringify(entries)).not.toMatch(/whsec|services/);
  });
});

describe('changing a policy', () => {
  it('keeps what is not sent, clears with null, and changes nothing when nothing differs', async () => {
    const teamId = await newTeam();
    const policy = await create({ teamId, repeat: 2, ackTimeoutSeconds: 3600, description: 'Old' });
    const same = { name: policy.name, levels: policy.levels, repeat: 2, ackTimeoutSeconds: 3600, teamId };
    expect(await update(policy.id, same)).toMatchObject({ body: { data: { version: 1 } } });
    expect(await update(policy.id, { ackTimeoutSeconds: null, teamId: null, description: null }, '"1"')).toMatchObject({
      body: {
        data: {
          levels: policy.levels,
          repeat: 2,
          ackTimeoutSeconds: null,
          teamId: null,
          description: null,
          version: 2,
        },
      },
    });
    expect(await update(policy.id, { repeat: 1 }, '"1"')).toMatchObject({ code: 'VERSION_MISMATCH' });
    expect(await update(policy.id, { repeat: 10 })).toMatchObject(refused(['repeat', 'range']));
    expect((await entriesOf(policy.id, 2)).map(({ type }) => type)).toEqual([
      'escalation_policy.created',
      'escalation_policy.updated',
    ]);
  });

  it('keeps a member who was disabled meanwhile', async () => {
    const leaving = await newMember('Leaving');
    const policy = await create({ levels: [level(user(leaving))] });
    await api.admin.query(`UPDATE auth.members SET status = 'disabled' WHERE name = 'Leaving'`);
    expect(await update(policy.id, { levels: [level(user(leaving), user())] })).toMatchObject({ ok: true });
  });

  it('releases the records that it no longer names', async () => {
    const night = await newSchedule({ name: 'Night' });
    const policy = await create({ levels: [level({ type: 'schedule', id: night })] });
    expect(await api.callAs(me, deleteSchedule, { params: { id: night } })).toMatchObject({
      code: 'RESOURCE_IN_USE',
      details: { references: [{ resource: 'escalation_policy', id: policy.id, name: 'Policy' }] },
    });
    await update(policy.id, { levels: [level(user())] });
    expect(await api.callAs(me, deleteSchedule, { params: { id: night } })).toMatchObject({ ok: true });
  });
});

describe('deleting a policy', () => {
  it('is refused while a team, a workflow or the organization uses it', async () => {
    const policy = await create();
    const team = await newTeam({ policyId: policy.id });
    const workflow = await insertWorkflow(api.admin, me, { name: 'Pages' });
    await api.admin.query(
      `INSERT INTO resources.workflow_references (organization_id, environment, workflow_id, policy_id)
       VALUES ($1, $2, $3, $4)`,
      [me.organizationId, me.environment, workflow, uuidOf('escalationPolicy', policy.id)],
    );
    await api.callAs(me, updateOrganization, { body: { catchAllPolicyId: policy.id } });
    expect(await remove(policy.id)).toMatchObject({
      code: 'RESOURCE_IN_USE',
      details: {
        references: [
          { resource: 'team', id: team, name: 'Payments' },
          { resource: 'workflow', id: publicId('workflow', workflow), name: 'Pages' },
          { resource: 'organization', id: publicId('organization', me.organizationId), name: 'catchAllPolicyId' },
        ],
      },
    });
    await api.callAs(me, updateTeam, { params: { id: team }, body: { policyId: null } });
    await api.callAs(me, updateOrganization, { body: { catchAllPolicyId: null } });
    await api.admin.query('DELETE FROM resources.workflows WHERE id = $1', [workflow]);
    expect(await remove(policy.id)).toMatchObject({ ok: true });
    expect(await api.callAs(me, getEscalationPolicy, { params: { id: policy.id } })).toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('and naming it from a team at the same time: one of both is refused', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { id: policyId } = await create();
        const body = { name: 'Race', slug: `t${crypto.randomUUID()}`, policyId };
        const [named, deleted] = await Promise.all([api.callAs(me, createTeam, { body }), remove(policyId)]);
        return [named.ok, deleted.ok];
      }),
    );
    for (const outcome of outcomes) expect(outcome.filter(Boolean)).toHaveLength(1);
  });
});

describe('the list of policies', () => {
  it('finds policies by team and text', async () => {
    const teamId = await newTeam();
    const one = await create({ name: 'Find alpha', teamId });
    const two = await create({ name: 'Find beta' });
    const idsWith = async (query: Record<string, string>) =>
      pageOf<EscalationPolicy>(await api.callAs(me, listEscalationPolicies, { query })).data.map(({ id }) => id);
    expect(await idsWith({ teamId })).toEqual([one.id]);
    expect(await idsWith({ q: 'FIND' })).toEqual([one.id, two.id]);
    await update(one.id, { description: 'Newer' });
    expect(await idsWith({ q: 'find', sort: '-updatedAt' })).toEqual([one.id, two.id]);
  });

  it('shows a tenant its own policies only, and their records cannot be named from another tenant', async () => {
    const { id } = await create();
    const stranger = await api.newPrincipal();
    expect(pageOf(await api.callAs(stranger, listEscalationPolicies)).data).toEqual([]);
    for (const operation of [
      getEscalationPolicy,
      updateEscalationPolicy,
      deleteEscalationPolicy,
      getCurrentRecipients,
    ] as Operation[])
      expect(await api.callAs(stranger, operation, { params: { id }, body: operation.body && {} })).toMatchObject({
        code: 'NOT_FOUND',
      });
    const body = { name: 'X', levels: [level(user(), { type: 'schedule', id: schedule })] };
    expect(await api.callAs(stranger, createEscalationPolicy, { body })).toMatchObject(
      refused(['levels[0].targets[0].id', 'exists'], ['levels[0].targets[1].id', 'exists']),
    );
  });
});

describe('who would be told now', () => {
  const at = '2026-11-18T12:00:00.000Z';
  const current = async (id: string): Promise<CurrentRecipients> =>
    dataOf(await api.callAs(me, getCurrentRecipients, { params: { id }, query: { at } }));

  it('is the member on call, the next one, and everybody of a team, each once, also with devices', async () => {
    await insertDevice(api.admin, me, { memberId: uuidOf('member', ann) ?? '' });
    const team = await newTeam({
      members: [
        { userId: bob, role: 'manager' },
        { userId: ann, role: 'responder' },
      ],
    });
    const { id } = await create({
      name: 'Who',
      levels: [
        { ...level({ type: 'schedule', id: schedule }), escalateAfterSeconds: 300 },
        level({ type: 'schedule', id: schedule, who: 'next' }),
        level({ type: 'team', id: team }, user(ann), { type: 'email', address: 'noc@example.com' }),
      ],
    });
    const found = await current(id);
    expect(found).toMatchObject({ policyId: id, at });
    expect(
      found.levels.map(({ level: number, afterSeconds, isEmpty, recipients }) => ({
        number,
        afterSeconds,
        isEmpty,
        whom: recipients.map(({ userName, target, scheduleName, why }) => [userName, target, scheduleName, why]),
      })),
    ).toEqual([
      {
        number: 1,
        afterSeconds: 0,
        isEmpty: false,
        whom: [['Ann', 'ann@example.com', 'Primary', 'You are on call in "Primary".']],
      },
      {
        number: 2,
        afterSeconds: 300,
        isEmpty: false,
        whom: [['Bob', 'bob@example.com', 'Primary', 'You are next on call in "Primary".']],
      },
      {
        number: 3,
        afterSeconds: 900,
        isEmpty: false,
        whom: [
          ['Bob', 'bob@example.com', null, 'You are in the team "Payments".'],
          ['Ann', 'ann@example.com', null, 'You are in the team "Payments".'],
          [null, 'noc@example.com', null, 'The escalation policy "Who" notifies this address.'],
        ],
      },
    ]);
    expect(found.levels[0]?.recipients[0]).toMatchObject({
      userId: ann,
      scheduleId: schedule,
      until: '2026-11-23T09:00:00.000Z',
      unreachable: null,
    });
  });

  it('says which levels come to nobody, and why', async () => {
    const empty = await newSchedule({ name: 'Empty' });
    const team = await newTeam({ name: 'Nobody' });
    const leaver = await newMember('Leaver');
    const levels = [level({ type: 'schedule', id: empty }, { type: 'team', id: team }), level(user(leaver))];
    const { id } = await create({ levels });
    await api.admin.query(`UPDATE auth.members SET status = 'disabled' WHERE name = 'Leaver'`);
    const found = await current(id);
    expect(found.levels.map(({ isEmpty, recipients }) => [isEmpty, recipients.map((one) => one.unreachable)])).toEqual([
      [true, ['nobody is on call in Empty', 'the team "Nobody" has no members']],
      [true, ['Leaver is disabled']],
    ]);
  });
});
