/**
 * The stored versions of schedules. The row of the schedule is the newest one; `resources.schedule_versions` has those
 * before it. An edit reads and writes only the versions that have not ended: the past never changes.
 */
import { versionOf, type StoredSettings, type VersionRow } from '@ams/alerting';
import { versionAt, type ScheduleSettings, type ScheduleVersion, type Versions } from '@ams/domain';
import type { Tx } from '@ams/database';
import type { ScheduleEntity } from './schedule.entity.js';

/** The oldest versions of a schedule that was edited more often are deleted. */
const keptVersions = 1000;

/** In JSON, as part of a list. */
export type VersionJson = StoredSettings & { effectiveFrom: string | null };

const columns = `effective_from AS "effectiveFrom", timezone, layer_mode AS "layerMode", layers,
  planned_gaps AS "plannedGaps"`;

/** The versions of a row of `resources.schedules` that have not ended, without the newest one, in a list. */
export const notEndedJson = `(
  SELECT coalesce(json_agg(v ORDER BY v.effective_until), '[]')
  FROM (SELECT ${columns}, effective_until FROM resources.schedule_versions
        WHERE schedule_id = schedules.id AND effective_until > now()) v
)`;

export const versionFromJson = ({ effectiveFrom, ...settings }: VersionJson): ScheduleVersion =>
  versionOf({ ...settings, effectiveFrom: effectiveFrom === null ? null : new Date(effectiveFrom) });

/** The versions that have not ended at a time, in their order, with the newest one. */
export async function versionsNotEnded(tx: Tx, schedule: ScheduleEntity, at: Date): Promise<Versions> {
  const rows = await tx.query<Omit<VersionRow, 'scheduleId'>>(
    `SELECT ${columns} FROM resources.schedule_versions
     WHERE organization_id = $1 AND environment = $2 AND schedule_id = $3 AND effective_until > $4
     ORDER BY effective_until`,
    [schedule.organizationId, schedule.environment, schedule.id, at],
  );
  return withNewest(rows.map(versionOf), schedule);
}

export function withNewest(before: ScheduleVersion[], schedule: ScheduleEntity): Versions {
  const [first, ...others] = [...before, versionOf(schedule)];
  return [first!, ...others];
}

/** The versions as they are at a time: the one that counts, and those that are planned. */
export function presentAndPlanned(
  versions: Versions,
  at: Date,
): { present: ScheduleVersion; planned: ScheduleVersion[] } {
  const present = versionAt(versions, at.toISOString());
  return { present, planned: versions.slice(versions.indexOf(present) + 1) };
}

/** The columns of the schedule's row for the newest of the versions. */
export const newestOf = (versions: Versions): StoredSettings & Pick<ScheduleEntity, 'effectiveFrom'> => {
  const { effectiveFrom, ...settings } = versions.at(-1)!;
  return { ...stored(settings), effectiveFrom: effectiveFrom === null ? null : new Date(effectiveFrom) };
};

const stored = ({ timezone, layerMode, layers, plannedGaps }: ScheduleSettings): StoredSettings => ({
  timezone,
  layerMode: layerMode ?? 'last',
  layers,
  plannedGaps: plannedGaps ?? [],
});

/** Writes the versions that have not ended at a time, without the newest one, in the place of those that are stored. */
export async function replaceVersions(
  tx: Tx,
  { organizationId, environment, id }: ScheduleEntity,
  versions: Versions,
  at: Date,
): Promise<void> {
  const of = [organizationId, environment, id];
  const owned = 'organization_id = $1 AND environment = $2 AND schedule_id = $3';
  await tx.query(`DELETE FROM resources.schedule_versions WHERE ${owned} AND effective_until > $4`, [...of, at]);
  for (const [i, version] of versions.slice(0, -1).entries()) {
    const { timezone, layerMode, layers, plannedGaps } = stored(version);
    await tx.query(
      `INSERT INTO resources.schedule_versions (organization_id, environment, schedule_id, effective_from,
         effective_until, timezone, layer_mode, layers, planned_gaps)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        ...of,
        version.effectiveFrom,
        versions[i + 1]!.effectiveFrom,
        ...[timezone, layerMode, JSON.stringify(layers), JSON.stringify(plannedGaps)],
      ],
    );
  }
  await tx.query(
    `DELETE FROM resources.schedule_versions WHERE ${owned} AND effective_until IN (
       SELECT effective_until FROM resources.schedule_versions WHERE ${owned}
       ORDER BY effective_until DESC OFFSET ${keptVersions})`,
    of,
  );
}

/** By the clock of the database, which all replicas share. */
export async function databaseNow(tx: Tx): Promise<Date> {
  const [row] = await tx.query<{ now: Date }>("SELECT date_trunc('milliseconds', clock_timestamp()) AS now");
  return row!.now;
}
