/** Who is on call, as the service answers. The functions of libs/domain that resolve schedules have their own tests. */
import {
  createOverride,
  createSchedule,
  currentOnCall,
  deleteOverride,
  listShifts,
  newUuid,
  publicId,
  uuidOf,
  type CurrentOnCall,
  type OnCallUser,
  type Principal,
  type Schedule,
  type ScheduleOverride,
  type Shifts,
} from '@ams/contracts';
import { onCallAt, type OnCallSchedule, type ScheduleOverride as ResolvedOverride } from '@ams/domain';
import fc from 'fast-check';
import { dataOf, insertMember, insertScheduleOverride, pageOf } from '@ams/testing';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let me: Principal;
let ann: OnCallUser;
let bob: OnCallUser;

beforeAll(async () => {
  api = await startResourceApi();
  me = await api.newPrincipal();
  [ann, bob] = [await newUser('Ann'), await newUser('Bob')];
});
afterAll(() => api.stop());

async function newUser(name: string, of = me): Promise<OnCallUser> {
  const email = `${name.toLowerCase()}.${newUuid()}@example.com`;
  const id = await insertMember(api.admin, of, { name, email });
  return { id: publicId('member', id), name, email };
}

/** Ann from Monday, 18 November 2030, 09:00 in Berlin, then Bob, week by week. */
const weekly = () => ({
  id: 'weekly',
  name: 'Weekly',
  members: [ann.id, bob.id],
  rotation: { unit: 'week', interval: 1, handoffTime: '09:00', handoffDay: 1 },
  startsAt: '2030-11-18T08:00:00Z',
});
const create = async (body: object = {}, principal = me): Promise<Schedule> =>
  dataOf(
    await api.callAs(principal, createSchedule, {
      body: { name: 'Primary', timezone: 'Europe/Berlin', layers: [weekly()], ...body },
    }),
  );
const override = async (id: string, user: OnCallUser, startsAt: string, endsAt: string): Promise<ScheduleOverride> =>
  dataOf(await api.callAs(me, createOverride, { params: { id }, body: { userId: user.id, startsAt, endsAt } }));
const current = async (scheduleId: string, at: string): Promise<CurrentOnCall> => {
  const [entry, ...others] = pageOf<CurrentOnCall>(
    await api.callAs(me, currentOnCall, { query: { scheduleId, at } }),
  ).data;
  expect(others).toEqual([]);
  return entry as CurrentOnCall;
};
const shifts = (id: string, query: Record<string, string> = {}) =>
  api.callAs<{ data: Shifts }>(me, listShifts, { params: { id }, query });

