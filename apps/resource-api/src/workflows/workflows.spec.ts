import {
  createWorkflow,
  deleteSchedule,
  deleteWorkflow,
  disableWorkflow,
  enableWorkflow,
  getIncident,
  getWorkflow,
  listWorkflows,
  newUuid,
  publicId,
  updateWorkflow,
  uuidOf,
  type Answer,
  type AuditRecord,
  type Operation,
  type Principal,
  type Workflow,
} from '@ams/contracts';
import { normalizedWorkflow, replacedInStep, type NotifyTarget, type WorkflowStep } from '@ams/domain';
import { dataOf, eventually, idempotencyOf, insertIncident, insertMember, insertSchedule, pageOf } from '@ams/testing';
import { openingOf } from '../../testing/opened-secrets.js';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let me: Principal;
let inTest: Principal;
let stranger: Principal;
let schedule: string;
let member: string;
const audit: AuditRecord[] = [];

/** The public id of a new member. */
const newMember = async (
  organizationId = me.organizationId,
  status: 'active' | 'invited' | 'disabled' = 'active',
): Promise<string> => publicId('member', await insertMember(api.admin, { organizationId }, { status }));

/** The public id of a new schedule. */
const newSchedule = async (of: Principal = me): Promise<string> =>
  publicId('schedule', await insertSchedule(api.admin, of));

beforeAll(async () => {
  api = await startResourceApi({ replicas: 2 });
  me = await api.newPrincipal();
  inTest = await api.newPrincipal({ organizationId: me.organizationId, environment: 'test' });
  stranger = await api.newPrincipal();
  [schedule, member] = [await newSchedule(), await newMember()];
  api.nats.subscribe('evt.audit', { callback: (_error, message) => void audit.push(message.json<AuditRecord>()) });
});
afterAll(() => api.stop());

const trigger = { events: ['alert.created'] };
const resolve = { id: 'close', type: 'resolve' };
const notify = (...targets: object[]) => ({ id: 'page', type: 'notify', params: { targets } });
const bodyOf = (more: object = {}) => ({ name: 'Page', trigger, steps: [resolve], ...more });

const create = async (more: object = {}, principal = me): Promise<Workflow> =>
  dataOf(await api.callAs(principal, createWorkflow, { body: bodyOf(more) }));
const get = async (id: string, principal = me): Promise<Workflow> =>
  dataOf(await api.callAs(principal, getWorkflow, { params: { id } }));
const put = (id: string, body: object, more: object = {}) =>
  api.callAs<{ data: Workflow }>(me, updateWorkflow, { params: { id }, body, ...more });
const faultsOf = (answer: Answer): string[] => {
  expect(answer).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
  return (answer as { details: { fields: { path: string; rule: string }[] } }).details.fields
    .map(({ path, rule }) => `${path} ${rule}`)
    .sort();
};

/** The steps as they are stored, with their secrets. */
async function storedSteps(id: string): Promise<WorkflowStep[]> {
  const { rows } = await api.admin.query<{ steps: WorkflowStep[] }>(
    'SELECT steps FROM resources.workflows WHERE id = $1',
    [uuidOf('workflow', id)],
  );
  return rows[0]?.steps ?? [];
}

async function references(id: string): Promise<string[]> {
  const { rows } = await api.admin.query<{ schedule_id: string | null; member_id: string | null }>(
    'SELECT schedule_id, member_id FROM resources.workflow_references WHERE workflow_id = $1',
    [uuidOf('workflow', id)],
  );
  return rows
    .map((row) =>
      row.schedule_id ? publicId('schedule', row.schedule_id) : publicId('member', row.member_id as string),
    )
    .sort();
}

const entriesOf = (id: string): AuditRecord[] => audit.filter(({ resource }) => resource?.id === id);

/** The entries of the audit log about the workflow, when there are `count` of them. */
const auditOf = (id: string, count: number): Promise<AuditRecord[]> =>
  eventually(() => {
    const entries = entriesOf(id);
    expect(entries).toHaveLength(count);
    return entries;
  });

