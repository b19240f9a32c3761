import { acknowledgeAlert, bulkAlerts, publicId, resolveAlert, type AlertEvent } from '@ams/contracts';
import {
  eventOf,
  idempotent,
  resolveOf,
  startPipeline,
  type Sender,
  type TestPipeline,
} from '../../testing/support.js';

let pipeline: TestPipeline;

beforeAll(async () => {
  pipeline = await startPipeline();
});

afterAll(() => pipeline?.stop());

describe('events of a sender', () => {
  test('trigger, resolve, a late acknowledgement, trigger: the second outage opens a firing alert', async () => {
    const sender = await pipeline.newSender();
    await pipeline.send(
      eventOf(sender),
      resolveOf(sender),
      eventOf(sender, { status: 'acknowledged', opensNone: true }),
      eventOf(sender),
    );
    expect((await pipeline.alertsOf(sender)).map(({ status }) => status)).toEqual(['resolved', 'firing']);
    const { rows } = await pipeline.admin.query<{ outcome: string }>(
      'SELECT outcome FROM alerts.events WHERE organization_id = $1 ORDER BY id',
      [sender.organizationId],
    );
    expect(rows.map(({ outcome }) => outcome)).toEqual(['opened', 'resolved', 'noMatch', 'opened']);
    const told = (await pipeline.published(sender)) as AlertEvent[];
    expect(told.map(({ type, alert }) => `${type} ${alert.status}`)).toEqual([
      'alert.created firing',
      'alert.resolved resolved',
      'alert.created firing',
    ]);
  });

  test('the same by the standard payload: the acknowledged alert fires, and workflows get an event', async () => {
    const sender = await pipeline.newSender();
    await pipeline.send(
      eventOf(sender),
      resolveOf(sender),
      eventOf(sender, { status: 'acknowledged' }),
      eventOf(sender),
    );
    expect(await pipeline.alertOf(sender)).toMatchObject({ status: 'firing', acknowledged_by: null });
    const told = (await pipeline.published(sender)) as AlertEvent[];
    expect(told.at(-1)).toMatchObject({ type: 'alert.resumed', alert: { status: 'firing' } });
    await pipeline.expectWholeTimeline(sender);
    await pipeline.expectCorrectCounts(sender);
  });

  test('an acknowledgement by a person stays when the sender fires again', async () => {
    const sender = await pipeline.newSender();
    await pipeline.send(eventOf(sender));
    const { id } = await pipeline.alertOf(sender);
    await pipeline.call(sender, acknowledgeAlert, { params: { id: publicId('alert', id) } });
    await pipeline.send(eventOf(sender));
    expect(await pipeline.alertOf(sender)).toMatchObject({ status: 'acknowledged', occurrence_count: 2 });
  });

  test("a repeated event keeps the fields it does not have; firstOccurredAt is the sender's own time", async () => {
    const sender = await pipeline.newSender();
    const occurredAt = new Date(Date.now() - 3_600_000).toISOString();
    await pipeline.send(
      eventOf(sender, { severity: 'critical', description: 'all of it', labels: { region: 'eu' }, occurredAt }),
      eventOf(sender, { severity: 'low', severityIsDefault: true, labels: { host: 'a' } }),
    );
    const { id } = await pipeline.alertOf(sender);
    expect(await pipeline.call(sender, acknowledgeAlert, { params: { id: publicId('alert', id) } })).toMatchObject({
      body: {
        data: {
          severity: 'critical',
          description: 'all of it',
          labels: { region: 'eu', host: 'a' },
          firstOccurredAt: occurredAt,
          occurrenceCount: 2,
        },
      },
    });
  });
});

