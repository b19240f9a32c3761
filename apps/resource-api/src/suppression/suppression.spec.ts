import {
  createClient,
  createIntegration,
  createSuppression,
  deleteSuppression,
  getSuppression,
  listSuppression,
  newUuid,
  operationsOf,
  publicId,
  updateSuppression,
  uuidOf,
  type AuditRecord,
  type Client,
  type FieldFault,
  type Integration,
  type Noun,
  type Operation,
  type PostSuppressionWindow,
  type Principal,
  type PutSuppressionWindow,
  type SuppressionWindow,
} from '@ams/contracts';
import { severities, type Predicate, type Severity } from '@ams/domain';
import { dataOf, eventually, idempotencyOf, pageOf } from '@ams/testing';
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
/** Too long to be twice in an entry of the audit log. */
const tooLong = [0, 1, 2].map((): Predicate => ({
  field: 'title',
  op: 'in',
  value: Array.from({ length: 100 }, (_, i) => `${i}${'x'.repeat(1000)}`),
}));
/** Active at any time. */
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
      teamId: null,
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
  ])('is checked as the whole record after the change: %j for %j', async (expected, body) => {
    const created = await create();
    expect(faultsOf(await put(created.id, body))).toEqual(expected);
    expect(await get(created.id)).toEqual(created);
  });

  it('refuses matchers that are too long, and accepts those at the limit', async () => {
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

  it('is checked together with the changes of another request at the same time', async () => {
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
