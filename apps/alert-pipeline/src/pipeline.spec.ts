import {
  acknowledgeAlert, alertEventsStream, auditStream, bulkAlerts, ingestStream, ingestSubject, newUuid, publicId, resolveAlert, subjectOf,
  type AlertEvent, type Answer, type Call, type IngestEvent, type Operation, type Principal,
} from '@ams/contracts';
import { migrate, serviceRoles, type DatabaseService } from '@ams/database';
import { partitionOf } from '@ams/domain';
import { call, connectBroker, managerOf, type NatsConnection } from '@ams/messaging';
import { createLog, readSettings, startService, type RunningService } from '@ams/service';
import { eventually, startTestInfrastructure, type TestInfrastructure } from '@ams/testing';
import { jetstream } from '@nats-io/jetstream';
import pg from 'pg';
import { alertPipeline } from './service.js';
import { PipelineSettings } from './settings.js';

const partitions = 4;
const passwords: Record<DatabaseService, string> = { auth: 'a', 'resource-api': 'r', 'alert-pipeline': 'p' };

let infrastructure: TestInfrastructure;
let admin: pg.Pool;
let broker: NatsConnection;
const services: RunningService[] = [];

function databaseUrl(service: DatabaseService): string {
  const url = new URL(infrastructure.postgresUrl);
  url.username = serviceRoles[service];
  url.password = passwords[service];
  return url.href;
}

async function startPipeline(extra: Record<string, string> = {}): Promise<RunningService> {
  const settings = readSettings(PipelineSettings, {
    HTTP_HOST: '127.0.0.1', HTTP_PORT: '0', NATS_URL: infrastructure.natsUrl, DATABASE_URL: databaseUrl('alert-pipeline'),
    INGEST_PARTITIONS: String(partitions), PIPELINE_LEASE_SECONDS: '1', ...extra,
  });
  const service = await startService(alertPipeline, settings, createLog('alert-pipeline', 'silent'));
  services.push(service);
  return service;
}

beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
  await migrate(infrastructure.postgresUrl, passwords);
  admin = new pg.Pool({ connectionString: infrastructure.postgresUrl });
  admin.on('error', () => undefined);
  broker = await connectBroker({ url: infrastructure.natsUrl, name: 'test' });
  await startPipeline();
});

afterAll(async () => {
  for (const service of services) await service.stop();
  await broker?.close();
  await admin?.end();
  await infrastructure?.stop();
});

interface Sender {
  organizationId: string;
  integrationId: string;
  principal: Principal;
}

/** An organization with a live key and an integration, as far as the pipeline sees them. */
async function newSender(): Promise<Sender> {
  const organizationId = newUuid();
  const keyId = newUuid();
  await admin.query('INSERT INTO auth.organizations (id, name, slug) VALUES ($1::uuid, $1::text, $1::text)', [organizationId]);
  await admin.query(
    `INSERT INTO auth.api_keys (id, organization_id, environment, name, scopes, key_prefix, key_hash, created_by) VALUES ($1::uuid, $2, 'live', 'key', '{alerts:write}', 'svc_live_', $1::text, '{}')`,
    [keyId, organizationId],
  );
  return { organizationId, integrationId: newUuid(), principal: { type: 'api_key', id: keyId, name: 'key', organizationId, environment: 'live', scopes: ['alerts:write'] } };
}

function eventOf(sender: Sender, values: Partial<IngestEvent> = {}): IngestEvent {
  return {
    id: newUuid(), organizationId: sender.organizationId, environment: 'live', integrationId: sender.integrationId, integrationName: 'sender',
    receivedAt: new Date().toISOString(), dedupScope: 'integration', autoResolveAfterSeconds: null, clientId: null,
    title: 'High CPU', severity: 'high', status: 'firing', source: 'test', description: null, fingerprint: 'cpu', fingerprintSource: 'explicit', labels: {}, annotations: {}, ...values,
  };
}

/** Stores events as the ingest gateway does: a message for each run of one partition. */
async function store(...events: IngestEvent[]): Promise<void> {
  const js = jetstream(broker);
  for (const event of events) {
    await js.publish(ingestSubject(partitionOf(event.organizationId, event.environment, event.fingerprint, partitions)), JSON.stringify({ events: [event] }));
  }
}

interface Row {
  id: string; status: string; title: string; severity: number; occurrence_count: number; version: number; previous_alert_id: string | null;
  resolve_reason: string | null; resolved_by: { type: string } | null; fingerprint: string;
}

