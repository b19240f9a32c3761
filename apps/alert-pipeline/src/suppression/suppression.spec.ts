import {
  acknowledgeAlert,
  newUuid,
  publicId,
  resolveAlert,
  uuidOf,
  type AlertEvent,
  type IngestEvent,
} from '@ams/contracts';
import { partitionOf, type Predicate, type Severity } from '@ams/domain';
import { eventually, insertAlert } from '@ams/testing';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import {
  eventOf,
  partitions,
  patience,
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

// --- Windows, as the API writes them ---------------------------------------------------------------------------------

interface WindowValues {
  enabled: boolean;
  matchers: Predicate[];
  clientIds: string[];
  integrationIds: string[];
  exceptSeverities: Severity[];
  /** Seconds from now, by the clock of the database. */
  begins: number;
  ends: number | null;
  rrule: string | null;
  durationSeconds: number | null;
  onEnd: 'resume' | 'resolve';
}

/** A window that began a minute ago and ends in an hour. */
const defaults: WindowValues = {
  enabled: true,
  matchers: [],
  clientIds: [],
  integrationIds: [],
  exceptSeverities: [],
  begins: -60,
  ends: 3600,
  rrule: null,
  durationSeconds: null,
  onEnd: 'resume',
};

const fromNow = (param: string): string =>
  `date_trunc('milliseconds', clock_timestamp()) + ${param}::float8 * interval '1 s'`;
const asItIs = (param: string): string => param;

const columns: Record<keyof WindowValues, { name: string; sql: (param: string) => string }> = {
  enabled: { name: 'enabled', sql: asItIs },
  matchers: { name: 'matchers', sql: asItIs },
  clientIds: { name: 'client_ids', sql: asItIs },
  integrationIds: { name: 'integration_ids', sql: asItIs },
  exceptSeverities: { name: 'except_severities', sql: asItIs },
  begins: { name: 'starts_at', sql: fromNow },
  ends: { name: 'ends_at', sql: fromNow },
  rrule: { name: 'rrule', sql: asItIs },
  durationSeconds: { name: 'duration_seconds', sql: asItIs },
  onEnd: { name: 'on_end', sql: asItIs },
};

const columnsOf = (values: Partial<WindowValues>) =>
  (Object.keys(values) as (keyof WindowValues)[]).map((key) => columns[key]);
const paramsOf = ({ matchers, ...values }: Partial<WindowValues>, order: Partial<WindowValues>): unknown[] =>
  Object.keys(order).map((key) => (key === 'matchers' ? JSON.stringify(matchers) : values[key as keyof typeof values]));

/** The UUID of a new window. */
async function newWindow(
  sender: Pick<Sender, 'organizationId' | 'environment'>,
  values: Partial<WindowValues> = {},
): Promise<string> {
  const id = newUuid();
  const whole = { ...defaults, ...values };
  await pipeline.admin.query(
    `INSERT INTO resources.suppression_windows
       (id, organization_id, environment, name, match_all, timezone, created_by, ${columnsOf(whole)
         .map(({ name }) => name)
         .join(', ')})
     VALUES ($1, $2, $3, 'window', true, 'UTC', '{}', ${columnsOf(whole)
       .map(({ sql }, i) => sql(`$${i + 4}`))
       .join(', ')})`,
    [id, sender.organizationId, sender.environment, ...paramsOf(whole, whole)],
  );
  return id;
}

const changeWindow = (id: string, values: Partial<WindowValues>): Promise<unknown> =>
  pipeline.admin.query(
    `UPDATE resources.suppression_windows SET version = version + 1, ${columnsOf(values)
      .map(({ name, sql }, i) => `${name} = ${sql(`$${i + 2}`)}`)
      .join(', ')} WHERE id = $1`,
    [id, ...paramsOf(values, values)],
  );

const deleteWindow = (id: string): Promise<unknown> =>
  pipeline.admin.query('DELETE FROM resources.suppression_windows WHERE id = $1', [id]);

const windowId = (id: string): string => publicId('suppressionWindow', id);

// --- The state of alerts ---------------------------------------------------------------------------------------------

const becomes = (sender: Sender, fingerprint: string, values: object): Promise<void> =>
  eventually(async () => expect(await pipeline.alertOf(sender, fingerprint)).toMatchObject(values), patience);

/** Settles when the present window has been applied to all alerts, up to the present time. */
const lookedAt = (id: string): Promise<void> =>
  eventually(async () => {
    const { rows } = await pipeline.admin.query(
      'SELECT boundary > clock_timestamp() AS done FROM alerts.window_watch WHERE window_id = $1',
      [id],
    );
    expect(rows).toEqual([{ done: true }]);
  }, patience);

const storyOf = async (sender: Sender, fingerprint = 'cpu') =>
  (await pipeline.timelineOf((await pipeline.alertOf(sender, fingerprint)).id)).map(({ type }) => type);

async function statuses(sender: Sender): Promise<Record<string, string>> {
  return Object.fromEntries((await pipeline.alertsOf(sender)).map(({ fingerprint, status }) => [fingerprint, status]));
}

async function isSound(sender: Sender): Promise<void> {
  await pipeline.timelineIsWhole(sender);
  await pipeline.countsAreTrue(sender);
}

test('the record of an event names the active windows, matching ones first', async () => {
  const sender = await pipeline.newSender();
  const other = await newWindow(sender, { matchers: [{ field: 'title', op: 'eq', value: 'x' }] });
  const matching = await newWindow(sender);
  await newWindow(sender, { begins: 600 });
  await pipeline.send(
    eventOf(sender),
    eventOf(sender, { status: 'acknowledged' }),
    eventOf(await pipeline.newSender()),
  );
  const { rows } = await pipeline.admin.query(
    `SELECT event->'windows' AS windows FROM alerts.events WHERE organization_id = $1 ORDER BY id`,
    [sender.organizationId],
  );
  const until = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(rows).toEqual([
    {
      windows: [
        { windowId: windowId(matching), name: 'window', matched: true, until },
        { windowId: windowId(other), name: 'window', matched: false, until },
      ],
    },
    { windows: null },
  ]);
});

test('at most twenty windows are stored with an event', async () => {
  const sender = await pipeline.newSender();
  for (let i = 0; i < 22; i++) await newWindow(sender, { matchers: [{ field: 'title', op: 'eq', value: `${i}` }] });
  await pipeline.send(eventOf(sender));
  const { rows } = await pipeline.admin.query<{ n: number }>(
    `SELECT jsonb_array_length(event->'windows') AS n FROM alerts.events WHERE organization_id = $1`,
    [sender.organizationId],
  );
  expect(rows).toEqual([{ n: 20 }]);
});

describe('a new alert', () => {
  test('is suppressed by an active window, and its timeline names the window', async () => {
    const sender = await pipeline.newSender();
    const window = await newWindow(sender, {
      matchers: [{ field: 'labels.region', op: 'eq', value: 'eu' }],
      exceptSeverities: ['critical'],
    });
    await pipeline.send(
      eventOf(sender, { labels: { region: 'eu' } }),
      eventOf(sender, { fingerprint: 'elsewhere', labels: { region: 'us' } }),
      eventOf(sender, { fingerprint: 'excepted', labels: { region: 'eu' }, severity: 'critical' }),
      eventOf(sender, { fingerprint: 'acknowledged', labels: { region: 'eu' }, status: 'acknowledged' }),
    );
    expect(await statuses(sender)).toEqual({
      cpu: 'suppressed',
      elsewhere: 'firing',
      excepted: 'firing',
      acknowledged: 'acknowledged',
    });
    const alert = await pipeline.alertOf(sender);
    expect(alert).toMatchObject({ version: 1, suppression: { windowId: windowId(window), priorStatus: 'firing' } });
    const [created] = await pipeline.timelineOf(alert.id);
    expect(created).toMatchObject({ type: 'alert.created', cause: { type: 'event' } });
    expect(created?.changes).toContainEqual({ field: 'suppression', before: null, after: alert.suppression });
    await isSound(sender);
  });

  test.each([
    ['is disabled', { enabled: false }],
    ['has not begun', { begins: 600 }],
    ['is over', { begins: -600, ends: -60 }],
    ['is about other integrations', { integrationIds: [newUuid()] }],
    ['is about clients', { clientIds: [newUuid()] }],
  ])('fires when the window %s', async (_what, values: Partial<WindowValues>) => {
    const sender = await pipeline.newSender();
    await newWindow(sender, values);
    await pipeline.send(eventOf(sender));
    expect(await statuses(sender)).toEqual({ cpu: 'firing' });
  });

  test('is suppressed by a window of its client or of its integration', async () => {
    const sender = await pipeline.newSender();
    const client = await pipeline.newClient(sender, 'acme');
    await newWindow(sender, { clientIds: [newUuid(), client] });
    const other = { ...sender, integrationId: newUuid() };
    await newWindow(sender, { integrationIds: [other.integrationId] });
    await pipeline.send(
      eventOf(sender, { labels: { client: 'Acme' } }),
      eventOf(other, { fingerprint: 'of integration' }),
      eventOf(sender, { fingerprint: 'of neither' }),
    );
    expect(await statuses(sender)).toEqual({
      cpu: 'suppressed',
      'of integration': 'suppressed',
      'of neither': 'firing',
    });
  });

  test('windows of other tenants and of the other environment suppress neither open nor new alerts', async () => {
    const sender = await pipeline.newSender();
    const inTest = await pipeline.newSender({ organizationId: sender.organizationId, environment: 'test' });
    const stranger = await pipeline.newSender();
    await pipeline.send(eventOf(sender), eventOf(inTest, { fingerprint: 'in test' }));
    const windows = [await newWindow(stranger), await newWindow({ ...sender, environment: 'test' })];
    for (const window of windows) await lookedAt(window);
    await pipeline.send(eventOf(sender, { fingerprint: 'new' }), eventOf(inTest, { fingerprint: 'new in test' }));
    expect(await statuses(sender)).toEqual({
      cpu: 'firing',
      new: 'firing',
      'in test': 'suppressed',
      'new in test': 'suppressed',
    });
  });

  test('that the sender itself has suppressed is not changed by windows', async () => {
    const sender = await pipeline.newSender();
    await pipeline.send(eventOf(sender, { status: 'suppressed' }));
    const window = await newWindow(sender);
    await lookedAt(window);
    await deleteWindow(window);
    await pipeline.send(eventOf(sender, { fingerprint: 'other' }));
    expect(await pipeline.alertOf(sender)).toMatchObject({ status: 'suppressed', suppression: { windowId: null } });
    await pipeline.send(eventOf(sender));
    expect(await pipeline.alertOf(sender)).toMatchObject({ status: 'firing', suppression: null });
  });
});

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
    const window = await newWindow(sender, { begins: 1, exceptSeverities: ['critical'] });
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
    await isSound(sender);
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
    await lookedAt(await newWindow(sender, values));
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
    const window = await newWindow(sender, { clientIds: [client], integrationIds: [newUuid()] });
    await lookedAt(window);
    expect(await statuses(sender)).toEqual({ cpu: 'firing', 'of another client': 'firing', 'of none': 'firing' });
    await changeWindow(window, { integrationIds: [newUuid(), sender.integrationId] });
    await lookedAt(window);
    expect(await statuses(sender)).toEqual({ cpu: 'suppressed', 'of another client': 'firing', 'of none': 'firing' });
  });

  test('may match the status: a suppressed alert is compared with its earlier status', async () => {
    const sender = await pipeline.newSender();
    const window = await newWindow(sender, { matchers: [{ field: 'status', op: 'eq', value: 'firing' }] });
    await pipeline.send(eventOf(sender), eventOf(sender));
    await changeWindow(window, { ends: 7200 });
    await lookedAt(window);
    expect(await storyOf(sender)).toEqual(['alert.created', 'alert.occurred', 'alert.suppressionChanged']);
    await changeWindow(window, { ends: 1, onEnd: 'resolve' });
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
      await pipeline.isWaitedFor(holder);
      await lookedAt(await newWindow(sender));
    } finally {
      await holder.query('COMMIT');
      holder.release();
    }
    await pipeline.applied(sender, 3);
    await becomes(sender, 'cpu', { status: 'suppressed' });
    await isSound(sender);
  });
});

