import { bulkAlerts, resolveAlert, uuidOf } from '@ams/contracts';
import { eventually } from '@ams/testing';
import { alertId, testIncidents } from '../../testing/incidents.js';
import { dataOf, eventOf, resolveOf, startPipeline, type Sender, type TestPipeline } from '../../testing/support.js';

let pipeline: TestPipeline;

beforeAll(async () => {
  pipeline = await startPipeline();
});

afterAll(() => pipeline?.stop());

const { put, opened, changed, fired, expectConsistent } = testIncidents(() => pipeline);

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `f${i}`);

const timelineOf = (id: string) => pipeline.incidentTimelineOf(uuidOf('incident', id) ?? '');
const timelineTypesOf = async (id: string): Promise<string[]> => (await timelineOf(id)).map(({ type }) => type);

describe('the alerts of an incident', () => {
  /** One alert in each state; a window suppresses one of them. */
  async function oneOfEach(sender: Sender): Promise<string[]> {
    await pipeline.windows.insert(sender, { matchers: [{ field: 'labels.quiet', op: 'eq', value: 'yes' }] });
    await pipeline.send(
      eventOf(sender, { fingerprint: 'firing' }),
      eventOf(sender, { fingerprint: 'acknowledged', status: 'acknowledged' }),
      eventOf(sender, { fingerprint: 'suppressed', labels: { quiet: 'yes' } }),
      eventOf(sender, { fingerprint: 'resolved' }),
      resolveOf(sender, { fingerprint: 'resolved' }),
    );
    return (await pipeline.alertsOf(sender)).map(alertId);
  }
  const statusOf = async (sender: Sender): Promise<Record<string, string>> =>
    Object.fromEntries((await pipeline.alertsOf(sender)).map(({ fingerprint, status }) => [fingerprint, status]));
  const unchanged = { firing: 'firing', acknowledged: 'acknowledged', suppressed: 'suppressed', resolved: 'resolved' };

  test('are acknowledged with it when they fire, and no others', async () => {
    const sender = await pipeline.newSender();
    const { id } = await opened(sender, { alertIds: await oneOfEach(sender) });
    expect(await changed(sender, id, { status: 'acknowledged', note: 'on it' })).toMatchObject({
      alertCount: 4,
      openAlertCount: 3,
      version: 2,
    });
    expect(await statusOf(sender)).toEqual({ ...unchanged, firing: 'acknowledged' });
    const alert = await pipeline.alertOf(sender, 'firing');
    expect(alert.acknowledged_by).toMatchObject({ type: 'api_key' });
    expect((await pipeline.timelineOf(alert.id)).at(-1)).toMatchObject({
      type: 'alert.acknowledged',
      actor: { type: 'api_key' },
      cause: { type: 'incident', id },
    });
    await expectConsistent(sender);
  });

  test('are resolved with it, unless the request says that they stay', async () => {
    const sender = await pipeline.newSender();
    const { id } = await opened(sender, { alertIds: await oneOfEach(sender) });
    expect(await changed(sender, id, { status: 'resolved', resolveAlerts: false })).toMatchObject({
      openAlertCount: 3,
    });
    expect(await statusOf(sender)).toEqual(unchanged);
    expect(await changed(sender, id, { status: 'resolved' })).toMatchObject({
      status: 'resolved',
      alertCount: 4,
      openAlertCount: 0,
    });
    expect(await statusOf(sender)).toEqual({
      firing: 'resolved',
      acknowledged: 'resolved',
      suppressed: 'resolved',
      resolved: 'resolved',
    });
    for (const fingerprint of ['firing', 'acknowledged', 'suppressed']) {
      const alert = await pipeline.alertOf(sender, fingerprint);
      expect(alert).toMatchObject({ resolve_reason: 'incident', resolved_by: { type: 'api_key' }, suppression: null });
      expect((await pipeline.timelineOf(alert.id)).at(-1)).toMatchObject({
        type: 'alert.resolved',
        cause: { type: 'incident', id },
      });
    }
    expect((await pipeline.alertOf(sender, 'resolved')).resolve_reason).toBe('ingest');
    expect(await timelineTypesOf(id)).toEqual(['incident.created', 'incident.resolved', 'incident.updated']);
    await expectConsistent(sender);
  });

  test('are changed by no other change of the incident, but that acknowledged ones fire again with it', async () => {
    const sender = await pipeline.newSender();
    const { id } = await opened(sender, { alertIds: await oneOfEach(sender) });
    for (const body of [{ note: 'x' }, { status: 'resolved', resolveAlerts: false }, { status: 'triggered' }])
      await changed(sender, id, body);
    for (const body of [
      { resolveAlerts: true, note: 'x' },
      { status: 'acknowledged', resolveAlerts: true },
    ]) {
      expect(await put(sender, id, body)).toMatchObject({
        ok: false,
        code: 'VALIDATION_ERROR',
        details: { fields: [{ path: 'resolveAlerts' }] },
      });
    }
    expect(await put(sender, id, { status: 'resolved', resolveAlerts: true }, { ifMatch: '"1"' })).toMatchObject({
      ok: false,
      code: 'VERSION_MISMATCH',
    });
    await changed(sender, id, { status: 'resolved', resolveAlerts: false });
    expect(await put(sender, id, { status: 'acknowledged' })).toMatchObject({
      ok: false,
      code: 'INVALID_STATE_TRANSITION',
    });
    expect(await statusOf(sender)).toEqual({ ...unchanged, acknowledged: 'firing' });
    await expectConsistent(sender);
  });

  test.each<[string, (sender: Sender, ids: string[]) => Promise<unknown>]>([
    [
      'an event',
      (sender) => pipeline.send(resolveOf(sender, { fingerprint: 'a' }), resolveOf(sender, { fingerprint: 'b' })),
    ],
    [
      'a command',
      async (sender, ids) => {
        for (const id of ids) dataOf(await pipeline.call(sender, resolveAlert, { params: { id } }));
      },
    ],
    [
      'a bulk command',
      async (sender, ids) => dataOf(await pipeline.call(sender, bulkAlerts, { body: { action: 'resolve', ids } })),
    ],
    [
      'the end of their time',
      (sender) =>
        pipeline.send(...['a', 'b'].map((fingerprint) => eventOf(sender, { fingerprint, autoResolveAfterSeconds: 1 }))),
    ],
  ])('are subtracted from its open alerts when they are resolved by %s', async (_what, resolve) => {
    const sender = await pipeline.newSender();
    const ids = await fired(sender, 'a', 'b', 'stays');
    const { id } = await opened(sender, { alertIds: ids });
    await resolve(sender, ids.slice(0, 2));
    await eventually(async () =>
      expect(await pipeline.incidentsOf(sender)).toMatchObject([
        { status: 'triggered', alert_count: 3, open_alert_count: 1 },
      ]),
    );
    expect((await timelineOf(id)).at(-1)).toMatchObject({
      type: 'incident.updated',
      cause: { type: 'alert' },
      changes: [{ field: 'openAlertCount', after: 1 }],
    });
    await expectConsistent(sender);
  });

  test('that fire again after they resolved are new alerts outside the incident', async () => {
    const sender = await pipeline.newSender();
    await opened(sender, { alertIds: await fired(sender, 'cpu') });
    await pipeline.send(resolveOf(sender), eventOf(sender));
    expect(await pipeline.incidentsOf(sender)).toMatchObject([{ alert_count: 1, open_alert_count: 0 }]);
    expect(await pipeline.alertOf(sender)).toMatchObject({ status: 'firing', incident_id: null });
    await expectConsistent(sender);
  });
});

