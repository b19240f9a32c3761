import {
  escalateIncident,
  mergeIncidents,
  publicId,
  uuidOf,
  type Answer,
  type Call,
  type Incident,
} from '@ams/contracts';
import { testIncidents } from '../../testing/incidents.js';
import { testPaging } from '../../testing/paging.js';
import { dataOf, eventOf, idempotent, startPipeline, type Sender, type TestPipeline } from '../../testing/support.js';

let pipeline: TestPipeline;

beforeAll(async () => {
  pipeline = await startPipeline();
});

afterAll(() => pipeline?.stop());

const { post, put, opened, changed, fired, expectConsistent } = testIncidents(() => pipeline);
const { newPolicy, newWorkflow, page, incidentsNow, pagesOf } = testPaging(() => pipeline);

/** Longer than a test. */
const never = 3600;

/** A policy with one member a level. */
async function newWorld(levels: number) {
  const sender = await pipeline.newSender();
  const people = await Promise.all(Array.from({ length: levels }, () => pipeline.newMember(sender)));
  const policyId = await newPolicy(
    sender,
    people.map((id) => ({ targets: [{ type: 'user', id }], escalateAfterSeconds: never })),
  );
  const workflow = await newWorkflow(sender);
  return {
    sender,
    people,
    /** An alert that pages, in the incident of its group. */
    async fire(groupKey: string, fingerprint = groupKey, values = {}): Promise<string> {
      await pipeline.send(eventOf(sender, { fingerprint, ...values }));
      const id = publicId('alert', (await pipeline.alertOf(sender, fingerprint)).id);
      expect(await page(sender, workflow, id, { page: { policyId }, groupKey })).toMatchObject({ kind: 'done' });
      return id;
    },
    incident: async (number: number): Promise<Incident> => (await incidentsNow(sender))[number - 1] as Incident,
    told: async (): Promise<string[]> =>
      (await pagesOf(sender)).map(({ kind, episode, round, level }) =>
        kind === 'level' ? `${episode}.${round}.${level}` : kind,
      ),
  };
}

const merge = (sender: Sender, into: Incident, from: Incident[], more: Partial<Call> = {}): Promise<Answer> =>
  pipeline.call(sender, mergeIncidents, {
    params: { id: into.id },
    body: { incidentIds: from.map(({ id }) => id), note: 'one cause' },
    ...more,
  });
const escalate = (sender: Sender, { id }: Incident, more: Partial<Call> = {}): Promise<Answer> =>
  pipeline.call(sender, escalateIncident, { params: { id }, body: { note: 'help' }, ...more });
const timelineOf = ({ id }: Incident) => pipeline.incidentTimelineOf(uuidOf('incident', id) ?? '');

