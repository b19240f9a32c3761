/** Calls to an owner over NATS with the accounts of the services, as the API gateway and as an attacker in its account. */
import { acknowledgeAlert, admitRequest, allOperations, listAlerts, subjectOf, type Answer } from '@ams/contracts';
import { callOwners, CallSession, CallVerifier, ownerKeys, publicJwkOf, verificationKeys } from '@ams/domain';
import { removeState, startNats, type EmbeddedNats } from '@ams/embedded';
import { headers, type Msg, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectNats } from '../connection.js';
import type { Logger } from '../logger.js';
import { brokerAccount, natsAccounts } from '../permissions.js';
import type { HandlerExtras } from './handler-extras.js';
import { requestHeaders, signatureHeader } from './request-headers.js';
import { RpcServer } from './rpc-server.js';
import { refusedHeader, SignedCalls } from './signed-calls.js';

const signing = generateKeyPairSync('ed25519');
const pairs = callOwners.map((owner) => [owner, generateKeyPairSync('x25519')] as const);
const owners = ownerKeys(
  JSON.stringify(Object.fromEntries(pairs.map(([owner, pair]) => [owner, { keys: [publicJwkOf(pair.publicKey)] }]))),
);
const minute = 60_000;

const newSession = (more: Partial<ConstructorParameters<typeof CallSession>[0]> = {}): CallSession =>
  new CallSession({
    signingKey: signing.privateKey,
    owners,
    pair: generateKeyPairSync('x25519'),
    issuedAt: Date.now(),
    lifetimeMs: 7 * minute,
    ...more,
  });
const newCheck = (unsignedUntil = 0, toleranceMs = 30 * minute): SignedCalls =>
  new SignedCalls({
    unsignedUntil,
    verifier: new CallVerifier({
      owner: 'alert-pipeline',
      signers: verificationKeys(JSON.stringify({ keys: [publicJwkOf(signing.publicKey)] })),
      privateKeys: pairs.filter(([owner]) => owner === 'alert-pipeline').map(([, { privateKey }]) => privateKey),
      toleranceMs,
    }),
  });

const subject = subjectOf(acknowledgeAlert);
const payload = (text = 'mine'): Buffer => Buffer.from(JSON.stringify({ requestId: 'r', text }));

interface Owner {
  executed: unknown[];
  refused: string[];
  warnings: object[];
}

const open: (() => Promise<unknown>)[] = [];
let withAccounts: EmbeddedNats;
let withoutAccounts: EmbeddedNats;

beforeAll(async () => {
  const start = async (options: object): Promise<EmbeddedNats> => {
    const dir = mkdtempSync(join(tmpdir(), 'ams-signed-'));
    const nats = await startNats({ dir, durable: false, ...options });
    open.unshift(async () => {
      await nats.stop();
      removeState(dir);
    });
    return nats;
  };
  withAccounts = await start({ accounts: { value: natsAccounts((user) => user), owner: brokerAccount } });
  withoutAccounts = await start({});
});
afterAll(async () => {
  for (const close of open.reverse()) await close();
});

async function connectAs(user: string, { url }: EmbeddedNats): Promise<NatsConnection> {
  const login = url === withAccounts.url ? { user, password: user } : {};
  const connection = await connectNats({ url, ...login, name: user, inboxPrefix: `_INBOX_${user}` });
  open.push(() => connection.close());
  return connection;
}

/** An owner that says which calls it has executed. */
async function startOwner(nats: EmbeddedNats, check: SignedCalls): Promise<Owner> {
  const owner: Owner = { executed: [], refused: [], warnings: [] };
  const log = { warn: (facts: object) => void owner.warnings.push(facts), error: () => undefined } as unknown as Logger;
  const connection = await connectAs('alert-pipeline', nats);
  const server = new RpcServer(connection, 'alert-pipeline', log, undefined, check, (reason) =>
    owner.refused.push(reason),
  );
  const extras: HandlerExtras = { operation: acknowledgeAlert as never, signed: true };
  server.addHandler(
    subject,
    async (call: { text: string }) => {
      owner.executed.push(call.text);
      return { ok: true, status: 200, body: { data: call.text }, version: null };
    },
    false,
    extras,
  );
  await server.listen((error) => {
    if (error) throw error as Error;
  });
  open.push(() => server.close());
  return owner;
}

/** Sends a call and waits for the answer, in an inbox that its caller chooses as the gateway does. */
async function send(
  connection: NatsConnection,
  data: Uint8Array,
  headersFor: (reply: string) => MsgHdrs | undefined,
  { to = subject, reply = `_INBOX_api-gateway.${crypto.randomUUID()}` } = {},
): Promise<Msg> {
  const subscription = connection.subscribe(reply, { max: 1 });
  connection.publish(to, data, { reply, headers: headersFor(reply) });
  for await (const message of subscription) return message;
  throw new Error('no answer');
}

const signedBy =
  (session: CallSession, values: Partial<{ owner: string; sentMs: number; timeoutMs: number; data: Buffer }> = {}) =>
  (reply: string): MsgHdrs => {
    const { owner = 'alert-pipeline', sentMs = 0, timeoutMs = minute, data = payload() } = values;
    return requestHeaders(timeoutMs, {}, String(session.sign(owner, { subject, reply, sentMs, timeoutMs }, data)));
  };

const outcomeOf = (message: Msg): unknown => message.headers?.get(refusedHeader) || message.json<Answer>();
const executed = { ok: true, status: 200, body: { data: 'mine' }, version: null };

it('the owners of the catalogue are those that have keys', () => {
  expect([...new Set(allOperations.map(({ owner }) => owner))].sort()).toEqual([...callOwners].sort());
  expect(callOwners).toContain(admitRequest.owner);
});

