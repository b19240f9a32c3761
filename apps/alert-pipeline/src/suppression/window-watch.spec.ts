import { newUuid, publicId, type IngestEvent } from '@ams/contracts';
import { partitionOf } from '@ams/domain';
import { eventually, insertAlert } from '@ams/testing';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import {
  eventOf,
  partitions,
  resolveOf,
  startPipeline,
  type Sender,
  type TestPipeline,
} from '../../testing/support.js';
import { type WindowValues } from '../../testing/windows.js';

let pipeline: TestPipeline;

beforeAll(async () => {
  pipeline = await startPipeline();
});

afterAll(() => pipeline?.stop());

const windowId = (id: string): string => publicId('suppressionWindow', id);

const becomes = (sender: Sender, fingerprint: string, values: object): Promise<void> =>
  eventually(async () => expect(await pipeline.alertOf(sender, fingerprint)).toMatchObject(values));

const timelineTypesOf = async (sender: Sender, fingerprint = 'cpu') =>
  (await pipeline.timelineOf((await pipeline.alertOf(sender, fingerprint)).id)).map(({ type }) => type);

async function statuses(sender: Sender): Promise<Record<string, string>> {
  return Object.fromEntries((await pipeline.alertsOf(sender)).map(({ fingerprint, status }) => [fingerprint, status]));
}

async function expectConsistent(sender: Sender): Promise<void> {
  await pipeline.expectWholeTimeline(sender);
  await pipeline.expectCorrectCounts(sender);
}

describe('a window that begins', () => {
  test('suppresses firing alerts, but no acknowledged or resolved ones and no excepted severities', async () => {
    const sender = await pipeline.newSender();
    await pipeline.send(
      eventOf(sender),
      eventOf(sender, { fingerprint: 'acknowledged', status: 'acknowledged' }),
      eventOf(sender, { fingerprint: 'excepted', severity: 'critical' }),
      eventOf(sender, { fingerprint: 'resolved' }),
      resolveOf(sender, { fingerprint: 'resolved' }),
    );
    const window = await pipeline.windows.insert(sender, { begins: 1, exceptSeverities: ['critical'] });
    await becomes(sender, 'cpu', {
      status: 'suppressed',
      version: 2,
      suppression: { windowId: windowId(window), priorStatus: 'firing' },
    });
    expect(await statuses(sender)).toEqual({
      cpu: 'suppressed',
      acknowledged: 'acknowledged',
      excepted: 'firing',
      resolved: 'resolved',
    });
    const [, suppressed] = await pipeline.timelineOf((await pipeline.alertOf(sender)).id);
    expect(suppressed).toMatchObject({
      type: 'alert.suppressed',
      actor: { type: 'service', id: null },
      cause: { type: 'window', id: windowId(window) },
      changes: [
        { field: 'status', before: 'firing', after: 'suppressed' },
        { field: 'suppression', before: null },
      ],
    });
    await expectConsistent(sender);
  });

  test.each<[string, Partial<IngestEvent>, Partial<WindowValues>]>([
    [
      'a label',
      { labels: { team: 'db', "it's": '50%' } },
      {
        matchers: [
          { field: "labels.it's", op: 'eq', value: '50%' },
          { field: 'labels.team', op: 'in', value: ['db', 'web'] },
        ],
      },
    ],
    ['a severity', { severity: 'low' }, { matchers: [{ field: 'severity', op: 'lte', value: 'LOW' }] }],
    [
      'a title',
      { title: 'Backup of db-7 failed' },
      { matchers: [{ field: 'title', op: 'startsWith', value: 'Backup' }] },
    ],
  ])('suppresses alerts by %s, and no others', async (_what, event, values) => {
    const sender = await pipeline.newSender();
    await pipeline.send(eventOf(sender, event), eventOf(sender, { fingerprint: 'other' }));
    await pipeline.windows.applied(await pipeline.windows.insert(sender, values));
    expect(await statuses(sender)).toEqual({ cpu: 'suppressed', other: 'firing' });
  });

  test('suppresses alerts by clients and by integrations', async () => {
    const sender = await pipeline.newSender();
    const client = await pipeline.newClient(sender, 'acme');
    await pipeline.send(
      eventOf(sender, { clientId: client }),
      eventOf(sender, { fingerprint: 'of another client', clientId: newUuid() }),
      eventOf(sender, { fingerprint: 'of none' }),
    );
    const window = await pipeline.windows.insert(sender, { clientIds: [client], integrationIds: [newUuid()] });
    await pipeline.windows.applied(window);
    expect(await statuses(sender)).toEqual({ cpu: 'firing', 'of another client': 'firing', 'of none': 'firing' });
    await pipeline.windows.change(window, { integrationIds: [newUuid(), sender.integrationId] });
    await pipeline.windows.applied(window);
    expect(await statuses(sender)).toEqual({ cpu: 'suppressed', 'of another client': 'firing', 'of none': 'firing' });
  });

  test('may match the status: a suppressed alert is compared with its earlier status', async () => {
    const sender = await pipeline.newSender();
    const window = await pipeline.windows.insert(sender, {
      matchers: [{ field: 'status', op: 'eq', value: 'firing' }],
    });
    await pipeline.send(eventOf(sender), eventOf(sender));
    await pipeline.windows.change(window, { ends: 7200 });
    await pipeline.windows.applied(window);
    expect(await timelineTypesOf(sender)).toEqual(['alert.created', 'alert.occurred', 'alert.suppressionChanged']);
    await pipeline.windows.change(window, { ends: 1, onEnd: 'resolve' });
    await becomes(sender, 'cpu', { status: 'resolved' });
  });

  test('also suppresses an alert whose event was being applied when the window began', async () => {
    const sender = await pipeline.newSender();
    const partitionOfNew = partitionOf(sender.organizationId, 'live', 'cpu', partitions);
    const neighbour =
      Array.from({ length: 100 }, (_, i) => `neighbour ${i}`).find(
        (name) => partitionOf(sender.organizationId, 'live', name, partitions) === partitionOfNew,
      ) ?? '';
    await pipeline.send(eventOf(sender, { fingerprint: neighbour }));
    await pipeline.send(resolveOf(sender, { fingerprint: neighbour }));
    const holder = await pipeline.admin.connect();
    try {
      await holder.query('BEGIN');
      await holder.query(`SELECT 1 FROM alerts.counts WHERE organization_id = $1 AND status = 'firing' FOR UPDATE`, [
        sender.organizationId,
      ]);
      await pipeline.store(eventOf(sender));
      await pipeline.lockAwaited(holder);
      await pipeline.windows.applied(await pipeline.windows.insert(sender));
    } finally {
      await holder.query('COMMIT');
      holder.release();
    }
    await pipeline.applied(sender, 3);
    await becomes(sender, 'cpu', { status: 'suppressed' });
    await expectConsistent(sender);
  });
});