describe('creating a workflow', () => {
  it('stores every field, with defaults for what was left out', async () => {
    const answer = await api.callAs(me, createWorkflow, { body: bodyOf() });
    expect(answer).toMatchObject({ ok: true, status: 201, version: 1 });
    const created = dataOf<Workflow>(answer);
    expect(created).toEqual({
      id: expect.stringMatching(/^wfl_[0-9a-f]{32}$/),
      name: 'Page',
      description: null,
      enabled: true,
      trigger,
      conditions: null,
      teamId: null,
      steps: [{ id: 'close', type: 'resolve', params: {}, delaySeconds: 0, unless: [], continueOnError: false }],
      lastRunAt: null,
      createdAt: expect.any(String),
      updatedAt: created.createdAt,
      version: 1,
    });
    expect(await get(created.id)).toEqual(created);
    expect(Object.keys(created).sort()).toEqual(
      Object.keys((getWorkflow.example.reply as { data: object }).data).sort(),
    );
  });

  it('accepts the example of the documentation, with schedules and members that exist', async () => {
    const text = JSON.stringify(createWorkflow.example.body)
      .replace(/sch_\w+/, schedule)
      .replace(/usr_\w+/, member);
    const created = dataOf<Workflow>(await api.callAs(me, createWorkflow, { body: JSON.parse(text) as object }));
    expect(await references(created.id)).toEqual([schedule, member].sort());
    expect(created.steps[1]).toMatchObject({
      type: 'notify',
      params: { targets: [{ type: 'schedule', id: schedule }] },
    });
  });

  it('answers every fault of the request at once', async () => {
    const body = {
      name: '',
      trigger: { events: ['alert.born'] },
      conditions: { field: 'nonsense', op: 'eq', value: 1 },
      steps: [{ id: 'a b', type: 'notify' }],
      tpyo: 1,
    };
    expect(faultsOf(await api.callAs(me, createWorkflow, { body }))).toEqual([
      'conditions.field enum',
      'name matches',
      'steps[0].id format',
      'steps[0].params required',
      'tpyo unknown',
      'trigger.events[0] enum',
    ]);
  });

  it('reports all references to missing records at once', async () => {
    const [foreign, elsewhere, disabled] = [
      await newMember(stranger.organizationId),
      await newSchedule(inTest),
      await newMember(me.organizationId, 'disabled'),
    ];
    const steps = [
      notify(
        { type: 'schedule', id: schedule },
        { type: 'schedule', id: elsewhere },
        { type: 'user', id: foreign },
        { type: 'user', id: 'nobody' },
        { type: 'email', address: 'a@example.com' },
      ),
      { id: 'one', type: 'assign', params: { userId: disabled } },
      { id: 'two', type: 'assign', params: { scheduleId: member } },
      { id: 'three', type: 'webhook', params: { url: 'https://example.com', secret: '********' } },
    ];
    expect(faultsOf(await api.callAs(me, createWorkflow, { body: bodyOf({ steps }) }))).toEqual([
      'steps[0].params.targets[1].id exists',
      'steps[0].params.targets[2].id exists',
      'steps[0].params.targets[3].id exists',
      'steps[1].params.userId exists',
      'steps[2].params.scheduleId exists',
      'steps[3].params.secret exists',
    ]);
  });

  it('accepts members who are invited, and the same name more than once', async () => {
    const invited = await newMember(me.organizationId, 'invited');
    const created = await create({
      steps: [
        notify({ type: 'user', id: invited }, { type: 'user', id: invited }),
        { id: 'mine', type: 'assign', params: { userId: invited } },
      ],
    });
    expect(await references(created.id)).toEqual([invited]);
  });

  it('refuses a definition that is too large for an answer or an audit entry', async () => {
    const values = Array.from({ length: 100 }, () => 'x'.repeat(1000));
    const conditions = { all: ['a', 'b', 'c'].map((label) => ({ field: `labels.${label}`, op: 'in', value: values })) };
    expect(faultsOf(await api.callAs(me, createWorkflow, { body: bodyOf({ conditions }) }))).toEqual([
      'steps maxBytes',
    ]);
  });

  it('answers a repeated request as before, and creates one workflow', async () => {
    const body = bodyOf({ name: 'Only once' });
    const call = { body, idempotency: idempotencyOf('create', body) };
    const [first, second] = await Promise.all([
      api.callAs(me, createWorkflow, call),
      api.callAs(me, createWorkflow, call),
    ]);
    expect(first.ok).toBe(true);
    expect(second).toEqual(first);
    expect(pageOf(await api.callAs(me, listWorkflows, { query: { q: 'only ONCE' } })).meta.total).toBe(1);
    expect(
      await api.callAs(me, createWorkflow, { body: bodyOf(), idempotency: idempotencyOf('create', bodyOf()) }),
    ).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });
});

