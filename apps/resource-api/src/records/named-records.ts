/**
 * Records that another record names by their ids: windows name integrations and clients, policies schedules and teams.
 * A transaction that writes such a record locks the named records: a deletion waits, and then sees the reference.
 * Several kinds are locked in the order of `kinds`: a change of an integration locks its own row, then its client's.
 */
import { uuidsOf } from '@ams/alerting';
import { publicId, type Tenant } from '@ams/contracts';
import type { Tx } from '@ams/database';
import { owned } from './tenant-queries.js';

const kinds = {
  // The deletion of an integration or a client is an update: the row stays.
  integration: { table: 'resources.integrations', condition: 'deleted_at IS NULL', lock: 'FOR SHARE' },
  client: { table: 'resources.clients', condition: 'deleted_at IS NULL', lock: 'FOR SHARE' },
  schedule: { table: 'resources.schedules', condition: 'true', lock: 'FOR KEY SHARE' },
  team: { table: 'resources.teams', condition: 'true', lock: 'FOR KEY SHARE' },
  escalationPolicy: { table: 'resources.escalation_policies', condition: 'true', lock: 'FOR KEY SHARE' },
} as const;

export type NamedKind = keyof typeof kinds;

/** The public ids that belong to records of the tenant. */
export async function existingIds(
  tx: Tx,
  tenant: Tenant,
  kind: NamedKind,
  ids: readonly string[],
  { locked }: { locked: boolean },
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { table, condition, lock } = kinds[kind];
  const where = owned(tenant)
    .and(condition)
    .and('id = ANY(?::uuid[])', uuidsOf(kind, [...ids]));
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM ${table} WHERE ${where.toString()} ORDER BY id ${locked ? lock : ''}`,
    where.params,
  );
  return new Set(rows.map(({ id }) => publicId(kind, id)));
}