const alertsOf = async (sender: Sender): Promise<Row[]> =>
  (await admin.query<Row>('SELECT * FROM alerts.alerts WHERE organization_id = $1 ORDER BY created_at, fingerprint, id', [sender.organizationId])).rows;

const applied = (sender: Sender, count: number): Promise<void> =>
  eventually(async () => {
    const { rows } = await admin.query<{ n: number }>('SELECT count(*)::int AS n FROM alerts.events WHERE organization_id = $1', [sender.organizationId]);
    expect(rows[0]?.n).toBe(count);
  });

async function ask(sender: Sender, op: Operation<never, never, never, never> | unknown, values: Partial<Call> = {}): Promise<Answer> {
  const request: Call = { requestId: 'r', principal: sender.principal, params: {}, query: {}, body: undefined, ifMatch: null, idempotency: null, ip: null, userAgent: null, ...values };
  return call<Answer>(broker, subjectOf(op as Operation), request, { timeoutMs: 5000, requestId: 'r' });
}

/** `alerts.counts` says what a real count says. */
async function countsAreTrue(sender: Sender): Promise<void> {
  const { rows } = await admin.query(
    `SELECT status, severity, sum(n)::int AS n FROM alerts.counts WHERE organization_id = $1 GROUP BY 1, 2 HAVING sum(n) <> 0
     EXCEPT SELECT status, severity, count(*)::int FROM alerts.alerts WHERE organization_id = $1 GROUP BY 1, 2`,
    [sender.organizationId],
  );
  expect(rows).toEqual([]);
}

/** The timeline's versions count 1, 2, 3, … up to the alert's. */
async function timelineIsWhole(sender: Sender): Promise<void> {
  const { rows } = await admin.query(
    `SELECT a.id FROM alerts.alerts a LEFT JOIN alerts.timeline t ON t.alert_id = a.id WHERE a.organization_id = $1
     GROUP BY a.id, a.version HAVING count(*) <> a.version OR count(DISTINCT t.alert_version) <> a.version OR max(t.alert_version) <> a.version`,
    [sender.organizationId],
  );
  expect(rows).toEqual([]);
}

describe('events', () => {
  test('the first firing opens an alert, the second counts, a resolve resolves, the next firing opens another', async () => {
    const sender = await newSender();
    await store(eventOf(sender), eventOf(sender, { title: 'Higher CPU', severity: 'critical' }), eventOf(sender, { status: 'resolved', severity: null }), eventOf(sender));
    await applied(sender, 4);
    const [first, second] = await alertsOf(sender);
    expect(first).toMatchObject({ status: 'resolved', title: 'Higher CPU', severity: 4, occurrence_count: 2, version: 3, resolve_reason: 'ingest', resolved_by: { type: 'integration' } });
    expect(second).toMatchObject({ status: 'firing', occurrence_count: 1, version: 1, previous_alert_id: first?.id });
    await countsAreTrue(sender);
    await timelineIsWhole(sender);
  });

  test('a resolve for which nothing is open opens nothing, and the event is kept', async () => {
    const sender = await newSender();
    await store(eventOf(sender, { status: 'resolved', severity: null }));
    await applied(sender, 1);
    expect(await alertsOf(sender)).toEqual([]);
    const { rows } = await admin.query('SELECT outcome, alert_id FROM alerts.events WHERE organization_id = $1', [sender.organizationId]);
    expect(rows).toEqual([{ outcome: 'noMatch', alert_id: null }]);
  });

  test('the same fingerprint of two integrations is two alerts, or one when they deduplicate over the organization', async () => {
    const sender = await newSender();
    const other = { ...sender, integrationId: newUuid() };
    await store(eventOf(sender), eventOf(other));
    await store(eventOf(sender, { fingerprint: 'wide', dedupScope: 'organization' }), eventOf(other, { fingerprint: 'wide', dedupScope: 'organization' }));
    await applied(sender, 4);
    const rows = await alertsOf(sender);
    expect(rows.filter((row) => row.fingerprint === 'cpu')).toHaveLength(2);
    expect(rows.filter((row) => row.fingerprint === 'wide').map((row) => row.occurrence_count)).toEqual([2]);
  });

  test('an event whose request was repeated counts once', async () => {
    const sender = await newSender();
    const event = eventOf(sender, { repeatable: true });
    await store(event, event);
    await store(eventOf(sender, { fingerprint: 'after' }));
    await store(event);
    await applied(sender, 2);
    expect((await alertsOf(sender)).map((row) => row.occurrence_count)).toEqual([1, 1]);
  });

  test('what cannot be applied is set aside and holds up nothing', async () => {
    const sender = await newSender();
    const js = jetstream(broker);
    const partition = partitionOf(sender.organizationId, 'live', 'cpu', partitions);
    await js.publish(ingestSubject(partition), 'not json');
    await store(eventOf(sender, { receivedAt: 'no time at all' }), eventOf(sender));
    await applied(sender, 1);
    const { rows } = await admin.query<{ payload: string }>('SELECT payload FROM alerts.set_aside WHERE partition = $1 ORDER BY stream_sequence DESC LIMIT 2', [partition]);
    expect(rows.map(({ payload }) => payload.slice(0, 8))).toEqual(['{"events', 'not json']);
  });

  test('a storm of one fingerprint is one alert with every occurrence', async () => {
    const sender = await newSender();
    await Promise.all(Array.from({ length: 400 }, () => store(eventOf(sender))));
    await applied(sender, 400);
    expect(await alertsOf(sender)).toMatchObject([{ occurrence_count: 400, version: 400 }]);
    await timelineIsWhole(sender);
  });

  test('an alert for which no event comes resolves by itself', async () => {
    const sender = await newSender();
    await store(eventOf(sender, { autoResolveAfterSeconds: 1 }), eventOf(sender, { fingerprint: 'stays', autoResolveAfterSeconds: 600 }));
    await applied(sender, 2);
    await eventually(async () => expect((await alertsOf(sender)).map((row) => row.status).sort()).toEqual(['firing', 'resolved']), { timeoutMs: 10_000 });
    expect((await alertsOf(sender)).find((row) => row.status === 'resolved')).toMatchObject({ resolve_reason: 'timeout', resolved_by: { type: 'integration' }, version: 2 });
    await countsAreTrue(sender);
  });
});

