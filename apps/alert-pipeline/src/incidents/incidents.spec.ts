import {
  acknowledgeAlert,
  auditStream,
  bulkAlerts,
  createIncident,
  newUuid,
  publicId,
  resolveAlert,
  updateIncident,
  uuidOf,
  workflowCommandRequest,
  type AuditRecord,
  type Call,
  type Incident,
  type IncidentEvent,
  type WorkflowCommand,
} from '@ams/contracts';
import { incidentStatuses, incidentTransitions, type IncidentStatus } from '@ams/domain';
import { managerOf } from '@ams/messaging';
import { eventually } from '@ams/testing';
import {
  dataOf,
  eventOf,
  idempotent,
  patience,
  resolveOf,
  startPipeline,
  type AlertFound,
  type Sender,
  type TestPipeline,
} from '../../testing/support.js';

let pipeline: TestPipeline;

beforeAll(async () => {
  pipeline = await startPipeline();
});

afterAll(() => pipeline?.stop());

const post = (sender: Sender, body: object = {}, more: Partial<Call> = {}) =>
  pipeline.call(sender, createIncident, { body: { title: 'Checkout is slow', severity: 'high', ...body }, ...more });
const put = (sender: Sender, id: string, body: object, more: Partial<Call> = {}) =>
  pipeline.call(sender, updateIncident, { params: { id }, body, ...more });

const opened = async (sender: Sender, body: object = {}): Promise<Incident> =>
  dataOf<Incident>(await post(sender, body));
const changed = async (sender: Sender, id: string, body: object): Promise<Incident> =>
  dataOf<Incident>(await put(sender, id, body));

const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `f${i}`);
const alertId = ({ id }: AlertFound): string => publicId('alert', id);

/** Opens an alert for each fingerprint. Returns their public ids in the same order. */
async function fired(sender: Sender, ...fingerprints: string[]): Promise<string[]> {
  await pipeline.send(...fingerprints.map((fingerprint) => eventOf(sender, { fingerprint })));
  return Promise.all(fingerprints.map(async (fingerprint) => alertId(await pipeline.alertOf(sender, fingerprint))));
}

const foundOf = async (
  sender: Sender,
): Promise<
  {
    id: string;
    number: number;
    status: IncidentStatus;
    alert_count: number;
    open_alert_count: number;
    version: number;
    client_id: string | null;
  }[]
> =>
  (
    await pipeline.admin.query('SELECT * FROM alerts.incidents WHERE organization_id = $1 ORDER BY number', [
      sender.organizationId,
    ])
  ).rows;

const timelineOf = (id: string) => pipeline.incidentTimelineOf(uuidOf('incident', id) ?? '');
const timelineTypesOf = async (id: string): Promise<string[]> => (await timelineOf(id)).map(({ type }) => type);

const faultsOf = (answer: Awaited<ReturnType<typeof post>>): string[] =>
  answer.ok
    ? []
    : ((answer.details as { fields: { path: string; rule: string }[] } | null)?.fields ?? [])
        .map(({ path, rule }) => `${path}: ${rule}`)
        .sort();

async function expectConsistent(sender: Sender): Promise<void> {
  await pipeline.expectCorrectIncidents(sender);
  await pipeline.expectWholeTimeline(sender);
  await pipeline.expectCorrectCounts(sender);
}

