/** Heartbeats: when their alerts open, and when they must not. The test answers in place of the ingest gateways. */
import {
  heartbeatRequest,
  heartbeatsRequest,
  newUuid,
  receivingRequest,
  type HeartbeatCommand,
  type HeartbeatReply,
  type HeartbeatSettings,
} from '@ams/contracts';
import { heartbeatFingerprint, partitionOf } from '@ams/domain';
import { RpcClient } from '@ams/messaging';
import { eventually, insertIntegration } from '@ams/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { partitions, resolveOf, startPipeline, type Sender, type TestPipeline } from '../../testing/support.js';

const checkSeconds = 1;
/** Written into the database, because the API has no interval under a minute. */
const intervalSeconds = 3;

let pipeline: TestPipeline;
/** Since when the gateway receives, by `performance.now()`; null without a gateway. */
let receivingSince: number | null = performance.now() - 3_600_000;

beforeAll(async () => {
  pipeline = await startPipeline();
  await pipeline.stopReplicas();
  pipeline.nats.subscribe(receivingRequest.subject, {
    callback: (_error, message) => {
      if (receivingSince !== null) message.respond(JSON.stringify({ receivingMs: performance.now() - receivingSince }));
    },
  });
  await start();
});
afterAll(() => pipeline?.stop());

const start = () => pipeline.startReplica({ heartbeatCheckSeconds: checkSeconds });

const settings: HeartbeatSettings = {
  description: null,
  interval: 1,
  intervalUnit: 'minutes',
  enabled: true,
  alertMessage: null,
  alertTags: [],
  alertPriority: 'P2',
};

async function newSender(): Promise<Sender> {
  const sender = await pipeline.newSender();
  const integrationId = await insertIntegration(pipeline.admin, sender);
  return { ...sender, integrationId };
}

const partitionFor = ({ organizationId, environment }: Sender, name: string): number =>
  partitionOf(organizationId, environment, heartbeatFingerprint(name), partitions);

const command = (sender: Sender, name: string, one: HeartbeatCommand): Promise<HeartbeatReply> =>
  new RpcClient(pipeline.nats).request(
    heartbeatRequest,
    {
      organizationId: sender.organizationId,
      environment: sender.environment,
      integrationId: sender.integrationId,
      name,
      partition: partitionFor(sender, name),
      sender: { integrationName: 'backup', clientId: null, staticLabels: { team: 'sre' } },
      command: one,
    },
    { timeoutMs: 10_000, requestId: 'r' },
  );

/** A heartbeat with a short interval. */
async function created(sender: Sender, name = 'backup', more: Partial<HeartbeatSettings> = {}): Promise<void> {
  expect(await command(sender, name, { kind: 'create', settings: { ...settings, ...more } })).toMatchObject({
    kind: 'done',
  });
  await pipeline.admin.query('UPDATE alerts.heartbeats SET interval_seconds = $1 WHERE integration_id = $2', [
    intervalSeconds,
    sender.integrationId,
  ]);
}

const heartbeatOf = async (sender: Sender, name = 'backup') => {
  const reply = await command(sender, name, { kind: 'get' });
  if (reply.kind !== 'done') throw new Error(reply.kind);
  return reply.heartbeat;
};

/** Stores a ping, as the gateway does. */
const storePing = (sender: Sender, name = 'backup') =>
  pipeline.store(resolveOf(sender, { fingerprint: heartbeatFingerprint(name), heartbeat: name }));

async function ping(sender: Sender, name = 'backup'): Promise<void> {
  const before = (await heartbeatOf(sender, name)).lastPingTime;
  await storePing(sender, name);
  await eventually(async () => expect((await heartbeatOf(sender, name)).lastPingTime).not.toBe(before));
}

const opened = (sender: Sender) =>
  eventually(async () => {
    const alerts = await pipeline.alertsOf(sender);
    expect(alerts.some(({ status }) => status === 'firing')).toBe(true);
    return alerts;
  });

const intervalPasses = () => sleep((intervalSeconds + 3 * checkSeconds) * 1000);

test('a heartbeat that does not arrive opens one alert with many replicas, and its next ping resolves it', async () => {
  const replicas = await Promise.all([start(), start(), start()]);
  const sender = await newSender();
  await created(sender, 'backup', { alertTags: ['night', 'db'], alertMessage: 'No backup' });
  await ping(sender);
  expect(await pipeline.alertsOf(sender)).toEqual([]);
  const [alert] = await opened(sender);
  expect(alert).toMatchObject({
    title: 'No backup',
    severity: 3,
    fingerprint: 'heartbeat:backup',
    occurrence_count: 1,
  });
  expect(await heartbeatOf(sender)).toMatchObject({ expired: true });
  const { rows } = await pipeline.admin.query('SELECT labels FROM alerts.alerts WHERE id = $1', [alert!.id]);
  expect(rows).toEqual([{ labels: { heartbeat: 'backup', tags: 'night, db', team: 'sre' } }]);
  await intervalPasses();
  expect(await pipeline.alertsOf(sender)).toMatchObject([{ occurrence_count: 1, version: 1 }]);

  await ping(sender);
  expect(await pipeline.alertOf(sender, 'heartbeat:backup')).toMatchObject({
    status: 'resolved',
    resolve_reason: 'ingest',
  });
  expect(await heartbeatOf(sender)).toMatchObject({ expired: false });
  expect((await opened(sender)).map(({ previous_alert_id: previous }) => previous)).toEqual([null, alert!.id]);
  await pipeline.expectCorrectCounts(sender);
  await pipeline.expectWholeTimeline(sender);
  for (const replica of replicas) await replica.stop();
});

