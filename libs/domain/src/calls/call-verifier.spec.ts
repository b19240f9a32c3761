import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import fc from 'fast-check';
import { publicJwkOf, verificationKeys } from '../audit/ed25519-keys.js';
import { callOwners, maxCertificateMs, ownerKeys } from './call-keys.js';
import { CallSession } from './call-session.js';
import { CallVerifier, type Now, type ReceivedCall } from './call-verifier.js';

const minute = 60_000;
const issuedAt = Date.parse('2026-11-23T12:00:00Z');
/** The monotonic clock of the owner when the certificate is made: it has another beginning than that of the gateway. */
const ownerClock = 5_000_000;
const at = (ms: number, aheadMs = 0): Now => ({ wallMs: issuedAt + ms + aheadMs, monotonicMs: ownerClock + ms });

const signing = generateKeyPairSync('ed25519');
const others = generateKeyPairSync('ed25519');
const ofOwners = Object.fromEntries(callOwners.map((owner) => [owner, generateKeyPairSync('x25519')]));
const setOf = (...keys: KeyObject[]) => ({ keys: keys.map(publicJwkOf) });
const owners = ownerKeys(
  JSON.stringify(Object.fromEntries(Object.entries(ofOwners).map(([name, pair]) => [name, setOf(pair.publicKey)]))),
);
const signers = verificationKeys(JSON.stringify(setOf(signing.publicKey)));

const session = (more: Partial<ConstructorParameters<typeof CallSession>[0]> = {}): CallSession =>
  new CallSession({
    signingKey: signing.privateKey,
    owners,
    pair: generateKeyPairSync('x25519'),
    issuedAt,
    lifetimeMs: 7 * minute,
    ...more,
  });
const verifier = (more: Partial<ConstructorParameters<typeof CallVerifier>[0]> = {}): CallVerifier =>
  new CallVerifier({
    owner: 'auth',
    signers,
    privateKeys: [ofOwners['auth']!.privateKey],
    toleranceMs: 30 * minute,
    ...more,
  });

const payload = Buffer.from('{"requestId":"r","principal":{"id":"p"},"body":{"name":"a"}}');
const subject = 'rpc.apiKeys.create';
const reply = '_INBOX_api-gateway.ABC.1';
const signed = (
  by: CallSession,
  { sentMs = 1000, timeoutMs = 10_000, owner = 'auth' } = {},
): ReceivedCall & { signature: string } => ({
  subject,
  reply,
  payload,
  signature: String(by.sign(owner, { subject, reply, sentMs, timeoutMs }, payload)),
});
const accepted = { timeoutMs: 10_000 };

it('accepts what the gateway has signed for this owner, each call once', () => {
  const own = verifier();
  const by = session();
  const calls = [1000, 1000, 2000].map((sentMs) => signed(by, { sentMs }));
  for (const call of calls) expect(own.check(call, at(2001))).toEqual(accepted);
  for (const call of calls) expect(own.check(call, at(2002))).toBe('repeated');
  expect(verifier({ owner: 'resource-api' }).check(signed(by), at(2000))).toBe('wrongMac');
  expect(own.check(signed(by, { owner: 'resource-api' }), at(2000))).toBe('wrongMac');
  expect(by.sign('notifier', { subject, reply, sentMs: 1, timeoutMs: 1 }, payload)).toBeNull();
});

it('refuses a call of which any part was changed', () => {
  const own = verifier();
  const by = session();
  const flipped = (bytes: Uint8Array, index: number, bit: number): Buffer => {
    const changed = Buffer.from(bytes);
    changed[index % bytes.length]! ^= 1 << bit;
    return changed;
  };
  fc.assert(
    fc.property(
      fc.constantFrom('subject', 'reply', 'signature', 'payload'),
      fc.nat(),
      fc.nat({ max: 7 }),
      (part, index, bit) => {
        const call = signed(by);
        const changed =
          part === 'payload'
            ? { ...call, payload: flipped(payload, index, bit) }
            : {
                ...call,
                [part]: flipped(Buffer.from(call[part as 'subject'], 'latin1'), index, bit).toString('latin1'),
              };
        expect(typeof own.check(changed, at(1000))).toBe('string');
        expect(own.check(call, at(1000))).toEqual(accepted);
      },
    ),
    { numRuns: 500 },
  );
});

it('no text of a signature makes it throw', () => {
  const own = verifier();
  const { signature } = signed(session());
  const words = fc.array(fc.constantFrom(...signature.split(/[ .]/), '', '0', '-1', '1e9', 'ü', 'é'.repeat(43)));
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        words.map((all) => all.join(' ')),
        words.map((all) => all.join('.')),
      ),
      (text) => {
        expect(typeof own.check({ subject, reply, payload, signature: text }, at(0))).toBe('string');
      },
    ),
  );
});

