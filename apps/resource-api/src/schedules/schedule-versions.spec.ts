/** Edits of schedules as the service answers them: who was on call, stays. */
import {
  createOverride,
  createSchedule,
  createSwap,
  currentOnCall,
  deleteOverride,
  getSchedule,
  listSchedules,
  listShifts,
  newUuid,
  previewSchedule,
  publicId,
  updateSchedule,
  uuidOf,
  type CurrentOnCall,
  type Principal,
  type Schedule,
  type ScheduleOverride,
  type SchedulePreview,
  type ScheduleSwap,
  type Shifts,
} from '@ams/contracts';
import { onCallOf } from '@ams/alerting';
import { dataOf, eventually, idempotencyOf, insertMember, pageOf } from '@ams/testing';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let me: Principal;
let ann: string;
let bob: string;
let cleo: string;

beforeAll(async () => {
  api = await startResourceApi({ replicas: 2 });
  me = await api.newPrincipal();
  [ann, bob, cleo] = [await newMember('Ann'), await newMember('Bob'), await newMember('Cleo')];
});
afterAll(() => api.stop());

const newMember = async (name: string, of: Principal = me): Promise<string> =>
  publicId('member', await insertMember(api.admin, of, { name }));

const hour = 3_600_000;
const day = 24 * hour;
const fromNow = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** Always the same members, from long ago. */
const always = (...members: string[]) => ({
  id: members.join('-').slice(0, 20),
  name: 'Always',
  members,
  rotation: { unit: 'day', interval: 1, handoffTime: '00:00' },
  startsAt: '2020-01-01T00:00:00Z',
});
const create = async (body: object, principal = me): Promise<Schedule> =>
  dataOf(await api.callAs(principal, createSchedule, { body: { name: 'Primary', ...body } }));
const get = async (id: string, principal = me): Promise<Schedule> =>
  dataOf(await api.callAs(principal, getSchedule, { params: { id } }));
const update = (id: string, body: object) =>
  api.callAs<{ data: Schedule }>(me, updateSchedule, { params: { id }, body });
const override = async (id: string, body: object): Promise<ScheduleOverride> =>
  dataOf(await api.callAs(me, createOverride, { params: { id }, body }));
const current = async (id: string, at?: string, principal = me): Promise<CurrentOnCall> => {
  const query = { scheduleId: id, ...(at && { at }) };
  return pageOf<CurrentOnCall>(await api.callAs(principal, currentOnCall, { query })).data[0] as CurrentOnCall;
};
const who = async (id: string, at?: string): Promise<string[]> => (await current(id, at)).users.map((user) => user.id);
const shifts = async (id: string, since: string, until: string): Promise<string[]> =>
  dataOf<Shifts>(await api.callAs(me, listShifts, { params: { id }, query: { since, until } })).shifts.map(
    ({ user, startsAt, endsAt }) => `${startsAt} ${endsAt} ${user.id}`,
  );
const refused = (path: string, rule: string) => ({
  ok: false,
  code: 'VALIDATION_ERROR',
  details: { fields: expect.arrayContaining([expect.objectContaining({ path, rule })]) },
});

