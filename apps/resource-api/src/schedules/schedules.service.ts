/**
 * Schedules: who is on call when. A change of a schedule or of its overrides locks the row of the schedule, so its
 * version covers both. on-call.service.ts answers who is on call.
 */
import { isDeepStrictEqual } from 'node:util';
import { versionOf, type StoredSettings } from '@ams/alerting';
import {
  newUuid,
  type Input,
  type ListSchedulesQuery,
  type NoQuery,
  type Page,
  type PostSchedule,
  type PutSchedule,
  type Schedule,
  type Tenant,
} from '@ams/contracts';
import { Database, page, withIdempotency, type Tx } from '@ams/database';
import type { ScheduleVersion, Versions } from '@ams/domain';
import { Injectable } from '@nestjs/common';
import { recordAudit } from '../records/record-audit.js';
import { requireRoom } from '../records/record-room.js';
import { refuseInUse } from '../records/references.js';
import { count, sortBy } from '../records/tenant-queries.js';
import {
  deleteRecord,
  findRecord,
  insertRecord,
  lockRecord,
  patch,
  settingsOf,
  changeRecord,
} from '../records/entity-records.js';
import { teamUuid } from '../teams/held-team.js';
import { policiesNaming } from '../escalation-policies/policy-queries.js';
import { overridesNotEnded } from './schedule-overrides.service.js';
import {
  listedColumns,
  overrideFromJson,
  replaceScheduleMembers,
  schedulesMatching,
  workflowsUsing,
  type ListedSchedule,
} from './schedule-queries.js';
import { scheduleRecord, schedules } from './schedule-record.js';
import {
  changedVersions,
  descriptionDefaults,
  settingsDefaults,
  type ScheduleDescription,
} from './schedule-settings.js';
import {
  databaseNow,
  newestOf,
  presentAndPlanned,
  replaceVersions,
  versionFromJson,
  versionsNotEnded,
  withNewest,
} from './schedule-versions.js';
import type { ScheduleEntity } from './schedule.entity.js';

const sorts = { name: { column: 'name', type: 'text' }, createdAt: { column: 'created_at', type: 'time' } } as const;

/** Overrides have entries of their own in the audit log, and the time of an entry is the time of the edit. */
const unaudited = ['overrides', 'effectiveFrom'];

@Injectable()
export class SchedulesService {
  constructor(private readonly database: Database) {}

  list(input: Input<ListSchedulesQuery, undefined>): Promise<Page<Schedule>> {
    const { limit, cursor, ...filters } = input.query;
    const where = schedulesMatching(input.principal, filters);
    return this.database.readAs(input.principal, (tx) =>
      page<ListedSchedule, Schedule>(tx, {
        select: listedColumns(tx),
        from: 'resources.schedules',
        where,
        sort: sortBy(filters.sort ?? 'name', sorts),
        id: 'id',
        limit,
        cursor,
        boundTo: ['schedules', filters],
        total: () => count(tx, 'resources.schedules', where),
        item: listedRecord,
      }),
    );
  }

  get(input: Input<NoQuery, undefined>): Promise<Schedule> {
    return this.database.readAs(input.principal, async (tx) => {
      const schedule = await findRecord(tx, schedules, input);
      const now = await databaseNow(tx);
      const versions = await versionsNotEnded(tx, schedule, now);
      return scheduleRecord(schedule, versions, await overridesNotEnded(tx, schedule, now), now);
    });
  }

