import {
  allOperations,
  getClient,
  listClients,
  listIntegrations,
  listSchedules,
  listSuppression,
  operationAt,
  runBatch,
  type Answer,
  type AuditRecord,
  type Batch,
  type BatchResult,
  type Client,
  type IdempotencyRequest,
  type Integration,
  type Principal,
} from '@ams/contracts';
import { dataOf, eventually, idempotencyOf, pageOf } from '@ams/testing';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let me: Principal;

beforeAll(async () => {
  api = await startResourceApi({ replicas: 2 });
  api.nats.subscribe('evt.audit', { callback: (_error, message) => void audit.push(message.json<AuditRecord>()) });
});
beforeEach(async () => {
  me = await api.newPrincipal();
});
afterAll(() => api.stop());

const run = (
  operations: Batch['operations'],
  more: { principal?: Principal; idempotency?: IdempotencyRequest } = {},
): Promise<Answer> => {
  const { principal = me, idempotency = null } = more;
  return api.callAs(principal, runBatch, { body: { operations }, idempotency });
};

const post = (id: string, path: string, body: unknown = {}): Batch['operations'][number] => ({
  id,
  method: 'POST',
  path,
  body,
});
const newClient = (id: string, name = id): Batch['operations'][number] => post(id, '/clients', { name });

const clientNames = async (): Promise<string[]> =>
  pageOf<Client>(await api.callAs(me, listClients)).data.map(({ name }) => name);

const audit: AuditRecord[] = [];
const auditEntries = (): AuditRecord[] => audit.filter(({ organizationId }) => organizationId === me.organizationId);