describe('the past of a schedule', () => {
  it('does not change when a member is removed from it and is disabled', async () => {
    const leaver = await newMember('Leaver');
    const { id } = await create({ layers: [always(leaver)] });
    const range = [fromNow(-10 * day), fromNow(-day)] as const;
    const before = await shifts(id, ...range);
    const answer = await update(id, { layers: [always(ann)] });
    expect(answer).toMatchObject({ ok: true, version: 2 });
    await api.admin.query(`UPDATE auth.members SET status = 'disabled' WHERE id = $1`, [uuidOf('member', leaver)]);
    expect(await shifts(id, ...range)).toEqual(before);
    expect(await current(id, fromNow(-day))).toMatchObject({
      users: [{ id: leaver, name: 'Leaver' }],
      endsAt: dataOf<Schedule>(answer).updatedAt,
      next: { users: [{ id: ann }] },
    });
    expect(await who(id)).toEqual([ann]);
    expect(await who(id, fromNow(day))).toEqual([ann]);
  });

  it('does not change when an override that has begun is deleted: it ends', async () => {
    const { id } = await create({ layers: [always(ann)] });
    const { id: overrideId, startsAt } = await override(id, {
      userId: bob,
      startsAt: fromNow(-hour),
      endsAt: fromNow(hour),
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await who(id)).toEqual([bob]);
    const remove = () => api.callAs(me, deleteOverride, { params: { id, overrideId } });
    expect(await remove()).toMatchObject({ ok: true });
    expect(await who(id)).toEqual([ann]);
    expect(await who(id, startsAt)).toEqual([bob]);
    expect((await get(id)).overrides).toEqual([]);
    expect(await remove()).toMatchObject({ code: 'NOT_FOUND' });
    expect(await who(id, startsAt)).toEqual([bob]);
  });

  it('does not change by an override that begins in the past: it begins now', async () => {
    const { id } = await create({ layers: [always(ann)] });
    const made = await override(id, { userId: bob, startsAt: fromNow(-day), endsAt: fromNow(hour) });
    expect(made.startsAt).toBe(made.createdAt);
    expect(await who(id, fromNow(-hour))).toEqual([ann]);
    expect(await who(id)).toEqual([bob]);
  });

  it('is deleted with the schedule', async () => {
    const { id } = await create({ layers: [always(ann)] });
    await update(id, { layers: [] });
    await api.admin.query('DELETE FROM resources.schedules WHERE id = $1', [uuidOf('schedule', id)]);
    const { rows } = await api.admin.query('SELECT 1 FROM resources.schedule_versions WHERE schedule_id = $1', [
      uuidOf('schedule', id),
    ]);
    expect(rows).toEqual([]);
  });

  it('is kept for the last 1,000 edits', async () => {
    const { id } = await create({ layers: [always(ann)] });
    await api.admin.query(
      `INSERT INTO resources.schedule_versions (schedule_id, organization_id, environment, effective_from,
         effective_until, timezone, layer_mode, layers, planned_gaps)
       SELECT $1, $2, 'live', at - interval '1 second', at, 'UTC', 'last', '[]', '[]'
       FROM generate_series('2021-01-01T00:00:00Z', '2021-01-01T00:20:00Z', interval '1 second') at`,
      [uuidOf('schedule', id), me.organizationId],
    );
    await update(id, { layers: [] });
    const { rows } = await api.admin.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM resources.schedule_versions WHERE schedule_id = $1',
      [uuidOf('schedule', id)],
    );
    expect(rows).toEqual([{ n: 1000 }]);
  });
});