describe('a window that ends', () => {
  test('resumes its alerts', async () => {
    const sender = await pipeline.newSender();
    const window = await newWindow(sender);
    await pipeline.send(eventOf(sender));
    await changeWindow(window, { ends: 1 });
    await becomes(sender, 'cpu', { status: 'firing', suppression: null });
    const entries = await pipeline.timelineOf((await pipeline.alertOf(sender)).id);
    expect(entries.at(-1)).toMatchObject({
      type: 'alert.resumed',
      actor: { type: 'service' },
      cause: { type: 'window', id: windowId(window) },
    });
    await isSound(sender);
  });

  test('resolves them when onEnd is resolve', async () => {
    const sender = await pipeline.newSender();
    const window = await newWindow(sender, { onEnd: 'resolve' });
    await pipeline.send(eventOf(sender), eventOf(sender, { fingerprint: 'acknowledged', status: 'acknowledged' }));
    await changeWindow(window, { ends: 1 });
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
    await isSound(sender);
  });

  test('resolves them also when its end is changed to a past time', async () => {
    const sender = await pipeline.newSender();
    const window = await newWindow(sender, { onEnd: 'resolve' });
    await pipeline.send(eventOf(sender));
    await changeWindow(window, { ends: -1 });
    await becomes(sender, 'cpu', { status: 'resolved', resolve_reason: 'timeout' });
  });

  test.each<[string, Partial<WindowValues>]>([
    ['is disabled', { enabled: false }],
    ['is postponed', { begins: 600 }],
    ['no longer matches', { integrationIds: [newUuid()] }],
  ])('resumes them, whatever onEnd is, when it %s', async (_what, values) => {
    const sender = await pipeline.newSender();
    const window = await newWindow(sender, { onEnd: 'resolve' });
    await pipeline.send(eventOf(sender));
    await changeWindow(window, values);
    await becomes(sender, 'cpu', { status: 'firing', suppression: null });
    expect(await storyOf(sender)).toEqual(['alert.created', 'alert.resumed']);
  });

  test('an alert with two windows stays suppressed until the later one ends', async () => {
    const sender = await pipeline.newSender();
    const first = await newWindow(sender, { ends: 600, onEnd: 'resolve' });
    await pipeline.send(eventOf(sender));
    const last = await newWindow(sender, { ends: 1200 });
    await lookedAt(last);
    await changeWindow(first, { ends: 1 });
    await eventually(
      async () =>
        expect(
          (
            await pipeline.admin.query(
              'SELECT 1 FROM resources.suppression_windows WHERE id = $1 AND ends_at < clock_timestamp()',
              [first],
            )
          ).rowCount,
        ).toBe(1),
      patience,
    );
    await lookedAt(first);
    expect(await pipeline.alertOf(sender)).toMatchObject({
      status: 'suppressed',
      suppression: { windowId: windowId(last), priorStatus: 'firing' },
    });
    await changeWindow(last, { ends: 1 });
    await becomes(sender, 'cpu', { status: 'firing' });
    const story = await storyOf(sender);
    expect(story).toEqual([
      'alert.created',
      ...story.slice(1, -1).map(() => 'alert.suppressionChanged'),
      'alert.resumed',
    ]);
    await isSound(sender);
  });
});

