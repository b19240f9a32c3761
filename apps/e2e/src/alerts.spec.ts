import { type Sender, type List, type One, type Organization, type Refusal, type SystemClient } from './system.js';
import { eventually } from '@ams/testing';
import { runLoad } from './load/run-load.js';
import { sharedSystem } from './system/shared-system.js';
import type { Alert, BulkResult, ServiceStatus } from '@ams/contracts';

let system: SystemClient;
let acme: Organization;
let sender: Sender;

beforeAll(async () => {
  system = await sharedSystem();
  acme = await system.organization();
  // The default workflow adds severe alerts to incidents, which would increase their versions.
  await eventually(async () => {
    const { body } = await acme.api.get<List<{ id: string }>>('/api/v1/workflows');
    const { status } = await acme.api.post(`/api/v1/workflows/${body.data[0]?.id}/disable`);
    expect(status).toBe(200);
  });
  // Urgent alerts without a workflow page nobody.
  expect((await acme.api.put('/api/v1/organization', { catchAllPolicyId: null })).status).toBe(200);
  sender = await acme.integration({ type: 'generic', name: 'Prometheus EU' });
});
afterAll(() => system?.close());

const fingerprint = () => `fp-${crypto.randomUUID()}`;
const only = async (query: Record<string, string>): Promise<Alert> => {
  const alerts = await acme.alerts(query);
  expect(alerts).toHaveLength(1);
  return alerts[0] as Alert;
};

