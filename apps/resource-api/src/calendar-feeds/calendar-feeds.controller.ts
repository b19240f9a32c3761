import {
  calendarRequest,
  createMemberFeed,
  createScheduleFeed,
  deleteMemberFeed,
  deleteScheduleFeed,
  type CalendarFeed,
  type CalendarReply,
  type CalendarRequest,
  type Input,
  type NoQuery,
} from '@ams/contracts';
import { Handles, HandlesRequest } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { CalendarFeedsService } from './calendar-feeds.service.js';
import { CalendarsService } from './calendars.service.js';

@Controller()
export class CalendarFeedsController {
  constructor(
    private readonly feeds: CalendarFeedsService,
    private readonly calendars: CalendarsService,
  ) {}

  @Handles(createScheduleFeed)
  createOfSchedule(input: Input<NoQuery, undefined>): Promise<CalendarFeed> {
    return this.feeds.createOfSchedule(input);
  }

  @Handles(deleteScheduleFeed)
  deleteOfSchedule(input: Input<NoQuery, undefined>): Promise<void> {
    return this.feeds.deleteOfSchedule(input);
  }

  @Handles(createMemberFeed)
  createOfMember(input: Input<NoQuery, undefined>): Promise<CalendarFeed> {
    return this.feeds.createOfMember(input);
  }

  @Handles(deleteMemberFeed)
  deleteOfMember(input: Input<NoQuery, undefined>): Promise<void> {
    return this.feeds.deleteOfMember(input);
  }

  @HandlesRequest(calendarRequest)
  read(request: CalendarRequest): Promise<CalendarReply> {
    return this.calendars.read(request);
  }
}
