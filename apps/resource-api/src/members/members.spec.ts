import {
  createOverride,
  createSchedule,
  deleteSchedule,
  getMember,
  listMembers,
  publicId,
  type Member,
  type Principal,
  type Schedule,
  uuidOf,
} from '@ams/contracts';
import { dataOf, insertMember, insertScheduleOverride, pageOf } from '@ams/testing';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let me: Principal;

beforeAll(async () => {
  api = await startResourceApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  me = await api.newPrincipal();
});

interface NewMember {
  name: string;
  email?: string;
  role?: Member['role'];
  status?: Member['status'];
  contactMethods?: unknown[];
}

async function newMember(
  {
    name,
    email = `${name.toLowerCase()}@example.com`,
    role = 'responder',
    status = 'active',
    contactMethods = [],
  }: NewMember,
  of = me,
): Promise<string> {
  const createdAt = '2026-11-20T13:00:00Z';
  const values = { name, email, role, status, timezone: 'Europe/Berlin', contactMethods, createdAt };
  return publicId('member', await insertMember(api.admin, of, values));
}

const list = async (query: Record<string, string> = {}, principal = me): Promise<Member[]> =>
  pageOf<Member>(await api.callAs(principal, listMembers, { query })).data;
const names = async (query: Record<string, string> = {}): Promise<string[]> =>
  (await list(query)).map(({ name }) => name);
const onCall = async (principal = me): Promise<string[]> =>
  (await list({ isOnCall: 'true' }, principal)).map(({ name }) => name);

const always = (members: string[]) => ({
  name: 'Always',
  members,
  rotation: { unit: 'day', interval: 1, handoffTime: '00:00' },
  startsAt: '2020-01-01T00:00:00Z',
});
const schedule = async (layers: object[], principal = me): Promise<Schedule> =>
  dataOf(await api.callAs(principal, createSchedule, { body: { name: 'Primary', layers } }));
const fromNow = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

it('shows the members of the organization', async () => {
  const id = await newMember({
    name: 'Mira',
    role: 'admin',
    contactMethods: [{ type: 'email', address: 'mira@home.example', verified: false }],
  });
  expect(await list()).toEqual([
    {
      id,
      name: 'Mira',
      email: 'mira@example.com',
      role: 'admin',
      status: 'active',
      timezone: 'Europe/Berlin',
      isOnCall: false,
      externalId: null,
      createdAt: '2026-11-20T13:00:00.000Z',
      updatedAt: expect.any(String),
      version: 1,
      contactMethods: [
        { type: 'email', address: 'mira@example.com', verified: true },
        { type: 'email', address: 'mira@home.example', verified: false },
      ],
    },
  ]);
});

it('shows one member with the state of the present, and no member of another organization', async () => {
  const id = await newMember({ name: 'Mira' });
  await schedule([always([id])]);
  const get = (as = me, of = id) => api.callAs(as, getMember, { params: { id: of } });
  expect(await get()).toMatchObject({ ok: true, version: 1, body: { data: { id, name: 'Mira', isOnCall: true } } });
  expect(await get(await api.newPrincipal())).toMatchObject({ code: 'NOT_FOUND', details: { resource: 'member', id } });
  expect(await get(me, 'usr_1')).toMatchObject({ code: 'NOT_FOUND' });
});

it('are found by their external ids', async () => {
  await newMember({ name: 'Mira' });
  const id = await newMember({ name: 'Zoe' });
  await api.admin.query(`UPDATE auth.members SET external_id = 'okta-1' WHERE id = $1`, [uuidOf('member', id)]);
  expect(await names({ externalId: 'okta-1,okta-2' })).toEqual(['Zoe']);
  expect(await names({ externalId: 'okta-2' })).toEqual([]);
});

