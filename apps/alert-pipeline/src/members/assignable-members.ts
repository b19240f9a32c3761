import { publicId, uuidOf, type Principal } from '@ams/contracts';
import type { Tx } from '@ams/database';

/**
 * Those of the members (public ids) to whom alerts and incidents can be assigned. A disabled member is none of them. A
 * restricted key sees no members, so it can assign none.
 */
export async function assignableMembers(
  tx: Tx,
  { organizationId, restrictedTo }: Pick<Principal, 'organizationId' | 'restrictedTo'>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0 || restrictedTo) return new Set();
  const uuids = ids.map((id) => uuidOf('member', id)).filter((uuid) => uuid !== null);
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM auth_views.members WHERE organization_id = $1 AND id = ANY($2::uuid[]) AND status <> 'disabled'`,
    [organizationId, uuids],
  );
  return new Set(rows.map(({ id }) => publicId('member', id)));
}
