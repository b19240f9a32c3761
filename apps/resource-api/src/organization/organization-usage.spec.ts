import {
  createClient,
  createEscalationPolicy,
  createIntegration,
  createSchedule,
  createSuppression,
  createTeam,
  createView,
  createWorkflow,
  deleteTeam,
  getOrganizationUsage,
  publicId,
  runBatch,
  silenceAlert,
  type Answer,
  type LimitUsage,
  type Operation,
  type OrganizationUsage,
  type Principal,
} from '@ams/contracts';
import { defaultLimits, limitKinds, recordKinds, type LimitKind } from '@ams/domain';
import { dataOf, insertAlert, insertMember } from '@ams/testing';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let me: Principal;

beforeAll(async () => {
  api = await startResourceApi({ replicas: 2 });
});
beforeEach(async () => {
  me = await api.newPrincipal();
});
afterAll(() => api.stop());

const usage = async (principal = me): Promise<LimitUsage[]> =>
  dataOf<OrganizationUsage>(await api.callAs(principal, getOrganizationUsage)).usage;
const usageOf = async (kind: LimitKind, principal = me): Promise<LimitUsage | undefined> =>
  (await usage(principal)).find((one) => one.kind === kind);
const setLimits = (limits: Partial<Record<LimitKind, number>>): Promise<unknown> =>
  api.admin.query('UPDATE auth.organizations SET limits = $2 WHERE id = $1', [
    me.organizationId,
    JSON.stringify(limits),
  ]);
const newTeam = (name: string, principal = me): Promise<Answer> =>
  api.callAs(principal, createTeam, { body: { name } });

const window = { name: 'Night', matchAll: true, startsAt: '2026-11-20T00:00:00Z', endsAt: '2126-11-20T00:00:00Z' };
const notify = { id: 'tell', type: 'notify', params: { targets: [{ type: 'email', address: 'ops@example.com' }] } };

/** A creation of each kind that the service accepts while there is room. */
const creations: Record<
  Exclude<(typeof recordKinds)[number], 'members' | 'mailRecipients'>,
  () => Promise<[Operation, object]>
> = {
  clients: async () => [createClient, { name: 'Acme' }],
  integrations: async () => [createIntegration, { name: 'Prometheus' }],
  schedules: async () => [createSchedule, { name: 'Primary', timezone: 'UTC', layers: [] }],
  suppressionWindows: async () => [createSuppression, window],
  workflows: async () => [
    createWorkflow,
    { name: 'Tell', trigger: { events: ['alert.created'] }, conditions: null, steps: [notify] },
  ],
  escalationPolicies: async () => {
    const id = publicId('member', await insertMember(api.admin, me, { name: 'Ann' }));
    return [createEscalationPolicy, { name: 'Everybody', levels: [{ targets: [{ type: 'user', id }] }] }];
  },
  teams: async () => [createTeam, { name: 'Sea' }],
  views: async () => [createView, { name: 'Mine', page: 'alerts', query: {}, visibility: 'organization' }],
};

test.each(Object.entries(creations))(
  'one more of the %s than the limit is refused, and the limit is told',
  async (kind, creation) => {
    const [operation, body] = await creation();
    const create = (): Promise<Answer> => api.callAs(me, operation, { body });
    const before = (await usageOf(kind as LimitKind))?.used ?? 0;
    await setLimits({ [kind]: before });
    expect(await create()).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      details: { kind, limit: before, used: before },
    });
    await setLimits({ [kind]: before + 1 });
    expect(await create()).toMatchObject({ ok: true });
    expect(await usageOf(kind as LimitKind)).toEqual({ kind, used: before + 1, limit: before + 1, resetsAt: null });
  },
);

test('shows each limit once, with the defaults, and counts messages until the end of the day', async () => {
  const shown = await usage();
  expect(shown.map(({ kind }) => kind)).toEqual(limitKinds);
  for (const { kind, limit } of shown) expect({ kind, limit }).toEqual({ kind, limit: defaultLimits[kind] });
  await api.admin.query(
    `INSERT INTO workflows.message_counts (organization_id, kind, day, used)
     VALUES ($1, 'outsideMailsPerDay', (now() AT TIME ZONE 'UTC')::date, 7),
       ($1, 'outsideMailsPerDay', (now() AT TIME ZONE 'UTC')::date - 2, 9)`,
    [me.organizationId],
  );
  expect(await usageOf('outsideMailsPerDay')).toMatchObject({
    used: 7,
    resetsAt: expect.stringMatching(/T00:00:00\.000Z$/),
  });
});

test('the page of limits has each of them, with its default', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/limits.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| ([\d,]+) \|/gm)].map(([, kind, limit]) => [
    kind,
    Number(limit?.replaceAll(',', '')),
  ]);
  expect(Object.fromEntries(rows)).toEqual(defaultLimits);
});

test('of many creations at the same time, also by batches, exactly as many succeed as there is room for', async () => {
  await setLimits({ teams: 5, clients: 100 });
  const batch = (n: number): Promise<Answer> =>
    api.callAs(me, runBatch, {
      body: {
        operations: [
          { id: 'client', method: 'POST', path: '/clients', body: { name: `client ${n}` } },
          { id: 'team', method: 'POST', path: '/teams', body: { name: `batch ${n}` } },
        ],
      },
    });
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? newTeam(`team ${n}`) : batch(n))),
  );
  expect(await usageOf('teams')).toMatchObject({ used: 5, limit: 5 });
  const isRefusal = (answer: Answer): boolean => /QUOTA_EXCEEDED/.test(JSON.stringify(answer));
  expect(answers.filter(isRefusal)).toHaveLength(7);
  // A batch is all or nothing: those that were refused made no client either.
  const made = answers.filter((answer, n) => n % 2 === 1 && !isRefusal(answer)).length;
  expect(await usageOf('clients')).toMatchObject({ used: made });
});

test('a deletion makes room, and each environment has its own records', async () => {
  await setLimits({ teams: 1 });
  const team = dataOf<{ id: string }>(await newTeam('first'));
  expect(await newTeam('second')).toMatchObject({ code: 'QUOTA_EXCEEDED' });
  const test = await api.newPrincipal({ organizationId: me.organizationId, environment: 'test' });
  expect(await newTeam('first', test)).toMatchObject({ ok: true });
  expect(await api.callAs(me, deleteTeam, { params: { id: team.id } })).toMatchObject({ ok: true });
  expect(await newTeam('second')).toMatchObject({ ok: true });
});

test('a window that is over takes no room, and silencing an alert takes room as a window does', async () => {
  await setLimits({ suppressionWindows: 1 });
  const alert = publicId('alert', await insertAlert(api.admin, me, { title: 'cpu' }));
  const silence = (): Promise<Answer> =>
    api.callAs(me, silenceAlert, { params: { id: alert }, body: { durationSeconds: 3600, reason: 'known' } });
  expect(await silence()).toMatchObject({ ok: true });
  expect(await silence()).toMatchObject({ code: 'QUOTA_EXCEEDED' });
  await api.admin.query(
    `UPDATE resources.suppression_windows SET starts_at = now() - interval '2 h', ends_at = now() - interval '1 h'
     WHERE organization_id = $1`,
    [me.organizationId],
  );
  expect(await silence()).toMatchObject({ ok: true });
});