describe('a new incident', () => {
  test('has all values of the request, and a number that counts from 1 in the organization', async () => {
    const sender = await pipeline.newSender();
    const inTest = await pipeline.newSender({ organizationId: sender.organizationId, environment: 'test' });
    const client = await pipeline.newClient(sender, 'acme');
    const member = await pipeline.newMember(sender);
    const answer = await post(sender, {
      summary: 'since noon',
      clientId: publicId('client', client),
      assigneeIds: [member],
      note: 'reported by phone',
    });
    expect(answer).toMatchObject({ ok: true, status: 201, version: 1 });
    const first = dataOf<Incident>(answer);
    const { createdAt: at } = first;
    expect(first).toEqual({
      id: expect.stringMatching(/^inc_[0-9a-f]{32}$/),
      number: 1,
      title: 'Checkout is slow',
      summary: 'since noon',
      severity: 'high',
      status: 'triggered',
      clientId: publicId('client', client),
      assigneeIds: [member],
      workflowId: null,
      groupKey: null,
      alertCount: 0,
      openAlertCount: 0,
      triggeredAt: at,
      acknowledgedAt: null,
      acknowledgedBy: null,
      resolvedAt: null,
      resolvedBy: null,
      createdAt: at,
      updatedAt: at,
      version: 1,
    });
    expect(await timelineOf(first.id)).toEqual([
      {
        type: 'incident.created',
        version: 1,
        actor: { type: 'api_key', id: publicId('apiKey', sender.principal.id), name: 'key' },
        cause: { type: 'request', id: 'r' },
        changes: [{ field: 'status', before: null, after: 'triggered' }],
        note: 'reported by phone',
      },
    ]);
    expect((await opened(inTest)).number).toBe(2);
    expect((await opened(sender)).number).toBe(3);
    expect((await opened(await pipeline.newSender())).number).toBe(1);
  });

  test('has its own number when twenty are opened at the same time, in both environments', async () => {
    const live = await pipeline.newSender();
    const inTest = await pipeline.newSender({ organizationId: live.organizationId, environment: 'test' });
    const incidents = await Promise.all(Array.from({ length: 20 }, (_, i) => opened(i % 2 === 0 ? live : inTest)));
    expect(incidents.map(({ number }) => number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
  });

  test('does not use up a number when it is refused', async () => {
    const sender = await pipeline.newSender();
    const [alert] = await fired(sender, 'cpu');
    await opened(sender, { alertIds: [alert] });
    expect(await post(sender, { alertIds: [alert] })).toMatchObject({ ok: false, code: 'CONFLICT' });
    expect((await opened(sender)).number).toBe(2);
  });

  test('contains its alerts, and their timelines show it', async () => {
    const sender = await pipeline.newSender();
    const alertIds = await fired(sender, 'a', 'b', 'over');
    await pipeline.send(resolveOf(sender, { fingerprint: 'over' }));
    const incident = await opened(sender, { alertIds });
    expect(incident).toMatchObject({ alertCount: 3, openAlertCount: 2 });
    for (const alert of await pipeline.alertsOf(sender)) {
      expect(publicId('incident', alert.incident_id)).toBe(incident.id);
      expect((await pipeline.timelineOf(alert.id)).at(-1)).toMatchObject({
        type: 'alert.addedToIncident',
        actor: { type: 'api_key' },
        cause: { type: 'request', id: 'r' },
        changes: [{ field: 'incidentId', before: null, after: incident.id }],
      });
    }
    await expectConsistent(sender);
  });

  test('is refused with all errors in one answer', async () => {
    const sender = await pipeline.newSender();
    const stranger = await pipeline.newSender();
    const inTest = await pipeline.newSender({ organizationId: sender.organizationId, environment: 'test' });
    const gone = await pipeline.newClient(sender, 'gone');
    await pipeline.admin.query('UPDATE resources.clients SET deleted_at = now() WHERE id = $1', [gone]);
    const [mine] = await fired(sender, 'mine');
    const [theirs] = await fired(stranger, 'theirs');
    const [ofTest] = await fired(inTest, 'in test');
    const unknown = publicId('alert', newUuid());
    expect(
      faultsOf(
        await post(sender, {
          clientId: publicId('client', newUuid()),
          alertIds: [mine, unknown, theirs, ofTest, 'alr_1'],
          assigneeIds: [
            await pipeline.newMember(sender),
            publicId('member', newUuid()),
            await pipeline.newMember(sender, 'disabled'),
            await pipeline.newMember(stranger),
            'me',
            await pipeline.newMember(sender, 'invited'),
          ],
        }),
      ),
    ).toEqual([
      'alertIds[1]: exists',
      'alertIds[2]: exists',
      'alertIds[3]: exists',
      'alertIds[4]: exists',
      'assigneeIds[1]: exists',
      'assigneeIds[2]: exists',
      'assigneeIds[3]: exists',
      'assigneeIds[4]: exists',
      'clientId: exists',
    ]);
    for (const client of [gone, await pipeline.newClient(stranger, 'acme'), await pipeline.newClient(inTest, 'acme')]) {
      expect(faultsOf(await post(sender, { clientId: publicId('client', client) }))).toEqual(['clientId: exists']);
    }
    for (const body of [{ title: '' }, { severity: 'bad' }, { alertIds: [] }, { colour: 'red' }])
      expect(await post(sender, body)).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
    expect(await foundOf(sender)).toEqual([]);
  });

  test('cannot take an alert from an open incident; of two requests at the same time one gets the alert', async () => {
    const sender = await pipeline.newSender();
    const [a, b] = await fired(sender, 'a', 'b');
    const first = await opened(sender, { alertIds: [a] });
    expect(await post(sender, { alertIds: [b, a] })).toMatchObject({ ok: false, code: 'CONFLICT' });
    await changed(sender, first.id, { status: 'acknowledged' });
    expect(await post(sender, { alertIds: [a] })).toMatchObject({ ok: false, code: 'CONFLICT' });
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(sender, { alertIds: [b] })));
    expect(answers.map((answer) => (answer.ok ? 'ok' : answer.code)).sort()).toEqual([
      'CONFLICT',
      'CONFLICT',
      'CONFLICT',
      'CONFLICT',
      'ok',
    ]);
    await expectConsistent(sender);
  });

  test('takes alerts from resolved incidents, and the counts of both change', async () => {
    const sender = await pipeline.newSender();
    const [a, b, c] = await fired(sender, 'a', 'b', 'c');
    const first = await opened(sender, { alertIds: [a, b] });
    const second = await opened(sender, { alertIds: [c] });
    await pipeline.send(resolveOf(sender, { fingerprint: 'b' }));
    for (const { id } of [first, second]) await changed(sender, id, { status: 'resolved' });
    const third = await opened(sender, { alertIds: [a, b, c] });
    expect(third).toMatchObject({ alertCount: 3, openAlertCount: 2 });
    expect((await foundOf(sender)).map(({ alert_count: all, open_alert_count: open }) => [all, open])).toEqual([
      [0, 0],
      [0, 0],
      [3, 2],
    ]);
    expect((await timelineOf(first.id)).at(-1)).toMatchObject({
      type: 'incident.updated',
      actor: { type: 'api_key' },
      cause: { type: 'request', id: 'r' },
      changes: [
        { field: 'alertCount', before: 2, after: 0 },
        { field: 'openAlertCount', before: 1, after: 0 },
      ],
    });
    expect((await pipeline.timelineOf(uuidOf('alert', a ?? '') ?? '')).at(-1)).toMatchObject({
      changes: [{ field: 'incidentId', before: first.id, after: third.id }],
    });
    await expectConsistent(sender);
  });

  test('is created once when the request is repeated with its Idempotency-Key', async () => {
    const sender = await pipeline.newSender();
    const alertIds = await fired(sender, 'cpu');
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post(sender, { alertIds }, { idempotency: idempotent('k') })),
    );
    await changed(sender, dataOf<Incident>(answers[0] as (typeof answers)[0]).id, { status: 'acknowledged' });
    answers.push(await post(sender, { alertIds }, { idempotency: idempotent('k') }));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ ok: true, status: 201, body: { data: { number: 1, status: 'triggered' } } });
    expect(await post(sender, {}, { idempotency: idempotent('k', 'b') })).toMatchObject({
      ok: false,
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect(await foundOf(sender)).toHaveLength(1);
    await expectConsistent(sender);
  });
});

