import {
  getDelivery,
  getNotification,
  listDeliveries,
  listNotifications,
  mailRefusedRequest,
  newUuid,
  publicId,
  testDelivery,
  testNotification,
  type AuditRecord,
  type MailRefused,
  type Notification,
} from '@ams/contracts';
import { concurrently, eventually, streamManager } from '@ams/testing';
import {
  dataOf,
  email,
  idempotencyOf,
  notify,
  pageOf,
  startWorld,
  type Tenant,
  type TestWorld,
} from '../../testing/support.js';

let world: TestWorld;
let tenant: Tenant;

beforeAll(async () => {
  world = await startWorld();
  await world.startReplica();
});
afterAll(() => world.stop());

beforeEach(async () => {
  world.answerSends(null);
  tenant = await world.newTenant();
});

const secretUrl = 'https://hooks.slack.com/services/T0/B0/secret';
const chat = { type: 'channel', kind: 'slack', url: secretUrl };

const auditEntries = async (): Promise<AuditRecord[]> => {
  const manager = await streamManager(world.nats);
  const { state } = await manager.streams.info('AUDIT');
  const entries: AuditRecord[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq++)
    entries.push((await manager.streams.getMessage('AUDIT', { seq }))!.json<AuditRecord>());
  return entries.filter(({ organizationId }) => organizationId === tenant.organizationId);
};

