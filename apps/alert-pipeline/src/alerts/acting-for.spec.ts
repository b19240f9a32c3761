/** A key that acts for a member: records show the member, and the key. */
import {
  acknowledgeAlert,
  bulkAlerts,
  createIncident,
  newUuid,
  publicId,
  resolveAlert,
  updateIncident,
  uuidOf,
  type Alert,
  type AlertEvent,
  type Incident,
  type Operation,
} from '@ams/contracts';
import { scopes, type Scope } from '@ams/scopes';
import { insertApiKey } from '@ams/testing';
import { testIncidents } from '../../testing/incidents.js';
import { dataOf, eventOf, startPipeline, type Sender, type TestPipeline } from '../../testing/support.js';

let pipeline: TestPipeline;
let sender: Sender;
let member: string;
beforeAll(async () => {
  pipeline = await startPipeline();
});
afterAll(() => pipeline?.stop());
beforeEach(async () => {
  sender = await pipeline.newSender();
  member = await pipeline.newMember(sender);
});

const { opened, put, fired } = testIncidents(() => pipeline);

const byKey = () => ({ type: 'api_key', id: publicId('apiKey', sender.principal.id), name: 'key' });
const asMember = () => ({ type: 'user', id: member, name: 'member', via: byKey() });
const alert = async (): Promise<string> => (await fired(sender, newUuid()))[0] as string;
const call = (operation: Operation, id: string, body: object) =>
  pipeline.call(sender, operation, { params: { id }, body });

test.each([
  ['acknowledges', acknowledgeAlert as Operation, 'acknowledgedBy'],
  ['resolves', resolveAlert as Operation, 'resolvedBy'],
] as const)(
  'a key that %s an alert for a member is shown as the member, with the key',
  async (_verb, operation, field) => {
    const id = await alert();
    const changed = dataOf<Alert>(await call(operation, id, { onBehalfOf: member, note: 'by chat' }));
    expect(changed[field]).toEqual(asMember());
    expect((await pipeline.timelineOf(uuidOf('alert', id) as string)).at(-1)).toMatchObject({
      actor: asMember(),
      note: 'by chat',
    });
    const events = (await pipeline.published(sender)) as AlertEvent[];
    expect(events.at(-1)?.actor).toEqual(asMember());
  },
);

test('a bulk change and changes of an incident are the member’s, and those of its alerts', async () => {
  const id = await alert();
  const bulk = { action: 'acknowledge', ids: [id], onBehalfOf: member };
  expect(await pipeline.call(sender, bulkAlerts, { body: bulk })).toMatchObject({ body: { data: { succeeded: 1 } } });
  const uuid = (await pipeline.alertsOf(sender))[0]?.id as string;
  expect((await pipeline.timelineOf(uuid)).at(-1)?.actor).toEqual(asMember());

  const other = await alert();
  const incident = await opened(sender, { alertIds: [other] });
  const acknowledged = dataOf<Incident>(
    await put(sender, incident.id, { status: 'acknowledged', onBehalfOf: member, note: 'mine' }),
  );
  expect(acknowledged.acknowledgedBy).toEqual(asMember());
  const alerts = await pipeline.alertsOf(sender);
  expect(alerts.map(({ acknowledged_by }) => acknowledged_by)).toEqual([asMember(), asMember()]);
  const noted = await put(sender, incident.id, { note: 'looking', onBehalfOf: member });
  expect(noted).toMatchObject({ ok: true });
});

test('without onBehalfOf, or with null, it is the key', async () => {
  for (const body of [{}, { onBehalfOf: null }])
    expect(dataOf<Alert>(await call(acknowledgeAlert as Operation, await alert(), body)).acknowledgedBy).toEqual(
      byKey(),
    );
});

test('an invited member is one; a disabled, unknown or foreign one is not', async () => {
  const elsewhere = await pipeline.newSender();
  const refused = [
    [await pipeline.newMember(sender, 'disabled'), 'enabled'],
    [await pipeline.newMember(elsewhere), 'exists'],
    [publicId('member', newUuid()), 'exists'],
    ['mira', 'exists'],
  ] as const;
  const id = await alert();
  const incident = await opened(sender);
  for (const [onBehalfOf, rule] of refused) {
    const fault = { code: 'VALIDATION_ERROR', details: { fields: [{ path: 'onBehalfOf', rule }] } };
    expect(await call(acknowledgeAlert as Operation, id, { onBehalfOf })).toMatchObject(fault);
    const bulk = { action: 'resolve', ids: [id], onBehalfOf };
    expect(await pipeline.call(sender, bulkAlerts, { body: bulk })).toMatchObject(fault);
    const change = { params: { id: incident.id }, body: { status: 'resolved', onBehalfOf } };
    expect(await pipeline.call(sender, updateIncident, change)).toMatchObject(fault);
  }
  expect((await pipeline.alertsOf(sender)).map(({ status }) => status)).toEqual(['firing']);
  const invited = await pipeline.newMember(sender, 'invited');
  expect(await call(acknowledgeAlert as Operation, id, { onBehalfOf: invited })).toMatchObject({ ok: true });
});