describe('a change of an incident', () => {
  /** The changes that bring an incident to each state. */
  const way: Record<IncidentStatus, IncidentStatus[]> = {
    triggered: [],
    acknowledged: ['acknowledged'],
    resolved: ['resolved'],
  };
  const entry: Record<IncidentStatus, string> = {
    triggered: 'incident.reopened',
    acknowledged: 'incident.acknowledged',
    resolved: 'incident.resolved',
  };

  test.each(incidentStatuses.flatMap((from) => incidentStatuses.map((to) => [from, to] as const)))(
    '%s to %s follows the table',
    async (from, to) => {
      const sender = await pipeline.newSender();
      const { id } = await opened(sender);
      for (const status of way[from]) await changed(sender, id, { status });
      const {
        rows: [before],
      } = await pipeline.admin.query('SELECT version FROM alerts.incidents WHERE id = $1', [uuidOf('incident', id)]);
      const answer = await put(sender, id, { status: to });
      if (from === to)
        expect(answer).toMatchObject({ ok: true, version: before.version, body: { data: { status: to } } });
      else if (incidentTransitions[from].includes(to)) {
        expect(answer).toMatchObject({ ok: true, version: before.version + 1, body: { data: { status: to } } });
        expect((await timelineOf(id)).at(-1)).toMatchObject({
          type: entry[to],
          changes: [{ field: 'status', before: from, after: to }],
        });
      } else
        expect(answer).toMatchObject({
          ok: false,
          code: 'INVALID_STATE_TRANSITION',
          details: { from, to, allowed: incidentTransitions[from] },
        });
      await expectConsistent(sender);
    },
  );

  test('keeps who was first, and removes the resolver when the incident is opened again', async () => {
    const sender = await pipeline.newSender();
    const other = await pipeline.newSender({ organizationId: sender.organizationId });
    const { id, triggeredAt } = await opened(sender);
    const acknowledged = await changed(sender, id, { status: 'acknowledged' });
    const by = { type: 'api_key', id: publicId('apiKey', sender.principal.id), name: 'key' };
    expect(acknowledged).toMatchObject({ acknowledgedAt: expect.any(String), acknowledgedBy: by, resolvedAt: null });
    expect(await changed(other, id, { status: 'acknowledged' })).toEqual(acknowledged);
    const resolved = await changed(other, id, { status: 'resolved' });
    expect(resolved).toMatchObject({
      acknowledgedBy: by,
      resolvedBy: { ...by, id: publicId('apiKey', other.principal.id) },
      resolvedAt: expect.any(String),
      triggeredAt,
    });
    expect(await changed(sender, id, { status: 'triggered' })).toMatchObject({
      status: 'triggered',
      acknowledgedAt: null,
      acknowledgedBy: null,
      resolvedAt: null,
      resolvedBy: null,
      version: 4,
    });
  });

  test('changes the fields that are sent, null clears, and an equal value is no change', async () => {
    const sender = await pipeline.newSender();
    const incident = await opened(sender, { summary: 'since noon' });
    expect(
      await changed(sender, incident.id, { severity: 'low', title: 'Checkout is a little slow', summary: null }),
    ).toEqual({
      ...incident,
      severity: 'low',
      title: 'Checkout is a little slow',
      summary: null,
      updatedAt: expect.any(String),
      version: 2,
    });
    expect((await timelineOf(incident.id))[1]).toMatchObject({
      type: 'incident.updated',
      note: null,
      cause: { type: 'request', id: 'r' },
      changes: [
        { field: 'severity', before: 'high', after: 'low' },
        { field: 'title', before: 'Checkout is slow' },
        { field: 'summary', before: 'since noon', after: null },
      ],
    });
    expect(await changed(sender, incident.id, { severity: 'low', status: 'triggered', summary: null })).toMatchObject({
      version: 2,
    });
    expect(await changed(sender, incident.id, {})).toMatchObject({ version: 2 });
    expect(await changed(sender, incident.id, { note: 'called them' })).toMatchObject({ version: 3 });
    expect((await timelineOf(incident.id))[2]).toMatchObject({
      type: 'incident.noted',
      changes: [],
      note: 'called them',
    });
    for (const body of [{ colour: 'red' }, { title: null }, { status: 'open' }, { severity: null }, []])
      expect(await put(sender, incident.id, body)).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
    await expectConsistent(sender);
  });

  test('assigns only enabled members; a disabled member who is assigned already may stay', async () => {
    const sender = await pipeline.newSender();
    const [first, second, disabled] = [
      await pipeline.newMember(sender),
      await pipeline.newMember(sender),
      await pipeline.newMember(sender, 'disabled'),
    ];
    const { id } = await opened(sender, { assigneeIds: [first] });
    expect(faultsOf(await put(sender, id, { assigneeIds: [second, disabled] }))).toHaveLength(1);
    expect(await changed(sender, id, { assigneeIds: [first, second] })).toMatchObject({
      assigneeIds: [first, second],
      version: 2,
    });
    expect((await timelineOf(id)).at(-1)).toMatchObject({
      changes: [{ field: 'assigneeIds', before: [first], after: [first, second] }],
    });
    await pipeline.admin.query(`UPDATE auth.members SET status = 'disabled' WHERE id = $1`, [
      uuidOf('member', first ?? ''),
    ]);
    expect(await changed(sender, id, { assigneeIds: [first, second] })).toMatchObject({ version: 2 });
    expect(await changed(sender, id, { assigneeIds: [first] })).toMatchObject({ assigneeIds: [first], version: 3 });
    expect(await changed(sender, id, { assigneeIds: [] })).toMatchObject({ assigneeIds: [], version: 4 });
    expect(faultsOf(await put(sender, id, { assigneeIds: [first] }))).toEqual(['assigneeIds[0]: exists']);
  });

  test('needs the current version, the own tenant and a key that is not revoked', async () => {
    const sender = await pipeline.newSender();
    const { id } = await opened(sender);
    expect(await put(sender, id, { severity: 'low' }, { ifMatch: '"2"' })).toMatchObject({
      ok: false,
      code: 'VERSION_MISMATCH',
      details: { current: 1 },
    });
    expect(await put(sender, id, { severity: 'low' }, { ifMatch: '"1"' })).toMatchObject({ ok: true, version: 2 });
    const inTest = await pipeline.newSender({ organizationId: sender.organizationId, environment: 'test' });
    for (const [by, which] of [
      [await pipeline.newSender(), id],
      [inTest, id],
      [sender, 'inc_1'],
      [sender, publicId('incident', newUuid())],
    ] as const) {
      for (const body of [{ severity: 'info' }, { status: 'resolved', resolveAlerts: true }]) {
        expect(await put(by, which, body)).toMatchObject({
          ok: false,
          code: 'NOT_FOUND',
          details: { resource: 'incident', id: which },
        });
      }
    }
    await pipeline.admin.query('UPDATE auth.api_keys SET revoked_at = now() WHERE id = $1', [sender.principal.id]);
    expect(await put(sender, id, { severity: 'info' })).toMatchObject({ ok: false, code: 'UNAUTHORIZED' });
    expect(await post(sender)).toMatchObject({ ok: false, code: 'UNAUTHORIZED' });
    expect(await foundOf(sender)).toMatchObject([{ version: 2 }]);
  });

  test("is refused when it would open a second incident of a workflow's group", async () => {
    const sender = await pipeline.newSender();
    const workflow = newUuid();
    await pipeline.admin.query(
      `INSERT INTO resources.workflows (id, organization_id, environment, name, enabled, events, steps)
       VALUES ($1, $2, 'live', 'w', true, '{alert.created}', '[]')`,
      [workflow, sender.organizationId],
    );
    const group = (id: string): Promise<unknown> =>
      pipeline.admin.query('UPDATE alerts.incidents SET workflow_id = $2, group_key = $3 WHERE id = $1', [
        uuidOf('incident', id),
        workflow,
        'eu',
      ]);
    const first = await opened(sender);
    await changed(sender, first.id, { status: 'resolved' });
    await group(first.id);
    const second = await opened(sender);
    await group(second.id);
    expect(await put(sender, first.id, { status: 'triggered' })).toMatchObject({ ok: false, code: 'CONFLICT' });
    await changed(sender, second.id, { status: 'resolved' });
    expect(await put(sender, first.id, { status: 'triggered' })).toMatchObject({ ok: true });
    await expectConsistent(sender);
  });
});

