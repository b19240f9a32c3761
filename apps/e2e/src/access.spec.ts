/** Calls every operation of the API: first with keys that have no permission for it, then with one that has. */
import { allOperations, newUuid, publicId, uuidOf, type Operation } from '@ams/contracts';
import { scopes } from '@ams/scopes';
import type { HttpClient, HttpResponse } from '@ams/testing';
import { type Organization, type Refusal, type Sender, type SystemClient } from './system.js';
import { bulkJob } from './system/bulk-job.js';
import { sharedSystem } from './system/shared-system.js';
import { faultsOf, type OpenApi } from './system/open-api.js';

let system: SystemClient;
let acme: Organization;
let other: Organization;
let document: OpenApi;
/** The keys belong to acme, except the last. */
const keys = { live: '', test: '', revoked: '', foreign: '' };
const senders = new Map<string, Sender>();
/** Public ids of two members, who are on call together in the schedules here. */
let onCall: string[];

beforeAll(async () => {
  system = await sharedSystem();
  [acme, other] = [await system.organization(), await system.organization()];
  const revoked = await acme.newKey({ scopes });
  await acme.api.delete(`/api/v1/api-keys/${revoked.id}`);
  Object.assign(keys, {
    live: acme.key,
    revoked: revoked.key,
    foreign: other.key,
    test: (await acme.newKey({ scopes, environment: 'test' })).key,
  });
  for (const key of [keys.live, keys.test, keys.foreign])
    senders.set(key, await acme.integration({ name: 'of the walk' }, key));
  document = (await acme.api.get<OpenApi>('/api/v1/openapi.json')).body;
  onCall = [await responder(), await responder()];
});
afterAll(() => system?.close());

async function responder(): Promise<string> {
  const id = newUuid();
  await system.sql(
    `INSERT INTO auth.members (id, organization_id, name, email, role, status)
     VALUES ($1, $2, 'Kim', $3, 'responder', 'active')`,
    [id, uuidOf('organization', acme.id), `${id}@example.com`],
  );
  return publicId('member', id);
}

/** Creates a record of the kind with this prefix, in the organization and environment of the key. Returns its id. */
const creators: Record<string, (key: string) => Promise<string>> = {
  async alr(key) {
    const fingerprint = crypto.randomUUID();
    await (senders.get(key) as Sender).fire({ title: 'An alert', severity: 'low', fingerprint });
    return (await acme.alerts({ fingerprint }, key))[0]?.id as string;
  },
  int: async (key) => (await acme.integration({}, key)).id,
  key: (key) => created(key, '/api-keys', { name: 'of the walk', scopes: ['alerts:read'] }),
  cli: (key) => created(key, '/clients', { name: 'of the walk' }),
  inc: (key) => created(key, '/incidents', { title: 'of the walk', severity: 'low' }),
  // Two members are on call together, so they can swap.
  sch: (key) =>
    created(key, '/schedules', {
      name: 'of the walk',
      layers: [
        {
          name: 'Together',
          ...(key === keys.foreign ? { everybody: true } : { members: onCall }),
          perTurn: 2,
          rotation: { unit: 'day', interval: 1, handoffTime: '09:00' },
          startsAt: '2026-01-01T00:00:00Z',
        },
      ],
    }),
  sup: (key) =>
    created(key, '/suppression', {
      name: 'of the walk',
      matchAll: true,
      startsAt: '2040-01-01T00:00:00Z',
      endsAt: '2040-01-02T00:00:00Z',
    }),
  wfl: (key) =>
    created(key, '/workflows', {
      name: 'of the walk',
      trigger: { events: ['alert.created'] },
      steps: [{ id: 'resolve', type: 'resolve' }],
    }),
  // A domain needs no mail, of which there are a few a day.
  mrc: (key) =>
    created(key === keys.test ? keys.live : key, '/mail-recipients', {
      kind: 'domain',
      value: `${crypto.randomUUID()}.example`,
    }),
  viw: (key) => created(key, '/views', { name: 'of the walk', page: 'alerts', query: {} }),
  tem: (key) => created(key, '/teams', { name: 'of the walk', slug: `t${crypto.randomUUID()}` }),
  pol: async (key) =>
    created(key, '/escalation-policies', {
      name: 'of the walk',
      levels: [{ targets: [{ type: 'user', id: await (creators['usr'] as (key: string) => Promise<string>)(key) }] }],
    }),
  // The number of test messages is limited, and no operation changes one that was captured or sent.
  async ntf(key) {
    const { body } = await system.as(key).get<{ data: { id: string }[] }>('/api/v1/notifications?limit=1');
    return (
      body.data[0]?.id ??
      created(key, '/notifications/test', { target: { type: 'email', address: 'mira@example.com' } })
    );
  },
  // Members belong to both environments of an organization, and only its live keys invite them.
  usr: (key) =>
    created(key === keys.test ? keys.live : key, '/users', {
      name: 'of the walk',
      email: `${crypto.randomUUID()}@example.com`,
      role: 'viewer',
    }),
  // One for each key: a job needs over a thousand alerts.
  job: (key) => jobs.get(key) ?? jobs.set(key, newJob(key)).get(key)!,
};

