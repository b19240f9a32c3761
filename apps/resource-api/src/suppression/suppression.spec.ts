import {
  createClient,
  createIntegration,
  createSuppression,
  deleteClient,
  deleteIntegration,
  deleteSuppression,
  getSuppression,
  listSuppression,
  newUuid,
  operationsOf,
  previewSuppression,
  publicId,
  updateSuppression,
  uuidOf,
  type Alert,
  type AuditRecord,
  type Client,
  type FieldFault,
  type Integration,
  type Noun,
  type Operation,
  type PostSuppressionWindow,
  type Principal,
  type PutSuppressionWindow,
  type SuppressionPreview,
  type SuppressionWindow,
  type WindowScope,
} from '@ams/contracts';
import { severities, windowMatches, type AlertFacts, type Predicate, type Severity } from '@ams/domain';
import { dataOf, eventually, idempotencyOf, insertAlerts, pageOf } from '@ams/testing';
import fc from 'fast-check';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let me: Principal;
const audit: AuditRecord[] = [];

beforeAll(async () => {
  api = await startResourceApi({ replicas: 2 });
  me = await api.newPrincipal();
  api.nats.subscribe('evt.audit', { callback: (_error, message) => void audit.push(message.json<AuditRecord>()) });
});
afterAll(() => api.stop());

const onEu: Predicate = { field: 'labels.region', op: 'eq', value: 'eu' };
/** More than an entry of the log can hold twice. */
const tooLong = [0, 1, 2].map((): Predicate => ({
  field: 'title',
  op: 'in',
  value: Array.from({ length: 100 }, (_, i) => `${i}${'x'.repeat(1000)}`),
}));
/** Active whenever this is run. */
const always = { startsAt: '2000-01-01T00:00:00.000Z', endsAt: '2099-01-01T00:00:00.000Z' };

const post = (body: object, principal = me) => api.callAs(principal, createSuppression, { body });
const create = async (body: Partial<PostSuppressionWindow> = {}, principal = me): Promise<SuppressionWindow> =>
  dataOf(await post({ name: 'Patching', matchers: [onEu], ...always, ...body }, principal));
const get = async (id: string, principal = me): Promise<SuppressionWindow> =>
  dataOf(await api.callAs(principal, getSuppression, { params: { id } }));
const put = (id: string, body: PutSuppressionWindow, ifMatch: string | null = null) =>
  api.callAs(me, updateSuppression, { params: { id }, body, ifMatch });
const remove = (id: string, ifMatch: string | null = null) =>
  api.callAs(me, deleteSuppression, { params: { id }, ifMatch });
const preview = async (body: WindowScope, principal = me): Promise<SuppressionPreview> =>
  dataOf(await api.callAs(principal, previewSuppression, { body }));

const client = async (principal = me): Promise<string> =>
  dataOf<Client>(await api.callAs(principal, createClient, { body: { name: 'Acme' } })).id;
const integration = async (principal = me): Promise<string> =>
  dataOf<Integration>(await api.callAs(principal, createIntegration, { body: { name: 'Prometheus' } })).id;
const uuid = (id: string, noun: Noun = 'suppressionWindow'): string => uuidOf(noun, id) as string;
const auditOf = (id: string) => audit.filter(({ resource }) => resource?.id === id);

const faultsOf = (answer: unknown): string[] => {
  expect(answer).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
  return (answer as { details: { fields: FieldFault[] } }).details.fields
    .map(({ path, rule }) => `${path} ${rule}`)
    .sort();
};

