/** Overrides: times in which a member replaces the member whom the layers of a schedule name. */
import {
  Fault,
  newUuid,
  publicId,
  uuidOf,
  type Actor,
  type FieldFault,
  type Input,
  type NoQuery,
  type PostOverride,
  type PostSwap,
  type ScheduleOverride,
  type ScheduleSwap,
} from '@ams/contracts';
import { overridesDuring, resolvables, versionsDuring } from '@ams/alerting';
import { actorOf, Database, withIdempotency, type Tx } from '@ams/database';
import { resolveShifts } from '@ams/domain';
import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { holdMembers, unknownMember } from '../members/member-queries.js';
import { keyOf, lockRecord, changeRecord } from '../records/entity-records.js';
import { recordAudit } from '../records/record-audit.js';
import { throwFaults } from '../records/throw-faults.js';
import { ScheduleOverrideEntity } from './schedule-override.entity.js';
import { overridesUsed } from './schedule-queries.js';
import { overrideRecord, schedules } from './schedule-record.js';
import { databaseNow } from './schedule-versions.js';
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
        const at = await databaseNow(tx);
        const override = newOverride(schedule, body, actorOf(principal), at);
        const members = body.replacesUserId ? [body.userId, body.replacesUserId] : [body.userId];
        const held = await holdMembers(tx, principal, members);
        throwFaults([
          ...(held.has(body.userId) ? [] : [unknownMember('userId', body.userId)]),
          ...replacedFaults(body, held),
          ...lengthFaults('', override, body),
          ...(await roomFaults(tx, schedule, [override])),
        ]);
        await tx.repository(ScheduleOverrideEntity).insert(override);
        const after = overrideRecord(override);
        await recordChange(tx, input, schedule, { before: null, after }, at);
        return after;
      }),
    );
  }

  swap(input: Input<NoQuery, PostSwap>): Promise<ScheduleSwap> {
    const { principal, body } = input;
    const { a, b, reason } = body;
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, input.idempotency, async () => {
        const schedule = await lockRecord(tx, schedules, input);
        const at = await databaseNow(tx);
        const taken = [
          { path: 'a', time: a, body: { ...a, userId: b.userId, replacesUserId: a.userId, reason } },
          { path: 'b', time: b, body: { ...b, userId: a.userId, replacesUserId: b.userId, reason } },
        ].map((one) => ({ ...one, override: newOverride(schedule, one.body, actorOf(principal), at) }));
        const held = await holdMembers(tx, principal, [a.userId, b.userId]);
        const overrides = taken.map(({ override }) => override);
        const faults = taken.flatMap(({ path, time, override }) => [
          ...(held.has(time.userId) ? [] : [unknownMember(`${path}.userId`, time.userId)]),
          ...lengthFaults(`${path}.`, override, time),
        ]);
        if (a.userId === b.userId)
          faults.push({ path: 'b.userId', rule: 'unique', message: 'must be another member than that of a' });
        throwFaults([...faults, ...(await roomFaults(tx, schedule, overrides))]);
        throwFaults(await absenceFaults(tx, schedule, taken));
        await tx.repository(ScheduleOverrideEntity).insert(overrides);
        const after = overrides.map(overrideRecord);
        await changeRecord(tx, schedules, schedule, {}, at);
        for (const override of after) await recordOverride(tx, input, schedule, { before: null, after: override }, at);
        return { overrides: after };
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
      const at = await databaseNow(tx);
      const override = id && (await overrides.findOneBy({ id, scheduleId, organizationId, environment }));
      // One that has ended is part of the past.
      if (!override || override.endsAt <= at) throw new Fault('NOT_FOUND', { resource: 'override', id: overrideId });
      if (override.startsAt < at) await overrides.update(keyOf(override), { endsAt: at });
      else await overrides.delete(keyOf(override));
      const before = overrideRecord(override);
      await recordChange(tx, input, schedule, { before, after: null }, at);
    });
  }
}

/** What was, stays: an override counts from its creation on at the earliest. */
const newOverride = (
  schedule: ScheduleEntity,
  body: PostOverride,
  createdBy: Actor,
  at: Date,
): ScheduleOverrideEntity => ({
  id: newUuid(at.getTime()),
  organizationId: schedule.organizationId,
  environment: schedule.environment,
  scheduleId: schedule.id,
  memberId: uuidOf('member', body.userId) ?? '',
  replacesMemberId: body.replacesUserId ? (uuidOf('member', body.replacesUserId) ?? '') : null,
  startsAt: new Date(Math.max(Date.parse(body.startsAt), at.getTime())),
  endsAt: new Date(body.endsAt),
  reason: body.reason ?? null,
  createdBy,
  createdAt: at,
});