describe('the life of an alert', () => {
  it('is accepted, listed, deduplicated, acknowledged and resolved, and its timeline shows it', async () => {
    const cpu = fingerprint();
    const body = {
      title: 'High CPU',
      severity: 'Critical',
      fingerprint: cpu,
      source: 'prometheus',
      description: 'CPU > 95 %',
      labels: { host: 'web-01', cores: 8 },
      annotations: { runbook: 'https://runbooks.example.com/cpu' },
    };
    const accepted = await sender.send(body);
    expect(accepted.status).toBe(202);
    expect(accepted.headers.get('x-request-id')).toBeTruthy();
    expect(accepted.body.data).toEqual({
      events: [{ id: expect.stringMatching(/^evt_/), fingerprint: cpu, warnings: [] }],
      receivedAt: expect.any(String),
    });
    await system.eventuallyApplied(accepted.body.data.events.map(({ id }) => id));

    const listed = await only({ fingerprint: cpu });
    expect(listed).toMatchObject({
      title: 'High CPU',
      severity: 'critical',
      status: 'firing',
      source: 'prometheus',
      fingerprintSource: 'explicit',
      occurrenceCount: 1,
      labels: { host: 'web-01', cores: '8' },
      integrationId: sender.id,
      version: 1,
    });

    await sender.fire({ ...body, title: 'Higher CPU', severity: 'high' });
    const again = await only({ fingerprint: cpu });
    expect(again).toMatchObject({
      id: listed.id,
      occurrenceCount: 2,
      title: 'Higher CPU',
      severity: 'high',
      version: 2,
    });

    const acknowledged = await acme.api.post<One<Alert>>(`/api/v1/alerts/${listed.id}/acknowledge`, {
      note: 'looking into it',
    });
    expect(acknowledged.status).toBe(200);
    expect(acknowledged.body.data).toMatchObject({
      status: 'acknowledged',
      acknowledgedBy: { type: 'api_key', name: 'all scopes' },
    });
    expect(acknowledged.headers.get('etag')).toBe(`"${acknowledged.body.data.version}"`);

    const resolved = await acme.api.post<One<Alert>>(`/api/v1/alerts/${listed.id}/resolve`);
    expect(resolved.body.data).toMatchObject({
      status: 'resolved',
      resolveReason: 'api',
      resolvedBy: { type: 'api_key' },
    });
    const got = await acme.api.get<One<Alert>>(`/api/v1/alerts/${listed.id}`);
    expect(got.body).toEqual(resolved.body);

    const timeline = await acme.timeline(listed.id);
    expect(timeline.map(({ type }) => type)).toEqual([
      'alert.created',
      'alert.severityChanged',
      'alert.acknowledged',
      'alert.resolved',
    ]);
    expect(timeline.find(({ type }) => type === 'alert.acknowledged')).toMatchObject({
      note: 'looking into it',
      actor: { type: 'api_key' },
    });
    expect(timeline[0]).toMatchObject({
      cause: { type: 'event', id: accepted.body.data.events[0]?.id },
      actor: { type: 'integration', name: 'Prometheus EU' },
    });
  });

  it('is resolved by a payload with only fingerprint, status and title, and then fires as a new alert', async () => {
    const disk = fingerprint();
    await sender.fire({ title: 'Disk full', severity: 'high', dedup_key: disk });
    const first = await only({ fingerprint: disk });
    await sender.fire({ title: 'Disk full', status: 'resolved', fingerprint: disk });
    expect(await only({ fingerprint: disk })).toMatchObject({
      id: first.id,
      status: 'resolved',
      resolveReason: 'ingest',
      resolvedBy: { type: 'integration', id: sender.id },
    });
    await sender.fire({ title: 'Disk full', severity: 'high', fingerprint: disk });
    expect(await only({ fingerprint: disk, status: 'firing' })).toMatchObject({
      previousAlertId: first.id,
      occurrenceCount: 1,
    });
  });

  it('does not begin with a resolve', async () => {
    const ghost = fingerprint();
    await sender.fire({ title: 'Ghost', status: 'resolved', fingerprint: ghost });
    expect(await acme.alerts({ fingerprint: ghost })).toEqual([]);
  });

  it('gets a fingerprint from its title and source when the sender sends none', async () => {
    const title = `Generated ${crypto.randomUUID()}`;
    await sender.fire({ title, severity: 'low', source: 'a' });
    await sender.fire({ title, severity: 'low', source: 'a' });
    await sender.fire({ title, severity: 'low', source: 'b' });
    const alerts = await acme.alerts({ q: title });
    expect(
      alerts
        .map(({ source, occurrenceCount, fingerprintSource }) => [source, occurrenceCount, fingerprintSource])
        .sort(),
    ).toEqual([
      ['a', 2, 'generated'],
      ['b', 1, 'generated'],
    ]);
  });

  it('cannot be acknowledged when it is resolved, and does not change when it is resolved again', async () => {
    const gone = fingerprint();
    await sender.fire({ title: 'Gone', severity: 'info', fingerprint: gone });
    const { id } = await only({ fingerprint: gone });
    const first = await acme.api.post<One<Alert>>(`/api/v1/alerts/${id}/resolve`);
    const second = await acme.api.post<One<Alert>>(`/api/v1/alerts/${id}/resolve`);
    expect(second).toMatchObject({ status: 200, body: first.body });
    const refused = await acme.api.post<Refusal>(`/api/v1/alerts/${id}/acknowledge`);
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'INVALID_STATE_TRANSITION', details: { from: 'resolved', to: 'acknowledged' } },
    });
  });
});

describe('a repeated request', () => {
  it('of a sender with an Idempotency-Key is one event', async () => {
    const once = fingerprint();
    const send = (title: string) =>
      sender.send({ title, severity: 'low', fingerprint: once }, { headers: { 'idempotency-key': once } });
    const first = await send('Once');
    const second = await send('Once');
    expect([first.status, second.status]).toEqual([202, 200]);
    expect(second.body).toEqual(first.body);
    expect(await send('Another')).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    await system.eventuallyApplied(first.body.data.events.map(({ id }) => id));
    expect(await only({ fingerprint: once })).toMatchObject({ occurrenceCount: 1 });
  });

  it('of the API with an Idempotency-Key repeats the first answer', async () => {
    const twice = fingerprint();
    await sender.fire({ title: 'Twice', severity: 'low', fingerprint: twice });
    const { id } = await only({ fingerprint: twice });
    const headers = { 'idempotency-key': twice };
    const first = await acme.api.post(`/api/v1/alerts/${id}/acknowledge`, { note: 'one' }, { headers });
    await sender.fire({ title: 'Twice and later', severity: 'low', fingerprint: twice });
    const second = await acme.api.post(`/api/v1/alerts/${id}/acknowledge`, { note: 'one' }, { headers });
    expect(first.status).toBe(200);
    expect(second).toMatchObject({ status: 200, body: first.body });
    expect(await acme.api.post(`/api/v1/alerts/${id}/acknowledge`, { note: 'two' }, { headers })).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
  });
});

