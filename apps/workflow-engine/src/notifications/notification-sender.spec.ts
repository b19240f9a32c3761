import { newUuid, publicId, readActionLink } from '@ams/contracts';
import { channels } from '@ams/domain';
import { eventually } from '@ams/testing';
import {
  email,
  notify,
  outcomes,
  startWorld,
  type NotificationFound,
  type Tenant,
  type TestWorld,
} from '../../testing/support.js';

let world: TestWorld;
let tenant: Tenant;

beforeAll(async () => {
  world = await startWorld();
  for (let i = 0; i < 2; i++) await world.startReplica({ WORKFLOW_CONCURRENCY: '40' });
});
afterAll(() => world.stop());

beforeEach(async () => {
  world.answerSends(null);
  tenant = await world.newTenant();
});

const page = notify([email('ops@example.com')]);

const notification = (status: string): Promise<NotificationFound> =>
  eventually(async () => {
    const [found] = await world.notificationsOf(tenant);
    expect(found).toMatchObject({ status });
    return found as NotificationFound;
  });

/** The steps of a workflow, for an alert that has just been created. */
async function alertWith(steps: object[], as = tenant): Promise<string> {
  await world.newWorkflow(as, steps);
  const alertId = await world.newAlert(as);
  await world.publishEvent(as, 'alert.created', alertId);
  return alertId;
}

test('a new replica counts from 0, so that its first failures are an increase', async () => {
  const { port, stop } = await world.startReplica();
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  for (const channel of channels)
    for (const status of ['sent', 'failed', 'skipped'])
      expect(metrics).toMatch(
        new RegExp(`^ams_notifications_total\\{channel="${channel}",status="${status}".*\\} 0$`, 'm'),
      );
  await stop();
});

test('a job of an earlier release is done under its old name', async () => {
  const id = newUuid();
  await world.admin.query(
    `INSERT INTO workflows.notifications (id, organization_id, environment, channel, target, destination, notice,
       stop_when, why, status, created_at, updated_at)
     VALUES ($1, $2, 'live', 'email', 'ops@example.com', $3, $4, '{}', 'why', 'queued', now(), now())`,
    [
      id,
      tenant.organizationId,
      JSON.stringify({ channel: 'email', address: 'ops@example.com', name: null }),
      JSON.stringify({ subject: 'Waiting', message: null }),
    ],
  );
  await world.admin.query(`SELECT workflow_jobs.add_job('deliver', json_build_object('deliveryId', $1::text))`, [id]);
  expect(await notification('sent')).toMatchObject({ id, attempts: 1 });
  expect(await world.sentTo(tenant)).toHaveLength(1);
});