describe('a window that ends', () => {
  test('resumes its alerts', async () => {
    const sender = await pipeline.newSender();
    const window = await pipeline.windows.insert(sender);
    await pipeline.send(eventOf(sender));
    await pipeline.windows.change(window, { ends: 1 });
    await becomes(sender, 'cpu', { status: 'firing', suppression: null });
    const entries = await pipeline.timelineOf((await pipeline.alertOf(sender)).id);
    expect(entries.at(-1)).toMatchObject({
      type: 'alert.resumed',
      actor: { type: 'service' },
      cause: { type: 'window', id: windowId(window) },
    });
    await expectConsistent(sender);
  });

  test('resolves them when onEnd is resolve', async () => {
    const sender = await pipeline.newSender();
    const window = await pipeline.windows.insert(sender, { onEnd: 'resolve' });
    await pipeline.send(eventOf(sender), eventOf(sender, { fingerprint: 'acknowledged', status: 'acknowledged' }));
    await pipeline.windows.change(window, { ends: 1 });
    await becomes(sender, 'cpu', {
      status: 'resolved',
      resolve_reason: 'timeout',
      resolved_by: { type: 'service', name: 'suppression' },
      suppression: null,
    });
    expect(await statuses(sender)).toEqual({ cpu: 'resolved', acknowledged: 'acknowledged' });
    expect((await pipeline.timelineOf((await pipeline.alertOf(sender)).id)).at(-1)).toMatchObject({
      type: 'alert.resolved',
      cause: { type: 'window', id: windowId(window) },
    });
    await expectConsistent(sender);
  });

  test('resolves them also when its end is changed to a past time', async () => {
    const sender = await pipeline.newSender();
    const window = await pipeline.windows.insert(sender, { onEnd: 'resolve' });
    await pipeline.send(eventOf(sender));
    await pipeline.windows.change(window, { ends: -1 });
    await becomes(sender, 'cpu', { status: 'resolved', resolve_reason: 'timeout' });
  });

  test('resolves them also when the end is changed while the window is checked', async () => {
    const sender = await pipeline.newSender();
    const window = await pipeline.windows.insert(sender, { onEnd: 'resolve' });
    await pipeline.send(eventOf(sender));
    await pipeline.windows.applied(window);
    const holder = await pipeline.admin.connect();
    try {
      // The watch checks one window at a time: it may wait for the lock with a window of another test.
      await eventually(async () => {
        await holder.query('BEGIN; LOCK TABLE alerts.alerts IN ACCESS EXCLUSIVE MODE');
        await pipeline.windows.change(window, { ends: 7200 });
        await pipeline.lockAwaited(holder);
        try {
          expect(await pipeline.windows.isClaimed(window)).toBe(true);
        } catch (error) {
          await holder.query('ROLLBACK');
          throw error;
        }
      });
      await pipeline.windows.change(window, { ends: -1 });
    } finally {
      await holder.query('COMMIT');
      holder.release();
    }
    await becomes(sender, 'cpu', { status: 'resolved', resolve_reason: 'timeout' });
    expect(await timelineTypesOf(sender)).not.toContain('alert.resumed');
  });

  test.each<[string, Partial<WindowValues>]>([
    ['is disabled', { enabled: false }],
    ['is postponed', { begins: 600 }],
    ['no longer matches', { integrationIds: [newUuid()] }],
  ])('resumes them, whatever onEnd is, when it %s', async (_what, values) => {
    const sender = await pipeline.newSender();
    const window = await pipeline.windows.insert(sender, { onEnd: 'resolve' });
    await pipeline.send(eventOf(sender));
    await pipeline.windows.change(window, values);
    await becomes(sender, 'cpu', { status: 'firing', suppression: null });
    expect(await timelineTypesOf(sender)).toEqual(['alert.created', 'alert.resumed']);
  });

  test('an alert with two windows stays suppressed until the later one ends', async () => {
    const sender = await pipeline.newSender();
    const first = await pipeline.windows.insert(sender, { ends: 600, onEnd: 'resolve' });
    await pipeline.send(eventOf(sender));
    const last = await pipeline.windows.insert(sender, { ends: 1200 });
    await pipeline.windows.applied(last);
    await pipeline.windows.change(first, { ends: 1 });
    await eventually(async () =>
      expect(
        (
          await pipeline.admin.query(
            'SELECT 1 FROM resources.suppression_windows WHERE id = $1 AND ends_at < clock_timestamp()',
            [first],
          )
        ).rowCount,
      ).toBe(1),
    );
    await pipeline.windows.applied(first);
    expect(await pipeline.alertOf(sender)).toMatchObject({
      status: 'suppressed',
      suppression: { windowId: windowId(last), priorStatus: 'firing' },
    });
    await pipeline.windows.change(last, { ends: 1 });
    await becomes(sender, 'cpu', { status: 'firing' });
    const types = await timelineTypesOf(sender);
    expect(types).toEqual([
      'alert.created',
      ...types.slice(1, -1).map(() => 'alert.suppressionChanged'),
      'alert.resumed',
    ]);
    await expectConsistent(sender);
  });
});