describe('an active window that is changed', () => {
  test('resumes its alerts at once when it is deleted, except those that another window suppresses', async () => {
    const sender = await pipeline.newSender();
    const window = await newWindow(sender, { ends: 7200 });
    const other = await newWindow(sender, { matchers: [{ field: 'labels.region', op: 'eq', value: 'eu' }] });
    await pipeline.send(eventOf(sender), eventOf(sender, { fingerprint: 'of both', labels: { region: 'eu' } }));
    await deleteWindow(window);
    await becomes(sender, 'cpu', { status: 'firing' });
    await becomes(sender, 'of both', { status: 'suppressed', suppression: { windowId: windowId(other) } });
    await isSound(sender);
  });

  test('resumes alerts that no longer match, and suppresses those that match now', async () => {
    const sender = await pipeline.newSender();
    const window = await newWindow(sender, { matchers: [{ field: 'labels.region', op: 'eq', value: 'eu' }] });
    await pipeline.send(
      eventOf(sender, { fingerprint: 'eu', labels: { region: 'eu' } }),
      eventOf(sender, { fingerprint: 'us', labels: { region: 'us' } }),
    );
    expect(await statuses(sender)).toEqual({ eu: 'suppressed', us: 'firing' });
    await changeWindow(window, { matchers: [{ field: 'labels.region', op: 'eq', value: 'us' }] });
    await lookedAt(window);
    expect(await statuses(sender)).toEqual({ eu: 'firing', us: 'suppressed' });
    await changeWindow(window, { matchers: [] });
    await lookedAt(window);
    expect(await statuses(sender)).toEqual({ eu: 'suppressed', us: 'suppressed' });
    await changeWindow(window, { exceptSeverities: ['high'] });
    await lookedAt(window);
    expect(await statuses(sender)).toEqual({ eu: 'firing', us: 'firing' });
    await changeWindow(window, { exceptSeverities: [], begins: 600 });
    await lookedAt(window);
    expect(await statuses(sender)).toEqual({ eu: 'firing', us: 'firing' });
    await isSound(sender);
  });

  test('shows the new end when it is extended', async () => {
    const sender = await pipeline.newSender();
    const window = await newWindow(sender);
    await pipeline.send(eventOf(sender));
    const { suppression: before } = await pipeline.alertOf(sender);
    await changeWindow(window, { ends: 7200 });
    await lookedAt(window);
    const { suppression: after, status } = await pipeline.alertOf(sender);
    expect(status).toBe('suppressed');
    expect(Date.parse(after?.until ?? '')).toBeGreaterThan(Date.parse(before?.until ?? ''));
  });
});

