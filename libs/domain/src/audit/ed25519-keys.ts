/** Keys of the curves Ed25519 (RFC 8032) and X25519 (RFC 7748), published as JSON Web Keys (RFC 8037). */
import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';

/** The one signs, the other agrees on a shared secret. */
type Curve = 'Ed25519' | 'X25519';

interface PublicJwk {
  kty: 'OKP';
  crv: Curve;
  /** 32 bytes, base64url. */
  x: string;
}

export const isEd25519 = (key: KeyObject): boolean => key.asymmetricKeyType === 'ed25519';
export const isX25519 = (key: KeyObject): boolean => key.asymmetricKeyType === 'x25519';

/** The public part of a key, with its thumbprint (RFC 7638) as `kid`. */
export function publicJwkOf(key: KeyObject): PublicJwk & { kid: string } {
  const { x } = (key.type === 'public' ? key : createPublicKey(key)).export({ format: 'jwk' });
  const jwk = { crv: isX25519(key) ? 'X25519' : 'Ed25519', kty: 'OKP', x: String(x) } as const;
  return { ...jwk, kid: createHash('sha256').update(canonicalJson(jwk)).digest('base64url') };
}

/** Public keys by their ids. */
export type VerificationKeys = ReadonlyMap<string, KeyObject>;

/** Reads a set of JSON Web Keys. Throws an error with a sentence when it has none, or another kind of key. */
export const verificationKeys = (text: string): VerificationKeys => keysOfSet(JSON.parse(text));

/** The same of the parsed JSON. */
export function keysOfSet(set: unknown, curve: Curve = 'Ed25519'): VerificationKeys {
  const keys = (set as { keys?: unknown } | null)?.keys;
  if (!Array.isArray(keys) || keys.length === 0) throw new Error('The file with the keys has no list "keys".');
  return new Map(
    keys.map((jwk: PublicJwk) => {
      const key = createPublicKey({ key: { kty: jwk.kty, crv: jwk.crv, x: jwk.x }, format: 'jwk' });
      if (key.asymmetricKeyType !== curve.toLowerCase()) throw new Error(`A key is not an ${curve} key.`);
      return [publicJwkOf(key).kid, key];
    }),
  );
}
