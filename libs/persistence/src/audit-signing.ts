/** Signs the audit entries of this service when they are published (docs/adr/0061). */
import { auditEntryOf, publicId, type AuditRecord } from '@ams/contracts';
import type { OutboxRow } from '@ams/database';
import { entrySigner, storableJson, writesEntries, type EntrySignature } from '@ams/domain';
import { withoutCredentials } from '@ams/service';
import type { KeyObject } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** How many entries are signed or checked in one turn of the event loop: about 5 ms. */
export const entriesPerTurn = 50;

/** The record as it is stored: without credentials, and without characters that the database cannot store. */
export const storableRecord = (record: AuditRecord): AuditRecord => {
  const stored = JSON.parse(storableJson(record), (_field, value: unknown) =>
    typeof value === 'string' ? withoutCredentials(value) : value,
  ) as AuditRecord;
  return { ...stored, occurredAt: new Date(stored.occurredAt).toISOString() };
};

/** The audit log in which a record is, by public ids. */
export const placeOf = ({ organizationId, environment }: AuditRecord) => ({
  organizationId: publicId('organization', organizationId),
  environment,
});

export interface SignedRows {
  rows: OutboxRow[];
  /** Rows that `auth` would not accept from this service: a fault of the program. */
  refused: { row: OutboxRow; error: string }[];
}

export class AuditSigner {
  private readonly sign: ((record: AuditRecord) => EntrySignature) | null;

  /** `key`: null signs nothing. */
  constructor(
    private readonly service: string,
    key: KeyObject | null,
  ) {
    const signer = key && entrySigner(service, key);
    this.sign = signer && ((record) => signer(placeOf(record), auditEntryOf(record)));
  }

  async signed(rows: readonly OutboxRow[]): Promise<SignedRows> {
    const outcome: SignedRows = { rows: [], refused: [] };
    for (const [index, row] of rows.entries()) {
      if (index > 0 && index % entriesPerTurn === 0) await nextTurn();
      try {
        outcome.rows.push({ ...row, text: this.signedText(row.text) });
      } catch (error) {
        outcome.refused.push({ row, error: String(error) });
      }
    }
    return outcome;
  }

  private signedText(text: string): string {
    const given = JSON.parse(text) as AuditRecord;
    if (!writesEntries(this.service, given.type))
      throw new Error(`${this.service} does not write audit entries of the type ${String(given.type)}`);
    if (!this.sign) return text;
    const record = storableRecord(given);
    return JSON.stringify({ ...record, writer: this.sign(record) });
  }
}
