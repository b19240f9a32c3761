import {
  acknowledgeAlert,
  assignAlert,
  bulkAlerts,
  createAlertNote,
  publicId,
  unacknowledgeAlert,
  type Alert,
  type BulkResult,
  type Operation,
} from '@ams/contracts';
import { testIncidents } from '../../testing/incidents.js';
import { dataOf, idempotent, resolveOf, startPipeline, type TestPipeline } from '../../testing/support.js';

let pipeline: TestPipeline;

beforeAll(async () => {
  pipeline = await startPipeline();
});

afterAll(() => pipeline?.stop());

const { fired, expectConsistent } = testIncidents(() => pipeline);

async function world() {
  const sender = await pipeline.newSender();
  const [id = ''] = await fired(sender, 'cpu');
  return {
    sender,
    act: (operation: Operation, body: object, more = {}) =>
      pipeline.call(sender, operation, { params: { id }, body, ...more }),
    timeline: async () => pipeline.timelineOf((await pipeline.alertOf(sender)).id),
  };
}

test('an alert is assigned to a member, and to nobody', async () => {
  const { sender, act, timeline } = await world();
  const member = await pipeline.newMember(sender);
  expect(dataOf<Alert>(await act(assignAlert, { assigneeId: member, note: 'please' }))).toMatchObject({
    assigneeId: member,
    version: 2,
  });
  expect(dataOf<Alert>(await act(assignAlert, { assigneeId: member }))).toMatchObject({ version: 2 });
  expect((await timeline()).at(-1)).toMatchObject({
    type: 'alert.assigned',
    actor: { type: 'api_key', id: publicId('apiKey', sender.principal.id) },
    changes: [{ field: 'assigneeId', before: null, after: member }],
    note: 'please',
  });
  expect(dataOf<Alert>(await act(assignAlert, { assigneeId: null }))).toMatchObject({ assigneeId: null, version: 3 });
  expect((await pipeline.published(sender)).map(({ type }) => type)).toContain('alert.assigned');
  for (const assigneeId of [await pipeline.newMember(sender, 'disabled'), 'usr_0', 'x'])
    expect(await act(assignAlert, { assigneeId })).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
  await expectConsistent(sender);
});

test('several alerts are assigned by one request, by their ids or by a filter', async () => {
  const sender = await pipeline.newSender();
  const ids = await fired(sender, 'one', 'two', 'three');
  const member = await pipeline.newMember(sender);
  const bulk = (body: object) => pipeline.call(sender, bulkAlerts, { body: { action: 'assign', ...body } });
  const assignees = async (): Promise<(string | null)[]> =>
    (await pipeline.alertsOf(sender)).map(({ assignee_id }) => publicId('member', assignee_id));

  const first = await bulk({ ids: [...ids.slice(0, 2), 'alr_0'], assigneeId: member, note: 'please' });
  expect(dataOf<BulkResult>(first)).toMatchObject({
    action: 'assign',
    requested: 3,
    succeeded: 2,
    failed: 1,
    results: [{ changed: true, status: 'firing' }, { changed: true }, { ok: false, error: { code: 'NOT_FOUND' } }],
  });
  expect((await pipeline.timelineOf((await pipeline.alertOf(sender, 'one')).id)).at(-1)).toMatchObject({
    type: 'alert.assigned',
    changes: [{ field: 'assigneeId', before: null, after: member }],
    note: 'please',
  });
  const all = await bulk({ filter: { status: ['firing'] }, assigneeId: member });
  expect(dataOf<BulkResult>(all).results.filter(({ changed }) => changed)).toHaveLength(1);
  expect(await assignees()).toEqual([member, member, member]);
  expect(await bulk({ ids, assigneeId: null })).toMatchObject({ body: { data: { succeeded: 3 } } });
  expect(await assignees()).toEqual([null, null, null]);
  for (const wrong of [
    { ids },
    { ids, assigneeId: await pipeline.newMember(sender, 'disabled') },
    { ids, assigneeId: 7 },
    { ids, action: 'resolve', assigneeId: member },
  ])
    expect(await bulk(wrong)).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
  await expectConsistent(sender);
});

test('a note is an entry of the timeline, once for each request, also when the alert is resolved', async () => {
  const { sender, act, timeline } = await world();
  for (const [key, note] of [
    ['a', 'disk was full'],
    ['a', 'disk was full'],
    ['b', 'cleaned'],
  ] as const) {
    expect((await act(createAlertNote, { note }, { idempotency: idempotent(key) })).ok).toBe(true);
    await pipeline.send(resolveOf(sender));
  }
  const notes = (await timeline()).filter(({ type }) => type === 'alert.noted').map(({ note }) => note);
  expect(notes).toEqual(['disk was full', 'cleaned']);
  expect((await pipeline.published(sender)).filter(({ type }) => type === 'alert.noted')).toHaveLength(2);
  expect(await act(createAlertNote, { note: 'x' }, { params: { id: 'alr_0' } })).toMatchObject({ code: 'NOT_FOUND' });
  await expectConsistent(sender);
});

test('an acknowledgement is taken back, once, with the note and who did it', async () => {
  const { sender, act, timeline } = await world();
  expect(dataOf<Alert>(await act(unacknowledgeAlert, {}))).toMatchObject({ status: 'firing', version: 1 });
  await act(acknowledgeAlert, {});
  const call = { idempotency: idempotent('back') };
  for (let times = 0; times < 2; times++)
    expect(dataOf<Alert>(await act(unacknowledgeAlert, { note: 'not mine' }, call))).toMatchObject({
      status: 'firing',
      acknowledgedAt: null,
      acknowledgedBy: null,
      version: 3,
    });
  const entries = (await timeline()).filter(({ type }) => type === 'alert.resumed');
  expect(entries).toMatchObject([
    { actor: { type: 'api_key' }, cause: { type: 'request' }, note: 'not mine', version: 3 },
  ]);
  expect((await pipeline.published(sender)).map(({ type }) => type)).toContain('alert.resumed');
  await pipeline.send(resolveOf(sender));
  expect(await act(unacknowledgeAlert, {})).toMatchObject({
    ok: false,
    code: 'INVALID_STATE_TRANSITION',
    details: { from: 'resolved', to: 'firing', allowed: [] },
  });
  await expectConsistent(sender);
});

test.each([
  ['acknowledge', acknowledgeAlert, {}],
  ['note', createAlertNote, { note: 'looks bad' }],
  ['assign', assignAlert, { assigneeId: null }],
])('the time of an act is not before the last change: %s', async (_name, operation, body) => {
  const { sender, act, timeline } = await world();
  const member = await pipeline.newMember(sender);
  await act(assignAlert, { assigneeId: member });
  const ahead = new Date(Date.now() + 300_000).toISOString();
  const { id } = await pipeline.alertOf(sender);
  await pipeline.admin.query('UPDATE alerts.alerts SET updated_at = $2 WHERE id = $1', [id, ahead]);
  await act(operation, body);
  const { rows } = await pipeline.admin.query<{ at: Date }>(
    'SELECT occurred_at AS at FROM alerts.timeline WHERE alert_id = $1 ORDER BY id DESC LIMIT 1',
    [id],
  );
  expect(rows[0]?.at.toISOString()).toBe(ahead);
  expect((await timeline()).length).toBe(3);
});
