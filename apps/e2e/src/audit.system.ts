import type { AuditEntry, IntegrationWithToken } from '@ams/contracts';
import { eventually } from '@ams/testing';
import { everythingStored } from './system/everything-stored.js';
import { startSystem, type List, type One, type Organization, type System } from './system.js';

let system: System;
let acme: Organization;

beforeAll(async () => {
  const env = Object.fromEntries(
    ['auth', 'alert-pipeline', 'resource-api', 'ingest-gateway', 'api-gateway'].map((name) => [
      name,
      { LOG_LEVEL: 'debug' },
    ]),
  );
  system = await startSystem({ replicas: { 'api-gateway': 2 }, env });
  acme = await system.organization();
});
afterAll(() => system?.stop());

async function auditLog(query: Record<string, string>, key = acme.key): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { status, body }: { status: number; body: List<AuditEntry> } = await system
      .as(key)
      .get('/api/v1/audit-log', { query: { limit: 100, ...query, ...(cursor ? { cursor } : {}) } });
    expect(status).toBe(200);
    entries.push(...body.data);
    cursor = body.meta.nextCursor;
  }
  return entries;
}

it('has one entry for each use of a key, also for refused requests, but not for requests without a key', async () => {
  const { id, key } = await acme.newKey({ scopes: ['alerts:read', 'alerts:write'] });
  const sent: string[] = [];
  const ask = async (method: string, path: string, wanted: number, options: { body?: unknown; key?: string } = {}) => {
    const requestId = crypto.randomUUID();
    const { status, headers } = await system.as(options.key ?? key).request(method, path, {
      body: options.body,
      headers: { 'x-request-id': requestId, 'user-agent': 'walker/1.0', 'content-type': 'application/json' },
    });
    expect([path, status]).toEqual([path, wanted]);
    expect(headers.get('x-request-id')).toBe(requestId);
    if (wanted !== 401) sent.push(requestId);
  };
  await Promise.all(Array.from({ length: 30 }, () => ask('GET', '/api/v1/alerts', 200)));
  await ask('GET', '/api/v1/openapi.json', 200);
  await ask('GET', '/api/v1/alerts?unknown=1', 400);
  await ask('GET', '/api/v1/alerts/alr_1', 404);
  await ask('POST', '/api/v1/alerts/bulk', 400, { body: '{' });
  await ask('GET', '/api/v1/integrations', 403);
  await ask('GET', '/api/v1/alerts', 401, { key: `${key}x` });

  const entries = await auditLog({ type: 'api_key.used', actorId: id });
  expect(entries.map(({ requestId }) => requestId).sort()).toEqual(sent.sort());
  expect(entries[0]).toMatchObject({
    type: 'api_key.used',
    actor: { type: 'api_key', id, name: 'a key' },
    ip: '127.0.0.1',
    userAgent: 'walker/1.0',
    resource: { type: 'operation' },
    changes: [],
  });
});

it('shows for every change the actor, the request and the changed values', async () => {
  const requestId = crypto.randomUUID();
  const headers = { 'x-request-id': requestId };
  const sender = await acme.integration({ name: 'before' });
  await acme.api.put(`/api/v1/integrations/${sender.id}`, { name: 'after' }, { headers });
  await acme.api.post(`/api/v1/integrations/${sender.id}/rotate-token`, undefined, { headers });
  await sender.send({ title: 'x', severity: 'low' });
  const made = await acme.newKey();
  await acme.api.delete(`/api/v1/api-keys/${made.id}`, { headers });
  const other = await acme.integration();
  const fingerprint = crypto.randomUUID();
  await other.fire({ title: 'Audited', severity: 'low', fingerprint });
  const [alert] = await acme.alerts({ fingerprint });
  await acme.api.post(`/api/v1/alerts/${alert?.id}/acknowledge`, undefined, { headers });
  await acme.api.post('/api/v1/alerts/bulk', { action: 'resolve', ids: [alert?.id] }, { headers });

  const actor = { type: 'api_key', name: 'all scopes' };
  const of = (resourceId: string) => auditLog({ resourceId });
  await eventually(async () => {
    expect((await of(String(alert?.id))).map(({ type }) => type)).toEqual(['alert.resolved', 'alert.acknowledged']);
    expect((await of(sender.id)).map(({ type }) => type)).toEqual([
      'integration.token_rotated',
      'integration.updated',
      'integration.created',
    ]);
  });
  expect((await of(String(alert?.id)))[1]).toMatchObject({
    actor,
    requestId,
    resource: { type: 'alert', id: alert?.id },
    changes: [{ field: 'status', before: 'firing', after: 'acknowledged' }],
  });
  expect((await of(sender.id))[1]).toMatchObject({
    actor,
    requestId,
    changes: expect.arrayContaining([{ field: 'name', before: 'before', after: 'after' }]),
  });
  expect((await of(made.id)).map(({ type }) => type)).toEqual(['api_key.revoked', 'api_key.created']);
});

