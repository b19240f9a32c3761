import { auditSubject } from '@ams/contracts';
import { DatabaseModule, HousekeepingModule, OutboxModule } from '@ams/persistence';
import { Module } from '@nestjs/common';
import { AlertsModule } from './alerts/alerts.module.js';
import { ClientsModule } from './clients/clients.module.js';
import { entities } from './entities.js';
import { EventsModule } from './events/events.module.js';
import { HeartbeatsModule } from './heartbeats/heartbeats.module.js';
import { IncidentsModule } from './incidents/incidents.module.js';
import { RetentionModule } from './retention/retention.module.js';
import { SendersModule } from './senders/senders.module.js';
import { SuppressionModule } from './suppression/suppression.module.js';
import { WorkflowCommandsModule } from './workflow-commands/workflow-commands.module.js';

@Module({
  imports: [
    DatabaseModule.forService('alert-pipeline', entities),
    // Events of alerts and incidents are published in batches; audit entries are single messages.
    OutboxModule.forService({ isBatched: (subject) => subject !== auditSubject, paceMs: 40 }),
    HousekeepingModule,
    EventsModule,
    AlertsModule,
    IncidentsModule,
    SuppressionModule,
    ClientsModule,
    SendersModule,
    HeartbeatsModule,
    WorkflowCommandsModule,
    RetentionModule,
  ],
})
export class AlertPipelineModule {}