describe('listNotifications', () => {
  const list = async (query: Record<string, string> = {}, as = tenant) =>
    pageOf<Notification>(await world.ask(as.principal, listNotifications, { query }));

  test('answers them newest first, by any filter, and never shows their real addresses', async () => {
    const member = await world.newMember(tenant);
    const workflowId = await world.newWorkflow(tenant, [
      notify([{ type: 'user', id: publicId('member', member) }, chat]),
      notify([email('late@example.com')], { id: 'late' }),
    ]);
    const alertId = await world.newAlert(tenant);
    await world.publishEvent(tenant, 'alert.created', alertId);
    await eventually(async () => expect((await list({ status: 'sent' })).data).toHaveLength(3));
    const { data, meta } = await list();
    expect(meta).toMatchObject({ total: 3, hasMore: false });
    expect(data[0]).toMatchObject({ target: 'late@example.com', stepId: 'late', userId: null });
    expect(data.find(({ channel }) => channel === 'slack')).toMatchObject({
      target: 'hooks.slack.com',
      status: 'sent',
      why: 'The workflow "Page" notifies this channel.',
    });
    const told = data.find(({ userId }) => userId !== null);
    expect(told).toEqual({
      id: expect.stringMatching(/^ntf_/),
      alertId: publicId('alert', alertId),
      incidentId: null,
      workflowId: publicId('workflow', workflowId),
      runId: expect.stringMatching(/^run_/),
      stepId: 'page',
      userId: publicId('member', member),
      target: 'mira@example.com',
      channel: 'email',
      status: 'sent',
      reason: '250 OK',
      why: 'The workflow "Page" notifies you.',
      attempts: 1,
      nextAttemptAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(JSON.stringify(data)).not.toContain('secret');
    for (const query of [
      { channel: 'email' },
      { alertId: publicId('alert', alertId), channel: 'email' },
      { workflowId: publicId('workflow', workflowId), channel: 'email' },
      { since: '2020-01-01T00:00:00Z', channel: 'email' },
    ])
      expect((await list(query as unknown as Record<string, string>)).data).toHaveLength(2);
    expect((await list({ userId: publicId('member', member) })).data).toEqual([told]);
    for (const query of [
      { status: 'failed' },
      { incidentId: 'inc_x' },
      { until: '2020-01-01T00:00:00Z' },
      { alertId: 'x' },
    ])
      expect((await list(query as unknown as Record<string, string>)).data).toEqual([]);
    const first = await list({ limit: '2' });
    expect([...first.data, ...(await list({ limit: '2', cursor: first.meta.nextCursor ?? '' })).data]).toEqual(data);
    expect((await list({}, await world.newTenant())).data).toEqual([]);
  });
});

test('the deprecated operations answer the same', async () => {
  const body = { target: email('ops@example.com') };
  const sent = dataOf<Notification>(await world.ask(tenant.principal, testDelivery, { body }));
  expect(sent).toMatchObject({ id: expect.stringMatching(/^ntf_/), target: 'ops@example.com', status: 'queued' });
  const call = { params: { id: sent.id } };
  const get = async () => dataOf<Notification>(await world.ask(tenant.principal, getNotification, call));
  await eventually(async () => expect(await get()).toMatchObject({ status: 'sent' }));
  expect(dataOf(await world.ask(tenant.principal, getDelivery, call))).toEqual(await get());
  const query = { status: 'sent' };
  const page = pageOf<Notification>(await world.ask(tenant.principal, listDeliveries, { query }));
  expect(page.data).toEqual([await get()]);
  expect(pageOf(await world.ask(tenant.principal, listNotifications, { query }))).toEqual(page);
});

test('getNotification answers one of the tenant, and none of other tenants', async () => {
  const get = (id: string, as = tenant) => world.ask(as.principal, getNotification, { params: { id } });
  const sent = dataOf<Notification>(
    await world.ask(tenant.principal, testNotification, { body: { target: email('ops@example.com') } }),
  );
  await eventually(async () =>
    expect(dataOf<Notification>(await get(sent.id))).toEqual({
      ...sent,
      status: 'sent',
      reason: '250 OK',
      attempts: 1,
      updatedAt: expect.any(String),
    }),
  );
  const elsewhere = [
    await world.newTenant(),
    await world.newTenant({ organizationId: tenant.organizationId, environment: 'test' }),
  ];
  for (const as of elsewhere)
    expect(await get(sent.id, as)).toMatchObject({
      code: 'NOT_FOUND',
      details: { resource: 'notification', id: sent.id },
    });
  for (const id of ['x', publicId('notification', newUuid())])
    expect(await get(id)).toMatchObject({ code: 'NOT_FOUND', details: { id } });
});

describe('sendTestNotification', () => {
  const send = (target: object, as = tenant, more: object = {}) =>
    world.ask(as.principal, testNotification, { body: { target }, ...more });

  test('sends to each kind of target, adds an entry to the audit log, and answers no secret', async () => {
    const member = await world.newMember(tenant);
    const schedule = await world.newSchedule(tenant, [member]);
    const answers: Notification[] = [];
    for (const target of [
      email('ops@example.com'),
      { type: 'user', id: publicId('member', member) },
      { type: 'schedule', id: schedule },
      chat,
    ])
      answers.push(dataOf<Notification>(await send(target)));
    expect(answers).toMatchObject([
      {
        target: 'ops@example.com',
        status: 'queued',
        why: 'key sends a test.',
        runId: null,
        workflowId: null,
        attempts: 0,
        userId: null,
      },
      { target: 'mira@example.com', userId: publicId('member', member) },
      { target: 'mira@example.com', userId: publicId('member', member) },
      { target: 'hooks.slack.com', channel: 'slack' },
    ]);
    await eventually(async () => expect((await world.sentTo(tenant)).length).toBe(4));
    const sent = await world.sentTo(tenant);
    const toChat = sent.find(({ target }) => target.channel === 'slack');
    expect(toChat).toMatchObject({
      target: { sealedFor: answers[3]?.id },
      notice: { reason: 'key sends a test.', alert: null },
      event: { type: 'test' },
    });
    const { rows } = await world.admin.query<{ destination: object }>(
      'SELECT destination FROM workflows.notifications WHERE organization_id = $1',
      [tenant.organizationId],
    );
    expect(JSON.stringify([rows, toChat])).not.toContain(new URL(secretUrl).pathname);
    await eventually(async () =>
      expect((await auditEntries()).map(({ type, resource, actor }) => [type, resource?.id, actor.name])).toEqual(
        answers.map(({ id }) => ['notification.tested', id, 'key']),
      ),
    );
    expect(JSON.stringify(await auditEntries())).not.toContain('secret');
  });

  test('does not store the address of a chat that nobody can seal', async () => {
    await world.stopNeighbours();
    try {
      expect(await send(chat)).toMatchObject({ code: 'UNAVAILABLE' });
      expect(await world.notificationsOf(tenant)).toEqual([]);
    } finally {
      world.startNeighbours();
    }
  });

  test('sends nothing in the test environment', async () => {
    const testing = await world.newTenant({ environment: 'test' });
    expect(dataOf<Notification>(await send(email('ops@example.com'), testing))).toMatchObject({ status: 'captured' });
    expect(await world.sentTo(testing)).toEqual([]);
  });

  test('says why nobody can be notified', async () => {
    const nobody = await world.newSchedule(tenant, []);
    expect(dataOf<Notification>(await send({ type: 'schedule', id: nobody }))).toMatchObject({
      status: 'skipped',
      reason: 'nobody is on call in Primary',
    });
    expect(dataOf<Notification>(await send({ type: 'user', id: publicId('member', newUuid()) }))).toMatchObject({
      status: 'skipped',
      reason: 'the member does not exist',
    });
    const foreign = await world.newMember(await world.newTenant());
    expect(dataOf<Notification>(await send({ type: 'user', id: publicId('member', foreign) }))).toMatchObject({
      status: 'skipped',
      reason: 'the member does not exist',
      target: '',
    });
  });

  test('refuses a target that is invalid for a step', async () => {
    expect(await send({ type: 'email', address: 'no address' })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ path: 'target.address' }] },
    });
  });

  test('answers a repeated request with the same answer, and sends once', async () => {
    const target = email('ops@example.com');
    const more = { idempotency: idempotencyOf(newUuid(), target) };
    const [first, second] = [await send(target, tenant, more), await send(target, tenant, more)];
    expect(second).toEqual(first);
    expect(await world.notificationsOf(tenant)).toHaveLength(1);
  });

  test('is limited to ten a minute for an organization, in both environments, also in parallel', async () => {
    const testing = await world.newTenant({ organizationId: tenant.organizationId, environment: 'test' });
    // A request that a busy machine did not serve is sent again, as callers do.
    const served = async (of: typeof tenant): Promise<Awaited<ReturnType<typeof send>>> => {
      const answer = await send(email('ops@example.com'), of);
      return 'code' in answer && answer.code === 'UNAVAILABLE' ? served(of) : answer;
    };
    const answers = await concurrently(15, 5, (n) => served(n % 2 ? tenant : testing));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(10);
    const refused = answers.find(({ ok }) => !ok) as unknown as { details: { retryAfterSeconds: number } };
    expect(refused).toMatchObject({ code: 'RATE_LIMITED', details: { limit: 10, windowSeconds: 60 } });
    expect(refused.details.retryAfterSeconds).toBeGreaterThan(0);
    expect(refused.details.retryAfterSeconds).toBeLessThanOrEqual(60);
    expect(await send(email('ops@example.com'), await world.newTenant())).toMatchObject({ ok: true });
  });
});