const jobs = new Map<string, Promise<string>>();

function newJob(key: string): Promise<string> {
  const { id } = key === keys.foreign ? other : acme;
  const environment = key === keys.test ? 'test' : 'live';
  return bulkJob(system, {
    tenant: { organizationId: uuidOf('organization', id) ?? '', environment },
    api: system.as(key),
  });
}

async function created(key: string, path: string, body: unknown): Promise<string> {
  const answer = await system.as(key).post<{ data: { id: string } }>(`/api/v1${path}`, body);
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.data.id;
}

const newAddress = (key: string): Promise<string> =>
  created(key === keys.test ? keys.live : key, '/mail-recipients', {
    kind: 'address',
    value: `${crypto.randomUUID()}@example.com`,
  });

async function pagingIncident(key: string): Promise<string> {
  const policyId = await creators['pol']?.(key);
  return created(key, '/incidents', { title: 'of the walk', severity: 'low', policyId });
}

const prefixOf: Record<string, string> = {
  alerts: 'alr',
  integrations: 'int',
  'api-keys': 'key',
  clients: 'cli',
  incidents: 'inc',
  schedules: 'sch',
  suppression: 'sup',
  teams: 'tem',
  views: 'viw',
  'mail-recipients': 'mrc',
  'escalation-policies': 'pol',
  workflows: 'wfl',
  notifications: 'ntf',
  deliveries: 'ntf',
  users: 'usr',
};

type Params = Record<string, string>;

/** The prefix of the id in the path of an operation. */
const prefixIn = ({ path }: Operation): string =>
  path.startsWith('/alerts/bulk/') ? 'job' : (prefixOf[path.split('/')[1] as string] ?? '');

/** Creates the record that the path of an operation names. */
async function paramsOf(op: Operation, key: string): Promise<Params> {
  // An incident that pages nobody cannot be escalated.
  if (op.operationId === 'escalateIncident') return { id: await pagingIncident(key) };
  // The DNS knows nothing of the domains of this test.
  if (op.operationId === 'verifyMailRecipient') return { id: await newAddress(key) };
  const creator = creators[prefixIn(op)];
  if (!creator) throw new Error(`this test has no function that creates a record for ${op.path}`);
  const id = await creator(key);
  if (op.method === 'DELETE' && op.path.endsWith('/feed')) await created(key, op.path.replace('{id}', id), undefined);
  if (!op.path.includes('{overrideId}')) return { id };
  const override = {
    userId: await (creators['usr'] as (key: string) => Promise<string>)(key),
    startsAt: '2040-01-01T00:00:00Z',
    endsAt: '2040-01-02T00:00:00Z',
  };
  return { id, overrideId: await created(key, `/schedules/${id}/overrides`, override) };
}

/** Records that stay as they are: every request for them is refused. */
const untouched = new Map<string, Promise<Params>>();

function untouchedParams(op: Operation, key: string): Promise<Params> {
  const name = `${key} ${prefixIn(op)} ${op.path.includes('{overrideId}') || op.path.endsWith('/feed') ? op.path : ''}`;
  const params = untouched.get(name) ?? paramsOf(op, key);
  untouched.set(name, params);
  return params;
}

