/** Signed statements on the hash chain of an audit log. */
import { sign, verify, type KeyObject } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';
import { publicJwkOf, type VerificationKeys } from './ed25519-keys.js';

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

export function signedCheckpoint(facts: CheckpointFacts, key: KeyObject): Checkpoint {
  const unsigned = { ...facts, keyId: publicJwkOf(key).kid };
  return { ...unsigned, signature: sign(null, signedText(unsigned), key).toString('base64url') };
}

/** Why a checkpoint is not valid, or null. */
export function checkpointFault(checkpoint: Checkpoint, keys: VerificationKeys): string | null {
  const key = keys.get(checkpoint.keyId);
  if (!key) return `the checkpoint is signed by the key ${checkpoint.keyId}, which is not in the file with the keys`;
  return verify(null, signedText(checkpoint), key, Buffer.from(checkpoint.signature, 'base64url'))
    ? null
    : 'the signature of the checkpoint is wrong';
}
