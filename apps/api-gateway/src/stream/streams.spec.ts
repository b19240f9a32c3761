import { alertEventsStream, credentialHash, newApiKey, newUuid, publicId, type Principal } from '@ams/contracts';
import { eventually, streamManager } from '@ams/testing';
import { connect } from 'node:net';
import {
  admission,
  aKey,
  principalOf,
  rate,
  revoke,
  startWorld,
  withKey,
  type Gateway,
  type World,
} from '../../testing/support.js';
import {
  alertEvent,
  ensureEvents,
  handOff,
  openStream,
  publishEvents,
  type Received,
  type StreamClient,
} from '../../testing/event-stream.js';

let world: World;
let gateway: Gateway;
let stopAdmission: () => unknown;
const clients: StreamClient[] = [];
/** By the hash of the key. */
const admitted = new Map<string, { principal: Principal; expiresAt?: string }>();

const settings = { streamHeartbeatSeconds: 1, streamStallSeconds: 1, streamMemoryMiB: 4, streamsPerPrincipal: 3 };

beforeAll(async () => {
  world = await startWorld();
  await ensureEvents(world.connection);
  const unknown = { kind: 'unauthorized' } as const;
  ({ stop: stopAdmission } = await admission(world.connection, ({ keyHash }) => {
    const found = admitted.get(keyHash);
    return found ? { kind: 'admitted', rate, ...found } : unknown;
  }));
  gateway = await world.startGateway(settings);
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});
afterAll(async () => {
  await stopAdmission();
  await world.stop();
});

function newCaller(more: Partial<Principal> = {}, expiresAt?: string): { key: string; principal: Principal } {
  const key = newApiKey('live');
  const principal = principalOf(more);
  admitted.set(credentialHash(key), { principal, ...(expiresAt ? { expiresAt } : {}) });
  return { key, principal };
}

async function open(key: string, { query = '', from = gateway, lastEventId = '' } = {}): Promise<StreamClient> {
  const headers: Record<string, string> = lastEventId === '' ? {} : { 'last-event-id': lastEventId };
  const attempt = () => openStream(`${from.url}/api/v1/stream${query}`, withKey(key, headers));
  let client = await attempt();
  // The gateway has just started, and has not read the stream yet.
  await eventually(async () => {
    if (client.status === 503) client = await attempt();
    expect(client.status).not.toBe(503);
  });
  clients.push(client);
  if (client.status === 200) await eventually(() => expect(client.text()).not.toBe(''));
  return client;
}

const publish = (...events: Parameters<typeof publishEvents>[1]) => publishEvents(world.connection, events);
const numbered = (principal: Principal, from: number, count: number) =>
  Array.from({ length: count }, (_, n) => alertEvent(principal, { occurrenceCount: from + n }));
const numbersOf = (received: Received[]): number[] =>
  received
    .filter(({ event }) => event.startsWith('alert.'))
    .map(({ data }) => data.fields['occurrenceCount'] as number);
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1);

it('sends the events of the tenant that the caller may see, with the fields to change', async () => {
  const { key, principal } = newCaller();
  const [stream, ofIncidents] = [
    await open(key),
    await open(newCaller({ ...principal, id: newUuid(), scopes: ['incidents:read'] }).key),
  ];
  expect(Object.fromEntries(stream.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'ratelimit-remaining': '299',
  });
  const foreign = [principalOf(), { ...principal, environment: 'test' as const }];
  const event = alertEvent(principal, { title: 'A "line"\nand another' });
  await publish(...foreign.map((tenant) => alertEvent(tenant)), event, handOff(principal, null));
  await publish(alertEvent(principal, { version: 9 }));
  await eventually(() => expect(stream.received).toHaveLength(2));
  expect(stream.received[0]).toEqual({
    event: 'alert.acknowledged',
    id: expect.stringMatching(/^[0-9a-z]+-\d+-2$/),
    data: {
      type: 'alert.acknowledged',
      occurredAt: event.occurredAt,
      resource: { type: 'alert', id: event.alert.id },
      changed: ['status'],
      fields: expect.objectContaining({ status: 'acknowledged', title: 'A "line"\nand another', version: 2 }),
    },
  });
  for (const field of ['description', 'labels', 'annotations'])
    expect(stream.received[0]?.data.fields).not.toHaveProperty(field);
  expect(stream.received[1]?.data.fields['version']).toBe(9);
  expect(ofIncidents.received).toEqual([]);
});

