import { auditSubject } from '@ams/contracts';
import { DatabaseModule, HousekeepingModule, OutboxModule } from '@ams/persistence';
import { Module } from '@nestjs/common';
import { AlertsModule } from './alerts/alerts.module.js';
import { BatchModule } from './batch/batch.module.js';
import { CalendarFeedsModule } from './calendar-feeds/calendar-feeds.module.js';
import { ClientsModule } from './clients/clients.module.js';
import { OrganizationDefaultsModule } from './defaults/organization-defaults.module.js';
import { entities } from './entities.js';
import { EscalationPoliciesModule } from './escalation-policies/escalation-policies.module.js';
import { IncidentsModule } from './incidents/incidents.module.js';
import { IntegrationsModule } from './integrations/integrations.module.js';
import { MembersModule } from './members/members.module.js';
import { OrganizationModule } from './organization/organization.module.js';
import { RequestsModule } from './requests/requests.module.js';
import { SchedulesModule } from './schedules/schedules.module.js';
import { SecretsModule } from './secrets/secrets.module.js';
import { SuppressionModule } from './suppression/suppression.module.js';
import { TeamsModule } from './teams/teams.module.js';
import { ViewsModule } from './views/views.module.js';
import { WorkflowsModule } from './workflows/workflows.module.js';

@Module({
  imports: [
    DatabaseModule.forService('resource-api', entities),
    // Events of schedules and suppression windows are published in batches; audit entries are single messages.
    OutboxModule.forService({ isBatched: (subject) => subject !== auditSubject, hasDomainEvents: true }),
    HousekeepingModule,
    AlertsModule,
    BatchModule,
    CalendarFeedsModule,
    ClientsModule,
    EscalationPoliciesModule,
    IncidentsModule,
    IntegrationsModule,
    MembersModule,
    OrganizationModule,
    RequestsModule,
    SchedulesModule,
    SecretsModule,
    SuppressionModule,
    TeamsModule,
    ViewsModule,
    WorkflowsModule,
    OrganizationDefaultsModule,
  ],
})
export class ResourceApiModule {}