describe('commands', () => {
  const openAlert = async (sender: Sender): Promise<string> => {
    await pipeline.store(eventOf(sender));
    await pipeline.applied(sender, 1);
    return publicId('alert', (await pipeline.alertsOf(sender))[0]?.id ?? '');
  };

  test('acknowledge twice, resolve twice, and a resolved alert cannot be acknowledged', async () => {
    const sender = await pipeline.newSender();
    const id = await openAlert(sender);
    const acknowledged = await pipeline.call(sender, acknowledgeAlert, { params: { id }, body: { note: 'on it' } });
    expect(acknowledged).toMatchObject({
      ok: true,
      version: 2,
      body: { data: { status: 'acknowledged', acknowledgedBy: { type: 'api_key', name: 'key' }, version: 2 } },
    });
    expect(await pipeline.call(sender, acknowledgeAlert, { params: { id } })).toEqual(acknowledged);
    expect(await pipeline.call(sender, resolveAlert, { params: { id } })).toMatchObject({
      ok: true,
      body: { data: { status: 'resolved', resolveReason: 'api', version: 3 } },
    });
    expect(await pipeline.call(sender, resolveAlert, { params: { id } })).toMatchObject({
      ok: true,
      body: { data: { version: 3 } },
    });
    expect(await pipeline.call(sender, acknowledgeAlert, { params: { id } })).toMatchObject({
      ok: false,
      code: 'INVALID_STATE_TRANSITION',
      details: { from: 'resolved', to: 'acknowledged', allowed: [] },
    });
    await pipeline.expectWholeTimeline(sender);
    await pipeline.expectCorrectCounts(sender);
  });

  test('a stale version, an alert of another tenant and a malformed id are errors', async () => {
    const sender = await pipeline.newSender();
    const id = await openAlert(sender);
    expect(await pipeline.call(sender, acknowledgeAlert, { params: { id }, ifMatch: '"7"' })).toMatchObject({
      ok: false,
      code: 'VERSION_MISMATCH',
      details: { current: 1 },
    });
    const foreigner = await pipeline.newSender();
    for (const params of [{ id }, { id: 'alr_1' }, { id: '' }]) {
      expect(await pipeline.call(foreigner, acknowledgeAlert, { params })).toMatchObject({
        ok: false,
        code: 'NOT_FOUND',
        details: { resource: 'alert', id: params.id },
      });
    }
    const inTest = { ...sender, principal: { ...sender.principal, environment: 'test' as const } };
    expect(await pipeline.call(inTest, resolveAlert, { params: { id } })).toMatchObject({
      ok: false,
      code: 'NOT_FOUND',
    });
  });

  test('a revoked key changes nothing', async () => {
    const sender = await pipeline.newSender();
    const id = await openAlert(sender);
    await pipeline.admin.query('UPDATE auth.api_keys SET revoked_at = now() WHERE id = $1', [sender.principal.id]);
    expect(await pipeline.call(sender, acknowledgeAlert, { params: { id } })).toMatchObject({
      ok: false,
      code: 'UNAUTHORIZED',
    });
    expect(await pipeline.alertsOf(sender)).toMatchObject([{ status: 'firing', version: 1 }]);
  });

  test('an Idempotency-Key repeats the first answer, and is refused with another request', async () => {
    const sender = await pipeline.newSender();
    const id = await openAlert(sender);
    const idempotency = idempotent('k');
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => pipeline.call(sender, acknowledgeAlert, { params: { id }, idempotency })),
    );
    await pipeline.call(sender, resolveAlert, { params: { id } });
    answers.push(await pipeline.call(sender, acknowledgeAlert, { params: { id }, idempotency }));
    for (const answer of answers)
      expect(answer).toMatchObject({ ok: true, body: { data: { status: 'acknowledged', version: 2 } } });
    expect(
      await pipeline.call(sender, acknowledgeAlert, {
        params: { id },
        idempotency: { ...idempotency, fingerprint: 'b' },
      }),
    ).toMatchObject({ ok: false, code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  test('bulk: each id has its own result', async () => {
    const sender = await pipeline.newSender();
    await pipeline.store(
      eventOf(sender, { fingerprint: 'a' }),
      eventOf(sender, { fingerprint: 'b', status: 'acknowledged' }),
      eventOf(sender, { fingerprint: 'c' }),
      eventOf(sender, { fingerprint: 'c', status: 'resolved' }),
    );
    await pipeline.applied(sender, 4);
    const ids = (await pipeline.alertsOf(sender))
      .sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1))
      .map(({ id }) => publicId('alert', id));
    const answer = await pipeline.call(sender, bulkAlerts, {
      body: { action: 'acknowledge', ids: [...ids, 'alr_none'] },
    });
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
    await pipeline.expectCorrectCounts(sender);
  });

  test('bulk by filter, and the errors of a request', async () => {
    const sender = await pipeline.newSender();
    await pipeline.store(
      ...['a', 'b', 'c'].map((fingerprint) =>
        eventOf(sender, { fingerprint, labels: { region: fingerprint === 'c' ? 'us' : 'eu' } }),
      ),
    );
    await pipeline.applied(sender, 3);
    expect(
      await pipeline.call(sender, bulkAlerts, { body: { action: 'resolve', filter: { label: ['region:eu'] } } }),
    ).toMatchObject({ ok: true, body: { data: { requested: 2, succeeded: 2 } } });
    expect((await pipeline.alertsOf(sender)).filter((row) => row.status === 'firing')).toHaveLength(1);
    for (const body of [
      { action: 'resolve' },
      { action: 'close', ids: ['x'] },
      { action: 'resolve', ids: [] },
      { action: 'resolve', ids: ['a'], filter: {} },
      { action: 'resolve', filter: { colour: 'red' } },
      [],
      null,
    ]) {
      expect(await pipeline.call(sender, bulkAlerts, { body })).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
    }
  });

  test('commands and events at the same time: no deadlock, nothing lost, every version once', async () => {
    const sender = await pipeline.newSender();
    const fingerprints = ['a', 'b', 'c', 'd', 'e'];
    await pipeline.store(...fingerprints.map((fingerprint) => eventOf(sender, { fingerprint })));
    await pipeline.applied(sender, 5);
    const ids = (await pipeline.alertsOf(sender)).map(({ id }) => publicId('alert', id));
    const work: Promise<unknown>[] = [];
    for (let i = 0; i < 60; i++) {
      work.push(pipeline.store(eventOf(sender, { fingerprint: fingerprints[i % 5] })));
      if (i % 10 === 5)
        work.push(
          pipeline
            .call(sender, bulkAlerts, {
              body: { action: i % 20 === 5 ? 'acknowledge' : 'resolve', ids: [...ids].reverse() },
            })
            .then((answer) => expect(answer.ok).toBe(true)),
        );
    }
    await Promise.all(work);
    await pipeline.applied(sender, 65);
    await pipeline.expectWholeTimeline(sender);
    await pipeline.expectCorrectCounts(sender);
    const { rows } = await pipeline.admin.query<{ n: number }>(
      'SELECT sum(occurrence_count)::int AS n FROM alerts.alerts WHERE organization_id = $1',
      [sender.organizationId],
    );
    expect(rows[0]?.n).toBe(65);
  });
});
