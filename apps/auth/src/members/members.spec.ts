import {
  disableMember,
  enableMember,
  inviteMember,
  newUuid,
  publicId,
  updateMember,
  type Call,
  type MemberRecord,
  type Operation,
  type Principal,
} from '@ams/contracts';
import { roles } from '@ams/scopes';
import { dataOf, idempotencyOf, insertMember } from '@ams/testing';
import { Replicas } from '../../testing/replicas.js';
import { attemptLimits } from '../accounts/sign-in-attempts.js';

let replicas: Replicas;
let me: Principal;
beforeAll(async () => {
  replicas = await Replicas.start(2, { API_LIMIT_PER_MINUTE: '100000' });
});
afterAll(() => replicas.stop());
beforeEach(async () => {
  me = (await replicas.newOrganizationKey()).principal;
});

const call = (operation: Operation, values: Partial<Call> = {}, as = me) => replicas.call(operation, as, values);
const on = (operation: Operation, id: string, body?: object, values: Partial<Call> = {}, as = me) =>
  call(operation, { params: { id }, body, ...values }, as);
const mira = { name: 'Mira', email: 'mira@example.com', role: 'responder' };
const invite = async (more: object = {}): Promise<MemberRecord> =>
  dataOf(await call(inviteMember, { body: { ...mira, ...more } }));
const owner = async (more: object = {}): Promise<string> =>
  publicId('member', await insertMember(replicas.sql, me, { role: 'owner', ...more }));
const entries = () =>
  replicas.database.query<{ type: string }>(
    `SELECT type, environment, resource_id, changes FROM auth.audit_log
     WHERE organization_id = $1 AND type <> 'api_key.used' ORDER BY id`,
    [me.organizationId],
  );

