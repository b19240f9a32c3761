/**
 * Master keys seal the data keys of tenants, and nothing else. They are in a file, as here, or in a key management
 * service, whose client is then a `MasterKeys` (vault-master-keys.ts).
 */
import { readFileSync } from 'node:fs';
import { SettingsError } from '../settings.js';
import { SealedSecrets } from './sealed-secrets.js';

export interface MasterKeys {
  /** Seals with the newest key. `record` names what is sealed; the same name opens it. */
  seal(dataKey: Uint8Array, record: string): Promise<Buffer>;
  /** Null: the key that has sealed it is not known here. Throws when the value was changed, or is of another record. */
  open(sealed: Uint8Array, record: string): Promise<Buffer | null>;
  /** Returns what tells whether the newest key has sealed a value. */
  newest(): Promise<(sealed: Uint8Array) => boolean>;
}

/** The keys cannot be used at present; the values may be good. */
export class MasterKeysUnavailable extends Error {}

/** 32 bytes in base64. */
const keyForm = /^[A-Za-z0-9+/]{43}=$/;

/** Master keys in a file: one in each line, 32 bytes in base64, the newest first. Throws SettingsError. */
export function masterKeysOfFile(path: string): MasterKeys {
  let lines: string[];
  try {
    lines = readFileSync(path, 'utf8').split('\n');
  } catch (error) {
    throw new SettingsError(`MASTER_KEY_FILE cannot be read: ${(error as Error).message}`);
  }
  const keys = lines.map((line) => line.trim()).filter((line) => line !== '');
  if (keys.length === 0 || !keys.every((key) => keyForm.test(key)))
    throw new SettingsError(
      `MASTER_KEY_FILE (${path}) must have one or more keys, each in a line: 32 bytes in base64, as ` +
        '`openssl rand -base64 32` prints them',
    );
  const secrets = new SealedSecrets(keys);
  return {
    seal: (dataKey, record) => Promise.resolve(secrets.seal(dataKey, record)),
    open: async (sealed, record) => Promise.resolve(secrets.open(sealed, record)),
    newest: () => {
      const { newestPrefix: prefix } = secrets;
      return Promise.resolve((sealed) => Buffer.from(sealed).subarray(0, prefix.length).equals(prefix));
    },
  };
}
