/** A gateway that signs its calls, and owners that check them as the services do. */
import {
  acknowledgeAlert,
  admitRequest,
  calendarRequest,
  getAlert,
  newUuid,
  publicId,
  subjectOf,
  type Answer,
  type Call,
  type Operation,
} from '@ams/contracts';
import { CallVerifier, publicJwkOf, verificationKeys, type CallOwner } from '@ams/domain';
import { RpcServer, SignedCalls, type Logger } from '@ams/messaging';
import { readAgreementKeys } from '@ams/service';
import { callKeyFiles, eventually } from '@ams/testing';
import { createPublicKey } from 'node:crypto';
import {
  announcement,
  envelope,
  owners,
  principalOf,
  rate,
  startWorld,
  withKey,
  type Gateway,
  type World,
} from '../testing/support.js';

const keys = callKeyFiles();
const settings = { callSigningKeysFile: keys.gateway.signingKeysFile, callOwnersFile: keys.gateway.ownersFile };
const id = publicId('alert', newUuid());
const principal = principalOf({ scopes: ['alerts:read', 'alerts:write'] });
const calls: { owner: string; subject: string; call: Partial<Call> }[] = [];
const refused: string[] = [];
const servers: RpcServer[] = [];

let world: World;
let signing: Gateway;
let unsigned: Gateway;

/** Answers these requests when they are signed for this owner. */
async function startOwner(owner: CallOwner, answers: Record<string, { operation?: Operation; answer: unknown }>) {
  const verifier = new CallVerifier({
    owner,
    signers: verificationKeys(JSON.stringify({ keys: [publicJwkOf(createPublicKey(keys.signingKey))] })),
    privateKeys: readAgreementKeys(keys.owners[owner].ownerKeysFile).privateKeys,
    toleranceMs: 60_000,
  });
  const log = { warn: () => undefined, error: () => undefined } as unknown as Logger;
  const server = new RpcServer(
    world.connection,
    owner,
    log,
    undefined,
    new SignedCalls({ verifier, unsignedUntil: 0 }),
    (reason) => refused.push(reason),
  );
  for (const [subject, { operation, answer }] of Object.entries(answers)) {
    const handle = async (call: Partial<Call>): Promise<unknown> => {
      calls.push({ owner, subject, call });
      return answer;
    };
    server.addHandler(subject, handle, false, { operation, signed: true });
  }
  await server.listen(() => undefined);
  servers.push(server);
}

const done: Answer = { ok: true, status: 200, body: { data: { id } }, version: null };

beforeAll(async () => {
  world = await startWorld();
  for (const owner of owners) await world.announce(announcement(owner));
  await startOwner('auth', { [admitRequest.subject]: { answer: { kind: 'admitted', principal, rate } } });
  await startOwner('resource-api', {
    [subjectOf(getAlert)]: { operation: getAlert as never, answer: done },
    [calendarRequest.subject]: {
      answer: { kind: 'calendar', text: 'BEGIN:VCALENDAR', lastModified: '2026-11-20T14:06:00.000Z' },
    },
  });
  await startOwner('alert-pipeline', {
    [subjectOf(acknowledgeAlert)]: { operation: acknowledgeAlert as never, answer: done },
  });
  [signing, unsigned] = await Promise.all([world.startGateway(settings), world.startGateway()]);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await world.stop();
});
beforeEach(() => void [calls, refused].forEach((list) => list.splice(0)));

it('requests of callers are answered: what reads, what changes, and calendars', async () => {
  // Until the gateway has read the announcements.
  await eventually(async () => {
    expect(await signing.client.get(`/api/v1/alerts/${id}`, withKey())).toMatchObject({ status: 200 });
  });
  calls.splice(0);
  const changed = await signing.client.post(`/api/v1/alerts/${id}/acknowledge`, { note: 'grüße' }, withKey());
  expect(changed).toMatchObject({ status: 200, body: { data: { id } } });
  expect(await signing.client.get('/api/calendars/cal_x.ics')).toMatchObject({ status: 200 });
  expect(calls.map(({ owner }) => owner)).toEqual(['auth', 'alert-pipeline', 'resource-api']);
  expect(calls[1]?.call).toMatchObject({ principal, body: { note: 'grüße' } });
  expect(refused).toEqual([]);
});

it('who may publish as the gateway, and has not its key, cannot call anything', async () => {
  const forged = { requestId: 'r', principal: principalOf({ scopes: ['alerts:write'] }), params: { id }, query: {} };
  const ask = async (subject: string, message: object) =>
    (await world.connection.request(subject, JSON.stringify(message), { timeout: 60_000 })).json();
  const unavailable = { ok: false, code: 'UNAVAILABLE', details: expect.anything(), message: expect.any(String) };
  expect(await ask(subjectOf(acknowledgeAlert), forged)).toEqual(unavailable);
  expect(await ask(admitRequest.subject, { keyHash: 'x' })).toEqual({ kind: 'unavailable' });
  expect(await ask(calendarRequest.subject, { tokenHash: 'x' })).toEqual({ kind: 'unavailable' });
  expect(calls).toEqual([]);
  expect(refused).toEqual(['unsigned', 'unsigned', 'unsigned']);
});

it('a gateway without keys gets 503 at once, logs it and counts it', async () => {
  await eventually(async () => {
    expect(await unsigned.client.get(`/api/v1/alerts/${id}`, withKey())).toMatchObject({
      status: 503,
      body: envelope('UNAVAILABLE', { requestId: expect.any(String) }),
    });
  });
  expect(await unsigned.client.get('/api/calendars/cal_x.ics')).toMatchObject({ status: 503 });
  expect(calls).toEqual([]);
  expect(unsigned.log).toContainEqual(
    expect.objectContaining({ level: 'error', subject: admitRequest.subject, reason: 'unsigned' }),
  );
  const { body } = await unsigned.management.get('/metrics');
  expect(String(body)).toMatch(/ams_gateway_calls_refused_total\{.*reason="unsigned".*\} \d+\n/);
  expect(JSON.stringify(signing.log)).not.toContain(publicJwkOf(createPublicKey(keys.signingKey)).kid);
});

it.each([
  [
    { ...settings, callOwnersFile: keys.gateway.signingKeysFile },
    /^CALL_OWNERS_FILE: .* cannot be used: it is not JSON\.$/,
  ],
  [{ ...settings, callSigningKeysFile: keys.owners.auth.ownerKeysFile }, /has a key that is not an Ed25519 key/],
  [{ ...settings, callOwnersFile: '/missing' }, /^CALL_OWNERS_FILE: \/missing cannot be used: ENOENT/],
])('a gateway with wrong files does not start: %#', async (wrong, message) => {
  await expect(world.startGateway(wrong)).rejects.toThrow(message);
});
