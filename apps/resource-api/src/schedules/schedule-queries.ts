/** SQL of schedules: their list, and the table of who is in the layers, which is written many rows at a time. */
import { uuidsOf } from '@ams/alerting';
import type { ListSchedulesQuery, Tenant } from '@ams/contracts';
import type { ScheduleSettings } from '@ams/domain';
import { containing, selectOf, type Tx, type Where } from '@ams/database';
import { choiceOf } from '@ams/domain';
import { referencesIn, type Reference } from '../records/references.js';
import { owned } from '../records/tenant-queries.js';
import { ScheduleOverrideEntity } from './schedule-override.entity.js';
import { notEndedJson, type VersionJson } from './schedule-versions.js';
import { ScheduleEntity } from './schedule.entity.js';

type TimeOfOverride = 'startsAt' | 'endsAt' | 'createdAt';

/** An override in JSON. */
type OverrideJson = Omit<ScheduleOverrideEntity, TimeOfOverride> & Record<TimeOfOverride, string>;

export type ListedSchedule = ScheduleEntity & { overrides: OverrideJson[]; versions: VersionJson[]; now: Date };

/** Schedules with their overrides and versions that have not ended, in one statement for a whole page. */
export const listedColumns = (tx: Tx): string => `${selectOf(tx, ScheduleEntity, 'schedules')}, (
  SELECT coalesce(json_agg(o ORDER BY o."startsAt", o.id), '[]')
  FROM (
    SELECT ${selectOf(tx, ScheduleOverrideEntity, 'o')} FROM resources.schedule_overrides o
    WHERE o.schedule_id = schedules.id AND o.ends_at > now()
  ) o
) AS overrides, ${notEndedJson} AS versions, now() AS now`;

export const overrideFromJson = (json: OverrideJson): ScheduleOverrideEntity => ({
  ...json,
  startsAt: new Date(json.startsAt),
  endsAt: new Date(json.endsAt),
  createdAt: new Date(json.createdAt),
});

const isNamed = `(
  EXISTS (SELECT 1 FROM resources.schedule_members m
          WHERE m.schedule_id = schedules.id AND m.member_id = ANY(?::uuid[]))
  OR layers @> ANY(?::jsonb[])
  OR EXISTS (SELECT 1 FROM resources.schedule_overrides o
             WHERE o.schedule_id = schedules.id AND o.member_id = ANY(?::uuid[]) AND o.ends_at > now())
)`;

const namesNobody = `(
  NOT EXISTS (SELECT 1 FROM resources.schedule_members m WHERE m.schedule_id = schedules.id)
  AND NOT layers @> '[{"everybody": true}]'
  AND NOT EXISTS (SELECT 1 FROM resources.schedule_overrides o
                  WHERE o.schedule_id = schedules.id AND o.ends_at > now())
)`;

/** `userId` finds schedules with the member in a layer, or in an override that has not ended. */
export function schedulesMatching(
  tenant: Tenant,
  { userId, teamId, q, createdSince, createdUntil }: ListSchedulesQuery,
): Where {
  const where = owned(tenant).ofTimes('created_at', createdSince, createdUntil);
  if (userId) {
    const choice = choiceOf(userId);
    const members = uuidsOf('member', choice.values);
    const amongEverybody = members.map((member) => JSON.stringify([{ everybody: true, members: [member] }]));
    where.anyChosen(choice, isNamed, [members, amongEverybody, members], namesNobody);
  }
  where.ofIds('team_id', 'team', teamId);
  return q ? where.and('name ILIKE ?', containing(q)) : where;
}

/**
 * Stores the members whom the layers of these versions name, with foreign keys. A member whom they name cannot be
 * disabled. So those who are there because the layer is for everybody are not among them.
 */
export async function replaceScheduleMembers(
  tx: Tx,
  { organizationId, environment, id }: ScheduleEntity,
  versions: readonly ScheduleSettings[],
): Promise<void> {
  const named = versions.flatMap(({ layers }) => layers).filter((layer) => layer.everybody !== true);
  const schedule = [organizationId, environment, id];
  await tx.query(
    'DELETE FROM resources.schedule_members WHERE organization_id = $1 AND environment = $2 AND schedule_id = $3',
    schedule,
  );
  await tx.query(
    `INSERT INTO resources.schedule_members (organization_id, environment, schedule_id, member_id)
     SELECT $1, $2, $3, unnest($4::uuid[])`,
    [...schedule, [...new Set(named.flatMap(({ members }) => members))]],
  );
}

/** The overrides of a schedule that have not ended at a time: how many, and how long their reasons are in JSON. */
export async function overridesUsed(
  tx: Tx,
  { organizationId, environment, id }: ScheduleEntity,
  at: Date,
): Promise<{ count: number; bytes: number }> {
  const [used] = await tx.query<{ count: number; bytes: number }>(
    `SELECT count(*)::int AS count, coalesce(sum(octet_length(to_json(reason)::text)), 0)::int AS bytes
     FROM resources.schedule_overrides
     WHERE organization_id = $1 AND environment = $2 AND schedule_id = $3 AND ends_at > $4`,
    [organizationId, environment, id, at],
  );
  return used ?? { count: 0, bytes: 0 };
}

/** Workflows whose steps name the schedule. */
export const workflowsUsing = (tx: Tx, { organizationId, environment, id }: ScheduleEntity): Promise<Reference[]> =>
  referencesIn(
    tx,
    'workflow',
    'workflow',
    `SELECT w.id, w.name FROM resources.workflow_references r JOIN resources.workflows w ON w.id = r.workflow_id
     WHERE r.organization_id = $1 AND r.environment = $2 AND r.schedule_id = $3 ORDER BY w.name, w.id`,
    [organizationId, environment, id],
  );
