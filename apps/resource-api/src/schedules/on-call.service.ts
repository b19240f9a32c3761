/**
 * Who is on call. The domain resolves stored schedules, and the answer has the format of the API. Nothing is cached
 * between requests.
 */
import {
  Fault,
  invalid,
  publicId,
  shiftRangeDays,
  type CurrentOnCall,
  type CurrentOnCallQuery,
  type Input,
  type NextOnCall,
  type OnCallUser,
  type Page,
  type ScheduleGap,
  type Shift as ShiftRecord,
  type Shifts,
  type ShiftsQuery,
  type Tenant,
} from '@ams/contracts';
import {
  overridesAround,
  overridesDuring,
  resolvables,
  versionsAround,
  versionsDuring,
  type StoredSchedule,
} from '@ams/alerting';
import { Database, page, selectOf, type Tx } from '@ams/database';
import { isPlannedGapAt, onCallAt, resolveShifts, type Gap, type Shift } from '@ams/domain';
import { Injectable } from '@nestjs/common';
import { usersById } from '../members/member-queries.js';
import { findRecord } from '../records/entity-records.js';
import { count, owned } from '../records/tenant-queries.js';
import { schedules } from './schedule-record.js';
import { databaseNow } from './schedule-versions.js';
import { ScheduleEntity } from './schedule.entity.js';

export type Users = ReadonlyMap<string, OnCallUser>;

const day = 86_400_000;

/** Limits the search for the beginning of a shift, because a longer search costs more. */
const maxYearsAhead = 10;

/** The overrides of a range cost the square of their number, and an answer is one message. */
export const shiftLimits = { overrides: 2000, bytes: 700 * 1024 };

@Injectable()
export class OnCallService {
  constructor(private readonly database: Database) {}

  current(input: Input<CurrentOnCallQuery, undefined>): Promise<Page<CurrentOnCall>> {
    const { limit, cursor, ...filters } = input.query;
    const where = owned(input.principal).ofIds('id', 'schedule', filters.scheduleId);
    return this.database.readAs(input.principal, async (tx) => {
      const at = requestedInstant(filters.at, await databaseNow(tx));
      const { data, meta } = await page<ScheduleEntity, StoredSchedule>(tx, {
        select: selectOf(tx, ScheduleEntity, 'schedules'),
        from: 'resources.schedules',
        where,
        sort: { column: 'name', type: 'text', descending: filters.sort === '-scheduleName' },
        id: 'id',
        limit,
        cursor,
        boundTo: ['on-call', filters],
        total: () => count(tx, 'resources.schedules', where),
        item: (schedule) => schedule,
      });
      return { data: await currentOf(tx, input.principal, data, at), meta };
    });
  }

  shifts(input: Input<ShiftsQuery, undefined>): Promise<Shifts> {
    return this.database.readAs(input.principal, async (tx) => {
      const { since, until } = requestedRange(input.query, await databaseNow(tx));
      const schedule = await findRecord(tx, schedules, input);
      const overrides = await overridesDuring(tx, [schedule.id], since, until);
      if (overrides.length > shiftLimits.overrides) throw tooManyShifts();
      const versions = await versionsDuring(tx, [schedule.id], since, until);
      const [resolved] = resolvables([schedule], versions, overrides);
      const { shifts, gaps } = resolveShifts(resolved!, since, until);
      const users = await usersOf(tx, input.principal, shifts);
      const answer: Shifts = {
        since,
        until,
        shifts: shifts.map((shift) => shiftRecord(users, shift, until)),
        gaps: gaps.map((gap) => gapRecord(gap, since, until)),
      };
      if (Buffer.byteLength(JSON.stringify(answer)) > shiftLimits.bytes) throw tooManyShifts();
      return answer;
    });
  }
}

/** UUIDs of the members whom any schedule of the tenant has on call at an instant. */
export async function membersOnCall(tx: Tx, { organizationId, environment }: Tenant, at: Date): Promise<Set<string>> {
  const since = at.toISOString();
  const until = new Date(at.getTime() + 1).toISOString();
  const stored = await tx.repository(ScheduleEntity).findBy({ organizationId, environment });
  const ids = idsOf(stored);
  const versions = await versionsDuring(tx, ids, since, until);
  const resolved = resolvables(stored, versions, await overridesDuring(tx, ids, since, until));
  const shifts = resolved.flatMap((schedule) => resolveShifts(schedule, since, until).shifts);
  return new Set(shifts.map(({ userId }) => userId));
}

