/** SQL of saved views: which of them a caller sees, and how many an owner has. */
import { type ListViewsQuery, type Principal, type Tenant } from '@ams/contracts';
import { containing, type Tx, type Where } from '@ams/database';
import { chosenOf, viewPageNames, viewPages, viewVisibilities, type Negatable, type ViewCaller } from '@ams/domain';
import { owned } from '../records/tenant-queries.js';

/** The caller with the teams of the member. A key is no member. */
export async function callerOf(tx: Tx, principal: Principal): Promise<ViewCaller> {
  const { type, id, scopes, organizationId, environment } = principal;
  if (type !== 'user') return { memberId: null, scopes, teamIds: [], managedTeamIds: [] };
  const rows = await tx.query<{ id: string; role: string }>(
    `SELECT team_id AS id, role FROM resources.team_members
     WHERE organization_id = $1 AND environment = $2 AND member_id = $3`,
    [organizationId, environment, id],
  );
  return {
    memberId: id,
    scopes,
    teamIds: rows.map((row) => row.id),
    managedTeamIds: rows.filter(({ role }) => role === 'manager').map((row) => row.id),
  };
}

/** The views that the caller sees, as `isViewVisible` decides it. */
export function viewsMatching(tenant: Tenant, caller: ViewCaller, filters: ListViewsQuery): Where {
  const readable = viewPageNames.filter((page) => caller.scopes.includes(viewPages[page].read));
  const pages = chosenOf(filters.page as Negatable<(typeof viewPageNames)[number]>[] | undefined, viewPageNames);
  const where = owned(tenant)
    .and(
      'page = ANY(?::text[])',
      readable.filter((page) => pages.includes(page)),
    )
    .and(
      `(visibility = 'organization' OR (visibility = 'own' AND owner_id = ?)
        OR (visibility = 'team' AND team_id = ANY(?::uuid[])))`,
      caller.memberId,
      caller.teamIds,
    );
  if (filters.visibility) {
    const chosen = filters.visibility as Negatable<(typeof viewVisibilities)[number]>[];
    where.and('visibility = ANY(?::text[])', chosenOf(chosen, viewVisibilities));
  }
  where.ofIds('team_id', 'team', filters.teamId).ofTimes('created_at', filters.createdSince, filters.createdUntil);
  return filters.q ? where.and('name ILIKE ?', containing(filters.q)) : where;
}

/** How many views the owner has. Others that count wait until this transaction has ended. */
export async function countOfOwner(tx: Tx, tenant: Tenant, ownerId: string | null): Promise<number> {
  const { organizationId, environment } = tenant;
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `views ${organizationId} ${environment} ${ownerId ?? ''}`,
  ]);
  const where = owned(tenant);
  if (ownerId === null) where.and('owner_id IS NULL');
  else where.and('owner_id = ?', ownerId);
  const [row] = await tx.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM resources.views WHERE ${where.toString()}`,
    where.params,
  );
  return row?.n ?? 0;
}
