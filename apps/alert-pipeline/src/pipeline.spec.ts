import {
  acknowledgeAlert,
  auditStream,
  bulkAlerts,
  ingestStream,
  ingestSubject,
  newUuid,
  publicId,
  resolveAlert,
} from '@ams/contracts';
import { partitionOf } from '@ams/domain';
import { managerOf } from '@ams/messaging';
import { eventually } from '@ams/testing';
import { jetstream } from '@nats-io/jetstream';
import { eventOf, idempotent, partitions, startWorld, type Sender, type TestWorld } from '../testing/support.js';

let world: TestWorld;

beforeAll(async () => {
  world = await startWorld();
});

afterAll(() => world?.stop());

describe('events', () => {
  test('the first firing opens an alert, the second counts, a resolve resolves, the next firing opens another', async () => {
    const sender = await world.newSender();
    await world.store(
      eventOf(sender),
      eventOf(sender, { title: 'Higher CPU', severity: 'critical' }),
      eventOf(sender, { status: 'resolved', severity: null }),
      eventOf(sender),
    );
    await world.applied(sender, 4);
    const [first, second] = await world.alertsOf(sender);
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
    await world.countsAreTrue(sender);
    await world.timelineIsWhole(sender);
  });

  test('a resolve for which nothing is open opens nothing, and the event is kept', async () => {
    const sender = await world.newSender();
    await world.store(eventOf(sender, { status: 'resolved', severity: null }));
    await world.applied(sender, 1);
    expect(await world.alertsOf(sender)).toEqual([]);
    const { rows } = await world.admin.query('SELECT outcome, alert_id FROM alerts.events WHERE organization_id = $1', [
      sender.organizationId,
    ]);
    expect(rows).toEqual([{ outcome: 'noMatch', alert_id: null }]);
  });

  test('the same fingerprint of two integrations is two alerts, or one when they deduplicate over the organization', async () => {
    const sender = await world.newSender();
    const other = { ...sender, integrationId: newUuid() };
    await world.store(eventOf(sender), eventOf(other));
    await world.store(
      eventOf(sender, { fingerprint: 'wide', dedupScope: 'organization' }),
      eventOf(other, { fingerprint: 'wide', dedupScope: 'organization' }),
    );
    await world.applied(sender, 4);
    const rows = await world.alertsOf(sender);
    expect(rows.filter((row) => row.fingerprint === 'cpu')).toHaveLength(2);
    expect(rows.filter((row) => row.fingerprint === 'wide').map((row) => row.occurrence_count)).toEqual([2]);
  });

  test('an event whose request was repeated counts once', async () => {
    const sender = await world.newSender();
    const event = eventOf(sender, { repeatable: true });
    await world.store(event, event);
    await world.store(eventOf(sender, { fingerprint: 'after' }));
    await world.store(event);
    await world.applied(sender, 2);
    expect((await world.alertsOf(sender)).map((row) => row.occurrence_count)).toEqual([1, 1]);
  });

  test('what cannot be applied is set aside and holds up nothing', async () => {
    const sender = await world.newSender();
    const js = jetstream(world.broker);
    const partition = partitionOf(sender.organizationId, 'live', 'cpu', partitions);
    await js.publish(ingestSubject(partition), 'not json');
    await world.store(eventOf(sender, { receivedAt: 'no time at all' }), eventOf(sender));
    await world.applied(sender, 1);
    const { rows } = await world.admin.query<{ payload: string }>(
      'SELECT payload FROM alerts.set_aside WHERE partition = $1 ORDER BY stream_sequence DESC LIMIT 2',
      [partition],
    );
    expect(rows.map(({ payload }) => payload.slice(0, 8))).toEqual(['{"events', 'not json']);
  });

  test('a storm of one fingerprint is one alert with every occurrence', async () => {
    const sender = await world.newSender();
    await Promise.all(Array.from({ length: 400 }, () => world.store(eventOf(sender))));
    await world.applied(sender, 400);
    expect(await world.alertsOf(sender)).toMatchObject([{ occurrence_count: 400, version: 400 }]);
    await world.timelineIsWhole(sender);
  });

  test('an alert for which no event comes resolves by itself', async () => {
    const sender = await world.newSender();
    await world.store(
      eventOf(sender, { autoResolveAfterSeconds: 1 }),
      eventOf(sender, { fingerprint: 'stays', autoResolveAfterSeconds: 600 }),
    );
    await world.applied(sender, 2);
    await eventually(
      async () =>
        expect((await world.alertsOf(sender)).map((row) => row.status).sort()).toEqual(['firing', 'resolved']),
      { timeoutMs: 10_000 },
    );
    expect((await world.alertsOf(sender)).find((row) => row.status === 'resolved')).toMatchObject({
      resolve_reason: 'timeout',
      resolved_by: { type: 'integration' },
      version: 2,
    });
    await world.countsAreTrue(sender);
  });
});

