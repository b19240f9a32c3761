/** A file with a master key (MASTER_KEY_FILE), the same for all services of this process. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let file: string | null = null;

export const newMasterKey = (): string => randomBytes(32).toString('base64');

export function masterKeyFile(): string {
  if (file !== null) return file;
  const dir = mkdtempSync(join(tmpdir(), `ams-test-${process.pid}-`)); // a later run removes those of a killed one
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  file = join(dir, 'keys');
  writeFileSync(file, `${newMasterKey()}\n`, { mode: 0o600 });
  return file;
}