describe('creating a window', () => {
  it('keeps what is sent, with times in UTC', async () => {
    const body = {
      name: 'Cut-over',
      reason: 'New firewall',
      enabled: true,
      matchers: [onEu, { field: 'clientId', op: 'neq', value: 'cli_of_somebody_else' }] as Predicate[],
      clientIds: [await client(), await client()],
      integrationIds: [await integration()],
      exceptSeverities: ['critical'] as Severity[],
      matchAll: false,
      startsAt: '2000-01-01T02:00:00.1239+02:00',
      endsAt: '2099-01-01T00:00Z',
      timezone: 'Europe/Berlin',
      rrule: null,
      durationSeconds: null,
      onEnd: 'resolve' as const,
    };
    const answer = await post(body);
    expect(answer).toMatchObject({ ok: true, status: 201, version: 1 });
    const created = dataOf<SuppressionWindow>(answer);
    expect(created).toEqual({
      ...body,
      startsAt: '2000-01-01T00:00:00.123Z',
      endsAt: '2099-01-01T00:00:00.000Z',
      id: expect.stringMatching(/^sup_[0-9a-f]{32}$/),
      status: 'active',
      suppressedCount: 0,
      createdBy: { type: 'api_key', id: publicId('apiKey', me.id), name: 'bot' },
      createdAt: created.createdAt,
      updatedAt: created.createdAt,
      version: 1,
    });
    expect(await get(created.id)).toEqual(created);
  });

  it('needs only a name, a scope and times', async () => {
    const created = dataOf<SuppressionWindow>(await post({ name: 'Everything', matchAll: true, ...always }));
    expect(created).toMatchObject({
      reason: null,
      enabled: true,
      matchers: [],
      clientIds: [],
      integrationIds: [],
      exceptSeverities: [],
      matchAll: true,
      timezone: 'UTC',
      rrule: null,
      durationSeconds: null,
      onEnd: 'resume',
    });
    expect(await get(created.id)).toEqual(created);
  });

  const recurring = { endsAt: undefined, durationSeconds: 7200 };
  it.each<[SuppressionWindow['status'], string, Partial<PostSuppressionWindow>]>([
    ['active', 'one that has begun', {}],
    ['scheduled', 'one that is to come', { startsAt: '2098-01-01T00:00:00Z' }],
    ['expired', 'one that is over', { endsAt: '2000-01-02T00:00:00Z' }],
    ['disabled', 'one that is not enabled', { enabled: false }],
    ['active', 'one whose occurrences overlap', { ...recurring, rrule: 'FREQ=HOURLY' }],
    [
      'scheduled',
      'a recurring one that is to come',
      { ...recurring, startsAt: '2090-01-01T00:00:00Z', rrule: 'FREQ=YEARLY' },
    ],
    ['expired', 'a recurring one that is over', { ...recurring, rrule: 'FREQ=DAILY;COUNT=3' }],
    ['disabled', 'a recurring one that is not enabled', { ...recurring, rrule: 'FREQ=HOURLY', enabled: false }],
  ])('says %s of %s', async (status, _what, body) => {
    const created = await create(body);
    expect(created.status).toBe(status);
    expect(await get(created.id)).toEqual(created);
  });

  it('answers every fault at once', async () => {
    const answer = await post({
      name: ' ',
      reason: 7,
      enabled: 'yes',
      matchers: [
        { field: 'now.time', op: 'eq', value: '08:30' },
        { field: 'title', op: 'like', value: 1 },
      ],
      clientIds: ['a', 'a'],
      integrationIds: 'int',
      exceptSeverities: [...severities],
      startsAt: '2026-02-30T00:00:00Z',
      endsAt: 'later',
      timezone: '+02:00',
      rrule: 'FREQ=SECONDLY',
      durationSeconds: 5,
      onEnd: 'explode',
      tpyo: 1,
    });
    const paths = new Set(faultsOf(answer).map((fault) => fault.split(' ')[0]));
    expect(paths).toEqual(
      new Set([
        'name',
        'reason',
        'enabled',
        'matchers[0].field',
        'matchers[1].op',
        'clientIds[1]',
        'integrationIds',
        'exceptSeverities',
        'startsAt',
        'endsAt',
        'timezone',
        'rrule',
        'durationSeconds',
        'onEnd',
        'tpyo',
      ]),
    );
  });

  it.each<[string, object]>([
    ['matchAll matchAll', { matchers: [] }],
    ['endsAt required', { endsAt: null }],
    ['endsAt order', { startsAt: '2099-01-01T01:00:00+01:00' }],
    ['durationSeconds required', { rrule: 'FREQ=DAILY' }],
    ['durationSeconds exclusive', { durationSeconds: 60 }],
    ['rrule occurrence', { rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', durationSeconds: 60 }],
    ['matchers maxBytes', { matchers: tooLong }],
  ])('is refused for %s', async (fault, body) => {
    expect(faultsOf(await post({ name: 'n', matchers: [onEu], ...always, ...body }))).toEqual([fault]);
  });

  it('is refused for an end that has no time in UTC', async () => {
    const answer = await post({ name: 'n', matchers: [onEu], ...always, endsAt: '9999-12-31T23:59:59-23:59' });
    expect(faultsOf(answer)).toEqual(['endsAt format']);
  });

  it('answers a repeated request as before, and creates nothing', async () => {
    const body = { name: 'Once only', matchers: [onEu], ...always };
    const request = { body, idempotency: idempotencyOf('w1', body) };
    const [first, second] = await Promise.all([
      api.callAs(me, createSuppression, request),
      api.callAs(me, createSuppression, request),
    ]);
    expect(first).toMatchObject({ ok: true, status: 201 });
    expect(second).toEqual(first);
    const reused = { body: { ...body, name: 'other' }, idempotency: idempotencyOf('w1', 'other') };
    expect(await api.callAs(me, createSuppression, reused)).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(pageOf(await api.callAs(me, listSuppression, { query: { q: 'once only' } })).meta.total).toBe(1);
  });
});

describe('what a window names', () => {
  it('must exist: clients and integrations of the tenant that are not deleted', async () => {
    const strangers = [
      await api.newPrincipal(),
      await api.newPrincipal({ organizationId: me.organizationId, environment: 'test' }),
    ];
    const [goneClient, goneIntegration] = [await client(), await integration()];
    expect(await api.callAs(me, deleteClient, { params: { id: goneClient } })).toMatchObject({ ok: true });
    expect(await api.callAs(me, deleteIntegration, { params: { id: goneIntegration } })).toMatchObject({ ok: true });
    const [ownClient, ownIntegration] = [await client(), await integration()];
    const wrongForms = ['', 'nonsense', 'cli_x', uuid(ownClient, 'client'), ownClient.toUpperCase()];
    const clientIds = [
      ownClient,
      ownIntegration,
      goneClient,
      publicId('client', newUuid()),
      ...(await Promise.all(strangers.map(client))),
      ...wrongForms,
    ];
    const integrationIds = [
      goneIntegration,
      ownClient,
      ...(await Promise.all(strangers.map(integration))),
      ownIntegration,
    ];
    const expected = [
      ...clientIds.slice(1).map((_, i) => `clientIds[${i + 1}] exists`),
      ...[0, 1, 2, 3].map((i) => `integrationIds[${i}] exists`),
    ].sort();

    const scope = { clientIds, integrationIds };
    const created = await create();
    expect(faultsOf(await post({ name: 'n', ...always, ...scope }))).toEqual(expected);
    expect(faultsOf(await put(created.id, scope))).toEqual(expected);
    expect(faultsOf(await api.callAs(me, previewSuppression, { body: scope }))).toEqual(expected);
    expect(await get(created.id)).toEqual(created);
    expect(pageOf(await api.callAs(me, listSuppression, { query: { clientId: ownClient } })).meta.total).toBe(0);
  });

  it('cannot be deleted', async () => {
    const [clientId, integrationId] = [await client(), await integration()];
    const first = await create({
      name: 'On both',
      clientIds: [await client(), clientId],
      integrationIds: [integrationId],
    });
    const second = await create({ name: 'On both, too', clientIds: [clientId], integrationIds: [integrationId] });
    const removal = () =>
      Promise.all([
        api.callAs(me, deleteClient, { params: { id: clientId } }),
        api.callAs(me, deleteIntegration, { params: { id: integrationId } }),
      ]);
    const references = expect.arrayContaining(
      [first, second].map(({ id, name }) => ({ resource: 'suppression_window', id, name })),
    );
    for (const answer of await removal())
      expect(answer).toMatchObject({ code: 'RESOURCE_IN_USE', details: { references } });

    await put(first.id, { clientIds: [], integrationIds: [] });
    for (const answer of await removal())
      expect(answer).toMatchObject({ code: 'RESOURCE_IN_USE', details: { references: [{ id: second.id }] } });
    await remove(second.id);
    for (const answer of await removal()) expect(answer).toMatchObject({ ok: true });
  });

  const racers = {
    client: { make: client, deletion: deleteClient, field: 'clientIds' },
    integration: { make: integration, deletion: deleteIntegration, field: 'integrationIds' },
  } as const;
  it.each(['client', 'integration'] as const)(
    'and the %s that is deleted at the same time: one of them loses',
    async (noun) => {
      const { make, deletion, field } = racers[noun];
      const window = await create();
      for (let round = 0; round < 12; round++) {
        const id = await make();
        const naming = () =>
          round % 2 === 0 ? post({ name: 'racing', ...always, [field]: [id] }) : put(window.id, { [field]: [id] });
        const deleting = () => api.callAs(me, deletion, { params: { id } });
        const [named, deleted] =
          round % 4 < 2
            ? await Promise.all([naming(), deleting()])
            : (await Promise.all([deleting(), naming()])).reverse();
        expect(['named, RESOURCE_IN_USE', 'VALIDATION_ERROR, deleted']).toContain(
          `${named?.ok ? 'named' : named?.code}, ${deleted?.ok ? 'deleted' : deleted?.code}`,
        );
      }
      const { rows } = await api.admin.query(
        `SELECT 1 FROM resources.suppression_windows w JOIN resources.${noun}s r ON r.id = ANY(w.${noun}_ids)
         WHERE r.deleted_at IS NOT NULL`,
      );
      expect(rows).toEqual([]);
    },
  );

  it('is held until the window is written: the deletion waits, and is refused', async () => {
    const [clientId, integrationId] = [await client(), await integration()];
    const blocker = await api.admin.connect();
    try {
      // The window is made up to its row, which has to wait for the table.
      await blocker.query('BEGIN; LOCK TABLE resources.suppression_windows IN SHARE MODE');
      const named = post({ name: 'Late', ...always, clientIds: [clientId], integrationIds: [integrationId] });
      await waitingForLocks(1);
      const deleted = [
        api.callAs(me, deleteClient, { params: { id: clientId } }),
        api.callAs(me, deleteIntegration, { params: { id: integrationId } }),
      ];
      await waitingForLocks(3);
      await blocker.query('COMMIT');
      expect(await named).toMatchObject({ ok: true });
      for (const answer of await Promise.all(deleted))
        expect(answer).toMatchObject({ code: 'RESOURCE_IN_USE', details: { references: [{ name: 'Late' }] } });
    } finally {
      blocker.release();
    }
  });

  it('causes no deadlock when many windows name the same in any order', async () => {
    const clientIds = await Promise.all(Array.from({ length: 4 }, () => client()));
    const integrationIds = await Promise.all(Array.from({ length: 4 }, () => integration()));
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) => {
        const scope = {
          clientIds: i % 2 ? clientIds : clientIds.toReversed(),
          integrationIds: i % 3 ? integrationIds : integrationIds.toReversed(),
        };
        return post({ name: 'tangle', ...always, ...scope });
      }),
    );
    for (const answer of answers) expect(answer).toMatchObject({ ok: true });
  });
});

