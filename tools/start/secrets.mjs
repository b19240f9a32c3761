// Passwords of the services' database and NATS users: created once, stored in the state folder (0600).
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
