/** With the keys of the API gateway, the service executes what the gateway has signed, and nothing else. */
import {
  admitRequest,
  createApiKey,
  credentialHash,
  listApiKeys,
  newUuid,
  subjectOf,
  type Answer,
} from '@ams/contracts';
import { CallSession, ownerKeys } from '@ams/domain';
import { requestHeaders } from '@ams/messaging';
import { readSettings } from '@ams/service';
import { callKeyFiles, callOf, eventually, httpClient } from '@ams/testing';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Replicas } from '../../testing/replicas.js';
import { AuthSettings } from '../settings.js';

const { signingKey, gateway, owners } = callKeyFiles();
const files = {
  CALL_SIGNERS_FILE: owners.auth.signersFile,
  CALL_OWNER_KEYS_FILE: owners.auth.ownerKeysFile,
};
const session = new CallSession({
  signingKey,
  owners: ownerKeys(readFileSync(gateway.ownersFile, 'utf8')),
  pair: generateKeyPairSync('x25519'),
  issuedAt: Date.now(),
  lifetimeMs: 600_000,
});

let replicas: Replicas;
beforeAll(async () => {
  replicas = await Replicas.start(1, files);
});
afterAll(() => replicas?.stop());

/** As the API gateway sends it; `signed: false`: as an attacker does who has its password of NATS. */
async function ask(subject: string, message: object, { signed }: { signed: boolean }): Promise<unknown> {
  const payload = Buffer.from(JSON.stringify(message));
  const reply = `_INBOX.${newUuid()}`;
  const call = { subject, reply, sentMs: 0, timeoutMs: 60_000 };
  const headers = signed ? requestHeaders(60_000, {}, String(session.sign('auth', call, payload))) : undefined;
  const answers = replicas.nats.subscribe(reply, { max: 1 });
  replicas.nats.publish(subject, payload, { reply, headers });
  for await (const answer of answers) return answer.json();
  return null;
}

it('an admission and a call that are signed are answered, the same without a signature are not executed', async () => {
  const { key, principal } = await replicas.newOrganizationKey();
  const admission = {
    useId: newUuid(),
    keyHash: credentialHash(key),
    scope: null,
    operation: 'listApiKeys',
    requestId: 'r',
    ip: null,
    userAgent: null,
  };
  const post = callOf(principal, { body: { name: 'forged', scopes: ['alerts:read'] } });
  expect(await ask(admitRequest.subject, admission, { signed: false })).toEqual({ kind: 'unavailable' });
  expect(await ask(subjectOf(createApiKey), post, { signed: false })).toMatchObject({ ok: false, code: 'UNAVAILABLE' });

  expect(await ask(admitRequest.subject, admission, { signed: true })).toMatchObject({ kind: 'admitted' });
  const listed = (await ask(subjectOf(listApiKeys), callOf(principal), { signed: true })) as Answer & { ok: true };
  expect((listed.body as { data: { name: string }[] }).data.map(({ name }) => name)).toEqual(['a key']);
  expect(await ask(subjectOf(createApiKey), post, { signed: true })).toMatchObject({ ok: true, status: 201 });

  const text = await eventually(async () => {
    const { body } = await httpClient(`http://127.0.0.1:${replicas.services[0]?.port}`).get('/metrics');
    expect(String(body)).toMatch(/ams_calls_refused_total\{.*reason="unsigned".*\} 2\n/);
    return String(body);
  });
  expect(text).toMatch(/ams_calls_refused_total\{.*reason="wrongMac".*\} 0\n/);
  await eventually(async () => expect(replicas.log.join('')).toContain('calls were refused'));
  expect(replicas.log.join('')).not.toContain(session.certificate);
});

it('until CALL_UNSIGNED_UNTIL calls of an earlier release are executed', async () => {
  await Promise.all(replicas.services.splice(0).map((service) => service.stop()));
  await replicas.startOne({ callUnsignedUntil: new Date(Date.now() + 3_600_000).toISOString() });
  const { principal } = await replicas.newOrganizationKey();
  expect(await ask(subjectOf(listApiKeys), callOf(principal), { signed: false })).toMatchObject({ ok: true });
  expect(replicas.log.join('')).toContain('CALL_UNSIGNED_UNTIL is in the future');
});

it('one file without the other is a fault in the settings', () => {
  const environment = { DATABASE_URL: 'postgres://x', CALL_SIGNERS_FILE: files.CALL_SIGNERS_FILE };
  expect(() => readSettings(AuthSettings, environment)).toThrow(/CALL_OWNER_KEYS_FILE/);
});

it.each([
  [{ callSignersFile: files.CALL_OWNER_KEYS_FILE }, /^CALL_SIGNERS_FILE: .* cannot be used: it is not JSON\.$/],
  [{ callSignersFile: gateway.ownersFile }, /^CALL_SIGNERS_FILE: .* has no list "keys"\.$/],
  [{ callOwnerKeysFile: gateway.signingKeysFile }, /has a key that is not an X25519 key/],
  [{ callOwnerKeysFile: files.CALL_SIGNERS_FILE }, /has no private key/],
])('a replica with wrong files does not start: %#', async (changed, message) => {
  await expect(replicas.startOne(changed)).rejects.toThrow(message);
});
