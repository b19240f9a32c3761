/**
 * The keys of signed calls (docs/adr/0072). Each replica of the API gateway makes an X25519 key for a few minutes. A
 * certificate names it, signed with the Ed25519 key of the gateway. Gateway and owner compute the same secret: the one
 * from its own key and the public key of the owner, the other one from the key in the certificate and its own. So a
 * call costs a MAC, and not a signature.
 */
import {
  createHash,
  createHmac,
  createPublicKey,
  createSecretKey,
  diffieHellman,
  hkdfSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import { keysOfSet, publicJwkOf, type VerificationKeys } from '../audit/ed25519-keys.js';

/** The services that answer calls of the API gateway. */
export const callOwners = ['auth', 'resource-api', 'alert-pipeline', 'workflow-engine'] as const;
export type CallOwner = (typeof callOwners)[number];

/** The public X25519 key of each owner, which the gateway uses: the first one of its list. */
export type OwnerKeys = ReadonlyMap<string, KeyObject>;

/** Reads `{owner: {keys: [JSON Web Keys]}}`. Throws an error with a sentence when an owner is unknown or missing. */
export function ownerKeys(text: string): OwnerKeys {
  const sets = JSON.parse(text) as Record<string, unknown>;
  const keys = new Map(
    Object.entries(sets).map(([owner, set]) => {
      if (!callOwners.includes(owner as CallOwner)) throw new Error(`"${owner}" answers no calls.`);
      return [owner, [...keysOfSet(set, 'X25519').values()][0] as KeyObject];
    }),
  );
  const missing = callOwners.filter((owner) => !keys.has(owner));
  if (missing.length > 0) throw new Error(`The file has no keys of ${missing.join(', ')}.`);
  return keys;
}

/** No call is signed longer with one certificate. An owner refuses one that names a longer time. */
export const maxCertificateMs = 3_600_000;

export interface CallCertificate {
  text: string;
  /** The X25519 key of the replica of the gateway. */
  publicKey: KeyObject;
  /** Milliseconds since 1970, by the clock of the gateway. */
  issuedAt: number;
  lifetimeMs: number;
}

export interface KeyPair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

const certificateForm = /^([\w-]{43})\.([\w-]{43})\.(\d{1,15})\.(\d{1,7})\.([\w-]{86})$/;
const signedText = (facts: string): Buffer => Buffer.from(`ams-call-certificate-1\n${facts}`);

/** `key id.public key.issuedAt.lifetime.signature`; keys and signature are base64url. */
export function certificateText(
  signingKey: KeyObject,
  { publicKey, issuedAt, lifetimeMs }: Omit<CallCertificate, 'text'>,
): string {
  const facts = [publicJwkOf(signingKey).kid, publicJwkOf(publicKey).x, issuedAt, lifetimeMs].join('.');
  return `${facts}.${sign(null, signedText(facts), signingKey).toString('base64url')}`;
}

export type CertificateFault = 'malformed' | 'unknownKey' | 'wrongCertificate';

/** `signers`: the Ed25519 keys of the gateway. */
export function readCertificate(text: string, signers: VerificationKeys): CallCertificate | CertificateFault {
  const parts = certificateForm.exec(text);
  if (!parts) return 'malformed';
  const [, keyId = '', x = '', issuedAt, lifetime, signature = ''] = parts;
  const signer = signers.get(keyId);
  if (!signer) return 'unknownKey';
  const facts = text.slice(0, -signature.length - 1);
  const lifetimeMs = Number(lifetime);
  if (!verify(null, signedText(facts), signer, Buffer.from(signature, 'base64url'))) return 'wrongCertificate';
  if (lifetimeMs > maxCertificateMs) return 'wrongCertificate';
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' });
  return { text, publicKey, issuedAt: Number(issuedAt), lifetimeMs };
}

/**
 * The key of the MACs of one certificate at one owner. Both sides compute it: `privateKey` and `publicKey` are the own and
 * the other one. `ownerKeyId`: the thumbprint of the owner's key.
 */
export function callKey(
  certificate: string,
  owner: string,
  ownerKeyId: string,
  { privateKey, publicKey }: KeyPair,
): KeyObject {
  const secret = diffieHellman({ privateKey, publicKey });
  const salt = createHash('sha256').update(certificate).digest();
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, salt, `ams-call-1\n${owner}\n${ownerKeyId}`, 32)));
}

/** What is signed of a call besides its payload, which holds the principal, the parameters and the body. */
export interface CallFacts {
  subject: string;
  /** The subject of the reply, as the gateway has chosen it. */
  reply: string;
  /** Increases with each call of a certificate, from 1. */
  sequence: number;
  /** When it was sent, in milliseconds since the certificate was made, by the monotonic clock of the gateway. */
  sentMs: number;
  /** How long the gateway waits for the answer. */
  timeoutMs: number;
}

/** base64url, 43 characters. A subject of NATS has no line break, so no two calls have the same text. */
export const callMac = (key: KeyObject, facts: CallFacts, payload: Uint8Array): string =>
  createHmac('sha256', key)
    .update(`${facts.subject}\n${facts.reply}\n${facts.sequence}\n${facts.sentMs}\n${facts.timeoutMs}\n`)
    .update(payload)
    .digest('base64url');
