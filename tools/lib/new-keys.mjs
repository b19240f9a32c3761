// New keys of an installation: `npm start` and `npm run admin -- secrets create` make them once.
import { createECDH, createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';

/** A line of MASTER_KEY_FILE. */
export const newMasterKey = () => `${randomBytes(32).toString('base64')}\n`;

/** The content of AUDIT_SIGNING_KEYS_FILE, AUDIT_WRITER_KEYS_FILE and CALL_SIGNING_KEYS_FILE: an Ed25519 key in PEM. */
export const newSigningKey = () => generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });

const setOf = (pem, publicJwkOf) => ({ keys: [publicJwkOf(createPrivateKey(pem))] });
const printed = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** The content of AUDIT_WRITERS_FILE: the public keys of the services. `pemOf(service)` is the private one. */
export const publicKeysOfWriters = (pemOf, { auditWriters, publicJwkOf }) =>
  printed(Object.fromEntries(auditWriters.map((name) => [name, setOf(pemOf(name), publicJwkOf)])));

/** A file of CALL_OWNER_KEYS_FILE: an X25519 key in PEM. */
export const newAgreementKey = () => generateKeyPairSync('x25519').privateKey.export({ format: 'pem', type: 'pkcs8' });

/** The content of CALL_SIGNERS_FILE: the public key of the API gateway, of which `pem` is the private one. */
export const publicKeyOfGateway = (pem, { publicJwkOf }) => printed(setOf(pem, publicJwkOf));

/** The content of CALL_OWNERS_FILE, as that of AUDIT_WRITERS_FILE. */
export const publicKeysOfOwners = (pemOf, { callOwners, publicJwkOf }) =>
  publicKeysOfWriters(pemOf, { auditWriters: callOwners, publicJwkOf });

/** The keys of push messages (RFC 8292), in base64url. A private key with leading zeros is shorter than 32 bytes. */
export function newVapidKeys() {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  const privateKey = Buffer.concat([Buffer.alloc(32), ecdh.getPrivateKey()]).subarray(-32);
  return { publicKey: ecdh.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') };
}
