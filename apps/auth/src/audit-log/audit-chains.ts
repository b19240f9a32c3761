/**
 * Writes the chains of the audit log: links entries that were stored, and signs checkpoints. Each function is one
 * transaction, so after a crash its work is done as a whole or not at all. A chain is locked by its row in
 * `auth.audit_chains`; what another replica has locked is skipped. SQL, because it writes many rows at once.
 */
import { publicId } from '@ams/contracts';
import { type Tx } from '@ams/database';
import { linksAfter, signedCheckpoint, type ChainEnd, type ChainLink } from '@ams/domain';
import { entriesPerTurn } from '@ams/persistence';
import { type KeyObject } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { entryColumns, entryFromRow, type EntryRow } from './entry-rows.js';

/** How many entries a transaction links, unless one statement has added more. */
const entriesPerRound = 1000;
/** Many: mostly a chain has a few entries, and each round has its price. */
const chainsPerRound = 500;
/** Rows that are read for a round. Each chain has an equal part. */
const rowsPerRound = 2000;
const checkpointsPerRound = 100;

interface ChainKey {
  organization_id: string;
  environment: string;
}

interface WaitingRow extends ChainKey {
  id: string;
  entry_ids: string[];
}

interface ChainRow extends ChainKey {
  sequence: string;
  hash: Buffer;
}

type StoredRow = EntryRow & ChainKey;

const nameOf = ({ organization_id, environment }: ChainKey): string => `${organization_id} ${environment}`;
const keysOf = (rows: readonly ChainKey[]): [string[], string[]] => [
  rows.map((row) => row.organization_id),
  rows.map((row) => row.environment),
];

/** Chains with waiting entries after ($1, $2), by one step of the index for each chain. */
const waitingChains = `
  WITH RECURSIVE chain AS (
    (SELECT organization_id, environment FROM auth.audit_waiting
     WHERE (organization_id, environment) > ($1::uuid, $2::text) ORDER BY 1, 2 LIMIT 1)
    UNION ALL
    SELECT next.organization_id, next.environment FROM chain CROSS JOIN LATERAL (
      SELECT organization_id, environment FROM auth.audit_waiting
      WHERE (organization_id, environment) > (chain.organization_id, chain.environment) ORDER BY 1, 2 LIMIT 1
    ) AS next
  )
  SELECT organization_id, environment FROM chain LIMIT ${chainsPerRound}`;

const lockChains = `
  SELECT organization_id, environment, sequence, hash FROM auth.audit_chains
  WHERE (organization_id, environment::text) IN (SELECT * FROM unnest($1::uuid[], $2::text[]))
  ORDER BY organization_id, environment FOR UPDATE SKIP LOCKED`;

/** $3: how many rows of each chain. */
const waitingRows = `
  SELECT waiting.* FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS chain(organization_id, environment, position)
  CROSS JOIN LATERAL (
    SELECT id, organization_id, environment, entry_ids FROM auth.audit_waiting
    WHERE organization_id = chain.organization_id AND environment = chain.environment ORDER BY id LIMIT $3
  ) AS waiting ORDER BY position, id`;

/** Where the next round begins, so that each chain has its turn; null: at the first chain. */
export type Turn = ChainKey | null;

export interface Linked {
  entries: number;
  /** Null: after these chains nothing waits. */
  next: Turn;
}

/** Links waiting entries of the chains after `turn`. */
export async function linkWaiting(tx: Tx, turn: Turn): Promise<Linked> {
  const waiting = await tx.query<ChainKey>(waitingChains, [
    turn?.organization_id ?? '00000000-0000-0000-0000-000000000000',
    turn?.environment ?? '',
  ]);
  if (waiting.length === 0) return { entries: 0, next: null };
  const chains = await lockedChains(tx, waiting);
  // Read after the lock: whoever had it before has removed its rows.
  const rowsPerChain = Math.ceil(rowsPerRound / Math.max(1, chains.length));
  const all = await tx.query<WaitingRow>(waitingRows, [...keysOf(chains), rowsPerChain]);
  const rows = fewEnough(all);
  const linked = await linkRows(tx, chains, rows);
  const isAll = waiting.length < chainsPerRound && rows.length === all.length && !someChainHas(rows, rowsPerChain);
  return { entries: linked, next: isAll ? null : (rows.at(-1) ?? waiting.at(-1) ?? null) };
}