describe('updating a workflow', () => {
  it('changes what is sent and keeps the rest, null clears', async () => {
    const created = await create({
      description: 'why',
      conditions: { field: 'severity', op: 'gte', value: 'high' },
      steps: [notify({ type: 'user', id: member })],
    });
    const answer = await put(created.id, {
      description: null,
      conditions: null,
      steps: [notify({ type: 'schedule', id: schedule })],
    });
    expect(answer).toMatchObject({ ok: true, status: 200, version: 2 });
    const updated = dataOf<Workflow>(answer);
    expect(updated).toMatchObject({
      name: 'Page',
      description: null,
      enabled: true,
      trigger,
      conditions: null,
      createdAt: created.createdAt,
      version: 2,
    });
    expect(await get(created.id)).toEqual(updated);
    expect(await references(created.id)).toEqual([schedule]);
  });

  it('leaves the record unchanged when nothing changes, in any order of the fields', async () => {
    const headers = { 'X-Long-Header': 'a', B: 'b' };
    const created = await create({
      conditions: { any: [{ value: 'x', op: 'eq', field: 'labels.a' }] },
      steps: [
        { type: 'webhook', id: 'hook', params: { timeoutSeconds: 5, url: 'https://example.com', headers } },
        { params: { labels: { zz: '1', a: '2' } }, type: 'addLabels', id: 'label' },
      ],
    });
    const {
      id,
      lastRunAt: _lastRunAt,
      createdAt: _createdAt,
      updatedAt: _updatedAt,
      version: _version,
      ...shown
    } = created;
    const reordered = {
      ...shown,
      steps: [
        { id: 'hook', type: 'webhook', params: { headers, url: 'https://example.com', timeoutSeconds: 5 } },
        { id: 'label', type: 'addLabels', params: { labels: { a: '2', zz: '1' } } },
      ],
    };
    for (const body of [{}, shown, { name: created.name }, reordered]) {
      expect(dataOf<Workflow>(await put(id, body))).toEqual(created);
    }
    expect(dataOf<Workflow>(await put(id, { enabled: false })).version).toBe(2);
    expect((await auditOf(id, 2)).map(({ type, changes }) => [type, changes.length])).toEqual([
      ['workflow.created', 6],
      ['workflow.updated', 1],
    ]);
  });

  it('is checked as the whole record after the change', async () => {
    const created = await create({ steps: [{ id: 'up', type: 'setSeverity', params: { severity: 'critical' } }] });
    expect(faultsOf(await put(created.id, { trigger: { events: ['incident.created'] } }))).toEqual([
      'steps[0].type trigger',
    ]);
    expect(faultsOf(await put(created.id, { steps: [], conditions: { any: [] } }))).toEqual([
      'conditions.any required',
      'steps required',
    ]);
    expect(
      dataOf(await put(created.id, { trigger: { events: ['incident.created'] }, steps: [resolve] })),
    ).toMatchObject({ version: 2 });
    expect(faultsOf(await put(created.id, { trigger: { events: ['alert.created'], when: 'now' } }))).toEqual([
      'trigger.when unknown',
    ]);
    expect(faultsOf(await put(created.id, { name: null, steps: null, enabled: 'yes' }))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^name /),
        expect.stringMatching(/^steps /),
        expect.stringMatching(/^enabled /),
      ]),
    );
  });

  it('keeps a member who was disabled later, and refuses a new one who is disabled', async () => {
    const leaving = await newMember();
    const created = await create({ steps: [notify({ type: 'user', id: leaving })] });
    const other = await create();
    await api.admin.query(`UPDATE auth.members SET status = 'disabled' WHERE id = $1`, [uuidOf('member', leaving)]);
    expect(
      await put(created.id, { steps: [notify({ type: 'user', id: leaving }, { type: 'schedule', id: schedule })] }),
    ).toMatchObject({ ok: true, version: 2 });
    expect(faultsOf(await put(other.id, { steps: [notify({ type: 'user', id: leaving })] }))).toEqual([
      'steps[0].params.targets[0].id exists',
    ]);
  });

  it.each([
    ['"1"', true],
    ['*', true],
    ['"2"', false],
  ])('honours If-Match: %s', async (ifMatch, holds) => {
    const { id } = await create();
    const wanted = holds ? { ok: true, version: 2 } : { ok: false, code: 'VERSION_MISMATCH', details: { current: 1 } };
    expect(await put(id, { name: 'new' }, { ifMatch })).toMatchObject(wanted);
    expect(await api.callAs(me, deleteWorkflow, { params: { id }, ifMatch: '"7"' })).toMatchObject({
      code: 'VERSION_MISMATCH',
    });
  });

  it('accepts one of several concurrent changes with the same version', async () => {
    const { id } = await create();
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => put(id, { name }, { ifMatch: '"1"' })));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect((await get(id)).version).toBe(2);
  });
});

