/** The sections of the settings, with the operation that a member must be allowed to call. */
import type { OperationId } from '../api/operation-types.js';
import { texts } from '../texts/texts.js';

export interface Section {
  path: string;
  label: string;
  operation?: OperationId;
}

export const sections: readonly Section[] = [
  { path: '/settings/profile', label: texts.settings.sections.profile },
  { path: '/settings/members', label: texts.settings.sections.members, operation: 'listMembers' },
  { path: '/settings/api-keys', label: texts.settings.sections.apiKeys, operation: 'listApiKeys' },
  { path: '/settings/organization', label: texts.settings.sections.organization, operation: 'getOrganization' },
  { path: '/settings/notifications', label: texts.settings.sections.notifications, operation: 'listNotifications' },
  { path: '/settings/mail-recipients', label: texts.settings.sections.mailRecipients, operation: 'listMailRecipients' },
  { path: '/settings/audit-log', label: texts.settings.sections.auditLog, operation: 'listAuditLog' },
  { path: '/settings/status', label: texts.settings.sections.status, operation: 'getStatus' },
];
