import { auditStream, ingestStream, ingestSubject, newUuid, publicId, resolveAlert } from '@ams/contracts';
import { partitionOf } from '@ams/domain';
import { eventually, streamManager } from '@ams/testing';
import { jetstream } from '@nats-io/jetstream';
import { eventOf, partitions, startPipeline, type TestPipeline } from '../../testing/support.js';

let pipeline: TestPipeline;

beforeAll(async () => {
  pipeline = await startPipeline();
});

afterAll(() => pipeline?.stop());

describe('events', () => {
  test('the first firing event opens an alert, the second counts, a resolve ends it, the next opens one', async () => {
    const sender = await pipeline.newSender();
    await pipeline.store(
      eventOf(sender),
      eventOf(sender, { title: 'Higher CPU', severity: 'critical' }),
      eventOf(sender, { status: 'resolved', severity: null }),
      eventOf(sender),
    );
    await pipeline.applied(sender, 4);
    const [first, second] = await pipeline.alertsOf(sender);
    expect(first).toMatchObject({
      status: 'resolved',
      title: 'Higher CPU',
      severity: 4,
      occurrence_count: 2,
      version: 3,
      resolve_reason: 'ingest',
      resolved_by: { type: 'integration' },
    });
    expect(second).toMatchObject({ status: 'firing', occurrence_count: 1, version: 1, previous_alert_id: first?.id });
    await pipeline.expectCorrectCounts(sender);
    await pipeline.expectWholeTimeline(sender);
  });

  test('a resolve without an open alert opens none, and the event is stored', async () => {
    const sender = await pipeline.newSender();
    await pipeline.store(eventOf(sender, { status: 'resolved', severity: null }));
    await pipeline.applied(sender, 1);
    expect(await pipeline.alertsOf(sender)).toEqual([]);
    const { rows } = await pipeline.admin.query(
      'SELECT outcome, alert_id FROM alerts.events WHERE organization_id = $1',
      [sender.organizationId],
    );
    expect(rows).toEqual([{ outcome: 'noMatch', alert_id: null }]);
  });

  test('a fingerprint of two integrations is two alerts, or one when they deduplicate in the environment', async () => {
    const sender = await pipeline.newSender();
    const other = { ...sender, integrationId: newUuid() };
    await pipeline.store(eventOf(sender), eventOf(other));
    await pipeline.store(
      eventOf(sender, { fingerprint: 'wide', dedupScope: 'organization' }),
      eventOf(other, { fingerprint: 'wide', dedupScope: 'organization' }),
    );
    await pipeline.applied(sender, 4);
    const rows = await pipeline.alertsOf(sender);
    expect(rows.filter((row) => row.fingerprint === 'cpu')).toHaveLength(2);
    expect(rows.filter((row) => row.fingerprint === 'wide').map((row) => row.occurrence_count)).toEqual([2]);
  });

  test('an event of a repeated request counts once', async () => {
    const sender = await pipeline.newSender();
    const event = eventOf(sender, { repeatable: true });
    await pipeline.store(event, event);
    await pipeline.store(eventOf(sender, { fingerprint: 'after' }));
    await pipeline.store(event);
    await pipeline.applied(sender, 2);
    expect((await pipeline.alertsOf(sender)).map((row) => row.occurrence_count)).toEqual([1, 1]);
  });

  test('an event that cannot be applied is set aside and delays no other', async () => {
    const sender = await pipeline.newSender();
    const js = jetstream(pipeline.nats);
    const partition = partitionOf(sender.organizationId, 'live', 'cpu', partitions);
    await js.publish(ingestSubject(partition), 'not json');
    await pipeline.store(eventOf(sender, { receivedAt: 'no time at all' }), eventOf(sender));
    await pipeline.applied(sender, 1);
    const { rows } = await pipeline.admin.query<{ payload: string }>(
      'SELECT payload FROM alerts.set_aside WHERE partition = $1 ORDER BY stream_sequence DESC LIMIT 2',
      [partition],
    );
    expect(rows.map(({ payload }) => payload.slice(0, 8))).toEqual(['{"events', 'not json']);
  });

  test('an event whose tenant is at fault is set aside without a tenant and delays no other', async () => {
    const sender = await pipeline.newSender();
    const partition = partitionOf(sender.organizationId, 'live', 'cpu', partitions);
    const text = JSON.stringify({ events: [{ ...eventOf(sender), organizationId: 7, environment: 'moon' }] });
    await jetstream(pipeline.nats).publish(ingestSubject(partition), text);
    await pipeline.store(eventOf(sender));
    await pipeline.applied(sender, 1);
    const { rows } = await pipeline.admin.query(
      'SELECT organization_id, environment FROM alerts.set_aside WHERE partition = $1 ORDER BY id DESC LIMIT 1',
      [partition],
    );
    expect(rows).toEqual([{ organization_id: null, environment: null }]);
  });

  test('many events of one fingerprint are one alert with every occurrence', async () => {
    const sender = await pipeline.newSender();
    await Promise.all(Array.from({ length: 400 }, () => pipeline.store(eventOf(sender))));
    await pipeline.applied(sender, 400);
    expect(await pipeline.alertsOf(sender)).toMatchObject([{ occurrence_count: 400, version: 400 }]);
    await pipeline.expectWholeTimeline(sender);
  });

  test('an alert without new events resolves after its time', async () => {
    const sender = await pipeline.newSender();
    await pipeline.store(
      eventOf(sender, { autoResolveAfterSeconds: 1 }),
      eventOf(sender, { fingerprint: 'stays', autoResolveAfterSeconds: 600 }),
    );
    await pipeline.applied(sender, 2);
    await eventually(async () =>
      expect((await pipeline.alertsOf(sender)).map((row) => row.status).sort()).toEqual(['firing', 'resolved']),
    );
    expect((await pipeline.alertsOf(sender)).find((row) => row.status === 'resolved')).toMatchObject({
      resolve_reason: 'timeout',
      resolved_by: { type: 'integration' },
      version: 2,
    });
    await pipeline.expectCorrectCounts(sender);
  });
});

