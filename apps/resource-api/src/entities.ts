/** The tables of this service whose records are read and written one by one. */
import { CalendarFeedEntity } from './calendar-feeds/calendar-feed.entity.js';
import { ClientNameEntity } from './clients/client-name.entity.js';
import { ClientEntity } from './clients/client.entity.js';
import { EscalationPolicyEntity } from './escalation-policies/escalation-policy.entity.js';
import { IntegrationEntity } from './integrations/integration.entity.js';
import { OrganizationSettingsEntity } from './organization/organization-settings.entity.js';
import { ScheduleOverrideEntity } from './schedules/schedule-override.entity.js';
import { ScheduleEntity } from './schedules/schedule.entity.js';
import { SuppressionWindowEntity } from './suppression/suppression-window.entity.js';
import { TeamEntity } from './teams/team.entity.js';
import { ViewEntity } from './views/view.entity.js';
import { WorkflowEntity } from './workflows/workflow.entity.js';

export const entities: (new () => object)[] = [
  CalendarFeedEntity,
  ClientEntity,
  ClientNameEntity,
  EscalationPolicyEntity,
  IntegrationEntity,
  OrganizationSettingsEntity,
  ScheduleEntity,
  ScheduleOverrideEntity,
  SuppressionWindowEntity,
  TeamEntity,
  ViewEntity,
  WorkflowEntity,
];