/** `rows`: in the order of their chains. */
const someChainHas = (rows: readonly WaitingRow[], count: number): boolean =>
  rows.slice(count - 1).some((row, index) => nameOf(row) === nameOf(rows[index] as WaitingRow));

/** Those that no other replica has, in their order. */
async function lockedChains(tx: Tx, keys: readonly ChainKey[]): Promise<ChainRow[]> {
  const locked = await tx.query<ChainRow>(lockChains, keysOf(keys));
  if (locked.length === keys.length) return locked;
  await tx.query(
    `INSERT INTO auth.audit_chains (organization_id, environment, sequence, hash)
     SELECT *, 0, decode(repeat('00', 32), 'hex') FROM unnest($1::uuid[], $2::text[]) ORDER BY 1, 2
     ON CONFLICT DO NOTHING`,
    keysOf(keys),
  );
  return tx.query<ChainRow>(lockChains, keysOf(keys));
}

function fewEnough(rows: WaitingRow[]): WaitingRow[] {
  let entries = 0;
  const end = rows.findIndex(({ entry_ids }, index) => {
    entries += entry_ids.length;
    return entries > entriesPerRound && index > 0;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

async function linkRows(tx: Tx, chains: readonly ChainRow[], rows: readonly WaitingRow[]): Promise<number> {
  const ids = rows.flatMap(({ entry_ids }) => entry_ids);
  if (ids.length === 0) return 0;
  const stored = await tx.query<StoredRow>(
    `SELECT organization_id, environment, ${entryColumns} FROM auth.audit_log WHERE id = ANY ($1)`,
    [ids],
  );
  const entries = new Map(stored.map((row) => [row.id, row]));
  const added = await linksOf(chains, rows, entries);
  await addLinks(tx, added);
  await moveEnds(
    tx,
    added.map(({ chain, links }) => {
      const { sequence, hash } = links.at(-1) as ChainLink;
      return { ...chain, sequence: String(sequence), hash: Buffer.from(hash, 'hex') };
    }),
  );
  await tx.query('DELETE FROM auth.audit_waiting WHERE id = ANY ($1)', [rows.map(({ id }) => id)]);
  return ids.length;
}

interface Added {
  chain: ChainRow;
  /** Of the entries. */
  ids: string[];
  links: ChainLink[];
}

/** The links of the rows. Between portions of them the process serves admissions. */
async function linksOf(
  chains: readonly ChainRow[],
  rows: readonly WaitingRow[],
  entries: ReadonlyMap<string, StoredRow>,
): Promise<Added[]> {
  const idsOfChain = new Map<string, string[]>(chains.map((chain) => [nameOf(chain), []]));
  for (const row of rows) idsOfChain.get(nameOf(row))?.push(...row.entry_ids);
  const added: Added[] = [];
  let hashed = 0;
  for (const chain of chains) {
    // An entry that is no longer there was deleted because of its age.
    const ids = (idsOfChain.get(nameOf(chain)) ?? []).filter((id) => entries.has(id));
    const links: ChainLink[] = [];
    let end: ChainEnd = { sequence: Number(chain.sequence), hash: chain.hash.toString('hex') };
    for (const id of ids) {
      const [link] = linksAfter(end, [entryFromRow(entries.get(id) as StoredRow)]) as [ChainLink];
      links.push(link);
      end = link;
      if (++hashed % entriesPerTurn === 0) await nextTurn();
    }
    if (links.length > 0) added.push({ chain, ids, links });
  }
  return added;
}

const bytesOfLink = 16 + 32 + 32;

/** $3: the sequence before the first link of each chain, $4: how many links it gets, $5: where they begin in $6. */
const insertLinks = `
  INSERT INTO auth.audit_links (organization_id, environment, sequence, entry_id, entry_hash, hash)
  SELECT organization_id, environment, sequence + nth, encode(substr($6::bytea, at, 16), 'hex')::uuid,
    substr($6::bytea, at + 16, 32), substr($6::bytea, at + 48, 32)
  FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::int[], $5::int[])
    AS chain(organization_id, environment, sequence, links, first)
  CROSS JOIN LATERAL generate_series(1, links) AS nth
  CROSS JOIN LATERAL (SELECT 1 + (first + nth - 1) * ${bytesOfLink} AS at) AS place`;

/** The links are packed: they would be four arrays of texts, which both sides would write and read. */
async function addLinks(tx: Tx, added: readonly Added[]): Promise<void> {
  const packed = Buffer.allocUnsafe(added.reduce((sum, { links }) => sum + links.length, 0) * bytesOfLink);
  const firsts: number[] = [];
  let written = 0;
  for (const { ids, links } of added) {
    firsts.push(written / bytesOfLink);
    links.forEach(({ entryHash, hash }, index) => {
      for (const hex of [(ids[index] as string).replaceAll('-', ''), entryHash, hash])
        written += packed.write(hex, written, 'hex');
    });
  }
  await tx.query(insertLinks, [
    ...keysOf(added.map(({ chain }) => chain)),
    added.map(({ chain }) => chain.sequence),
    added.map(({ links }) => links.length),
    firsts,
    packed,
  ]);
}

const moveEnds = (tx: Tx, ends: readonly ChainRow[]): Promise<unknown> =>
  tx.query(
    `UPDATE auth.audit_chains chain SET sequence = ended.sequence, hash = ended.hash
     FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::bytea[])
       AS ended(organization_id, environment, sequence, hash)
     WHERE chain.organization_id = ended.organization_id AND chain.environment = ended.environment`,
    [...keysOf(ends), ends.map(({ sequence }) => sequence), ends.map(({ hash }) => hash)],
  );

export interface Signing {
  key: KeyObject;
  everySeconds: number;
  /** How many days entries are kept; null: without end. */
  days: number | null;
}

/** The start of the month before which entries may be deleted, or null. $1: the days. */
export const keptSince = (days: string): string => `date_trunc('month', now() - make_interval(days => ${days}), 'UTC')`;

interface EndToSign extends ChainRow {
  kept_since: Date | null;
  signed_at: Date;
}

/** Signs a checkpoint of each chain that has new entries, or a later limit of age. Returns how many. */
export async function signChains(tx: Tx, { key, everySeconds, days }: Signing): Promise<number> {
  const ends = await tx.query<EndToSign>(
    `SELECT organization_id, environment, sequence, hash, greatest(kept_since, ${keptSince('$1::int')}) AS kept_since,
       date_trunc('milliseconds', now()) AS signed_at
     FROM auth.audit_chains
     WHERE sequence > signed_sequence AND (signed_at IS NULL
         OR signed_at NOT BETWEEN now() - make_interval(secs => $2) AND now() + interval '1 minute')
       OR sequence > 0 AND kept_since IS DISTINCT FROM greatest(kept_since, ${keptSince('$1::int')})
     ORDER BY signed_at NULLS FIRST LIMIT ${checkpointsPerRound} FOR UPDATE SKIP LOCKED`,
    [days, everySeconds],
  );
  if (ends.length === 0) return 0;
  const checkpoints = ends.map((end) =>
    signedCheckpoint(
      {
        organizationId: publicId('organization', end.organization_id),
        environment: end.environment,
        sequence: Number(end.sequence),
        hash: end.hash.toString('hex'),
        keptSince: end.kept_since?.toISOString() ?? null,
        signedAt: end.signed_at.toISOString(),
      },
      key,
    ),
  );
  await tx.query(
    `WITH checkpoint AS (
       SELECT * FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::bytea[], $5::timestamptz[], $6::timestamptz[],
         $7::text[], $8::text[])
       AS checkpoint(organization_id, environment, sequence, hash, kept_since, signed_at, key_id, signature)
     ), signed AS (
       UPDATE auth.audit_chains chain SET signed_sequence = checkpoint.sequence, signed_at = checkpoint.signed_at,
         kept_since = checkpoint.kept_since
       FROM checkpoint
       WHERE chain.organization_id = checkpoint.organization_id AND chain.environment = checkpoint.environment
     )
     INSERT INTO auth.audit_checkpoints (organization_id, environment, day, sequence, hash, kept_since, signed_at,
       key_id, signature)
     SELECT organization_id, environment, (signed_at AT TIME ZONE 'UTC')::date, sequence, hash, kept_since, signed_at,
       key_id, signature FROM checkpoint
     ON CONFLICT (organization_id, environment, day) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash,
       kept_since = excluded.kept_since, signed_at = excluded.signed_at, key_id = excluded.key_id,
       signature = excluded.signature`,
    [
      ...keysOf(ends),
      ends.map(({ sequence }) => sequence),
      ends.map(({ hash }) => hash),
      ends.map((end) => end.kept_since),
      ends.map((end) => end.signed_at),
      checkpoints.map(({ keyId }) => keyId),
      checkpoints.map(({ signature }) => signature),
    ],
  );
  return ends.length;
}
