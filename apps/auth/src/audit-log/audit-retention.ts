/**
 * Deletes old entries of the audit log, a month at a time. The checkpoints say first that entries before this month may
 * be missing. Then the entries go, and then the beginning of each chain, up to a checkpoint before the first entry that
 * is kept: the chain begins with this checkpoint.
 */
import { type Database } from '@ams/database';
import { keptSince } from './audit-chains.js';

const linksPerStatement = 5000;

export interface Retention {
  days: number;
  /** Whether checkpoints are signed. Without them chains keep their beginning. */
  isSigned: boolean;
  isStopping: () => boolean;
}

interface Beginning {
  organization_id: string;
  environment: string;
  sequence: string;
}

/** How many months were dropped. Null: nothing was deleted, because not all checkpoints say yet that entries may be missing. */
export async function deleteOldEntries(
  database: Pick<Database, 'query'>,
  { days, isSigned, isStopping }: Retention,
): Promise<number | null> {
  if (isSigned) {
    const [chain] = await database.query(
      `SELECT FROM auth.audit_chains
       WHERE sequence > 0 AND (kept_since IS NULL OR kept_since < ${keptSince('$1')}) LIMIT 1`,
      [days],
    );
    if (chain) return null;
  }
  const [dropped] = await database.query<{ months: number }>(
    'SELECT auth.drop_audit_entries(now() - make_interval(days => $1)) AS months',
    [days],
  );
  for (const { organization_id, environment, sequence } of await beginnings(database, days)) {
    const params = [organization_id, environment, sequence];
    for (let deleted = linksPerStatement; deleted === linksPerStatement && !isStopping();)
      deleted = (await database.query(deleteLinks, params)).length;
    await database.query(deleteCheckpoints, params);
  }
  return dropped?.months ?? 0;
}

/** The newest checkpoint of each chain before its first entry that is kept. */
const beginnings = (database: Pick<Database, 'query'>, days: number): Promise<Beginning[]> =>
  database.query<Beginning>(
    `SELECT * FROM (
       SELECT chain.organization_id, chain.environment, (
         SELECT max(checkpoint.sequence) FROM auth.audit_checkpoints checkpoint
         WHERE checkpoint.organization_id = chain.organization_id AND checkpoint.environment = chain.environment
           AND checkpoint.sequence < coalesce((
             SELECT link.sequence FROM auth.audit_links link
             WHERE link.organization_id = chain.organization_id AND link.environment = chain.environment
               AND link.entry_id >= public.uuid_at(${keptSince('$1')})
             ORDER BY link.sequence LIMIT 1), chain.sequence + 1)
       ) AS sequence FROM auth.audit_chains chain
     ) AS beginning WHERE sequence IS NOT NULL`,
    [days],
  );

const ofChain = 'organization_id = $1 AND environment = $2::text AND sequence < $3::bigint';

const deleteLinks = `
  DELETE FROM auth.audit_links WHERE organization_id = $1 AND environment = $2::text AND sequence IN (
    SELECT sequence FROM auth.audit_links WHERE ${ofChain} ORDER BY sequence LIMIT ${linksPerStatement}
  ) RETURNING 1`;

const deleteCheckpoints = `DELETE FROM auth.audit_checkpoints WHERE ${ofChain}`;
