// Passwords of the services' database and NATS users: created once, stored in the state folder (0600).
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditWriters, callOwners, publicJwkOf } from '@ams/domain';
import {
  newAgreementKey,
  newMasterKey,
  newSigningKey,
  newVapidKeys,
  publicKeyOfGateway,
  publicKeysOfOwners,
  publicKeysOfWriters,
} from '../lib/new-keys.mjs';

export function writePrivate(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
}

export function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** A password for each name; existing ones are kept. */
export function secretsIn(state, names) {
  const file = join(state, 'secrets.json');
  const present = readJson(file) ?? {};
  const secrets = Object.fromEntries(
    names.map((name) => [name, present[name] ?? randomBytes(24).toString('base64url')]),
  );
  writePrivate(file, { ...present, ...secrets });
  return secrets;
}

/** The file with the master key, which seals the secrets of organizations. It is made once. */
export function masterKeyFileIn(state) {
  const file = join(state, 'master-keys');
  if (!existsSync(file)) writeFileSync(file, newMasterKey(), { mode: 0o600 });
  return file;
}

/** The keys of push messages (RFC 8292). Browsers subscribe with the public one, so they are made once. */
export function vapidKeysIn(state) {
  const file = join(state, 'vapid.json');
  const present = readJson(file);
  if (present) return present;
  const keys = newVapidKeys();
  writePrivate(file, keys);
  return keys;
}

/** The file with the key that signs checkpoints of the audit log. */
export function auditKeysIn(state) {
  const file = join(state, 'audit-keys.pem');
  if (existsSync(file)) return file;
  writeFileSync(file, newSigningKey(), { mode: 0o600 });
  return file;
}

/**
 * The files of the services that write audit entries: the private key of each (`keyFileOf`), and the public keys of all.
 * Entries from before `madeAt` have no signature: the services had no keys.
 */
export function auditWritersIn(state) {
  const dir = join(state, 'audit-writers');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const keyFileOf = (name) => join(dir, `${name}.pem`);
  for (const name of auditWriters)
    if (!existsSync(keyFileOf(name))) writeFileSync(keyFileOf(name), newSigningKey(), { mode: 0o600 });
  const publicKeysFile = join(dir, 'public-keys.json');
  const pemOf = (name) => readFileSync(keyFileOf(name), 'utf8');
  if (!existsSync(publicKeysFile))
    writeFileSync(publicKeysFile, publicKeysOfWriters(pemOf, { auditWriters, publicJwkOf }));
  return { keyFileOf, publicKeysFile, madeAt: statSync(publicKeysFile).mtime.toISOString() };
}

/** The files of signed calls, as the environment of the API gateway and of each service that answers calls. */
export function callKeysIn(state) {
  const dir = join(state, 'call-keys');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const fileOf = (name) => join(dir, name);
  const write = (name, textOf) => {
    if (!existsSync(fileOf(name))) writeFileSync(fileOf(name), textOf(), { mode: 0o600 });
    return fileOf(name);
  };
  const pemOf = (name) => readFileSync(fileOf(`${name}.pem`), 'utf8');
  const signingKeys = write('api-gateway.pem', newSigningKey);
  for (const name of callOwners) write(`${name}.pem`, newAgreementKey);
  const owners = write('owners.json', () => publicKeysOfOwners(pemOf, { callOwners, publicJwkOf }));
  const signers = write('signers.json', () => publicKeyOfGateway(pemOf('api-gateway'), { publicJwkOf }));
  return {
    ofGateway: { CALL_SIGNING_KEYS_FILE: signingKeys, CALL_OWNERS_FILE: owners },
    ofOwner: (name) => ({ CALL_SIGNERS_FILE: signers, CALL_OWNER_KEYS_FILE: fileOf(`${name}.pem`) }),
  };
}