/** The overrides of a schedule that have not ended at a time. */
export const overridesNotEnded = (
  tx: Tx,
  { id: scheduleId, organizationId, environment }: ScheduleEntity,
  at: Date,
): Promise<ScheduleOverrideEntity[]> =>
  tx.repository(ScheduleOverrideEntity).find({
    where: { organizationId, environment, scheduleId, endsAt: MoreThan(at) },
    order: { startsAt: 'ASC', id: 'ASC' },
  });

interface OverrideChange {
  before: ScheduleOverride | null;
  after: ScheduleOverride | null;
}

/** A change of an override raises the version of the schedule. */
async function recordChange(
  tx: Tx,
  input: Input<unknown, unknown>,
  schedule: ScheduleEntity,
  change: OverrideChange,
  at: Date,
): Promise<void> {
  await changeRecord(tx, schedules, schedule, {}, at);
  await recordOverride(tx, input, schedule, change, at);
}

const recordOverride = (
  tx: Tx,
  input: Input<unknown, unknown>,
  schedule: ScheduleEntity,
  { before, after }: OverrideChange,
  at: Date,
): Promise<void> =>
  recordAudit(tx, input, after === null ? 'schedule.override_deleted' : 'schedule.override_created', {
    resource: 'schedule',
    id: publicId('schedule', schedule.id),
    before: { override: before },
    after: { override: after },
    at,
  });

function replacedFaults({ userId, replacesUserId }: PostOverride, held: ReadonlySet<string>): FieldFault[] {
  if (!replacesUserId) return [];
  if (replacesUserId === userId)
    return [{ path: 'replacesUserId', rule: 'unique', message: 'must be another member than userId' }];
  return held.has(replacesUserId) ? [] : [unknownMember('replacesUserId', replacesUserId)];
}

/** `sent` has the times as the caller sent them. */
function lengthFaults(
  prefix: string,
  { endsAt, createdAt }: ScheduleOverrideEntity,
  sent: Pick<PostOverride, 'startsAt'>,
): FieldFault[] {
  const path = `${prefix}endsAt`;
  const length = endsAt.getTime() - Date.parse(sent.startsAt);
  if (length <= 0) return [{ path, rule: 'order', message: `${path} must be after startsAt` }];
  if (length > overrideLimits.days * 86_400_000)
    return [{ path, rule: 'range', message: `${path} must be at most ${overrideLimits.days} days after startsAt` }];
  if (endsAt <= createdAt)
    return [{ path, rule: 'range', message: `${path} must be in the future: who was on call does not change` }];
  return [];
}

/** Members who are not on call in the whole time that they give away. */
async function absenceFaults(
  tx: Tx,
  schedule: ScheduleEntity,
  taken: { path: string; override: ScheduleOverrideEntity }[],
): Promise<FieldFault[]> {
  const faults: FieldFault[] = [];
  for (const { path, override } of taken) {
    const [since, until] = [override.startsAt.toISOString(), override.endsAt.toISOString()];
    const versions = await versionsDuring(tx, [schedule.id], since, until);
    const [resolved] = resolvables([schedule], versions, await overridesDuring(tx, [schedule.id], since, until));
    const member = override.replacesMemberId;
    const own = resolveShifts(resolved!, since, until).shifts.filter(({ userId }) => userId === member);
    const free = own.reduce((at, { startsAt, endsAt }) => (startsAt <= at && endsAt! > at ? endsAt! : at), since);
    if (free < until)
      faults.push({ path: `${path}.userId`, rule: 'onCall', message: `the member is not on call at ${free}` });
  }
  return faults;
}

/** Whether there is room. The schedule is locked, so two requests at once are counted one after the other. */
async function roomFaults(tx: Tx, schedule: ScheduleEntity, added: ScheduleOverrideEntity[]): Promise<FieldFault[]> {
  const { notEnded, reasonBytes } = overrideLimits;
  const used = await overridesUsed(tx, schedule, added[0]!.createdAt);
  if (used.count + added.length > notEnded) {
    const message = `a schedule has at most ${notEnded} overrides that have not ended`;
    return [{ path: '', rule: 'maxItems', message }];
  }
  const bytes = added.reduce((sum, { reason }) => sum + Buffer.byteLength(JSON.stringify(reason)), used.bytes);
  if (bytes <= reasonBytes) return [];
  const message = `the reasons of a schedule's overrides have at most ${reasonBytes} bytes together`;
  return [{ path: 'reason', rule: 'maxLength', message }];
}