describe('secrets', () => {
  async function openedSteps(id: string): Promise<WorkflowStep[]> {
    const opening = await openingOf(api.admin, me, id);
    return (await storedSteps(id)).map((step) => replacedInStep(step, opening));
  }

  const chat: NotifyTarget = {
    type: 'channel',
    kind: 'slack',
    url: 'https://hooks.slack.com/services/T0/s3cret-path',
    secret: null,
  };
  const steps = [
    {
      id: 'hook',
      type: 'webhook',
      params: {
        url: 'https://example.com/hook',
        secret: 's3cret-key',
        headers: { Authorization: 'Bearer s3cret-token' },
      },
    },
    notify(chat, {
      type: 'channel',
      kind: 'webhook',
      url: 'https://example.com/hooks/s3cret-url',
      secret: 's3cret-too',
    }),
  ];

  it('are sealed where they are stored, and neither answered nor logged', async () => {
    const body = bodyOf({ name: 'Discreet', steps });
    const answers = [await api.callAs(me, createWorkflow, { body, idempotency: idempotencyOf('discreet', body) })];
    const { id } = dataOf<Workflow>(answers[0] as Answer);
    expect(JSON.stringify(await storedSteps(id))).not.toContain('s3cret');
    expect(
      JSON.stringify(await openedSteps(id))
        .match(/s3cret-\w+/g)
        ?.sort(),
    ).toEqual(['s3cret-key', 's3cret-path', 's3cret-token', 's3cret-too', 's3cret-url']);

    answers.push(
      await api.callAs(me, getWorkflow, { params: { id } }),
      await api.callAs(me, listWorkflows),
      await put(id, { steps: steps.slice(0, 1) }),
      await api.callAs(me, disableWorkflow, { params: { id } }),
    );
    await api.callAs(me, deleteWorkflow, { params: { id } });
    const entries = await auditOf(id, 4);
    const { rows } = await api.admin.query('SELECT o::text FROM resources.outbox o');
    const { rows: repeats } = await api.admin.query<{ answer: Buffer }>('SELECT answer FROM resources.idempotency');
    expect(
      JSON.stringify([answers, entries, rows, repeats.map(({ answer }) => answer.toString('latin1'))]),
    ).not.toContain('s3cret');
    expect(answers.every(({ ok }) => ok)).toBe(true);
  });

  it('are kept when the record is sent back', async () => {
    const created = await create({ steps });
    const before = await storedSteps(created.id);
    expect(dataOf<Workflow>(await put(created.id, { steps: created.steps }))).toEqual(created);
    const [hook, page] = created.steps as [WorkflowStep, WorkflowStep];
    expect(await put(created.id, { name: 'New name', steps: [page, hook] })).toMatchObject({ ok: true, version: 2 });
    expect(await storedSteps(created.id)).toEqual([before[1], before[0]]);
    expect(
      faultsOf(
        await put(created.id, { steps: [{ ...hook, params: { ...hook.params, url: 'https://evil.example.com' } }] }),
      ),
    ).toEqual(['steps[0].params.headers["Authorization"] exists', 'steps[0].params.secret exists']);
  });

  it('of an earlier release, which are plain, are sealed with the next change of the steps', async () => {
    const created = await create({ steps });
    const { steps: plain } = normalizedWorkflow({ trigger: created.trigger, steps });
    await api.admin.query('UPDATE resources.workflows SET steps = $2 WHERE id = $1', [
      uuidOf('workflow', created.id),
      JSON.stringify(plain),
    ]);
    expect(await get(created.id)).toEqual(created);
    const [hook] = created.steps;
    expect(await put(created.id, { steps: [hook] })).toMatchObject({ ok: true });
    expect(JSON.stringify(await storedSteps(created.id))).not.toContain('s3cret');
    expect(await openedSteps(created.id)).toEqual([plain[0]]);
  });

  it('that look sealed are refused', async () => {
    const address = 'https://hooks.slack.com/~sealed~AAAA~BBBB';
    const body = bodyOf({ steps: [notify({ ...chat, url: address })] });
    expect(faultsOf(await api.callAs(me, createWorkflow, { body }))).toEqual(['steps[0].params.targets[0].url format']);
  });

  it('do not open for another record', async () => {
    const [one, two] = [await create({ steps }), await create({ steps: [steps[0]] })];
    await api.admin.query(
      `UPDATE resources.workflows SET steps = (SELECT steps FROM resources.workflows WHERE id = $1) WHERE id = $2`,
      [uuidOf('workflow', one.id), uuidOf('workflow', two.id)],
    );
    await expect(openedSteps(two.id)).rejects.toThrow('belongs to another record');
  });

  it('that are sent again are no change', async () => {
    const created = await create({ steps });
    expect(await put(created.id, { steps })).toMatchObject({ ok: true, version: 1 });
  });

  it('that are replaced are a change, which the audit log shows without values', async () => {
    const created = await create({ steps });
    const replaced = JSON.parse(JSON.stringify(steps).replace('s3cret-key', 's3cret-new')) as object[];
    expect(await put(created.id, { steps: replaced })).toMatchObject({ ok: true, version: 2 });
    expect(JSON.stringify(await openedSteps(created.id))).toContain('s3cret-new');
    const [, update] = await auditOf(created.id, 2);
    expect(update?.changes).toEqual([{ field: 'secrets', before: '[hidden]', after: '[hidden]' }]);
  });
});

