/** The faults of references to records and members that do not exist. */
import { uuidsOf } from '@ams/alerting';
import type { FieldFault, Tenant } from '@ams/contracts';
import type { Tx } from '@ams/database';
import { holdMembers } from '../members/member-queries.js';
import { existingIds } from './named-records.js';

/** In the order in which they are locked. */
const records = ['schedule', 'team', 'escalationPolicy'] as const;

type NamedNoun = 'member' | (typeof records)[number];

export interface NamedReference {
  noun: NamedNoun;
  /** A public id. */
  id: string;
  /** Where the record names it, such as `steps[1].params.targets[0].id`. */
  path: string;
}

const words: Record<NamedNoun, string> = {
  member: 'member',
  schedule: 'schedule',
  team: 'team',
  escalationPolicy: 'escalation policy',
};

/** The reference in a field that may be null or not sent. */
export const referenceIn = (noun: NamedNoun, path: string, id: string | null | undefined): NamedReference[] =>
  id ? [{ noun, id, path }] : [];

/**
 * A fault for each reference to a record that does not exist. The records stay until the end of the transaction. They
 * are locked before members, and before references are written, because the deletion of a record also locks it first.
 * A disabled member may stay where it is `stored`.
 */
export async function unknownReferences(
  tx: Tx,
  tenant: Tenant,
  references: readonly NamedReference[],
  stored: readonly NamedReference[] = [],
): Promise<FieldFault[]> {
  const idsOf = (noun: NamedNoun, among = references): string[] =>
    among.filter((one) => one.noun === noun).map(({ id }) => id);
  const existing = new Set<string>();
  for (const noun of records)
    for (const id of await existingIds(tx, tenant, noun, idsOf(noun), { locked: true })) existing.add(id);
  const already = uuidsOf('member', idsOf('member', stored));
  for (const id of await holdMembers(tx, tenant, idsOf('member'), already)) existing.add(id);
  return references
    .filter(({ id }) => !existing.has(id))
    .map(({ noun, id, path }) => ({
      path,
      rule: 'exists',
      message: `there is no ${words[noun]} with the id ${id} that could be named here`,
    }));
}