/** Settles when so many wait for a lock. */
const waitingForLocks = (many: number): Promise<void> =>
  eventually(async () => {
    const { rows } = await api.admin.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(rows).toEqual([{ n: many }]);
  });

describe('updating a window', () => {
  it('changes the sent fields and keeps the others, and null clears', async () => {
    const created = await create({
      reason: 'r',
      exceptSeverities: ['critical'],
      timezone: 'Europe/Berlin',
      onEnd: 'resolve',
    });
    const weekly = {
      name: 'Patching weekly',
      reason: null,
      endsAt: null,
      rrule: 'FREQ=WEEKLY;BYDAY=SU',
      durationSeconds: 3600,
    };
    const answer = await put(created.id, { ...weekly, startsAt: '2090-01-01T01:00:00+01:00' });
    expect(answer).toMatchObject({ ok: true, status: 200, version: 2 });
    const updated = dataOf<SuppressionWindow>(answer);
    expect(updated).toEqual({
      ...created,
      ...weekly,
      startsAt: '2090-01-01T00:00:00.000Z',
      status: 'scheduled',
      updatedAt: updated.updatedAt,
      version: 2,
    });
    expect(await get(created.id)).toEqual(updated);

    const clientId = await client();
    const elsewhere = { enabled: false, matchers: [], clientIds: [clientId], exceptSeverities: [] };
    const again = dataOf<SuppressionWindow>(await put(created.id, elsewhere));
    expect(again).toEqual({ ...updated, ...elsewhere, status: 'disabled', updatedAt: again.updatedAt, version: 3 });
    expect(await get(created.id)).toEqual(again);
  });

  it('changes neither version nor audit log when nothing changes, in any notation', async () => {
    const created = await create({ clientIds: [await client()] });
    const { name, reason, clientIds, exceptSeverities, timezone, onEnd } = created;
    const written = {
      matchers: [{ value: 'eu', op: 'eq', field: 'labels.region' } as Predicate],
      startsAt: '2000-01-01T01:00:00+01:00',
      endsAt: '2099-01-01T00:00:00Z',
    };
    const same = { name, reason, clientIds, exceptSeverities, timezone, onEnd, ...written };
    const answer = await put(created.id, same);
    expect(answer).toMatchObject({ ok: true, version: 1 });
    expect(dataOf(answer)).toEqual(created);
    expect(await put(created.id, {})).toMatchObject({ ok: true, version: 1 });
    await put(created.id, { name: 'changed' });
    await eventually(() =>
      expect(auditOf(created.id).map(({ type }) => type)).toEqual([
        'suppression_window.created',
        'suppression_window.updated',
      ]),
    );
  });

  it.each<[string[], PutSuppressionWindow]>([
    [['endsAt order'], { endsAt: '1999-01-01T00:00:00Z' }],
    [['endsAt order'], { startsAt: '2099-01-01T00:00:00Z' }],
    [['endsAt required'], { endsAt: null }],
    [['durationSeconds required'], { rrule: 'FREQ=DAILY' }],
    [['durationSeconds exclusive'], { durationSeconds: 60 }],
    [['matchAll matchAll'], { matchers: [] }],
    [['exceptSeverities matchesNothing'], { exceptSeverities: [...severities] }],
    [
      ['clientIds[0] exists', 'endsAt required', 'integrationIds[0] exists'],
      { endsAt: null, clientIds: ['cli_x'], integrationIds: ['int_x'] },
    ],
    [['matchers[0] type', 'matchers[1].value required'], { matchers: [null, { field: 'title', op: 'eq' }] as never }],
  ])('is checked as the whole that it would be: %j for %j', async (expected, body) => {
    const created = await create();
    expect(faultsOf(await put(created.id, body))).toEqual(expected);
    expect(await get(created.id)).toEqual(created);
  });

  it('is refused matchers that are too long, and takes those that are just not', async () => {
    const created = await create();
    expect(faultsOf(await put(created.id, { matchers: tooLong }))).toEqual(['matchers maxBytes']);
    const long = tooLong.slice(1);
    for (const matchers of [long, [...long, onEu]])
      expect(dataOf(await put(created.id, { matchers }))).toMatchObject({ matchers });
    await eventually(() => expect(auditOf(created.id)).toHaveLength(3));
  });

  const required = [
    'name',
    'enabled',
    'matchers',
    'clientIds',
    'integrationIds',
    'exceptSeverities',
    'matchAll',
    'startsAt',
    'timezone',
    'onEnd',
  ];
  it.each(required)('does not clear %s', async (field) => {
    const created = await create();
    expect(await put(created.id, { [field]: null })).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
  });

  it('honours If-Match', async () => {
    const created = await create();
    expect(await put(created.id, { name: 'stale' }, '"2"')).toMatchObject({
      ok: false,
      code: 'VERSION_MISMATCH',
      details: { current: 1 },
    });
    expect(await put(created.id, { name: 'fresh' }, '"1"')).toMatchObject({ ok: true, version: 2 });
    expect(await remove(created.id, '"1"')).toMatchObject({
      ok: false,
      code: 'VERSION_MISMATCH',
      details: { current: 2 },
    });
    expect(await put(created.id, { name: 'x' }, 'nonsense')).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
  });

  it('accepts one of several concurrent changes with the same version', async () => {
    const created = await create();
    for (let version = 1; version <= 5; version++) {
      const answers = await Promise.all(
        ['a', 'b', 'c'].map((name) => put(created.id, { name: `${name}${version}` }, `"${version}"`)),
      );
      expect(answers.map((answer) => (answer.ok ? 'won' : answer.code)).sort()).toEqual([
        'VERSION_MISMATCH',
        'VERSION_MISMATCH',
        'won',
      ]);
    }
  });

  it('is checked against the changes that another request has made in the meantime', async () => {
    for (let round = 0; round < 6; round++) {
      const clientId = await client();
      const created = await create({ clientIds: [clientId] });
      const answers = await Promise.all([put(created.id, { matchers: [] }), put(created.id, { clientIds: [] })]);
      expect(answers.map((answer) => (answer.ok ? 'won' : answer.code)).sort()).toEqual(['VALIDATION_ERROR', 'won']);
    }
  });
});

