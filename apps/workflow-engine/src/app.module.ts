import { DatabaseModule, HousekeepingModule, OutboxModule } from '@ams/persistence';
import { Module } from '@nestjs/common';
import { entities } from './entities.js';
import { ExplainModule } from './explain/explain.module.js';
import { RetentionService } from './retention.service.js';
import { NotificationsModule } from './notifications/notifications.module.js';
import { PagesModule } from './pages/pages.module.js';
import { RunsModule } from './runs/runs.module.js';
import { SimulateModule } from './simulate/simulate.module.js';
import { StatusModule } from './status/status.module.js';

@Module({
  imports: [
    DatabaseModule.forService('workflow-engine', entities),
    OutboxModule.forService(),
    HousekeepingModule,
    RunsModule,
    NotificationsModule,
    PagesModule,
    ExplainModule,
    SimulateModule,
    StatusModule,
  ],
  providers: [RetentionService],
})
export class WorkflowEngineModule {}