  create(input: Input<NoQuery, PostSchedule>): Promise<Schedule> {
    const { principal, body } = input;
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, input.idempotency, async () => {
        await requireRoom(tx, principal, 'schedules');
        const { name, description = null, ...settings } = body;
        const at = await databaseNow(tx);
        const [version] = await changedVersions(tx, principal, [nothingYet(at)], settings, at);
        const described = { name, description, teamId: teamUuid(body.teamId) ?? null, ...newestOf([version]) };
        const schedule = await insertSchedule(tx, principal, described, at);
        const after = scheduleRecord(schedule, [versionOf(schedule)], [], at);
        const change = { resource: 'schedule', id: after.id, before: null, after, ignore: unaudited, at };
        await recordAudit(tx, input, 'schedule.created', change);
        return after;
      }),
    );
  }

  update(input: Input<NoQuery, PutSchedule>): Promise<Schedule> {
    const { principal, body } = input;
    return this.database.writeAs(principal, async (tx) => {
      const present = await lockRecord(tx, schedules, input);
      const at = await databaseNow(tx);
      const versions = await versionsNotEnded(tx, present, at);
      const overrides = await overridesNotEnded(tx, present, at);
      const before = scheduleRecord(present, versions, overrides, at);
      const { name, description, ...settings } = body;
      const next = await changedVersions(tx, principal, versions, settings, at);
      const described = patch(settingsOf(descriptionDefaults, present), {
        name,
        description,
        teamId: teamUuid(body.teamId),
      });
      const sameVersions = isDeepStrictEqual(versions, next);
      if (sameVersions && isDeepStrictEqual(described, settingsOf(descriptionDefaults, present))) return before;
      const columns = { ...described, ...(sameVersions ? {} : newestOf(next)) };
      const changed = await changeRecord(tx, schedules, present, columns, at);
      if (!sameVersions) await storeVersions(tx, changed, next, at);
      const after = scheduleRecord(changed, next, overrides, at);
      const change = { resource: 'schedule', id: after.id, before, after, ignore: unaudited, at };
      await recordAudit(tx, input, 'schedule.updated', change);
      return after;
    });
  }

  /** A transaction that adds the schedule to a workflow locks it first, too: it is either refused, or seen here. */
  delete(input: Input<NoQuery, undefined>): Promise<void> {
    return this.database.writeAs(input.principal, async (tx) => {
      const schedule = await lockRecord(tx, schedules, input);
      refuseInUse([...(await workflowsUsing(tx, schedule)), ...(await policiesNaming(tx, 'schedule', schedule))]);
      const at = await databaseNow(tx);
      const before = scheduleRecord(schedule, await versionsNotEnded(tx, schedule, at), [], at);
      await deleteRecord(tx, schedules, schedule);
      const change = { resource: 'schedule', id: before.id, before, after: null, ignore: unaudited, at };
      await recordAudit(tx, input, 'schedule.deleted', change);
    });
  }
}

/** Before the first version of a new schedule. */
const nothingYet = (at: Date): ScheduleVersion => ({ ...settingsDefaults, effectiveFrom: at.toISOString() });

const listedRecord = (schedule: ListedSchedule): Schedule =>
  scheduleRecord(
    schedule,
    withNewest(schedule.versions.map(versionFromJson), schedule),
    schedule.overrides.map(overrideFromJson),
    schedule.now,
  );

/** Stores the versions that have not ended before a time, but not the newest one, which is in the row of the schedule. */
export async function storeVersions(tx: Tx, schedule: ScheduleEntity, versions: Versions, at: Date): Promise<void> {
  await replaceVersions(tx, schedule, versions, at);
  const { present, planned } = presentAndPlanned(versions, at);
  await replaceScheduleMembers(tx, schedule, [present, ...planned]);
}

/** Stores a schedule whose settings have been checked. They count for all time. */
export async function insertSchedule(
  tx: Tx,
  { organizationId, environment }: Tenant,
  settings: ScheduleDescription & StoredSettings,
  at: Date,
): Promise<ScheduleEntity> {
  const id = newUuid(at.getTime());
  const schedule: ScheduleEntity = {
    id,
    organizationId,
    environment,
    ...settings,
    effectiveFrom: null,
    createdAt: at,
    updatedAt: at,
    version: 1,
  };
  await insertRecord(tx, schedules, schedule);
  await replaceScheduleMembers(tx, schedule, [schedule].map(versionOf));
  return schedule;
}