describe.each([
  ['with accounts', () => withAccounts],
  ['without accounts', () => withoutAccounts],
])('on a server %s', (_name, server) => {
  let gateway: NatsConnection;
  let attacker: NatsConnection;
  let owner: Owner;
  const session = newSession();
  beforeAll(async () => {
    owner = await startOwner(server(), newCheck());
    gateway = await connectAs('api-gateway', server());
    attacker = await connectAs('api-gateway', server());
  });
  beforeEach(() => owner.executed.splice(0));

  test('a signed call is executed', async () => {
    expect(outcomeOf(await send(gateway, payload(), signedBy(session)))).toEqual(executed);
    expect(owner.executed).toEqual(['mine']);
  });

  const anotherKey = { signingKey: generateKeyPairSync('ed25519').privateKey };
  test.each<[string, string, (reply: string) => MsgHdrs | undefined, Buffer?]>([
    ['without a signature', 'unsigned', () => undefined],
    ['with another header', 'malformed', () => requestHeaders(minute, {}, 'forged')],
    ['with a certificate of another key', 'unknownKey', signedBy(newSession(anotherKey))],
    ['for another owner', 'wrongMac', signedBy(session, { owner: 'resource-api' })],
    ['with another body', 'wrongMac', signedBy(session), payload('changed')],
    ['with the signature of another inbox', 'otherReply', () => signedBy(session)('_INBOX_api-gateway.other')],
    ['after its time', 'late', signedBy(newSession({ issuedAt: Date.now() - 40 * minute }))],
    ['longer than its certificate', 'late', signedBy(session, { sentMs: 7 * minute })],
  ])('a call %s is refused and not executed', async (name, reason, sign, data = payload()) => {
    // NATS has replaced the inbox, which leads back to the account of the caller.
    const accepted = name.includes('inbox') && server() === withAccounts;
    const message = await send(attacker, data, sign);
    expect(outcomeOf(message)).toEqual(accepted ? executed : reason);
    if (!accepted) expect(message.json()).toMatchObject({ ok: false, code: 'UNAVAILABLE' });
    expect(owner.executed).toEqual(accepted ? ['mine'] : []);
  });

  test('a captured call is not executed again, also by another replica when its caller waits no more', async () => {
    const seen: Msg[] = [];
    const other = await startOwner(server(), newCheck());
    const spy = attacker.subscribe(subject, { callback: (_error, message) => void seen.push(message) });
    await attacker.flush();
    const own = newSession();
    // One of both replicas gets each of these. Both learn how far the clock of the gateway is.
    for (let n = 0; n < 80; n++) await send(gateway, payload(), signedBy(own, { sentMs: n * 1000, timeoutMs: 5000 }));
    spy.unsubscribe();
    expect(new Set([owner.executed.length > 0, other.executed.length > 0])).toEqual(new Set([true]));
    const before = owner.executed.length + other.executed.length;
    expect(before).toBe(80);
    const captured = seen.slice(0, 20);
    expect(captured).toHaveLength(20);
    for (const { data, headers: signed, reply } of captured)
      expect(['late', 'repeated']).toContain(outcomeOf(await send(attacker, data, () => signed, { reply })));
    expect(owner.executed.length + other.executed.length).toBe(before);
  });

  test('a signature for one operation is none for another', async () => {
    const listed: unknown[] = [];
    const connection = await connectAs('resource-api', server());
    const rpc = new RpcServer(connection, 'resource-api', { warn: () => undefined } as never, undefined, newCheck());
    rpc.addHandler(subjectOf(listAlerts), async (call) => void listed.push(call), false, { signed: true });
    await rpc.listen(() => undefined);
    const answer = await send(attacker, payload(), signedBy(session), { to: subjectOf(listAlerts) });
    expect(outcomeOf(answer)).toBe('wrongMac');
    expect(answer.json()).toEqual({ kind: 'unavailable' });
    expect(listed).toEqual([]);
    await rpc.close();
  });

  test('refusals are counted and logged, without the signature', async () => {
    for (let i = 0; i < 500 && !JSON.stringify(owner.warnings).includes('wrongMac'); i++) await pause(10);
    expect(owner.warnings).toContainEqual({ subject, reason: 'unsigned', requests: 1 });
    expect(owner.refused).toEqual(expect.arrayContaining(['unsigned', 'malformed', 'unknownKey', 'wrongMac', 'late']));
    expect(JSON.stringify(owner.warnings)).not.toContain(session.certificate);
  });
});

describe('in an upgrade', () => {
  test.each([
    ['signed', 'by a gateway that is newer'],
    ['unsigned', undefined],
  ])('an owner without keys executes a call that is %s', (_name, signature) => {
    const given = requestHeaders(500, {}, signature);
    const message = { subject, reply: 'x', data: payload(), headers: given };
    expect(new SignedCalls().check(message)).toEqual({ timeoutMs: 500 });
  });

  test.each([
    ['before CALL_UNSIGNED_UNTIL', Date.now() + 60 * minute, undefined, { timeoutMs: Number.POSITIVE_INFINITY }],
    ['after it', Date.now() - 1, undefined, 'unsigned'],
    ['with a wrong signature, also before', Date.now() + 60 * minute, 'forged', 'malformed'],
  ])('a call %s', (_name, until, signature, expected) => {
    const given = headers();
    if (signature) given.set(signatureHeader, signature);
    const message = { subject, reply: 'x', data: payload(), headers: given };
    expect(newCheck(until).check(message)).toEqual(expected);
  });
});
