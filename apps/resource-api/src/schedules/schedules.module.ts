import { Module } from '@nestjs/common';
import { SchedulesController } from './schedules.controller.js';
import { OnCallController } from './on-call.controller.js';
import { SchedulesService } from './schedules.service.js';
import { OnCallService } from './on-call.service.js';

@Module({ controllers: [SchedulesController, OnCallController], providers: [SchedulesService, OnCallService] })
export class SchedulesModule {}