describe('an incident with autoResolve', () => {
  const byItself = (id: string): Promise<unknown> =>
    pipeline.admin.query('UPDATE alerts.incidents SET auto_resolve = true WHERE id = $1', [uuidOf('incident', id)]);

  test('resolves with its last open alert, once', async () => {
    const sender = await pipeline.newSender();
    const [a, b] = await fired(sender, 'a', 'b');
    const { id } = await opened(sender, { alertIds: [a, b] });
    await byItself(id);
    await pipeline.send(resolveOf(sender, { fingerprint: 'a' }));
    expect(await pipeline.incidentsOf(sender)).toMatchObject([{ status: 'triggered', open_alert_count: 1 }]);
    await pipeline.send(resolveOf(sender, { fingerprint: 'b' }), resolveOf(sender, { fingerprint: 'b' }));
    expect(await pipeline.incidentsOf(sender)).toMatchObject([{ status: 'resolved', open_alert_count: 0 }]);
    expect(await timelineTypesOf(id)).toEqual(['incident.created', 'incident.updated', 'incident.resolved']);
    expect((await timelineOf(id)).at(-1)).toMatchObject({
      actor: { type: 'integration' },
      cause: { type: 'alert', id: b },
      changes: [
        { field: 'status', before: 'triggered', after: 'resolved' },
        { field: 'openAlertCount', before: 1, after: 0 },
      ],
    });
    await expectConsistent(sender);
  });

  test('resolves once also when many requests resolve its alerts at the same time', async () => {
    const sender = await pipeline.newSender();
    const { id } = await opened(sender, { alertIds: await fired(sender, ...names(40)) });
    await byItself(id);
    await Promise.all(names(40).map((fingerprint) => pipeline.store(resolveOf(sender, { fingerprint }))));
    await pipeline.applied(sender, 80);
    expect(await pipeline.incidentsOf(sender)).toMatchObject([{ status: 'resolved', open_alert_count: 0 }]);
    expect((await timelineTypesOf(id)).filter((type) => type === 'incident.resolved')).toHaveLength(1);
    await expectConsistent(sender);
  });

  test('stays resolved by a person who was first, and does not resolve after it was opened again', async () => {
    const sender = await pipeline.newSender();
    const { id } = await opened(sender, { alertIds: await fired(sender, 'a', 'b') });
    await byItself(id);
    await changed(sender, id, { status: 'resolved', resolveAlerts: true });
    expect(await timelineTypesOf(id)).toEqual(['incident.created', 'incident.resolved', 'incident.updated']);
    expect(await changed(sender, id, { status: 'triggered' })).toMatchObject({
      status: 'triggered',
      openAlertCount: 0,
    });
    await expectConsistent(sender);
  });
});
