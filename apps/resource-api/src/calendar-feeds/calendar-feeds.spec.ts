/** Calendar feeds as the service makes and reads them. The API gateway's test covers HTTP. */
import {
  calendarRequest,
  createMemberFeed,
  createOverride,
  createSchedule,
  createScheduleFeed,
  credentialHash,
  currentOnCall,
  deleteMemberFeed,
  deleteSchedule,
  deleteScheduleFeed,
  isCalendarToken,
  listShifts,
  newUuid,
  publicId,
  updateSchedule,
  uuidOf,
  type Answer,
  type CalendarFeed,
  type CalendarReply,
  type CurrentOnCall,
  type Principal,
  type Schedule,
  type Shifts,
} from '@ams/contracts';
import { dataOf, idempotencyOf, insertMember, pageOf } from '@ams/testing';
import ical, { type VEvent } from 'node-ical';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let me: Principal;
let ann: string;
let bob: string;

beforeAll(async () => {
  api = await startResourceApi();
  me = await api.newPrincipal();
  [ann, bob] = [await newMember('Ann'), await newMember('Bob')];
});
afterAll(() => api.stop());

const newMember = async (name: string, of: Principal = me): Promise<string> =>
  publicId('member', await insertMember(api.admin, of, { name }));

const hour = 3_600_000;
const day = 24 * hour;
const fromNow = (ms: number): string => new Date(Date.now() + ms).toISOString();

const weekly = (...members: string[]) => ({
  id: 'weekly',
  name: 'Weekly',
  members,
  rotation: { unit: 'week', interval: 1, handoffDay: 1, handoffTime: '09:00' },
  startsAt: '2026-01-05T08:00:00Z',
});
const create = async (name: string, layers: object[], principal = me): Promise<string> =>
  dataOf<Schedule>(await api.callAs(principal, createSchedule, { body: { name, timezone: 'Europe/Berlin', layers } }))
    .id;

const feedOf = (id: string, principal = me): Promise<Answer> =>
  api.callAs(principal, createScheduleFeed, { params: { id } });
const feedOfMember = (id: string, principal = me): Promise<Answer> =>
  api.callAs(principal, createMemberFeed, { params: { id } });
const tokenOf = (answer: Answer): string => {
  const { url } = dataOf<CalendarFeed>(answer);
  expect(url).toMatch(/^https:\/\/alerts\.example\.com\/api\/calendars\/\w{32}\.ics$/);
  return url.slice(url.lastIndexOf('/') + 1, -'.ics'.length);
};
const read = async (token: string): Promise<CalendarReply> =>
  (
    await api.nats.request(calendarRequest.subject, JSON.stringify({ tokenHash: credentialHash(token) }), {
      timeout: 30_000,
    })
  ).json<CalendarReply>();
async function eventsOf(token: string): Promise<VEvent[]> {
  const reply = await read(token);
  if (reply.kind === 'unknown') throw new Error('the feed is unknown');
  return Object.values(ical.sync.parseICS(reply.text)).filter(
    (component): component is VEvent => component?.type === 'VEVENT',
  );
}
const summariesAt = (events: readonly VEvent[], at: number): string[] =>
  events.filter(({ start, end }) => start.getTime() <= at && at < end!.getTime()).map(({ summary }) => String(summary));