describe('a certificate', () => {
  it('of a key that is not the gateway’s is refused, also under the id of a key of the gateway', () => {
    const forged = session({ signingKey: others.privateKey });
    expect(verifier().check(signed(forged), at(1000))).toBe('unknownKey');
    const call = signed(forged);
    const signature = call.signature.replace(/^[^.]+/, publicJwkOf(signing.publicKey).kid);
    expect(verifier().check({ ...call, signature }, at(1000))).toBe('wrongCertificate');
  });

  it('is useless without the key that it names', () => {
    const mine = generateKeyPairSync('x25519');
    const [certificate] = signed(session()).signature.split(' ');
    const own = signed(session({ signingKey: others.privateKey, pair: mine }));
    const signature = [certificate, ...own.signature.split(' ').slice(1)].join(' ');
    expect(verifier().check({ ...own, signature }, at(1000))).toBe('wrongMac');
  });

  it('may not be valid for longer than an hour', () => {
    expect(verifier().check(signed(session({ lifetimeMs: maxCertificateMs })), at(1000))).toEqual(accepted);
    expect(verifier().check(signed(session({ lifetimeMs: maxCertificateMs + 1 })), at(1000))).toBe('wrongCertificate');
  });

  it.each([
    ['in its time', 6 * minute, 6 * minute, accepted],
    ['for a call that would end after it', 7 * minute - 9_999, 6 * minute, 'late'],
    ['when it has ended by the clock of the owner', 0, 30 * minute + 10_001, 'late'],
    ['just before', 0, 30 * minute + 10_000, accepted],
    ['when the clock of the owner is behind', 0, -30 * minute, accepted],
    ['when it is too far behind', 0, -30 * minute - 1, 'early'],
  ])('%s', (_name, sentMs, nowMs, expected) => {
    expect(verifier().check(signed(session(), { sentMs }), at(nowMs))).toEqual(expected);
  });
});

describe('a replica of the owner that has received a later call', () => {
  // The first has received nothing of the certificate: it has its clock alone, and the tolerance.
  it.each([
    ['refuses a captured call when its caller waits no more', 12_000, 'late'],
    ['cannot know of a call whose caller still waits', 10_500, accepted],
  ])('%s', (_name, laterMs, expected) => {
    const by = session();
    const captured = signed(by);
    const other = verifier();
    const later = signed(by, { sentMs: laterMs });
    expect(other.check(later, at(laterMs, 20 * minute))).toEqual(accepted);
    expect(other.check(captured, at(laterMs, 20 * minute))).toEqual(expected);
  });

  it('knows the time of the gateway from the fastest call, whatever the clocks say and do', () => {
    const by = session();
    const own = verifier();
    for (const [sentMs, delayMs, clockMs] of [
      [0, 300, 0],
      [1000, 5, 10 * minute],
      [2000, 2000, -10 * minute],
    ] as const)
      expect(own.check(signed(by, { sentMs }), at(sentMs + delayMs, clockMs))).toEqual(accepted);
    expect(own.check(signed(by, { sentMs: 3000 }), at(13_005))).toEqual(accepted);
    expect(own.check(signed(by, { sentMs: 3000 }), at(13_006))).toBe('late');
  });
});

it('a call that is older than the memory of repetitions counts as repeated', () => {
  const own = verifier();
  const by = session();
  const [first, second, ...rest] = Array.from({ length: 1025 }, () => signed(by));
  for (const call of rest) expect(own.check(call, at(1000))).toEqual(accepted);
  expect(own.check(first!, at(1000))).toBe('repeated');
  expect(own.check(second!, at(1000))).toEqual(accepted);
});

it('certificates with another end, and wrong calls, do not make it forget which calls it has executed', () => {
  const own = verifier();
  const call = signed(session());
  expect(own.check(call, at(1000))).toEqual(accepted);
  for (let n = 0; n < 600; n++) {
    const ended = session({ issuedAt: issuedAt - 60 * minute });
    expect(own.check(signed(ended), at(1000))).toBe('late');
  }
  expect(own.check(call, at(1000))).toBe('repeated');
});

describe('the subject of the reply', () => {
  it.each([
    ['of NATS, for another account', '_R_.abc.def', accepted],
    ['of NATS, for another cluster', '_GR_.abcdef.ghijkl._INBOX_x', accepted],
    ['of somebody else', '_INBOX_other.1', 'otherReply'],
    ['none', '', 'otherReply'],
  ])('%s', (_name, shown, expected) => {
    expect(verifier().check({ ...signed(session()), reply: shown }, at(1000))).toEqual(expected);
  });
});

it('two keys of the gateway and of the owner are valid while they are changed', () => {
  const next = generateKeyPairSync('x25519');
  const both = verifier({
    signers: verificationKeys(JSON.stringify(setOf(others.publicKey, signing.publicKey))),
    privateKeys: [next.privateKey, ofOwners['auth']!.privateKey],
  });
  const renewed = new Map(owners).set('auth', next.publicKey);
  for (const signingKey of [signing.privateKey, others.privateKey])
    for (const keys of [owners, renewed])
      expect(both.check(signed(session({ signingKey, owners: keys })), at(1000))).toEqual(accepted);
  expect(verifier().check(signed(session({ owners: renewed })), at(1000))).toBe('wrongMac');
});

it.each([
  [
    { auth: setOf(ofOwners['auth']!.publicKey) },
    'The file has no keys of resource-api, alert-pipeline, workflow-engine.',
  ],
  [{ notifier: setOf(ofOwners['auth']!.publicKey) }, '"notifier" answers no calls.'],
  [{ auth: setOf(signing.publicKey) }, 'A key is not an X25519 key.'],
  [{ auth: {} }, 'The file with the keys has no list "keys".'],
])('the file with the keys of the owners: %#', (value, message) => {
  expect(() => ownerKeys(JSON.stringify(value))).toThrow(message);
});
