/** The lines of an export of the audit log. */
import { maxPageSize, publicId, type AuditChainLine, type Page, type Tenant } from '@ams/contracts';
import { page, Where, type Tx } from '@ams/database';
import { type Checkpoint, type EntrySignature } from '@ams/domain';
import { entryColumns, entryFromRow, type EntryRow } from './entry-rows.js';

interface CheckpointRow {
  organization_id: string;
  environment: string;
  sequence: string;
  hash: Buffer;
  kept_since: Date | null;
  signed_at: Date;
  key_id: string;
  signature: string;
}

/** The columns of an entry are null when it was deleted, those of a checkpoint when the sequence has none. */
type ChainLineRow = Pick<CheckpointRow, 'organization_id' | 'environment' | 'sequence' | 'hash'> & {
  entry_id: string;
  entry_hash: Buffer;
  stored_id: string | null;
  writer: EntrySignature | null;
} & Omit<EntryRow, 'id'> & { kept_since: Date | null; signed_at: Date | null; key_id: string; signature: string };

const entryOnly = entryColumns
  .split(', ')
  .filter((column) => column !== 'id')
  .map((column) => `entry.${column}`);

const chainLineSelect = `link.organization_id, link.environment, link.sequence, link.entry_id, link.entry_hash,
  link.hash, entry.id AS stored_id, entry.writer, ${entryOnly.join(', ')}, checkpoint.kept_since, checkpoint.signed_at,
  checkpoint.key_id, checkpoint.signature`;

const chainLinesFrom = `auth.audit_links link
  LEFT JOIN auth.audit_log entry ON entry.id = link.entry_id
  LEFT JOIN auth.audit_checkpoints checkpoint ON checkpoint.organization_id = link.organization_id
    AND checkpoint.environment = link.environment AND checkpoint.sequence = link.sequence`;

const checkpointOf = (row: CheckpointRow): Checkpoint => ({
  organizationId: publicId('organization', row.organization_id),
  environment: row.environment,
  sequence: Number(row.sequence),
  hash: row.hash.toString('hex'),
  keptSince: row.kept_since?.toISOString() ?? null,
  signedAt: row.signed_at.toISOString(),
  keyId: row.key_id,
  signature: row.signature,
});

const chainLine = (row: ChainLineRow): AuditChainLine => ({
  sequence: Number(row.sequence),
  entryId: publicId('auditEntry', row.entry_id),
  entryHash: row.entry_hash.toString('hex'),
  hash: row.hash.toString('hex'),
  entry: row.stored_id === null ? null : entryFromRow({ ...row, id: row.stored_id }),
  checkpoint: row.signed_at === null ? null : checkpointOf({ ...row, signed_at: row.signed_at }),
  ...(row.writer && {
    writer: {
      organizationId: publicId('organization', row.organization_id),
      environment: row.environment,
      service: row.writer.service,
      keyId: row.writer.keyId,
      signature: row.writer.signature,
    },
  }),
});

/** A page of the chain, in the order of the sequence; `after` is the `nextCursor` of the page before. */
export const chainPage = (
  tx: Tx,
  { organizationId, environment }: Pick<Tenant, 'organizationId' | 'environment'>,
  after: string | undefined,
): Promise<Page<AuditChainLine>> =>
  page<ChainLineRow, AuditChainLine>(tx, {
    select: chainLineSelect,
    from: chainLinesFrom,
    where: new Where().and('link.organization_id = ?', organizationId).and('link.environment = ?', environment),
    sort: { column: 'link.sequence', type: 'int', descending: false },
    id: 'link.entry_id',
    limit: maxPageSize,
    cursor: after,
    boundTo: 'audit chain',
    item: chainLine,
  });