describe('who is on call', () => {
  it('is the member of the layer, and the next member follows', async () => {
    const { id } = await create();
    expect(await current(id, '2030-11-22T14:00:00+01:00')).toEqual({
      scheduleId: id,
      scheduleName: 'Primary',
      users: [ann],
      source: 'layer',
      layerId: 'weekly',
      startsAt: '2030-11-18T08:00:00.000Z',
      endsAt: '2030-11-25T08:00:00.000Z',
      next: { users: [bob], startsAt: '2030-11-25T08:00:00.000Z', endsAt: '2030-12-02T08:00:00.000Z' },
      isGap: false,
      isPlannedGap: false,
    });
  });

  it('is the member of an override, until it ends', async () => {
    const { id } = await create();
    const made = await override(id, bob, '2030-11-20T08:00:00Z', '2030-11-20T20:00:00Z');
    const before = {
      users: [ann],
      source: 'layer',
      startsAt: '2030-11-18T08:00:00.000Z',
      endsAt: '2030-11-20T08:00:00.000Z',
    };
    expect(await current(id, '2030-11-20T07:59:59.999Z')).toMatchObject({
      ...before,
      next: { users: [bob], startsAt: made.startsAt, endsAt: made.endsAt },
    });
    expect(await current(id, '2030-11-20T08:00:00Z')).toMatchObject({
      users: [bob],
      source: 'override',
      layerId: null,
      startsAt: made.startsAt,
      endsAt: made.endsAt,
      next: { users: [ann], startsAt: made.endsAt, endsAt: '2030-11-25T08:00:00.000Z' },
    });
    expect(await current(id, '2030-11-24T00:00:00Z')).toMatchObject({
      users: [ann],
      source: 'layer',
      startsAt: made.endsAt,
      endsAt: '2030-11-25T08:00:00.000Z',
    });
    await api.callAs(me, deleteOverride, { params: { id, overrideId: made.id } });
    expect(await current(id, '2030-11-20T08:00:00Z')).toMatchObject({
      users: [ann],
      endsAt: '2030-11-25T08:00:00.000Z',
    });
  });

  it('is nobody in a gap, and somebody afterwards', async () => {
    const { id } = await create();
    const gap = {
      users: [],
      source: null,
      layerId: null,
      isGap: true,
      endsAt: '2030-11-18T08:00:00.000Z',
      next: { users: [ann], startsAt: '2030-11-18T08:00:00.000Z' },
    };
    expect(await current(id, '2030-11-03T00:00:00Z')).toMatchObject({ ...gap, startsAt: null });
    await insertScheduleOverride(api.admin, me, {
      scheduleId: uuidOf('schedule', id) as string,
      memberId: uuidOf('member', bob.id) as string,
      startsAt: '2024-01-01T00:00:00Z',
      endsAt: '2024-01-02T00:00:00Z',
    });
    expect(await current(id, '2030-11-03T00:00:00Z')).toMatchObject({ ...gap, startsAt: '2024-01-02T00:00:00.000Z' });
    const { id: empty } = await create({ layers: [] });
    expect(await current(empty, '2030-11-03T00:00:00Z')).toEqual({
      scheduleId: empty,
      scheduleName: 'Primary',
      users: [],
      source: null,
      layerId: null,
      startsAt: null,
      endsAt: null,
      next: null,
      isGap: true,
      isPlannedGap: false,
    });
  });

  it('is also a member of the schedule who has been disabled since', async () => {
    const leaver = await newUser('Leaver');
    const { id } = await create({ layers: [{ ...weekly(), members: [leaver.id] }] });
    await api.admin.query(`UPDATE auth.members SET status = 'disabled' WHERE id = $1`, [uuidOf('member', leaver.id)]);
    expect(await current(id, '2030-11-22T00:00:00Z')).toMatchObject({ users: [leaver] });
    expect(
      dataOf<Shifts>(await shifts(id, { since: '2030-11-22T00:00:00Z', until: '2030-11-23T00:00:00Z' })).shifts,
    ).toMatchObject([{ user: leaver }]);
  });

  it('is listed for every schedule, by name, page by page', async () => {
    const other = await api.newPrincipal();
    const user = await newUser('Somebody', other);
    const made = [];
    for (const name of ['b', 'a', 'c'])
      made.push(await create({ name, layers: [{ ...weekly(), members: [user.id] }] }, other));
    const names: string[] = [];
    let cursor: string | null | undefined;
    for (let first = true; cursor !== null; first = false) {
      const page = pageOf<CurrentOnCall>(
        await api.callAs(other, currentOnCall, { query: { limit: '2', ...(cursor ? { cursor } : {}) } }),
      );
      expect(page.meta.total).toBe(first ? 3 : undefined);
      names.push(...page.data.map(({ scheduleName }) => scheduleName));
      cursor = page.meta.nextCursor;
    }
    expect(names).toEqual(['a', 'b', 'c']);
    const asked = pageOf<CurrentOnCall>(
      await api.callAs(other, currentOnCall, { query: { scheduleId: `${made[2]!.id},nonsense,${made[0]!.id}` } }),
    );
    expect(asked.data.map(({ scheduleName }) => scheduleName)).toEqual(['b', 'c']);
    for (const stranger of [
      me,
      await api.newPrincipal({ organizationId: other.organizationId, environment: 'test' }),
    ]) {
      expect(pageOf(await api.callAs(stranger, currentOnCall, { query: { scheduleId: made[0]!.id } }))).toMatchObject({
        data: [],
        meta: { total: 0 },
      });
    }
  });

  it('is answered for a time up to ten years from now', async () => {
    expect(await api.callAs(me, currentOnCall, { query: { at: 'noon' } })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ path: 'at' }] },
    });
    expect(await api.callAs(me, currentOnCall, { query: { at: '9999-01-01T00:00:00Z' } })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ path: 'at', rule: 'range' }] },
    });
    for (const at of ['0000-01-01T00:00:00Z', '1969-07-21T02:56:00Z'])
      expect(await api.callAs(me, currentOnCall, { query: { at } })).toMatchObject({ ok: true });
  });

  it('does not depend on the range of overrides that was read', async () => {
    const day = 86_400_000;
    const center = Date.parse('2030-11-22T00:00:00Z');
    const { id, layers } = await create();
    const scheduleId = uuidOf('schedule', id) as string;
    const uuids = new Map([ann, bob].map((user) => [uuidOf('member', user.id) as string, user]));
    const time = (days: number): string => new Date(center + days * day).toISOString();
    const overrides = fc.array(
      fc.record({
        userId: fc.constantFrom(...uuids.keys()),
        from: fc.integer({ min: -12, max: 6 }),
        days: fc.integer({ min: 1, max: 9 }),
        made: fc.integer({ min: -20, max: -15 }),
      }),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(overrides, async (drawn) => {
        const stored: ResolvedOverride[] = drawn.map(({ userId, from, days, made }) => ({
          id: newUuid(),
          userId,
          startsAt: time(from),
          endsAt: time(from + days),
          createdAt: time(made),
        }));
        await api.admin.query('DELETE FROM resources.schedule_overrides WHERE schedule_id = $1', [scheduleId]);
        for (const { id: uuid, userId, startsAt, endsAt, createdAt } of stored) {
          const override = { id: uuid, scheduleId, memberId: userId, startsAt, endsAt, createdAt };
          await insertScheduleOverride(api.admin, me, override);
        }
        const whole: OnCallSchedule = {
          timezone: 'Europe/Berlin',
          layers: layers.map((layer) => ({
            ...layer,
            members: [...uuids.keys()],
            rotation: { ...layer.rotation, handoffDay: 1 },
          })),
          overrides: stored,
        };
        for (const days of [-8, -3, 0, 0.5, 5]) {
          const { shifts, gap, next: following } = onCallAt(whole, time(days));
          const [shift, next] = [shifts[0] ?? null, following[0] ?? null];
          expect(await current(id, time(days))).toEqual({
            scheduleId: id,
            scheduleName: 'Primary',
            users: shift ? [uuids.get(shift.userId)] : [],
            source: shift?.source ?? null,
            layerId: shift?.layerId ?? null,
            startsAt: (shift ?? gap)?.startsAt,
            endsAt: (shift ?? gap)?.endsAt,
            next: next && { users: [uuids.get(next.userId)], startsAt: next.startsAt, endsAt: next.endsAt },
            isGap: !shift,
            isPlannedGap: false,
          });
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('the shifts of a schedule', () => {
  it('are those of layers and overrides together, and the gaps, cut at the ends of the range', async () => {
    const { id } = await create();
    const made = await override(id, bob, '2030-11-22T00:00:00Z', '2030-11-23T00:00:00Z');
    await override(id, bob, '2030-12-26T00:00:00Z', '2030-12-27T00:00:00Z');
    const answer = await shifts(id, { since: '2030-11-17T00:00:00+01:00', until: '2030-11-26T00:00:00Z' });
    expect(answer).toMatchObject({ ok: true, status: 200 });
    expect(dataOf<Shifts>(answer)).toEqual({
      since: '2030-11-16T23:00:00.000Z',
      until: '2030-11-26T00:00:00.000Z',
      shifts: [
        {
          user: ann,
          startsAt: '2030-11-18T08:00:00.000Z',
          endsAt: made.startsAt,
          source: 'layer',
          layerId: 'weekly',
          overrideId: null,
        },
        {
          user: bob,
          startsAt: made.startsAt,
          endsAt: made.endsAt,
          source: 'override',
          layerId: null,
          overrideId: made.id,
        },
        {
          user: ann,
          startsAt: made.endsAt,
          endsAt: '2030-11-25T08:00:00.000Z',
          source: 'layer',
          layerId: 'weekly',
          overrideId: null,
        },
        {
          user: bob,
          startsAt: '2030-11-25T08:00:00.000Z',
          endsAt: '2030-11-26T00:00:00.000Z',
          source: 'layer',
          layerId: 'weekly',
          overrideId: null,
        },
      ],
      gaps: [{ startsAt: '2030-11-16T23:00:00.000Z', endsAt: '2030-11-18T08:00:00.000Z' }],
    });
  });

  it('cover two weeks by default', async () => {
    const { id } = await create({ layers: [] });
    const length = ({ since, until }: Shifts): number => (Date.parse(until) - Date.parse(since)) / 86_400_000;
    expect(length(dataOf<Shifts>(await shifts(id)))).toBe(14);
    expect(dataOf<Shifts>(await shifts(id, { since: '2026-01-01T00:00:00Z' }))).toEqual({
      since: '2026-01-01T00:00:00.000Z',
      until: '2026-01-15T00:00:00.000Z',
      shifts: [],
      gaps: [{ startsAt: '2026-01-01T00:00:00.000Z', endsAt: '2026-01-15T00:00:00.000Z' }],
    });
  });

  it.each([
    [{ since: 'now' }, 'since', 'isInstant'],
    [{ since: '2026-01-02T00:00:00Z', until: '2026-01-02T00:00:00Z' }, 'until', 'order'],
    [{ until: '1999-01-01T00:00:00Z' }, 'until', 'order'],
    [{ since: '2026-01-01T00:00:00Z', until: '2027-02-05T00:00:00.001Z' }, 'until', 'range'],
  ])('refuse the range %j', async (query, path, rule) => {
    const { id } = await create();
    expect(await shifts(id, query)).toMatchObject({
      ok: false,
      code: 'VALIDATION_ERROR',
      details: { fields: [{ path, rule }] },
    });
  });

  it('ask for a shorter range when there are more than fit into an answer', async () => {
    const { id } = await create({
      layers: [{ ...weekly(), rotation: { unit: 'hour', interval: 1, handoffTime: '00:00' } }],
    });
    const since = '2031-01-01T00:00:00Z';
    expect(await shifts(id, { since, until: '2032-02-05T00:00:00Z' })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ path: 'until', rule: 'range' }] },
    });
    expect(dataOf<Shifts>(await shifts(id, { since, until: '2031-03-01T00:00:00Z' })).shifts).toHaveLength(59 * 24);

    const { id: crowded } = await create();
    await api.admin.query(
      `INSERT INTO resources.schedule_overrides
         (id, organization_id, environment, schedule_id, member_id, starts_at, ends_at, created_by)
       SELECT gen_random_uuid(), $1, 'live', $2, $3, at, at + interval '1 second', '{}'
       FROM generate_series('2031-01-01T00:00:00Z', '2031-01-01T00:33:20Z', interval '1 second') at`,
      [me.organizationId, uuidOf('schedule', crowded), uuidOf('member', bob.id)],
    );
    expect(await shifts(crowded, { since })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ path: 'until', rule: 'range' }] },
    });
    expect(dataOf<Shifts>(await shifts(crowded, { since, until: '2031-01-01T00:10:00Z' })).shifts).toHaveLength(600);
  });
});