test('an event that waited for the lock of its alert is not suppressed by a window that was deleted', async () => {
  const sender = await pipeline.newSender();
  const window = await newWindow(sender, { exceptSeverities: ['high'] });
  await pipeline.send(eventOf(sender));
  const holder = await pipeline.admin.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM alerts.alerts WHERE organization_id = $1 FOR UPDATE', [sender.organizationId]);
    await pipeline.store(eventOf(sender, { severity: 'low' }));
    await pipeline.isWaitedFor(holder);
    await deleteWindow(window);
  } finally {
    await holder.query('COMMIT');
    holder.release();
  }
  await pipeline.applied(sender, 2);
  expect(await storyOf(sender)).toEqual(['alert.created', 'alert.severityChanged']);
});

describe('a suppressed alert', () => {
  test('counts further firing events, and resumes with one whose severity the window excepts', async () => {
    const sender = await pipeline.newSender();
    await newWindow(sender, { exceptSeverities: ['critical'] });
    await pipeline.send(
      eventOf(sender),
      eventOf(sender),
      eventOf(sender, { severity: 'critical' }),
      eventOf(sender, { severity: 'critical' }),
      eventOf(sender),
    );
    expect(await storyOf(sender)).toEqual([
      'alert.created',
      'alert.occurred',
      'alert.resumed',
      'alert.occurred',
      'alert.suppressed',
    ]);
    expect(await pipeline.alertOf(sender)).toMatchObject({ status: 'suppressed', occurrence_count: 5 });
    await isSound(sender);
  });

  test('is resolved by an event of its sender', async () => {
    const sender = await pipeline.newSender();
    await newWindow(sender);
    await pipeline.send(eventOf(sender), resolveOf(sender));
    expect(await pipeline.alertOf(sender)).toMatchObject({
      status: 'resolved',
      resolve_reason: 'ingest',
      suppression: null,
    });
  });

  test('can be acknowledged or resolved by a person, and windows then do not change it', async () => {
    const sender = await pipeline.newSender();
    const window = await newWindow(sender, { onEnd: 'resolve' });
    await pipeline.send(eventOf(sender), eventOf(sender, { fingerprint: 'closed' }));
    const idOf = async (fingerprint: string): Promise<string> =>
      publicId('alert', (await pipeline.alertOf(sender, fingerprint)).id);
    expect(await pipeline.call(sender, acknowledgeAlert, { params: { id: await idOf('cpu') } })).toMatchObject({
      ok: true,
      body: { data: { status: 'acknowledged', suppression: null } },
    });
    expect(await pipeline.call(sender, resolveAlert, { params: { id: await idOf('closed') } })).toMatchObject({
      ok: true,
      body: { data: { status: 'resolved', resolveReason: 'api', suppression: null } },
    });
    await changeWindow(window, { ends: -1 });
    await lookedAt(window);
    expect(await statuses(sender)).toEqual({ cpu: 'acknowledged', closed: 'resolved' });
    await isSound(sender);
  });
});

