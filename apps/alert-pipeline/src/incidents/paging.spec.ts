import { acknowledgeAlert, publicId, unacknowledgeAlert, uuidOf, type Incident } from '@ams/contracts';
import { eventually, insertDevice } from '@ams/testing';
import { testIncidents } from '../../testing/incidents.js';
import { testPaging } from '../../testing/paging.js';
import { eventOf, resolveOf, startPipeline, type Sender, type TestPipeline } from '../../testing/support.js';

let pipeline: TestPipeline;

beforeAll(async () => {
  pipeline = await startPipeline();
});

afterAll(() => pipeline?.stop());

const { changed, fired, expectConsistent } = testIncidents(() => pipeline);
const { newPolicy, catchAll, newWorkflow, page, incidentsNow, pagesOf } = testPaging(() => pipeline);

/** Longer than a test. */
const never = 3600;

interface World {
  sender: Sender;
  workflow: string;
  policyId: string;
  people: string[];
}

/** A policy with one member a level. */
async function paging(seconds = [never, never], more = {}): Promise<World> {
  const sender = await pipeline.newSender();
  const people = await Promise.all(seconds.map(() => pipeline.newMember(sender)));
  const levels = seconds.map((escalateAfterSeconds, index) => ({
    targets: [{ type: 'user' as const, id: people[index] ?? '' }],
    escalateAfterSeconds,
  }));
  const policyId = await newPolicy(sender, levels, more);
  return { sender, workflow: await newWorkflow(sender), policyId, people };
}

async function fire({ sender, workflow, policyId }: World, fingerprint = 'cpu', values = {}): Promise<string> {
  await pipeline.send(eventOf(sender, { fingerprint, ...values }));
  const id = publicId('alert', (await pipeline.alertOf(sender, fingerprint)).id);
  expect(await page(sender, workflow, id, { page: { policyId } })).toMatchObject({ kind: 'done' });
  return id;
}

const only = async (world: World): Promise<Incident> => {
  const incidents = await incidentsNow(world.sender);
  expect(incidents).toHaveLength(1);
  return incidents[0] as Incident;
};

/** Who was told, by episode and level, as positions in `people`. */
const told = async ({ sender, people }: World): Promise<string[]> =>
  (await pagesOf(sender)).map(
    ({ kind, episode, round, level, recipients }) =>
      `${kind === 'level' ? `${episode}.${round}.${level}` : kind}: ${recipients
        .map(({ memberId, unreachable }) => unreachable ?? people.indexOf(publicId('member', memberId) ?? ''))
        .join(', ')}`,
  );

const timelineOf = (id: string) => pipeline.incidentTimelineOf(uuidOf('incident', id) ?? '');