describe('a member who was deleted', () => {
  it('stays in the past of a schedule with the id, and without a name', async () => {
    const cleo = await newUser('Cleo');
    const { id } = await create();
    const now = Date.now();
    const [since, until] = [new Date(now - 7_200_000).toISOString(), new Date(now - 3_600_000).toISOString()];
    await insertScheduleOverride(api.admin, me, {
      scheduleId: uuidOf('schedule', id) as string,
      memberId: uuidOf('member', cleo.id) as string,
      startsAt: since,
      endsAt: until,
    });
    expect(dataOf<Shifts>(await shifts(id, { since, until })).shifts).toMatchObject([{ user: cleo }]);
    await api.admin.query('SELECT auth.delete_member($1, $2)', [me.organizationId, uuidOf('member', cleo.id)]);
    const deleted = { id: cleo.id, name: 'Deleted member', email: null };
    expect(dataOf<Shifts>(await shifts(id, { since, until })).shifts).toMatchObject([
      { user: deleted, startsAt: since, endsAt: until, source: 'override' },
    ]);
    expect(await current(id, since)).toMatchObject({ users: [deleted] });
    const body = { userId: cleo.id, startsAt: '2031-01-01T00:00:00Z', endsAt: '2031-01-02T00:00:00Z' };
    expect(await api.callAs(me, createOverride, { params: { id }, body })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [expect.objectContaining({ path: 'userId' })] },
    });
  });
});