describe('merging', () => {
  test('moves all alerts, ends the other incidents, and both stories tell it', async () => {
    const { sender, fire, incident, told } = await newWorld(2);
    await fire('disk');
    await fire('cpu', 'a');
    await fire('cpu', 'b', { severity: 'critical' });
    const merged = dataOf<Incident>(await merge(sender, await incident(1), [await incident(2)]));
    expect(merged).toMatchObject({ number: 1, severity: 'critical', alertCount: 3, openAlertCount: 3 });
    const source = await incident(2);
    expect(source).toMatchObject({
      status: 'resolved',
      resolvedBy: { type: 'api_key' },
      mergedInto: merged.id,
      alertCount: 0,
      openAlertCount: 0,
      escalation: { state: 'stopped', nextAt: null },
    });
    // The alerts join: nobody is paged again. A rise within the urgency is told, first that of the other incident.
    expect(await told()).toEqual(['1.1.1', '1.1.1', 'rise', 'rise']);
    expect((await timelineOf(merged)).map(({ type, note }) => [type, note])).toContainEqual([
      'incident.merged',
      'one cause',
    ]);
    expect((await timelineOf(source)).at(-1)).toMatchObject({
      type: 'incident.resolved',
      note: 'one cause',
      changes: expect.arrayContaining([{ field: 'mergedInto', before: null, after: merged.id }]),
    });
    expect((await pipeline.published(sender)).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['incident.merged', 'incident.resolved']),
    );
    await expectConsistent(sender);

    // Later alerts of its group join the other one, also over two merges, and it is never opened again.
    await fire('memory');
    expect((await merge(sender, await incident(3), [merged])).ok).toBe(true);
    await fire('cpu', 'c');
    expect(await incident(3)).toMatchObject({ alertCount: 5, openAlertCount: 5 });
    expect(await put(sender, source.id, { status: 'triggered' })).toMatchObject({
      ok: false,
      code: 'INVALID_STATE_TRANSITION',
      details: { from: 'resolved', to: 'triggered', allowed: [] },
    });
    await changed(sender, (await incident(3)).id, { status: 'resolved' });
    await fire('cpu', 'a');
    expect(await incident(3)).toMatchObject({ status: 'triggered', openAlertCount: 1 });
    expect(await incidentsNow(sender)).toHaveLength(3);
    await expectConsistent(sender);
  });

  test('makes a target that pages nobody page by the policy of the other one', async () => {
    const { sender, fire, incident, told } = await newWorld(1);
    const silent = await opened(sender, { severity: 'high' });
    await fire('cpu');
    expect((await merge(sender, silent, [await incident(2)])).ok).toBe(true);
    expect(await incident(1)).toMatchObject({ escalation: { state: 'escalating', episode: 1, level: 1 } });
    expect(await told()).toEqual(['1.1.1', '1.1.1']);
    await expectConsistent(sender);
  });

  test('is refused with a clear reason, and changes nothing', async () => {
    const { sender, fire, incident } = await newWorld(1);
    const clientId = await pipeline.newClient(sender, 'acme');
    await fire('cpu');
    await fire('acme', 'acme', { clientId });
    await fire('over');
    const [own, other, over] = [await incident(1), await incident(2), await incident(3)];
    await changed(sender, over.id, { status: 'resolved' });
    const stranger = await opened(await pipeline.newSender());
    const answers: [Promise<Answer>, string, RegExp][] = [
      [merge(sender, own, [other]), 'CONFLICT', /^Incident 2 and incident 1 are not about the same client/],
      [merge(sender, own, [over]), 'CONFLICT', /^Incident 3 is resolved/],
      [merge(sender, over, [own]), 'CONFLICT', /^Incident 3 is resolved/],
      [merge(sender, own, [own]), 'VALIDATION_ERROR', /./],
      [merge(sender, own, [stranger]), 'VALIDATION_ERROR', /./],
      [merge(sender, stranger, [own]), 'NOT_FOUND', /./],
      [merge(sender, own, [other], { ifMatch: '"99"' }), 'VERSION_MISMATCH', /./],
    ];
    for (const [answer, code, message] of answers)
      expect(await answer).toMatchObject({ ok: false, code, message: expect.stringMatching(message) });
    const narrow = {
      ...sender,
      principal: { ...sender.principal, restrictedTo: { clientIds: [clientId], teamIds: [] } },
    };
    expect(await merge(narrow, other, [own])).toMatchObject({ ok: false });
    expect((await incidentsNow(sender)).map(({ alertCount }) => alertCount)).toEqual([1, 1, 1]);
    await expectConsistent(sender);
  });

  test('answers the same again', async () => {
    const { sender, fire, incident } = await newWorld(1);
    await fire('cpu');
    await fire('disk');
    const [target, source] = [await incident(1), await incident(2)];
    const first = dataOf<Incident>(await merge(sender, target, [source], { idempotency: idempotent('m') }));
    expect(dataOf(await merge(sender, target, [source], { idempotency: idempotent('m') }))).toEqual(first);
    expect(dataOf(await merge(sender, target, [source]))).toEqual(first);
  });

  test('at the same time as alerts that join, and other merges, leaves each alert in one open incident', async () => {
    const { sender, fire, incident } = await newWorld(1);
    for (const group of ['a', 'b', 'c']) await fire(group);
    const incidents = [await incident(1), await incident(2), await incident(3)] as [Incident, Incident, Incident];
    const [a, b, c] = incidents;
    const names = Array.from({ length: 30 }, (_, n) => `f${n}`);
    await fired(sender, ...names);
    const answers = await Promise.all([
      merge(sender, a, [b]),
      merge(sender, b, [c]),
      merge(sender, c, [a]),
      merge(sender, a, [c, b]),
      ...names.map((name, n) => fire(['a', 'b', 'c'][n % 3] ?? '', name).then(() => null)),
      post(sender),
    ]);
    for (const answer of answers) if (answer && !answer.ok) expect(answer.code).toBe('CONFLICT');
    const after = (await incidentsNow(sender)).slice(0, 3);
    expect(after.reduce((sum, { openAlertCount }) => sum + openAlertCount, 0)).toBe(33);
    for (const { status, alertCount } of after) if (status === 'resolved') expect(alertCount).toBe(0);
    await expectConsistent(sender);
  });
});