describe('switching a workflow', () => {
  it('to the other state is a change, and to the same state is none', async () => {
    const { id } = await create();
    const ask = async (op: Operation, more: object = {}) =>
      api.callAs<{ data: Workflow }>(me, op, { params: { id }, ...more });
    expect(await ask(enableWorkflow)).toMatchObject({ ok: true, status: 200, version: 1 });
    expect(await ask(disableWorkflow, { ifMatch: '"2"' })).toMatchObject({ code: 'VERSION_MISMATCH' });
    expect(await ask(disableWorkflow, { ifMatch: '"1"' })).toMatchObject({
      version: 2,
      body: { data: { enabled: false } },
    });
    expect(await ask(disableWorkflow)).toMatchObject({ version: 2 });
    expect(await ask(enableWorkflow)).toMatchObject({ version: 3, body: { data: { enabled: true } } });
    const changes = (await auditOf(id, 3)).map((entry) => [
      entry.type,
      entry.changes.filter(({ field }) => field === 'enabled'),
    ]);
    expect(changes).toEqual([
      ['workflow.created', [{ field: 'enabled', before: null, after: true }]],
      ['workflow.disabled', [{ field: 'enabled', before: true, after: false }]],
      ['workflow.enabled', [{ field: 'enabled', before: false, after: true }]],
    ]);
  });

  it('answers a repeated request as before', async () => {
    const { id } = await create();
    const call = { params: { id }, idempotency: idempotencyOf('off', null) };
    const first = await api.callAs(me, disableWorkflow, call);
    await api.callAs(me, enableWorkflow, { params: { id } });
    expect(await api.callAs(me, disableWorkflow, call)).toEqual(first);
    expect(await get(id)).toMatchObject({ enabled: true, version: 3 });
  });

  it('is refused for a stored condition that its event cannot have, and the workflow keeps working otherwise', async () => {
    const { id } = await create({ trigger: { events: ['incident.created'] }, enabled: false });
    const uuid = uuidOf('workflow', id);
    const conditions = { field: 'labels.team', op: 'eq', value: 'db' };
    await api.admin.query('UPDATE resources.workflows SET conditions = $2 WHERE id = $1', [uuid, conditions]);
    const refused = {
      code: 'VALIDATION_ERROR',
      details: {
        fields: [
          {
            path: 'conditions.field',
            rule: 'trigger',
            message: expect.stringMatching(/incident.created: .*events of alerts have .*labels/),
          },
        ],
      },
    };
    const put = (body: object) => api.callAs(me, updateWorkflow, { params: { id }, body });
    expect(await api.callAs(me, enableWorkflow, { params: { id } })).toMatchObject(refused);
    expect(await put({ enabled: true })).toMatchObject(refused);
    expect(await put({ steps: [{ id: 'a', type: 'resolve' }] })).toMatchObject(refused);
    expect(await put({ name: 'Renamed' })).toMatchObject({ body: { data: { name: 'Renamed', conditions } } });
    const corrected = { ...conditions, field: 'alerts.any.labels.team' };
    expect(await put({ enabled: true, conditions: corrected })).toMatchObject({ body: { data: { enabled: true } } });
    await api.admin.query('UPDATE resources.workflows SET conditions = $2 WHERE id = $1', [uuid, conditions]);
    expect(await put({ enabled: true, name: 'On' })).toMatchObject({ body: { data: { enabled: true, name: 'On' } } });
  });

  it('by several requests at the same time is one change', async () => {
    const { id } = await create();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => api.callAs(me, disableWorkflow, { params: { id } })),
    );
    expect(answers.map((answer) => answer.ok && answer.version)).toEqual([2, 2, 2, 2, 2, 2]);
  });
});

