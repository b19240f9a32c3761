import { newUuid, publicId, uuidOf, type Incident } from '@ams/contracts';
import { incidentStatuses, incidentTransitions, type IncidentStatus } from '@ams/domain';
import { testIncidents } from '../../testing/incidents.js';
import { dataOf, idempotent, resolveOf, startPipeline, type TestPipeline } from '../../testing/support.js';

let pipeline: TestPipeline;

beforeAll(async () => {
  pipeline = await startPipeline();
});

afterAll(() => pipeline?.stop());

const { post, put, opened, changed, fired, expectConsistent } = testIncidents(() => pipeline);

const timelineOf = (id: string) => pipeline.incidentTimelineOf(uuidOf('incident', id) ?? '');

const faultsOf = (answer: Awaited<ReturnType<typeof post>>): string[] =>
  answer.ok
    ? []
    : ((answer.details as { fields: { path: string; rule: string }[] } | null)?.fields ?? [])
        .map(({ path, rule }) => `${path}: ${rule}`)
        .sort();

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
      severityBy: 'person',
      urgency: 'high',
      status: 'triggered',
      policyId: null,
      escalation: { state: 'stopped', episode: 0, round: 0, level: 0, nextAt: null, told: [] },
      snoozedUntil: null,
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
      mergedInto: null,
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
    expect(await pipeline.incidentsOf(sender)).toEqual([]);
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
    for (const { id } of [first, second]) await changed(sender, id, { status: 'resolved', resolveAlerts: false });
    const third = await opened(sender, { alertIds: [a, b, c] });
    expect(third).toMatchObject({ alertCount: 3, openAlertCount: 2 });
    expect(
      (await pipeline.incidentsOf(sender)).map(({ alert_count: all, open_alert_count: open }) => [all, open]),
    ).toEqual([
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
    expect(await pipeline.incidentsOf(sender)).toHaveLength(1);
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
      mergedInto: null,
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
      urgency: 'low',
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
        { field: 'urgency', before: 'high', after: 'low' },
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
    expect(await pipeline.incidentsOf(sender)).toMatchObject([{ version: 2 }]);
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
