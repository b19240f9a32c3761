// New keys of an installation: `npm start` and `npm run admin -- secrets create` make them once.
import { createECDH, createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';

/** A line of MASTER_KEY_FILE. */
export const newMasterKey = () => `${randomBytes(32).toString('base64')}\n`;

/** The content of AUDIT_SIGNING_KEYS_FILE and AUDIT_WRITER_KEYS_FILE: an Ed25519 key in PEM. */
export const newSigningKey = () => generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });

/** The content of AUDIT_WRITERS_FILE: the public keys of the services. `pemOf(service)` is the private one. */
export const publicKeysOfWriters = (pemOf, { auditWriters, publicJwkOf }) =>
  `${JSON.stringify(
    Object.fromEntries(auditWriters.map((name) => [name, { keys: [publicJwkOf(createPrivateKey(pemOf(name)))] }])),
    null,
    2,
  )}\n`;

/** The keys of push messages (RFC 8292), in base64url. A private key with leading zeros is shorter than 32 bytes. */
export function newVapidKeys() {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  const privateKey = Buffer.concat([Buffer.alloc(32), ecdh.getPrivateKey()]).subarray(-32);
  return { publicKey: ecdh.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') };
}