describe('commands', () => {
  const openAlert = async (sender: Sender): Promise<string> => {
    await world.store(eventOf(sender));
    await world.applied(sender, 1);
    return publicId('alert', (await world.alertsOf(sender))[0]?.id ?? '');
  };

  test('acknowledge, again, resolve, again, and acknowledge what is resolved', async () => {
    const sender = await world.newSender();
    const id = await openAlert(sender);
    const acknowledged = await world.ask(sender, acknowledgeAlert, { params: { id }, body: { note: 'on it' } });
    expect(acknowledged).toMatchObject({
      ok: true,
      version: 2,
      body: { data: { status: 'acknowledged', acknowledgedBy: { type: 'api_key', name: 'key' }, version: 2 } },
    });
    expect(await world.ask(sender, acknowledgeAlert, { params: { id } })).toEqual(acknowledged);
    expect(await world.ask(sender, resolveAlert, { params: { id } })).toMatchObject({
      ok: true,
      body: { data: { status: 'resolved', resolveReason: 'api', version: 3 } },
    });
    expect(await world.ask(sender, resolveAlert, { params: { id } })).toMatchObject({
      ok: true,
      body: { data: { version: 3 } },
    });
    expect(await world.ask(sender, acknowledgeAlert, { params: { id } })).toMatchObject({
      ok: false,
      code: 'INVALID_STATE_TRANSITION',
      details: { from: 'resolved', to: 'acknowledged', allowed: [] },
    });
    await world.timelineIsWhole(sender);
    await world.countsAreTrue(sender);
  });

  test('a stale version, a foreign alert and an id of no form are told apart from success', async () => {
    const sender = await world.newSender();
    const id = await openAlert(sender);
    expect(await world.ask(sender, acknowledgeAlert, { params: { id }, ifMatch: '"7"' })).toMatchObject({
      ok: false,
      code: 'VERSION_MISMATCH',
      details: { current: 1 },
    });
    const foreigner = await world.newSender();
    for (const params of [{ id }, { id: 'alr_1' }, { id: '' }]) {
      expect(await world.ask(foreigner, acknowledgeAlert, { params })).toMatchObject({
        ok: false,
        code: 'NOT_FOUND',
        details: { resource: 'alert', id: params.id },
      });
    }
    const inTest = { ...sender, principal: { ...sender.principal, environment: 'test' as const } };
    expect(await world.ask(inTest, resolveAlert, { params: { id } })).toMatchObject({ ok: false, code: 'NOT_FOUND' });
  });

  test('a revoked key changes nothing', async () => {
    const sender = await world.newSender();
    const id = await openAlert(sender);
    await world.admin.query('UPDATE auth.api_keys SET revoked_at = now() WHERE id = $1', [sender.principal.id]);
    expect(await world.ask(sender, acknowledgeAlert, { params: { id } })).toMatchObject({
      ok: false,
      code: 'UNAUTHORIZED',
    });
    expect(await world.alertsOf(sender)).toMatchObject([{ status: 'firing', version: 1 }]);
  });

  test('the same Idempotency-Key answers the first answer, another request with it is refused', async () => {
    const sender = await world.newSender();
    const id = await openAlert(sender);
    const idempotency = idempotent('k');
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => world.ask(sender, acknowledgeAlert, { params: { id }, idempotency })),
    );
    await world.ask(sender, resolveAlert, { params: { id } });
    answers.push(await world.ask(sender, acknowledgeAlert, { params: { id }, idempotency }));
    for (const answer of answers)
      expect(answer).toMatchObject({ ok: true, body: { data: { status: 'acknowledged', version: 2 } } });
    expect(
      await world.ask(sender, acknowledgeAlert, { params: { id }, idempotency: { ...idempotency, fingerprint: 'b' } }),
    ).toMatchObject({ ok: false, code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  test('bulk: each id has a result of its own', async () => {
    const sender = await world.newSender();
    await world.store(
      eventOf(sender, { fingerprint: 'a' }),
      eventOf(sender, { fingerprint: 'b', status: 'acknowledged' }),
      eventOf(sender, { fingerprint: 'c' }),
      eventOf(sender, { fingerprint: 'c', status: 'resolved' }),
    );
    await world.applied(sender, 4);
    const ids = (await world.alertsOf(sender))
      .sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1))
      .map(({ id }) => publicId('alert', id));
    const answer = await world.ask(sender, bulkAlerts, { body: { action: 'acknowledge', ids: [...ids, 'alr_none'] } });
    expect(answer).toMatchObject({
      ok: true,
      body: { data: { action: 'acknowledge', requested: 4, succeeded: 2, failed: 2 } },
    });
    const { results } = (
      answer as { body: { data: { results: { ok: boolean; changed: boolean; error: { code: string } | null }[] } } }
    ).body.data;
    expect(results.map(({ ok, changed, error }) => [ok, changed, error?.code ?? null])).toEqual([
      [true, true, null],
      [true, false, null],
      [false, false, 'INVALID_STATE_TRANSITION'],
      [false, false, 'NOT_FOUND'],
    ]);
    await world.countsAreTrue(sender);
  });

  test('bulk by filter, and what is wrong with a request', async () => {
    const sender = await world.newSender();
    await world.store(
      ...['a', 'b', 'c'].map((fingerprint) =>
        eventOf(sender, { fingerprint, labels: { region: fingerprint === 'c' ? 'us' : 'eu' } }),
      ),
    );
    await world.applied(sender, 3);
    expect(
      await world.ask(sender, bulkAlerts, { body: { action: 'resolve', filter: { label: ['region:eu'] } } }),
    ).toMatchObject({ ok: true, body: { data: { requested: 2, succeeded: 2 } } });
    expect((await world.alertsOf(sender)).filter((row) => row.status === 'firing')).toHaveLength(1);
    for (const body of [
      { action: 'resolve' },
      { action: 'close', ids: ['x'] },
      { action: 'resolve', ids: [] },
      { action: 'resolve', ids: ['a'], filter: {} },
      { action: 'resolve', filter: { colour: 'red' } },
      [],
      null,
    ]) {
      expect(await world.ask(sender, bulkAlerts, { body })).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
    }
  });

  test('commands and events at once: no deadlock, nothing lost, every version once', async () => {
    const sender = await world.newSender();
    const fingerprints = ['a', 'b', 'c', 'd', 'e'];
    await world.store(...fingerprints.map((fingerprint) => eventOf(sender, { fingerprint })));
    await world.applied(sender, 5);
    const ids = (await world.alertsOf(sender)).map(({ id }) => publicId('alert', id));
    const work: Promise<unknown>[] = [];
    for (let i = 0; i < 60; i++) {
      work.push(world.store(eventOf(sender, { fingerprint: fingerprints[i % 5] })));
      if (i % 10 === 5)
        work.push(
          world
            .ask(sender, bulkAlerts, {
              body: { action: i % 20 === 5 ? 'acknowledge' : 'resolve', ids: [...ids].reverse() },
            })
            .then((answer) => expect(answer.ok).toBe(true)),
        );
    }
    await Promise.all(work);
    await world.applied(sender, 65);
    await world.timelineIsWhole(sender);
    await world.countsAreTrue(sender);
    const { rows } = await world.admin.query<{ n: number }>(
      'SELECT sum(occurrence_count)::int AS n FROM alerts.alerts WHERE organization_id = $1',
      [sender.organizationId],
    );
    expect(rows[0]?.n).toBe(65);
  });
});