describe('asking for the next level', () => {
  /** As if the last level had been told a minute ago. */
  const aMinuteLater = ({ id }: Incident): Promise<unknown> =>
    pipeline.admin.query(
      `UPDATE alerts.incidents SET paging = paging || jsonb_build_object('toldAt', now() - interval '1 minute')
       WHERE id = $1`,
      [uuidOf('incident', id)],
    );

  test('tells it once when two people ask at the same moment, then the owners, then nobody is left', async () => {
    const { sender, fire, incident, told } = await newWorld(2);
    await fire('cpu');
    const before = await incident(1);
    const asked = await Promise.all([1, 2, 3].map(() => escalate(sender, before)));
    for (const answer of asked) expect(dataOf(answer)).toMatchObject({ escalation: { level: 2 } });
    expect(await told()).toEqual(['1.1.1', '1.1.2']);
    expect((await timelineOf(before)).map(({ type, note }) => [type, note]).slice(2, 3)).toEqual([
      ['incident.escalated', 'help'],
    ]);
    await aMinuteLater(before);
    const key = { idempotency: idempotent('e') };
    expect(dataOf(await escalate(sender, before, key))).toEqual(dataOf(await escalate(sender, before, key)));
    expect(await told()).toEqual(['1.1.1', '1.1.2', 'owners']);
    expect(await escalate(sender, before)).toMatchObject({
      ok: false,
      code: 'CONFLICT',
      message: expect.stringMatching(/^Everybody was told/),
    });
    await expectConsistent(sender);
  });

  test('triggers an acknowledged incident: its alerts fire, and the level after the last one is told', async () => {
    const { sender, fire, incident, told } = await newWorld(3);
    await fire('cpu');
    await changed(sender, (await incident(1)).id, { status: 'acknowledged' });
    expect(dataOf(await escalate(sender, await incident(1)))).toMatchObject({
      status: 'triggered',
      acknowledgedBy: null,
      escalation: { state: 'escalating', episode: 1, level: 2 },
    });
    expect(await pipeline.alertOf(sender)).toMatchObject({ status: 'firing' });
    expect(await told()).toEqual(['1.1.1', '1.1.2']);
    await expectConsistent(sender);
  });

  test('is refused for an incident that is resolved or pages nobody', async () => {
    const { sender, fire, incident } = await newWorld(1);
    const silent = await opened(sender);
    expect(await escalate(sender, silent)).toMatchObject({ ok: false, code: 'CONFLICT' });
    await fire('cpu');
    await changed(sender, (await incident(2)).id, { status: 'resolved' });
    expect(await escalate(sender, await incident(2))).toMatchObject({ ok: false, code: 'CONFLICT' });
  });
});