describe('deleting a window', () => {
  it('deletes it', async () => {
    const created = await create({ name: 'Short-lived' });
    expect(await remove(created.id, '"1"')).toEqual({ ok: true, status: 204, body: null, version: null });
    for (const answer of [
      await api.callAs(me, getSuppression, { params: { id: created.id } }),
      await put(created.id, { name: 'x' }),
      await remove(created.id),
    ]) {
      expect(answer).toMatchObject({ code: 'NOT_FOUND', details: { resource: 'suppression_window', id: created.id } });
    }
    expect(pageOf(await api.callAs(me, listSuppression, { query: { q: 'Short-lived' } })).meta.total).toBe(0);
    const { rows } = await api.admin.query('SELECT 1 FROM resources.suppression_windows WHERE id = $1', [
      uuid(created.id),
    ]);
    expect(rows).toEqual([]);
  });

  it('succeeds for one of two concurrent requests', async () => {
    const created = await create();
    const answers = await Promise.all([remove(created.id), remove(created.id)]);
    expect(answers.map((answer) => (answer.ok ? 'deleted' : answer.code)).sort()).toEqual(['NOT_FOUND', 'deleted']);
  });
});

describe('automatic changes', () => {
  it('is the status, by the clock of the database: no version, no entry in the log', async () => {
    const { rows } = await api.admin.query<{ soon: Date }>(`SELECT now() + interval '1 second' AS soon`);
    const created = await create({ endsAt: rows[0]?.soon.toISOString() });
    await eventually(async () => expect(await get(created.id)).toEqual({ ...created, status: 'expired' }), {
      timeoutMs: 10_000,
    });
    await put(created.id, { reason: 'too late' });
    await eventually(() =>
      expect(auditOf(created.id).at(-1)?.changes).toEqual([{ field: 'reason', before: null, after: 'too late' }]),
    );
  });

  it('is how often it suppressed an alert, over all partitions', async () => {
    const [busy, idle] = [await create({ name: 'Busy and counted' }), await create({ name: 'Idle and counted' })];
    for (const partition of [0, 3, 7]) {
      await api.admin.query(
        `INSERT INTO alerts.window_counts (organization_id, environment, window_id, partition, n)
         VALUES ($1, 'live', $2, $3, 5000000000)`,
        [me.organizationId, uuid(busy.id), partition],
      );
    }
    expect(await get(busy.id)).toEqual({ ...busy, suppressedCount: 15_000_000_000 });
    const page = pageOf<SuppressionWindow>(
      await api.callAs(me, listSuppression, { query: { q: 'and counted', sort: 'name' } }),
    );
    expect(page.data.map(({ id, suppressedCount }) => [id, suppressedCount])).toEqual([
      [busy.id, 15_000_000_000],
      [idle.id, 0],
    ]);
    expect(dataOf(await put(busy.id, { reason: 'r' }))).toMatchObject({ suppressedCount: 15_000_000_000, version: 2 });
  });
});