it('is seen by its own organization and environment only', async () => {
  const other = await system.organization();
  await acme.newKey({ name: 'of acme' });
  expect(JSON.stringify(await auditLog({}, other.key))).not.toContain('of acme');
});

it('contains no secret, and neither do other tables, messages, logs and metrics', async () => {
  const keys = [
    acme.key,
    ...(await Promise.all(
      ['live', 'test'].map(async (environment) => (await acme.newKey({ environment: environment as 'live' })).key),
    )),
  ];
  const sender = await acme.integration({ type: 'generic' });
  const rotated = await acme.api.post<One<IntegrationWithToken>>(`/api/v1/integrations/${sender.id}/rotate-token`, {
    graceSeconds: 60,
  });
  const tokens = [sender.token, rotated.body.data.token];
  const [key = ''] = keys;

  // Secrets in wrong places of requests.
  await acme.api.get(`/api/v1/alerts?api_key=${key}`);
  await acme.api.get(`/api/v1/alerts/${key}`);
  await acme.api.get('/api/v1/alerts', { headers: { 'x-request-id': key, 'user-agent': `curl ${key}` } });
  await acme.api.post(
    '/api/v1/alerts/bulk',
    { action: 'resolve', ids: ['alr_1'] },
    { headers: { 'idempotency-key': 'a repeat' } },
  );
  await acme.api.post(
    '/api/v1/api-keys',
    { name: 'sealed', scopes: ['alerts:read'] },
    { headers: { 'idempotency-key': 'sealed' } },
  );
  for (const place of [
    `/api/inbound/webhook/${key}`,
    `/api/inbound/webhook/${sender.token}/more`,
    `/api/inbound/webhook/${sender.token}?x=1`,
    `/other/${key}`,
  ]) {
    await system
      .ingest()
      .post(
        place,
        { title: 'x', severity: 'low' },
        { headers: { 'x-request-id': key, 'idempotency-key': key, authorization: `Bearer ${key}` } },
      );
  }
  await sender.send('{', { headers: { 'content-type': 'application/json' } });
  await sender.fire({ title: 'Fine', severity: 'low' });

  const passwords = ['auth', 'alert-pipeline', 'resource-api', 'ingest-gateway', 'api-gateway'].flatMap((name) => {
    const { NATS_PASSWORD, DATABASE_URL } = system.environmentOf(name);
    return [NATS_PASSWORD ?? '', ...(DATABASE_URL ? [new URL(DATABASE_URL).password] : [])];
  });
  const secrets = [...keys, ...tokens, ...passwords];
  // The outcome of requests is written after their answers, in the same order.
  await eventually(async () =>
    expect(await system.sql(`SELECT FROM resources.requests WHERE payload LIKE '%"Fine"%'`)).toHaveLength(1),
  );
  const found = (await everythingStored(system)).flatMap(({ where, text }) =>
    secrets.filter((secret) => text.includes(secret)).map((secret) => `${where}: ${secret.slice(0, 12)}…`),
  );
  expect([...new Set(found)]).toEqual([]);
});
