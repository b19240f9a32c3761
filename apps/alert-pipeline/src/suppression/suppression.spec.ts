import { acknowledgeAlert, newUuid, publicId, resolveAlert, uuidOf, type AlertEvent } from '@ams/contracts';
import { eventually } from '@ams/testing';
import { eventOf, resolveOf, startPipeline, type Sender, type TestPipeline } from '../../testing/support.js';
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

test('the record of an event names the active windows, matching ones first', async () => {
  const sender = await pipeline.newSender();
  const other = await pipeline.windows.insert(sender, { matchers: [{ field: 'title', op: 'eq', value: 'x' }] });
  const matching = await pipeline.windows.insert(sender);
  await pipeline.windows.insert(sender, { begins: 600 });
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

test('a window whose matchers take too long suppresses no alert, and the record of the event says so', async () => {
  const sender = await pipeline.newSender();
  const costly = { field: 'description' as const, op: 'matches' as const, value: '1[01]{400}2|.' };
  const id = await pipeline.windows.insert(sender, { matchers: [costly] });
  const bits = Array.from({ length: 1_000 }, (_, i) => ((i * 2_654_435_761) >>> 0).toString(2).padStart(32, '0'));
  const untold = { field: 'description' as const, op: 'matches' as const, value: '1[01]{400}2' };
  const doubtful = await pipeline.windows.insert(sender, { matchers: [untold] });
  await pipeline.send(eventOf(sender, { fingerprint: 'long', description: bits.join('') }));
  await becomes(sender, 'long', { status: 'suppressed' });
  const { rows } = await pipeline.admin.query(
    `SELECT event->'windows' AS windows FROM alerts.events WHERE organization_id = $1`,
    [sender.organizationId],
  );
  expect(rows).toMatchObject([
    {
      windows: [
        { windowId: windowId(id), matched: true },
        { windowId: windowId(doubtful), matched: false, undecided: true },
      ],
    },
  ]);
  const other = await pipeline.newSender();
  await pipeline.windows.insert(other, { matchers: [untold] });
  await pipeline.send(eventOf(other, { fingerprint: 'long', description: bits.join('') }));
  await becomes(other, 'long', { status: 'firing' });
});

test('at most twenty windows are stored with an event', async () => {
  const sender = await pipeline.newSender();
  for (let i = 0; i < 22; i++)
    await pipeline.windows.insert(sender, { matchers: [{ field: 'title', op: 'eq', value: `${i}` }] });
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
    const window = await pipeline.windows.insert(sender, {
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
    await expectConsistent(sender);
  });

  test.each([
    ['is disabled', { enabled: false }],
    ['has not begun', { begins: 600 }],
    ['is over', { begins: -600, ends: -60 }],
    ['is about other integrations', { integrationIds: [newUuid()] }],
    ['is about clients', { clientIds: [newUuid()] }],
  ])('fires when the window %s', async (_what, values: Partial<WindowValues>) => {
    const sender = await pipeline.newSender();
    await pipeline.windows.insert(sender, values);
    await pipeline.send(eventOf(sender));
    expect(await statuses(sender)).toEqual({ cpu: 'firing' });
  });

  test('is suppressed by a window of its client or of its integration', async () => {
    const sender = await pipeline.newSender();
    const client = await pipeline.newClient(sender, 'acme');
    await pipeline.windows.insert(sender, { clientIds: [newUuid(), client] });
    const other = { ...sender, integrationId: newUuid() };
    await pipeline.windows.insert(sender, { integrationIds: [other.integrationId] });
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
    const windows = [
      await pipeline.windows.insert(stranger),
      await pipeline.windows.insert({ ...sender, environment: 'test' }),
    ];
    for (const window of windows) await pipeline.windows.applied(window);
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
    const window = await pipeline.windows.insert(sender);
    await pipeline.windows.applied(window);
    await pipeline.windows.delete(window);
    await pipeline.send(eventOf(sender, { fingerprint: 'other' }));
    expect(await pipeline.alertOf(sender)).toMatchObject({ status: 'suppressed', suppression: { windowId: null } });
    await pipeline.send(eventOf(sender));
    expect(await pipeline.alertOf(sender)).toMatchObject({ status: 'firing', suppression: null });
  });
});

describe('a suppressed alert', () => {
  test('counts further firing events, and resumes with one whose severity the window excepts', async () => {
    const sender = await pipeline.newSender();
    await pipeline.windows.insert(sender, { exceptSeverities: ['critical'] });
    await pipeline.send(
      eventOf(sender),
      eventOf(sender),
      eventOf(sender, { severity: 'critical' }),
      eventOf(sender, { severity: 'critical' }),
      eventOf(sender),
    );
    expect(await timelineTypesOf(sender)).toEqual([
      'alert.created',
      'alert.occurred',
      'alert.resumed',
      'alert.occurred',
      'alert.suppressed',
    ]);
    expect(await pipeline.alertOf(sender)).toMatchObject({ status: 'suppressed', occurrence_count: 5 });
    await expectConsistent(sender);
  });

  test('is resolved by an event of its sender', async () => {
    const sender = await pipeline.newSender();
    await pipeline.windows.insert(sender);
    await pipeline.send(eventOf(sender), resolveOf(sender));
    expect(await pipeline.alertOf(sender)).toMatchObject({
      status: 'resolved',
      resolve_reason: 'ingest',
      suppression: null,
    });
  });

  test('can be acknowledged or resolved by a person, and windows then do not change it', async () => {
    const sender = await pipeline.newSender();
    const window = await pipeline.windows.insert(sender, { onEnd: 'resolve' });
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
    await pipeline.windows.change(window, { ends: -1 });
    await pipeline.windows.applied(window);
    expect(await statuses(sender)).toEqual({ cpu: 'acknowledged', closed: 'resolved' });
    await expectConsistent(sender);
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
  const window = await pipeline.windows.insert(sender);
  await pipeline.windows.applied(window);
  expect(await countOf(window)).toBe(10);
  await pipeline.send(eventOf(sender), eventOf(sender));
  expect(await countOf(window)).toBe(11);
  await pipeline.windows.change(window, { enabled: false });
  await pipeline.windows.applied(window);
  await pipeline.windows.change(window, { enabled: true });
  await pipeline.windows.applied(window);
  expect(await countOf(window)).toBe(22);
});

describe('published events', () => {
  test('suppressed and resumed are published once each, with the window as the actor', async () => {
    const sender = await pipeline.newSender();
    await pipeline.send(eventOf(sender));
    const window = await pipeline.windows.insert(sender);
    await pipeline.windows.applied(window);
    await pipeline.windows.change(window, { ends: 7200 });
    await pipeline.windows.applied(window);
    await pipeline.windows.delete(window);
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
