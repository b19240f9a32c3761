import {
  createTeam,
  createView,
  deleteTeam,
  deleteView,
  getView,
  listViews,
  newUuid,
  publicId,
  updateView,
  uuidOf,
  type AuditRecord,
  type Principal,
  type View,
} from '@ams/contracts';
import { roles, type Role } from '@ams/scopes';
import { dataOf, eventually, idempotencyOf, insertMember, insertRows, pageOf, whenAnswered } from '@ams/testing';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let key: Principal;
let viewer: Principal;
let responder: Principal;
let admin: Principal;
let teamId: string;
const audit: AuditRecord[] = [];

beforeAll(async () => {
  api = await startResourceApi();
  key = await api.newPrincipal();
  [viewer, responder, admin] = [await newUser('viewer'), await newUser('responder'), await newUser('admin')];
  teamId = await newTeam([viewer]);
  api.nats.subscribe('evt.audit', { callback: (_error, message) => void audit.push(message.json<AuditRecord>()) });
});
afterAll(() => api.stop());

async function newUser(role: Role): Promise<Principal> {
  const id = await insertMember(api.admin, key, { name: role });
  const { organizationId, environment } = key;
  return { type: 'user', id, name: role, organizationId, environment, scopes: [...roles[role]] };
}

const newTeam = async (members: Principal[]): Promise<string> =>
  dataOf<{ id: string }>(
    await api.callAs(key, createTeam, {
      body: {
        name: `Team ${newUuid()}`,
        members: members.map(({ id }) => ({ userId: publicId('member', id), role: 'responder' })),
      },
    }),
  ).id;

const post = (principal: Principal, body: object = {}) =>
  api.callAs<{ data: View }>(principal, createView, { body: { name: 'Mine', page: 'alerts', query: {}, ...body } });
const create = async (principal: Principal, body: object = {}): Promise<View> => dataOf(await post(principal, body));
const read = (principal: Principal, id: string) => api.callAs<{ data: View }>(principal, getView, { params: { id } });
const update = (principal: Principal, id: string, body: object, ifMatch: string | null = null) =>
  api.callAs<{ data: View }>(principal, updateView, { params: { id }, body, ifMatch });
const remove = (principal: Principal, id: string) => api.callAs(principal, deleteView, { params: { id } });
const idsFor = async (principal: Principal, query: Record<string, string> = {}): Promise<string[]> =>
  pageOf<View>(await api.callAs(principal, listViews, { query: { limit: '100', ...query } })).data.map(({ id }) => id);
const notFound = (id: string) => ({ ok: false, code: 'NOT_FOUND', details: { resource: 'view', id } });
const forbidden = (required: string) => ({ ok: false, code: 'INSUFFICIENT_SCOPE', details: { required } });
const refused = (path: string, rule: string) => ({
  ok: false,
  code: 'VALIDATION_ERROR',
  details: { fields: [expect.objectContaining({ path, rule })] },
});

it('a member saves a view of its own, which nobody else sees', async () => {
  const view = await create(viewer, { query: { severity: 'critical', label: ['region:eu', 'a:b'] }, position: 3 });
  expect(view).toEqual({
    id: expect.stringMatching(/^viw_[0-9a-f]{32}$/),
    name: 'Mine',
    page: 'alerts',
    query: { severity: 'critical', label: ['region:eu', 'a:b'] },
    visibility: 'own',
    teamId: null,
    ownerId: publicId('member', viewer.id),
    position: 3,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
    version: 1,
  });
  expect(dataOf(await read(viewer, view.id))).toEqual(view);
  for (const other of [key, admin, { ...viewer, environment: 'test' as const }]) {
    expect(await read(other, view.id)).toMatchObject(notFound(view.id));
    expect(await update(other, view.id, { name: 'Taken' })).toMatchObject(notFound(view.id));
    expect(await remove(other, view.id)).toMatchObject(notFound(view.id));
    expect(await idsFor(other)).not.toContain(view.id);
  }
  expect(await idsFor(viewer)).toContain(view.id);
});

it('the views of a team are for its members, and end with it', async () => {
  const team = await newTeam([viewer, responder]);
  const view = await create(viewer, { visibility: 'team', teamId: team });
  expect(dataOf(await read(responder, view.id))).toEqual(view);
  expect(await update(responder, view.id, { name: 'Ours' })).toMatchObject(forbidden('organization:write'));
  expect(await read(admin, view.id)).toMatchObject(notFound(view.id));
  expect(await post(responder, { visibility: 'team', teamId })).toMatchObject(refused('teamId', 'member'));
  expect(await post(viewer, { visibility: 'team', teamId: publicId('team', newUuid()) })).toMatchObject(
    refused('teamId', 'exists'),
  );
  expect(await post(viewer, { visibility: 'team' })).toMatchObject(refused('teamId', 'required'));
  const own = dataOf<View>(await update(viewer, view.id, { visibility: 'own' }));
  expect(own).toMatchObject({ visibility: 'own', teamId: null, version: 2 });
  await update(viewer, view.id, { visibility: 'team', teamId: team });
  expect(await api.callAs(key, deleteTeam, { params: { id: team } })).toMatchObject({ ok: true });
  expect(await read(viewer, view.id)).toMatchObject(notFound(view.id));
});

