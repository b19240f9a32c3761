/** Messages to the devices of members: who gets them, what the notifier is asked for, and devices that are gone. */
import {
  deviceGoneRequest,
  newUuid,
  publicId,
  readActionLink,
  testDevice,
  type DeviceGone,
  type IncidentEvent,
  type Notification,
  type Principal,
} from '@ams/contracts';
import { eventually, insertDevice } from '@ams/testing';
import { dataOf, notify, outcomes, startWorld, type Tenant, type TestWorld } from '../../testing/support.js';

let world: TestWorld;
let tenant: Tenant;
let member: string;
const gone: DeviceGone[] = [];

beforeAll(async () => {
  world = await startWorld();
  await world.startReplica();
  world.nats.subscribe(deviceGoneRequest.subject, {
    callback: (_error, message) => {
      gone.push(message.json<DeviceGone>());
      message.respond(JSON.stringify({ ended: true }));
    },
  });
});
afterAll(() => world?.stop());
beforeEach(async () => {
  world.answerSends(null);
  gone.length = 0;
  tenant = await world.newTenant();
  member = await world.newMember(tenant);
});

const addDevice = (name = 'Phone', of = member): Promise<string> =>
  insertDevice(world.admin, tenant, { memberId: of, name });
const endDevice = (id: string) =>
  world.admin.query(
    `UPDATE auth.push_devices SET subscription = NULL, ended_at = now(), end_reason = 'gone' WHERE id = $1`,
    [id],
  );

async function notifyMember(): Promise<string> {
  await world.newWorkflow(tenant, [notify([{ type: 'user', id: publicId('member', member) }])]);
  const alertId = await world.newAlert(tenant);
  await world.publishEvent(tenant, 'alert.created', alertId);
  return alertId;
}

/** When all have ended: target, status, reason. */
const ended = (count: number): Promise<string[][]> =>
  eventually(async () => {
    const found = await world.notificationsOf(tenant);
    expect(found.filter(({ status }) => status !== 'queued')).toHaveLength(count);
    return found
      .map(({ target, status, reason }) => [target, status, ...(status === 'sent' ? [] : [reason ?? ''])])
      .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  });

test('a message goes to the mail address and to each device, once, with links for the member', async () => {
  const [phone] = [await addDevice(), await addDevice('Laptop')];
  await endDevice(await addDevice('Old phone'));
  const alertId = await notifyMember();
  expect(await ended(3)).toEqual([
    ['Laptop', 'sent'],
    ['Phone', 'sent'],
    ['mira@example.com', 'sent'],
  ]);
  const sent = await world.sentTo(tenant);
  expect(new Set(sent.map(({ notificationId }) => notificationId)).size).toBe(3);
  const request = sent.find(({ target }) => target.channel === 'push' && target.deviceId === phone);
  expect(request?.target).toEqual({
    channel: 'push',
    deviceId: phone,
    name: 'mira',
    subscription: Buffer.from('sealed').toString('base64'),
  });
  const { open, acknowledge } = request?.notice.links ?? {};
  expect(open).toBe(`http://localhost:3000/alerts/${publicId('alert', alertId)}`);
  const link = acknowledge?.replace('http://localhost:3000/act/', '') ?? '';
  expect(readActionLink(['a secret of the links'], link, Date.now())).toMatchObject({
    action: 'acknowledge',
    id: publicId('alert', alertId),
    memberId: member,
    memberName: 'mira',
  });
});

test('a device that the push service does not know is reported; the run is done, because the mail was sent', async () => {
  const phone = await addDevice();
  world.answerSends(({ target }) =>
    target.channel === 'push'
      ? { kind: 'failed', reason: 'it is gone (410)', retry: false, retryAfterSeconds: null, gone: true }
      : { kind: 'sent', detail: null },
  );
  await notifyMember();
  expect(await ended(2)).toEqual([
    ['Phone', 'failed', 'it is gone (410)'],
    ['mira@example.com', 'sent'],
  ]);
  expect(gone).toMatchObject([{ deviceId: phone, organizationId: tenant.organizationId, environment: 'live' }]);
  expect(outcomes(await world.run(tenant, 'completed'))).toEqual(['page done']);
});

test('an attempt that fails for now is repeated with the same id', async () => {
  await addDevice();
  let attempts = 0;
  world.answerSends(({ target }) =>
    target.channel === 'push' && ++attempts < 2
      ? { kind: 'failed', reason: '429', retry: true, retryAfterSeconds: 1 }
      : { kind: 'sent', detail: null },
  );
  await notifyMember();
  expect(await ended(2)).toEqual([
    ['Phone', 'sent'],
    ['mira@example.com', 'sent'],
  ]);
  const pushed = (await world.sentTo(tenant)).filter(({ target }) => target.channel === 'push');
  expect([pushed.length, new Set(pushed.map(({ notificationId }) => notificationId)).size]).toEqual([2, 1]);
});