describe('inviting a member', () => {
  it('is limited in a day, so that an organization cannot mail strangers without end', async () => {
    await replicas.sql.query('INSERT INTO auth.sign_in_attempts (subject, started_at, used) VALUES ($1, now(), $2)', [
      `invitationMails ${me.organizationId}`,
      attemptLimits.invitationMails - 1,
    ]);
    await invite();
    const refused = { code: 'RATE_LIMITED', details: { limit: 500, windowSeconds: 86_400 } };
    expect(await call(inviteMember, { body: { ...mira, email: 'zoe@example.com' } })).toMatchObject(refused);
    expect((await entries()).filter(({ type }) => type === 'invitation.sent')).toHaveLength(1);
    const other = (await replicas.newOrganizationKey()).principal;
    expect(await call(inviteMember, { body: mira }, other)).toMatchObject({ ok: true });
  });

  it('adds the member, who is shown with every field, to the audit log too', async () => {
    const contactMethods = [{ type: 'email', address: 'mira@home.example' }];
    const shown = await invite({ timezone: 'Europe/Berlin', contactMethods, externalId: '00u1' });
    expect(shown).toEqual({
      id: expect.stringMatching(/^usr_[0-9a-f]{32}$/),
      ...mira,
      status: 'invited',
      timezone: 'Europe/Berlin',
      contactMethods: [
        { type: 'email', address: 'mira@example.com', verified: true },
        { type: 'email', address: 'mira@home.example', verified: true },
      ],
      externalId: '00u1',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      version: 1,
    });
    expect(await entries()).toEqual([
      {
        type: 'member.created',
        environment: 'live',
        resource_id: shown.id,
        changes: expect.arrayContaining([
          { field: 'email', before: null, after: 'mira@example.com' },
          { field: 'status', before: null, after: 'invited' },
        ]),
      },
      { type: 'invitation.sent', environment: 'live', resource_id: shown.id, changes: [] },
    ]);
  });

  it('makes a responder of a member without a role', async () => {
    expect(await invite({ role: undefined })).toMatchObject({ role: 'responder' });
    const lesser = (await replicas.newKey(me.organizationId, { scopes: ['users:write', ...roles.viewer] })).principal;
    expect(await call(inviteMember, { body: { name: 'Zoe', email: 'zoe@example.com' } }, lesser)).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
    });
  });

  it('answers a repeated request with the same member', async () => {
    const values = { body: mira, idempotency: idempotencyOf('once') };
    const answers = await Promise.all([1, 2, 3].map(() => call(inviteMember, values)));
    expect(new Set(answers.map((answer) => dataOf<MemberRecord>(answer).id)).size).toBe(1);
  });

  it('takes an address and an external id once in an organization, also at the same time', async () => {
    const both = await Promise.all([1, 2, 3].map(() => call(inviteMember, { body: mira })));
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(both.find(({ ok }) => !ok)).toMatchObject({
      code: 'CONFLICT',
      message: 'There is a member with the address mira@example.com already.',
    });
    await invite({ email: 'zoe@example.com', externalId: 'x' });
    expect(await call(inviteMember, { body: { ...mira, email: 'MIRA@example.com', externalId: 'x' } })).toMatchObject({
      code: 'CONFLICT',
      message: 'There is a member with the address MIRA@example.com and with the externalId x already.',
    });
    const elsewhere = (await replicas.newOrganizationKey()).principal;
    expect(await call(inviteMember, { body: { ...mira, externalId: 'x' } }, elsewhere)).toMatchObject({ ok: true });
  });

  it('tells all faults at once', async () => {
    const contactMethods = [
      { type: 'fax', address: 'a@b.example' },
      { type: 'email', address: 'MIRA@example.com' },
    ];
    const body = {
      ...mira,
      name: ' ',
      role: 'boss',
      timezone: 'Berlin',
      contactMethods,
      externalId: '',
      status: 'active',
    };
    expect(await call(inviteMember, { body })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: {
        fields: expect.arrayContaining(
          [
            'name',
            'role',
            'timezone',
            'contactMethods[0].type',
            'contactMethods[1].address',
            'externalId',
            'status',
          ].map((path) => expect.objectContaining({ path })),
        ),
      },
    });
    expect(await call(inviteMember, { body: { ...mira, email: 'mira' } })).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('is refused to a key that lacks a scope of the role', async () => {
    const lesser = (await replicas.newKey(me.organizationId, { scopes: ['users:write', ...roles.viewer] })).principal;
    const asked = (role: string) =>
      call(inviteMember, { body: { ...mira, email: `${role}@example.com`, role } }, lesser);
    expect(await asked('viewer')).toMatchObject({ ok: true });
    expect(await asked('responder')).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      details: { required: 'alerts:write, incidents:write' },
    });
    expect(await asked('owner')).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
  });

  it('is refused to keys of the test environment and to restricted keys', async () => {
    const test = (await replicas.newKey(me.organizationId, { environment: 'test' })).principal;
    const restrictedTo = { clientIds: [newUuid()], teamIds: [] };
    const restricted = (await replicas.newKey(me.organizationId, { restrictedTo })).principal;
    expect(await call(inviteMember, { body: mira }, test)).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      details: { required: 'live' },
    });
    expect(await call(inviteMember, { body: mira }, restricted)).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      message: expect.stringContaining('members belong to the whole organization'),
    });
  });
});