it('sends only the types that are asked for', async () => {
  const { key, principal } = newCaller({ scopes: ['alerts:read', 'schedules:read'] });
  const stream = await open(key, { query: '?types=schedule.handoff,alert.created' });
  await publish(alertEvent(principal), { ...alertEvent(principal), type: 'alert.created' });
  await publish(handOff(principal, null));
  await eventually(() =>
    expect(stream.received.map(({ event }) => event)).toEqual(['alert.created', 'schedule.handoff']),
  );
  expect(JSON.stringify(stream.received)).not.toContain('mira@example.com');
});

it('sends a restricted key what belongs to its clients and teams', async () => {
  const [clientId, teamId] = [newUuid(), newUuid()];
  const { key, principal } = newCaller({
    scopes: ['alerts:read', 'schedules:read'],
    restrictedTo: { clientIds: [clientId], teamIds: [teamId] },
  });
  const stream = await open(key);
  const own = publicId('client', clientId);
  for (const clientOf of [null, publicId('client', newUuid()), 'of another form', own])
    await publish(alertEvent(principal, { clientId: clientOf, title: `of ${clientOf}` }));
  for (const teamOf of [null, publicId('team', newUuid()), publicId('team', teamId)])
    await publish(handOff(principal, teamOf));
  await eventually(() => expect(stream.received).toHaveLength(2));
  expect(stream.received.map(({ data }) => data.fields['clientId'] ?? data.fields['teamId'])).toEqual([
    own,
    publicId('team', teamId),
  ]);
});

it('continues at another replica after a restart, without a gap and without doubles', async () => {
  const { key, principal } = newCaller();
  const first = await world.startGateway(settings);
  const before = await open(key, { from: first });
  let published = 0;
  let publishing = true;
  const publisher = (async () => {
    while (publishing) {
      await publish(...numbered(principal, published + 1, 3));
      published += 3;
    }
  })();
  await eventually(() => expect(before.received.length).toBeGreaterThan(20));
  await first.stop();
  await before.ended;
  const close = before.received.at(-1);
  expect(close).toMatchObject({ event: 'close', data: { reason: 'stopped' } });
  expect(before.text()).toMatch(/retry: [2-7]\d{3}\nevent: close\n/);
  const second = await world.startGateway(settings);
  const after = await open(key, { from: second, lastEventId: before.lastId() });
  await eventually(() => expect(after.received.length).toBeGreaterThan(20));
  publishing = false;
  await publisher;
  await eventually(() => expect(numbersOf([...before.received, ...after.received]).length).toBe(published));
  expect(numbersOf([...before.received, ...after.received])).toEqual(upTo(published));
  expect(after.received.map(({ event }) => event)).not.toContain('reset');
  await second.stop();
});

it('reads from NATS what it has no memory for', async () => {
  const { key, principal } = newCaller();
  const stream = await open(key);
  await publish(...numbered(principal, 1, 5));
  await eventually(() => expect(stream.received).toHaveLength(5));
  const count = 6000;
  for (let from = 6; from <= count; from += 200)
    await publish(...numbered(principal, from, Math.min(200, count - from + 1)), alertEvent(principalOf()));
  const again = await open(key, { query: `?lastEventId=${stream.received[2]?.id}` });
  await eventually(() => expect(again.received.length).toBe(count - 3)); // a difference of thousands takes seconds
  await publish(...numbered(principal, count + 1, 1));
  await eventually(() => expect(again.received.length).toBe(count - 2));
  expect(numbersOf(again.received)).toEqual(upTo(count + 1).slice(3));
  expect(again.received.every(({ event }) => event === 'alert.acknowledged')).toBe(true);
});