test('a window counts how often it has suppressed an alert', async () => {
  const sender = await pipeline.newSender();
  const countOf = async (id: string): Promise<number> =>
    (
      await pipeline.admin.query<{ n: number }>(
        'SELECT coalesce(sum(n), 0)::int AS n FROM alerts.window_counts WHERE window_id = $1 AND organization_id = $2',
        [id, sender.organizationId],
      )
    ).rows[0]?.n ?? 0;
  const names = Array.from({ length: 10 }, (_, i) => `f${i}`);
  await pipeline.send(...names.map((fingerprint) => eventOf(sender, { fingerprint })));
  const window = await newWindow(sender);
  await lookedAt(window);
  expect(await countOf(window)).toBe(10);
  await pipeline.send(eventOf(sender), eventOf(sender));
  expect(await countOf(window)).toBe(11);
  await changeWindow(window, { enabled: false });
  await lookedAt(window);
  await changeWindow(window, { enabled: true });
  await lookedAt(window);
  expect(await countOf(window)).toBe(22);
});

test('an alert is suppressed although its transaction ends long after the beginning of the window', async () => {
  const sender = await pipeline.newSender();
  const slow = new pg.Client({ connectionString: pipeline.urls.database });
  await slow.connect();
  try {
    await slow.query('BEGIN');
    await insertAlert(slow, sender, { fingerprint: 'slow' });
    const window = await newWindow(sender);
    await lookedAt(window);
    // As after the first repeated check, without its pause.
    await pause(2000);
    const watched = 'WHERE window_id = $1 RETURNING rechecks';
    await pipeline.admin.query(`UPDATE alerts.window_watch SET rechecks = 1, look_at = now() ${watched}`, [window]);
    await eventually(async () => {
      const { rows } = await pipeline.admin.query('SELECT rechecks FROM alerts.window_watch WHERE window_id = $1', [
        window,
      ]);
      expect(rows).toEqual([{ rechecks: 2 }]);
    }, patience);
    await slow.query('COMMIT');
  } finally {
    await slow.end();
  }
  await becomes(sender, 'slow', { status: 'suppressed' });
});