const unknownParams = (op: Operation): Params => ({
  id: `${prefixIn(op)}_01938f3a7c2e7d4ab1c2d3e4f5ffffff`,
  overrideId: 'ovr_01938f3a7c2e7d4ab1c2d3e4f5ffffff',
});
const pathOf = (op: Operation, params: Params) =>
  `/api/v1${op.path.replace(/\{(\w+)\}/g, (_all, name: string) => params[name] ?? '')}`;
/** Its records belong to both environments. */
const isOfOrganization = (op: Operation) => op.path.startsWith('/users') || op.path.startsWith('/mail-recipients');
const hasId = (op: Operation) => op.path.includes('{');

/** Overrides and swaps in the past are refused. */
const ofTheFuture = ['createScheduleOverride', 'swapShifts'];

/** The example of the document with records that exist: each id is replaced by that of a new record. */
async function bodyOf(op: Operation, key: string): Promise<unknown> {
  let text = JSON.stringify(op.example.body);
  if (ofTheFuture.includes(op.operationId)) text = text.replaceAll('2026-11', '2040-11');
  for (const [id] of (text ?? '').matchAll(/\b[a-z]{3}_[0-9a-f]{32}\b/g))
    text = text.replaceAll(id, (await creators[id.slice(0, 3)]?.(key)) ?? id);
  if (text === undefined) return undefined;
  const body = JSON.parse(text) as Record<string, unknown>;
  if (op.operationId === 'swapShifts') {
    const [a, b] = onCall.map((userId, i) => ({ ...(body[i === 0 ? 'a' : 'b'] as object), userId }));
    return { ...body, a, b };
  }
  if (op.operationId === 'inviteMember')
    return { ...body, email: `${crypto.randomUUID()}@example.com`, externalId: crypto.randomUUID() };
  // The names of a client and of a team can be used once only.
  if (op.operationId === 'createClient')
    return { ...body, slug: crypto.randomUUID(), externalId: crypto.randomUUID(), aliases: [] };
  if (op.operationId === 'createMailRecipient') return { ...body, value: `${crypto.randomUUID()}.example` };
  return op.operationId === 'createTeam' ? { ...body, slug: crypto.randomUUID() } : body;
}

/** A valid request of one test of an operation. It is refused, so several tests use it. */
const requestsOfRefusals = new Map<string, Promise<{ path: string; body: unknown }>>();

function refusedRequestOf(op: Operation): Promise<{ path: string; body: unknown }> {
  const request = requestsOfRefusals.get(op.id) ?? requestOf(op);
  requestsOfRefusals.set(op.id, request);
  return request;
}

/** A valid request for an object that was created for it. */
const requestOf = async (op: Operation, key = keys.live): Promise<{ path: string; body: unknown }> => ({
  path: pathOf(op, hasId(op) ? await paramsOf(op, key) : {}),
  body: await bodyOf(op, key),
});

const ask = <T = Refusal>(
  client: HttpClient,
  op: Operation,
  { path, body }: { path: string; body: unknown },
  headers: Record<string, string> = {},
): Promise<HttpResponse<T>> => client.request<T>(op.method, path, { body, headers });

function expectRefusal({ status, body, headers }: HttpResponse<Refusal>, expected: number, code: string): void {
  expect({ status, code: body.code }).toEqual({ status: expected, code });
  expect(Object.keys(body).sort()).toEqual(['code', 'details', 'error']);
  expect(faultsOf(document, { $ref: '#/components/schemas/Error' }, body)).toEqual([]);
  expect(headers.get('x-request-id')).toBeTruthy();
}