test('a message that waits for another attempt is left out when the device has ended', async () => {
  const phone = await addDevice();
  world.answerSends(({ target }) =>
    target.channel === 'push'
      ? { kind: 'failed', reason: '503', retry: true, retryAfterSeconds: 2 }
      : { kind: 'sent', detail: null },
  );
  await notifyMember();
  await eventually(async () => {
    const found = await world.notificationsOf(tenant);
    expect(found.find(({ channel }) => channel === 'push')).toMatchObject({ attempts: 1, status: 'queued' });
  });
  await endDevice(phone);
  expect((await ended(2))[0]).toEqual(['Phone', 'skipped', 'the device was removed or has ended']);
});

/** An incident of which the member was told by all ways. Returns its UUID. */
async function tellOfIncident(): Promise<string> {
  const page = { ...notify([{ type: 'user', id: publicId('member', member) }]), unless: ['acknowledged', 'resolved'] };
  await world.newWorkflow(tenant, [page], { events: ['incident.created'] });
  const incidentId = await world.newIncident(tenant);
  await world.publishEvent(tenant, 'incident.created', incidentId);
  return incidentId;
}

const silentOnes = async () => (await world.sentTo(tenant)).filter(({ notice }) => notice.silent);

test('an acknowledgement replaces the message on each device, without sound and once; so does the end', async () => {
  const devices = [await addDevice(), await addDevice('Laptop')];
  const removed = await addDevice('Tablet');
  const incidentId = await tellOfIncident();
  await ended(4);
  await endDevice(removed);
  await world.setStatus({ incidentId, status: 'acknowledged' });
  const event = await world.eventOf(tenant, 'incident.acknowledged', incidentId);
  const { incident } = event as unknown as IncidentEvent;
  const acknowledged = { ...event, incident: { ...incident, acknowledgedBy: { type: 'user', id: null, name: 'Ada' } } };
  await world.publish(acknowledged);
  await ended(6);
  await world.publish(acknowledged);
  await world.setStatus({ incidentId, status: 'resolved' });
  await world.publishEvent(tenant, 'incident.resolved', incidentId);
  await ended(8);
  const sent = await silentOnes();
  for (const deviceId of devices) {
    const toDevice = sent.filter(({ target }) => target.channel === 'push' && target.deviceId === deviceId);
    expect(toDevice).toMatchObject([
      { notice: { message: 'Acknowledged by Ada.', incident: { status: 'acknowledged' } } },
      { notice: { message: 'Resolved.', incident: { status: 'resolved' } } },
    ]);
  }
  expect(sent).toHaveLength(4);
});

test('a device that shows no message about the incident gets none about its acknowledgement', async () => {
  await addDevice();
  world.answerSends(({ target }) =>
    target.channel === 'push'
      ? { kind: 'failed', reason: '503', retry: true, retryAfterSeconds: 600 }
      : { kind: 'sent', detail: null },
  );
  const incidentId = await tellOfIncident();
  await eventually(async () => {
    const found = await world.notificationsOf(tenant);
    expect(found.find(({ channel }) => channel === 'push')).toMatchObject({ attempts: 1, status: 'queued' });
  });
  await world.setStatus({ incidentId, status: 'acknowledged' });
  await world.publishEvent(tenant, 'incident.acknowledged', incidentId);
  expect((await ended(3)).slice(0, 2)).toEqual(
    expect.arrayContaining([
      ['Phone', 'skipped', 'acknowledged before it was sent'],
      ['Phone', 'skipped', 'the device shows nothing that it replaces'],
    ]),
  );
  expect(await silentOnes()).toEqual([]);
});

async function signedIn(id: string, { organizationId } = tenant): Promise<Principal> {
  const [accountId, sessionId] = [newUuid(), newUuid()];
  await world.admin.query(
    `WITH account AS (INSERT INTO auth.accounts (id, email, created_at, updated_at)
       VALUES ($1, $1::uuid::text, now(), now()))
     INSERT INTO auth.sessions (id, token_hash, account_id, member_id, organization_id, created_at, last_seen_at,
       expires_at)
     VALUES ($2, $2::uuid::text, $1, $3, $4, now(), now(), now() + interval '1 hour')`,
    [accountId, sessionId, id, organizationId],
  );
  return { type: 'user', id, name: 'mira', organizationId, environment: 'live', scopes: [], sessionId };
}

test('a member tests the own devices only', async () => {
  const phone = publicId('device', await addDevice());
  const test = (principal: Principal, id: string) => world.ask(principal, testDevice, { params: { id } });
  const made = dataOf<Notification>(await test(await signedIn(member), phone));
  expect(made).toMatchObject({
    channel: 'push',
    target: 'Phone',
    status: 'queued',
    userId: publicId('member', member),
  });
  expect(await ended(1)).toEqual([['Phone', 'sent']]);
  expect((await world.sentTo(tenant))[0]).toMatchObject({
    notice: { subject: 'A test message', links: { open: null, acknowledge: null } },
  });
  const colleague = await world.newMember(tenant, 'noor');
  const elsewhere = await world.newTenant();
  const strangers = [await signedIn(colleague), await signedIn(await world.newMember(elsewhere), elsewhere)];
  for (const stranger of strangers) expect(await test(stranger, phone)).toMatchObject({ code: 'NOT_FOUND' });
  for (const id of ['x', publicId('device', newUuid())])
    expect(await test(await signedIn(member), id)).toMatchObject({ code: 'NOT_FOUND' });
});