describe('the escalation of an incident', () => {
  test('begins with the first level when it opens, and goes on to the next one when nobody acknowledges', async () => {
    const world = await paging([1, never]);
    await fire(world);
    // On a busy machine the second level may have begun.
    expect(await only(world)).toMatchObject({
      status: 'triggered',
      urgency: 'high',
      policyId: world.policyId,
      escalation: { state: 'escalating', episode: 1, round: 1 },
    });
    await eventually(async () => expect(await told(world)).toEqual(['1.1.1: 0', '1.1.2: 1']));
    const incident = await only(world);
    expect(incident.escalation.told.map(({ userId }) => userId)).toEqual(world.people);
    expect((await timelineOf(incident.id)).map(({ type }) => type)).toEqual([
      'incident.created',
      'incident.paged',
      'incident.paged',
    ]);
    await expectConsistent(world.sender);
  });

  test('tells a member by mail and on every device at the same time, and says once that the member was told', async () => {
    const world = await paging();
    const [memberId = ''] = world.people.map((id) => uuidOf('member', id) ?? '');
    const devices = [
      await insertDevice(pipeline.admin, world.sender, { memberId }),
      await insertDevice(pipeline.admin, world.sender, { memberId, name: 'Laptop' }),
    ];
    await fire(world);
    const [{ recipients = [] } = {}] = await pagesOf(world.sender);
    expect(recipients.map(({ channel, target }) => [channel, target])).toEqual([
      ['email', expect.stringContaining('@')],
      ['push', 'Phone'],
      ['push', 'Laptop'],
    ]);
    expect(recipients.slice(1).map(({ destination }) => destination)).toMatchObject(
      devices.map((deviceId) => ({ channel: 'push', deviceId })),
    );
    expect(new Set(recipients.map(({ notificationId }) => notificationId)).size).toBe(3);
    const incident = await only(world);
    expect(incident.escalation.told.map(({ userId }) => userId)).toEqual([world.people[0]]);
    expect(incident.escalation.told[0]?.notificationId).toBe(
      publicId('notification', recipients[0]?.notificationId ?? ''),
    );
    const [, paged] = await timelineOf(incident.id);
    expect(paged?.note).toMatch(/^Level 1 of the escalation policy "Policy" is told: [^,]+\.$/);
  });

  test('is one for all alerts that join: they tell nobody again', async () => {
    const world = await paging();
    for (const fingerprint of ['a', 'b', 'c']) await fire(world, fingerprint);
    expect(await only(world)).toMatchObject({ alertCount: 3, openAlertCount: 3 });
    expect(await told(world)).toEqual(['1.1.1: 0']);
  });

  test('stops when somebody acknowledges the incident or its only alert, who is then shown', async () => {
    const byIncident = await paging();
    await fire(byIncident);
    await changed(byIncident.sender, (await only(byIncident)).id, { status: 'acknowledged' });
    const byAlert = await paging();
    const alert = await fire(byAlert);
    expect((await pipeline.call(byAlert.sender, acknowledgeAlert, { params: { id: alert } })).ok).toBe(true);
    for (const world of [byIncident, byAlert]) {
      expect(await only(world)).toMatchObject({
        status: 'acknowledged',
        acknowledgedBy: { type: 'api_key' },
        escalation: { state: 'waiting', nextAt: null },
      });
      await expectConsistent(world.sender);
    }
  });

  test('begins again when the incident is handed back, and its alerts fire again', async () => {
    const world = await paging();
    await fire(world);
    const { id } = await only(world);
    await changed(world.sender, id, { status: 'acknowledged' });
    expect(await pipeline.alertOf(world.sender)).toMatchObject({ status: 'acknowledged' });
    await changed(world.sender, id, { status: 'triggered' });
    expect(await pipeline.alertOf(world.sender)).toMatchObject({ status: 'firing' });
    expect(await told(world)).toEqual(['1.1.1: 0', '2.1.1: 0']);
    await expectConsistent(world.sender);
  });

  test('begins again when the acknowledgement of one of its alerts is taken back, and only this one fires', async () => {
    const world = await paging();
    const alert = await fire(world, 'a');
    await fire(world, 'b');
    await changed(world.sender, (await only(world)).id, { status: 'acknowledged' });
    expect((await pipeline.call(world.sender, unacknowledgeAlert, { params: { id: alert } })).ok).toBe(true);
    expect(await pipeline.alertOf(world.sender, 'a')).toMatchObject({ status: 'firing' });
    expect(await pipeline.alertOf(world.sender, 'b')).toMatchObject({ status: 'acknowledged' });
    expect(await only(world)).toMatchObject({ status: 'triggered', acknowledgedBy: null });
    expect(await told(world)).toEqual(['1.1.1: 0', '2.1.1: 0']);
    await expectConsistent(world.sender);
  });

  test('begins again when the acknowledgement or a snooze ends', async () => {
    const world = await paging([never], { ackTimeoutSeconds: 1 });
    await fire(world);
    const { id } = await only(world);
    await changed(world.sender, id, { status: 'acknowledged' });
    await eventually(async () => expect(await told(world)).toEqual(['1.1.1: 0', '2.1.1: 0']));
    expect(await pipeline.alertOf(world.sender)).toMatchObject({ status: 'firing' });
    const until = new Date(Date.now() + 1500).toISOString();
    expect(await changed(world.sender, id, { snoozedUntil: until })).toMatchObject({
      status: 'acknowledged',
      snoozedUntil: until,
    });
    await eventually(async () => expect(await told(world)).toEqual(['1.1.1: 0', '2.1.1: 0', '3.1.1: 0']));
    expect(await only(world)).toMatchObject({ status: 'triggered', snoozedUntil: null });
    await expectConsistent(world.sender);
  });

  test('goes on for the second alert when the alert that opened the incident is resolved', async () => {
    const world = await paging([1, never]);
    await fire(world, 'a');
    await fire(world, 'b');
    await pipeline.send(resolveOf(world.sender, { fingerprint: 'a' }));
    await eventually(async () => expect(await told(world)).toEqual(['1.1.1: 0', '1.1.2: 1']));
    await pipeline.send(resolveOf(world.sender, { fingerprint: 'b' }));
    expect(await only(world)).toMatchObject({ status: 'resolved', escalation: { state: 'stopped', nextAt: null } });
  });

  test('passes a level that nobody can be told at once, then tells the catch-all policy and the owners', async () => {
    const sender = await pipeline.newSender();
    const disabled = await pipeline.newMember(sender, 'disabled');
    const level = (id: string, escalateAfterSeconds: number) => ({
      targets: [{ type: 'user' as const, id }],
      escalateAfterSeconds,
    });
    const last = await pipeline.newMember(sender);
    const policyId = await newPolicy(sender, [level(disabled, never), level('usr_0', never)], { repeat: 3 });
    await catchAll(sender, await newPolicy(sender, [level(last, 1)]));
    const world = { sender, workflow: await newWorkflow(sender), policyId, people: [last] };
    await fire(world);
    await eventually(async () => expect((await only(world)).escalation.state).toBe('exhausted'));
    expect((await told(world)).map((line) => line.replace(/: .* (is disabled|does not exist)$/, ': nobody'))).toEqual([
      '1.1.1: nobody',
      '1.1.2: nobody',
      '1.1.1: 0',
      'owners: ',
    ]);
  });

  test('of an unknown team is that of the catch-all policy', async () => {
    const world = await paging();
    await catchAll(world.sender, world.policyId);
    await pipeline.send(eventOf(world.sender));
    const id = publicId('alert', (await pipeline.alertOf(world.sender)).id);
    await page(world.sender, world.workflow, id, { page: { team: 'nobody' } });
    expect(await told(world)).toEqual(['1.1.1: 0']);
  });

  test('pauses while all alerts are suppressed, and goes on where it was', async () => {
    const world = await paging([2, never]);
    await fire(world);
    const window = await pipeline.windows.insert(world.sender, {
      matchers: [{ field: 'fingerprint', op: 'eq', value: 'cpu' }],
    });
    await eventually(async () => expect((await only(world)).escalation.state).toBe('paused'));
    await pipeline.admin.query('DELETE FROM resources.suppression_windows WHERE organization_id = $1', [
      world.sender.organizationId,
    ]);
    expect(window).toBeDefined();
    await eventually(async () => expect(await told(world)).toEqual(['1.1.1: 0', '1.1.2: 1']));
    await expectConsistent(world.sender);
  });
});

