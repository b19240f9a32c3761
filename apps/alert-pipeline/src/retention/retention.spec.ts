/** What is deleted for its age, and what is kept however old it is. */
import { newUuid } from '@ams/contracts';
import { eventually, insertAlerts, insertIncident, insertRows } from '@ams/testing';
import { startPipeline, type Sender, type TestPipeline } from '../../testing/support.js';

let pipeline: TestPipeline;
let sender: Sender;

beforeAll(async () => {
  pipeline = await startPipeline();
  sender = await pipeline.newSender();
  // Months as the pipeline makes them when their time comes.
  for (const table of ['events', 'timeline', 'incident_timeline'])
    await pipeline.admin.query(`SELECT public.ensure_partitions('alerts.${table}', now() - interval '300 days', 10)`);
});
afterAll(() => pipeline?.stop());

const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);
const settings = { alertDays: 30, incidentDays: 60, eventDays: 90 };

const rows = async <Row extends object>(sql: string, params: unknown[] = []): Promise<Row[]> =>
  (await pipeline.admin.query<Row>(sql, params)).rows;
const idsOf = async (table: string): Promise<string[]> =>
  (
    await rows<{ id: string }>(`SELECT id FROM alerts.${table} WHERE organization_id = $1 ORDER BY id`, [
      sender.organizationId,
    ])
  ).map(({ id }) => id);
const monthsOf = async (table: string): Promise<string[]> =>
  (
    await rows<{ name: string }>(
      `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
     WHERE inhparent = 'alerts.${table}'::regclass ORDER BY 1`,
    )
  ).map(({ name }) => name);

/** An alert that was created, and perhaps resolved, some days ago, with the entries of its timeline and its event. */
async function newAlert(created: number, resolved: number | null, incidentId: string | null = null): Promise<string> {
  const at = daysAgo(created);
  const id = newUuid(at.getTime());
  await insertAlerts(pipeline.admin, sender, [
    {
      id,
      integrationId: sender.integrationId,
      incidentId,
      createdAt: at,
      ...(resolved === null ? {} : { status: 'resolved', resolvedAt: daysAgo(resolved) }),
    },
  ]);
  const tenant = { organizationId: sender.organizationId, environment: sender.environment };
  await insertRows(pipeline.admin, 'alerts.timeline', [
    {
      id,
      ...tenant,
      alertId: id,
      alertVersion: 1,
      type: 'alert.created',
      actor: {},
      cause: {},
      changes: [],
      occurredAt: at,
    },
  ]);
  await insertRows(pipeline.admin, 'alerts.events', [
    { id, ...tenant, integrationId: sender.integrationId, alertId: id, outcome: 'created', receivedAt: at, event: {} },
  ]);
  return id;
}

async function newIncident(created: number, resolved: number | null, alertCount: number, mergedInto?: string) {
  const at = daysAgo(created);
  const id = newUuid(at.getTime());
  await insertIncident(pipeline.admin, sender, {
    id,
    createdAt: at,
    alertCount,
    ...(resolved === null ? {} : { status: 'resolved', resolvedAt: daysAgo(resolved) }),
  });
  if (mergedInto)
    await pipeline.admin.query('UPDATE alerts.incidents SET merged_into = $2 WHERE id = $1', [id, mergedInto]);
  await insertRows(pipeline.admin, 'alerts.incident_timeline', [
    {
      id,
      organizationId: sender.organizationId,
      environment: sender.environment,
      incidentId: id,
      incidentVersion: 1,
      type: 'incident.triggered',
      actor: {},
      cause: {},
      changes: [],
      occurredAt: at,
    },
  ]);
  return id;
}

test('resolved alerts and incidents go after their days, open ones and their timelines stay', async () => {
  const openIncident = await newIncident(200, null, 2);
  const recentIncident = await newIncident(200, 59, 1);
  const oldIncident = await newIncident(200, 61, 2);
  const incidentWithOpenAlert = await newIncident(200, 61, 2);
  const mergedIntoRecent = await newIncident(201, 100, 0, recentIncident);
  await newIncident(201, 100, 0, oldIncident);
  await pipeline.admin.query('UPDATE alerts.incidents SET open_alert_count = 1 WHERE id = ANY ($1::uuid[])', [
    [openIncident, incidentWithOpenAlert],
  ]);
  const kept = [
    await newAlert(200, null), // open since long
    await newAlert(200, 29), // resolved lately
    await newAlert(29, 1),
    await newAlert(199, 150, openIncident),
    await newAlert(199, null, openIncident),
    await newAlert(199, 150, recentIncident),
    await newAlert(199, null, incidentWithOpenAlert),
  ].toSorted();
  const gone = [
    await newAlert(200, 31),
    await newAlert(32, 31),
    await newAlert(199, 150, oldIncident),
    await newAlert(199, 150, oldIncident),
    await newAlert(199, 150, incidentWithOpenAlert),
  ];
  await insertRows(
    pipeline.admin,
    'alerts.set_aside',
    [daysAgo(91), daysAgo(89), null].map((replayedAt, index) => ({
      id: newUuid(),
      partition: 0,
      streamSequence: index,
      payload: '{}',
      error: 'x',
      tries: 1,
      replayedAt,
    })),
  );

  // Several replicas at once.
  await Promise.all([1, 2, 3].map(() => pipeline.startReplica(settings)));

  await eventually(async () => {
    expect(await idsOf('alerts')).toEqual(kept);
    expect(await idsOf('incidents')).toEqual(
      [openIncident, recentIncident, incidentWithOpenAlert, mergedIntoRecent].toSorted(),
    );
    expect(await rows('SELECT FROM alerts.set_aside')).toHaveLength(2);
  });
  // An hour later, or after a start: the entries of what is gone by now.
  const { port } = await pipeline.startReplica(settings);
  await eventually(async () => {
    // Of the months before, only the entries of what is kept are there; 32 days ago is not a whole month before all.
    expect((await idsOf('timeline')).filter((id) => !gone.includes(id))).toEqual(kept);
    expect(
      await rows(`SELECT FROM alerts.timeline WHERE id < public.uuid_at(now() - interval '190 days')`),
    ).toHaveLength(kept.length - 1);
    expect(await idsOf('incident_timeline')).toEqual(
      [openIncident, recentIncident, incidentWithOpenAlert, mergedIntoRecent].toSorted(),
    );
    const left = await monthsOf('events');
    expect(left).toContain(`events_${daysAgo(89).toISOString().slice(0, 7).replace('-', '')}`);
    expect(left).not.toContain(`events_${daysAgo(200).toISOString().slice(0, 7).replace('-', '')}`);
  });
  await pipeline.expectCorrectCounts(sender);
  await pipeline.expectCorrectIncidents(sender);

  await eventually(async () => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const oldest = /ams_retention_oldest_row_seconds\{.*kind="alerts".*\} (\S+)/.exec(text)?.[1];
    expect(Number(oldest)).toBeGreaterThan(199 * 86_400);
  });
});

test('the functions refuse what is not old', async () => {
  for (const call of ['drop_old_events(now())', `drop_old_entries('alert', now())`, `drop_old_entries('other', NULL)`])
    await expect(pipeline.admin.query(`SELECT alerts.${call}`)).rejects.toThrow('days are kept');
});