describe('an active window that is changed', () => {
  test('resumes its alerts at once when it is deleted, except those that another window suppresses', async () => {
    const sender = await pipeline.newSender();
    const window = await pipeline.windows.insert(sender, { ends: 7200 });
    const other = await pipeline.windows.insert(sender, {
      matchers: [{ field: 'labels.region', op: 'eq', value: 'eu' }],
    });
    await pipeline.send(eventOf(sender), eventOf(sender, { fingerprint: 'of both', labels: { region: 'eu' } }));
    await pipeline.windows.delete(window);
    await becomes(sender, 'cpu', { status: 'firing' });
    await becomes(sender, 'of both', { status: 'suppressed', suppression: { windowId: windowId(other) } });
    await expectConsistent(sender);
  });

  test('resumes alerts that no longer match, and suppresses those that match now', async () => {
    const sender = await pipeline.newSender();
    const window = await pipeline.windows.insert(sender, {
      matchers: [{ field: 'labels.region', op: 'eq', value: 'eu' }],
    });
    await pipeline.send(
      eventOf(sender, { fingerprint: 'eu', labels: { region: 'eu' } }),
      eventOf(sender, { fingerprint: 'us', labels: { region: 'us' } }),
    );
    expect(await statuses(sender)).toEqual({ eu: 'suppressed', us: 'firing' });
    await pipeline.windows.change(window, { matchers: [{ field: 'labels.region', op: 'eq', value: 'us' }] });
    await pipeline.windows.applied(window);
    expect(await statuses(sender)).toEqual({ eu: 'firing', us: 'suppressed' });
    await pipeline.windows.change(window, { matchers: [] });
    await pipeline.windows.applied(window);
    expect(await statuses(sender)).toEqual({ eu: 'suppressed', us: 'suppressed' });
    await pipeline.windows.change(window, { exceptSeverities: ['high'] });
    await pipeline.windows.applied(window);
    expect(await statuses(sender)).toEqual({ eu: 'firing', us: 'firing' });
    await pipeline.windows.change(window, { exceptSeverities: [], begins: 600 });
    await pipeline.windows.applied(window);
    expect(await statuses(sender)).toEqual({ eu: 'firing', us: 'firing' });
    await expectConsistent(sender);
  });

  test('shows the new end when it is extended', async () => {
    const sender = await pipeline.newSender();
    const window = await pipeline.windows.insert(sender);
    await pipeline.send(eventOf(sender));
    const { suppression: before } = await pipeline.alertOf(sender);
    await pipeline.windows.change(window, { ends: 7200 });
    await pipeline.windows.applied(window);
    const { suppression: after, status } = await pipeline.alertOf(sender);
    expect(status).toBe('suppressed');
    expect(Date.parse(after?.until ?? '')).toBeGreaterThan(Date.parse(before?.until ?? ''));
  });
});

