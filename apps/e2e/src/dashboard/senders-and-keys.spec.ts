/** Keys and senders in a real browser: made, used as the page says, seen at work, and ended. */
import { eventually } from '@ams/testing';
import type { Page } from 'playwright-core';
import type { Organization } from '../system.js';
import { openDashboard, type Dashboard } from './dashboard.js';
import type { Visitor } from './visitor.js';

let dashboard: Dashboard;
let acme: Organization;
let owner: Visitor;
let page: Page;

beforeAll(async () => {
  dashboard = await openDashboard();
  acme = await dashboard.system.organization();
  owner = await dashboard.signIn(acme);
  ({ page } = owner);
});
afterAll(() => dashboard?.close());

const statusWith = async (key: string): Promise<number> =>
  (await fetch(`${dashboard.baseUrl}/api/v1/alerts`, { headers: { authorization: `Bearer ${key}` } })).status;

it('an API key is shown once, works, and stops when it is revoked', async () => {
  await owner.open('/settings/api-keys/new');
  await page.getByRole('textbox', { name: 'Name' }).fill('on-call bot');
  await page.getByRole('button', { name: 'Create the key' }).click();
  await page.getByText('Choose at least one scope.').waitFor();
  await page.getByText('Reading', { exact: true }).click();
  await page.getByRole('button', { name: 'Create the key' }).click();
  await page.getByText('The key is shown only now.').waitFor();
  const key = await page.getByRole('region', { name: 'API key' }).innerText();
  expect(await statusWith(key)).toBe(200);

  await page.getByRole('link', { name: 'I have copied it' }).click();
  const row = page.getByRole('row').filter({ hasText: 'on-call bot' });
  await row.waitFor();
  expect(await page.content()).not.toContain(key);
  await row.getByText('on-call bot').first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog', { name: 'Revoke on-call bot?' }).getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('on-call bot is revoked.').waitFor();
  await eventually(async () => expect(await statusWith(key)).toBe(401));
});

it('a sender is made; its first request and the alert appear by themselves', async () => {
  await owner.open('/integrations/new?type=generic');
  await page.getByRole('textbox', { name: 'Name' }).fill('Backups');
  await page.getByRole('button', { name: 'Create the integration' }).click();
  await page.getByText('Waiting for the first request…').waitFor();
  const { pathname } = new URL(await page.getByRole('region', { name: 'Ingest URL' }).innerText());
  const posted = await fetch(new URL(pathname, dashboard.system.address.ingestGateways[0]), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Backup is late', severity: 'high', host: 'db-1' }),
  });
  expect(posted.status).toBe(202);
  await page.getByText('The first request has arrived.').waitFor();
  await page.getByRole('link', { name: 'Open the integration' }).click();
  await page.getByRole('link', { name: 'Mapping' }).click();
  // The preview shows what becomes of the payload that has arrived.
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByText('Backup is late').first().waitFor();
  await page.getByRole('button', { name: 'Add a label' }).click();
  await page.getByRole('textbox', { name: 'Label' }).last().fill('site');
  await page.getByRole('textbox', { name: 'Value' }).last().fill('Oslo');
  await page.getByRole('button', { name: 'Save the mapping' }).click();
  await preview.getByText('Oslo').first().waitFor();
  await page.getByRole('link', { name: 'Alerts', exact: true }).last().click();
  await page.getByRole('row').filter({ hasText: 'Backup is late' }).waitFor();
});

it('the audit log says who did it, and filters', async () => {
  await owner.open('/settings/audit-log');
  await page.getByRole('row').filter({ hasText: 'API key' }).first().waitFor();
  await page
    .getByRole('combobox', { name: 'Actions' })
    .or(page.getByRole('textbox', { name: 'Actions' }))
    .click();
  await page.getByRole('option', { name: 'Integration updated' }).click();
  await page.keyboard.press('Escape');
  await page.waitForURL(/type=integration\.updated/);
  await page.getByRole('row').filter({ hasText: 'Integration' }).first().waitFor();
  await page.getByRole('row').filter({ hasText: 'API key' }).first().waitFor({ state: 'detached' });
  await page.getByRole('row').filter({ hasText: 'Integration' }).first().click();
  await page.getByRole('dialog').getByText('Owner').first().waitFor();
  expect(owner.complaints).toEqual([]);
});