describe('a version', () => {
  it('that is stale answers 412 with the current one; the current one is accepted', async () => {
    const versioned = fingerprint();
    await sender.fire({ title: 'Versioned', severity: 'low', fingerprint: versioned });
    const { id } = await only({ fingerprint: versioned });
    const resolve = (etag: string) =>
      acme.api.post<Refusal>(`/api/v1/alerts/${id}/resolve`, undefined, { headers: { 'if-match': etag } });
    expect(await resolve('"7"')).toMatchObject({
      status: 412,
      body: { code: 'VERSION_MISMATCH', details: { current: 1 } },
    });
    expect(await resolve('"1"')).toMatchObject({ status: 200 });
  });
});

describe('many alerts', () => {
  const storm = `storm-${crypto.randomUUID()}`;
  let ids: string[];

  beforeAll(async () => {
    const severities = ['critical', 'high', 'medium', 'low', 'info'];
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, n) =>
        sender.send({
          title: `Storm ${String(n).padStart(2, '0')}`,
          severity: severities[n % 5],
          fingerprint: `${storm}-${n}`,
          source: n % 2 ? 'odd' : 'even',
          labels: { storm, rack: `r:${n % 3},x` },
        }),
      ),
    );
    await system.eventuallyApplied(answers.flatMap(({ body }) => body.data.events.map(({ id }) => id)));
    ids = (await acme.alerts({ label: `storm:${storm}` })).map(({ id }) => id);
  });

  it('are paged by cursor while others arrive: none is missing or shown twice', async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body }: { body: List<Alert> } = await acme.api.get('/api/v1/alerts', {
        query: { label: `storm:${storm}`, limit: 7, sort: 'createdAt', ...(cursor ? { cursor } : {}) },
      });
      expect(body.meta.limit).toBe(7);
      expect('total' in body.meta).toBe(cursor === null);
      if (cursor === null) expect(body.meta.total).toBe(25);
      seen.push(...body.data.map(({ id }) => id));
      cursor = body.meta.nextCursor;
      expect(body.meta.hasMore).toBe(cursor !== null);
      if (cursor) await sender.fire({ title: 'Between', severity: 'info', fingerprint: fingerprint() });
    } while (cursor);
    expect([...seen].sort()).toEqual([...ids].sort());
  });

  it('are found by every filter, and a cursor is bound to its filters', async () => {
    const count = async (query: Record<string, string>) =>
      (await acme.alerts({ label: `storm:${storm}`, limit: '100', ...query })).length;
    expect(await count({ severity: 'critical' })).toBe(5);
    expect(await count({ severity: 'critical,info' })).toBe(10);
    expect(await count({ source: 'odd' })).toBe(12);
    expect(await count({ source: 'odd', severity: 'high' })).toBe(3);
    expect(await count({ fingerprint: `${storm}-0,${storm}-1` })).toBe(2);
    expect(await count({ status: 'resolved' })).toBe(0);
    expect(await count({ integrationId: sender.id })).toBe(25);
    expect(await count({ q: 'sTORM 0' })).toBe(10);
    expect(await count({ since: new Date(Date.now() + 3_600_000).toISOString() })).toBe(0);
    expect(await count({ until: new Date(Date.now() + 3_600_000).toISOString() })).toBe(25);
    expect(
      (await acme.api.get<List<Alert>>(`/api/v1/alerts?label=storm:${storm}&label=rack:${encodeURIComponent('r:1,x')}`))
        .body.data,
    ).toHaveLength(8);
    const bySeverity = await acme.alerts({ label: `storm:${storm}`, sort: '-severity' });
    expect(bySeverity[0]?.severity).toBe('critical');
    expect(bySeverity.at(-1)?.severity).toBe('info');
    const { body } = await acme.api.get<List<Alert>>('/api/v1/alerts', {
      query: { label: `storm:${storm}`, limit: 5 },
    });
    expect(
      await acme.api.get('/api/v1/alerts', { query: { limit: 5, cursor: String(body.meta.nextCursor) } }),
    ).toMatchObject({ status: 400, body: { code: 'INVALID_CURSOR' } });
    expect(await acme.api.get('/api/v1/alerts', { query: { limit: 1000 } })).toMatchObject({
      status: 200,
      body: { meta: { limit: 100 } },
    });
    expect(await acme.api.get('/api/v1/alerts', { query: { limit: 0 } })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR' },
    });
  });

  it('are acknowledged by ids and resolved by filter; an unknown id does not stop the others', async () => {
    const bulk = (body: unknown) => acme.api.post<One<BulkResult>>('/api/v1/alerts/bulk', body);
    const unknown = 'alr_00000000000070008000000000000000';
    const acknowledged = await bulk({
      action: 'acknowledge',
      ids: [...ids.slice(0, 3), unknown, 'nonsense'],
      note: 'storm',
    });
    expect(acknowledged).toMatchObject({
      status: 200,
      body: { data: { action: 'acknowledge', requested: 5, succeeded: 3, failed: 2 } },
    });
    expect(acknowledged.body.data.results.map(({ id, ok, error }) => [id, ok, error?.code ?? null])).toEqual([
      ...ids.slice(0, 3).map((id) => [id, true, null]),
      [unknown, false, 'NOT_FOUND'],
      ['nonsense', false, 'NOT_FOUND'],
    ]);
    const resolved = await bulk({
      action: 'resolve',
      filter: { label: [`storm:${storm}`], severity: ['critical', 'high'] },
    });
    expect(resolved.body.data).toMatchObject({ requested: 10, succeeded: 10, failed: 0 });
    expect(await acme.alerts({ label: `storm:${storm}`, status: 'resolved' })).toHaveLength(10);
    expect(await bulk({ action: 'resolve' })).toMatchObject({ status: 400 });
    expect(await bulk({ action: 'resolve', ids: [unknown], filter: {} })).toMatchObject({ status: 400 });
  });
});

