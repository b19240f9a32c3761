/** Parts of queries over the records of a tenant: the condition that starts every one, their number, and the order. */
import type { Tenant } from '@ams/contracts';
import { Where, type Sort, type SortType, type Tx } from '@ams/database';

/** Rows of the tenant. */
export const owned = ({ organizationId, environment }: Tenant): Where =>
  new Where().and('organization_id = ?', organizationId).and('environment = ?', environment);

export async function count(tx: Tx, from: string, where: Where): Promise<number> {
  const [row] = await tx.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${from} WHERE ${where.toString()}`,
    where.params,
  );
  return row?.n ?? 0;
}

/** The order of a page, from a sort such as `-name`. */
export function sortBy(sort: string, columns: Record<string, { column: string; type: SortType }>): Sort {
  const chosen = columns[sort.replace('-', '')];
  if (!chosen) throw new Error(`no column to sort by ${sort}`);
  return { ...chosen, descending: sort.startsWith('-') };
}