describe('deleting a workflow', () => {
  it('deletes its references, and adds an audit entry', async () => {
    const { id } = await create({ steps: [notify({ type: 'schedule', id: schedule })] });
    expect(await api.callAs(me, deleteWorkflow, { params: { id } })).toMatchObject({
      ok: true,
      status: 204,
      body: null,
    });
    expect(await references(id)).toEqual([]);
    expect(await api.callAs(me, deleteWorkflow, { params: { id } })).toMatchObject({
      code: 'NOT_FOUND',
      details: { resource: 'workflow', id },
    });
    const [, deletion] = await auditOf(id, 2);
    expect(deletion).toMatchObject({
      type: 'workflow.deleted',
      actor: { type: 'api_key', name: 'bot' },
      changes: expect.arrayContaining([{ field: 'name', before: 'Page', after: null }]),
    });
  });
});

it('an incident that a workflow has opened stays when the workflow is deleted, and no longer names it', async () => {
  const { id } = await create();
  const incident = await insertIncident(api.admin, me, { title: 'Opened', workflowId: uuidOf('workflow', id) });
  expect(await api.callAs(me, deleteWorkflow, { params: { id } })).toMatchObject({ ok: true });
  expect(dataOf(await api.callAs(me, getIncident, { params: { id: publicId('incident', incident) } }))).toMatchObject({
    title: 'Opened',
    workflowId: null,
  });
});