export const shiftRecord = (users: Users, shift: Shift, until: string): ShiftRecord => ({
  user: userOf(users, shift),
  startsAt: shift.startsAt,
  endsAt: shift.endsAt ?? until,
  source: shift.source,
  layerId: shift.layerId,
  overrideId: publicId('scheduleOverride', shift.overrideId),
});

export const gapRecord = ({ startsAt, endsAt }: Gap, since: string, until: string): ScheduleGap => ({
  startsAt: startsAt ?? since,
  endsAt: endsAt ?? until,
});

const idsOf = (stored: StoredSchedule[]): string[] => stored.map(({ id }) => id);

async function currentOf(tx: Tx, tenant: Tenant, stored: StoredSchedule[], at: string): Promise<CurrentOnCall[]> {
  const ids = idsOf(stored);
  const resolved = resolvables(stored, await versionsAround(tx, ids, at), await overridesAround(tx, ids, at));
  const found = resolved.map((schedule) => ({ ...onCallAt(schedule, at), isPlanned: isPlannedGapAt(schedule, at) }));
  const users = await usersOf(
    tx,
    tenant,
    found.flatMap(({ shifts, next }) => [...shifts, ...next]),
  );
  return found.map(({ shifts, gap, next, isPlanned }, i) => {
    const [first] = shifts;
    return {
      scheduleId: publicId('schedule', stored[i]!.id),
      scheduleName: stored[i]!.name,
      users: usersIn(users, shifts),
      source: first?.source ?? null,
      layerId: first?.layerId ?? null,
      startsAt: (first ?? gap)?.startsAt ?? null,
      endsAt: (first ?? gap)?.endsAt ?? null,
      next: nextOf(users, next),
      isGap: gap !== null,
      isPlannedGap: gap !== null && isPlanned,
    };
  });
}

function nextOf(users: Users, next: Shift[]): NextOnCall | null {
  const [first] = next;
  return first ? { users: usersIn(users, next), startsAt: first.startsAt, endsAt: first.endsAt } : null;
}

/** Each once, also one who is on call in several layers. */
const usersIn = (users: Users, shifts: Shift[]): OnCallUser[] => [
  ...new Set(shifts.map((shift) => userOf(users, shift))),
];

/** In UTC with milliseconds; now when it was left out. */
export function requestedInstant(sent: string | undefined, now: Date): string {
  const at = sent === undefined ? now : new Date(sent);
  const latest = new Date(now).setUTCFullYear(now.getUTCFullYear() + maxYearsAhead);
  if (at.getTime() > latest) throw invalid('at', 'range', `at must be at most ${maxYearsAhead} years from now`);
  return at.toISOString();
}

function requestedRange(sent: ShiftsQuery, now: Date): { since: string; until: string } {
  const since = sent.since === undefined ? now.getTime() : Date.parse(sent.since);
  const until = sent.until === undefined ? since + shiftRangeDays.default * day : Date.parse(sent.until);
  if (until <= since) throw invalid('until', 'order', 'until must be after since');
  if (until > since + shiftRangeDays.max * day)
    throw invalid('until', 'range', `until must be at most ${shiftRangeDays.max} days after since`);
  return { since: new Date(since).toISOString(), until: new Date(until).toISOString() };
}

export const tooManyShifts = (): Fault =>
  invalid('until', 'range', 'these are more shifts than fit into an answer: ask for a shorter range');

export const usersOf = (tx: Tx, tenant: Tenant, shifts: Shift[]): Promise<Users> =>
  usersById(
    tx,
    tenant,
    shifts.map(({ userId }) => userId),
  );

function userOf(users: Users, { userId }: Shift): OnCallUser {
  const user = users.get(userId);
  if (!user) throw new Error(`the schedule names the member ${userId}, who does not exist`);
  return user;
}
