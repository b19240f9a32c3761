// The pages of the pictures. `found` has the records of the demo data; without them it is an empty organization.

/* global document -- these run in the page */

/** The machine may be busy. */
export const patienceMs = 120_000;

/** The page has what it shows: no skeleton is left, and nothing is asked for. */
export async function settled(page) {
  await page.waitForLoadState('load');
  await page.waitForFunction(() => document.querySelector('h1, [role="alert"]') !== null, undefined, {
    timeout: patienceMs,
  });
  await page
    .waitForFunction(() => document.querySelector('[aria-busy="true"], .mantine-Skeleton-root') === null, undefined, {
      timeout: patienceMs,
    })
    .catch(() => undefined);
  await page.waitForTimeout(400);
}

const click = (role, name) => async (page) => {
  await page.getByRole(role, { name }).first().click();
  await page.waitForTimeout(600);
};

export const pages = (found) => [
  { name: 'now', path: '/' },
  { name: 'palette', path: '/', act: (page) => page.keyboard.press('Control+k') },
  { name: 'shortcuts', path: '/', act: (page) => page.keyboard.press('?') },
  { name: 'incidents', path: '/incidents' },
  ...(found.incident
    ? [
        { name: 'incident', path: `/incidents/${found.incident}` },
        { name: 'incident-resolved', path: `/incidents/${found.resolved}` },
      ]
    : []),
  { name: 'alerts', path: '/alerts' },
  ...(found.alert
    ? [
        { name: 'alert', path: `/alerts?alert=${found.alert}` },
        { name: 'alert-why', path: `/alerts?alert=${found.alert}&tab=why` },
        { name: 'alerts-filtered', path: '/alerts?status=firing&severity=critical,high' },
      ]
    : []),
  { name: 'on-call', path: '/on-call' },
  { name: 'on-call-month', path: '/on-call?view=month' },
  ...(found.schedule ? [{ name: 'schedule', path: `/schedules/${found.schedule}` }] : []),
  { name: 'policies', path: '/policies' },
  ...(found.policy ? [{ name: 'policy', path: `/policies/${found.policy}` }] : []),
  { name: 'new-policy', path: '/policies', act: click('button', 'New policy') },
  { name: 'teams', path: '/teams' },
  ...(found.team ? [{ name: 'team', path: `/teams/${found.team}` }] : []),
  { name: 'routing', path: '/routing' },
  ...(found.team ? [{ name: 'routing-answer', path: '/routing?label=team:payments&severity=critical' }] : []),
  { name: 'integrations', path: '/integrations' },
  { name: 'new-integration', path: '/integrations/new' },
  ...(found.integration
    ? [
        { name: 'integration-requests', path: `/integrations/${found.integration}` },
        { name: 'integration-mapping', path: `/integrations/${found.integration}?tab=mapping` },
        { name: 'integration-settings', path: `/integrations/${found.integration}?tab=settings` },
      ]
    : []),
  { name: 'workflows', path: '/workflows' },
  { name: 'new-workflow', path: '/workflows/new' },
  ...(found.workflow
    ? [
        { name: 'workflow', path: `/workflows/${found.workflow}` },
        { name: 'workflow-runs', path: `/workflows/${found.workflow}?tab=runs` },
        { name: 'workflow-test', path: `/workflows/${found.workflow}?tab=test` },
      ]
    : []),
  { name: 'suppression', path: '/suppression' },
  { name: 'suppression-week', path: '/suppression?view=week' },
  { name: 'suppression-month', path: '/suppression?view=month' },
  { name: 'new-window', path: '/suppression/new' },
  ...(found.window ? [{ name: 'window', path: `/suppression?window=${found.window}` }] : []),
  { name: 'clients', path: '/clients' },
  ...(found.client ? [{ name: 'client', path: `/clients/${found.client}` }] : []),
  { name: 'profile', path: '/settings/profile' },
  { name: 'members', path: '/settings/members' },
  { name: 'api-keys', path: '/settings/api-keys' },
  { name: 'new-api-key', path: '/settings/api-keys/new' },
  { name: 'audit-log', path: '/settings/audit-log' },
  { name: 'notifications', path: '/settings/notifications' },
  { name: 'mail-recipients', path: '/settings/mail-recipients' },
  { name: 'new-mail-recipient', path: '/settings/mail-recipients?add=address' },
  { name: 'status', path: '/settings/status' },
  { name: 'organization', path: '/settings/organization' },
  { name: 'sign-in', path: '/sign-in', signedOut: true },
];

/** What README.md and docs/dashboard.md show. */
export const documentPages = (found) => [
  { name: 'now', path: '/', size: [1280, 760] },
  { name: 'incident', path: `/incidents/${found.incident}`, size: [1280, 860] },
  { name: 'alerts', path: `/alerts?alert=${found.alert}`, size: [1400, 800] },
  { name: 'on-call', path: '/on-call', size: [1280, 700] },
  { name: 'policy', path: `/policies/${found.policy}`, size: [1280, 760] },
  { name: 'workflow', path: `/workflows/${found.workflow}`, size: [1280, 860] },
  { name: 'suppression', path: '/suppression?view=week', size: [1280, 560] },
  { name: 'phone', path: '/', size: [390, 760] },
];