describe('an attempt', () => {
  test('gives the notifier the recipient, the content, the reason and the links', async () => {
    const member = await world.newMember(tenant);
    const alertId = await alertWith([
      notify([{ type: 'user', id: publicId('member', member) }], {
        params: {
          targets: [{ type: 'user', id: publicId('member', member) }],
          subject: '{{severity}}: {{title}}',
          message: 'Look at {{title}}',
        },
      }),
    ]);
    const { id } = await notification('sent');
    const [request] = await world.sentTo(tenant);
    expect(request).toMatchObject({
      notificationId: publicId('notification', id),
      target: { channel: 'email', address: 'mira@example.com', name: 'mira' },
      notice: {
        subject: 'critical: High CPU',
        message: 'Look at High CPU',
        reason: 'The workflow "Page" notifies you.',
        organizationName: 'Example',
        environment: 'live',
        otherAlerts: [],
        alert: { id: publicId('alert', alertId) },
        links: { open: `http://localhost:3000/alerts/${publicId('alert', alertId)}` },
      },
      event: { id: publicId('notification', id), type: 'alert.created', data: { alert: { title: 'High CPU' } } },
    });
    const link = request?.notice.links.acknowledge?.replace('http://localhost:3000/act/', '') ?? '';
    expect(readActionLink(['a secret of the links'], link, Date.now())).toMatchObject({
      action: 'acknowledge',
      id: publicId('alert', alertId),
      memberId: member,
      organizationId: tenant.organizationId,
    });
  });

  test('that fails is repeated with a growing delay and the same id', async () => {
    let attempts = 0;
    world.answerSends(() =>
      ++attempts < 3
        ? { kind: 'failed', reason: '451 later', retry: true, retryAfterSeconds: null }
        : { kind: 'sent', detail: 'taken' },
    );
    await alertWith([page]);
    await eventually(async () =>
      expect((await world.notificationsOf(tenant))[0]).toMatchObject({
        status: 'queued',
        attempts: 1,
        reason: '451 later',
        next_attempt_at: expect.any(Date),
      }),
    );
    expect(await notification('sent')).toMatchObject({ attempts: 3, reason: 'taken', next_attempt_at: null });
    const [first, second, third] = await world.sentTo(tenant);
    expect(new Set([first?.notificationId, second?.notificationId, third?.notificationId]).size).toBe(1);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1400);
    expect((third?.at ?? 0) - (second?.at ?? 0)).toBeGreaterThanOrEqual(2900);
  });

  test('is not made earlier than the other side asked for', async () => {
    let attempts = 0;
    world.answerSends(() =>
      ++attempts === 1
        ? { kind: 'failed', reason: '429', retry: true, retryAfterSeconds: 4 }
        : { kind: 'sent', detail: null },
    );
    await alertWith([page]);
    await notification('sent');
    const [first, second] = await world.sentTo(tenant);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(3900);
  });

  test('that cannot succeed is the last', async () => {
    world.answerSends(() => ({ kind: 'failed', reason: '550 no such user', retry: false, retryAfterSeconds: null }));
    await alertWith([page]);
    expect(await notification('failed')).toMatchObject({ attempts: 1, reason: '550 no such user' });
  });

  test('is the last when it is the twelfth', async () => {
    world.answerSends(() => ({ kind: 'failed', reason: '451 later', retry: true, retryAfterSeconds: null }));
    await alertWith([page]);
    await eventually(async () => expect((await world.notificationsOf(tenant))[0]).toMatchObject({ attempts: 1 }));
    await world.admin.query('UPDATE workflows.notifications SET attempts = 11 WHERE organization_id = $1', [
      tenant.organizationId,
    ]);
    expect(await notification('failed')).toMatchObject({ attempts: 12, reason: '451 later' });
  });

  test('that was held back does not count', async () => {
    let asked = 0;
    world.answerSends(() =>
      ++asked === 1
        ? { kind: 'heldBack', reason: 'the target fails', retryAfterSeconds: 1 }
        : { kind: 'sent', detail: null },
    );
    await alertWith([page]);
    expect(await notification('sent')).toMatchObject({ attempts: 1 });
    expect(await world.sentTo(tenant)).toHaveLength(2);
  });

  test('waits while the notifier is not running', async () => {
    await world.stopNeighbours();
    await alertWith([page]);
    await eventually(async () =>
      expect((await world.notificationsOf(tenant))[0]).toMatchObject({
        status: 'queued',
        attempts: 0,
        reason: 'the notifier does not answer',
      }),
    );
    world.startNeighbours();
    expect(await notification('sent')).toMatchObject({ attempts: 1 });
  });

  test('is not repeated after the alert is acknowledged, and the list shows it at once', async () => {
    world.answerSends(() => ({ kind: 'failed', reason: '451 later', retry: true, retryAfterSeconds: 3600 }));
    const alertId = await alertWith([{ ...page, unless: ['acknowledged'] }]);
    await eventually(async () => expect((await world.notificationsOf(tenant))[0]).toMatchObject({ attempts: 1 }));
    await world.setStatus({ alertId, status: 'acknowledged' });
    await world.publishEvent(tenant, 'alert.acknowledged', alertId);
    expect(await notification('skipped')).toMatchObject({ attempts: 1, reason: 'acknowledged before it was sent' });
    expect(await world.sentTo(tenant)).toHaveLength(1);
  });
});