describe('concurrent changes', () => {
  it('a schedule is either named and not deleted, or deleted and not named', async () => {
    const remove = async (id: string): Promise<boolean> => {
      const answer = await api.callAs(me, deleteSchedule, { params: { id } });
      if (!answer.ok) expect(answer).toMatchObject({ code: 'RESOURCE_IN_USE' });
      return answer.ok;
    };
    for (let round = 0; round < 15; round++) {
      const [one, two] = [await newSchedule(), await newSchedule()];
      const { id } = await create({ steps: [notify({ type: 'schedule', id: one })] });
      const [answer, removedOne, removedTwo] = await Promise.all([
        put(id, { steps: [notify({ type: 'schedule', id: two })] }),
        remove(one),
        remove(two),
      ]);
      if (answer.ok) expect(removedTwo).toBe(false);
      else expect([faultsOf(answer), removedTwo]).toEqual([['steps[0].params.targets[0].id exists'], true]);
      expect(removedOne).toBe(removedOne && answer.ok);
      expect(await references(id)).toEqual([answer.ok ? two : one]);
    }
  });

  it('several that name the same schedules in any order do not block each other', async () => {
    const [one, two] = [await newSchedule(), await newSchedule()];
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await create()).id));
    const answers = await Promise.all(
      ids.flatMap((id, index) =>
        [
          [one, two],
          [two, one],
        ].map((named) =>
          put(id, { name: `n${index}`, steps: [notify(...named.map((name) => ({ type: 'schedule', id: name })))] }),
        ),
      ),
    );
    expect(answers.every(({ ok }) => ok)).toBe(true);
    for (const id of ids) expect(await references(id)).toEqual([one, two].sort());
  });
});

describe('the list of workflows', () => {
  const others: Principal[] = [];
  const names = ['delta', 'Alpha 100%', 'bravo', 'alpha', 'charlie'];

  beforeAll(async () => {
    const tenant = await api.newPrincipal();
    others.push(tenant, await api.newPrincipal({ organizationId: tenant.organizationId, environment: 'test' }));
    for (const [index, name] of names.entries()) {
      const { id } = await create(
        {
          name,
          enabled: index % 2 === 0,
          trigger: { events: index < 3 ? ['alert.created'] : ['incident.created', 'incident.resolved'] },
        },
        tenant,
      );
      await api.admin.query(
        `UPDATE resources.workflows SET created_at = '2026-01-01T00:00:00Z'::timestamptz + $2 * interval '1 ms'
         WHERE id = $1`,
        [uuidOf('workflow', id), index],
      );
    }
    await create({ name: 'of the test environment' }, others[1] as Principal);
  });

  const list = async (query: Record<string, string> = {}) =>
    pageOf<Workflow>(await api.callAs(others[0] as Principal, listWorkflows, { query }));
  const namesOf = async (query: Record<string, string>) => (await list(query)).data.map(({ name }) => name);

  it.each<[Record<string, string>, string[]]>([
    [{ sort: 'createdAt' }, names],
    [{ sort: '-createdAt' }, [...names].reverse()],
    [{ sort: 'createdAt', enabled: 'true' }, ['delta', 'bravo', 'charlie']],
    [{ sort: 'createdAt', enabled: 'false' }, ['Alpha 100%', 'alpha']],
    [{ sort: 'createdAt', event: 'incident.resolved,alert.acknowledged' }, ['alpha', 'charlie']],
    [{ sort: 'createdAt', q: 'ALPHA' }, ['Alpha 100%', 'alpha']],
    [{ q: '100%' }, ['Alpha 100%']],
    [{ q: '%' }, ['Alpha 100%']],
    [{ q: 'nothing' }, []],
  ])('%j', async (query, wanted) => {
    const page = await list(query);
    expect(page.data.map(({ name }) => name)).toEqual(wanted);
    expect(page.meta).toEqual({ limit: 50, hasMore: false, nextCursor: null, total: wanted.length });
  });

  it('is in the order of names without a sort, page by page, with the total on the first', async () => {
    const whole = await namesOf({});
    expect([...whole].sort()).toEqual([...names].sort());
    expect((await namesOf({ sort: '-name' })).reverse()).toEqual(whole);
    const pages = [await list({ limit: '2' })];
    for (let cursor = pages[0]?.meta.nextCursor; cursor; cursor = pages.at(-1)?.meta.nextCursor)
      pages.push(await list({ limit: '2', cursor }));
    expect(pages.flatMap(({ data }) => data.map(({ name }) => name))).toEqual(whole);
    expect(pages.map(({ meta }) => meta.total)).toEqual([5, undefined, undefined]);
    expect(
      await api.callAs(others[0] as Principal, listWorkflows, {
        query: { sort: '-name', cursor: pages[0]?.meta.nextCursor as string },
      }),
    ).toMatchObject({ code: 'INVALID_CURSOR' });
  });

  it.each([[{ sort: 'severity' }], [{ enabled: 'yes' }], [{ event: 'alert.born' }], [{ limit: '0' }], [{ tpyo: '1' }]])(
    'refuses %j',
    async (query) => {
      expect(await api.callAs(me, listWorkflows, { query: query as never })).toMatchObject({
        code: 'VALIDATION_ERROR',
      });
    },
  );
});

