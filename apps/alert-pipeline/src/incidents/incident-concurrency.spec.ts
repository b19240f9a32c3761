import { acknowledgeAlert, bulkAlerts, uuidOf } from '@ams/contracts';
import { whenAnswered } from '@ams/testing';
import { testIncidents } from '../../testing/incidents.js';
import { dataOf, eventOf, resolveOf, startPipeline, type TestPipeline } from '../../testing/support.js';

let pipeline: TestPipeline;

beforeAll(async () => {
  pipeline = await startPipeline();
});

afterAll(() => pipeline?.stop());

const { post, put, opened, fired, expectConsistent } = testIncidents(() => pipeline);

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `f${i}`);

describe('many requests at the same time', () => {
  test('fifty alerts resolve by events while people acknowledge and resolve the incident and its alerts', async () => {
    const sender = await pipeline.newSender();
    const ids = await fired(sender, ...names(50));
    const { id } = await opened(sender, { alertIds: ids });
    const people = async (bodies: object[]): Promise<void> => {
      for (const body of bodies) {
        const answer = await whenAnswered(() => put(sender, id, body));
        if (!answer.ok) expect(answer.code).toBe('INVALID_STATE_TRANSITION');
      }
    };
    await Promise.all([
      ...names(50).map((fingerprint) =>
        pipeline.store(eventOf(sender, { fingerprint }), resolveOf(sender, { fingerprint })),
      ),
      people([{ status: 'acknowledged' }, { note: 'on it' }, { status: 'triggered' }, { status: 'acknowledged' }]),
      people([
        { severity: 'low' },
        { status: 'resolved', resolveAlerts: true },
        { status: 'triggered' },
        { status: 'resolved', resolveAlerts: true },
      ]),
      ...[ids.slice(0, 25), ids.slice(10, 40).reverse()].map(async (some) =>
        dataOf(
          await whenAnswered(() => pipeline.call(sender, bulkAlerts, { body: { action: 'acknowledge', ids: some } })),
        ),
      ),
      ...ids.slice(20, 30).map((alert) => pipeline.call(sender, acknowledgeAlert, { params: { id: alert } })),
    ]);
    await pipeline.applied(sender, 150);
    expect(
      (
        await pipeline.admin.query('SELECT error FROM alerts.set_aside WHERE organization_id = $1', [
          sender.organizationId,
        ])
      ).rows,
    ).toEqual([]);
    expect(await pipeline.incidentsOf(sender)).toMatchObject([{ alert_count: 50, open_alert_count: 0 }]);
    await expectConsistent(sender);
  });

  test('new incidents take alerts from incidents that are being resolved: each alert is in exactly one', async () => {
    const sender = await pipeline.newSender();
    const ids = await fired(sender, ...names(20));
    const { id } = await opened(sender, { alertIds: ids });
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, (_, i) =>
        whenAnswered(() =>
          post(sender, { alertIds: i % 2 === 0 ? ids.slice(i, i + 10) : ids.slice(i, i + 10).reverse() }),
        ),
      ),
      whenAnswered(() => put(sender, id, { status: 'resolved' })),
      ...Array.from({ length: 10 }, (_, i) =>
        whenAnswered(() => post(sender, { alertIds: ids.slice(i, i + 10).reverse() })),
      ),
      ...names(20).map((fingerprint) => pipeline.store(resolveOf(sender, { fingerprint })).then(() => null)),
    ]);
    await pipeline.applied(sender, 40);
    for (const answer of answers) if (answer && !answer.ok) expect(answer.code).toBe('CONFLICT');
    expect((await pipeline.incidentsOf(sender)).reduce((sum, { alert_count: count }) => sum + count, 0)).toBe(20);
    await expectConsistent(sender);
  });

  test('a transaction that waits for an incident has not locked the counts of the tenant', async () => {
    const sender = await pipeline.newSender();
    const { id } = await opened(sender, { alertIds: await fired(sender, 'cpu') });
    const holder = await pipeline.admin.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM alerts.incidents WHERE id = $1 FOR UPDATE', [uuidOf('incident', id)]);
      await pipeline.store(resolveOf(sender));
      await pipeline.lockAwaited(holder);
      expect(
        (
          await pipeline.admin.query('SELECT 1 FROM alerts.counts WHERE organization_id = $1 FOR UPDATE NOWAIT', [
            sender.organizationId,
          ])
        ).rowCount,
      ).toBeGreaterThan(0);
    } finally {
      await holder.query('COMMIT');
      holder.release();
    }
    await pipeline.applied(sender, 2);
    await expectConsistent(sender);
  });
});
