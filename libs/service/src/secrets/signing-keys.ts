/** Files with Ed25519 keys in PEM: for checkpoints of the audit log, and for the entries that a service writes. */
import { isEd25519, publicJwkOf } from '@ams/domain';
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';

const blocks = /-----BEGIN ((?:PRIVATE|PUBLIC) KEY)-----[^-]*-----END \1-----/g;

export interface SigningKeys {
  /** The first private key of the file. */
  signs: KeyObject;
  /** The public parts of all keys, as JSON Web Keys, for whoever verifies. */
  published: { keys: ReturnType<typeof publicJwkOf>[] };
}

/** Throws an error with a sentence that names the file, and nothing of its content. */
export function readSigningKeys(file: string): SigningKeys {
  const keys = keysIn(file);
  const signs = keys.find(({ type }) => type === 'private');
  if (!signs) throw new Error(`${file} has no private key. "openssl genpkey -algorithm ed25519" makes one.`);
  if (!keys.every(isEd25519)) throw new Error(`${file} has a key that is not an Ed25519 key.`);
  return { signs, published: { keys: keys.map(publicJwkOf) } };
}

function keysIn(file: string): KeyObject[] {
  const text = readFileSync(file, 'utf8');
  try {
    return [...text.matchAll(blocks)].map(([block, kind]) =>
      kind === 'PRIVATE KEY' ? createPrivateKey(block) : createPublicKey(block),
    );
  } catch {
    throw new Error(`${file} has a key that cannot be read.`);
  }
}
