import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { EventConsumer } from './event-consumer.js';
import { Runs } from './runs.js';
import { WorkflowRunsController } from './workflow-runs.controller.js';
import { WorkflowRunsService } from './workflow-runs.service.js';

@Module({
  imports: [JobsModule],
  controllers: [WorkflowRunsController],
  providers: [Runs, EventConsumer, WorkflowRunsService],
})
export class RunsModule {}