describe('mails to addresses that are not verified', () => {
  const refused = 'the organization has verified neither the address nor its domain';

  test('are never sent: one request of 3 alerts with 400 foreign addresses mails none of them', async () => {
    const strangers = Array.from({ length: 400 }, (_, n) => email(`victim${n}@stranger.example`));
    const member = await world.newMember(tenant);
    const steps = Array.from({ length: 20 }, (_, n) =>
      notify(strangers.slice(n * 20, n * 20 + 20), { id: `step${n}` }),
    );
    await world.newWorkflow(tenant, steps);
    await world.newWorkflow(tenant, [
      notify([{ type: 'user', id: publicId('member', member) }, email('ops@example.com')]),
    ]);
    for (let n = 0; n < 3; n++) await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
    const found = await eventually(async () => {
      const all = await world.notificationsOf(tenant);
      expect(all.filter(({ status }) => status === 'sent')).toHaveLength(6);
      expect(all.filter(({ status }) => status === 'skipped')).toHaveLength(1200);
      return all;
    });
    expect(new Set(found.map(({ reason }) => reason).filter((reason) => reason !== '250 OK'))).toEqual(
      new Set([refused]),
    );
    const sent = await world.sentTo(tenant);
    expect(JSON.stringify(sent)).not.toContain('stranger.example');
    expect(sent).toHaveLength(6);
  });

  test('are skipped also as tests, and one that waits is skipped when the address was deleted', async () => {
    const target = email('victim@stranger.example');
    const test = dataOf<Notification>(await world.ask(tenant.principal, testNotification, { body: { target } }));
    expect(test).toMatchObject({ status: 'skipped', reason: refused });
    await world.newWorkflow(tenant, [notify([email('ops@example.com')])]);
    world.answerSends(() => ({ kind: 'failed', reason: 'busy', retry: true, retryAfterSeconds: 1 }));
    await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
    await eventually(async () =>
      expect((await world.notificationsOf(tenant)).find(({ status }) => status === 'queued')).toMatchObject({
        attempts: 1,
      }),
    );
    await world.admin.query('DELETE FROM auth.mail_recipients WHERE organization_id = $1', [tenant.organizationId]);
    world.answerSends(null);
    await eventually(async () => {
      const last = (await world.notificationsOf(tenant)).find(({ target: to }) => to === 'ops@example.com');
      expect(last).toMatchObject({ status: 'skipped', reason: refused });
    });
  });

  test('and an address that its server refused for good is reported, which a temporary refusal is not', async () => {
    const reported: MailRefused[] = [];
    const subscription = world.nats.subscribe(mailRefusedRequest.subject, {
      callback: (_error, message) => {
        reported.push(message.json<MailRefused>());
        message.respond(JSON.stringify({ stopped: true }));
      },
    });
    const reason = 'The mail server answered 550 5.1.1 no such user';
    world.answerSends(({ target }) =>
      'address' in target && target.address === 'gone@example.com'
        ? { kind: 'failed', reason, retry: false, retryAfterSeconds: null, refusedAddress: true }
        : { kind: 'failed', reason: '450 later', retry: true, retryAfterSeconds: 60 },
    );
    await world.newWorkflow(tenant, [notify([email('gone@example.com'), email('busy@example.com')])]);
    await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
    await eventually(async () =>
      expect(
        (await world.notificationsOf(tenant)).map(({ target, status, attempts }) => [target, status, attempts]),
      ).toEqual(
        expect.arrayContaining([
          ['gone@example.com', 'failed', 1],
          ['busy@example.com', 'queued', 1],
        ]),
      ),
    );
    world.answerSends(null);
    subscription.unsubscribe();
    expect(reported).toEqual([
      {
        organizationId: tenant.organizationId,
        environment: 'live',
        address: 'gone@example.com',
        reason,
        requestId: expect.stringMatching(/^ntf_/),
      },
    ]);
  });

  test('of a member goes to the further address when mail to the first one has stopped', async () => {
    const member = await world.newMember(tenant);
    await world.admin.query('UPDATE auth.members SET contact_methods = $2 WHERE id = $1', [
      member,
      JSON.stringify([{ type: 'email', address: 'mira@home.example', verified: true }]),
    ]);
    await world.admin.query(
      `INSERT INTO auth.mail_recipients (id, organization_id, kind, value, key, status, reason, stopped_at, created_at,
         updated_at) VALUES (gen_random_uuid(), $1, 'address', $2, $2, 'bounced', '550', now(), now(), now())`,
      [tenant.organizationId, 'mira@example.com'],
    );
    await world.newWorkflow(tenant, [notify([{ type: 'user', id: publicId('member', member) }])]);
    await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
    await eventually(async () => {
      const found = await world.notificationsOf(tenant);
      expect(found.toSorted((a, b) => (a.target < b.target ? -1 : 1))).toMatchObject([
        { target: 'mira@example.com', status: 'skipped', reason: expect.stringContaining('verify it again') },
        { target: 'mira@home.example', status: 'sent', member_id: member },
      ]);
    });
  });
});

