/**
 * Schedules as they are stored, in the types that the functions of the domain take. The API answers who is on call, and
 * workflows page the member on call. Members are plain UUIDs. Only the overrides that can change the answer are read.
 */
import {
  onCallSchedule,
  type LayerMode,
  type OnCallSchedule,
  type Restriction,
  type ScheduleOverride,
  type ScheduleVersion,
  type StoredLayer,
} from '@ams/domain';
import type { Tx } from '@ams/database';

export interface StoredSettings {
  timezone: string;
  layerMode: LayerMode;
  layers: StoredLayer[];
  plannedGaps: Restriction[];
}

/** The newest version of a schedule. */
export interface StoredSchedule extends StoredSettings {
  id: string;
  name: string;
  effectiveFrom: Date | null;
}

/** A version that is not the newest. */
export interface VersionRow extends StoredSettings {
  scheduleId: string;
  effectiveFrom: Date | null;
  effectiveUntil: Date;
}

const settingsColumns = 'timezone, layer_mode AS "layerMode", layers, planned_gaps AS "plannedGaps"';

/** In `resources_views.schedules`. */
export const scheduleColumns = `id, name, ${settingsColumns}, effective_from AS "effectiveFrom"`;

const versionColumns = `schedule_id AS "scheduleId", ${settingsColumns}, effective_from AS "effectiveFrom",
  effective_until AS "effectiveUntil"`;

/** How many ended versions can be the reason that a shift began when it did. */
const earlierVersions = 50;

/** How many ended overrides of single members can be that reason. */
const earlierReplacements = 200;

/** The versions that count at some time between two instants, without the newest ones. */
export const versionsDuring = (
  tx: Pick<Tx, 'query'>,
  scheduleIds: string[],
  since: string,
  until: string,
): Promise<VersionRow[]> =>
  tx.query<VersionRow>(
    `SELECT ${versionColumns} FROM resources_views.schedule_versions
     WHERE schedule_id = ANY($1::uuid[]) AND effective_until > $2 AND (effective_from IS NULL OR effective_from < $3)
     ORDER BY schedule_id, effective_until`,
    [scheduleIds, new Date(since), new Date(until)],
  );

/** The versions that have not ended at an instant, and the last ones before it; without the newest ones. */
export const versionsAround = (tx: Pick<Tx, 'query'>, scheduleIds: string[], at: string): Promise<VersionRow[]> =>
  tx.query<VersionRow>(
    `SELECT ${versionColumns} FROM (
       SELECT *, row_number() OVER (PARTITION BY schedule_id, effective_until > $2 ORDER BY effective_until DESC) AS place
       FROM resources_views.schedule_versions WHERE schedule_id = ANY($1::uuid[])
     ) versions WHERE effective_until > $2 OR place <= ${earlierVersions}
     ORDER BY schedule_id, effective_until`,
    [scheduleIds, new Date(at)],
  );

export interface OverrideRow {
  id: string;
  schedule_id: string;
  member_id: string;
  replaces_member_id: string | null;
  starts_at: Date;
  ends_at: Date;
  created_at: Date;
}

const overrideColumns = 'id, schedule_id, member_id, replaces_member_id, starts_at, ends_at, created_at';

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
 * gap before the present one: not an override that ended no later than a newer one of everybody.
 */
export const overridesAround = (tx: Pick<Tx, 'query'>, scheduleIds: string[], at: string): Promise<OverrideRow[]> =>
  tx.query<OverrideRow>(
    `SELECT ${overrideColumns} FROM (
       SELECT ${overrideColumns},
         max(created_at) FILTER (WHERE replaces_member_id IS NULL)
           OVER (PARTITION BY schedule_id, ends_at > $2 ORDER BY ends_at DESC) AS newest_that_lasted,
         row_number() OVER (PARTITION BY schedule_id, ends_at > $2, replaces_member_id IS NULL ORDER BY ends_at DESC)
           AS place
       FROM resources_views.schedule_overrides WHERE schedule_id = ANY($1::uuid[])
     ) overrides
     WHERE ends_at > $2 OR CASE WHEN replaces_member_id IS NULL THEN created_at = newest_that_lasted
       ELSE place <= ${earlierReplacements} END`,
    [scheduleIds, new Date(at)],
  );

function bySchedule<Row>(rows: Row[], scheduleId: (row: Row) => string): Map<string, Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const id = scheduleId(row);
    const others = found.get(id);
    if (others) others.push(row);
    else found.set(id, [row]);
  }
  return found;
}

/** Schedules with what was read of their versions and overrides, as the domain resolves them. */
export function resolvables(
  schedules: readonly StoredSchedule[],
  versions: VersionRow[],
  overrides: OverrideRow[],
): OnCallSchedule[] {
  const versionsOf = bySchedule(versions, (row) => row.scheduleId);
  const overridesOf = bySchedule(overrides, (row) => row.schedule_id);
  return schedules.map((schedule) => {
    const { effectiveFrom, ...newest } = schedule;
    const [first, ...later] = [...(versionsOf.get(schedule.id) ?? []), { ...newest, effectiveFrom }].map(versionOf);
    return onCallSchedule([first!, ...later], (overridesOf.get(schedule.id) ?? []).map(overrideOf));
  });
}

export const versionOf = ({
  effectiveFrom,
  timezone,
  layerMode,
  layers,
  plannedGaps,
}: StoredSettings & { effectiveFrom: Date | null }): ScheduleVersion => ({
  effectiveFrom: effectiveFrom?.toISOString() ?? null,
  timezone,
  layerMode,
  layers,
  plannedGaps,
});

const overrideOf = (row: OverrideRow): ScheduleOverride => ({
  id: row.id,
  userId: row.member_id,
  replacesUserId: row.replaces_member_id,
  startsAt: row.starts_at.toISOString(),
  endsAt: row.ends_at.toISOString(),
  createdAt: row.created_at.toISOString(),
});