describe('an edit', () => {
  it('with effectiveAt counts from then on, and is shown as planned until then', async () => {
    const { id } = await create({ layers: [always(ann)] });
    const effectiveAt = fromNow(2 * day);
    const planned = dataOf<Schedule>(await update(id, { layers: [always(bob)], name: 'Renamed', effectiveAt }));
    expect(planned).toMatchObject({
      name: 'Renamed',
      layers: [{ members: [ann] }],
      effectiveFrom: null,
      planned: [{ effectiveFrom: effectiveAt, layers: [{ members: [bob] }] }],
    });
    expect(await get(id)).toEqual(planned);
    const listed = pageOf<Schedule>(await api.callAs(me, listSchedules, { query: { q: 'Renamed' } })).data;
    expect(listed.find((schedule) => schedule.id === id)).toEqual(planned);
    expect([await who(id), await who(id, fromNow(day)), await who(id, fromNow(3 * day))]).toEqual([
      [ann],
      [ann],
      [bob],
    ]);
    expect(await current(id)).toMatchObject({ endsAt: effectiveAt, next: { users: [{ id: bob }] } });
  });

  it('keeps what is planned for later, unless it names the same field', async () => {
    const { id } = await create({ layers: [always(ann)] });
    const effectiveAt = fromNow(2 * day);
    await update(id, { layers: [always(bob)], effectiveAt });
    expect(dataOf(await update(id, { timezone: 'Asia/Tokyo' }))).toMatchObject({
      timezone: 'Asia/Tokyo',
      layers: [{ members: [ann] }],
      planned: [{ effectiveFrom: effectiveAt, timezone: 'Asia/Tokyo', layers: [{ members: [bob] }] }],
    });
    expect(dataOf(await update(id, { layers: [always(cleo)] }))).toMatchObject({
      layers: [{ members: [cleo] }],
      planned: [],
    });
    expect(await who(id, fromNow(3 * day))).toEqual([cleo]);
  });

  it.each([
    ['in the past', () => fromNow(-hour)],
    ['more than 400 days from now', () => fromNow(401 * day)],
  ])('is refused with an effectiveAt %s', async (_when, effectiveAt) => {
    const { id } = await create({});
    expect(await update(id, { layers: [], effectiveAt: effectiveAt() })).toMatchObject(refused('effectiveAt', 'range'));
  });

  it('a little in the past counts from now on', async () => {
    const { id } = await create({ layers: [always(ann)] });
    const { effectiveFrom, updatedAt } = dataOf<Schedule>(
      await update(id, { layers: [always(bob)], effectiveAt: fromNow(-2000) }),
    );
    expect(effectiveFrom).toBe(updatedAt);
  });

  it('is refused when 20 others are planned', async () => {
    const { id } = await create({ layers: [] });
    const plan = (i: number) => update(id, { plannedGaps: [weekend(i % 7)], effectiveAt: fromNow((i + 1) * day) });
    const weekend = (date: number) => ({ days: [date + 1], start: '00:00', end: '24:00' });
    for (let i = 0; i < 20; i++) expect(await plan(i)).toMatchObject({ ok: true });
    expect(await plan(20)).toMatchObject(refused('effectiveAt', 'range'));
  });

  it('of an earlier release, which knows one version only, is answered', async () => {
    const { id } = await create({ layers: [always(ann)] });
    await api.admin.query('UPDATE resources.schedules SET layers = $2, version = version + 1 WHERE id = $1', [
      uuidOf('schedule', id),
      JSON.stringify([{ ...always(), members: [uuidOf('member', bob)], endsAt: null, restrictions: [] }]),
    ]);
    expect(await who(id)).toEqual([bob]);
    expect((await get(id)).layers).toMatchObject([{ timezone: null, perTurn: 1, everybody: false }]);
  });

  it('is what a page reads', async () => {
    const { id } = await create({ layers: [always(ann)] });
    await update(id, { layers: [always(bob), always(cleo)], layerMode: 'all' });
    const queries = {
      query: async <Row>(sql: string, params?: unknown[]) => (await api.admin.query(sql, params)).rows as Row[],
    };
    const pagedAt = async (at: string) =>
      (await onCallOf(queries, me, id, 'current', at))?.map(({ memberId }) => publicId('member', memberId));
    expect(await pagedAt(fromNow(0))).toEqual([bob, cleo]);
    expect(await pagedAt(fromNow(-hour))).toEqual([ann]);
  });
});

describe('several members on call', () => {
  it('are all answered, with their shifts', async () => {
    const { id } = await create({ layers: [{ ...always(ann, bob, cleo), perTurn: 2 }] });
    expect(await who(id)).toHaveLength(2);
    const { id: all } = await create({ layerMode: 'all', layers: [always(ann), always(bob)] });
    expect(await current(all)).toMatchObject({ users: [{ id: ann }, { id: bob }], source: 'layer', isGap: false });
    expect(await shifts(all, fromNow(0), fromNow(day))).toHaveLength(2);
  });

  it('are refused with an unknown mode, zone or number', async () => {
    const layers = [{ ...always(ann), timezone: 'Mars/Base', perTurn: 0 }];
    const answer = await api.callAs(me, createSchedule, { body: { name: 'x', layerMode: 'some', layers } });
    expect(answer).toMatchObject(refused('layers[0].timezone', 'timezone'));
    expect(answer).toMatchObject(refused('layers[0].perTurn', 'range'));
    expect(answer).toMatchObject(refused('layerMode', 'isIn'));
  });

  it('a planned gap is no gap', async () => {
    const plannedGaps = [{ days: [1, 2, 3, 4, 5, 6, 7], start: '00:00', end: '24:00' }];
    const { id } = await create({ plannedGaps });
    expect(await current(id)).toMatchObject({ users: [], isGap: true, isPlannedGap: true });
    expect(dataOf<Shifts>(await api.callAs(me, listShifts, { params: { id } })).gaps).toEqual([]);
  });
});

