// Passwords of the services' database and NATS users: created once, stored in the state folder (0600).
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newMasterKey, newSigningKey, newVapidKeys } from '../lib/new-keys.mjs';

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
