/** SQL of suppression windows: their list, and the computed fields of an answer. */
import { uuidsOf } from '@ams/alerting';
import type { ListSuppressionQuery, Noun, Principal } from '@ams/contracts';
import { containing, selectOf, type Tx, type Where } from '@ams/database';
import { choiceOf, isChosen } from '@ams/domain';
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
  addReferences(where, 'client_ids', 'client', filters.clientId);
  addReferences(where, 'integration_ids', 'integration', filters.integrationId);
  where.ofIds('team_id', 'team', filters.teamId);
  if (filters.q) where.and('name ILIKE ?', containing(filters.q));
  where.ofTimes('starts_at', filters.since, filters.until);
  where.ofTimes('created_at', filters.createdSince, filters.createdUntil);
  return filters.status ? where.and('id = ANY(?::uuid[])', await idsWithStatus(tx, where, filters.status)) : where;
}

function addReferences(where: Where, column: string, noun: Noun, ids: string[] | undefined): void {
  if (!ids) return;
  const choice = choiceOf(ids);
  where.anyChosen(choice, `${column} && ?::uuid[]`, [uuidsOf(noun, choice.values)], `cardinality(${column}) = 0`);
}

async function idsWithStatus(
  tx: Tx,
  where: Where,
  filter: NonNullable<ListSuppressionQuery['status']>,
): Promise<string[]> {
  const wanted = choiceOf(filter);
  const rows = await timesMatching(tx, where);
  return rows.filter((row) => isChosen(wanted, statusAt(row, row.now))).map(({ id }) => id);
}

/** Of all windows that match. Their matchers, which may be long, are not read. */
export const timesMatching = (tx: Tx, where: Where): Promise<(StoredTimes & { now: Date })[]> =>
  tx.query<StoredTimes & { now: Date }>(
    `SELECT id, version, enabled, starts_at AS "startsAt", ends_at AS "endsAt", timezone, rrule,
       duration_seconds AS "durationSeconds", until_time AS "untilTime", excluded_dates AS "excludedDates", now() AS now
     FROM resources.suppression_windows WHERE ${where.toString()}`,
    where.params,
  );