describe('mails to people who are no members', () => {
  const outside = ['a@other.example', 'b@other.example', 'c@other.example', 'd@other.example'];
  const limitTo = (limit: number): Promise<unknown> =>
    world.admin.query('UPDATE auth.organizations SET limits = $2 WHERE id = $1', [
      tenant.organizationId,
      JSON.stringify({ outsideMailsPerDay: limit }),
    ]);
  const ended = (count: number) =>
    eventually(async () => {
      const found = await world.notificationsOf(tenant);
      expect(found.filter(({ status }) => status === 'sent' || status === 'skipped')).toHaveLength(count);
      return found;
    });

  test('are skipped over the limit of the day, and those to members are sent', async () => {
    const member = await world.newMember(tenant);
    await limitTo(3);
    await world.newWorkflow(tenant, [
      notify([...outside.map(email), email('MIRA@example.com'), { type: 'user', id: publicId('member', member) }]),
    ]);
    await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
    await ended(5); // the member's own address is not told twice
    await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
    const found = await ended(10);
    const sent = found.filter(({ status }) => status === 'sent').map(({ target }) => target);
    expect(sent.filter((target) => outside.includes(target))).toHaveLength(3);
    expect(sent).toHaveLength(5);
    for (const { reason } of found.filter(({ status }) => status === 'skipped'))
      expect(reason).toBe('the organization may send 3 mails a day to people who are no members');
    const other = await world.newTenant();
    await world.newWorkflow(other, [notify([email('a@other.example')])]);
    await world.publishEvent(other, 'alert.created', await world.newAlert(other));
    await eventually(async () => expect(await world.notificationsOf(other)).toMatchObject([{ status: 'sent' }]));
  });

  test('are limited also when they are tests, and are not counted in the test environment', async () => {
    await limitTo(0);
    const body = { target: email('a@other.example') };
    await world.ask(tenant.principal, testNotification, { body });
    expect(await ended(1)).toMatchObject([{ status: 'skipped' }]);
    const tests = await world.newTenant({ organizationId: tenant.organizationId, environment: 'test' });
    expect(dataOf<Notification>(await world.ask(tests.principal, testNotification, { body }))).toMatchObject({
      status: 'captured',
    });
  });
});