describe('a batch', () => {
  it('makes records that refer to each other, and answers each as if it were alone', async () => {
    const answer = await run([
      newClient('acme'),
      post('prometheus', '/integrations', { name: 'Prometheus', clientId: '$acme' }),
      post('window', '/suppression', {
        name: 'Move',
        clientIds: ['$acme'],
        integrationIds: ['$prometheus'],
        startsAt: '2040-01-01T00:00:00Z',
        endsAt: '2040-01-02T00:00:00Z',
      }),
      { id: 'rename', method: 'PUT', path: '/clients/$acme', body: { name: 'Acme' } },
      post('night', '/schedules', { name: 'Night' }),
      { id: 'away', method: 'DELETE', path: '/schedules/$night' },
    ]);
    const { results } = dataOf<BatchResult>(answer);
    expect(results.map(({ id, status }) => [id, status])).toEqual([
      ['acme', 201],
      ['prometheus', 201],
      ['window', 201],
      ['rename', 200],
      ['night', 201],
      ['away', 204],
    ]);
    const [acme, prometheus, window, rename, , away] = results.map(
      ({ body }) => (body as { data: Client } | null)?.data,
    );
    expect(prometheus).toMatchObject({ clientId: acme?.id, ingestUrl: expect.stringMatching(/\/webhook\/.{20}/) });
    expect(window).toMatchObject({ clientIds: [acme?.id], integrationIds: [prometheus?.id] });
    expect(rename).toMatchObject({ id: acme?.id, name: 'Acme', version: 2 });
    expect(away).toBeUndefined();
    expect(await clientNames()).toEqual(['Acme']);
    expect(pageOf<Integration>(await api.callAs(me, listIntegrations)).data).toMatchObject([{ id: prometheus?.id }]);
    expect(pageOf(await api.callAs(me, listSchedules)).data).toEqual([]);
    expect(pageOf(await api.callAs(me, listSuppression)).data).toHaveLength(1);
    // The ingest gateways see the integration as soon as the batch is answered, within the usual second.
    await eventually(async () => expect((await api.bucketEntries()).size).toBe(1));
  });

  it('makes a schedule, a policy that pages it, a team with this policy, and what belongs to the team', async () => {
    const levels = [{ targets: [{ type: 'schedule', id: '$night' }] }];
    const { results } = dataOf<BatchResult>(
      await run([
        post('night', '/schedules', { name: 'Night' }),
        post('pages', '/escalation-policies', { name: 'Pages', levels }),
        post('team', '/teams', { name: 'Payments', slug: 'payments', policyId: '$pages' }),
        post('sender', '/integrations', { name: 'Prometheus', teamId: '$team' }),
        { id: 'owned', method: 'PUT', path: '/escalation-policies/$pages', body: { teamId: '$team' } },
      ]),
    );
    const [night, pages, team, sender, owned] = results.map(({ body }) => (body as { data: { id: string } }).data);
    expect(pages).toMatchObject({ levels: [{ targets: [{ type: 'schedule', id: night?.id }] }] });
    expect(team).toMatchObject({ slug: 'payments', policyId: pages?.id });
    expect(sender).toMatchObject({ teamId: team?.id });
    expect(owned).toMatchObject({ id: pages?.id, teamId: team?.id, version: 2 });
  });

  it('writes the audit entry of each operation', async () => {
    dataOf(await run([newClient('a'), { id: 'b', method: 'PUT', path: '/clients/$a', body: { name: 'B' } }]));
    await eventually(async () =>
      expect(auditEntries().map(({ type }) => type)).toEqual(['client.created', 'client.updated']),
    );
    expect(new Set(auditEntries().map(({ requestId }) => requestId)).size).toBe(1);
  });

  it('changes nothing when one operation is refused, and names the operation and its error', async () => {
    const answer = await run([
      newClient('first'),
      post('integration', '/integrations', { name: 'x', clientId: '$first' }),
      { id: 'taken', method: 'POST', path: '/clients', body: { name: 'second', slug: 'first' } },
      newClient('last'),
    ]);
    expect(answer).toMatchObject({
      ok: false,
      code: 'BATCH_FAILED',
      message: expect.stringMatching(/^Nothing was changed: the operation taken was refused\./),
      details: { operation: 'taken', code: expect.stringMatching(/CONFLICT|VALIDATION_ERROR/), failures: [{}] },
    });
    expect(await clientNames()).toEqual([]);
    expect(pageOf(await api.callAs(me, listIntegrations)).data).toEqual([]);
    const unknown = await run([newClient('a'), { id: 'b', method: 'DELETE', path: '/clients/cli_0' }]);
    expect(unknown).toMatchObject({ ok: false, details: { operation: 'b', code: 'NOT_FOUND' } });
    expect(await clientNames()).toEqual([]);
    dataOf(await run([newClient('after')]));
    await eventually(async () => expect(auditEntries()).toHaveLength(1));
  });

  it('tells all invalid bodies at once, before anything runs', async () => {
    const answer = await run([
      newClient('good'),
      post('one', '/clients', { nmae: 'x' }),
      post('two', '/schedules', {}),
    ]);
    expect(answer).toMatchObject({
      ok: false,
      code: 'BATCH_FAILED',
      details: {
        operation: 'one',
        code: 'VALIDATION_ERROR',
        details: { fields: expect.arrayContaining([expect.objectContaining({ path: 'nmae' })]) },
        failures: [{ operation: 'one' }, { operation: 'two', code: 'VALIDATION_ERROR' }],
      },
    });
    expect(await clientNames()).toEqual([]);
  });

  it.each<[string, Batch['operations'], string]>([
    ['an id of a wrong form', [newClient('a b')], 'operations[0].id'],
    ['the id of another operation', [newClient('a'), newClient('a')], 'operations[1].id'],
    ['a GET', [{ id: 'a', method: 'GET' as never, path: '/clients' }], 'operations[0].method'],
    ['a path that is not in the API', [post('a', '/nothing')], 'operations[0].path'],
    ['a path with /api/v1', [post('a', '/api/v1/clients')], 'operations[0].path'],
    ['a whole URL', [post('a', 'https://alerts.example.com/api/v1/clients')], 'operations[0].path'],
    ['a query', [post('a', '/clients?x=1')], 'operations[0].path'],
    [
      'a method that the path does not accept',
      [{ id: 'a', method: 'DELETE', path: '/clients' }],
      'operations[0].method',
    ],
    ['an operation of another service', [post('a', '/api-keys', { name: 'x', scopes: [] })], 'operations[0].path'],
    ['a change of alerts', [post('a', '/alerts/bulk', {})], 'operations[0].path'],
    ['a batch', [post('a', '/batch', { operations: [] })], 'operations[0].path'],
    ['a reference to a later operation', [newClient('a', '$b'), newClient('b')], 'operations[0].body'],
    ['a reference to itself', [newClient('a', '$a')], 'operations[0].body'],
    [
      'a reference to what a deletion made',
      [{ id: 'a', method: 'DELETE', path: '/clients/cli_0' }, newClient('b', '$a')],
      'operations[1].body',
    ],
    ['no operations', [], 'operations'],
    ['over 100 operations', Array.from({ length: 101 }, (_, n) => newClient(`c${n}`)), 'operations'],
    ['an unknown field', [{ ...newClient('a'), query: {} } as never], 'operations[0].query'],
  ])('refuses %s', async (_what, operations, path) => {
    const answer = await run(operations);
    expect(answer).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
    const { fields } = (answer as { details: unknown }).details as { fields: { path: string }[] };
    expect(fields.map((field) => field.path)).toContain(path);
    expect(await clientNames()).toEqual([]);
  });

  it('leaves a text that names no operation as it is', async () => {
    dataOf(await run([newClient('a', '$500 a month'), newClient('b', '$5')]));
    expect(await clientNames()).toEqual(['$5', '$500 a month']);
  });

  it('needs the scope of each operation, and does nothing without one of them', async () => {
    const narrow = { ...me, scopes: ['clients:write'] };
    expect(await run([newClient('a'), post('b', '/schedules', { name: 'x' })], { principal: narrow })).toMatchObject({
      ok: false,
      code: 'INSUFFICIENT_SCOPE',
      details: { required: 'schedules:write' },
    });
    expect(await clientNames()).toEqual([]);
    expect(await run([newClient('a')], { principal: narrow })).toMatchObject({ ok: true });
  });

  it('with an Idempotency-Key is done once, and refuses the key for another batch', async () => {
    const operations = [newClient('a'), post('i', '/integrations', { name: 'x' })];
    const idempotency = idempotencyOf('once', { operations });
    const first = await run(operations, { idempotency });
    expect(await run(operations, { idempotency })).toEqual(first);
    expect(await clientNames()).toEqual(['a']);
    const other = [newClient('b')];
    expect(await run(other, { idempotency: idempotencyOf('once', { operations: other }) })).toMatchObject({
      ok: false,
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  it('of 100 operations is done as a whole, while other batches of the tenant run', async () => {
    const operations = (prefix: string, count: number): Batch['operations'] =>
      Array.from({ length: count }, (_, n) => newClient(`${prefix}${n}`));
    const sizes = { a: 100, b: 5, c: 5 };
    // A batch that waits too long for the names of another one is answered 503, and has changed nothing.
    const done = (prefix: string, size: number): Promise<number> =>
      eventually(async () => dataOf<BatchResult>(await run(operations(prefix, size))).results.length);
    expect(await Promise.all(Object.entries(sizes).map(([prefix, size]) => done(prefix, size)))).toEqual([100, 5, 5]);
    expect(pageOf(await api.callAs(me, listClients, { query: { limit: '1' } })).meta.total).toBe(110);
  });

  it('sees what it has changed itself, and other requests do not see it before its end', async () => {
    const { results } = dataOf<BatchResult>(
      await run([
        newClient('a'),
        post('b', '/clients', { name: 'a' }),
        { id: 'c', method: 'DELETE', path: '/clients/$a' },
      ]),
    );
    expect(results.map(({ status }) => status)).toEqual([201, 201, 204]);
    const slug = (results[1]?.body as { data: Client }).data.slug;
    expect(slug).not.toBe((results[0]?.body as { data: Client }).data.slug);
    const id = (results[0]?.body as { data: Client }).data.id;
    expect(await api.callAs(me, getClient, { params: { id } })).toMatchObject({ ok: false, code: 'NOT_FOUND' });
  });

  it('is not done with a key that was revoked', async () => {
    await api.admin.query('UPDATE auth.api_keys SET revoked_at = now() WHERE id = $1', [me.id]);
    expect(await run([newClient('a')])).toMatchObject({ ok: false, code: 'UNAUTHORIZED' });
  });
});

it('every operation of the API is found by its own method and path', () => {
  for (const operation of allOperations) {
    const params = operation.example.params ?? {};
    const path = operation.path.replace(/\{(\w+)\}/g, (_text, name: string) => params[name] ?? 'x');
    expect(operationAt(allOperations, operation.method, path)).toEqual({ kind: 'operation', operation, params });
  }
  expect(operationAt(allOperations, 'PATCH', '/clients')).toMatchObject({ kind: 'otherMethods' });
  expect(operationAt(allOperations, 'GET', '/clients/%zz')).toEqual({ kind: 'nothing' });
});
