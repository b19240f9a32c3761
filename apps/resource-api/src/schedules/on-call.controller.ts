import {
  currentOnCall,
  listShifts,
  previewSchedule,
  type CurrentOnCall,
  type CurrentOnCallQuery,
  type Input,
  type NoQuery,
  type Page,
  type PreviewSchedule,
  type SchedulePreview,
  type Shifts,
  type ShiftsQuery,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { OnCallService } from './on-call.service.js';
import { SchedulePreviewService } from './schedule-preview.service.js';

@Controller()
export class OnCallController {
  constructor(
    private readonly service: OnCallService,
    private readonly previews: SchedulePreviewService,
  ) {}

  @Handles(currentOnCall)
  current(input: Input<CurrentOnCallQuery, undefined>): Promise<Page<CurrentOnCall>> {
    return this.service.current(input);
  }

  @Handles(listShifts)
  shifts(input: Input<ShiftsQuery, undefined>): Promise<Shifts> {
    return this.service.shifts(input);
  }

  @Handles(previewSchedule)
  preview(input: Input<NoQuery, PreviewSchedule>): Promise<SchedulePreview> {
    return this.previews.preview(input);
  }
}
