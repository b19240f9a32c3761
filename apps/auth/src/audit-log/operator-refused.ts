/** What an operator does with an audit entry that was refused. */
import { publicId, type AuditRecord } from '@ams/contracts';
import { type Database } from '@ams/database';
import { admin, operatorNow, recordAudit } from '../operator/operator.js';
import { addAuditEntries } from './audit-entries.js';
import { recordsIn } from './audit-records.js';

/**
 * Stores the entry without a signature, and an entry that says so. The text is that of `auth.set_aside`. False when it
 * is no audit entry. An entry that is stored already does not change.
 */
export async function admitRefused(database: Database, id: string, payload: string): Promise<boolean> {
  const records = recordsIn(payload);
  if (!records) return false;
  await database.asService(async (tx) => {
    await addAuditEntries(tx, records.map(withoutSignature));
    const operator = await operatorNow(tx, admin);
    for (const { organizationId, environment, id: entryId } of records)
      await recordAudit(tx, operator, {
        organizationId,
        environment,
        type: 'audit_entry.admitted',
        resource: { type: 'audit_entry', id: publicId('auditEntry', entryId) },
        changes: [],
      });
    await tx.query('UPDATE auth.set_aside SET replayed_at = now() WHERE id = $1', [id]);
  });
  return true;
}

const withoutSignature = ({ writer: _writer, ...record }: AuditRecord): AuditRecord => record;
