/** Overrides: times in which a member replaces the member whom the layers of a schedule name. */
import {
  Fault,
  newUuid,
  publicId,
  uuidOf,
  type FieldFault,
  type Input,
  type NoQuery,
  type PostOverride,
  type ScheduleOverride,
} from '@ams/contracts';
import { actorOf, Database, withIdempotency, type Tx } from '@ams/database';
import { Injectable } from '@nestjs/common';
import { Raw } from 'typeorm';
import { holdMembers, unknownMember } from '../members/member-queries.js';
import { keyOf, lockRecord, changeRecord } from '../records/entity-records.js';
import { recordAudit } from '../records/record-audit.js';
import { throwFaults } from '../records/throw-faults.js';
import { ScheduleOverrideEntity } from './schedule-override.entity.js';
import { overridesUsed } from './schedule-queries.js';
import { overrideRecord, schedules } from './schedule-record.js';
import type { ScheduleEntity } from './schedule.entity.js';

/** Of one schedule, so that it fits into an answer. */
const overrideLimits = { notEnded: 500, reasonBytes: 256 * 1024, days: 400 };

@Injectable()
export class ScheduleOverridesService {
  constructor(private readonly database: Database) {}

  create(input: Input<NoQuery, PostOverride>): Promise<ScheduleOverride> {
    const { principal, body } = input;
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, input.idempotency, async () => {
        const schedule = await lockRecord(tx, schedules, input);
        const at = new Date();
        const override: ScheduleOverrideEntity = {
          id: newUuid(at.getTime()),
          organizationId: schedule.organizationId,
          environment: schedule.environment,
          scheduleId: schedule.id,
          memberId: uuidOf('member', body.userId) ?? '',
          startsAt: new Date(body.startsAt),
          endsAt: new Date(body.endsAt),
          reason: body.reason ?? null,
          createdBy: actorOf(principal),
          createdAt: at,
        };
        const held = await holdMembers(tx, principal, [body.userId]);
        throwFaults([
          ...(held.has(body.userId) ? [] : [unknownMember('userId', body.userId)]),
          ...lengthFaults(override),
          ...(await roomFaults(tx, schedule, override)),
        ]);
        await tx.repository(ScheduleOverrideEntity).insert(override);
        const after = overrideRecord(override);
        await recordChange(tx, input, schedule, 'schedule.override_created', { before: null, after }, at);
        return after;
      }),
    );
  }

  delete(input: Input<NoQuery, undefined>): Promise<void> {
    return this.database.writeAs(input.principal, async (tx) => {
      const schedule = await lockRecord(tx, schedules, input);
      const { organizationId, environment, id: scheduleId } = schedule;
      const overrideId = input.params['overrideId'] ?? '';
      const id = uuidOf('scheduleOverride', overrideId);
      const overrides = tx.repository(ScheduleOverrideEntity);
      const override = id && (await overrides.findOneBy({ id, scheduleId, organizationId, environment }));
      if (!override) throw new Fault('NOT_FOUND', { resource: 'override', id: overrideId });
      await overrides.delete(keyOf(override));
      const before = overrideRecord(override);
      await recordChange(tx, input, schedule, 'schedule.override_deleted', { before, after: null }, new Date());
    });
  }
}

/** The overrides of a schedule that have not ended by the clock of the database. */
export const overridesNotEnded = (
  tx: Tx,
  { id: scheduleId, organizationId, environment }: ScheduleEntity,
): Promise<ScheduleOverrideEntity[]> =>
  tx.repository(ScheduleOverrideEntity).find({
    where: { organizationId, environment, scheduleId, endsAt: Raw((endsAt) => `${endsAt} > now()`) },
    order: { startsAt: 'ASC', id: 'ASC' },
  });

/** A change of an override raises the version of the schedule. */
async function recordChange(
  tx: Tx,
  input: Input<unknown, unknown>,
  schedule: ScheduleEntity,
  type: string,
  { before, after }: Record<'before' | 'after', ScheduleOverride | null>,
  at: Date,
): Promise<void> {
  await changeRecord(tx, schedules, schedule, {}, at);
  await recordAudit(tx, input, type, {
    resource: 'schedule',
    id: publicId('schedule', schedule.id),
    before: { override: before },
    after: { override: after },
    at,
  });
}

function lengthFaults({ startsAt, endsAt }: ScheduleOverrideEntity): FieldFault[] {
  const length = endsAt.getTime() - startsAt.getTime();
  if (length <= 0) return [{ path: 'endsAt', rule: 'order', message: 'endsAt must be after startsAt' }];
  if (length <= overrideLimits.days * 86_400_000) return [];
  return [
    { path: 'endsAt', rule: 'range', message: `endsAt must be at most ${overrideLimits.days} days after startsAt` },
  ];
}

/** Whether there is room for one more. The schedule is locked, so two at once are counted one after the other. */
async function roomFaults(tx: Tx, schedule: ScheduleEntity, override: ScheduleOverrideEntity): Promise<FieldFault[]> {
  const { reason, endsAt, createdAt } = override;
  if (endsAt <= createdAt) return [];
  const { notEnded, reasonBytes } = overrideLimits;
  const used = await overridesUsed(tx, schedule, createdAt);
  if (used.count >= notEnded) {
    const message = `a schedule has at most ${notEnded} overrides that have not ended`;
    return [{ path: '', rule: 'maxItems', message }];
  }
  if (used.bytes + Buffer.byteLength(JSON.stringify(reason)) <= reasonBytes) return [];
  const message = `the reasons of a schedule's overrides have at most ${reasonBytes} bytes together`;
  return [{ path: 'reason', rule: 'maxLength', message }];
}