test.each([
  ['a target that is slow delays nobody else', () => 'https://slow.example.com/hook', 16],
  ['many slow targets delay no other organization', (i: number) => `https://slow-${i}.example.com/hook`, 32],
])('%s', async (_, urlOf, maxAtOnce) => {
  const slow = await world.newTenant();
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  world.answerSends(async ({ target }) => {
    if (target.channel === 'webhook') await answered;
    return { kind: 'sent', detail: null };
  });
  for (let i = 0; i < 5; i++)
    await world.newWorkflow(
      slow,
      Array.from({ length: 5 }, (_, j) => ({ id: `hook-${j}`, type: 'webhook', params: { url: urlOf(i * 5 + j) } })),
    );
  const events = [];
  for (let i = 0; i < 3; i++) events.push(await world.eventOf(slow, 'alert.created', await world.newAlert(slow)));
  await world.publish(...events);
  await eventually(async () => {
    expect(await world.notificationsOf(slow)).toHaveLength(75);
    expect((await world.sentTo(slow)).length).toBeGreaterThan(4);
  });
  expect((await world.sentTo(slow)).length).toBeLessThanOrEqual(maxAtOnce);
  await alertWith([page]);
  await notification('sent');
  answer();
  await eventually(async () =>
    expect((await world.notificationsOf(slow)).filter(({ status }) => status === 'sent')).toHaveLength(75),
  );
  // On a busy machine a reply may come too late: then the same notification is attempted again.
  expect(new Set((await world.sentTo(slow)).map(({ notificationId }) => notificationId)).size).toBe(75);
});

