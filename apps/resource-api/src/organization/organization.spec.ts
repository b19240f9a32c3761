import {
  createEscalationPolicy,
  getOrganization,
  publicId,
  updateOrganization,
  type AuditRecord,
  type Organization,
  type Principal,
} from '@ams/contracts';
import { dataOf, eventually, insertMember } from '@ams/testing';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let me: Principal;
const audit: AuditRecord[] = [];

beforeAll(async () => {
  api = await startResourceApi();
  api.nats.subscribe('evt.audit', { callback: (_error, message) => void audit.push(message.json<AuditRecord>()) });
});
beforeEach(async () => {
  me = await api.newPrincipal();
});
afterAll(() => api.stop());

const get = async (principal = me): Promise<Organization> => dataOf(await api.callAs(principal, getOrganization));
const update = (body: object, ifMatch: string | null = null) =>
  api.callAs<{ data: Organization }>(me, updateOrganization, { body, ifMatch });
const newPolicy = async (principal = me): Promise<string> => {
  const id = publicId('member', await insertMember(api.admin, principal, { name: 'Ann' }));
  const body = { name: 'Everybody', levels: [{ targets: [{ type: 'user', id }] }] };
  return dataOf<{ id: string }>(await api.callAs(principal, createEscalationPolicy, { body })).id;
};

const defaults = {
  catchAllPolicyId: null,
  highUrgencySeverities: ['critical', 'high'],
  flap: { transitions: 4, windowSeconds: 900, quietSeconds: 600 },
  defaultWindowSeconds: 900,
};

it('has defaults until it is changed', async () => {
  expect(await get()).toEqual({
    id: publicId('organization', me.organizationId),
    name: expect.any(String),
    environment: 'live',
    ...defaults,
    updatedAt: null,
    version: 1,
  });
});

it('keeps what is not sent, also in the flap settings, and has one version for all', async () => {
  const catchAllPolicyId = await newPolicy();
  expect(await update({ catchAllPolicyId, flap: { transitions: 6 } }, '"1"')).toMatchObject({
    body: {
      data: { ...defaults, catchAllPolicyId, flap: { ...defaults.flap, transitions: 6 }, version: 2 },
    },
  });
  expect(await update({ defaultWindowSeconds: 0 }, '"1"')).toMatchObject({ code: 'VERSION_MISMATCH' });
  expect(await update({ flap: { transitions: 6 } })).toMatchObject({ body: { data: { version: 2 } } });
  const severities = { highUrgencySeverities: ['medium', 'high', 'critical'], catchAllPolicyId: null };
  expect(await update(severities)).toMatchObject({
    body: {
      data: { highUrgencySeverities: ['critical', 'high', 'medium'], catchAllPolicyId: null, version: 3 },
    },
  });
  expect(await get()).toMatchObject({ flap: { ...defaults.flap, transitions: 6 }, version: 3 });
  const entries = await eventually(() => {
    const found = audit.filter(
      ({ type, organizationId }) => type === 'organization.updated' && organizationId === me.organizationId,
    );
    expect(found).toHaveLength(2);
    return found;
  });
  expect(entries[0]).toMatchObject({
    resource: { type: 'organization', id: publicId('organization', me.organizationId) },
    changes: [
      { field: 'catchAllPolicyId', before: null, after: catchAllPolicyId },
      { field: 'flap', before: defaults.flap, after: { ...defaults.flap, transitions: 6 } },
    ],
  });
});

it('refuses everything that is wrong at once', async () => {
  const foreign = await newPolicy(await api.newPrincipal());
  expect(
    await update({
      catchAllPolicyId: foreign,
      highUrgencySeverities: ['low'],
      flap: { quietSeconds: 1, color: 1 },
      defaultWindowSeconds: 1e9,
    }),
  ).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: {
      fields: [
        { path: 'highUrgencySeverities', rule: 'order' },
        { path: 'flap.color', rule: 'unknown' },
        { path: 'flap.quietSeconds', rule: 'range', message: expect.stringMatching(/^flap.quietSeconds must be/) },
        { path: 'defaultWindowSeconds', rule: 'range' },
        { path: 'catchAllPolicyId', rule: 'exists' },
      ],
    },
  });
  expect(await update({ flap: null, name: 'Other' })).toMatchObject({ code: 'VALIDATION_ERROR' });
  expect(await update({ highUrgencySeverities: null })).toMatchObject({ code: 'VALIDATION_ERROR' });
  expect(await get()).toMatchObject({ version: 1 });
});

it('has settings of its own in each environment, and none of another organization', async () => {
  const { organizationId } = me;
  const test = await api.newPrincipal({ organizationId, environment: 'test' });
  await update({ defaultWindowSeconds: 60 });
  expect(await get()).toMatchObject({ defaultWindowSeconds: 60, environment: 'live' });
  expect(await get(test)).toMatchObject({ defaultWindowSeconds: 900, environment: 'test', version: 1 });
  expect(await get(await api.newPrincipal())).toMatchObject({ defaultWindowSeconds: 900 });
});

it('of several first changes at the same time, each is applied', async () => {
  const changes = [{ defaultWindowSeconds: 60 }, { flap: { transitions: 9 } }, { highUrgencySeverities: ['critical'] }];
  await Promise.all(changes.map((change) => update(change)));
  expect(await get()).toMatchObject({
    defaultWindowSeconds: 60,
    flap: { transitions: 9 },
    highUrgencySeverities: ['critical'],
    version: 4,
  });
});
