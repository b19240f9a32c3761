/** Decides whether an entry from NATS is stored: it must be signed by the service that writes entries of its type. */
import { auditEntryOf, type AuditRecord } from '@ams/contracts';
import { entrySignatureFault, writerKeys, type WriterKeys } from '@ams/domain';
import { placeOf, storableRecord } from '@ams/persistence';
import { Logger } from '@ams/service';
import { Injectable } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { AuthSettings } from '../settings.js';

/** `stored`: as it is verified, and as it is to be stored. */
export type Checked =
  { kind: 'signed' | 'unsigned' | 'unchecked'; stored: AuditRecord } | { kind: 'refused'; reason: string };

@Injectable()
export class AuditWriters {
  /** Null: the operator has given no keys, and every entry is stored. */
  private readonly keys: WriterKeys | null;
  private readonly unsignedUntil: number;

  constructor({ auditWritersFile: file, auditUnsignedUntil: until }: AuthSettings, log: Logger) {
    this.keys = file === undefined ? null : keysIn(file);
    this.unsignedUntil = until === undefined ? 0 : Date.parse(until);
    if (!this.keys)
      log.warn({}, 'AUDIT_WRITERS_FILE is not set: audit entries of other services are stored without a check');
    else if (this.unsignedUntil > Date.now())
      log.warn({ until }, 'AUDIT_UNSIGNED_UNTIL is in the future: audit entries without a signature are stored');
  }

  /** `receivedAt`: when NATS has received the message, in milliseconds. The sender cannot choose it. */
  check(record: AuditRecord, receivedAt: number): Checked {
    const stored = storableRecord(record);
    if (!this.keys) return { kind: 'unchecked', stored };
    const { writer } = stored;
    if (!writer) {
      if (receivedAt < this.unsignedUntil) return { kind: 'unsigned', stored };
      return { kind: 'refused', reason: 'the entry is not signed' };
    }
    const reason = entrySignatureFault(placeOf(stored), auditEntryOf(stored), writer, this.keys);
    return reason === null ? { kind: 'signed', stored } : { kind: 'refused', reason };
  }
}

function keysIn(file: string): WriterKeys {
  try {
    return writerKeys(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`AUDIT_WRITERS_FILE: ${file} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}