test('an alert is suppressed although its transaction ends long after the beginning of the window', async () => {
  const sender = await pipeline.newSender();
  const slow = new pg.Client({ connectionString: pipeline.urls.database });
  await slow.connect();
  try {
    await slow.query('BEGIN');
    await insertAlert(slow, sender, { fingerprint: 'slow' });
    const window = await pipeline.windows.insert(sender);
    await pipeline.windows.applied(window);
    // As after the first repeated check, without its pause.
    await pause(2000);
    const watched = 'WHERE window_id = $1 RETURNING rechecks';
    await pipeline.admin.query(`UPDATE alerts.window_watch SET rechecks = 1, look_at = now() ${watched}`, [window]);
    await eventually(async () => {
      const { rows } = await pipeline.admin.query('SELECT rechecks FROM alerts.window_watch WHERE window_id = $1', [
        window,
      ]);
      expect(rows).toEqual([{ rechecks: 2 }]);
    });
    await slow.query('COMMIT');
  } finally {
    await slow.end();
  }
  await becomes(sender, 'slow', { status: 'suppressed' });
});

test('the records of a deleted window are deleted after its last check', async () => {
  const sender = await pipeline.newSender();
  const window = await pipeline.windows.insert(sender);
  await pipeline.send(eventOf(sender));
  await pipeline.windows.delete(window);
  await pipeline.windows.applied(window);
  const rows = async (table: string): Promise<number | null> =>
    (await pipeline.admin.query(`SELECT 1 FROM ${table} WHERE window_id = $1`, [window])).rowCount;
  expect(await rows('alerts.window_counts')).toBe(1);
  await pipeline.admin.query('UPDATE alerts.window_watch SET rechecks = 1, look_at = now() WHERE window_id = $1', [
    window,
  ]);
  await eventually(async () =>
    expect([await rows('alerts.window_watch'), await rows('alerts.window_counts')]).toEqual([0, 0]),
  );
});