it('the document lists exactly the existing operations, with and without a key', async () => {
  const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${method.toUpperCase()} ${path} ${operationId}`),
  );
  const expected = allOperations.map(({ method, path, operationId }) => `${method} ${path} ${operationId}`);
  expect(document.openapi).toBe('3.0.3');
  expect(listed.sort()).toEqual([...expected, 'GET /openapi.json getOpenApiDocument', 'GET /stream openStream'].sort());
  const open = await system.as('none').get('/api/docs/openapi.json', { headers: { authorization: '' } });
  expect(open).toMatchObject({ status: 200, body: document });
  expect(open.headers.get('etag')).toBeTruthy();
  expectRefusal(await system.as('none').get('/api/v1/openapi.json'), 401, 'UNAUTHORIZED');
  const { key } = await acme.newKey({ scopes: ['users:read'] });
  expect((await system.as(key).get('/api/v1/openapi.json')).status).toBe(200);
});

it('the reference page of a bundled gateway has its own files, and those of Swagger UI', async () => {
  for (const path of ['/', '/assets/reference.js', '/assets/swagger-ui-bundle.js'])
    expect({ path, status: (await fetch(`${system.address.gateways[0]}/api/docs${path}`)).status }).toEqual({
      path,
      status: 200,
    });
});

/** The required operations, each with its scope. */
const specified = `
GET /alerts alerts:read | POST /alerts/bulk alerts:write | GET /alerts/{id} alerts:read
POST /alerts/{id}/acknowledge alerts:write | POST /alerts/{id}/resolve alerts:write
GET /incidents incidents:read | GET /incidents/{id} incidents:read
GET /clients clients:read | POST /clients clients:write
PUT /clients/{id} clients:write | DELETE /clients/{id} clients:write
GET /workflows workflows:read | GET /workflows/{id} workflows:read
GET /schedules schedules:read | GET /schedules/{id} schedules:read | PUT /schedules/{id} schedules:write
DELETE /schedules/{id} schedules:write | GET /schedules/current-oncall schedules:read
GET /integrations integrations:read | POST /integrations integrations:write
PUT /integrations/{id} integrations:write | DELETE /integrations/{id} integrations:write
GET /suppression suppression:read | POST /suppression suppression:write | GET /suppression/{id} suppression:read
PUT /suppression/{id} suppression:write | DELETE /suppression/{id} suppression:write
GET /users users:read
GET /api-keys api_keys:read | POST /api-keys api_keys:write | DELETE /api-keys/{id} api_keys:write`
  .split(/[\n|]/)
  .map((row) => row.trim())
  .filter((row) => row !== '');

it('every operation of the specification exists, with its scope', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, op]) => `${method.toUpperCase()} ${path} ${op['x-required-scope']}`),
  );
  expect(specified).toHaveLength(31);
  expect(described).toEqual(expect.arrayContaining(specified));
});

it('an unknown path is 404, an unknown method 405', async () => {
  expectRefusal(await acme.api.get('/api/v1/nothing'), 404, 'NOT_FOUND');
  expectRefusal(await acme.api.get('/nothing'), 404, 'NOT_FOUND');
  const refused = await acme.api.delete<Refusal>('/api/v1/alerts');
  expectRefusal(refused, 405, 'METHOD_NOT_ALLOWED');
  expect(refused.headers.get('allow')).toContain('GET');
  expectRefusal(await system.ingest().get('/api/inbound/webhook/x'), 405, 'METHOD_NOT_ALLOWED');
});

/** Those that a key may call. apps/auth and apps/api-gateway test the others. */
const ofKeys = allOperations.filter(({ access }) => access === undefined);

describe.each(allOperations.filter(({ access }) => access === 'member').map((op) => [op.operationId, op] as const))(
  '%s, which is for people who are signed in,',
  (_name, op) => {
    it('is refused without a session, and to every key', async () => {
      const request = { path: pathOf(op, op.example.params ?? {}), body: op.example.body };
      expectRefusal(await ask(system.as(''), op, request), 401, 'UNAUTHORIZED');
      const refused = await ask(acme.api, op, request);
      expectRefusal(refused, 403, 'INSUFFICIENT_SCOPE');
      expect(refused.body.details).toEqual({ required: 'session' });
    });
  },
);

describe.each(allOperations.filter(({ access }) => access === 'public').map((op) => [op.operationId, op] as const))(
  '%s, which is for everybody,',
  (_name, op) => {
    it('needs no key, and refuses what the document does not have', async () => {
      const body = op.body ? { unknown: 1 } : undefined;
      const refused = await ask(system.as(''), op, { path: `${pathOf(op, {})}?unknown=1`, body });
      expectRefusal(refused, 400, 'VALIDATION_ERROR');
      const fields = (refused.body.details as { fields: { path: string }[] }).fields.map(({ path }) => path);
      expect(fields).toContain('unknown');
    });
  },
);

it('no other form of a key is accepted', async () => {
  const invalid = ['svc_live_0123456789', `${keys.live}x`, keys.live.replace('svc_live', 'svc_test')];
  const refused = await Promise.all([
    ...invalid.map((key) => system.as(key).get<Refusal>('/api/v1/alerts')),
    ...[keys.live, `Basic ${keys.live}`, ''].map((authorization) =>
      system.as('').get<Refusal>('/api/v1/alerts', { headers: { authorization } }),
    ),
  ]);
  for (const one of refused) expectRefusal(one, 401, 'UNAUTHORIZED');
});

describe.each(ofKeys.map((op) => [op.operationId, op] as const))('%s', (_name, op) => {
  const others = scopes.filter((scope) => scope !== op.scope);

  it('needs a valid key', async () => {
    const request = await refusedRequestOf(op);
    for (const one of await Promise.all(['', keys.revoked, 'junk'].map((key) => ask(system.as(key), op, request))))
      expectRefusal(one, 401, 'UNAUTHORIZED');
  });

  if (op.scope !== null) {
    it('needs its scope, which is checked before the object and the request', async () => {
      const { key } = await acme.newKey({ scopes: others });
      const requests = [
        await refusedRequestOf(op),
        {
          path: `${pathOf(op, { id: 'no-id-at-all', overrideId: 'none' })}?unknown=1`,
          body: op.body ? { unknown: 1 } : undefined,
        },
      ];
      for (const refused of await Promise.all(requests.map((request) => ask(system.as(key), op, request)))) {
        expectRefusal(refused, 403, 'INSUFFICIENT_SCOPE');
        expect(refused.body.details).toEqual({ required: op.scope });
      }
    });
  }

  if (op.needs) {
    it.each(op.needs)('needs %s besides, because the answer shows what it reads', async (scope) => {
      const { key } = await acme.newKey({ scopes: scopes.filter((name) => name !== scope) });
      const refused = await ask(system.as(key), op, await refusedRequestOf(op));
      expectRefusal(refused, 403, 'INSUFFICIENT_SCOPE');
      expect(refused.body.details).toEqual({ required: scope });
    });
  }

  it('refuses unknown parameters and fields, and invalid limits and cursors', async () => {
    const { path, body } = await refusedRequestOf(op);
    const requests = [{ path: `${path}?unknown=1`, body, code: 'VALIDATION_ERROR' }];
    if (op.body) requests.push({ path, body: { ...(body as object), unknown: 1 }, code: 'VALIDATION_ERROR' });
    if (op.reply === 'list') {
      for (const cursor of ['nonsense', 'e30', 'AAAA'])
        requests.push({ path: `${path}?cursor=${cursor}`, body, code: 'INVALID_CURSOR' });
      for (const query of ['cursor=%00', 'limit=0', 'limit=-1', 'limit=ten', 'limit=1.5'])
        requests.push({ path: `${path}?${query}`, body, code: 'VALIDATION_ERROR' });
    }
    const answers = await Promise.all(requests.map((request) => ask(acme.api, op, request)));
    for (const [index, { code }] of requests.entries()) expectRefusal(answers[index]!, 400, code);
  });

  it('has the headers of a deprecated operation exactly if it is deprecated, also without permission', async () => {
    const request = await refusedRequestOf(op);
    const unknown = { ...request, path: `${request.path}?unknown=1` };
    for (const { headers } of await Promise.all([acme.api, system.as('junk')].map((one) => ask(one, op, unknown)))) {
      const present = ['deprecation', 'sunset', 'link'].map((name) => headers.has(name));
      expect(present).toEqual(Array(3).fill(op.deprecated !== undefined));
    }
    expect(document.paths[op.path]?.[op.method.toLowerCase()]?.deprecated ?? false).toBe(op.deprecated !== undefined);
  });

  it('answers as the document says', async () => {
    const { status, body, headers } = await ask<unknown>(acme.api, op, await requestOf(op));
    expect(status).toBe({ one: 200, list: 200, created: 201, none: 204, export: 200 }[op.reply]);
    const described = document.paths[op.path]?.[op.method.toLowerCase()]?.responses[String(status)];
    const content = described?.content ?? {};
    const schema = content[op.reply === 'export' ? 'application/x-ndjson' : 'application/json']?.schema;
    if (op.reply === 'none') expect(body).toBeNull();
    // The client of the tests has null for an export without records.
    else
      expect(faultsOf(document, schema ?? { $ref: 'none' }, op.reply === 'export' ? (body ?? '') : body)).toEqual([]);
    for (const header of Object.keys(described?.headers ?? {}))
      expect([header, headers.get(header)]).toEqual([header, expect.any(String)]);
  });

  if (hasId(op)) {
    it('answers the same for an object of another tenant and for one that never existed', async () => {
      const { body } = await refusedRequestOf(op);
      const unknown = unknownParams(op);
      const never = await ask(acme.api, op, { path: pathOf(op, unknown), body });
      expectRefusal(never, 404, 'NOT_FOUND');
      const noIds = ['no-id-at-all', 'alr_1', '%20', '__proto__'];
      const ofNoIds = await Promise.all(
        noIds.map((id) => ask(acme.api, op, { path: pathOf(op, { ...unknown, id }), body })),
      );
      for (const refused of ofNoIds) expectRefusal(refused, 404, 'NOT_FOUND');
      for (const [owner, asking] of [
        [keys.foreign, keys.live],
        [keys.live, keys.foreign],
        ...(isOfOrganization(op)
          ? []
          : ([
              [keys.test, keys.live],
              [keys.live, keys.test],
            ] as const)),
      ] as const) {
        const params = await untouchedParams(op, owner);
        const hidden = await ask(system.as(asking), op, { path: pathOf(op, params), body });
        expectRefusal(hidden, 404, 'NOT_FOUND');
        expect(
          JSON.parse(JSON.stringify(hidden.body).replaceAll(params['id'] as string, unknown['id'] as string)),
        ).toEqual(never.body);
      }
    });
  }

  if (op.versioned && op.method !== 'GET' && op.reply !== 'created') {
    it('accepts the current version, and no other', async () => {
      const request = await requestOf(op);
      const stale = await ask(acme.api, op, request, { 'if-match': '"999"' });
      expectRefusal(stale, 412, 'VERSION_MISMATCH');
      const { current } = stale.body.details as { current: number };
      // Without an id, the path names a record that other tests of this file change too. An incident that pages changes
      // by itself.
      const isNew = hasId(op) && op.operationId !== 'escalateIncident';
      expect(stale.body.details).toEqual({ current: isNew ? 1 : expect.any(Number) });
      expect((await ask(acme.api, op, request, { 'if-match': `"${current}"` })).status).toBeLessThan(300);
    });
  }

  if (op.method === 'POST') {
    it('answers a repeated request as it did the first time', async () => {
      const request = await requestOf(op);
      const headers = { 'idempotency-key': crypto.randomUUID() };
      const first = await ask<unknown>(acme.api, op, request, headers);
      expect(first.status).toBeLessThan(300);
      const second = await ask<unknown>(acme.api, op, request, headers);
      expect({ status: second.status, body: second.body, etag: second.headers.get('etag') }).toEqual({
        status: first.status,
        body: first.body,
        etag: first.headers.get('etag'),
      });
      if (op.body) {
        const changed = { path: request.path, body: { ...(request.body as object), note: 'another', name: 'another' } };
        const { status } = await ask(acme.api, op, changed, headers);
        expect([400, 409]).toContain(status); // one of the two fields is unknown to some bodies
      }
      for (const key of ['', 'x'.repeat(256)])
        expectRefusal(await ask(acme.api, op, request, { 'idempotency-key': key }), 400, 'VALIDATION_ERROR');
    });
  }
});
