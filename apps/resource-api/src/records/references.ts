/** Records that still use a record, which therefore cannot be deleted. */
import { Fault, publicId, type Noun } from '@ams/contracts';
import type { Tx } from '@ams/database';

export interface Reference {
  resource: string;
  id: string;
  name: string;
}

/** Up to ten records that still use a record. */
export async function referencesIn(
  tx: Tx,
  resource: string,
  noun: Noun,
  query: string,
  params: unknown[],
): Promise<Reference[]> {
  const rows = await tx.query<{ id: string; name: string }>(`${query} LIMIT 10`, params);
  return rows.map(({ id, name }) => ({ resource, id: publicId(noun, id), name }));
}

/** Throws RESOURCE_IN_USE when there are references. */
export function refuseInUse(references: Reference[]): void {
  if (references.length > 0) throw new Fault('RESOURCE_IN_USE', { references });
}

/**
 * The same, also for a narrowed key: references that it cannot see count, but are not named. Throws RESOURCE_IN_USE.
 */
export async function refuseAnyUse(tx: Tx, find: () => Promise<Reference[]>): Promise<void> {
  const all = await tx.beyondNarrowing(find);
  if (all.length === 0) return;
  const visible = await find();
  refuseInUse(visible);
  throw new Fault('RESOURCE_IN_USE', { references: [] }, 'The resource is still in use by records of others.');
}