test('pings are not stored as events, only those that resolve an alert', async () => {
  const sender = await newSender();
  await created(sender);
  await ping(sender);
  await opened(sender);
  await ping(sender);
  const { rows } = await pipeline.admin.query(
    'SELECT outcome FROM alerts.events WHERE organization_id = $1 ORDER BY id',
    [sender.organizationId],
  );
  expect(rows).toEqual([{ outcome: 'opened' }, { outcome: 'resolved' }]);
});

test('it does not expire before its first ping, nor disabled or deleted, nor with a disabled integration', async () => {
  const [unused, disabled, off, deleted] = [await newSender(), await newSender(), await newSender(), await newSender()];
  await created(unused);
  for (const sender of [disabled, off, deleted]) {
    await created(sender);
    await ping(sender);
  }
  await command(disabled, 'backup', { kind: 'update', settings: { enabled: false } });
  await pipeline.admin.query('UPDATE resources.integrations SET enabled = false WHERE id = $1', [off.integrationId]);
  await command(deleted, 'backup', { kind: 'delete' });
  await intervalPasses();
  for (const sender of [unused, disabled, off, deleted]) expect(await pipeline.alertsOf(sender)).toEqual([]);

  // The interval begins again when it is enabled.
  await command(disabled, 'backup', { kind: 'update', settings: { enabled: true } });
  await pipeline.admin.query('UPDATE alerts.heartbeats SET interval_seconds = $1 WHERE integration_id = $2', [
    intervalSeconds,
    disabled.integrationId,
  ]);
  await pipeline.admin.query(
    'UPDATE resources.integrations SET enabled = true, updated_at = clock_timestamp() WHERE id = $1',
    [off.integrationId],
  );
  await sleep(checkSeconds * 1000);
  for (const sender of [disabled, off]) expect(await pipeline.alertsOf(sender)).toEqual([]);
  for (const sender of [disabled, off]) await opened(sender);
});

test('a time in which no gateway received does not count', async () => {
  const sender = await newSender();
  await created(sender);
  await ping(sender);
  // No gateway answers, or all of them were started or could not store a moment ago.
  receivingSince = null;
  await intervalPasses();
  expect(await pipeline.alertsOf(sender)).toEqual([]);
  receivingSince = performance.now();
  await sleep(2 * checkSeconds * 1000);
  expect(await pipeline.alertsOf(sender)).toEqual([]);
  // A whole interval begins now.
  const began = receivingSince;
  await opened(sender);
  expect(performance.now() - began).toBeGreaterThan(intervalSeconds * 1000);
  receivingSince = performance.now() - 3_600_000;
});

test('after an outage of the pipeline, stored pings count, and heartbeats without a ping expire', async () => {
  const [alive, silent] = [await newSender(), await newSender()];
  for (const sender of [alive, silent]) {
    await created(sender);
    await ping(sender);
  }
  await pipeline.stopReplicas();
  await sleep(intervalSeconds * 1000);
  await storePing(alive);
  await sleep(1000);
  await start();
  await opened(silent);
  // The partition of the other heartbeat may be applied later. Its stored ping is applied before its interval is
  // checked.
  expect(await pipeline.alertsOf(alive)).toEqual([]);
  await opened(alive);
});

test('create, get, list, update and delete, for the sender only', async () => {
  const sender = await newSender();
  const done = { kind: 'done', heartbeat: { ...settings, name: 'b', expired: false, lastPingTime: null } };
  expect(await command(sender, 'b', { kind: 'get' })).toEqual({ kind: 'missing' });
  expect(await command(sender, 'b', { kind: 'create', settings })).toEqual(done);
  expect(await command(sender, 'b', { kind: 'create', settings })).toEqual({ kind: 'exists' });
  expect(await command(sender, 'a', { kind: 'create', settings })).toMatchObject({ kind: 'done' });
  expect(await command(sender, 'b', { kind: 'update', settings: { interval: 2, alertTags: ['x'] } })).toMatchObject({
    kind: 'done',
    heartbeat: { interval: 2, intervalUnit: 'minutes', alertTags: ['x'] },
  });
  const list = async ({ organizationId, environment, integrationId }: Sender) =>
    (
      await new RpcClient(pipeline.nats).request(
        heartbeatsRequest,
        { organizationId, environment, integrationId },
        { timeoutMs: 10_000, requestId: 'r' },
      )
    ).heartbeats.map(({ name }) => name);
  expect(await list(sender)).toEqual(['a', 'b']);

  const strangers: Sender[] = [
    { ...sender, organizationId: newUuid() },
    { ...sender, environment: 'test' },
    { ...sender, integrationId: newUuid() },
  ];
  for (const stranger of strangers) {
    for (const one of [{ kind: 'get' }, { kind: 'update', settings: { interval: 9 } }, { kind: 'delete' }] as const)
      expect(await command(stranger, 'b', one)).toEqual({ kind: 'missing' });
    expect(await list(stranger)).toEqual([]);
    // A ping of another sender has no effect either.
    await storePing(stranger, 'b');
  }
  await storePing(sender, 'a');
  await eventually(async () => expect((await heartbeatOf(sender, 'a')).lastPingTime).not.toBeNull());
  expect(await heartbeatOf(sender, 'b')).toMatchObject({ interval: 2, lastPingTime: null });
  expect(await command(sender, 'b', { kind: 'delete' })).toMatchObject({ kind: 'done' });
  expect(await command(sender, 'b', { kind: 'get' })).toEqual({ kind: 'missing' });
});