it('the status is operational while every service works, to a key without scopes for anything else', async () => {
  const { key } = await acme.newKey({ scopes: ['schedules:read'] });
  await eventually(async () => {
    const { status, body } = await system.as(key).get<One<ServiceStatus>>('/api/v1/status');
    expect(status).toBe(200);
    const readings = body.data.parts.flatMap(({ readings }) => readings);
    expect(readings.filter(({ state }) => state !== 'operational')).toEqual([]);
    expect(body.data.state).toBe('operational');
  });
});

it('a load at planned rates is accepted, found again by the API, and tidied up', async () => {
  const organization = await system.organization();
  const report = await runLoad({
    profile: 'storm',
    rate: 4,
    seconds: 6,
    readsPerSecond: 1,
    url: system.address.gateways[0] as string,
    ingestUrl: system.address.ingestGateways[0] as string,
    key: organization.key,
    integrations: 2,
    patienceSeconds: 120,
    log: () => undefined,
  });
  expect(report.problems).toEqual([]);
  expect(report.events).toMatchObject({ planned: 56, answered: 56, outcomes: { 202: 56 } });
  expect(report.reads.outcomes).toEqual({ 200: 6 });
  expect(report.check).toEqual({ accepted: 56, applied: 56, lost: 0, doubled: 0 });
  expect(await organization.alerts({ status: 'firing' })).toEqual([]);
  expect((await organization.api.get<List<unknown>>('/api/v1/integrations')).body.data).toEqual([]);
});