it('tells a caller to load again when its position is not known any more, and then continues', async () => {
  const { key, principal } = newCaller();
  const stream = await open(key);
  await publish(...numbered(principal, 1, 2));
  await eventually(() => expect(stream.received).toHaveLength(2));
  const [epoch, sequence] = (stream.received[0]?.id ?? '').split('-') as [string, string];
  await (await streamManager(world.connection)).streams.purge(alertEventsStream, { seq: Number(sequence) + 1 });
  const fresh = await world.startGateway(settings);
  for (const lastEventId of ['x', `${epoch}-999999999`, `0-${sequence}-0`, `${epoch}-${sequence}-0`]) {
    const client = await open(key, { lastEventId, from: fresh });
    await eventually(() => expect(client.received.map(({ event }) => event)).toEqual(['reset']));
    client.close();
  }
  const client = await open(key, { lastEventId: `${epoch}-1-0`, from: fresh });
  await publish(...numbered(principal, 3, 1));
  await eventually(() => expect(client.received.map(({ event }) => event)).toEqual(['reset', 'alert.acknowledged']));
  await fresh.stop();
});

it('moves the position of a quiet caller on with each heartbeat', async () => {
  const { key } = newCaller();
  const stream = await open(key);
  const before = stream.lastId();
  await publish(alertEvent(principalOf()));
  await eventually(() => expect(stream.lastId()).not.toBe(before));
  expect(stream.text()).toContain(': heartbeat\n');
  expect(stream.received).toEqual([]);
});

it('ends the streams of a revoked key, and of one that expires', async () => {
  const { key, principal } = newCaller();
  const [stream, other] = [await open(key), await open(newCaller().key)];
  expect(await revoke(world.connection, principal.id)).toBeGreaterThan(0);
  await stream.ended;
  expect(stream.received).toMatchObject([{ event: 'close', data: { reason: 'revoked' } }]);
  const expiring = await open(newCaller({}, new Date(Date.now() + 1500).toISOString()).key);
  await expiring.ended;
  expect(expiring.received).toMatchObject([{ event: 'close', data: { reason: 'expired' } }]);
  expect(other.received).toEqual([]);
});

it('disconnects a caller that does not read, and serves the others', async () => {
  const { key, principal } = newCaller();
  const socket = connect(gateway.port, '127.0.0.1').pause();
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => undefined);
  socket.write(`GET /api/v1/stream HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`);
  const stream = await open(key);
  const slow = async (): Promise<number> => {
    const { body } = await gateway.management.get<string>('/metrics');
    return Number(/streams_ended_total\{reason="slow"[^}]*\} (\d+)/.exec(body)?.[1] ?? 0);
  };
  const title = 'x'.repeat(1000);
  let published = 0;
  await eventually(async () => {
    const many = numbered(principal, published + 1, 300).map((event) => ({
      ...event,
      alert: { ...event.alert, title },
    }));
    await publish(...many);
    published += many.length;
    await eventually(() => expect(stream.received.length).toBe(published));
    expect(await slow()).toBe(1);
  });
  socket.resume();
  await gone;
  expect(numbersOf(stream.received)).toEqual(upTo(published));
});

it('refuses what it cannot serve', async () => {
  const { key, principal } = newCaller();
  const refusal = async (of: string, query = '') => {
    const { status, body } = await open(of, { query });
    return [status, (body as { code: string }).code];
  };
  expect(await refusal(aKey)).toEqual([401, 'UNAUTHORIZED']);
  expect(await refusal(newCaller({ scopes: ['clients:read'] }).key)).toEqual([403, 'INSUFFICIENT_SCOPE']);
  expect(await refusal(key, '?types=alert.created,alert.lost')).toEqual([400, 'VALIDATION_ERROR']);
  expect(await refusal(key, '?typse=alert.created')).toEqual([400, 'VALIDATION_ERROR']);
  for (let n = 0; n < settings.streamsPerPrincipal; n++) await open(key);
  expect(await refusal(key)).toEqual([429, 'RATE_LIMITED']);
  expect((await open(newCaller({ organizationId: principal.organizationId }).key)).status).toBe(200);
  const head = await fetch(`${gateway.url}/api/v1/stream`, { ...withKey(newCaller().key), method: 'HEAD' });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
});
