/**
 * Files with keys in PEM. Ed25519: for checkpoints of the audit log, for the entries that a service writes, and for the
 * calls of the API gateway. X25519: for the calls that a service answers.
 */
import { isEd25519, isX25519, publicJwkOf } from '@ams/domain';
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

export interface AgreementKeys {
  /** The private keys of the file. */
  privateKeys: KeyObject[];
  /** Their public parts, as JSON Web Keys. */
  published: { keys: ReturnType<typeof publicJwkOf>[] };
}

/** The same of a file with X25519 keys. */
export function readAgreementKeys(file: string): AgreementKeys {
  const keys = keysIn(file);
  if (!keys.every(isX25519)) throw new Error(`${file} has a key that is not an X25519 key.`);
  const privateKeys = keys.filter(({ type }) => type === 'private');
  if (privateKeys.length === 0)
    throw new Error(`${file} has no private key. "openssl genpkey -algorithm x25519" makes one.`);
  return { privateKeys, published: { keys: privateKeys.map(publicJwkOf) } };
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
