/** Each section of the settings is a route below this one, and a line in sections.ts. */
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { memberRoute } from '../app/root-route.js';
import { requireMay } from '../app/session.js';
import { many, one, searchOf } from '../app/search-params.js';

export const settingsRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: 'settings',
  component: lazyRouteComponent(() => import('./settings-page.js'), 'SettingsPage'),
});

const settingsIndexRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/profile', replace: true });
  },
});

export const profileRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'profile',
  component: lazyRouteComponent(() => import('./profile/profile-page.js'), 'ProfilePage'),
});

export const membersRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'members',
  validateSearch: searchOf({ q: one, role: many, status: many, member: one, invite: one }),
  component: lazyRouteComponent(() => import('./members/members-page.js'), 'MembersPage'),
});

export const apiKeysRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'api-keys',
  validateSearch: searchOf({ q: one, key: one }),
  beforeLoad: requireMay('listApiKeys'),
  component: lazyRouteComponent(() => import('./api-keys/api-keys-page.js'), 'ApiKeysPage'),
});

const newApiKeyRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'api-keys/new',
  beforeLoad: requireMay('createApiKey'),
  component: lazyRouteComponent(() => import('./api-keys/new-api-key-page.js'), 'NewApiKeyPage'),
});

export const auditLogRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'audit-log',
  validateSearch: searchOf({ type: many, actorId: many, resourceId: many, since: one, until: one, entry: one }),
  beforeLoad: requireMay('listAuditLog'),
  component: lazyRouteComponent(() => import('./audit-log/audit-log-page.js'), 'AuditLogPage'),
});

export const notificationsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'notifications',
  validateSearch: searchOf({ status: many, channel: many, userId: many, notification: one }),
  component: lazyRouteComponent(() => import('./notifications/notifications-page.js'), 'NotificationsPage'),
});

export const mailRecipientsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'mail-recipients',
  validateSearch: searchOf({ status: many, recipient: one, add: one }),
  beforeLoad: requireMay('listMailRecipients'),
  component: lazyRouteComponent(() => import('./mail-recipients/mail-recipients-page.js'), 'MailRecipientsPage'),
});

const organizationRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'organization',
  component: lazyRouteComponent(() => import('./organization/organization-page.js'), 'OrganizationPage'),
});

const statusRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: 'status',
  component: lazyRouteComponent(() => import('./status/status-page.js'), 'StatusPage'),
});

export const settingsRoutes = [
  settingsRoute.addChildren([
    settingsIndexRoute,
    profileRoute,
    membersRoute,
    apiKeysRoute,
    newApiKeyRoute,
    auditLogRoute,
    notificationsRoute,
    mailRecipientsRoute,
    organizationRoute,
    statusRoute,
  ]),
] as const;