test('a key without the scope users:read acts for nobody', async () => {
  const id = await alert();
  const held: Scope[] = scopes.filter((scope) => scope !== 'users:read');
  const { organizationId } = sender;
  const { principal } = await insertApiKey(pipeline.admin, { organizationId, scopes: held });
  const answer = await pipeline.call({ ...sender, principal }, acknowledgeAlert, {
    params: { id },
    body: { onBehalfOf: member },
  });
  expect(answer).toMatchObject({ code: 'INSUFFICIENT_SCOPE', details: { required: 'users:read' } });
});

describe('a key that is restricted to a client', () => {
  let mine: string;
  let restricted: Sender;
  beforeEach(async () => {
    mine = await pipeline.newClient(sender, 'mine');
    const { organizationId } = sender;
    const restrictedTo = { clientIds: [mine], teamIds: [] };
    const { principal } = await insertApiKey(pipeline.admin, { organizationId, restrictedTo });
    restricted = { ...sender, principal };
    const theirs = await pipeline.newClient(sender, 'theirs');
    for (const clientId of [mine, theirs, null])
      await pipeline.send(
        eventOf(sender, {
          fingerprint: clientId === mine ? 'mine' : clientId === theirs ? 'theirs' : 'nobody',
          clientId,
        }),
      );
  });
  const idOf = async (fingerprint: string) => publicId('alert', (await pipeline.alertOf(sender, fingerprint)).id);
  const statuses = async () =>
    (await pipeline.alertsOf(sender)).map(({ fingerprint, status }) => `${fingerprint} ${status}`).sort();

  test('changes only the alerts of the client, also in bulk and by a filter', async () => {
    for (const fingerprint of ['theirs', 'nobody'])
      for (const operation of [acknowledgeAlert, resolveAlert])
        expect(
          await pipeline.call(restricted, operation, { params: { id: await idOf(fingerprint) }, body: {} }),
        ).toMatchObject({ code: 'NOT_FOUND' });
    const ids = [await idOf('mine'), await idOf('theirs')];
    expect(await pipeline.call(restricted, bulkAlerts, { body: { action: 'acknowledge', ids } })).toMatchObject({
      body: { data: { succeeded: 1, failed: 1 } },
    });
    expect(await pipeline.call(restricted, bulkAlerts, { body: { action: 'resolve', filter: {} } })).toMatchObject({
      body: { data: { requested: 1, succeeded: 1 } },
    });
    expect(await statuses()).toEqual(['mine resolved', 'nobody firing', 'theirs firing']);
    await pipeline.expectCorrectCounts(sender);
    await pipeline.expectWholeTimeline(sender);
  });

  test('opens incidents of the client only, and changes no others', async () => {
    const clientId = publicId('client', mine);
    const own = await opened(restricted, { clientId, alertIds: [await idOf('mine')] });
    expect(own).toMatchObject({ clientId, alertCount: 1 });
    const wide = { title: 'x', severity: 'high' };
    expect(await pipeline.call(restricted, createIncident, { body: wide })).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
    });
    const foreign = { ...wide, clientId, alertIds: [await idOf('theirs')] };
    expect(await pipeline.call(restricted, createIncident, { body: foreign })).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    const other = await opened(sender);
    expect(await put(restricted, other.id, { status: 'acknowledged' })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await put(restricted, own.id, { status: 'acknowledged' })).toMatchObject({ ok: true });
    expect(await put(restricted, own.id, { status: 'resolved', resolveAlerts: true })).toMatchObject({ ok: true });
    await pipeline.expectCorrectIncidents(sender);
    await pipeline.expectCorrectCounts(sender);
  });

  test('resolves an alert whose incident belongs to nobody, and the incident counts it', async () => {
    await opened(sender, { alertIds: [await idOf('mine')] });
    // As an earlier release made it: with alerts of several clients.
    await pipeline.admin.query('UPDATE alerts.incidents SET client_id = NULL WHERE organization_id = $1', [
      sender.organizationId,
    ]);
    const resolve = { params: { id: await idOf('mine') }, body: {} };
    expect(await pipeline.call(restricted, resolveAlert, resolve)).toMatchObject({ ok: true });
    expect((await pipeline.incidentsOf(sender))[0]).toMatchObject({ alert_count: 1, open_alert_count: 0 });
    await pipeline.expectCorrectIncidents(sender);
    await pipeline.expectCorrectCounts(sender);
  });
});