it('filters, sorts and pages', async () => {
  await newMember({ name: 'Dora', role: 'viewer', status: 'invited' });
  await newMember({ name: 'Anna', role: 'admin', email: 'Anna.Berg@Example.com' });
  await newMember({ name: 'Carl', status: 'disabled' });
  await newMember({ name: 'Ben 100%' });
  expect(await names()).toEqual(['Anna', 'Ben 100%', 'Carl', 'Dora']);
  expect(await names({ sort: '-name' })).toEqual(['Dora', 'Carl', 'Ben 100%', 'Anna']);
  expect(await names({ sort: 'createdAt' })).toEqual(['Dora', 'Anna', 'Carl', 'Ben 100%']);
  expect(await names({ role: 'admin,viewer' })).toEqual(['Anna', 'Dora']);
  expect(await names({ status: 'invited,disabled', sort: '-name' })).toEqual(['Dora', 'Carl']);
  expect(await names({ email: 'anna.BERG@example.com,carl@example.com' })).toEqual(['Anna', 'Carl']);
  expect(await names({ q: 'aNN' })).toEqual(['Anna']);
  expect(await names({ q: 'berg@' })).toEqual(['Anna']);
  expect(await names({ q: '0%' })).toEqual(['Ben 100%']);
  expect(await api.callAs(me, listMembers, { query: { role: 'king', isOnCall: 'maybe' } })).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { fields: [{ path: 'role' }, { path: 'isOnCall' }] },
  });

  const first = pageOf<Member>(await api.callAs(me, listMembers, { query: { limit: '3' } }));
  expect(first.meta).toMatchObject({ limit: 3, hasMore: true, total: 4 });
  const cursor = first.meta.nextCursor as string;
  expect(pageOf<Member>(await api.callAs(me, listMembers, { query: { limit: '3', cursor } }))).toEqual({
    data: [expect.objectContaining({ name: 'Dora' })],
    meta: { limit: 3, hasMore: false, nextCursor: null },
  });
  expect(await api.callAs(me, listMembers, { query: { limit: '3', cursor, q: 'a' } })).toMatchObject({
    code: 'INVALID_CURSOR',
  });
});

it('shows who is on call now, and no longer after the end', async () => {
  const [ann, bob, carl] = [
    await newMember({ name: 'Ann' }),
    await newMember({ name: 'Bob' }),
    await newMember({ name: 'Carl' }),
  ];
  const first = await schedule([always([carl]), always([ann])]);
  await schedule([always([bob])]);
  expect(await onCall()).toEqual(['Ann', 'Bob']);
  expect(await names({ isOnCall: 'false' })).toEqual(['Carl']);
  expect((await list()).map(({ isOnCall }) => isOnCall)).toEqual([true, true, false]);
  expect(pageOf(await api.callAs(me, listMembers, { query: { isOnCall: 'true' } })).meta.total).toBe(2);

  const override = async (userId: string, startsAt: string, endsAt: string) =>
    dataOf(await api.callAs(me, createOverride, { params: { id: first.id }, body: { userId, startsAt, endsAt } }));
  await override(carl, fromNow(2), fromNow(3));
  await insertScheduleOverride(api.admin, me, {
    scheduleId: uuidOf('schedule', first.id) as string,
    memberId: uuidOf('member', carl) as string,
    startsAt: fromNow(-3),
    endsAt: fromNow(-2),
  });
  expect(await onCall()).toEqual(['Ann', 'Bob']);
  await override(carl, fromNow(-1), fromNow(1));
  expect(await onCall()).toEqual(['Bob', 'Carl']);
  await api.callAs(me, deleteSchedule, { params: { id: first.id } });
  expect(await onCall()).toEqual(['Bob']);
});

it('shows only the own organization, and who is on call in each environment', async () => {
  const ann = await newMember({ name: 'Ann' });
  await schedule([always([ann])]);
  const test = await api.newPrincipal({ organizationId: me.organizationId, environment: 'test' });
  expect(await list({}, test)).toMatchObject([{ id: ann, isOnCall: false }]);
  expect(await onCall(test)).toEqual([]);
  expect(await list({}, await api.newPrincipal())).toEqual([]);
  expect(await onCall()).toEqual(['Ann']);
});
