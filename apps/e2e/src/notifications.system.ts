/** From an alert to a person, through all services: ingest, pipeline, workflows, schedules, notifier, mail, a link. */
import {
  newUuid,
  publicId,
  uuidOf,
  type Alert,
  type Notification,
  type Schedule,
  type Workflow,
  type WorkflowRun,
} from '@ams/contracts';
import { eventually } from '@ams/testing';
import { linkIn, openMailbox, type Mail, type Mailbox } from './system/mailbox.js';
import { webTarget, type WebTarget } from './system/web-target.js';
import { startSystem, type List, type One, type Organization, type Sender, type System } from './system.js';

let system: System;
let mailbox: Mailbox;
let acme: Organization;
let sender: Sender;

beforeAll(async () => {
  mailbox = await openMailbox();
  // Webhooks of this test go to this machine. All other private addresses are still refused.
  system = await startSystem({
    durable: true,
    supervised: true,
    env: {
      notifier: { ...mailbox.settings, OUTBOUND_ALLOW: '127.0.0.1' },
      'alert-pipeline': { PIPELINE_LEASE_SECONDS: '2' },
    },
  });
  acme = await system.organization();
  sender = await acme.integration();
});
afterAll(async () => {
  await system?.stop();
  await mailbox?.close();
});

interface Member {
  id: string;
  name: string;
  email: string;
}

async function member(name: string): Promise<Member> {
  const id = newUuid();
  const email = `${name.toLowerCase()}-${id}@example.com`;
  await system.sql(
    `INSERT INTO auth.members (id, organization_id, name, email, role, status)
     VALUES ($1, $2, $3, $4, 'responder', 'active')`,
    [id, uuidOf('organization', acme.id), name, email],
  );
  return { id: publicId('member', id), name, email };
}

