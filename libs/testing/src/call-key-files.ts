/** The keys with which calls are signed and checked, the same for all services of this process. */
import { callOwners, publicJwkOf, type CallOwner } from '@ams/domain';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface CallKeyFiles {
  signingKey: KeyObject;
  /** CALL_SIGNING_KEYS_FILE and CALL_OWNERS_FILE of the API gateway. */
  gateway: { signingKeysFile: string; ownersFile: string };
  /** CALL_SIGNERS_FILE and CALL_OWNER_KEYS_FILE of each service. */
  owners: Record<CallOwner, { signersFile: string; ownerKeysFile: string }>;
}

let files: CallKeyFiles | null = null;

export function callKeyFiles(): CallKeyFiles {
  if (files !== null) return files;
  const dir = mkdtempSync(join(tmpdir(), `ams-test-${process.pid}-`)); // a later run removes those of a killed one
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  const write = (name: string, content: string | object): string => {
    const file = join(dir, name);
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content), { mode: 0o600 });
    return file;
  };
  const writeKey = (name: string, key: KeyObject): string =>
    write(`${name}.pem`, key.export({ format: 'pem', type: 'pkcs8' }).toString());
  const signing = generateKeyPairSync('ed25519');
  const made = callOwners.map((owner) => [owner, generateKeyPairSync('x25519')] as const);
  const published = made.map(([owner, { publicKey }]) => [owner, { keys: [publicJwkOf(publicKey)] }]);
  const signersFile = write('signers.json', { keys: [publicJwkOf(signing.publicKey)] });
  files = {
    signingKey: signing.privateKey,
    gateway: {
      signingKeysFile: writeKey('api-gateway', signing.privateKey),
      ownersFile: write('owners.json', Object.fromEntries(published)),
    },
    owners: Object.fromEntries(
      made.map(([owner, { privateKey }]) => [owner, { signersFile, ownerKeysFile: writeKey(owner, privateKey) }]),
    ) as CallKeyFiles['owners'],
  };
  return files;
}
