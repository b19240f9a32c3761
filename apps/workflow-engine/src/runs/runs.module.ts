import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { EventBacklog } from './event-backlog.js';
import { EventConsumer } from './event-consumer.js';
import { EventProcessor } from './event-processor.js';
import { EventRecovery } from './event-recovery.js';
import { Runs } from './runs.js';
import { WaitingEvents } from './waiting-events.js';
import { WorkflowRunsController } from './workflow-runs.controller.js';
import { WorkflowRunsService } from './workflow-runs.service.js';

@Module({
  imports: [JobsModule],
  controllers: [WorkflowRunsController],
  providers: [Runs, EventProcessor, EventConsumer, EventRecovery, EventBacklog, WaitingEvents, WorkflowRunsService],
})
export class RunsModule {}
