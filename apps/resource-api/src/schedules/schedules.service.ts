/**
 * Schedules: who is on call when. A change of a schedule or of its overrides locks the row of the schedule, so its
 * version covers both. on-call.service.ts answers who is on call.
 */
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
import { Injectable } from '@nestjs/common';
import { auditedChanges, recordAudit } from '../records/record-audit.js';
import { refuseInUse } from '../records/references.js';
import { count, sortBy } from '../records/tenant-queries.js';
import {
  deleteRecord,
  findRecord,
  insertRecord,
  lockRecord,
  settingsOf,
  changeRecord,
} from '../records/entity-records.js';
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
import { changedSettings, scheduleDefaults, type ScheduleSettings } from './schedule-settings.js';
import type { ScheduleEntity } from './schedule.entity.js';

const sorts = { name: { column: 'name', type: 'text' }, createdAt: { column: 'created_at', type: 'time' } } as const;

/** They have entries of their own in the audit log. */
const unaudited = ['overrides'];

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
        item: (schedule) => scheduleRecord(schedule, schedule.overrides.map(overrideFromJson)),
      }),
    );
  }

  get(input: Input<NoQuery, undefined>): Promise<Schedule> {
    return this.database.readAs(input.principal, async (tx) => {
      const schedule = await findRecord(tx, schedules, input);
      return scheduleRecord(schedule, await overridesNotEnded(tx, schedule));
    });
  }

  create(input: Input<NoQuery, PostSchedule>): Promise<Schedule> {
    const { principal, body } = input;
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, input.idempotency, async () => {
        const settings = await changedSettings(tx, principal, scheduleDefaults, body);
        const at = new Date();
        const after = scheduleRecord(await insertSchedule(tx, principal, settings, at), []);
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
      const overrides = await overridesNotEnded(tx, present);
      const before = scheduleRecord(present, overrides);
      const settings = await changedSettings(tx, principal, present, body);
      if (auditedChanges(settingsOf(scheduleDefaults, present), settings).length === 0) return before;
      const at = new Date();
      const changed = await changeRecord(tx, schedules, present, settings, at);
      await replaceScheduleMembers(tx, changed);
      const after = scheduleRecord(changed, overrides);
      await recordAudit(tx, input, 'schedule.updated', { resource: 'schedule', id: after.id, before, after, at });
      return after;
    });
  }

  /** A transaction that adds the schedule to a workflow locks it first, too: it is either refused, or seen here. */
  delete(input: Input<NoQuery, undefined>): Promise<void> {
    return this.database.writeAs(input.principal, async (tx) => {
      const schedule = await lockRecord(tx, schedules, input);
      refuseInUse([...(await workflowsUsing(tx, schedule)), ...(await policiesNaming(tx, 'schedule', schedule))]);
      const before = scheduleRecord(schedule, []);
      await deleteRecord(tx, schedules, schedule);
      const change = { resource: 'schedule', id: before.id, before, after: null, ignore: unaudited, at: new Date() };
      await recordAudit(tx, input, 'schedule.deleted', change);
    });
  }
}

/** Stores a schedule whose settings have been checked. */
export async function insertSchedule(
  tx: Tx,
  { organizationId, environment }: Tenant,
  settings: ScheduleSettings,
  at: Date,
): Promise<ScheduleEntity> {
  const id = newUuid(at.getTime());
  const schedule: ScheduleEntity = {
    id,
    organizationId,
    environment,
    ...settings,
    createdAt: at,
    updatedAt: at,
    version: 1,
  };
  await insertRecord(tx, schedules, schedule);
  await replaceScheduleMembers(tx, schedule);
  return schedule;
}
