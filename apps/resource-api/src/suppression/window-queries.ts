/** SQL of suppression windows: their list, and the computed fields of an answer. */
import { uuidsOf } from '@ams/alerting';
import type { ListSuppressionQuery, Principal } from '@ams/contracts';
import { containing, selectOf, type Tx, type Where } from '@ams/database';
import type { WindowStatus } from '@ams/domain';
import { owned } from '../records/tenant-queries.js';
import { SuppressionWindowEntity } from './suppression-window.entity.js';
import { statusAt, type StoredTimes } from './window-status.js';

interface Situation {
  /** By the clock of the database. */
  now: Date;
  suppressedCount: number;
}

export type ListedWindow = SuppressionWindowEntity & Situation;

const situation = `now() AS now, (
  SELECT coalesce(sum(c.n), 0)::float8 FROM alerts_views.window_counts c
  WHERE c.organization_id = suppression_windows.organization_id AND c.environment = suppression_windows.environment
    AND c.window_id = suppression_windows.id
) AS "suppressedCount"`;

export const listedColumns = (tx: Tx): string =>
  `${selectOf(tx, SuppressionWindowEntity, 'suppression_windows')}, ${situation}`;

export async function situationOf(
  tx: Tx,
  { id, organizationId, environment }: SuppressionWindowEntity,
): Promise<Situation> {
  const [row] = await tx.query<Situation>(
    `SELECT ${situation} FROM resources.suppression_windows
     WHERE organization_id = $1 AND environment = $2 AND id = $3`,
    [organizationId, environment, id],
  );
  if (!row) throw new Error('a window that was read in this transaction does not exist');
  return row;
}

export async function windowsMatching(tx: Tx, principal: Principal, filters: ListSuppressionQuery): Promise<Where> {
  const where = owned(principal);
  if (filters.clientId) where.and('client_ids && ?::uuid[]', uuidsOf('client', filters.clientId));
  if (filters.integrationId) where.and('integration_ids && ?::uuid[]', uuidsOf('integration', filters.integrationId));
  if (filters.teamId) where.and('team_id = ANY(?::uuid[])', uuidsOf('team', filters.teamId));
  if (filters.q) where.and('name ILIKE ?', containing(filters.q));
  if (filters.since) where.and('starts_at >= ?', new Date(filters.since));
  if (filters.until) where.and('starts_at < ?', new Date(filters.until));
  return filters.status ? where.and('id = ANY(?::uuid[])', await idsWithStatus(tx, where, filters.status)) : where;
}

/** All windows are looked at; their matchers, which may be long, are not read. */
async function idsWithStatus(tx: Tx, where: Where, wanted: WindowStatus[]): Promise<string[]> {
  const rows = await tx.query<StoredTimes & { now: Date }>(
    `SELECT id, version, enabled, starts_at AS "startsAt", ends_at AS "endsAt", timezone, rrule,
       duration_seconds AS "durationSeconds", now() AS now
     FROM resources.suppression_windows WHERE ${where.toString()}`,
    where.params,
  );
  return rows.filter((row) => wanted.includes(statusAt(row, row.now))).map(({ id }) => id);
}