describe('commands', () => {
  const openAlert = async (sender: Sender): Promise<string> => {
    await store(eventOf(sender));
    await applied(sender, 1);
    return publicId('alert', (await alertsOf(sender))[0]?.id ?? '');
  };

  test('acknowledge, again, resolve, again, and acknowledge what is resolved', async () => {
    const sender = await newSender();
    const id = await openAlert(sender);
    const acknowledged = await ask(sender, acknowledgeAlert, { params: { id }, body: { note: 'on it' } });
    expect(acknowledged).toMatchObject({ ok: true, version: 2, body: { data: { status: 'acknowledged', acknowledgedBy: { type: 'api_key', name: 'key' }, version: 2 } } });
    expect(await ask(sender, acknowledgeAlert, { params: { id } })).toEqual(acknowledged);
    expect(await ask(sender, resolveAlert, { params: { id } })).toMatchObject({ ok: true, body: { data: { status: 'resolved', resolveReason: 'api', version: 3 } } });
    expect(await ask(sender, resolveAlert, { params: { id } })).toMatchObject({ ok: true, body: { data: { version: 3 } } });
    expect(await ask(sender, acknowledgeAlert, { params: { id } })).toMatchObject({ ok: false, code: 'INVALID_STATE_TRANSITION', details: { from: 'resolved', to: 'acknowledged', allowed: [] } });
    await timelineIsWhole(sender);
    await countsAreTrue(sender);
  });

  test('a stale version, a foreign alert and an id of no form are told apart from success', async () => {
    const sender = await newSender();
    const id = await openAlert(sender);
    expect(await ask(sender, acknowledgeAlert, { params: { id }, ifMatch: '"7"' })).toMatchObject({ ok: false, code: 'VERSION_MISMATCH', details: { current: 1 } });
    const foreigner = await newSender();
    for (const params of [{ id }, { id: 'alr_1' }, { id: '' }]) {
      expect(await ask(foreigner, acknowledgeAlert, { params })).toMatchObject({ ok: false, code: 'NOT_FOUND', details: { resource: 'alert', id: params.id } });
    }
    const inTest = { ...sender, principal: { ...sender.principal, environment: 'test' as const } };
    expect(await ask(inTest, resolveAlert, { params: { id } })).toMatchObject({ ok: false, code: 'NOT_FOUND' });
  });

  test('a revoked key changes nothing', async () => {
    const sender = await newSender();
    const id = await openAlert(sender);
    await admin.query('UPDATE auth.api_keys SET revoked_at = now() WHERE id = $1', [sender.principal.id]);
    expect(await ask(sender, acknowledgeAlert, { params: { id } })).toMatchObject({ ok: false, code: 'UNAUTHORIZED' });
    expect(await alertsOf(sender)).toMatchObject([{ status: 'firing', version: 1 }]);
  });

  test('the same Idempotency-Key answers the first answer, another request with it is refused', async () => {
    const sender = await newSender();
    const id = await openAlert(sender);
    const idempotency = { key: 'k', fingerprint: 'a', sealKey: Buffer.alloc(32, 1).toString('base64url') };
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(sender, acknowledgeAlert, { params: { id }, idempotency })));
    await ask(sender, resolveAlert, { params: { id } });
    answers.push(await ask(sender, acknowledgeAlert, { params: { id }, idempotency }));
    for (const answer of answers) expect(answer).toMatchObject({ ok: true, body: { data: { status: 'acknowledged', version: 2 } } });
    expect(await ask(sender, acknowledgeAlert, { params: { id }, idempotency: { ...idempotency, fingerprint: 'b' } })).toMatchObject({ ok: false, code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  test('bulk: each id has a result of its own', async () => {
    const sender = await newSender();
    await store(eventOf(sender, { fingerprint: 'a' }), eventOf(sender, { fingerprint: 'b', status: 'acknowledged' }), eventOf(sender, { fingerprint: 'c' }), eventOf(sender, { fingerprint: 'c', status: 'resolved' }));
    await applied(sender, 4);
    const ids = (await alertsOf(sender)).sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1)).map(({ id }) => publicId('alert', id));
    const answer = await ask(sender, bulkAlerts, { body: { action: 'acknowledge', ids: [...ids, 'alr_none'] } });
    expect(answer).toMatchObject({ ok: true, body: { data: { action: 'acknowledge', requested: 4, succeeded: 2, failed: 2 } } });
    const { results } = (answer as { body: { data: { results: { ok: boolean; changed: boolean; error: { code: string } | null }[] } } }).body.data;
    expect(results.map(({ ok, changed, error }) => [ok, changed, error?.code ?? null])).toEqual([
      [true, true, null], [true, false, null], [false, false, 'INVALID_STATE_TRANSITION'], [false, false, 'NOT_FOUND'],
    ]);
    await countsAreTrue(sender);
  });

  test('bulk by filter, and what is wrong with a request', async () => {
    const sender = await newSender();
    await store(...['a', 'b', 'c'].map((fingerprint) => eventOf(sender, { fingerprint, labels: { region: fingerprint === 'c' ? 'us' : 'eu' } })));
    await applied(sender, 3);
    expect(await ask(sender, bulkAlerts, { body: { action: 'resolve', filter: { label: ['region:eu'] } } })).toMatchObject({ ok: true, body: { data: { requested: 2, succeeded: 2 } } });
    expect((await alertsOf(sender)).filter((row) => row.status === 'firing')).toHaveLength(1);
    for (const body of [{ action: 'resolve' }, { action: 'close', ids: ['x'] }, { action: 'resolve', ids: [] }, { action: 'resolve', ids: ['a'], filter: {} }, { action: 'resolve', filter: { colour: 'red' } }, [], null]) {
      expect(await ask(sender, bulkAlerts, { body })).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
    }
  });

  test('commands and events at once: no deadlock, nothing lost, every version once', async () => {
    const sender = await newSender();
    const fingerprints = ['a', 'b', 'c', 'd', 'e'];
    await store(...fingerprints.map((fingerprint) => eventOf(sender, { fingerprint })));
    await applied(sender, 5);
    const ids = (await alertsOf(sender)).map(({ id }) => publicId('alert', id));
    const work: Promise<unknown>[] = [];
    for (let i = 0; i < 60; i++) {
      work.push(store(eventOf(sender, { fingerprint: fingerprints[i % 5] })));
      if (i % 10 === 5) work.push(ask(sender, bulkAlerts, { body: { action: i % 20 === 5 ? 'acknowledge' : 'resolve', ids: [...ids].reverse() } }).then((answer) => expect(answer.ok).toBe(true)));
    }
    await Promise.all(work);
    await applied(sender, 65);
    await timelineIsWhole(sender);
    await countsAreTrue(sender);
    const { rows } = await admin.query<{ n: number }>('SELECT sum(occurrence_count)::int AS n FROM alerts.alerts WHERE organization_id = $1', [sender.organizationId]);
    expect(rows[0]?.n).toBe(65);
  });
});

