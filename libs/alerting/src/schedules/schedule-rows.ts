/**
 * Schedules as they are stored, in the types that the functions of the domain take. The API answers who is on call, and
 * workflows page the member on call. Members are plain UUIDs. Only the overrides that can change the answer are read.
 */
import type { OnCallSchedule, ScheduleLayer, ScheduleOverride } from '@ams/domain';
import type { Tx } from '@ams/database';

export interface StoredSchedule {
  id: string;
  name: string;
  timezone: string;
  layers: ScheduleLayer[];
}

export interface OverrideRow {
  id: string;
  schedule_id: string;
  member_id: string;
  starts_at: Date;
  ends_at: Date;
  created_at: Date;
}

const overrideColumns = 'id, schedule_id, member_id, starts_at, ends_at, created_at';

/** The overrides that apply at some time between two instants. */
export const overridesDuring = (
  tx: Pick<Tx, 'query'>,
  scheduleIds: string[],
  since: string,
  until: string,
): Promise<OverrideRow[]> =>
  tx.query<OverrideRow>(
    `SELECT ${overrideColumns} FROM resources_views.schedule_overrides
     WHERE schedule_id = ANY($1::uuid[]) AND ends_at > $2 AND starts_at < $3`,
    [scheduleIds, new Date(since), new Date(until)],
  );

/**
 * The overrides that have not ended at an instant. Of the ended ones, only those that can be the end of the shift or
 * gap before the present one: not an override that ended no later than a newer one.
 */
export const overridesAround = (tx: Pick<Tx, 'query'>, scheduleIds: string[], at: string): Promise<OverrideRow[]> =>
  tx.query<OverrideRow>(
    `SELECT ${overrideColumns} FROM (
       SELECT ${overrideColumns}, max(created_at)
         OVER (PARTITION BY schedule_id, ends_at > $2 ORDER BY ends_at DESC) AS newest_that_lasted
       FROM resources_views.schedule_overrides WHERE schedule_id = ANY($1::uuid[])
     ) overrides WHERE ends_at > $2 OR created_at = newest_that_lasted`,
    [scheduleIds, new Date(at)],
  );

export function overridesBySchedule(rows: OverrideRow[]): Map<string, OverrideRow[]> {
  const found = new Map<string, OverrideRow[]>();
  for (const row of rows) {
    const others = found.get(row.schedule_id);
    if (others) others.push(row);
    else found.set(row.schedule_id, [row]);
  }
  return found;
}

export const resolvable = ({ timezone, layers }: StoredSchedule, overrides: OverrideRow[] = []): OnCallSchedule => ({
  timezone,
  layers,
  overrides: overrides.map(overrideOf),
});

const overrideOf = ({ id, member_id, starts_at, ends_at, created_at }: OverrideRow): ScheduleOverride => ({
  id,
  userId: member_id,
  startsAt: starts_at.toISOString(),
  endsAt: ends_at.toISOString(),
  createdAt: created_at.toISOString(),
});
