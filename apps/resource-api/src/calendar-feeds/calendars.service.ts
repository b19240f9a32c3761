/** Reads calendar feeds. There is no principal: whoever knows the token may read the feed. */
import type { CalendarReply, CalendarRequest } from '@ams/contracts';
import { overridesDuring, resolvables, versionsDuring } from '@ams/alerting';
import { Database, selectOf, type Tx } from '@ams/database';
import { feedRange, feedTimes, nearestTimes, type FeedRange, type FeedTime } from '@ams/domain';
import { Injectable } from '@nestjs/common';
import { deletedMemberName } from '../members/member-queries.js';
import { databaseNow } from '../schedules/schedule-versions.js';
import { ScheduleEntity } from '../schedules/schedule.entity.js';
import { CalendarFeedEntity } from './calendar-feed.entity.js';
import { calendarText, type CalendarEvent } from './calendar-text.js';

/** The schedules in the feed of a member: the first ones by name. */
const schedulesOfMember = 100;
/** The overrides of a range cost the square of their number. */
const mostOverrides = 2000;
/** An answer is one message of NATS. */
const mostBytes = 700 * 1024;

interface MemberRow {
  id: string;
  name: string;
  status: string;
}

/** A feed with what it shows. */
interface Found {
  name: string;
  times: (FeedTime & { schedule: ScheduleEntity })[];
  schedules: ScheduleEntity[];
  eventOf: (time: FeedTime & { schedule: ScheduleEntity }) => CalendarEvent;
}

@Injectable()
export class CalendarsService {
  constructor(private readonly database: Database) {}

  read({ tokenHash }: CalendarRequest): Promise<CalendarReply> {
    return this.database.asService(async (tx) => {
      const feed = await tx.repository(CalendarFeedEntity).findOneBy({ tokenHash });
      if (!feed) return { kind: 'unknown' };
      const now = await databaseNow(tx);
      const found = await (feed.scheduleId === null ? feedOfMember : feedOfSchedule)(tx, feed, now);
      return found ? calendarOf(feed, found, now) : { kind: 'unknown' };
    });
  }
}

async function feedOfSchedule(tx: Tx, feed: CalendarFeedEntity, now: Date): Promise<Found | null> {
  const { organizationId, environment, scheduleId } = feed;
  const schedule = await tx.repository(ScheduleEntity).findOneBy({ id: scheduleId!, organizationId, environment });
  if (!schedule) return null;
  const times = await timesOf(tx, schedule, feedRange(now.toISOString()), now);
  const members = await membersById(tx, feed, [...new Set(times.map(({ userId }) => userId))]);
  return {
    name: schedule.name,
    times,
    schedules: [schedule],
    eventOf: (time) => event(time, members.get(time.userId)?.name ?? deletedMemberName),
  };
}

async function feedOfMember(tx: Tx, feed: CalendarFeedEntity, now: Date): Promise<Found | null> {
  const memberId = feed.memberId!;
  const member = (await membersById(tx, feed, [memberId])).get(memberId);
  if (!member || member.status === 'disabled') return null;
  const range = feedRange(now.toISOString());
  const schedules = await schedulesOf(tx, feed, memberId, range);
  const times: Found['times'] = [];
  for (const schedule of schedules)
    times.push(...(await timesOf(tx, schedule, range, now)).filter(({ userId }) => userId === memberId));
  times.sort((a, b) => Date.parse(a.startsAt) - Date.parse(b.startsAt));
  return {
    name: `On call: ${member.name}`,
    times,
    schedules,
    eventOf: (time) => event(time, time.schedule.name),
  };
}

const event = ({ schedule, identity, startsAt, endsAt }: Found['times'][number], summary: string): CalendarEvent => ({
  identity: [schedule.id, identity],
  startsAt,
  endsAt,
  summary,
  description: `On call in ${schedule.name}`,
});

/** A feed whose text is too long has fewer shifts. */
function calendarOf(feed: CalendarFeedEntity, { name, times, schedules, eventOf }: Found, now: Date): CalendarReply {
  const today = Math.floor(now.getTime() / 86_400_000) * 86_400_000;
  const changedAt = Math.max(today, feed.createdAt.getTime(), ...schedules.map(({ updatedAt }) => updatedAt.getTime()));
  const lastModified = new Date(Math.floor(changedAt / 1000) * 1000);
  for (let share = 1; ; share /= 2) {
    const events = nearestTimes(times, now.toISOString(), share).map(eventOf);
    const text = calendarText(name, events, lastModified);
    if (Buffer.byteLength(text) <= mostBytes || events.length === 0)
      return { kind: 'calendar', text, lastModified: lastModified.toISOString() };
  }
}

/** A schedule with more overrides than can be read has no past in its feed. What has not ended is limited. */
async function timesOf(tx: Tx, schedule: ScheduleEntity, range: FeedRange, now: Date): Promise<Found['times']> {
  const { searchedFrom, until } = range;
  const overrides = await overridesDuring(tx, [schedule.id], searchedFrom, until);
  const present = now.toISOString();
  if (overrides.length > mostOverrides && searchedFrom < present)
    return timesOf(tx, schedule, { searchedFrom: present, since: present, until }, now);
  const versions = await versionsDuring(tx, [schedule.id], searchedFrom, until);
  const [resolved] = resolvables([schedule], versions, overrides);
  return feedTimes(resolved!, range).map((time) => ({ ...time, schedule }));
}

async function membersById(
  tx: Tx,
  { organizationId }: CalendarFeedEntity,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MemberRow>> {
  const rows = await tx.query<MemberRow>(
    'SELECT id, name, status FROM auth_views.members WHERE organization_id = $1 AND id = ANY($2::uuid[])',
    [organizationId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The schedules that name the member in a layer or an override at some time in the range. */
function schedulesOf(
  tx: Tx,
  { organizationId, environment }: CalendarFeedEntity,
  memberId: string,
  { since, until }: FeedRange,
): Promise<ScheduleEntity[]> {
  return tx.query<ScheduleEntity>(
    `SELECT ${selectOf(tx, ScheduleEntity, 'schedules')} FROM resources.schedules
     WHERE organization_id = $1 AND environment = $2 AND (
       layers @> $4::jsonb
       OR EXISTS (SELECT FROM resources.schedule_versions v WHERE v.schedule_id = schedules.id
           AND v.effective_until > $5 AND v.layers @> $4::jsonb)
       OR EXISTS (SELECT FROM resources.schedule_overrides o WHERE o.schedule_id = schedules.id
           AND o.member_id = $3 AND o.ends_at > $5 AND o.starts_at < $6))
     ORDER BY name, id LIMIT ${schedulesOfMember}`,
    [
      organizationId,
      environment,
      memberId,
      JSON.stringify([{ members: [memberId] }]),
      new Date(since),
      new Date(until),
    ],
  );
}