test('the records of a deleted window are deleted after its last check', async () => {
  const sender = await pipeline.newSender();
  const window = await newWindow(sender);
  await pipeline.send(eventOf(sender));
  await deleteWindow(window);
  await lookedAt(window);
  const rows = async (table: string): Promise<number | null> =>
    (await pipeline.admin.query(`SELECT 1 FROM ${table} WHERE window_id = $1`, [window])).rowCount;
  expect(await rows('alerts.window_counts')).toBe(1);
  await pipeline.admin.query('UPDATE alerts.window_watch SET rechecks = 1, look_at = now() WHERE window_id = $1', [
    window,
  ]);
  await eventually(
    async () => expect([await rows('alerts.window_watch'), await rows('alerts.window_counts')]).toEqual([0, 0]),
    patience,
  );
});

describe('a recurring window', () => {
  const day = 86_400;

  test('suppresses alerts at each occurrence, resumes them at its end, and waits for the next', async () => {
    const sender = await pipeline.newSender();
    await pipeline.send(eventOf(sender));
    const window = await newWindow(sender, {
      begins: -7 * day + 1,
      ends: null,
      rrule: 'FREQ=DAILY',
      durationSeconds: 600,
    });
    await becomes(sender, 'cpu', { status: 'suppressed', suppression: { windowId: windowId(window) } });
    await changeWindow(window, { begins: -7 * day - 598 });
    await becomes(sender, 'cpu', { status: 'firing' });
    await lookedAt(window);
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
    const window = await newWindow(sender, {
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
    }, patience);
    expect((await pipeline.alertOf(sender)).status).toBe('suppressed');
  });
});