describe('a recurring window', () => {
  const day = 86_400;

  test('suppresses alerts at each occurrence, resumes them at its end, and waits for the next', async () => {
    const sender = await pipeline.newSender();
    await pipeline.send(eventOf(sender));
    const window = await pipeline.windows.insert(sender, {
      begins: -7 * day + 1,
      ends: null,
      rrule: 'FREQ=DAILY',
      durationSeconds: 600,
    });
    await becomes(sender, 'cpu', { status: 'suppressed', suppression: { windowId: windowId(window) } });
    await pipeline.windows.change(window, { begins: -7 * day - 598 });
    await becomes(sender, 'cpu', { status: 'firing' });
    await pipeline.windows.applied(window);
    const { rows } = await pipeline.admin.query(
      `SELECT boundary = starts_at + 8 * interval '1 day' AS tomorrow
       FROM alerts.window_watch JOIN resources.suppression_windows ON id = window_id WHERE id = $1`,
      [window],
    );
    expect(rows).toEqual([{ tomorrow: true }]);
    await pipeline.send(eventOf(sender, { fingerprint: 'between' }));
    expect((await pipeline.alertOf(sender, 'between')).status).toBe('firing');
  });

  test('whose occurrences overlap suppresses until the last of them ends', async () => {
    const sender = await pipeline.newSender();
    const window = await pipeline.windows.insert(sender, {
      begins: -2 * day + 1,
      ends: null,
      rrule: 'FREQ=DAILY',
      durationSeconds: day + 600,
    });
    await pipeline.send(eventOf(sender));
    await eventually(async () => {
      const { rows } = await pipeline.admin.query(
        `SELECT (a.suppression->>'until')::timestamptz = w.starts_at + interval '3 days 600 s' AS last
        FROM alerts.alerts a JOIN resources.suppression_windows w USING (organization_id) WHERE w.id = $1`,
        [window],
      );
      expect(rows).toEqual([{ last: true }]);
    });
    expect((await pipeline.alertOf(sender)).status).toBe('suppressed');
  });
});

test('a window that cannot be parsed suppresses no alert and delays no other window', async () => {
  const sender = await pipeline.newSender();
  const window = await pipeline.windows.insert(sender, { ends: null, rrule: 'FREQ=FORTNIGHTLY', durationSeconds: 600 });
  await pipeline.send(eventOf(sender));
  expect(await statuses(sender)).toEqual({ cpu: 'firing' });
  await pipeline.windows.change(window, { rrule: null, durationSeconds: null, ends: 600 });
  await becomes(sender, 'cpu', { status: 'suppressed' });
});

describe('a pipeline that was stopped', () => {
  const hasPassed = (column: 'starts_at' | 'ends_at', id: string): Promise<void> =>
    eventually(async () =>
      expect(
        (
          await pipeline.admin.query(
            `SELECT 1 FROM resources.suppression_windows WHERE id = $1 AND ${column} < clock_timestamp()`,
            [id],
          )
        ).rowCount,
      ).toBe(1),
    );

  test('while a window began suppresses the alerts when it starts again', async () => {
    const sender = await pipeline.newSender();
    await pipeline.send(eventOf(sender));
    const window = await pipeline.windows.insert(sender, { begins: 2 });
    await pipeline.stopReplicas();
    await hasPassed('starts_at', window);
    await pipeline.startReplica();
    await becomes(sender, 'cpu', { status: 'suppressed', version: 2 });
  });

  test('while a window ended applies onEnd when it starts again', async () => {
    const sender = await pipeline.newSender();
    const window = await pipeline.windows.insert(sender, { onEnd: 'resolve' });
    await pipeline.send(eventOf(sender));
    await pipeline.stopReplicas();
    await pipeline.windows.change(window, { ends: 1 });
    await hasPassed('ends_at', window);
    await pipeline.startReplica();
    await becomes(sender, 'cpu', { status: 'resolved', version: 2 });
  });

  test('while it checked a window: another replica checks it a little later', async () => {
    const sender = await pipeline.newSender();
    await pipeline.send(eventOf(sender));
    await pipeline.stopReplicas();
    const window = await pipeline.windows.insert(sender);
    await pipeline.admin.query(
      `UPDATE alerts.window_watch SET look_at = clock_timestamp() + interval '1 s' WHERE window_id = $1`,
      [window],
    );
    await pipeline.startReplica();
    await becomes(sender, 'cpu', { status: 'suppressed', version: 2 });
  });
});
