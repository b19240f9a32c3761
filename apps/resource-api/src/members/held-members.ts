/** Members that records of this service name: schedules, overrides, workflows. The rows belong to auth. */
import { uuidsOf } from '@ams/alerting';
import { publicId, type FieldFault, type Tenant } from '@ams/contracts';
import type { Tx } from '@ams/database';

/**
 * Those of the ids that may be named. They stay as they are until the transaction ends. A member who is disabled may stay
 * where the record names him `already` (UUIDs), and may not be added.
 */
export async function holdMembers(
  tx: Tx,
  { organizationId }: Pick<Tenant, 'organizationId'>,
  ids: string[],
  already: string[] = [],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.query<{ id: string }>('SELECT id FROM auth.hold_members($1, $2::uuid[], $3::uuid[]) AS id', [
    organizationId,
    uuidsOf('member', ids),
    already,
  ]);
  return new Set(rows.map(({ id }) => publicId('member', id)));
}

export const unknownMember = (path: string, id: string): FieldFault => ({
  path,
  rule: 'exists',
  message: `there is no member with the id ${id} who can be on call`,
});
