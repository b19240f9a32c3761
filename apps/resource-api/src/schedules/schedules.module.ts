import { Module } from '@nestjs/common';
import { Everybody } from './everybody.js';
import { HandOffs } from './hand-offs.js';
import { OnCallController } from './on-call.controller.js';
import { OnCallService } from './on-call.service.js';
import { ScheduleOverridesService } from './schedule-overrides.service.js';
import { SchedulePreviewService } from './schedule-preview.service.js';
import { SchedulesController } from './schedules.controller.js';
import { SchedulesService } from './schedules.service.js';

@Module({
  controllers: [SchedulesController, OnCallController],
  providers: [SchedulesService, ScheduleOverridesService, OnCallService, SchedulePreviewService, Everybody, HandOffs],
})
export class SchedulesModule {}