describe('a swap', () => {
  const times = (i: number) => ({ startsAt: fromNow(i * day), endsAt: fromNow(i * day + hour) });
  const swap = (id: string, body: object, more: object = {}) =>
    api.callAs<{ data: ScheduleSwap }>(me, createSwap, { params: { id }, body, ...more });

  it('gives each of two members a time of the other', async () => {
    const { id } = await create({ layerMode: 'all', layers: [always(ann), always(bob), always(cleo)] });
    const [a, b] = [
      { userId: ann, ...times(1) },
      { userId: bob, ...times(2) },
    ];
    const body = { a, b, reason: 'wedding' };
    const call = { idempotency: idempotencyOf('swap', body) };
    const answer = await swap(id, body, call);
    expect(answer).toMatchObject({ ok: true, status: 201 });
    expect(await swap(id, body, call)).toEqual(answer);
    const { overrides } = dataOf<ScheduleSwap>(answer);
    expect(overrides).toMatchObject([
      { ...a, userId: bob, replacesUserId: ann, reason: 'wedding' },
      { ...b, userId: ann, replacesUserId: bob, reason: 'wedding' },
    ]);
    expect(await get(id)).toMatchObject({ version: 2, overrides });
    expect((await who(id, a.startsAt)).sort()).toEqual([bob, cleo].sort());
    expect((await who(id, b.startsAt)).sort()).toEqual([ann, cleo].sort());
  });

  it('is refused, whole, when one of them is not on call in all of the time', async () => {
    const { id } = await create({ layers: [always(ann), { ...always(bob), startsAt: fromNow(2 * day) }] });
    const late = { userId: bob, startsAt: fromNow(2 * day - hour), endsAt: fromNow(2 * day + hour) };
    expect(await swap(id, { a: { userId: ann, ...times(1) }, b: late })).toMatchObject(refused('b.userId', 'onCall'));
    expect(await swap(id, { a: { userId: cleo, ...times(1) }, b: { userId: bob, ...times(3) } })).toMatchObject(
      refused('a.userId', 'onCall'),
    );
    expect(await get(id)).toMatchObject({ version: 1, overrides: [] });
  });

  it('is refused with everything that is wrong with it', async () => {
    const { id } = await create({ layers: [always(ann)] });
    const past = { userId: publicId('member', newUuid()), startsAt: fromNow(-day), endsAt: fromNow(-hour) };
    const answer = await swap(id, { a: past, b: past });
    for (const [path, rule] of [
      ['a.userId', 'exists'],
      ['a.endsAt', 'range'],
      ['b.userId', 'unique'],
      ['b.endsAt', 'range'],
    ] as const)
      expect(answer).toMatchObject(refused(path, rule));
    expect(await swap(id, { a: past })).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
  });
});

describe('everybody in turn', () => {
  const everybody = { ...always(), id: 'everybody', members: undefined, everybody: true };
  const membersOf = async (id: string, principal: Principal): Promise<string[]> =>
    (await get(id, principal)).layers[0]!.members;
  const setMember = (id: string, columns: string) =>
    api.admin.query(`UPDATE auth.members SET ${columns} WHERE id = $1`, [uuidOf('member', id)]);

  it('has the members who are added, and not those who are disabled or become viewers', async () => {
    const mine = await api.newPrincipal();
    const first = await newMember('First', mine);
    const { id, layers } = await create({ layers: [everybody] }, mine);
    expect(layers).toMatchObject([{ everybody: true, members: [first] }]);
    const second = await newMember('Second', mine);
    await eventually(async () => expect((await membersOf(id, mine)).toSorted()).toEqual([first, second].toSorted()));
    const at = new Date().toISOString();
    const onCall = (await current(id, at, mine)).users;
    await setMember(first, `role = 'viewer'`);
    await eventually(async () => expect(await membersOf(id, mine)).toEqual([second]));
    await setMember(second, `status = 'disabled'`);
    await eventually(async () => expect(await membersOf(id, mine)).toEqual([]));
    expect((await current(id, at, mine)).users).toEqual(onCall);
    await setMember(first, `role = 'responder'`);
    await eventually(async () => expect(await membersOf(id, mine)).toEqual([first]));
    expect((await current(id, undefined, mine)).users).toMatchObject([{ id: first }]);
    const { version } = await get(id, mine);
    expect(version).toBe(5);
  });

  it('leaves out a member who is deleted', async () => {
    const mine = await api.newPrincipal();
    const [first, second] = [await newMember('First', mine), await newMember('Second', mine)];
    const { id } = await create({ layers: [everybody] }, mine);
    await eventually(async () => expect((await membersOf(id, mine)).toSorted()).toEqual([first, second].toSorted()));
    const at = new Date().toISOString();
    const [onCall] = (await current(id, at, mine)).users;
    await api.admin.query('SELECT auth.delete_member($1, $2)', [mine.organizationId, uuidOf('member', onCall!.id)]);
    const other = onCall!.id === first ? second : first;
    await eventually(async () => expect(await membersOf(id, mine)).toEqual([other]));
    expect((await current(id, undefined, mine)).users).toMatchObject([{ id: other }]);
    expect((await current(id, at, mine)).users).toEqual([{ id: onCall!.id, name: 'Deleted member', email: null }]);
  });

  it('does not hold its members: they are not named by the schedule, and the list finds it by them', async () => {
    const mine = await api.newPrincipal();
    const member = await newMember('Member', mine);
    const { id } = await create({ layers: [everybody] }, mine);
    const { rows } = await api.admin.query('SELECT 1 FROM resources.schedule_members WHERE schedule_id = $1', [
      uuidOf('schedule', id),
    ]);
    expect(rows).toEqual([]);
    const found = pageOf<Schedule>(await api.callAs(mine, listSchedules, { query: { userId: member } })).data;
    expect(found.map((schedule) => schedule.id)).toEqual([id]);
  });

  it('is sent back as it was without an edit', async () => {
    const mine = await api.newPrincipal();
    for (const name of ['One', 'Two', 'Three']) await newMember(name, mine);
    const { id } = await create({ layers: [everybody] }, mine);
    await eventually(async () => {
      const { rows } = await api.admin.query('SELECT 1 FROM resources.everybody_changes');
      expect(rows).toEqual([]);
    });
    const { layers } = await get(id, mine);
    const again = await api.callAs(mine, updateSchedule, { params: { id }, body: { layers } });
    expect(again).toMatchObject({ ok: true, version: 1 });
  });
});