describe('the feed of a schedule', () => {
  it('agrees with current-oncall and the shifts, before and after an edit and an override', async () => {
    const cleo = await newMember('Cleo');
    const id = await create('Primary', [weekly(ann, bob)]);
    await api.callAs(me, updateSchedule, {
      params: { id },
      body: { layers: [weekly(bob, cleo)], effectiveAt: fromNow(10 * day + hour / 3) },
    });
    const override = { userId: cleo, startsAt: fromNow(2 * day), endsAt: fromNow(2 * day + 5 * hour), reason: null };
    dataOf(await api.callAs(me, createOverride, { params: { id }, body: override }));
    const events = await eventsOf(tokenOf(await feedOf(id)));

    const range = { since: fromNow(-29 * day), until: fromNow(60 * day) };
    const { shifts } = dataOf<Shifts>(await api.callAs(me, listShifts, { params: { id }, query: range }));
    const names = new Set(shifts.map(({ user }) => user.name));
    expect(names).toEqual(new Set(['Ann', 'Bob', 'Cleo']));
    for (const { user, startsAt, endsAt } of shifts) {
      const middle = (Date.parse(startsAt) + Date.parse(endsAt)) / 2;
      const last = Math.floor((Date.parse(endsAt) - 1000) / 1000) * 1000;
      for (const at of [middle, last]) expect(summariesAt(events, at)).toEqual([user.name]);
      const query = { scheduleId: id, at: new Date(middle).toISOString() };
      const [current] = pageOf<CurrentOnCall>(await api.callAs(me, currentOnCall, { query })).data;
      expect(current?.users.map(({ name }) => name)).toEqual([user.name]);
    }
  });

  it('keeps the past as it was known, and its UIDs, after an edit', async () => {
    const id = await create('Edited', [weekly(ann, bob)]);
    const token = tokenOf(await feedOf(id));
    const before = (await eventsOf(token)).filter(({ end }) => end!.getTime() < Date.now());
    await api.callAs(me, updateSchedule, { params: { id }, body: { layers: [weekly(bob)] } });
    const after = await eventsOf(token);
    expect(before.length).toBeGreaterThan(2);
    for (const { uid, start, end, summary } of before)
      expect(after.find((event) => event.uid === uid)).toMatchObject({ start, end, summary });
    expect(summariesAt(after, Date.now() + 1000)).toEqual(['Bob']);
    expect(new Set(after.map(({ uid }) => uid)).size).toBe(after.length);
  });

  it('has a text that changes only when something changes', async () => {
    const id = await create('Quiet', [weekly(ann, bob)]);
    const token = tokenOf(await feedOf(id));
    const first = await read(token);
    expect(await read(token)).toEqual(first);
    await api.callAs(me, updateSchedule, { params: { id }, body: { name: 'Renamed' } });
    const renamed = await read(token);
    expect(renamed).toMatchObject({ text: expect.stringContaining('X-WR-CALNAME:Renamed') });
  });

  it('is unknown at once when it is rotated, deleted, or its schedule is deleted', async () => {
    const id = await create('Rotated', [weekly(ann)]);
    const first = tokenOf(await feedOf(id));
    const second = tokenOf(await feedOf(id));
    expect(second).not.toBe(first);
    expect(await read(first)).toEqual({ kind: 'unknown' });
    expect(await read(second)).toMatchObject({ kind: 'calendar' });
    expect(await api.callAs(me, deleteScheduleFeed, { params: { id } })).toMatchObject({ status: 204 });
    expect(await read(second)).toEqual({ kind: 'unknown' });
    expect(await api.callAs(me, deleteScheduleFeed, { params: { id } })).toMatchObject({
      ok: false,
      code: 'NOT_FOUND',
      details: { resource: 'feed', id },
    });
    const third = tokenOf(await feedOf(id));
    await api.callAs(me, deleteSchedule, { params: { id } });
    expect(await read(third)).toEqual({ kind: 'unknown' });
  });

  it('gets one URL when its request is repeated with the same idempotency key', async () => {
    const id = await create('Repeated', [weekly(ann)]);
    const call = { params: { id }, idempotency: idempotencyOf('feed', id) };
    const [one, again] = [
      await api.callAs(me, createScheduleFeed, call),
      await api.callAs(me, createScheduleFeed, call),
    ];
    expect(tokenOf(again)).toBe(tokenOf(one));
    expect(await read(tokenOf(one))).toMatchObject({ kind: 'calendar' });
  });

  it('has one valid URL after ten requests at once', async () => {
    const id = await create('Concurrent', [weekly(ann)]);
    const tokens = (await Promise.all(Array.from({ length: 10 }, () => feedOf(id)))).map(tokenOf);
    const replies = await Promise.all(tokens.map(read));
    expect(replies.filter(({ kind }) => kind === 'calendar')).toHaveLength(1);
  });

  it('is refused to a key that may not read schedules, and for a schedule of another tenant', async () => {
    const id = await create('Guarded', [weekly(ann)]);
    expect(await feedOf(id, { ...me, scopes: ['schedules:write'] })).toMatchObject({
      ok: false,
      code: 'INSUFFICIENT_SCOPE',
      details: { required: 'schedules:read' },
    });
    const other = await api.newPrincipal();
    expect(await feedOf(id, other)).toMatchObject({ ok: false, code: 'NOT_FOUND' });
    const test = await api.newPrincipal({ organizationId: me.organizationId, environment: 'test' });
    expect(await feedOf(id, test)).toMatchObject({ ok: false, code: 'NOT_FOUND' });
  });
});