test('the time of an automatic resolve begins when the event is applied, by the clock of the database', async () => {
  const sender = await pipeline.newSender();
  const secondsLeft = async (): Promise<number> => {
    const { rows } = await pipeline.admin.query<{ seconds: number }>(
      `SELECT extract(epoch FROM auto_resolve_at - now())::float8 AS seconds FROM alerts.alerts
       WHERE organization_id = $1`,
      [sender.organizationId],
    );
    return rows[0]?.seconds ?? Number.NaN;
  };
  const behind = new Date(Date.now() - 600_000).toISOString();
  const ahead = new Date(Date.now() + 600_000).toISOString();
  await pipeline.send(eventOf(sender, { autoResolveAfterSeconds: 300, receivedAt: behind }));
  expect(await secondsLeft()).toBeGreaterThan(250);
  expect(await pipeline.alertOf(sender)).toMatchObject({ status: 'firing' });
  await pipeline.send(eventOf(sender, { autoResolveAfterSeconds: 300, receivedAt: ahead }));
  expect(await secondsLeft()).toBeLessThanOrEqual(300);
  await pipeline.admin.query(
    `UPDATE alerts.alerts SET auto_resolve_at = now() + interval '1 minute' WHERE organization_id = $1`,
    [sender.organizationId],
  );
  await pipeline.send(eventOf(sender, { autoResolveAfterSeconds: 300, receivedAt: behind }));
  expect(await secondsLeft()).toBeGreaterThan(250);
});

describe('published events', () => {
  test('every committed change is published once, in order, and a change by a principal is audited', async () => {
    const sender = await pipeline.newSender();
    await pipeline.store(eventOf(sender), eventOf(sender), eventOf(sender, { severity: 'critical' }));
    await pipeline.applied(sender, 3);
    const id = publicId('alert', (await pipeline.alertsOf(sender))[0]?.id ?? '');
    await pipeline.call(sender, resolveAlert, { params: { id } });
    const mine = (await pipeline.published(sender)).filter((event) => 'alert' in event);
    expect(mine.map(({ type, alert }) => [type, alert.version])).toEqual([
      ['alert.created', 1],
      ['alert.severityChanged', 3],
      ['alert.resolved', 4],
    ]);
    expect(mine[2]).toMatchObject({
      actor: { type: 'api_key' },
      cause: { type: 'request', id: 'r' },
      alert: { id, status: 'resolved' },
      depth: 0,
    });
    expect((await (await streamManager(pipeline.nats)).streams.info(auditStream)).state.messages).toBeGreaterThan(0);
  });
});

test('applied events are removed from the stream, also while a partition is idle', async () => {
  await pipeline.stopReplicas();
  await pipeline.startReplica({ standbyLagSeconds: 0 });
  const sender = await pipeline.newSender();
  await pipeline.store(...Array.from({ length: 20 }, () => eventOf(sender)));
  await pipeline.applied(sender, 20);
  const manager = await streamManager(pipeline.nats);
  await eventually(async () => expect((await manager.streams.info(ingestStream)).state.messages).toBe(0));
  await pipeline.store(eventOf(sender, { fingerprint: 'after' }));
  await pipeline.applied(sender, 21);
});

describe('replicas', () => {
  test('share the partitions, and take over from one that stops', async () => {
    const second = await pipeline.startReplica();
    const holders = async () =>
      (
        await pipeline.admin.query<{ n: number }>(
          'SELECT count(*)::int AS n FROM alerts.partitions WHERE held_until > now() GROUP BY holder ORDER BY 1',
        )
      ).rows.map(({ n }) => n);
    await eventually(async () => expect(await holders()).toEqual([2, 2]));
    const sender = await pipeline.newSender();
    const sending = Promise.all(
      Array.from({ length: 200 }, (_, i) => pipeline.store(eventOf(sender, { fingerprint: `f${i % 20}` }))),
    );
    await second.stop();
    await sending;
    await pipeline.applied(sender, 200);
    await eventually(async () => expect(await holders()).toEqual([partitions]));
    expect((await pipeline.alertsOf(sender)).map((row) => row.occurrence_count)).toEqual(
      Array.from({ length: 20 }, () => 10),
    );
    await pipeline.expectWholeTimeline(sender);
  });
});
