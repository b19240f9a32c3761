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
  type Shifts,
  type ShiftsQuery,
  type Tenant,
} from '@ams/contracts';
import {
  overridesAround,
  overridesBySchedule,
  overridesDuring,
  resolvable,
  uuidsOf,
  type StoredSchedule,
} from '@ams/alerting';
import { Database, page, selectOf, type Tx } from '@ams/database';
import { onCallAt, resolveShifts, type Shift } from '@ams/domain';
import { Injectable } from '@nestjs/common';
import { usersById } from '../members/member-queries.js';
import { findRecord } from '../records/entity-records.js';
import { count, owned } from '../records/tenant-queries.js';
import { schedules } from './schedule-record.js';
import { ScheduleEntity } from './schedule.entity.js';

type Users = ReadonlyMap<string, OnCallUser>;

const day = 86_400_000;

/** Limits the search for the beginning of a shift, because a longer search costs more. */
const maxYearsAhead = 10;

/** The overrides of a range cost the square of their number, and an answer is one message. */
const shiftLimits = { overrides: 2000, bytes: 700 * 1024 };

@Injectable()
export class OnCallService {
  constructor(private readonly database: Database) {}

  current(input: Input<CurrentOnCallQuery, undefined>): Promise<Page<CurrentOnCall>> {
    const { limit, cursor, ...filters } = input.query;
    const at = requestedInstant(filters.at);
    const where = owned(input.principal);
    if (filters.scheduleId) where.and('id = ANY(?::uuid[])', uuidsOf('schedule', filters.scheduleId));
    return this.database.readAs(input.principal, async (tx) => {
      const { data, meta } = await page<ScheduleEntity, StoredSchedule>(tx, {
        select: selectOf(tx, ScheduleEntity, 'schedules'),
        from: 'resources.schedules',
        where,
        sort: { column: 'name', type: 'text', descending: false },
        id: 'id',
        limit,
        cursor,
        boundTo: ['on-call', filters],
        total: () => count(tx, 'resources.schedules', where),
        item: ({ id, name, timezone, layers }) => ({ id, name, timezone, layers }),
      });
      return { data: await currentOf(tx, input.principal, data, at), meta };
    });
  }

  shifts(input: Input<ShiftsQuery, undefined>): Promise<Shifts> {
    const { since, until } = requestedRange(input.query);
    return this.database.readAs(input.principal, async (tx) => {
      const schedule = await findRecord(tx, schedules, input);
      const overrides = await overridesDuring(tx, [schedule.id], since, until);
      if (overrides.length > shiftLimits.overrides) throw tooManyShifts();
      const { shifts, gaps } = resolveShifts(resolvable(schedule, overrides), since, until);
      const users = await usersOf(tx, input.principal, shifts);
      const answer: Shifts = {
        since,
        until,
        shifts: shifts.map((shift) => ({
          user: userOf(users, shift),
          startsAt: shift.startsAt,
          endsAt: shift.endsAt ?? until,
          source: shift.source,
          layerId: shift.layerId,
          overrideId: publicId('scheduleOverride', shift.overrideId),
        })),
        gaps: gaps.map(({ startsAt, endsAt }) => ({ startsAt: startsAt ?? since, endsAt: endsAt ?? until })),
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
  const overrides = overridesBySchedule(await overridesDuring(tx, idsOf(stored), since, until));
  const shifts = stored.flatMap(
    (schedule) => resolveShifts(resolvable(schedule, overrides.get(schedule.id)), since, until).shifts,
  );
  return new Set(shifts.map(({ userId }) => userId));
}

const idsOf = (stored: StoredSchedule[]): string[] => stored.map(({ id }) => id);

async function currentOf(tx: Tx, tenant: Tenant, stored: StoredSchedule[], at: string): Promise<CurrentOnCall[]> {
  const overrides = overridesBySchedule(await overridesAround(tx, idsOf(stored), at));
  const found = stored.map((schedule) => ({
    schedule,
    ...onCallAt(resolvable(schedule, overrides.get(schedule.id)), at),
  }));
  const users = await usersOf(
    tx,
    tenant,
    found.flatMap(({ shift, next }) => [shift, next]).filter((shift) => shift !== null),
  );
  return found.map(({ schedule, shift, gap, next }) => ({
    scheduleId: publicId('schedule', schedule.id),
    scheduleName: schedule.name,
    users: shift ? [userOf(users, shift)] : [],
    source: shift?.source ?? null,
    layerId: shift?.layerId ?? null,
    startsAt: (shift ?? gap)?.startsAt ?? null,
    endsAt: (shift ?? gap)?.endsAt ?? null,
    next: next && nextOf(users, next),
    isGap: shift === null,
  }));
}

const nextOf = (users: Users, next: Shift): NextOnCall => ({
  users: [userOf(users, next)],
  startsAt: next.startsAt,
  endsAt: next.endsAt,
});

/** In UTC with milliseconds; now when it was left out. */
export function requestedInstant(sent: string | undefined): string {
  const now = new Date();
  const at = sent === undefined ? now : new Date(sent);
  const latest = new Date(now).setUTCFullYear(now.getUTCFullYear() + maxYearsAhead);
  if (at.getTime() > latest) throw invalid('at', 'range', `at must be at most ${maxYearsAhead} years from now`);
  return at.toISOString();
}

function requestedRange(sent: ShiftsQuery): { since: string; until: string } {
  const since = sent.since === undefined ? Date.now() : Date.parse(sent.since);
  const until = sent.until === undefined ? since + shiftRangeDays.default * day : Date.parse(sent.until);
  if (until <= since) throw invalid('until', 'order', 'until must be after since');
  if (until > since + shiftRangeDays.max * day)
    throw invalid('until', 'range', `until must be at most ${shiftRangeDays.max} days after since`);
  return { since: new Date(since).toISOString(), until: new Date(until).toISOString() };
}

const tooManyShifts = (): Fault =>
  invalid('until', 'range', 'these are more shifts than fit into an answer: ask for a shorter range');

const usersOf = (tx: Tx, tenant: Tenant, shifts: Shift[]): Promise<Users> =>
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