/** Creates a record. Returns the body of the answer, which must be 201. */
async function made<T>(path: string, body: unknown, by = acme.key): Promise<T> {
  const answer = await system.as(by).post<One<T>>(`/api/v1${path}`, body);
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

const schedule = (name: string, members: Member[]): Promise<Schedule> =>
  made('/schedules', {
    name,
    timezone: 'Europe/Berlin',
    layers: [
      {
        name: 'Everybody in turn',
        members: members.map(({ id }) => id),
        rotation: { unit: 'week', interval: 1, handoffTime: '09:00', handoffDay: 1 },
        startsAt: new Date(Date.now() - 60_000).toISOString(),
      },
    ],
  });

/**
 * A workflow for alerts with the label `case` of this value. Their severity is too low for the default workflow of
 * every organization.
 */
const workflow = (
  word: string,
  steps: object[],
  { events = ['alert.created'], more = [], by = acme.key }: { events?: string[]; more?: object[]; by?: string } = {},
): Promise<Workflow> =>
  made(
    '/workflows',
    {
      name: `${word} ${crypto.randomUUID()}`,
      trigger: { events },
      conditions: { all: [{ field: 'labels.case', op: 'eq', value: word }, ...more] },
      steps,
    },
    by,
  );

async function fire(word: string, { severity = 'medium', to = sender, key = acme.key } = {}): Promise<Alert> {
  const fingerprint = `${word}-${crypto.randomUUID()}`;
  await to.fire({ title: `The ${word} of it`, severity, fingerprint, labels: { case: word } });
  return (await acme.alerts({ fingerprint }, key))[0] as Alert;
}

const alertOf = async ({ id }: Alert): Promise<Alert> =>
  (await acme.api.get<One<Alert>>(`/api/v1/alerts/${id}`)).body.data;

async function listed<T>(path: string, query: Record<string, string>, by = acme.key): Promise<T[]> {
  const { status, body } = await system.as(by).get<List<T>>(`/api/v1${path}`, { query });
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body.data;
}
const notificationsOf = ({ id }: Alert, by?: string): Promise<Notification[]> =>
  listed('/notifications', { alertId: id }, by);
const runsOf = ({ id }: Workflow): Promise<WorkflowRun[]> => listed(`/workflows/${id}/runs`, {});
const runOf = async (flow: Workflow, { id }: Alert): Promise<WorkflowRun> => {
  const [run] = await listed<WorkflowRun>(`/workflows/${flow.id}/runs`, { alertId: id });
  if (!run) throw new Error('the run has not begun');
  return run;
};
const steps = ({ steps: all }: WorkflowRun) =>
  Object.fromEntries(all.map(({ id, outcome, reason }) => [id, reason === null ? outcome : `${outcome}: ${reason}`]));

const firstMailTo = ({ email }: Member): Promise<Mail> =>
  eventually(() => {
    const [mail] = mailbox.mails(email);
    if (!mail) throw new Error(`${email} has received no mail`);
    return mail;
  });

async function press(link: string): Promise<{ status: number; title: string }> {
  const [gateway] = system.replicas('api-gateway');
  const response = await fetch(`${gateway?.url}${link}`, { method: 'POST' });
  return { status: response.status, title: /<h1>(.*?)<\/h1>/.exec(await response.text())?.[1] ?? '' };
}

it('a hand-off notifies whoever is on call now, and the feed of the schedule shows it without a key', async () => {
  const [ada, mira] = [await member('Ada'), await member('Mira')];
  const primary = await schedule('Nights', [ada]);
  await made('/workflows', {
    name: 'Hand-offs',
    trigger: { events: ['schedule.handoff'] },
    conditions: { field: 'schedule.id', op: 'eq', value: primary.id },
    steps: [{ id: 'tell', type: 'notify', params: { targets: [{ type: 'schedule', id: primary.id }] } }],
  });
  const { url } = await made<{ url: string }>(`/schedules/${primary.id}/feed`, undefined);
  // A new schedule tells its first change, and who was on call before is known after a second.
  await eventually(async () => {
    const known = await system.sql(
      'SELECT 1 FROM resources.schedule_handoffs WHERE schedule_id = $1 AND told IS NOT NULL',
      [uuidOf('schedule', primary.id)],
    );
    expect(known).toHaveLength(1);
  });
  await made(`/schedules/${primary.id}/overrides`, {
    userId: mira.id,
    startsAt: new Date(Date.now() - 60_000).toISOString(),
    endsAt: new Date(Date.now() + 3_600_000).toISOString(),
    reason: null,
  });
  expect(await firstMailTo(mira)).toMatchObject({ subject: expect.stringContaining('Nights: Mira is on call') });
  const [gateway] = system.replicas('api-gateway');
  const feed = await fetch(`${gateway?.url}${new URL(url).pathname}`);
  expect([feed.status, feed.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
  expect(await feed.text()).toContain('SUMMARY:Mira');
});

it('an alert notifies the member of an override; the link in the mail ends the escalation', async () => {
  const [ada, mira, kim] = [await member('Ada'), await member('Mira'), await member('Kim')];
  const primary = await schedule('Primary', [ada]);
  await made(`/schedules/${primary.id}/overrides`, {
    userId: mira.id,
    startsAt: new Date(Date.now() - 60_000).toISOString(),
    endsAt: new Date(Date.now() + 3_600_000).toISOString(),
    reason: 'wedding',
  });
  const flow = await workflow('override', [
    { id: 'page', type: 'notify', params: { targets: [{ type: 'schedule', id: primary.id }] } },
    {
      id: 'escalate',
      type: 'notify',
      params: { targets: [{ type: 'user', id: kim.id }] },
      delaySeconds: 600,
      unless: ['acknowledged', 'resolved'],
    },
  ]);

  const alert = await fire('override');
  const mail = await firstMailTo(mira);
  expect(mail.subject).toContain('The override of it');
  expect(mail.text).toContain('You are on call in "Primary".');
  await eventually(async () =>
    expect(await notificationsOf(alert)).toMatchObject([
      {
        channel: 'email',
        target: mira.email,
        userId: mira.id,
        status: 'sent',
        attempts: 1,
        why: 'You are on call in "Primary".',
      },
    ]),
  );
  await eventually(async () => expect(steps(await runOf(flow, alert))).toMatchObject({ page: 'done' }));
  const waiting = await runOf(flow, alert);
  expect(waiting.status).toBe('waiting');
  expect(JSON.stringify(waiting.steps[0]?.detail)).toContain('"source":"override"');

  const link = linkIn(mail, 'Acknowledge');
  const [gateway] = system.replicas('api-gateway');
  expect((await fetch(`${gateway?.url}${link}`)).status).toBe(200);
  expect((await alertOf(alert)).status).toBe('firing');
  expect(await press(link)).toEqual({ status: 200, title: 'You have acknowledged it' });
  expect(await alertOf(alert)).toMatchObject({
    status: 'acknowledged',
    acknowledgedBy: { type: 'user', id: mira.id, name: 'Mira' },
  });
  // Ten minutes before its time.
  await eventually(async () =>
    expect(steps(await runOf(flow, alert))).toEqual({ page: 'done', escalate: 'skipped: acknowledged' }),
  );
  expect((await runOf(flow, alert)).status).toBe('completed');
  expect([ada, kim].flatMap(({ email }) => mailbox.mails(email))).toEqual([]);

  expect(await press(link)).toEqual({ status: 200, title: 'You have acknowledged it' });
  expect(await press(linkIn(mail, 'Resolve'))).toEqual({ status: 200, title: 'You have resolved it' });
  expect(await press(link)).toEqual({ status: 409, title: 'It is resolved already' });
});

it.each(['the standard payload', "PagerDuty's API"])(
  'by %s, an outage after a late acknowledgement pages',
  async (api) => {
    const kim = await member('Kim');
    const word = `late-${crypto.randomUUID()}`;
    await workflow(word, [{ id: 'page', type: 'notify', params: { targets: [{ type: 'user', id: kim.id }] } }]);
    const token = sender.ingestUrl.split('/').at(-1);
    const send = async (action: 'trigger' | 'resolve' | 'acknowledge'): Promise<void> => {
      if (api === 'the standard payload') {
        const status = { trigger: 'firing', resolve: 'resolved', acknowledge: 'acknowledged' }[action];
        await sender.fire({ title: 'Disk full', severity: 'medium', status, dedup_key: word, labels: { case: word } });
        return;
      }
      const payload = { summary: 'Disk full', source: 'web-01', severity: 'warning', custom_details: { case: word } };
      const event = { routing_key: token, event_action: action, dedup_key: word, payload };
      expect((await system.ingest().post('/v2/enqueue', event)).status).toBe(202);
    };
    await send('trigger');
    await eventually(() => expect(mailbox.mails(kim.email)).toHaveLength(1));
    for (const action of ['resolve', 'acknowledge', 'trigger'] as const) await send(action);
    await eventually(() => expect(mailbox.mails(kim.email)).toHaveLength(2));
    expect((await acme.alerts({ fingerprint: word })).map(({ status }) => status).sort()).toEqual([
      'firing',
      'resolved',
    ]);
  },
);

it('the link of a disabled member has no effect', async () => {
  const leaving = await member('Leaving');
  await workflow('disabled', [{ id: 'page', type: 'notify', params: { targets: [{ type: 'user', id: leaving.id }] } }]);
  const alert = await fire('disabled');
  const link = linkIn(await firstMailTo(leaving), 'Acknowledge');
  await system.sql(`UPDATE auth.members SET status = 'disabled' WHERE email = $1`, [leaving.email]);
  expect(await press(link)).toEqual({ status: 403, title: 'You are not allowed to do this any more' });
  expect((await alertOf(alert)).status).toBe('firing');
});

it('an escalation survives a restart of all processes: one page each, none after the acknowledgement', async () => {
  const delaySeconds = 12;
  const [first, second, third] = [await member('First'), await member('Second'), await member('Third')];
  const later = (person: Member, id: string) => ({
    id,
    type: 'notify',
    params: { targets: [{ type: 'user', id: person.id }] },
    delaySeconds,
    unless: ['acknowledged', 'resolved'],
  });
  const flow = await workflow('restart', [
    { id: 'one', type: 'notify', params: { targets: [{ type: 'user', id: first.id }] } },
    later(second, 'two'),
    later(third, 'three'),
  ]);
  const alert = await fire('restart');
  await firstMailTo(first);
  await eventually(async () => expect((await runOf(flow, alert)).status).toBe('waiting'));
  const due = Date.parse((await runOf(flow, alert)).steps[0]?.at ?? '') + delaySeconds * 1000;

  const stores = [system.postgres, system.nats];
  await Promise.all([...system.allReplicas.map((replica) => replica.kill9()), ...stores.map((store) => store.kill())]);
  await Promise.all(stores.map((store) => store.restart()));
  await system.allReady();
  const restartedAt = Date.now();

  const mail = await firstMailTo(second);
  expect(mail.at).toBeGreaterThanOrEqual(due);
  expect(mail.at).toBeLessThan(Math.max(due, restartedAt) + 15_000);
  expect(await press(linkIn(mail, 'Acknowledge'))).toEqual({ status: 200, title: 'You have acknowledged it' });
  await eventually(async () =>
    expect(steps(await runOf(flow, alert))).toEqual({ one: 'done', two: 'done', three: 'skipped: acknowledged' }),
  );
  expect([first, second, third].map(({ email }) => mailbox.mails(email).length)).toEqual([1, 1, 0]);
  expect((await notificationsOf(alert)).map(({ target, status }) => `${target} ${status}`).sort()).toEqual([
    `${first.email} sent`,
    `${second.email} sent`,
  ]);
});

it('two workflows that trigger each other stop at the limit of depth, and their runs show it', async () => {
  const turn = (severity: string, to: string, events: string[]) =>
    workflow('loop', [{ id: 'turn', type: 'setSeverity', params: { severity: to } }], {
      events,
      more: [{ field: 'severity', op: 'eq', value: severity }],
    });
  const up = await turn('low', 'medium', ['alert.created', 'alert.severityChanged']);
  const down = await turn('medium', 'low', ['alert.severityChanged']);
  const alert = await fire('loop', { severity: 'low' });
  const runs = async () => [...(await runsOf(up)), ...(await runsOf(down))].sort((a, b) => a.depth - b.depth);
  await eventually(async () =>
    expect((await runs()).map(({ depth, status }) => `${depth} ${status}`)).toEqual(
      [0, 1, 2, 3, 4].map((depth) => `${depth} completed`),
    ),
  );
  expect((await runs()).map(({ workflowId }) => (workflowId === up.id ? 'up' : 'down'))).toEqual([
    'up',
    'down',
    'up',
    'down',
    'up',
  ]);
  await eventually(async () => {
    const considered = await system.sql<{ workflows: { outcome: string; workflowId: string }[] }>(
      `SELECT workflows FROM workflows.considered WHERE organization_id = $1 AND workflows @> '[{"outcome": "loop"}]'`,
      [uuidOf('organization', acme.id)],
    );
    expect(considered).toHaveLength(1);
  });
  expect((await acme.timeline(alert.id)).filter(({ type }) => type === 'alert.severityChanged')).toHaveLength(5);
  expect((await alertOf(alert)).severity).toBe('medium');
  expect(await runs()).toHaveLength(5);
});

describe('targets of webhooks', () => {
  const timeoutSeconds = 10;
  const targets: Record<string, WebTarget> = {};
  afterAll(() => Promise.all(Object.values(targets).map((target) => target.close())));

  it('may fail, be slow, ask for delays, redirect to private networks, send megabytes: no other waits', async () => {
    Object.assign(targets, {
      well: await webTarget((response) => response.writeHead(204).end()),
      failing: await webTarget((response) => response.writeHead(500).end('out of order')),
      slow: await webTarget(() => undefined),
      limited: await webTarget((response, count) =>
        count === 1 ? response.writeHead(429, { 'retry-after': '4' }).end() : response.writeHead(200).end(),
      ),
      redirecting: await webTarget((response) =>
        response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
      ),
      large: await webTarget((response) => {
        response.writeHead(200);
        for (let i = 0; i < 20; i++) response.write(Buffer.alloc(1024 * 1024));
        response.end();
      }),
    });
    const ofTarget = Object.fromEntries(Object.entries(targets).map(([name, { url }]) => [new URL(url).host, name]));
    for (const { url } of Object.values(targets))
      await workflow('webhook', [{ id: 'call', type: 'webhook', params: { url, timeoutSeconds } }]);
    const alert = await fire('webhook');
    const seen = async (): Promise<Record<string, Notification>> =>
      Object.fromEntries(
        (await notificationsOf(alert)).map((notification) => [ofTarget[notification.target], notification]),
      );
    await eventually(async () => {
      expect(await seen()).toMatchObject({
        well: { status: 'sent', attempts: 1 },
        failing: { status: 'queued', reason: expect.stringContaining('500'), nextAttemptAt: expect.any(String) },
        slow: { status: 'queued', attempts: expect.any(Number), reason: expect.any(String) },
        limited: { status: 'sent', attempts: 2 },
        redirecting: { status: 'failed', attempts: 1, reason: expect.stringContaining('private') },
        large: { status: 'sent', attempts: 1 },
      });
    });
    const { well, redirecting, large, limited, slow } = await seen();
    for (const prompt of [well, redirecting, large])
      expect(Date.parse(prompt?.updatedAt ?? '')).toBeLessThan(
        Date.parse(slow?.createdAt ?? '') + timeoutSeconds * 1000,
      );
    const [refused, taken] = targets['limited']?.received ?? [];
    expect((taken?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(4000);
    expect(new Set(targets['limited']?.received.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([limited?.id]),
    );
    expect(JSON.parse(targets['well']?.received[0]?.body ?? '')).toMatchObject({
      type: 'alert.created',
      data: { alert: { id: alert.id } },
    });
  });
});

it('in the test environment everything happens, but no message leaves the service', async () => {
  const nobody = await member('Nobody');
  const { key } = await acme.newKey({
    environment: 'test',
    scopes: [
      'alerts:read',
      'users:read',
      'workflows:read',
      'workflows:write',
      'integrations:read',
      'integrations:write',
    ],
  });
  await workflow('captured', [{ id: 'page', type: 'notify', params: { targets: [{ type: 'user', id: nobody.id }] } }], {
    by: key,
  });
  const alert = await fire('captured', { to: await acme.integration({}, key), key });
  await eventually(async () =>
    expect(await notificationsOf(alert, key)).toMatchObject([
      { target: nobody.email, status: 'captured', attempts: 0 },
    ]),
  );
  expect(await notificationsOf(alert)).toEqual([]);
  expect(mailbox.mails(nobody.email)).toEqual([]);
});
