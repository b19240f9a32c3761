/**
 * The times of members in the calendar feed of a schedule. Calendars know an event by its identity: the identity of a
 * time stays while days pass and its end changes, so calendars update their events and do not double them.
 *
 * Pure. Instants are RFC 3339 texts in UTC with milliseconds.
 */
import { day } from '../time/wall-clock.js';
import { resolveShifts } from './resolve.js';
import type { OnCallSchedule } from './schedule.js';
import { joined, type Span } from './spans.js';

export const feedLimits = {
  days: { back: 30, ahead: 180 },
  /** Times that have not ended: the nearest ones. */
  present: 1500,
  /** Times that have ended: the latest ones. */
  past: 500,
} as const;

/** How much earlier the beginning of a time is searched. */
const searchedDays = 100;

/** A time in which a member is on call, in any layer or by an override. */
export interface FeedTime {
  userId: string;
  startsAt: string;
  endsAt: string;
  /** Unique among the times of a schedule. */
  identity: string;
}

export interface FeedRange {
  /** Where the search for the beginnings of times begins. */
  searchedFrom: string;
  since: string;
  until: string;
}

/** Whole days in UTC, so a feed changes only when its schedule does, or on the next day. */
export function feedRange(now: string): FeedRange {
  const today = Math.floor(Date.parse(now) / day) * day;
  const at = (days: number): string => new Date(today + days * day).toISOString();
  const { back, ahead } = feedLimits.days;
  return { searchedFrom: at(-back - searchedDays), since: at(-back), until: at(ahead + 1) };
}

/** The times of each member that are at least partly in the range, in the order of their starts. */
export function feedTimes(schedule: OnCallSchedule, { searchedFrom, since, until }: FeedRange): FeedTime[] {
  const ofUsers = new Map<string, Span[]>();
  for (const { userId, startsAt, endsAt } of resolveShifts(schedule, searchedFrom, until).shifts) {
    const spans = ofUsers.get(userId) ?? [];
    spans.push({ start: Date.parse(startsAt), end: Date.parse(endsAt ?? until) });
    ofUsers.set(userId, spans);
  }
  return [...ofUsers]
    .flatMap(([userId, spans]) => joined(spans, () => true).map((span) => feedTime(userId, span)))
    .filter(({ endsAt }) => endsAt > since)
    .map((time) => (time.startsAt === searchedFrom ? { ...time, identity: `${time.userId} earlier` } : time))
    .sort(byStart);
}

function feedTime(userId: string, { start, end }: Span): FeedTime {
  const startsAt = new Date(start).toISOString();
  return { userId, startsAt, endsAt: new Date(end).toISOString(), identity: `${userId} ${startsAt}` };
}

const byStart = (a: FeedTime, b: FeedTime): number =>
  Date.parse(a.startsAt) - Date.parse(b.startsAt) || (a.identity < b.identity ? -1 : 1);

/**
 * As many as a feed may have, or a `share` of them: those that are nearest to the present. The times must be in the order
 * of their starts.
 */
export function nearestTimes<Time extends FeedTime>(times: readonly Time[], now: string, share = 1): Time[] {
  const at = new Date(now).toISOString();
  const past = times.filter(({ endsAt }) => endsAt <= at);
  const present = times.filter(({ endsAt }) => endsAt > at);
  return [
    ...past.slice(Math.max(0, past.length - Math.floor(feedLimits.past * share))),
    ...present.slice(0, Math.floor(feedLimits.present * share)),
  ];
}