test('a window that cannot be parsed suppresses no alert and delays no other window', async () => {
  const sender = await pipeline.newSender();
  const window = await newWindow(sender, { ends: null, rrule: 'FREQ=FORTNIGHTLY', durationSeconds: 600 });
  await pipeline.send(eventOf(sender));
  expect(await statuses(sender)).toEqual({ cpu: 'firing' });
  await changeWindow(window, { rrule: null, durationSeconds: null, ends: 600 });
  await becomes(sender, 'cpu', { status: 'suppressed' });
});

describe('published events', () => {
  test('suppressed and resumed are published once each, with the window as the actor', async () => {
    const sender = await pipeline.newSender();
    await pipeline.send(eventOf(sender));
    const window = await newWindow(sender);
    await lookedAt(window);
    await changeWindow(window, { ends: 7200 });
    await lookedAt(window);
    await deleteWindow(window);
    await becomes(sender, 'cpu', { status: 'firing' });
    const id = publicId('alert', (await pipeline.alertOf(sender)).id);
    const told = (await pipeline.published(sender)) as AlertEvent[];
    expect(told.map(({ type, depth, alert }) => [type, depth, alert.version])).toEqual([
      ['alert.created', 0, 1],
      ['alert.suppressed', 0, 2],
      ['alert.resumed', 0, 4],
    ]);
    for (const event of told.slice(1))
      expect(event).toMatchObject({
        actor: { type: 'service', id: null },
        cause: { type: 'window', id: windowId(window) },
        alert: { id },
      });
    expect(told[1]?.alert).toMatchObject({
      status: 'suppressed',
      suppression: { windowId: windowId(window), priorStatus: 'firing' },
    });
    expect(told[2]?.alert).toMatchObject({ status: 'firing', suppression: null });
    const entries = await pipeline.admin.query<{ id: string }>(
      'SELECT id FROM alerts.timeline WHERE organization_id = $1',
      [sender.organizationId],
    );
    expect(entries.rows.map((entry) => entry.id)).toEqual(
      expect.arrayContaining(told.map((event) => uuidOf('timelineEntry', event.id))),
    );
  });
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
        const window = await newWindow(sender, { exceptSeverities: i % 2 === 0 ? ['critical'] : [], ends: 7200 });
        await lookedAt(window);
        await changeWindow(window, { exceptSeverities: ['info'] });
        await changeWindow(window, i % 2 === 0 ? { enabled: false } : { ends: 1 });
        await lookedAt(window);
        await deleteWindow(window);
      }
    };
    const changed = windows().finally(() => (changing = false));
    await Promise.all([storm(), changed, people()]);
    await pipeline.applied(sender, sent);
    await eventually(
      async () => expect((await pipeline.alertsOf(sender)).filter(({ status }) => status === 'suppressed')).toEqual([]),
      patience,
    );
    await isSound(sender);
  });

  test('two replicas make each change once', async () => {
    const second = await pipeline.startReplica();
    const sender = await pipeline.newSender();
    await pipeline.send(...fingerprints.map((fingerprint) => eventOf(sender, { fingerprint })));
    const windows = await Promise.all(Array.from({ length: 6 }, () => newWindow(sender)));
    for (const window of windows) await lookedAt(window);
    // A window that was created a moment later ends later, and alerts that are suppressed already get its end.
    const story = async (fingerprint: string): Promise<string[]> =>
      (await storyOf(sender, fingerprint)).filter((type) => type !== 'alert.suppressionChanged');
    for (const fingerprint of fingerprints)
      expect(await story(fingerprint)).toEqual(['alert.created', 'alert.suppressed']);
    await Promise.all(windows.map((window) => deleteWindow(window)));
    await eventually(
      async () => expect(new Set(Object.values(await statuses(sender)))).toEqual(new Set(['firing'])),
      patience,
    );
    for (const fingerprint of fingerprints)
      expect((await storyOf(sender, fingerprint)).filter((type) => type === 'alert.resumed')).toHaveLength(1);
    await isSound(sender);
    await second.stop();
  });

  test('5,000 firing alerts are suppressed and resumed', async () => {
    const sender = await pipeline.newSender();
    await Promise.all(
      Array.from({ length: 5000 }, (_, i) => pipeline.store(eventOf(sender, { fingerprint: `f${i}` }))),
    );
    await pipeline.applied(sender, 5000);
    const countOf = async (status: string): Promise<number> =>
      (
        await pipeline.admin.query<{ n: number }>(
          'SELECT count(*)::int AS n FROM alerts.alerts WHERE organization_id = $1 AND status = $2',
          [sender.organizationId, status],
        )
      ).rows[0]?.n ?? 0;
    const window = await newWindow(sender);
    await eventually(async () => expect(await countOf('suppressed')).toBe(5000), patience);
    await deleteWindow(window);
    await eventually(async () => expect(await countOf('firing')).toBe(5000), patience);
    await isSound(sender);
  });
});