describe('what is told', () => {
  test('every committed change is published once, in order, and audited when a principal made it', async () => {
    const sender = await newSender();
    await store(eventOf(sender), eventOf(sender), eventOf(sender, { severity: 'critical' }));
    await applied(sender, 3);
    const id = publicId('alert', (await alertsOf(sender))[0]?.id ?? '');
    await ask(sender, resolveAlert, { params: { id } });
    await eventually(async () => expect((await admin.query('SELECT 1 FROM alerts.outbox')).rowCount).toBe(0));
    const manager = await managerOf(broker);
    const told: AlertEvent[] = [];
    const { state } = await manager.streams.info(alertEventsStream);
    for (let seq = state.first_seq; seq <= state.last_seq; seq++) told.push(...((await manager.streams.getMessage(alertEventsStream, { seq }))?.json<{ events: AlertEvent[] }>().events ?? []));
    const mine = told.filter((event) => event.organizationId === sender.organizationId);
    expect(mine.map(({ type, alert }) => [type, alert.version])).toEqual([['alert.created', 1], ['alert.severityChanged', 3], ['alert.resolved', 4]]);
    expect(mine[2]).toMatchObject({ actor: { type: 'api_key' }, cause: { type: 'request', id: 'r' }, alert: { id, status: 'resolved' }, depth: 0 });
    expect((await manager.streams.info(auditStream)).state.messages).toBeGreaterThan(0);
  });
});

