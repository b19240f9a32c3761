import {
  createOverride,
  createSchedule,
  createSwap,
  deleteOverride,
  deleteSchedule,
  getSchedule,
  listSchedules,
  updateSchedule,
  type Input,
  type ListSchedulesQuery,
  type NoQuery,
  type Page,
  type PostOverride,
  type PostSchedule,
  type PostSwap,
  type PutSchedule,
  type Schedule,
  type ScheduleOverride,
  type ScheduleSwap,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { ScheduleOverridesService } from './schedule-overrides.service.js';
import { SchedulesService } from './schedules.service.js';

@Controller()
export class SchedulesController {
  constructor(
    private readonly service: SchedulesService,
    private readonly overrides: ScheduleOverridesService,
  ) {}

  @Handles(listSchedules)
  list(input: Input<ListSchedulesQuery, undefined>): Promise<Page<Schedule>> {
    return this.service.list(input);
  }

  @Handles(createSchedule)
  create(input: Input<NoQuery, PostSchedule>): Promise<Schedule> {
    return this.service.create(input);
  }

  @Handles(getSchedule)
  get(input: Input<NoQuery, undefined>): Promise<Schedule> {
    return this.service.get(input);
  }

  @Handles(updateSchedule)
  update(input: Input<NoQuery, PutSchedule>): Promise<Schedule> {
    return this.service.update(input);
  }

  @Handles(deleteSchedule)
  delete(input: Input<NoQuery, undefined>): Promise<void> {
    return this.service.delete(input);
  }

  @Handles(createOverride)
  createOverride(input: Input<NoQuery, PostOverride>): Promise<ScheduleOverride> {
    return this.overrides.create(input);
  }

  @Handles(deleteOverride)
  deleteOverride(input: Input<NoQuery, undefined>): Promise<void> {
    return this.overrides.delete(input);
  }

  @Handles(createSwap)
  createSwap(input: Input<NoQuery, PostSwap>): Promise<ScheduleSwap> {
    return this.overrides.swap(input);
  }
}
