import {
  createOverride,
  createSchedule,
  currentOnCall,
  deleteOverride,
  deleteSchedule,
  getSchedule,
  listSchedules,
  listShifts,
  newUuid,
  publicId,
  updateSchedule,
  uuidOf,
  type AuditRecord,
  type CurrentOnCall,
  type Operation,
  type Principal,
  type Schedule,
  type ScheduleOverride,
} from '@ams/contracts';
import {
  dataOf,
  eventually,
  idempotencyOf,
  insertMember,
  insertScheduleOverride,
  insertWorkflow,
  pageOf,
} from '@ams/testing';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let me: Principal;
let ann: string;
let bob: string;
let gone: string;
const audit: AuditRecord[] = [];

beforeAll(async () => {
  api = await startResourceApi({ replicas: 2 });
  me = await api.newPrincipal();
  [ann, bob, gone] = [await newMember('Ann'), await newMember('Bob'), await newMember('Gone', { status: 'disabled' })];
  api.nats.subscribe('evt.audit', { callback: (_error, message) => void audit.push(message.json<AuditRecord>()) });
});
afterAll(() => api.stop());

/** The public id of a new member. */
const newMember = async (name: string, { of = me, status = 'active' as 'active' | 'disabled' } = {}): Promise<string> =>
  publicId('member', await insertMember(api.admin, of, { name, status }));

const weekly = {
  name: 'Weekly',
  rotation: { unit: 'week', interval: 1, handoffTime: '09:00', handoffDay: 1 },
  startsAt: '2026-11-16T09:00:00+01:00',
};
const layer = (more: object = {}) => ({ ...weekly, members: [ann, bob], ...more });
/** What a layer has when the request does not name it. */
const added = { timezone: null, perTurn: 1, everybody: false };
const create = async (body: object = {}, principal = me): Promise<Schedule> =>
  dataOf(await api.callAs(principal, createSchedule, { body: { name: 'Primary', ...body } }));
const get = async (id: string): Promise<Schedule> => dataOf(await api.callAs(me, getSchedule, { params: { id } }));
const update = (id: string, body: object, ifMatch: string | null = null) =>
  api.callAs<{ data: Schedule }>(me, updateSchedule, { params: { id }, body, ifMatch });
const remove = (id: string, ifMatch: string | null = null) =>
  api.callAs(me, deleteSchedule, { params: { id }, ifMatch });

const hour = 3_600_000;
const fromNow = (hours: number): string => new Date(Date.now() + hours * hour).toISOString();
const override = (id: string, body: object = {}, more: object = {}) =>
  api.callAs<{ data: ScheduleOverride }>(me, createOverride, {
    params: { id },
    body: { userId: bob, startsAt: fromNow(-1), endsAt: fromNow(24), ...body },
    ...more,
  });
const removeOverride = (id: string, overrideId: string, ifMatch: string | null = null) =>
  api.callAs(me, deleteOverride, { params: { id, overrideId }, ifMatch });

const refused = (...paths: [path: string, rule: string][]) => ({
  ok: false,
  code: 'VALIDATION_ERROR',
  details: { fields: paths.map(([path, rule]) => expect.objectContaining({ path, rule })) },
});
const mirrored = async (id: string): Promise<string[]> => {
  const { rows } = await api.admin.query<{ member_id: string }>(
    'SELECT member_id FROM resources.schedule_members WHERE schedule_id = $1',
    [uuidOf('schedule', id)],
  );
  return rows.map(({ member_id }) => publicId('member', member_id));
};

