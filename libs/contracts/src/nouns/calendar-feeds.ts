/** Feeds of shifts for calendar programs. The URL of a feed is its only credential. */
import { ApiProperty } from '@nestjs/swagger';
import { operation, type Operation } from '../operation.js';
import { time } from './common.js';

export class CalendarFeed {
  @ApiProperty({
    format: 'uri',
    description:
      'The address for calendar programs. It is a secret, and this answer is the only one that shows it. Whoever has ' +
      'it can read the shifts without a key.',
  })
  url!: string;
  @ApiProperty({ ...time }) createdAt!: string;
}

const scheduleId = 'sch_01938f3a7c2e7d4ab1c2d3e4f5060050';
const memberId = 'usr_01938f3a7c2e7d4ab1c2d3e4f5060030';
const feedExample: CalendarFeed = {
  url: 'https://alerts.example.com/api/calendars/3kTMd9fYcXwQ2LrBvNhJ6sZpA8eU1gWq.ics',
  createdAt: '2026-11-20T14:00:00.000Z',
};

const about =
  'The feed has the shifts from 30 days ago until 180 days from now, at most 2,000 of them. A feed that exists already ' +
  'gets a new URL, and its old URL is answered with 404 at once. The feed stays when the key is revoked. The key also ' +
  'needs the scope `schedules:read`.\n\n' +
  'A GET of the URL needs no key. It is answered with `text/calendar` (RFC 5545, times in UTC), `ETag`, `Last-Modified` ' +
  'and `Cache-Control: private, no-cache`; with 304 when `If-None-Match` has the present `ETag`; with 404 when the URL ' +
  'is unknown or has ended; and with 429 and `Retry-After` after 30 requests for a feed, or 300 from an address, in a ' +
  'minute.';

const feedOperation = (of: Pick<Operation, 'id' | 'operationId' | 'path' | 'summary' | 'description' | 'example'>) =>
  ({ owner: 'resource-api', scope: 'schedules:write', tag: 'Schedules', ...of }) as const;

export const createScheduleFeed = operation({
  ...feedOperation({
    id: 'schedules.createFeed',
    operationId: 'createScheduleFeed',
    path: '/schedules/{id}/feed',
    summary: 'Create the calendar feed of a schedule',
    description: `An iCalendar feed with the shifts of all members of the schedule. ${about}`,
    example: { params: { id: scheduleId }, reply: { data: feedExample } },
  }),
  method: 'POST',
  reply: 'created',
  item: CalendarFeed,
  faults: ['VERSION_MISMATCH', 'IDEMPOTENCY_KEY_REUSED'],
});

export const deleteScheduleFeed = operation({
  ...feedOperation({
    id: 'schedules.deleteFeed',
    operationId: 'deleteScheduleFeed',
    path: '/schedules/{id}/feed',
    summary: 'Delete the calendar feed of a schedule',
    description: 'Its URL is answered with 404 at once.',
    example: { params: { id: scheduleId }, reply: null },
  }),
  method: 'DELETE',
  reply: 'none',
  faults: ['VERSION_MISMATCH'],
});

export const createMemberFeed = operation({
  ...feedOperation({
    id: 'schedules.createMemberFeed',
    operationId: 'createMemberFeed',
    path: '/users/{id}/feed',
    summary: 'Create the calendar feed of a member',
    description:
      'An iCalendar feed with the shifts of the member in every schedule in the environment of the key. While the ' +
      `member is disabled, the feed is answered with 404. ${about}`,
    example: { params: { id: memberId }, reply: { data: feedExample } },
  }),
  method: 'POST',
  reply: 'created',
  item: CalendarFeed,
  faults: ['CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
});

export const deleteMemberFeed = operation({
  ...feedOperation({
    id: 'schedules.deleteMemberFeed',
    operationId: 'deleteMemberFeed',
    path: '/users/{id}/feed',
    summary: 'Delete the calendar feed of a member',
    description: 'Its URL is answered with 404 at once.',
    example: { params: { id: memberId }, reply: null },
  }),
  method: 'DELETE',
  reply: 'none',
});

export const calendarFeedOperations = [createScheduleFeed, deleteScheduleFeed, createMemberFeed, deleteMemberFeed];