test('what has been applied is taken out of the broker, also while a partition has nothing to do', async () => {
  const sender = await newSender();
  await store(...Array.from({ length: 20 }, () => eventOf(sender)));
  await applied(sender, 20);
  const manager = await managerOf(broker);
  await eventually(async () => expect((await manager.streams.info(ingestStream)).state.messages).toBe(0), { timeoutMs: 40_000 });
  await store(eventOf(sender, { fingerprint: 'after' }));
  await applied(sender, 21);
});

describe('replicas', () => {
  test('share the partitions, and take over from one that stops', async () => {
    const second = await startPipeline();
    const holders = async () => (await admin.query<{ n: number }>('SELECT count(*)::int AS n FROM alerts.partitions WHERE held_until > now() GROUP BY holder ORDER BY 1')).rows.map(({ n }) => n);
    await eventually(async () => expect(await holders()).toEqual([2, 2]), { timeoutMs: 10_000 });
    const sender = await newSender();
    const sending = Promise.all(Array.from({ length: 200 }, (_, i) => store(eventOf(sender, { fingerprint: `f${i % 20}` }))));
    await second.stop();
    await sending;
    await applied(sender, 200);
    await eventually(async () => expect(await holders()).toEqual([partitions]), { timeoutMs: 10_000 });
    expect((await alertsOf(sender)).map((row) => row.occurrence_count)).toEqual(Array.from({ length: 20 }, () => 10));
    await timelineIsWhole(sender);
  });

  test('the operations are announced again to a broker that has lost what it held', async () => {
    const manager = await managerOf(broker);
    const announced = async (): Promise<number> => (await manager.streams.info('KV_operations')).state.messages;
    expect(await announced()).toBe(1);
    await manager.streams.delete('KV_operations');
    await infrastructure.nats.restart();
    await eventually(async () => expect(await announced()).toBe(1), { timeoutMs: 15_000 });
  });

  test('a broker and a database that are killed come back to a pipeline that goes on where it was', async () => {
    const sender = await newSender();
    await store(...Array.from({ length: 50 }, (_, i) => eventOf(sender, { fingerprint: `f${i % 5}` })));
    await infrastructure.postgres.restart();
    await applied(sender, 50);
    await infrastructure.nats.restart();
    await eventually(() => store(eventOf(sender, { fingerprint: 'after' })), { timeoutMs: 15_000 });
    await eventually(async () => expect((await alertsOf(sender)).length).toBe(6), { timeoutMs: 15_000 });
    expect((await alertsOf(sender)).slice(0, 5).map((row) => row.occurrence_count)).toEqual([10, 10, 10, 10, 10]);
  });
});