describe('creating a schedule', () => {
  it('sets defaults for fields that are left out', async () => {
    const answer = await api.callAs(me, createSchedule, { body: { name: 'Primary' } });
    expect(answer).toMatchObject({ ok: true, status: 201, version: 1 });
    const created = dataOf<Schedule>(answer);
    expect(created).toEqual({
      id: expect.stringMatching(/^sch_[0-9a-f]{32}$/),
      name: 'Primary',
      description: null,
      teamId: null,
      timezone: 'UTC',
      layerMode: 'last',
      layers: [],
      plannedGaps: [],
      effectiveFrom: null,
      planned: [],
      overrides: [],
      createdAt: expect.any(String),
      updatedAt: created.createdAt,
      version: 1,
    });
    expect(await get(created.id)).toEqual(created);
  });

  it('gives layers an id, and times in UTC', async () => {
    const created = await create({
      description: 'Who answers',
      timezone: 'Europe/Berlin',
      layers: [
        layer(),
        layer({
          id: 'night-shift_1',
          endsAt: '2026-12-24T18:00:00Z',
          members: [bob, bob],
          restrictions: [{ days: [6, 7], start: '20:00', end: '08:00' }],
        }),
        layer({ members: [], rotation: { unit: 'day', interval: 2, handoffTime: '08:30' } }),
      ],
    });
    expect(created).toMatchObject({ description: 'Who answers', timezone: 'Europe/Berlin' });
    expect(created.layers).toEqual([
      {
        ...layer(),
        id: expect.stringMatching(/^lyr_[0-9a-f]{32}$/),
        startsAt: '2026-11-16T08:00:00.000Z',
        endsAt: null,
        restrictions: [],
        ...added,
      },
      {
        ...layer(),
        id: 'night-shift_1',
        members: [bob, bob],
        startsAt: '2026-11-16T08:00:00.000Z',
        endsAt: '2026-12-24T18:00:00.000Z',
        restrictions: [{ days: [6, 7], start: '20:00', end: '08:00' }],
        ...added,
      },
      {
        ...layer(),
        ...added,
        id: expect.stringMatching(/^lyr_/),
        members: [],
        rotation: { unit: 'day', interval: 2, handoffTime: '08:30', handoffDay: null },
        startsAt: '2026-11-16T08:00:00.000Z',
        endsAt: null,
        restrictions: [],
      },
    ]);
    expect(await get(created.id)).toEqual(created);
    expect((await mirrored(created.id)).sort()).toEqual([ann, bob].sort());
  });

  it('needs only the members of a layer: it changes every Monday at 09:00, from now on', async () => {
    const { id, layers, createdAt } = await create({ layers: [{ members: [ann, bob] }, { everybody: true }] });
    const { rotation } = weekly;
    expect(layers).toMatchObject([
      { name: 'Layer 1', members: [ann, bob], rotation, startsAt: createdAt, endsAt: null },
      { name: 'Layer 2', everybody: true, rotation, startsAt: createdAt },
    ]);
    const { data } = pageOf<CurrentOnCall>(await api.callAs(me, currentOnCall, { query: { scheduleId: id } }));
    expect(data).toMatchObject([{ isGap: false }]);
  });

  it('answers every fault of the form at once', async () => {
    const layers = [layer({ rotation: { ...weekly.rotation, handoffDay: 8 }, startsAt: 'soon' })];
    const answer = await api.callAs(me, createSchedule, { body: { name: ' ', timezone: '+02:00', tpyo: 1, layers } });
    expect(answer).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
    const paths = (answer as { details: { fields: { path: string }[] } }).details.fields.map(({ path }) => path);
    expect(new Set(paths)).toEqual(
      new Set(['name', 'timezone', 'tpyo', 'layers[0].rotation.handoffDay', 'layers[0].startsAt']),
    );
  });

  it('reports all members who do not exist or are disabled', async () => {
    const other = await newMember('Eve', { of: await api.newPrincipal() });
    const layers = [
      layer({ id: 'a b', members: [ann, 'ann', other] }),
      layer({ id: 'x'.repeat(65), members: [gone, publicId('member', newUuid())] }),
    ];
    expect(await api.callAs(me, createSchedule, { body: { name: 'x', layers } })).toMatchObject(
      refused(
        ['layers[0].id', 'format'],
        ['layers[0].members[1]', 'exists'],
        ['layers[0].members[2]', 'exists'],
        ['layers[1].id', 'format'],
        ['layers[1].members[0]', 'exists'],
        ['layers[1].members[1]', 'exists'],
      ),
    );
  });

  it('waits while a member is being disabled, and then is refused', async () => {
    const mia = await newMember('Mia');
    const operator = await api.admin.connect();
    await operator.query('BEGIN');
    await operator.query(`UPDATE auth.members SET status = 'disabled' WHERE id = $1`, [uuidOf('member', mia)]);
    const naming = api.callAs(me, createSchedule, { body: { name: 'x', layers: [layer({ members: [mia] })] } });
    await eventually(async () => {
      const { rows } = await api.admin.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'
         AND query LIKE '%hold_members%'`,
      );
      expect(rows[0]?.n).toBe(1);
    });
    await operator.query('COMMIT');
    operator.release();
    expect(await naming).toMatchObject(refused(['layers[0].members[0]', 'exists']));
  });

  it('refuses a time that does not exist in UTC', async () => {
    expect(
      await api.callAs(me, createSchedule, {
        body: { name: 'x', layers: [layer({ startsAt: '9999-12-31T23:00:00-02:00' })] },
      }),
    ).toMatchObject(refused(['layers[0].startsAt', 'format']));
  });

  it('answers a repeated request as before, and creates nothing', async () => {
    const body = { name: 'once', layers: [layer()] };
    const call = { body, idempotency: idempotencyOf('schedule', body) };
    const [first, second] = await Promise.all([
      api.callAs(me, createSchedule, call),
      api.callAs(me, createSchedule, call),
    ]);
    expect(first.ok).toBe(true);
    expect(second).toEqual(first);
    expect(pageOf(await api.callAs(me, listSchedules, { query: { q: 'once' } })).meta.total).toBe(1);
  });
});

describe('updating a schedule', () => {
  it('changes the sent fields and keeps the others, and null clears', async () => {
    const created = await create({ description: 'd', layers: [layer()] });
    const answer = await update(created.id, { description: null, timezone: 'America/New_York' });
    expect(answer).toMatchObject({ ok: true, status: 200, version: 2 });
    const updated = dataOf<Schedule>(answer);
    expect(updated).toEqual({
      ...created,
      description: null,
      timezone: 'America/New_York',
      effectiveFrom: updated.updatedAt,
      updatedAt: updated.updatedAt,
      version: 2,
    });
    expect(await get(created.id)).toEqual(updated);
  });

  it('replaces the layers and their members', async () => {
    const created = await create({ layers: [layer({ id: 'a' }), layer({ id: 'b' })] });
    const updated = dataOf<Schedule>(
      await update(created.id, { layers: [layer({ id: 'b', members: [bob] }), layer()] }),
    );
    expect(updated.layers.map(({ id }) => id)).toEqual(['b', expect.stringMatching(/^lyr_/)]);
    expect((await mirrored(created.id)).sort()).toEqual([ann, bob].sort());
    expect(dataOf(await update(created.id, { layers: [] }))).toMatchObject({ layers: [], version: 3 });
    expect(await mirrored(created.id)).toEqual([]);
  });

  it.each(['name', 'description', 'timezone', 'layers', 'layerMode', 'plannedGaps'] as const)(
    'leaves the version when %s is sent back as it was',
    async (field) => {
      const created = await create({
        description: 'd',
        layers: [layer({ id: 'a', restrictions: [{ days: [1], start: '08:00', end: '24:00' }] })],
      });
      expect(await update(created.id, { [field]: created[field] })).toMatchObject({
        ok: true,
        version: 1,
        body: { data: created },
      });
      expect(await update(created.id, {})).toMatchObject({ ok: true, version: 1 });
    },
  );

  it('keeps the name, the rotation and the start of a layer whose id is sent without them', async () => {
    const { id, layers } = await create({ layers: [layer({ id: 'days', name: 'By day' })] });
    const changed = dataOf<Schedule>(
      await update(id, { layers: [{ members: [ann] }, { id: 'days', members: [bob] }] }),
    );
    expect(changed.layers).toEqual([
      expect.objectContaining({ name: 'Layer 1', members: [ann], startsAt: changed.updatedAt }),
      { ...layers[0], members: [bob] },
    ]);
  });

  it('keeps a member who was disabled later, but refuses a new one who is disabled', async () => {
    const leaver = await newMember('Leaver');
    const created = await create({ layers: [layer({ id: 'a', members: [ann, leaver] })] });
    await api.admin.query(`UPDATE auth.members SET status = 'disabled' WHERE id = $1`, [uuidOf('member', leaver)]);
    expect(await update(created.id, { layers: [layer({ id: 'a', members: [leaver] })] })).toMatchObject({
      ok: true,
      version: 2,
    });
    expect(await update(created.id, { layers: [layer({ id: 'a', members: [leaver, gone] })] })).toMatchObject(
      refused(['layers[0].members[1]', 'exists']),
    );
    expect(await update(created.id, { layers: [layer({ id: 'a' })] })).toMatchObject({ ok: true });
    expect(await update(created.id, { layers: [layer({ id: 'a', members: [leaver] })] })).toMatchObject(
      refused(['layers[0].members[0]', 'exists']),
    );
  });

  it('refuses two layers with one id, and null for fields that cannot be cleared', async () => {
    const created = await create();
    expect(await update(created.id, { layers: [layer({ id: 'a' }), layer({ id: 'a' })] })).toMatchObject(
      refused(['layers[1].id', 'unique']),
    );
    for (const field of ['name', 'timezone', 'layers'])
      expect(await update(created.id, { [field]: null })).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await get(created.id)).toEqual(created);
  });

  it('accepts one of several concurrent changes with the same version', async () => {
    const { id } = await create();
    for (let version = 1; version <= 5; version++) {
      const answers = await Promise.all(
        ['a', 'b', 'c'].map((name) => update(id, { name: `${name}${version}` }, `"${version}"`)),
      );
      expect(answers.map(({ ok }) => ok).sort()).toEqual([false, false, true]);
      expect(answers.filter(({ ok }) => !ok)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ code: 'VERSION_MISMATCH', details: { current: version + 1 } }),
        ]),
      );
    }
  });
});

describe('deleting a schedule', () => {
  it('deletes it, its overrides and its references to members', async () => {
    const { id } = await create({ layers: [layer()] });
    await override(id);
    expect(await remove(id, '"1"')).toMatchObject({ code: 'VERSION_MISMATCH', details: { current: 2 } });
    expect(await remove(id, '"2"')).toEqual({ ok: true, status: 204, body: null, version: null });
    expect(await api.callAs(me, getSchedule, { params: { id } })).toMatchObject({
      code: 'NOT_FOUND',
      details: { resource: 'schedule', id },
    });
    expect(await remove(id)).toMatchObject({ code: 'NOT_FOUND' });
    const { rows } = await api.admin.query(
      `SELECT 1 FROM resources.schedule_overrides WHERE schedule_id = $1
       UNION ALL SELECT 1 FROM resources.schedule_members WHERE schedule_id = $1`,
      [uuidOf('schedule', id)],
    );
    expect(rows).toEqual([]);
  });

  const reference = `INSERT INTO resources.workflow_references (organization_id, environment, workflow_id, schedule_id)
                     VALUES ($1, 'live', $2, $3)`;
  const newWorkflow = (name: string): Promise<string> => insertWorkflow(api.admin, me, { name });

  it('is refused while workflows use it', async () => {
    const { id } = await create();
    const workflows = [await newWorkflow('b'), await newWorkflow('a')];
    for (const workflow of workflows)
      await api.admin.query(reference, [me.organizationId, workflow, uuidOf('schedule', id)]);
    expect(await remove(id)).toMatchObject({
      ok: false,
      code: 'RESOURCE_IN_USE',
      details: {
        references: [
          { resource: 'workflow', id: publicId('workflow', workflows[1]!), name: 'a' },
          { resource: 'workflow', id: publicId('workflow', workflows[0]!), name: 'b' },
        ],
      },
    });
    await api.admin.query('DELETE FROM resources.workflows WHERE id = ANY($1::uuid[])', [workflows]);
    expect(await remove(id)).toMatchObject({ ok: true });
  });

  it('waits for a transaction that adds it to a workflow, and is then refused', async () => {
    const { id } = await create();
    const workflow = await newWorkflow('racing');
    const client = await api.admin.connect();
    try {
      await client.query('BEGIN');
      await client.query(reference, [me.organizationId, workflow, uuidOf('schedule', id)]);
      const removal = remove(id);
      const waiting = `SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FOR UPDATE%'`;
      await eventually(async () => expect((await api.admin.query(waiting)).rowCount).toBe(1));
      await client.query('COMMIT');
      expect(await removal).toMatchObject({
        ok: false,
        code: 'RESOURCE_IN_USE',
        details: { references: [{ name: 'racing' }] },
      });
    } finally {
      client.release();
    }
  });
});

describe('overrides', () => {
  it('are in the record until they end, and raise its version', async () => {
    const { id } = await create({ layers: [layer()] });
    const answer = await override(id, {
      startsAt: '2090-01-02T00:00:00+01:00',
      endsAt: '2090-01-03T00:00:00Z',
      reason: 'wedding',
    });
    expect(answer).toMatchObject({ ok: true, status: 201, version: null });
    const second = dataOf<ScheduleOverride>(answer);
    expect(second).toEqual({
      id: expect.stringMatching(/^ovr_[0-9a-f]{32}$/),
      userId: bob,
      replacesUserId: null,
      startsAt: '2090-01-01T23:00:00.000Z',
      endsAt: '2090-01-03T00:00:00.000Z',
      reason: 'wedding',
      createdBy: { type: 'api_key', id: publicId('apiKey', me.id), name: 'bot' },
      createdAt: expect.any(String),
    });
    const first = dataOf<ScheduleOverride>(await override(id));
    const schedule = await get(id);
    expect(schedule).toMatchObject({ version: 3, overrides: [first, second] });
    expect(schedule.updatedAt).toBe(first.createdAt);
    expect(pageOf<Schedule>(await api.callAs(me, listSchedules)).data.find((listed) => listed.id === id)).toEqual(
      schedule,
    );
    expect(dataOf(await update(id, { name: 'renamed' }))).toMatchObject({ version: 4, overrides: [first, second] });

    expect(await removeOverride(id, first.id)).toEqual({ ok: true, status: 204, body: null, version: null });
    expect(await get(id)).toMatchObject({ version: 5, overrides: [second] });
    expect(await removeOverride(id, first.id)).toMatchObject({
      code: 'NOT_FOUND',
      details: { resource: 'override', id: first.id },
    });
  });

  it.each([
    ['no length', { startsAt: '2090-01-01T01:00:00+01:00', endsAt: '2090-01-01T00:00:00Z' }, ['endsAt', 'order']],
    [
      'an end before the start',
      { startsAt: '2090-01-02T00:00:00Z', endsAt: '2090-01-01T00:00:00Z' },
      ['endsAt', 'order'],
    ],
    [
      'more than 400 days',
      { startsAt: '2090-01-01T00:00:00Z', endsAt: '2091-02-05T00:00:00.001Z' },
      ['endsAt', 'range'],
    ],
    ['an end in the past', { startsAt: fromNow(-2), endsAt: fromNow(-1) }, ['endsAt', 'range']],
    ['a replaced member who does not exist', { replacesUserId: 'ann' }, ['replacesUserId', 'exists']],
    ['a member who does not exist', { userId: publicId('member', newUuid()) }, ['userId', 'exists']],
    ['a malformed id', { userId: 'ann' }, ['userId', 'exists']],
  ] as const)('are refused with %s', async (_what, body, [path, rule]) => {
    const { id } = await create();
    expect(await override(id, body)).toMatchObject(refused([path, rule]));
    expect(await get(id)).toMatchObject({ version: 1, overrides: [] });
  });

  it('may be 400 days long, and cannot name a disabled member', async () => {
    const { id } = await create({ layers: [layer()] });
    expect(await override(id, { startsAt: '2090-01-01T00:00:00Z', endsAt: '2091-02-05T00:00:00Z' })).toMatchObject({
      ok: true,
    });
    expect(await override(id, { userId: gone, endsAt: fromNow(-2) })).toMatchObject(
      refused(['userId', 'exists'], ['endsAt', 'order']),
    );
  });

  it('support If-Match with the version of the schedule', async () => {
    const { id } = await create();
    expect(await override(id, {}, { ifMatch: '"7"' })).toMatchObject({
      code: 'VERSION_MISMATCH',
      details: { current: 1 },
    });
    const { id: overrideId } = dataOf<ScheduleOverride>(await override(id, {}, { ifMatch: '"1"' }));
    expect(await removeOverride(id, overrideId, '"1"')).toMatchObject({
      code: 'VERSION_MISMATCH',
      details: { current: 2 },
    });
    expect(await removeOverride(id, overrideId, '"2"')).toMatchObject({ ok: true });
  });

  it('are made once by a repeated request', async () => {
    const { id } = await create();
    const body = { userId: ann, startsAt: '2090-01-01T00:00:00Z', endsAt: '2090-01-02T00:00:00Z' };
    const call = { params: { id }, body, idempotency: idempotencyOf('override', body) };
    const [first, second] = await Promise.all([
      api.callAs(me, createOverride, call),
      api.callAs(me, createOverride, call),
    ]);
    expect(first.ok).toBe(true);
    expect(second).toEqual(first);
    expect(await get(id)).toMatchObject({ version: 2, overrides: [dataOf(first)] });
  });

  const fill = (scheduleId: string, n: number, reason: string | null) =>
    api.admin.query(
      `INSERT INTO resources.schedule_overrides
         (id, organization_id, environment, schedule_id, member_id, starts_at, ends_at, reason, created_by)
       SELECT gen_random_uuid(), $1, 'live', $2, $3, '2090-01-01', '2090-01-02', $4, $5 FROM generate_series(1, $6)`,
      [
        me.organizationId,
        uuidOf('schedule', scheduleId),
        uuidOf('member', ann),
        reason,
        JSON.stringify({ type: 'service', id: null, name: 'test' }),
        n,
      ],
    );

  it('are at most 500 that have not ended, also with concurrent requests', async () => {
    const { id } = await create();
    await fill(id, 499, null);
    const answers = await Promise.all([1, 2, 3].map(() => override(id)));
    expect(answers.map(({ ok }) => ok).sort()).toEqual([false, false, true]);
    expect(answers.find(({ ok }) => !ok)).toMatchObject(refused(['', 'maxItems']));
    expect((await get(id)).overrides).toHaveLength(500);
  });

  it('have reasons that fit into an answer, all of them together', async () => {
    const { id } = await create();
    await fill(id, 256, 'ü'.repeat(510));
    expect(await override(id, { reason: 'ü'.repeat(600) })).toMatchObject(refused(['reason', 'maxLength']));
    expect(await override(id, { reason: 'short' })).toMatchObject({ ok: true });
  });
});

describe('lists', () => {
  it('filter, sort and page', async () => {
    const other = await api.newPrincipal();
    const [first, second, third] = [
      await newMember('First', { of: other }),
      await newMember('Second', { of: other }),
      await newMember('Third', { of: other }),
    ];
    const made: Record<string, Schedule> = {};
    for (const name of ['delta', 'Alpha', 'charlie', 'echo 100%']) {
      made[name] = await create({ name, layers: name === 'delta' ? [layer({ members: [first, second] })] : [] }, other);
    }
    const by = (userId: string, name: string, startsAt: string, endsAt: string) =>
      api.callAs(other, createOverride, { params: { id: made[name]!.id }, body: { userId, startsAt, endsAt } });
    await by(second, 'charlie', fromNow(1), fromNow(2));
    await insertScheduleOverride(api.admin, other, {
      scheduleId: uuidOf('schedule', made['Alpha']!.id) as string,
      memberId: uuidOf('member', third) as string,
      startsAt: '2020-01-01T00:00:00Z',
      endsAt: '2020-01-02T00:00:00Z',
    });

    const names = async (query: Record<string, string>) =>
      pageOf<Schedule>(await api.callAs(other, listSchedules, { query })).data.map(({ name }) => name);
    const byName = await names({});
    expect([...byName].sort()).toEqual(['Alpha', 'charlie', 'delta', 'echo 100%']);
    expect(await names({ sort: '-name' })).toEqual(byName.toReversed());
    expect(await names({ sort: 'createdAt' })).toEqual(['delta', 'Alpha', 'charlie', 'echo 100%']);
    expect(await names({ q: 'LPH' })).toEqual(['Alpha']);
    expect(await names({ q: '0%' })).toEqual(['echo 100%']);
    expect(await names({ userId: first })).toEqual(['delta']);
    expect(await names({ userId: second, sort: 'createdAt' })).toEqual(['delta', 'charlie']);
    expect(await names({ userId: `${first},nonsense,${third}` })).toEqual(['delta']);
    expect(await names({ userId: third })).toEqual([]);
    expect(await names({ userId: ann })).toEqual([]);

    const paged: string[] = [];
    let cursor: string | null | undefined;
    for (let isFirst = true; cursor !== null; isFirst = false) {
      const page = pageOf<Schedule>(
        await api.callAs(other, listSchedules, { query: { limit: '3', ...(cursor ? { cursor } : {}) } }),
      );
      expect(page.meta.total).toBe(isFirst ? 4 : undefined);
      paged.push(...page.data.map(({ name }) => name));
      if (isFirst)
        expect(
          await api.callAs(other, listSchedules, { query: { q: 'a', cursor: page.meta.nextCursor as string } }),
        ).toMatchObject({ code: 'INVALID_CURSOR' });
      cursor = page.meta.nextCursor;
    }
    expect(paged).toEqual(byName);
  });
});

describe('the audit log', () => {
  it('has an entry for every change, and no others', async () => {
    const { id } = await create({ name: 'audited', layers: [layer({ id: 'a' })] });
    await update(id, { name: 'audited' });
    await update(id, { layers: [] });
    const made = dataOf<ScheduleOverride>(await override(id));
    await removeOverride(id, made.id);
    await remove(id);
    const mine = () => audit.filter(({ resource }) => resource?.id === id);
    await eventually(() =>
      expect(mine().map(({ type }) => type)).toEqual([
        'schedule.created',
        'schedule.updated',
        'schedule.override_created',
        'schedule.override_deleted',
        'schedule.deleted',
      ]),
    );
    expect(mine()[0]?.changes.map(({ field }) => field)).toEqual([
      'name',
      'timezone',
      'layerMode',
      'layers',
      'plannedGaps',
      'planned',
    ]);
    expect(mine()[1]).toMatchObject({
      organizationId: me.organizationId,
      actor: { type: 'api_key', name: 'bot' },
      resource: { type: 'schedule', id },
      changes: [{ field: 'layers', before: [{ id: 'a', members: [ann, bob] }], after: [] }],
    });
    expect(mine()[2]?.changes).toEqual([{ field: 'override', before: null, after: made }]);
    expect(mine()[3]?.changes).toEqual([{ field: 'override', before: made, after: null }]);
  });
});

describe('tenants', () => {
  it('see nothing of each other, and nothing of the other environment', async () => {
    const { id } = await create({ layers: [layer()] });
    const { id: overrideId } = dataOf<ScheduleOverride>(await override(id));
    const strangers = [
      await api.newPrincipal(),
      await api.newPrincipal({ organizationId: me.organizationId, environment: 'test' }),
    ];
    for (const stranger of strangers) {
      const theirs = await create({ name: 'theirs' }, stranger);
      for (const operation of [
        getSchedule,
        updateSchedule,
        deleteSchedule,
        createOverride,
        deleteOverride,
        listShifts,
      ] as unknown as Operation[]) {
        for (const wrong of [
          id,
          publicId('schedule', newUuid()),
          'sch_x',
          'nonsense',
          '',
          uuidOf('schedule', id) as string,
        ]) {
          const answer = await api.callAs(stranger, operation, {
            params: { id: wrong, overrideId },
            body: operation.example.body ?? null,
          });
          expect(answer).toMatchObject({ ok: false, code: 'NOT_FOUND', details: { resource: 'schedule', id: wrong } });
        }
      }
      expect(await api.callAs(stranger, deleteOverride, { params: { id: theirs.id, overrideId } })).toMatchObject({
        code: 'NOT_FOUND',
        details: { resource: 'override' },
      });
      expect(pageOf(await api.callAs(stranger, listSchedules))).toMatchObject({ data: [theirs], meta: { total: 1 } });
    }
    expect(await get(id)).toMatchObject({ version: 2, overrides: [{ id: overrideId }] });
  });

  it('share their members between the environments', async () => {
    const test = await api.newPrincipal({ organizationId: me.organizationId, environment: 'test' });
    expect(await create({ layers: [layer()] }, test)).toMatchObject({ layers: [{ members: [ann, bob] }] });
  });
});