describe('an incident and its alerts', () => {
  test('its severity is the highest of its open alerts; a rise to high urgency tells everybody again', async () => {
    const world = await paging();
    await fire(world, 'a', { severity: 'low' });
    expect(await only(world)).toMatchObject({ severity: 'low', urgency: 'low' });
    await changed(world.sender, (await only(world)).id, { status: 'acknowledged' });
    await fire(world, 'b', { severity: 'critical' });
    await eventually(async () =>
      expect(await only(world)).toMatchObject({ status: 'triggered', severity: 'critical', urgency: 'high' }),
    );
    expect(await told(world)).toEqual(['1.1.1: 0', '2.1.1: 0']);
    await pipeline.send(resolveOf(world.sender, { fingerprint: 'b' }));
    expect(await only(world)).toMatchObject({ severity: 'low', urgency: 'low' });
    expect(await told(world)).toHaveLength(2);
    await expectConsistent(world.sender);
  });

  test('a member or a key that makes it more severe tells whoever acknowledged, else the present level', async () => {
    const world = await paging();
    await fire(world, 'cpu', { severity: 'high' });
    const { id } = await only(world);
    await changed(world.sender, id, { status: 'acknowledged' });
    // A key has acknowledged for nobody, so the first level is told. What the key sets stays.
    expect(await changed(world.sender, id, { severity: 'critical' })).toMatchObject({ severity: 'critical' });
    expect(await told(world)).toEqual(['1.1.1: 0', 'rise: 0']);
    expect(await changed(world.sender, id, { severity: 'high', note: 'better' })).toMatchObject({ severity: 'high' });
    expect(await told(world)).toHaveLength(2);

    const [, onBehalfOf] = world.people;
    await changed(world.sender, id, { status: 'triggered' });
    await changed(world.sender, id, { status: 'acknowledged', onBehalfOf });
    await changed(world.sender, id, { severity: 'critical' });
    expect((await told(world)).slice(2)).toEqual(['2.1.1: 0', 'rise: 1']);
    expect((await timelineOf(id)).at(-1)?.note).toMatch(/^The severity of the incident .* has risen to critical/);
    await expectConsistent(world.sender);
  });

  test('the severity that a key has set stays until an alert of it changes, and that of a member for good', async () => {
    const world = await paging();
    await fire(world, 'cpu', { severity: 'high' });
    const { id } = await only(world);
    expect(await changed(world.sender, id, { severity: 'critical' })).toMatchObject({ severityBy: 'alerts' });
    expect(await changed(world.sender, id, { status: 'acknowledged', note: 'mine' })).toMatchObject({
      severity: 'critical',
    });
    await fire(world, 'disk', { severity: 'high' });
    expect(await only(world)).toMatchObject({ severity: 'high' });
    const [onBehalfOf] = world.people;
    await changed(world.sender, id, { severity: 'critical', onBehalfOf });
    await fire(world, 'memory', { severity: 'high' });
    expect(await only(world)).toMatchObject({ severity: 'critical', severityBy: 'person' });
    await expectConsistent(world.sender);
  });

  test('to resolve it resolves its alerts, and the next firing reopens it and tells people again', async () => {
    const world = await paging();
    await fire(world);
    await changed(world.sender, (await only(world)).id, { status: 'resolved' });
    expect(await pipeline.alertOf(world.sender)).toMatchObject({ status: 'resolved' });
    await fire(world);
    expect(await only(world)).toMatchObject({ status: 'triggered', alertCount: 2, openAlertCount: 1 });
    expect(await told(world)).toEqual(['1.1.1: 0', '2.1.1: 0']);
  });

  test('an alert that was left firing reopens it with its next occurrence', async () => {
    const world = await paging();
    await fire(world);
    await changed(world.sender, (await only(world)).id, { status: 'resolved', resolveAlerts: false });
    expect(await pipeline.alertOf(world.sender)).toMatchObject({ status: 'firing' });
    expect(await only(world)).toMatchObject({ status: 'resolved' });
    await pipeline.send(eventOf(world.sender));
    expect(await only(world)).toMatchObject({ status: 'triggered' });
    expect(await told(world)).toEqual(['1.1.1: 0', '2.1.1: 0']);
  });

  test('stays open when its workflow is deleted, also beside another one of the same group', async () => {
    const world = await paging();
    await fire(world);
    const other = { ...world, workflow: await newWorkflow(world.sender) };
    await fire(other, 'disk');
    await pipeline.admin.query('DELETE FROM resources.workflows WHERE organization_id = $1', [
      world.sender.organizationId,
    ]);
    expect((await incidentsNow(world.sender)).map(({ status, workflowId }) => [status, workflowId])).toEqual([
      ['triggered', null],
      ['triggered', null],
    ]);
  });

  test('alerts of two clients are never in one incident', async () => {
    const world = await paging();
    const clients = [await pipeline.newClient(world.sender, 'acme'), await pipeline.newClient(world.sender, 'zeta')];
    for (const clientId of clients) await fire(world, clientId, { clientId });
    expect((await incidentsNow(world.sender)).map(({ clientId }) => uuidOf('client', clientId ?? ''))).toEqual(clients);
  });

  test('one that flaps keeps it open: its people are told four times in all, and once that it flaps', async () => {
    const world = await paging();
    for (let n = 0; n < 10; n++) {
      await fire(world);
      await pipeline.send(resolveOf(world.sender));
    }
    expect(await only(world)).toMatchObject({ status: 'triggered', openAlertCount: 0, alertCount: 10 });
    expect(await told(world)).toEqual(['1.1.1: 0', '2.1.1: 0', '3.1.1: 0', '4.1.1: 0', 'flapping: 0']);
    await expectConsistent(world.sender);
  });

  test('a storm opens one incident and tells its people once, and a resolve in its midst is not undone', async () => {
    const world = await paging();
    const names = Array.from({ length: 100 }, (_, n) => `f${n}`);
    const ids = await fired(world.sender, ...names);
    const command = (id: string) =>
      page(world.sender, world.workflow, id, { page: { policyId: world.policyId }, windowSeconds: 900 });
    await command(ids[0] ?? '');
    const { id } = await only(world);
    await Promise.all([...ids.slice(1).map(command), changed(world.sender, id, { status: 'resolved', note: 'known' })]);
    const incident = await only(world);
    const alerts = await pipeline.alertsOf(world.sender);
    expect(alerts.every(({ incident_id }) => incident_id === uuidOf('incident', id))).toBe(true);
    if (incident.status === 'resolved') expect(alerts.every(({ status }) => status === 'resolved')).toBe(true);
    expect((await told(world)).length).toBeLessThanOrEqual(2);
    const { rows } = await pipeline.admin.query<{ type: string }>(
      `SELECT type FROM alerts.incident_timeline WHERE incident_id = $1
       AND type IN ('incident.resolved', 'incident.reopened') ORDER BY occurred_at, incident_version`,
      [uuidOf('incident', id)],
    );
    expect(rows.map(({ type }) => type).slice(0, 2)).toEqual(
      ['incident.resolved', 'incident.reopened'].slice(0, rows.length),
    );
    expect(rows.length).toBeLessThanOrEqual(2);
    await expectConsistent(world.sender);
  });
});