it('a key makes views of the organization only; who may write may make one, and an admin may change it', async () => {
  expect(await create(key)).toMatchObject({ visibility: 'organization', ownerId: null });
  expect(await post(key, { visibility: 'own' })).toMatchObject(refused('visibility', 'owner'));
  expect(await post(viewer, { visibility: 'organization' })).toMatchObject(forbidden('alerts:write'));
  const view = await create(responder, { visibility: 'organization' });
  expect(await idsFor(viewer)).toContain(view.id);
  expect(await update(viewer, view.id, { name: 'Other' })).toMatchObject(forbidden('organization:write'));
  expect(dataOf(await update(admin, view.id, { name: 'For all', position: 1 }))).toMatchObject({ name: 'For all' });
  expect(await update(responder, view.id, { name: 'Late' }, '"1"')).toMatchObject({ code: 'VERSION_MISMATCH' });
  expect(await remove(responder, view.id)).toMatchObject({ ok: true, status: 204 });
  expect(await read(admin, view.id)).toMatchObject(notFound(view.id));
});

it('a view needs the scope that reads its list', async () => {
  const view = await create(key, { page: 'audit_log' });
  expect(await post(viewer, { page: 'audit_log' })).toMatchObject(forbidden('audit:read'));
  expect(await read(viewer, view.id)).toMatchObject(forbidden('audit:read'));
  expect(await idsFor(viewer)).not.toContain(view.id);
  expect(await idsFor(admin, { page: 'audit_log' })).toEqual([view.id]);
  expect(await idsFor(admin, { page: '!audit_log' })).not.toContain(view.id);
});

it('a restricted key has no views', async () => {
  const restricted = { ...key, restrictedTo: { clientIds: [newUuid()], teamIds: [] } };
  expect(await post(restricted)).toMatchObject(forbidden('unrestricted'));
});

it('a repeated creation makes one view, and faults are told together', async () => {
  const call = { body: { name: 'Once', page: 'incidents', query: {} }, idempotency: idempotencyOf('once') };
  const [first, second] = [await api.callAs(viewer, createView, call), await api.callAs(viewer, createView, call)];
  expect(dataOf<View>(second).id).toBe(dataOf<View>(first).id);
  const answer = await post(viewer, { name: ' ', page: 'nowhere', query: { limit: 5 }, color: 'red' });
  const faults = (answer as { details?: { fields: { path: string }[] } }).details?.fields.map(({ path }) => path);
  expect(faults?.sort()).toEqual(['color', 'name', 'page', 'query.limit']);
  expect(await update(viewer, dataOf<View>(first).id, { query: null })).toMatchObject(refused('query', 'object'));
});

it('an owner has at most a hundred views, also when they are made at once', async () => {
  const owner = await newUser('viewer');
  const { organizationId, environment, id } = owner;
  const rows = Array.from({ length: 98 }, (_, n) => ({
    id: newUuid(),
    organizationId,
    environment,
    name: `View ${n}`,
    page: 'alerts',
    query: {},
    visibility: 'own',
    ownerId: id,
  }));
  await insertRows(api.admin, 'resources.views', rows);
  const answers = await Promise.all(Array.from({ length: 6 }, () => whenAnswered(() => post(owner))));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(2);
  for (const answer of answers) if (!answer.ok) expect(answer.code).toBe('CONFLICT');
  expect(await post(viewer)).toMatchObject({ ok: true });
});

it('changes are in the audit log, in the name of the member', async () => {
  const view = await create(viewer, { name: 'Audited' });
  await update(viewer, view.id, { query: { q: 'disk' } });
  await update(viewer, view.id, { query: { q: 'disk' } });
  await remove(viewer, view.id);
  const mine = () => audit.filter(({ resource }) => resource?.id === view.id);
  await eventually(() => expect(mine().map(({ type }) => type)).toHaveLength(3));
  expect(mine().map(({ type }) => type)).toEqual(['view.created', 'view.updated', 'view.deleted']);
  expect(mine()[1]).toMatchObject({
    actor: { type: 'user', id: publicId('member', viewer.id) },
    changes: [{ field: 'query', before: {}, after: { q: 'disk' } }],
  });
  expect(uuidOf('view', view.id)).not.toBeNull();
});

it('a view of a team stays when its owner is deleted, and its managers change it', async () => {
  const [owner, manager] = [await newUser('responder'), await newUser('responder')];
  const { id: team } = dataOf<{ id: string }>(
    await api.callAs(key, createTeam, { body: { name: `Team ${newUuid()}`, members: [] } }),
  );
  const of = { organizationId: key.organizationId, environment: key.environment, teamId: uuidOf('team', team) };
  const member = { ...of, position: 0 };
  await insertRows(api.admin, 'resources.team_members', [
    { ...member, memberId: owner.id, role: 'responder' },
    { ...member, memberId: manager.id, role: 'manager', position: 1 },
  ]);
  const view = await create(owner, { visibility: 'team', teamId: team });
  const own = await create(owner);
  await api.admin.query('DELETE FROM resources.team_members WHERE member_id = $1', [owner.id]);
  await api.admin.query('SELECT auth.delete_member($1, $2)', [key.organizationId, owner.id]);
  expect(dataOf<View>(await read(manager, view.id))).toMatchObject({ ownerId: null, visibility: 'team' });
  expect(dataOf<View>(await update(manager, view.id, { name: 'Ours' }))).toMatchObject({ name: 'Ours', ownerId: null });
  expect(await update(manager, view.id, { visibility: 'own', teamId: null })).toMatchObject(
    refused('visibility', 'owner'),
  );
  expect(await read(owner, own.id)).toMatchObject({ ok: false });
});