describe('lists', () => {
  it('filter, sort and page', async () => {
    const other = await api.newPrincipal();
    const [acme, globex, zabbix] = [await client(other), await client(other), await integration(other)];
    const bodies: Partial<PostSuppressionWindow>[] = [
      { name: 'delta', clientIds: [acme], startsAt: '2001-01-01T00:00:00Z' },
      { name: 'Alpha', enabled: false, clientIds: [globex, acme], integrationIds: [zabbix] },
      { name: 'charlie', startsAt: '2098-01-01T00:00:00Z', integrationIds: [zabbix] },
      { name: 'bravo', endsAt: '2000-06-01T00:00:00Z' },
      {
        name: 'echo 100%',
        rrule: 'FREQ=HOURLY',
        durationSeconds: 7200,
        endsAt: null,
        startsAt: '2002-01-01T00:00:00Z',
      },
    ];
    for (const body of bodies) await create(body, other);
    const list = async (query: Record<string, string>) =>
      pageOf<SuppressionWindow>(await api.callAs(other, listSuppression, { query }));
    const names = async (query: Record<string, string>) => {
      const { data, meta } = await list(query);
      expect(meta).toMatchObject({ total: data.length, hasMore: false });
      return data.map(({ name }) => name);
    };
    const inOrder = ['delta', 'Alpha', 'charlie', 'bravo', 'echo 100%'];
    expect(await names({})).toEqual(inOrder.toReversed());
    expect(await names({ sort: 'createdAt' })).toEqual(inOrder);
    expect(await names({ sort: 'name' })).toEqual(['Alpha', 'bravo', 'charlie', 'delta', 'echo 100%']);
    expect((await names({ sort: 'startsAt' })).slice(2)).toEqual(['delta', 'echo 100%', 'charlie']);
    expect((await names({ sort: '-startsAt' })).slice(0, 3)).toEqual(['charlie', 'echo 100%', 'delta']);
    expect(await names({ q: 'LPH' })).toEqual(['Alpha']);
    expect(await names({ q: '0%' })).toEqual(['echo 100%']);
    expect(await names({ q: '_' })).toEqual([]);
    expect(await names({ status: 'active', sort: 'name' })).toEqual(['delta', 'echo 100%']);
    expect(await names({ status: 'disabled,expired', sort: 'name' })).toEqual(['Alpha', 'bravo']);
    expect(await names({ status: 'scheduled' })).toEqual(['charlie']);
    expect(await names({ status: 'disabled', clientId: acme })).toEqual(['Alpha']);
    expect(await names({ clientId: acme, sort: 'name' })).toEqual(['Alpha', 'delta']);
    expect(await names({ clientId: `${globex},cli_x` })).toEqual(['Alpha']);
    expect(await names({ integrationId: zabbix, sort: 'name' })).toEqual(['Alpha', 'charlie']);
    expect(await names({ integrationId: acme })).toEqual([]);
    expect(await names({ since: '2001-01-01T00:00:00Z', until: '2002-01-01T00:00:00Z' })).toEqual(['delta']);
    expect(await names({ since: '2002-01-01T00:00:00Z', sort: 'startsAt' })).toEqual(['echo 100%', 'charlie']);

    for (const query of [{ sort: '-name' }, { sort: 'startsAt', status: 'active,disabled,expired' }] as Record<
      string,
      string
    >[]) {
      const whole = await names(query);
      const paged: string[] = [];
      let cursor: string | null | undefined;
      for (let first = true; cursor !== null; first = false) {
        const { data, meta } = await list({ ...query, limit: '2', ...(cursor ? { cursor } : {}) });
        expect(meta.total).toBe(first ? whole.length : undefined);
        paged.push(...data.map(({ name }) => name));
        const elsewhere = { ...query, q: 'a', cursor: meta.nextCursor as string };
        if (first)
          expect(await api.callAs(other, listSuppression, { query: elsewhere })).toMatchObject({
            code: 'INVALID_CURSOR',
          });
        cursor = meta.nextCursor;
      }
      expect(paged).toEqual(whole);
    }
  });

  it.each<Record<string, string>>([
    { sort: 'status' },
    { limit: '0' },
    { nmae: 'x' },
    { status: 'asleep' },
    { since: 'yesterday' },
  ])('refuse %j', async (query) => {
    expect(await api.callAs(me, listSuppression, { query })).toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

interface Fixture {
  id: string;
  lastOccurredAt: string;
  facts: AlertFacts;
}

/** Alerts with these facts, each a minute older than the one before. */
async function insertAlertsWith(principal: Principal, facts: Partial<AlertFacts>[]): Promise<Fixture[]> {
  const fixtures = facts.map((some, i): Fixture => {
    const id = newUuid();
    const lastOccurredAt = new Date(Date.UTC(2026, 10, 20) - i * 60_000).toISOString();
    const others: AlertFacts = {
      title: 'High CPU',
      description: null,
      severity: 'high',
      status: 'firing',
      source: null,
      fingerprint: id,
      labels: {},
      annotations: {},
      clientId: null,
      integrationId: publicId('integration', newUuid()),
      incidentId: null,
      assigneeId: null,
      occurrenceCount: 1,
    };
    return { id: publicId('alert', id), lastOccurredAt, facts: { ...others, ...some } };
  });
  const seeds = fixtures.map(({ id, lastOccurredAt, facts: { incidentId: _, ...of } }) => ({
    ...of,
    id: uuid(id, 'alert'),
    createdAt: lastOccurredAt,
    integrationId: uuid(of.integrationId, 'integration'),
    clientId: of.clientId && uuid(of.clientId, 'client'),
    assigneeId: of.assigneeId && uuid(of.assigneeId, 'member'),
  }));
  await insertAlerts(api.admin, principal, seeds);
  return fixtures;
}

describe('preview', () => {
  it('shows the firing alerts that match, newest occurrence first', async () => {
    const other = await api.newPrincipal();
    const eu = { labels: { region: 'eu', host: 'web-01' } };
    const alerts = await insertAlertsWith(other, [
      { ...eu, severity: 'low' },
      { ...eu, severity: 'critical' },
      { labels: { region: 'us' } },
      { ...eu, status: 'acknowledged' },
      { ...eu, status: 'suppressed' },
      { ...eu, status: 'resolved' },
      { ...eu, severity: 'high' },
    ]);
    await insertAlertsWith(await api.newPrincipal({ organizationId: other.organizationId, environment: 'test' }), [eu]);
    const { total, alerts: shown } = await preview({ matchers: [onEu] }, other);
    expect(total).toBe(3);
    expect(shown.map(({ id }) => id)).toEqual([0, 1, 6].map((i) => alerts[i]?.id));
    expect(shown[0]).toMatchObject({
      title: 'High CPU',
      severity: 'low',
      status: 'firing',
      labels: eu.labels,
      lastOccurredAt: alerts[0]?.lastOccurredAt,
      version: 1,
    });
    expect(await preview({ matchers: [onEu], exceptSeverities: ['critical', 'high'] }, other)).toMatchObject({
      total: 1,
      alerts: [{ id: alerts[0]?.id }],
    });
    expect(await preview({ matchAll: true }, other)).toMatchObject({ total: 4 });
    expect(await preview({ matchers: [{ field: 'labels.region', op: 'eq', value: 'mars' }] }, other)).toEqual({
      total: 0,
      alerts: [],
    });
  });

  it('agrees with the domain for any scope', async () => {
    const other = await api.newPrincipal();
    const clients = [await client(other), await client(other)];
    const integrations = [await integration(other), await integration(other)];
    const labels = ['region', 'a:b', 'constructor', 'a.b'];
    const words = ['eu', '10', 'EU', 'it\'s "quoted" \\ %_'];
    const bag = fc.dictionary(fc.constantFrom(...labels), fc.constantFrom(...words), { noNullPrototype: true });
    const alert = fc.record({
      title: fc.constantFrom(...words),
      description: fc.option(fc.constantFrom(...words)),
      severity: fc.constantFrom(...severities),
      source: fc.option(fc.constantFrom(...words)),
      labels: bag,
      annotations: bag,
      clientId: fc.option(fc.constantFrom(...clients)),
      integrationId: fc.constantFrom(...integrations),
      assigneeId: fc.constantFrom(null, publicId('member', newUuid())),
      occurrenceCount: fc.constantFrom(1, 10),
    });
    const fixtures = await insertAlertsWith(other, fc.sample(alert, { numRuns: 300, seed: 7 }));

    const texts = [
      'title',
      'description',
      'source',
      ...labels.map((key) => `labels.${key}`),
      ...labels.map((key) => `annotations.${key}`),
    ];
    const matcher: fc.Arbitrary<Predicate> = fc.oneof(
      fc.record({
        field: fc.constantFrom(...labels.map((key) => `labels.${key}`)),
        op: fc.constant('eq' as const),
        value: fc.constantFrom(...words, 10),
      }),
      fc.record({
        field: fc.constantFrom(...texts),
        op: fc.constantFrom('eq' as const, 'neq' as const, 'contains' as const),
        value: fc.constantFrom(...words),
      }),
      fc.record({
        field: fc.constantFrom('description', 'assigneeId', ...texts),
        op: fc.constant('exists' as const),
        value: fc.boolean(),
      }),
      fc.record({
        field: fc.constantFrom('clientId', 'integrationId'),
        op: fc.constantFrom('eq' as const, 'neq' as const),
        value: fc.constantFrom(...clients, ...integrations),
      }),
      fc.record({
        field: fc.constant('occurrenceCount'),
        op: fc.constant('gt' as const),
        value: fc.constantFrom(1, 9),
      }),
      fc.record({
        field: fc.constant('status'),
        op: fc.constant('eq' as const),
        value: fc.constantFrom('firing', 'Firing', 'resolved'),
      }),
    );
    const scope = fc.record({
      matchers: fc.array(matcher, { maxLength: 2 }),
      clientIds: fc.subarray(clients),
      integrationIds: fc.subarray(integrations),
      exceptSeverities: fc.subarray([...severities], { maxLength: 4 }),
      matchAll: fc.constant(true),
    });
    await fc.assert(
      fc.asyncProperty(scope, async (sent) => {
        const window = {
          ...sent,
          ...always,
          id: '',
          enabled: true,
          timezone: 'UTC',
          rrule: null,
          durationSeconds: null,
          onEnd: 'resume' as const,
        };
        const expected = fixtures.filter(({ facts }) =>
          windowMatches(window, {
            alert: facts,
            client: null,
            integration: null,
            incident: null,
            now: always.startsAt,
          }),
        );
        const { total, alerts } = await preview(sent, other);
        expect({ total, ids: alerts.map(({ id }) => id) }).toEqual({
          total: expected.length,
          ids: expected.slice(0, 50).map(({ id }) => id),
        });
      }),
      { numRuns: 150 },
    );
  });

  it('counts thousands, also of one instant, and shows the first fifty', async () => {
    const other = await api.newPrincipal();
    const facts = Array.from({ length: 3210 }, (_, i) => ({
      severity: severities[i % severities.length] ?? 'low',
      labels: { parity: i % 2 ? 'odd' : 'even' },
    }));
    const fixtures = await insertAlertsWith(other, facts);
    const odd: Predicate = { field: 'labels.parity', op: 'eq', value: 'odd' };
    const ids = ({ alerts }: SuppressionPreview): string[] => alerts.map(({ id }) => id);
    const all = await preview({ matchAll: true }, other);
    expect(all.total).toBe(3210);
    expect(ids(all)).toEqual(fixtures.slice(0, 50).map(({ id }) => id));
    for (const matchers of [[odd], [{ ...odd, op: 'contains' as const }]]) {
      const some = await preview({ matchers }, other);
      expect(some.total).toBe(1605);
      expect(ids(some)).toEqual(
        fixtures
          .filter((_, i) => i % 2 === 1)
          .slice(0, 50)
          .map(({ id }) => id),
      );
    }

    await api.admin.query(
      `UPDATE alerts.alerts SET last_occurred_at = '2026-11-20T00:00:00Z' WHERE organization_id = $1`,
      [other.organizationId],
    );
    const tied = await preview({ matchAll: true }, other);
    expect(tied.total).toBe(3210);
    expect(ids(tied)).toEqual(
      fixtures
        .map(({ id }) => id)
        .sort()
        .reverse()
        .slice(0, 50),
    );
  });

  it('answers alerts that are as long as they may be', async () => {
    const other = await api.newPrincipal();
    const annotations = Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`k${i}`, 'é'.repeat(1024)]));
    const [newest] = await insertAlertsWith(
      other,
      Array.from({ length: 60 }, () => ({ description: 'é'.repeat(32_768), annotations })),
    );
    const { total, alerts } = await preview({ matchAll: true }, other);
    expect(total).toBe(60);
    expect(alerts.length).toBeGreaterThan(0);
    expect(alerts[0]).toMatchObject({ id: newest?.id, annotations } satisfies Partial<Alert>);
  });

  it('answers every fault at once, needs a scope, and stores nothing', async () => {
    expect(faultsOf(await api.callAs(me, previewSuppression, { body: {} }))).toEqual(['matchAll matchAll']);
    const body = {
      matchers: [{ field: 'client.slug', op: 'eq', value: 'acme' }],
      exceptSeverities: ['worst'],
      startsAt: '2026-01-01T00:00:00Z',
    };
    const answer = await api.callAs(me, previewSuppression, { body });
    expect(new Set(faultsOf(answer).map((fault) => fault.split(' ')[0]))).toEqual(
      new Set(['matchers[0].field', 'exceptSeverities[0]', 'startsAt']),
    );
    const other = await api.newPrincipal();
    await preview({ clientIds: [await client(other)] }, other);
    expect(pageOf(await api.callAs(other, listSuppression)).meta.total).toBe(0);
  });

  it('answers a repeated request as before', async () => {
    const other = await api.newPrincipal();
    await insertAlertsWith(other, [{}]);
    const body = { matchAll: true };
    const request = { body, idempotency: idempotencyOf('p1', body) };
    const first = await api.callAs(other, previewSuppression, request);
    expect(dataOf(first)).toMatchObject({ total: 1 });
    await insertAlertsWith(other, [{}]);
    expect(await api.callAs(other, previewSuppression, request)).toEqual(first);
    expect(await preview(body, other)).toMatchObject({ total: 2 });
  });
});

describe('the audit log', () => {
  it('has an entry for every change, with the changed fields', async () => {
    const created = await create({ name: 'Audited' });
    await put(created.id, { name: 'Audited too', enabled: false });
    await remove(created.id);
    const types = ['suppression_window.created', 'suppression_window.updated', 'suppression_window.deleted'];
    await eventually(() => expect(auditOf(created.id).map(({ type }) => type)).toEqual(types));
    const [first, second, third] = auditOf(created.id);
    expect(first).toMatchObject({
      organizationId: me.organizationId,
      environment: 'live',
      actor: { type: 'api_key', name: 'bot' },
      ip: '192.0.2.1',
      resource: { type: 'suppression_window' },
    });
    expect(first?.changes).toContainEqual({ field: 'matchers', before: null, after: [onEu] });
    expect(new Set(second?.changes)).toEqual(
      new Set([
        { field: 'name', before: 'Audited', after: 'Audited too' },
        { field: 'enabled', before: true, after: false },
      ]),
    );
    expect(third?.changes).toContainEqual({ field: 'name', before: 'Audited too', after: null });
  });
});

describe('tenants', () => {
  it('see no windows of each other, also with row-level security alone', async () => {
    const owner = await api.newPrincipal();
    const created = await create({ name: 'Mine alone' }, owner);
    const strangers = [
      await api.newPrincipal(),
      await api.newPrincipal({ organizationId: owner.organizationId, environment: 'test' }),
    ];
    for (const stranger of strangers) {
      for (const operation of operationsOf('resource-api').filter(({ path }) =>
        path.startsWith('/suppression/{id}'),
      ) as Operation[]) {
        for (const id of [
          created.id,
          publicId('suppressionWindow', newUuid()),
          'sup_x',
          '',
          '\0',
          created.id.replace('sup', 'int'),
          uuid(created.id),
        ]) {
          const answer = await api.callAs(stranger, operation, {
            params: { id },
            body: operation.example.body ?? null,
          });
          expect(answer).toMatchObject({
            ok: false,
            code: 'NOT_FOUND',
            details: { resource: 'suppression_window', id },
          });
        }
      }
      for (const query of [{}, { status: 'active' }, { q: 'Mine' }] as Record<string, string>[]) {
        expect(pageOf(await api.callAs(stranger, listSuppression, { query }))).toMatchObject({
          data: [],
          meta: { total: 0 },
        });
      }
    }
    expect(await get(created.id, owner)).toEqual(created);

    const connection = await api.admin.connect();
    try {
      for (const stranger of [...strangers, owner]) {
        const tenant = `SET LOCAL app.organization_id = '${stranger.organizationId}';
          SET LOCAL app.environment = '${stranger.environment}'`;
        await connection.query(`BEGIN; SET LOCAL ROLE ams_resource_api_principal; ${tenant}`);
        const { rowCount } = await connection.query(
          'UPDATE resources.suppression_windows SET name = name WHERE id = $1',
          [uuid(created.id)],
        );
        expect(rowCount).toBe(stranger === owner ? 1 : 0);
        await connection.query('ROLLBACK');
      }
    } finally {
      connection.release();
    }
  });
});
