/** How many records of each kind a tenant has, and whether it may have one more. */
import { Fault, type Tenant } from '@ams/contracts';
import type { Tx } from '@ams/database';
import { leftOf, limitOf, recordKinds, type LimitOverrides, type RecordKind } from '@ams/domain';

const ofEnvironment = 'organization_id = $1 AND environment = $2';

/** The rows that count. A window that is over hides nothing any more. */
const counted: Readonly<Record<RecordKind, string>> = {
  clients: `resources.clients WHERE ${ofEnvironment} AND deleted_at IS NULL`,
  integrations: `resources.integrations WHERE ${ofEnvironment} AND deleted_at IS NULL`,
  schedules: `resources.schedules WHERE ${ofEnvironment}`,
  suppressionWindows: `resources.suppression_windows
    WHERE ${ofEnvironment} AND (rrule IS NOT NULL OR ends_at IS NULL OR ends_at > now())`,
  workflows: `resources.workflows WHERE ${ofEnvironment}`,
  escalationPolicies: `resources.escalation_policies WHERE ${ofEnvironment}`,
  teams: `resources.teams WHERE ${ofEnvironment}`,
  views: `resources.views WHERE ${ofEnvironment}`,
  members: 'auth_views.members WHERE organization_id = $1 AND $2::text IS NOT NULL',
  mailRecipients: `auth_views.mail_recipients
    WHERE organization_id = $1 AND $2::text IS NOT NULL AND status IN ('pending', 'verified')`,
};

export type RecordCounts = Record<RecordKind, number>;

/** All records of the tenant, also for a key that sees a part of them. */
async function countsOf<Kind extends RecordKind>(
  tx: Tx,
  { organizationId, environment }: Tenant,
  kinds: readonly Kind[],
): Promise<Record<Kind, number>> {
  const columns = kinds.map((kind) => `(SELECT count(*)::int FROM ${counted[kind]}) AS "${kind}"`);
  const [row] = await tx.beyondNarrowing(() =>
    tx.query<Record<Kind, number>>(`SELECT ${columns.join(', ')}`, [organizationId, environment]),
  );
  return row as Record<Kind, number>;
}

export const recordCounts = (tx: Tx, tenant: Tenant): Promise<RecordCounts> => countsOf(tx, tenant, recordKinds);

/** What the operator has set for the organization. */
export async function limitsOf(tx: Tx, { organizationId }: Tenant): Promise<LimitOverrides | null> {
  const [row] = await tx.query<{ limits: LimitOverrides }>(
    'SELECT limits FROM auth_views.organizations WHERE id = $1',
    [organizationId],
  );
  return row?.limits ?? null;
}

/**
 * To be called before a record is inserted, at the beginning of the transaction. Creations of a tenant take the same
 * lock, one for all kinds, so the limit is exact and a batch of several kinds makes no deadlock. Throws QUOTA_EXCEEDED.
 */
export async function requireRoom(
  tx: Tx,
  tenant: Tenant,
  kind: Exclude<RecordKind, 'members' | 'mailRecipients'>,
): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `records ${tenant.organizationId} ${tenant.environment}`,
  ]);
  const limits = await limitsOf(tx, tenant);
  const { [kind]: used } = await countsOf(tx, tenant, [kind]);
  if (leftOf(kind, used, limits) === 0) throw new Fault('QUOTA_EXCEEDED', { kind, limit: limitOf(kind, limits), used });
}