test('a record shows when the workflow last ran, and a run does not change its version', async () => {
  const created = await create();
  const { organizationId, environment } = me;
  for (const at of ['2026-11-20T14:00:00.000Z', '2026-11-20T15:00:00.000Z']) {
    await api.admin.query(
      `INSERT INTO workflows.runs (id, organization_id, environment, workflow_id, workflow_name, workflow_version,
       event_id,
         event_type, occurred_at, depth, status, trace, steps, previous_done_at, created_at, finished_at)
       VALUES ($1, $2, $3, $4, 'x', 1, $5, 'alert.created', $6, 0, 'completed', '{}', '[]', $6, $6, $6)`,
      [newUuid(Date.parse(at)), organizationId, environment, uuidOf('workflow', created.id), newUuid(), at],
    );
  }
  expect(await get(created.id)).toEqual({ ...created, lastRunAt: '2026-11-20T15:00:00.000Z' });
  expect(
    dataOf<Workflow>(
      await api.callAs(me, updateWorkflow, { params: { id: created.id }, body: { name: created.name } }),
    ),
  ).toMatchObject({ version: 1, lastRunAt: '2026-11-20T15:00:00.000Z' });
});

describe('tenants', () => {
  it.each<[string, Operation, object | null]>([
    ['get', getWorkflow, null],
    ['update', updateWorkflow, { name: 'x' }],
    ['delete', deleteWorkflow, null],
    ['enable', enableWorkflow, null],
    ['disable', disableWorkflow, null],
  ])('%s: records of another organization or environment are not found', async (_name, op, body) => {
    const created = await create();
    for (const principal of [stranger, inTest]) {
      expect(await api.callAs(principal, op, { params: { id: created.id }, body })).toMatchObject({
        code: 'NOT_FOUND',
        details: { resource: 'workflow', id: created.id },
      });
    }
    for (const id of ['nonsense', 'wfl_1', publicId('schedule', newUuid()), publicId('workflow', newUuid())]) {
      expect(await api.callAs(me, op, { params: { id }, body })).toMatchObject({
        code: 'NOT_FOUND',
        details: { resource: 'workflow', id },
      });
    }
    expect(await get(created.id)).toEqual(created);
  });
});