describe('the preview of an edit', () => {
  const preview = (id: string, body: object, principal = me) =>
    api.callAs<{ data: SchedulePreview }>(principal, previewSchedule, { params: { id }, body });

  it('says who is on call without and with it, and changes nothing', async () => {
    const { id, version } = await create({ layers: [always(ann)] });
    const edit = { layers: [always(bob)], effectiveAt: fromNow(2 * day) };
    await override(id, { userId: cleo, startsAt: fromNow(3 * day), endsAt: fromNow(4 * day) });
    const shown = dataOf<SchedulePreview>(await preview(id, { ...edit, until: fromNow(6 * day) }));
    const idsOf = ({ shifts: some }: SchedulePreview['before']): string[] => some.map(({ user }) => user.id);
    expect([idsOf(shown.before), idsOf(shown.after)]).toEqual([
      [ann, cleo, ann],
      [ann, bob, cleo, bob],
    ]);
    expect(shown.changes.map(({ before, after }) => [before[0]?.id, after[0]?.id])).toEqual([
      [ann, bob],
      [ann, bob],
    ]);
    expect(shown.changes[0]?.startsAt).toBe(edit.effectiveAt);
    expect(await get(id)).toMatchObject({ version: version + 1, planned: [], layers: [{ members: [ann] }] });
    const saved = dataOf<Schedule>(await update(id, edit));
    expect(await shifts(id, shown.since, shown.until)).toEqual(
      shown.after.shifts.map(({ user, startsAt, endsAt }) => `${startsAt} ${endsAt} ${user.id}`),
    );
    expect(saved.planned).toHaveLength(1);
  });

  it('says when nobody would be on call', async () => {
    const { id } = await create({ layers: [always(ann)] });
    const { since, until, after, changes } = dataOf<SchedulePreview>(await preview(id, { layers: [] }));
    expect([after, changes]).toMatchObject([
      { shifts: [], gaps: [{ startsAt: since, endsAt: until }] },
      [{ startsAt: since, endsAt: until, before: [{ id: ann }], after: [] }],
    ]);
  });

  it('refuses what an update refuses, and a range that is too long', async () => {
    const { id } = await create({ layers: [always(ann)] });
    const unknown = publicId('member', newUuid());
    const [wrong, long, past] = await Promise.all([
      preview(id, { layers: [always(unknown)] }),
      preview(id, { until: fromNow(93 * day) }),
      preview(id, { until: fromNow(-day) }),
    ]);
    expect([wrong, long, past]).toEqual([
      expect.objectContaining(refused('layers[0].members[0]', 'exists')),
      expect.objectContaining(refused('until', 'range')),
      expect.objectContaining(refused('until', 'order')),
    ]);
  });

  it('is not for another organization', async () => {
    const { id } = await create({ layers: [always(ann)] });
    expect(await preview(id, {}, await api.newPrincipal())).toMatchObject({ ok: false, code: 'NOT_FOUND' });
  });
});
