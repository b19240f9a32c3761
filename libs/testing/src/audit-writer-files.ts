/** The keys with which services sign audit entries, the same for all services of this process. */
import { auditWriters, publicJwkOf, type AuditWriter } from '@ams/domain';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface AuditWriterFiles {
  privateKeys: Record<AuditWriter, KeyObject>;
  /** AUDIT_WRITER_KEYS_FILE of each service. */
  keyFiles: Record<AuditWriter, string>;
  /** AUDIT_WRITERS_FILE of `auth`. */
  publicKeysFile: string;
}

let files: AuditWriterFiles | null = null;

export function auditWriterFiles(): AuditWriterFiles {
  if (files !== null) return files;
  const dir = mkdtempSync(join(tmpdir(), `ams-test-${process.pid}-`)); // a later run removes those of a killed one
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  const publicKeysFile = join(dir, 'writers.json');
  const made = auditWriters.map((service) => [service, generateKeyPairSync('ed25519')] as const);
  writeFileSync(
    publicKeysFile,
    JSON.stringify(Object.fromEntries(made.map(([service, key]) => [service, { keys: [publicJwkOf(key.publicKey)] }]))),
  );
  const keyFiles = made.map(([service, { privateKey }]) => {
    const file = join(dir, `${service}.pem`);
    writeFileSync(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
    return [service, file] as const;
  });
  files = {
    privateKeys: Object.fromEntries(made.map(([service, key]) => [service, key.privateKey])) as never,
    keyFiles: Object.fromEntries(keyFiles) as never,
    publicKeysFile,
  };
  return files;
}
