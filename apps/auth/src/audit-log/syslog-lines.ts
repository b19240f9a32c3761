/** What of the audit logs was not sent to syslog yet, in the order of each chain. SQL, because it reads and writes many rows. */
import { publicId } from '@ams/contracts';
import { type Tx } from '@ams/database';
import { type SyslogLine } from '@ams/domain';
import { entryColumns, entryFromRow, type EntryRow } from './entry-rows.js';

const chainsPerBatch = 100;
const linesPerChain = 200;
const linesPerBatch = 1000;

interface ChainRow {
  organization_id: string;
  environment: string;
  position: string;
}

type LineRow = Omit<ChainRow, 'position'> &
  Omit<EntryRow, 'id'> & {
    sequence: string;
    entry_id: string;
    entry_hash: Buffer;
    hash: Buffer;
    stored_id: string | null;
    is_cut: boolean;
  };

/** Chains with lines after their position; first those that were sent longest ago. */
const chainsBehind = `
  SELECT chain.organization_id, chain.environment, coalesce(sent.sequence, 0)::text AS position
  FROM auth.audit_chains chain LEFT JOIN auth.audit_syslog_positions sent USING (organization_id, environment)
  WHERE chain.sequence > coalesce(sent.sequence, 0)
  ORDER BY sent.sent_at NULLS FIRST, chain.organization_id, chain.environment`;

const others = entryColumns
  .split(', ')
  .filter((column) => !['id', 'changes'].includes(column))
  .map((column) => `entry.${column}`);

/** $4: the bytes above which the values of changes are left out, because the message would be too long anyway. */
const linesAfter = `
  SELECT link.organization_id, link.environment, link.sequence, link.entry_id, link.entry_hash, link.hash,
    entry.id AS stored_id, ${others.join(', ')}, coalesce(octet_length(entry.changes::text) > $4, false) AS is_cut,
    CASE WHEN octet_length(entry.changes::text) > $4 THEN coalesce((
        SELECT jsonb_agg(jsonb_build_object('field', change->'field')) FROM jsonb_array_elements(entry.changes) AS change
      ), '[]') ELSE entry.changes END AS changes
  FROM unnest($1::uuid[], $2::text[], $3::bigint[]) WITH ORDINALITY
    AS chain(organization_id, environment, position, turn)
  CROSS JOIN LATERAL (
    SELECT * FROM auth.audit_links
    WHERE organization_id = chain.organization_id AND environment = chain.environment
      AND sequence > chain.position ORDER BY sequence LIMIT ${linesPerChain}
  ) AS link
  LEFT JOIN auth.audit_log entry ON entry.id = link.entry_id
  ORDER BY chain.turn, link.sequence LIMIT ${linesPerBatch}`;

export interface SentUpTo {
  organizationId: string;
  environment: string;
  sequence: number;
}

export interface Batch {
  lines: SyslogLine[];
  /** The last line of each chain, with UUIDs. */
  ends: SentUpTo[];
  /** Sequences that are not there any more: they were deleted because of their age before they were sent. */
  missing: number;
}

/** The next lines. A chain with many lines has a part of each batch only. */
export async function nextBatch(tx: Pick<Tx, 'query'>, maxBytes: number): Promise<Batch> {
  const chains = await tx.query<ChainRow>(`${chainsBehind} LIMIT ${chainsPerBatch}`);
  if (chains.length === 0) return { lines: [], ends: [], missing: 0 };
  const rows = await tx.query<LineRow>(linesAfter, [
    chains.map((chain) => chain.organization_id),
    chains.map((chain) => chain.environment),
    chains.map((chain) => chain.position),
    maxBytes,
  ]);
  const reached = new Map(chains.map((chain) => [nameOf(chain), Number(chain.position)]));
  const ends = new Map<string, SentUpTo>();
  let missing = 0;
  for (const row of rows) {
    const { organization_id: organizationId, environment } = row;
    const sequence = Number(row.sequence);
    const before = reached.get(nameOf(row)) ?? 0;
    // A chain of which nothing was sent begins with what is kept.
    if (before > 0) missing += sequence - before - 1;
    reached.set(nameOf(row), sequence);
    ends.set(nameOf(row), { organizationId, environment, sequence });
  }
  return { lines: rows.map(lineFrom), ends: [...ends.values()], missing };
}

const nameOf = (row: Pick<ChainRow, 'organization_id' | 'environment'>): string =>
  `${row.organization_id} ${row.environment}`;

const lineFrom = (row: LineRow): SyslogLine => ({
  organizationId: publicId('organization', row.organization_id),
  environment: row.environment,
  sequence: Number(row.sequence),
  entryId: publicId('auditEntry', row.entry_id),
  entryHash: row.entry_hash.toString('hex'),
  hash: row.hash.toString('hex'),
  entry: row.stored_id === null ? null : entryFromRow({ ...row, id: row.stored_id }),
  isCut: row.is_cut,
});

/** A position never goes back: another replica may have sent the same lines. */
export async function moveOn(tx: Pick<Tx, 'query'>, ends: readonly SentUpTo[]): Promise<void> {
  await tx.query(
    `INSERT INTO auth.audit_syslog_positions AS sent (organization_id, environment, sequence, sent_at)
     SELECT *, now() FROM unnest($1::uuid[], $2::text[], $3::bigint[]) ORDER BY 1, 2
     ON CONFLICT (organization_id, environment) DO UPDATE
       SET sequence = greatest(sent.sequence, excluded.sequence), sent_at = excluded.sent_at`,
    [
      ends.map(({ organizationId }) => organizationId),
      ends.map(({ environment }) => environment),
      ends.map(({ sequence }) => sequence),
    ],
  );
}

/** Whether this replica sends; for `seconds`, by the clock of the database. */
export async function holdsSending(tx: Pick<Tx, 'query'>, holder: string, seconds: number): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO auth.audit_syslog_sender AS sender (holder, until) VALUES ($1, now() + make_interval(secs => $2))
     ON CONFLICT (one) DO UPDATE SET holder = excluded.holder, until = excluded.until
       WHERE sender.holder = excluded.holder OR sender.until < now()
     RETURNING holder`,
    [holder, seconds],
  );
  return rows.length > 0;
}

/** How many lines were not sent, and the age of the oldest of those that come next in their chains, in seconds. */
export async function unsent(tx: Pick<Tx, 'query'>): Promise<{ lines: number; seconds: number }> {
  const [row] = await tx.query<{ lines: number; seconds: number }>(
    `SELECT coalesce(sum(chain.sequence - position), 0)::float8 AS lines, coalesce(greatest(0, extract(epoch FROM
       now() - to_timestamp(('x' || substr(replace(min(next.entry_id::text), '-', ''), 1, 12))::bit(48)::bigint / 1000.0)
     )), 0)::float8 AS seconds
     FROM (${chainsBehind.replace('::text AS position', ' AS position, chain.sequence')}) AS chain
     LEFT JOIN LATERAL (
       SELECT entry_id FROM auth.audit_links WHERE organization_id = chain.organization_id
         AND environment = chain.environment AND sequence > position ORDER BY sequence LIMIT 1
     ) AS next ON true`,
  );
  return { lines: row?.lines ?? 0, seconds: row?.seconds ?? 0 };
}