describe('what is told', () => {
  test('every committed change is published once, in order, and audited when a principal made it', async () => {
    const sender = await world.newSender();
    await world.store(eventOf(sender), eventOf(sender), eventOf(sender, { severity: 'critical' }));
    await world.applied(sender, 3);
    const id = publicId('alert', (await world.alertsOf(sender))[0]?.id ?? '');
    await world.ask(sender, resolveAlert, { params: { id } });
    const mine = (await world.told(sender)).filter((event) => 'alert' in event);
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
    expect((await (await managerOf(world.broker)).streams.info(auditStream)).state.messages).toBeGreaterThan(0);
  });
});

test('what has been applied is taken out of the broker, also while a partition has nothing to do', async () => {
  const sender = await world.newSender();
  await world.store(...Array.from({ length: 20 }, () => eventOf(sender)));
  await world.applied(sender, 20);
  const manager = await managerOf(world.broker);
  await eventually(async () => expect((await manager.streams.info(ingestStream)).state.messages).toBe(0), {
    timeoutMs: 40_000,
  });
  await world.store(eventOf(sender, { fingerprint: 'after' }));
  await world.applied(sender, 21);
});

describe('replicas', () => {
  test('share the partitions, and take over from one that stops', async () => {
    const second = await world.startReplica();
    const holders = async () =>
      (
        await world.admin.query<{ n: number }>(
          'SELECT count(*)::int AS n FROM alerts.partitions WHERE held_until > now() GROUP BY holder ORDER BY 1',
        )
      ).rows.map(({ n }) => n);
    await eventually(async () => expect(await holders()).toEqual([2, 2]), { timeoutMs: 10_000 });
    const sender = await world.newSender();
    const sending = Promise.all(
      Array.from({ length: 200 }, (_, i) => world.store(eventOf(sender, { fingerprint: `f${i % 20}` }))),
    );
    await second.stop();
    await sending;
    await world.applied(sender, 200);
    await eventually(async () => expect(await holders()).toEqual([partitions]), { timeoutMs: 10_000 });
    expect((await world.alertsOf(sender)).map((row) => row.occurrence_count)).toEqual(
      Array.from({ length: 20 }, () => 10),
    );
    await world.timelineIsWhole(sender);
  });

  test('the operations are announced again to a broker that has lost what it held', async () => {
    const manager = await managerOf(world.broker);
    const announced = async (): Promise<number> => (await manager.streams.info('KV_operations')).state.messages;
    expect(await announced()).toBe(1);
    await manager.streams.delete('KV_operations');
    await world.infrastructure.nats.restart();
    await eventually(async () => expect(await announced()).toBe(1), { timeoutMs: 15_000 });
  });

  test('a broker and a database that are killed come back to a pipeline that goes on where it was', async () => {
    const sender = await world.newSender();
    await world.store(...Array.from({ length: 50 }, (_, i) => eventOf(sender, { fingerprint: `f${i % 5}` })));
    await world.infrastructure.postgres.restart();
    await world.applied(sender, 50);
    await world.infrastructure.nats.restart();
    await eventually(() => world.store(eventOf(sender, { fingerprint: 'after' })), { timeoutMs: 15_000 });
    await eventually(async () => expect((await world.alertsOf(sender)).length).toBe(6), { timeoutMs: 15_000 });
    expect((await world.alertsOf(sender)).slice(0, 5).map((row) => row.occurrence_count)).toEqual([10, 10, 10, 10, 10]);
  });
});