describe('the feed of a member', () => {
  it('has the shifts of every schedule that the member is in, by layer or override, now or in the past', async () => {
    const dana = await newMember('Dana');
    await create('First', [weekly(dana)]);
    const second = await create('Second', [weekly(bob)]);
    const former = await create('Former', [weekly(dana)]);
    await create('None', [weekly(ann)]);
    const other = await api.newPrincipal({ organizationId: me.organizationId, environment: 'test' });
    await create('In test', [weekly(dana)], other);
    await api.callAs(me, updateSchedule, { params: { id: former }, body: { layers: [weekly(bob)] } });
    const override = { userId: dana, startsAt: fromNow(3 * day), endsAt: fromNow(3 * day + hour), reason: null };
    dataOf(await api.callAs(me, createOverride, { params: { id: second }, body: override }));

    const events = await eventsOf(tokenOf(await feedOfMember(dana)));
    expect(new Set(events.map(({ summary }) => summary))).toEqual(new Set(['First', 'Second', 'Former']));
    expect(summariesAt(events, Date.now() - day).sort()).toEqual(['First', 'Former']);
    expect(summariesAt(events, Date.now() + 3 * day + hour / 2).sort()).toEqual(['First', 'Second']);
    expect(summariesAt(events, Date.now() + 10 * day)).toEqual(['First']);
  });

  it('is unknown while the member is disabled, and cannot be made then', async () => {
    const erin = await newMember('Erin');
    const token = tokenOf(await feedOfMember(erin));
    expect(await read(token)).toMatchObject({ kind: 'calendar' });
    await api.admin.query(`UPDATE auth.members SET status = 'disabled' WHERE id = $1`, [uuidOf('member', erin)]);
    expect(await read(token)).toEqual({ kind: 'unknown' });
    expect(await feedOfMember(erin)).toMatchObject({ ok: false, code: 'CONFLICT' });
    expect(await api.callAs(me, deleteMemberFeed, { params: { id: erin } })).toMatchObject({ status: 204 });
  });

  it('is NOT_FOUND for a member of another organization, and for an id of another form', async () => {
    const other = await api.newPrincipal();
    const stranger = await newMember('Stranger', other);
    for (const id of [stranger, publicId('member', newUuid()), 'usr_0', ann.toUpperCase()])
      expect(await feedOfMember(id)).toMatchObject({
        ok: false,
        code: 'NOT_FOUND',
        details: { resource: 'member', id },
      });
  });
});

test('an unknown token is unknown, and tokens are not stored and not in the audit log', async () => {
  const id = await create('Secret', [weekly(ann)]);
  const token = tokenOf(await feedOf(id));
  expect(isCalendarToken(token)).toBe(true);
  expect(await read(`${token}x`)).toEqual({ kind: 'unknown' });
  expect(await read('')).toEqual({ kind: 'unknown' });
  const { rows } = await api.admin.query<{ text: string }>(
    `SELECT (SELECT json_agg(f) FROM resources.calendar_feeds f)::text || (SELECT coalesce(json_agg(o), '[]')
       FROM resources.outbox o)::text AS text`,
  );
  expect(rows[0]?.text).toContain(credentialHash(token));
  expect(rows[0]?.text).not.toContain(token);
});