describe('the recipients of a step', () => {
  const recipients = async (targets: object[], as = tenant): Promise<[string, string, string | null, string][]> => {
    await alertWith([notify(targets)], as);
    await world.run(as, 'completed');
    return (await world.notificationsOf(as))
      .map(
        ({ target, status, reason, why }) =>
          [target, status === 'sent' ? 'queued' : status, status === 'skipped' ? reason : null, why] as [
            string,
            string,
            string | null,
            string,
          ],
      )
      .sort((a, b) => (a[0] < b[0] ? -1 : 1));
  };

  test('are the member on call, the next one, and the member of an override', async () => {
    const [mira, noor, ida] = [
      await world.newMember(tenant),
      await world.newMember(tenant, 'noor'),
      await world.newMember(tenant, 'ida'),
    ];
    const plain = await world.newSchedule(tenant, [mira, noor], 'Plain');
    const overridden = await world.newSchedule(tenant, [mira, noor], 'Overridden');
    await world.newOverride(tenant, overridden, ida);
    expect(
      await recipients([
        { type: 'schedule', id: plain },
        { type: 'schedule', id: plain, who: 'next' },
        { type: 'schedule', id: overridden },
      ]),
    ).toEqual([
      ['ida@example.com', 'queued', null, 'You are on call in "Overridden".'],
      ['mira@example.com', 'queued', null, 'You are on call in "Plain".'],
      ['noor@example.com', 'queued', null, 'You are next on call in "Plain".'],
    ]);
    expect((await world.run(tenant, 'completed')).results[0]?.detail).toMatchObject({
      notifications: [
        {
          target: 'mira@example.com',
          onCall: {
            scheduleId: plain,
            scheduleName: 'Plain',
            source: 'layer',
            layer: 'Daily',
            userId: publicId('member', mira),
            until: expect.any(String),
          },
        },
        { target: 'noor@example.com' },
        { target: 'ida@example.com', onCall: { source: 'override', layer: null, userId: publicId('member', ida) } },
      ],
    });
  });

  test('contain a person once, also when many targets mean that person', async () => {
    const mira = await world.newMember(tenant);
    const schedule = await world.newSchedule(tenant, [mira]);
    expect(
      await recipients([
        { type: 'user', id: publicId('member', mira) },
        { type: 'schedule', id: schedule },
        email('Mira@example.com'),
      ]),
    ).toEqual([['mira@example.com', 'queued', null, 'The workflow "Page" notifies you.']]);
  });

  test('contain no disabled member and nobody in a gap, and the record says so', async () => {
    const disabled = await world.newMember(tenant, 'mira', 'disabled');
    const gap = await world.newSchedule(tenant, []);
    expect(
      await recipients([
        { type: 'user', id: publicId('member', disabled) },
        { type: 'schedule', id: gap },
      ]),
    ).toEqual([
      ['', 'skipped', 'nobody is on call in Primary', 'nobody is on call in Primary'],
      ['mira@example.com', 'skipped', 'mira is disabled', 'The workflow "Page" notifies you.'],
    ]);
    expect(outcomes(await world.run(tenant, 'completed'))).toEqual(['page skipped mira is disabled']);
  });

  test('may be an address that the alert names; a missing or bad one is skipped with the reason', async () => {
    const labels = { owner: ' mira@example.com ', 'owner.mail': 'Mira <mira@example.com>' };
    await world.newWorkflow(tenant, [
      notify(
        ['labels.owner', 'labels.owner.mail', 'annotations.owner', 'labels.constructor'].map((addressFrom) => ({
          type: 'email',
          addressFrom,
        })),
      ),
    ]);
    await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant, { labels }));
    await world.run(tenant, 'completed');
    await eventually(async () =>
      expect(
        (await world.notificationsOf(tenant)).map(({ target, status, why, reason }) => [target, status, reason ?? why]),
      ).toEqual(
        expect.arrayContaining([
          ['', 'skipped', 'labels.owner.mail of the alert is not an e-mail address'],
          ['', 'skipped', 'the alert has no annotations.owner'],
          ['', 'skipped', 'the alert has no labels.constructor'],
          ['mira@example.com', 'sent', '250 OK'],
        ]),
      ),
    );
    expect((await world.sentTo(tenant)).map(({ target }) => target)).toEqual([
      { channel: 'email', address: 'mira@example.com', name: null },
    ]);
  });

  test('get no message in the test environment', async () => {
    const testing = await world.newTenant({ environment: 'test' });
    expect(await recipients([email('ops@example.com')], testing)).toEqual([
      ['ops@example.com', 'captured', null, 'The workflow "Page" notifies this address.'],
    ]);
    expect(await world.sentTo(testing)).toEqual([]);
  });

  test('may be a chat, whose address is not shown, or a webhook with its secret and headers', async () => {
    await alertWith([
      notify([{ type: 'channel', kind: 'slack', url: 'https://hooks.slack.com/T0/secret' }]),
      {
        id: 'hook',
        type: 'webhook',
        params: { url: 'https://example.com/hook', secret: 'whsec', headers: { 'x-team': 'a' }, timeoutSeconds: 3 },
      },
    ]);
    await eventually(async () =>
      expect((await world.notificationsOf(tenant)).map(({ target, status }) => [target, status])).toEqual([
        ['hooks.slack.com', 'sent'],
        ['example.com', 'sent'],
      ]),
    );
    const sent = (await world.sentTo(tenant)).map(({ target }) => target);
    expect(sent).toContainEqual({ channel: 'slack', url: 'https://hooks.slack.com/T0/secret' });
    expect(sent).toContainEqual({
      channel: 'webhook',
      url: 'https://example.com/hook',
      secret: 'whsec',
      headers: { 'x-team': 'a' },
      timeoutSeconds: 3,
    });
  });
});

test('two replicas make each effect once', async () => {
  await world.newWorkflow(
    tenant,
    [
      { id: 'open', type: 'openIncident' },
      { ...page, delaySeconds: 1 },
      notify([email('second@example.com')], { id: 'second' }),
    ],
    { events: ['alert.created'] },
  );
  // Each alert has its own incident.
  world.answerCommands((command) =>
    command.organizationId === tenant.organizationId
      ? { kind: 'done', changed: true, alert: null, incident: null, joined: false }
      : null,
  );
  const events = [];
  for (let i = 0; i < 20; i++) events.push(await world.eventOf(tenant, 'alert.created', await world.newAlert(tenant)));
  for (const event of events) await world.publish(event, event);
  await world.publish(...events);
  await eventually(async () =>
    expect((await world.runsOf(tenant)).filter(({ status }) => status === 'completed')).toHaveLength(20),
  );
  await eventually(async () =>
    expect((await world.notificationsOf(tenant)).filter(({ status }) => status === 'sent')).toHaveLength(40),
  );
  world.answerCommands(null);
  expect(await world.sentTo(tenant)).toHaveLength(40);
  expect(world.commands.filter(({ organizationId }) => organizationId === tenant.organizationId)).toHaveLength(20);
});