describe('the alerts of an incident', () => {
  /** One alert in each state; a window suppresses one of them. */
  async function oneOfEach(sender: Sender): Promise<string[]> {
    await pipeline.admin.query(
      `INSERT INTO resources.suppression_windows (id, organization_id, environment, name, enabled, matchers, client_ids,
         integration_ids, except_severities, match_all, starts_at, ends_at, timezone, on_end, created_by)
       VALUES ($1, $2, 'live', 'w', true, '[{"field": "labels.quiet", "op": "eq", "value": "yes"}]', '{}',
         '{}', '{}', false, now() - interval '1 m', now() + interval '1 h', 'UTC', 'resume', '{}')`,
      [newUuid(), sender.organizationId],
    );
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

  test('are resolved with it when the request says so', async () => {
    const sender = await pipeline.newSender();
    const { id } = await opened(sender, { alertIds: await oneOfEach(sender) });
    expect(await changed(sender, id, { status: 'resolved' })).toMatchObject({ openAlertCount: 3 });
    expect(await statusOf(sender)).toEqual(unchanged);
    expect(await changed(sender, id, { status: 'resolved', resolveAlerts: true })).toMatchObject({
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

  test('are not changed by any other change of the incident', async () => {
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
    await changed(sender, id, { status: 'resolved' });
    expect(await put(sender, id, { status: 'acknowledged' })).toMatchObject({
      ok: false,
      code: 'INVALID_STATE_TRANSITION',
    });
    expect(await statusOf(sender)).toEqual(unchanged);
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
    await eventually(
      async () =>
        expect(await foundOf(sender)).toMatchObject([{ status: 'triggered', alert_count: 3, open_alert_count: 1 }]),
      patience,
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
    expect(await foundOf(sender)).toMatchObject([{ alert_count: 1, open_alert_count: 0 }]);
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
    expect(await foundOf(sender)).toMatchObject([{ status: 'triggered', open_alert_count: 1 }]);
    await pipeline.send(resolveOf(sender, { fingerprint: 'b' }), resolveOf(sender, { fingerprint: 'b' }));
    expect(await foundOf(sender)).toMatchObject([{ status: 'resolved', open_alert_count: 0 }]);
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
    expect(await foundOf(sender)).toMatchObject([{ status: 'resolved', open_alert_count: 0 }]);
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

describe('published events', () => {
  const eventsOf = async (sender: Sender): Promise<IncidentEvent[]> =>
    (await pipeline.published(sender)).filter((event): event is IncidentEvent => 'incident' in event);

  test('show every change of an incident once with its cause, and the incident as cause of alert changes', async () => {
    const sender = await pipeline.newSender();
    const alertIds = await fired(sender, 'cpu');
    const { id } = await opened(sender, { alertIds });
    await changed(sender, id, { status: 'acknowledged' });
    await changed(sender, id, { note: 'x' });
    await changed(sender, id, { status: 'resolved', resolveAlerts: true });
    const incidents = await eventsOf(sender);
    expect(incidents.map(({ type, incident, cause, depth }) => [type, incident.version, cause.type, depth])).toEqual([
      ['incident.created', 1, 'request', 0],
      ['incident.acknowledged', 2, 'request', 0],
      ['incident.noted', 3, 'request', 0],
      ['incident.resolved', 4, 'request', 0],
      ['incident.updated', 5, 'alert', 0],
    ]);
    const alerts = (await pipeline.published(sender)).filter((event) => 'alert' in event);
    expect(alerts.map(({ type, alert, cause, depth }) => [type, alert.version, cause.type, depth])).toEqual([
      ['alert.created', 1, 'event', 0],
      ['alert.addedToIncident', 2, 'request', 0],
      ['alert.acknowledged', 3, 'incident', 0],
      ['alert.resolved', 4, 'incident', 0],
    ]);
    expect(new Set(incidents.map(({ incident }) => incident.id))).toEqual(new Set([id]));
    expect(incidents.at(-1)).toMatchObject({
      environment: 'live',
      cause: { id: alertIds[0] },
      incident: { status: 'resolved', alertCount: 1, openAlertCount: 0 },
    });
    const { rows } = await pipeline.admin.query<{ id: string }>(
      'SELECT id FROM alerts.incident_timeline WHERE organization_id = $1 ORDER BY incident_version',
      [sender.organizationId],
    );
    expect(incidents.map((event) => event.id)).toEqual(rows.map((row) => publicId('timelineEntry', row.id)));
  });

  test('have the depth of the workflow that caused them, also for an incident that autoResolve ends', async () => {
    const sender = await pipeline.newSender();
    const [alert] = await fired(sender, 'cpu');
    const { id } = await opened(sender, { alertIds: [alert] });
    await pipeline.admin.query('UPDATE alerts.incidents SET auto_resolve = true WHERE id = $1', [
      uuidOf('incident', id),
    ]);
    const command: WorkflowCommand = {
      organizationId: sender.organizationId,
      environment: 'live',
      workflow: { id: newUuid(), name: 'w' },
      runId: newUuid(),
      depth: 3,
      alertId: uuidOf('alert', alert ?? ''),
      incidentId: null,
      body: { kind: 'resolve' },
    };
    await pipeline.nats.request(workflowCommandRequest.subject, JSON.stringify(command), { timeout: 20_000 });
    const told = (await pipeline.published(sender)).filter(({ type }) => type.endsWith('.resolved'));
    expect(told.map(({ type, depth, actor }) => [type, depth, actor.type]).sort()).toEqual([
      ['alert.resolved', 3, 'workflow'],
      ['incident.resolved', 3, 'workflow'],
    ]);
  });

  test('the audit log shows who made the change', async () => {
    const sender = await pipeline.newSender();
    const { id } = await opened(sender);
    await changed(sender, id, { status: 'acknowledged' });
    await changed(sender, id, { status: 'acknowledged' });
    await pipeline.published(sender);
    const manager = await managerOf(pipeline.nats);
    const { state } = await manager.streams.info(auditStream);
    const entries: AuditRecord[] = [];
    for (let seq = state.first_seq; seq <= state.last_seq; seq++)
      entries.push((await manager.streams.getMessage(auditStream, { seq }))?.json<AuditRecord>() as AuditRecord);
    const mine = entries.filter(({ organizationId }) => organizationId === sender.organizationId);
    expect(mine.map(({ type, resource, requestId }) => [type, resource, requestId])).toEqual([
      ['incident.created', { type: 'incident', id }, 'r'],
      ['incident.acknowledged', { type: 'incident', id }, 'r'],
    ]);
  });
});

describe('many requests at the same time', () => {
  test('fifty alerts resolve by events while people acknowledge and resolve the incident and its alerts', async () => {
    const sender = await pipeline.newSender();
    const ids = await fired(sender, ...names(50));
    const { id } = await opened(sender, { alertIds: ids });
    const people = async (bodies: object[]): Promise<void> => {
      for (const body of bodies) {
        const answer = await put(sender, id, body);
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
        dataOf(await pipeline.call(sender, bulkAlerts, { body: { action: 'acknowledge', ids: some } })),
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
    expect(await foundOf(sender)).toMatchObject([{ alert_count: 50, open_alert_count: 0 }]);
    await expectConsistent(sender);
  });

  test('new incidents take alerts from incidents that are being resolved: each alert is in exactly one', async () => {
    const sender = await pipeline.newSender();
    const ids = await fired(sender, ...names(20));
    const { id } = await opened(sender, { alertIds: ids });
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, (_, i) =>
        post(sender, { alertIds: i % 2 === 0 ? ids.slice(i, i + 10) : ids.slice(i, i + 10).reverse() }),
      ),
      put(sender, id, { status: 'resolved' }),
      ...Array.from({ length: 10 }, (_, i) => post(sender, { alertIds: ids.slice(i, i + 10).reverse() })),
      ...names(20).map((fingerprint) => pipeline.store(resolveOf(sender, { fingerprint })).then(() => null)),
    ]);
    await pipeline.applied(sender, 40);
    for (const answer of answers) if (answer && !answer.ok) expect(answer.code).toBe('CONFLICT');
    expect((await foundOf(sender)).reduce((sum, { alert_count: count }) => sum + count, 0)).toBe(20);
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
