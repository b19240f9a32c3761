import { publicId, resolveAlert } from '@ams/contracts';
import { concurrently, eventually } from '@ams/testing';
import { eventOf, startPipeline, type Sender, type TestPipeline } from '../../testing/support.js';

let pipeline: TestPipeline;

beforeAll(async () => {
  pipeline = await startPipeline();
});

afterAll(() => pipeline?.stop());

const timelineTypesOf = async (sender: Sender, fingerprint = 'cpu') =>
  (await pipeline.timelineOf((await pipeline.alertOf(sender, fingerprint)).id)).map(({ type }) => type);

async function statuses(sender: Sender): Promise<Record<string, string>> {
  return Object.fromEntries((await pipeline.alertsOf(sender)).map(({ fingerprint, status }) => [fingerprint, status]));
}

async function expectConsistent(sender: Sender): Promise<void> {
  await pipeline.expectWholeTimeline(sender);
  await pipeline.expectCorrectCounts(sender);
}

test('an event that waited for the lock of its alert is not suppressed by a window that was deleted', async () => {
  const sender = await pipeline.newSender();
  const window = await pipeline.windows.insert(sender, { exceptSeverities: ['high'] });
  await pipeline.send(eventOf(sender));
  const holder = await pipeline.admin.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM alerts.alerts WHERE organization_id = $1 FOR UPDATE', [sender.organizationId]);
    await pipeline.store(eventOf(sender, { severity: 'low' }));
    await pipeline.lockAwaited(holder);
    await pipeline.windows.delete(window);
  } finally {
    await holder.query('COMMIT');
    holder.release();
  }
  await pipeline.applied(sender, 2);
  expect(await timelineTypesOf(sender)).toEqual(['alert.created', 'alert.severityChanged']);
});

describe('many requests at the same time', () => {
  const fingerprints = Array.from({ length: 20 }, (_, i) => `f${i}`);

  test('events and people while windows begin and end: every change once, and no alert stays suppressed', async () => {
    const sender = await pipeline.newSender();
    await pipeline.send(...fingerprints.map((fingerprint) => eventOf(sender, { fingerprint })));
    const ids = (await pipeline.alertsOf(sender)).map(({ id }) => publicId('alert', id));
    let sent = fingerprints.length;
    let changing = true;
    const storm = async (): Promise<void> => {
      for (; changing; sent++)
        await pipeline.store(
          eventOf(sender, { fingerprint: fingerprints[sent % 20], severity: sent % 7 === 0 ? 'critical' : 'high' }),
        );
    };
    const people = async (): Promise<void> => {
      for (const id of ids.slice(0, 5))
        expect((await pipeline.call(sender, resolveAlert, { params: { id } })).ok).toBe(true);
    };
    const windows = async (): Promise<void> => {
      for (let i = 0; i < 4; i++) {
        const window = await pipeline.windows.insert(sender, {
          exceptSeverities: i % 2 === 0 ? ['critical'] : [],
          ends: 7200,
        });
        await pipeline.windows.applied(window);
        await pipeline.windows.change(window, { exceptSeverities: ['info'] });
        await pipeline.windows.change(window, i % 2 === 0 ? { enabled: false } : { ends: 1 });
        await pipeline.windows.applied(window);
        await pipeline.windows.delete(window);
      }
    };
    const changed = windows().finally(() => (changing = false));
    await Promise.all([storm(), changed, people()]);
    await pipeline.applied(sender, sent);
    await eventually(async () =>
      expect((await pipeline.alertsOf(sender)).filter(({ status }) => status === 'suppressed')).toEqual([]),
    );
    await expectConsistent(sender);
  });

  test('two replicas make each change once', async () => {
    const second = await pipeline.startReplica();
    const sender = await pipeline.newSender();
    await pipeline.send(...fingerprints.map((fingerprint) => eventOf(sender, { fingerprint })));
    const windows = await Promise.all(Array.from({ length: 6 }, () => pipeline.windows.insert(sender)));
    for (const window of windows) await pipeline.windows.applied(window);
    // A window that was created a moment later ends later, and alerts that are suppressed already get its end.
    const types = async (fingerprint: string): Promise<string[]> =>
      (await timelineTypesOf(sender, fingerprint)).filter((type) => type !== 'alert.suppressionChanged');
    for (const fingerprint of fingerprints)
      expect(await types(fingerprint)).toEqual(['alert.created', 'alert.suppressed']);
    await Promise.all(windows.map((window) => pipeline.windows.delete(window)));
    await eventually(async () => expect(new Set(Object.values(await statuses(sender)))).toEqual(new Set(['firing'])));
    for (const fingerprint of fingerprints)
      expect((await timelineTypesOf(sender, fingerprint)).filter((type) => type === 'alert.resumed')).toHaveLength(1);
    await expectConsistent(sender);
    await second.stop();
  });

  test('2,000 firing alerts are suppressed and resumed', async () => {
    const sender = await pipeline.newSender();
    await concurrently(2000, 200, (n) => pipeline.store(eventOf(sender, { fingerprint: `f${n}` })));
    await pipeline.applied(sender, 2000);
    const countOf = async (status: string): Promise<number> =>
      (
        await pipeline.admin.query<{ n: number }>(
          'SELECT count(*)::int AS n FROM alerts.alerts WHERE organization_id = $1 AND status = $2',
          [sender.organizationId, status],
        )
      ).rows[0]?.n ?? 0;
    const window = await pipeline.windows.insert(sender);
    await eventually(async () => expect(await countOf('suppressed')).toBe(2000));
    await pipeline.windows.delete(window);
    await eventually(async () => expect(await countOf('firing')).toBe(2000));
    await expectConsistent(sender);
  });
});