describe('an escalation of which something is lost', () => {
  /** As if it had been so for two minutes, and a look is due. */
  const lose = (id: string, escalation: object): Promise<unknown> =>
    pipeline.admin.query(
      `WITH looks AS (UPDATE alerts.page_looks SET looked_at = '-infinity')
       UPDATE alerts.incidents SET due_at = NULL, escalation = escalation || $2,
         updated_at = now() - interval '2 minutes' WHERE id = $1`,
      [uuidOf('incident', id), escalation],
    );

  test('goes on, tells nobody twice and is counted once when the time of its next level is lost', async () => {
    const world = await paging([never, never]);
    await fire(world);
    const before = await counted();
    const { id } = await only(world);
    await lose(id, { nextAt: new Date(Date.now() - 61_000).toISOString() });
    await eventually(async () => expect(await told(world)).toEqual(['1.1.1: 0', '1.1.2: 1']));
    expect(await counted()).toBe(before + 1);
    await expectConsistent(world.sender);
  });

  test('goes on when it pauses although an alert fires', async () => {
    const world = await paging([never, never]);
    await fire(world);
    const before = await counted();
    const { id } = await only(world);
    await lose(id, { state: 'paused', nextAt: null });
    await eventually(async () => expect(await told(world)).toEqual(['1.1.1: 0', '1.1.2: 1']));
    expect(await counted()).toBe(before + 1);
    await expectConsistent(world.sender);
  });

  test('nothing else in this file was lost', async () => {
    expect(await counted()).toBe(2);
  });

  async function counted(): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${pipeline.port}/metrics`)).text();
    return Number(/^ams_pages_missing_total\{.*missing="escalation".*\} (\d+)$/m.exec(text)?.[1]);
  }
});
