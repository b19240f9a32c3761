/**
 * A calendar feed as text (iCalendar, RFC 5545). Times are in UTC, so they are right in every program and across clock
 * changes. The same times give the same text.
 */
import { createHash } from 'node:crypto';
import { ICalCalendar, ICalCalendarMethod, ICalEventTransparency } from 'ical-generator';

export interface CalendarEvent {
  /** The parts of the UID. Equal parts are the same event. */
  identity: string[];
  /** RFC 3339. */
  startsAt: string;
  endsAt: string;
  summary: string;
  description: string;
}

/** How often calendar programs should read the feed, in seconds. */
const refreshSeconds = 3600;

/** `changedAt`: the time stamp of every event. */
export function calendarText(name: string, events: readonly CalendarEvent[], changedAt: Date): string {
  const calendar = new ICalCalendar({
    name,
    prodId: { company: 'Alert Management', product: 'On call', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: refreshSeconds,
  });
  for (const { identity, startsAt, endsAt, summary, description } of events) {
    // iCalendar has no milliseconds.
    const [start, end] = [wholeSecond(startsAt), wholeSecond(endsAt)];
    if (start.getTime() === end.getTime()) continue;
    const hash = createHash('sha256').update(JSON.stringify(identity)).digest('hex');
    calendar.createEvent({
      id: `${hash.slice(0, 40)}@on-call`,
      start,
      end,
      stamp: changedAt,
      summary,
      description,
      // Being on call is no appointment.
      transparency: ICalEventTransparency.TRANSPARENT,
    });
  }
  return calendar.toString();
}

const wholeSecond = (at: string): Date => new Date(Math.floor(Date.parse(at) / 1000) * 1000);
