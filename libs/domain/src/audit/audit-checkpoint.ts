/** Signed statements on the hash chain of an audit log. Signatures are Ed25519 (RFC 8032), keys JSON Web Keys (RFC 8037). */
import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';

export interface CheckpointFacts {
  organizationId: string;
  environment: string;
  /** The last entry that the checkpoint covers, and its hash. */
  sequence: number;
  hash: string;
  /** Entries before this time may have been deleted, because the operator keeps entries for a limited time only. */
  keptSince: string | null;
  signedAt: string;
}

export interface Checkpoint extends CheckpointFacts {
  /** The thumbprint of the public key. */
  keyId: string;
  /** base64url, 86 characters. */
  signature: string;
}

const fields = ['organizationId', 'environment', 'sequence', 'hash', 'keptSince', 'signedAt', 'keyId'] as const;

/** The text that is signed: a line with the format, and one with the facts and the key in canonical JSON. */
const signedText = (checkpoint: Omit<Checkpoint, 'signature'>): Buffer =>
  Buffer.from(
    `ams-audit-checkpoint-1\n${canonicalJson(Object.fromEntries(fields.map((field) => [field, checkpoint[field]])))}`,
  );

interface PublicJwk {
  kty: 'OKP';
  crv: 'Ed25519';
  /** 32 bytes, base64url. */
  x: string;
}

export const isEd25519 = (key: KeyObject): boolean => key.asymmetricKeyType === 'ed25519';

/** The public part of a key, with its thumbprint (RFC 7638) as `kid`. */
export function publicJwkOf(key: KeyObject): PublicJwk & { kid: string } {
  const { x } = (key.type === 'public' ? key : createPublicKey(key)).export({ format: 'jwk' });
  const jwk = { crv: 'Ed25519', kty: 'OKP', x: String(x) } as const;
  return { ...jwk, kid: createHash('sha256').update(canonicalJson(jwk)).digest('base64url') };
}

export function signedCheckpoint(facts: CheckpointFacts, key: KeyObject): Checkpoint {
  const unsigned = { ...facts, keyId: publicJwkOf(key).kid };
  return { ...unsigned, signature: sign(null, signedText(unsigned), key).toString('base64url') };
}

/** Public keys by their ids. */
export type VerificationKeys = ReadonlyMap<string, KeyObject>;

/** Reads a set of JSON Web Keys. Throws an error with a sentence when it has none, or another kind of key. */
export function verificationKeys(text: string): VerificationKeys {
  const { keys } = JSON.parse(text) as { keys?: unknown };
  if (!Array.isArray(keys) || keys.length === 0) throw new Error('The file with the keys has no list "keys".');
  return new Map(
    keys.map((jwk: PublicJwk) => {
      const key = createPublicKey({ key: { kty: jwk.kty, crv: jwk.crv, x: jwk.x }, format: 'jwk' });
      if (!isEd25519(key)) throw new Error('A key is not an Ed25519 key.');
      return [publicJwkOf(key).kid, key];
    }),
  );
}

/** Why a checkpoint is not valid, or null. */
export function checkpointFault(checkpoint: Checkpoint, keys: VerificationKeys): string | null {
  const key = keys.get(checkpoint.keyId);
  if (!key) return `the checkpoint is signed by the key ${checkpoint.keyId}, which is not in the file with the keys`;
  return verify(null, signedText(checkpoint), key, Buffer.from(checkpoint.signature, 'base64url'))
    ? null
    : 'the signature of the checkpoint is wrong';
}
