/** Every operation of the v1 API, in the order of the documentation. */
import type { Operation, Owner } from './operation.js';
import { alertOperations } from './nouns/alerts.js';
import { apiKeyOperations } from './nouns/api-keys.js';
import { batchOperations } from './nouns/batch.js';
import { auditLogOperations } from './nouns/audit-log.js';
import { calendarFeedOperations } from './nouns/calendar-feeds.js';
import { clientOperations } from './nouns/clients.js';
import { deviceOperations } from './nouns/devices.js';
import { facetOperations } from './nouns/facets.js';
import { incidentOperations } from './nouns/incidents.js';
import { invitationOperations } from './nouns/invitations.js';
import { integrationOperations } from './nouns/integrations.js';
import { memberOperations } from './nouns/members.js';
import { profileOperations } from './nouns/profile.js';
import { scheduleOperations } from './nouns/schedules.js';
import { secondFactorOperations } from './nouns/second-factors.js';
import { sessionOperations } from './nouns/session.js';
import { signInOperations } from './nouns/sign-in.js';
import { suppressionOperations } from './nouns/suppression.js';
import { escalationPolicyOperations } from './nouns/escalation-policies.js';
import { explanationOperations } from './nouns/explanation.js';
import { mailRecipientOperations } from './nouns/mail-recipients.js';
import { notificationOperations } from './nouns/notifications.js';
import { pageOperations } from './nouns/pages.js';
import { passkeyOperations } from './nouns/passkeys.js';
import { organizationOperations } from './nouns/organization.js';
import { statusOperations } from './nouns/status.js';
import { teamOperations } from './nouns/teams.js';
import { viewOperations } from './nouns/views.js';
import { workflowRunOperations } from './nouns/workflow-runs.js';
import { workflowOperations } from './nouns/workflows.js';

export const allOperations = [
  ...alertOperations,
  ...incidentOperations,
  ...facetOperations,
  ...integrationOperations,
  ...clientOperations,
  ...workflowOperations,
  ...workflowRunOperations,
  ...pageOperations,
  ...notificationOperations,
  ...explanationOperations,
  ...scheduleOperations,
  ...calendarFeedOperations,
  ...escalationPolicyOperations,
  ...teamOperations,
  ...suppressionOperations,
  ...memberOperations,
  ...sessionOperations,
  ...signInOperations,
  ...secondFactorOperations,
  ...passkeyOperations,
  ...profileOperations,
  ...deviceOperations,
  ...invitationOperations,
  ...organizationOperations,
  ...mailRecipientOperations,
  ...statusOperations,
  ...apiKeyOperations,
  ...auditLogOperations,
  ...viewOperations,
  ...batchOperations,
] as readonly Operation[];

export const operationsOf = (owner: Owner): Operation[] => allOperations.filter((op) => op.owner === owner);
