/**
 * All English texts. Each noun has a file of its own; texts with values are functions. A page loads the texts that it
 * names (`texts.alerts.title`); they are not in the first load.
 */
export { alerts } from './en/alerts.js';
export { apiKeys } from './en/api-keys.js';
export { app } from './en/app.js';
export { auditLog } from './en/audit-log.js';
export { clients } from './en/clients.js';
export { conditions } from './en/conditions.js';
export { devices } from './en/devices.js';
export { incidents } from './en/incidents.js';
export { integrations } from './en/integrations.js';
export { mailRecipients } from './en/mail-recipients.js';
export { members } from './en/members.js';
export { navigation } from './en/navigation.js';
export { newRecords } from './en/new-records.js';
export { notifications } from './en/notifications.js';
export { now } from './en/now.js';
export { onCall } from './en/on-call.js';
export { organization } from './en/organization.js';
export { policies } from './en/policies.js';
export { profile } from './en/profile.js';
export { routing } from './en/routing.js';
export { schedules } from './en/schedules.js';
export { settings } from './en/settings.js';
export { signIn } from './en/sign-in.js';
export { status } from './en/status.js';
export { suppression } from './en/suppression.js';
export { teams } from './en/teams.js';
export { ui } from './en/ui.js';
export { workflows } from './en/workflows.js';