describe('changing a member', () => {
  it('changes what is sent, and null clears', async () => {
    const { id } = await invite({ externalId: 'x', contactMethods: [{ type: 'email', address: 'mira@home.example' }] });
    const body = { name: 'Mira Okafor', email: 'mira.okafor@example.com', role: 'viewer', externalId: null };
    expect(dataOf(await on(updateMember, id, body))).toMatchObject({ ...body, status: 'invited', version: 2 });
    expect(dataOf(await on(updateMember, id, { contactMethods: [] }))).toMatchObject({
      contactMethods: [{ address: 'mira.okafor@example.com' }],
      version: 3,
    });
    expect(dataOf(await on(updateMember, id, { name: 'Mira Okafor' }))).toMatchObject({ version: 3 });
    expect((await entries()).slice(2)).toMatchObject([
      { type: 'member.updated', changes: expect.arrayContaining([{ field: 'externalId', before: 'x', after: null }]) },
      { type: 'member.updated', changes: [expect.objectContaining({ field: 'contactMethods' })] },
    ]);
  });

  it('needs the version that was read', async () => {
    const { id } = await invite();
    expect(await on(updateMember, id, { name: 'M' }, { ifMatch: '"7"' })).toMatchObject({
      code: 'VERSION_MISMATCH',
      details: { current: 1 },
    });
    expect(await on(updateMember, id, { name: 'M' }, { ifMatch: '"1"' })).toMatchObject({ ok: true });
  });

  it('keeps addresses unique', async () => {
    const { id } = await invite({ contactMethods: [{ type: 'email', address: 'home@example.com' }] });
    await invite({ email: 'zoe@example.com', externalId: 'z' });
    for (const body of [{ email: 'ZOE@example.com' }, { externalId: 'z' }])
      expect(await on(updateMember, id, body)).toMatchObject({ code: 'CONFLICT' });
    expect(await on(updateMember, id, { email: 'Home@example.com' })).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('is not found in another organization, or with another id', async () => {
    const { id } = await invite();
    const elsewhere = (await replicas.newOrganizationKey()).principal;
    for (const operation of [updateMember, disableMember, enableMember]) {
      const body = operation === (updateMember as Operation) ? { name: 'x' } : undefined;
      expect(await on(operation as Operation, id, body, {}, elsewhere)).toMatchObject({ code: 'NOT_FOUND' });
      expect(await on(operation as Operation, 'usr_1', body)).toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it('of a role with a scope that the key lacks is refused', async () => {
    const id = await owner();
    const lesser = (await replicas.newKey(me.organizationId, { scopes: ['users:write', ...roles.responder] }))
      .principal;
    expect(await on(updateMember, id, { email: 'mine@example.com' }, {}, lesser)).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
    });
    expect(await on(disableMember, id, undefined, {}, lesser)).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    const responder = await invite();
    expect(await on(updateMember, responder.id, { role: 'owner' }, {}, lesser)).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
    });
    expect(await on(updateMember, responder.id, { role: 'viewer' }, {}, lesser)).toMatchObject({ ok: true });
  });
});

describe('disabling and enabling', () => {
  it('changes the status once', async () => {
    const { id } = await invite();
    expect(dataOf(await on(disableMember, id))).toMatchObject({ status: 'disabled', version: 2 });
    expect(dataOf(await on(disableMember, id))).toMatchObject({ status: 'disabled', version: 2 });
    expect(dataOf(await on(enableMember, id))).toMatchObject({ status: 'active', version: 3 });
    expect(dataOf(await on(enableMember, id))).toMatchObject({ status: 'active', version: 3 });
  });

  it('leaves a member who is invited as it is', async () => {
    expect(dataOf(await on(enableMember, (await invite()).id))).toMatchObject({ status: 'invited', version: 1 });
  });
});

describe('the last active owner', () => {
  it('is not disabled and keeps the role', async () => {
    const id = await owner();
    await owner({ status: 'disabled' });
    await invite({ role: 'owner' }); // has not become active yet
    const refusal = { code: 'CONFLICT', message: expect.stringContaining('the last active owner') };
    expect(await on(disableMember, id)).toMatchObject(refusal);
    expect(await on(updateMember, id, { role: 'admin' })).toMatchObject(refusal);
    await owner();
    expect(await on(disableMember, id)).toMatchObject({ ok: true });
  });

  it('stays when all owners are removed at the same time', async () => {
    const ids = [await owner(), await owner(), await owner()];
    const answers = await Promise.all(
      ids.map((id, i) => (i === 1 ? on(updateMember, id, { role: 'viewer' }) : on(disableMember, id))),
    );
    expect(answers.map(({ ok }) => ok).sort()).toEqual([false, true, true]);
  });
});