describe('a pipeline that was stopped', () => {
  const hasPassed = (column: 'starts_at' | 'ends_at', id: string): Promise<void> =>
    eventually(
      async () =>
        expect(
          (
            await pipeline.admin.query(
              `SELECT 1 FROM resources.suppression_windows WHERE id = $1 AND ${column} < clock_timestamp()`,
              [id],
            )
          ).rowCount,
        ).toBe(1),
      patience,
    );

  test('while a window began suppresses the alerts when it starts again', async () => {
    const sender = await pipeline.newSender();
    await pipeline.send(eventOf(sender));
    const window = await newWindow(sender, { begins: 2 });
    await pipeline.stopReplicas();
    await hasPassed('starts_at', window);
    await pipeline.startReplica();
    await becomes(sender, 'cpu', { status: 'suppressed', version: 2 });
  });

  test('while a window ended applies onEnd when it starts again', async () => {
    const sender = await pipeline.newSender();
    const window = await newWindow(sender, { onEnd: 'resolve' });
    await pipeline.send(eventOf(sender));
    await pipeline.stopReplicas();
    await changeWindow(window, { ends: 1 });
    await hasPassed('ends_at', window);
    await pipeline.startReplica();
    await becomes(sender, 'cpu', { status: 'resolved', version: 2 });
  });

  test('while it checked a window: another replica checks it a little later', async () => {
    const sender = await pipeline.newSender();
    await pipeline.send(eventOf(sender));
    await pipeline.stopReplicas();
    const window = await newWindow(sender);
    await pipeline.admin.query(
      `UPDATE alerts.window_watch SET look_at = clock_timestamp() + interval '1 s' WHERE window_id = $1`,
      [window],
    );
    await pipeline.startReplica();
    await becomes(sender, 'cpu', { status: 'suppressed', version: 2 });
  });
});
