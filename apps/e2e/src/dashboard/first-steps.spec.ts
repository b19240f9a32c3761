/** The first minutes with the dashboard, in a real browser: in, a test alert, taken, the alerts of a sender. */
import { eventually } from '@ams/testing';
import type { Organization } from '../system.js';
import { openDashboard, type Dashboard } from './dashboard.js';
import type { Visitor } from './visitor.js';

let dashboard: Dashboard;
let acme: Organization;
let owner: Visitor;

beforeAll(async () => {
  dashboard = await openDashboard();
  acme = await dashboard.system.organization();
  owner = await dashboard.visit();
});
afterAll(() => dashboard?.close());

const heading = (name: string) => owner.page.getByRole('heading', { level: 1, name });

it('a link of the operator opens it signed in, once', async () => {
  const link = await dashboard.system.signInLink(acme, dashboard.baseUrl);
  await owner.page.goto(link);
  await heading('Now').waitFor();
  expect(new URL(owner.page.url()).hash).toBe('');

  const other = await dashboard.visit();
  await other.page.goto(link);
  await other.page.getByText('This link cannot be used any more').waitFor();
  await other.close();
});

it('a test alert goes its whole way, and the incident appears and is taken', async () => {
  const { page } = owner;
  await page.getByRole('button', { name: 'Send a test alert' }).click();
  for (const step of ['Request', 'Mapping', 'Alert', 'Incident', 'Page', 'Mail'])
    await page.locator('li[data-state="done"]', { has: page.getByText(step, { exact: true }) }).waitFor();
  await page
    .getByRole('button', { name: '1 new' })
    .or(page.getByRole('link', { name: '#1' }))
    .first()
    .waitFor();
  if (await page.getByRole('button', { name: '1 new' }).isVisible())
    await page.getByRole('button', { name: '1 new' }).click();
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await page.getByText('You have it').or(page.getByText('Owner has it')).first().waitFor();

  const { body } = await acme.api.get<{ data: { number: number; acknowledgedBy: unknown }[] }>('/api/v1/incidents');
  expect(body.data).toMatchObject([{ number: 1, acknowledgedBy: { type: 'user', name: 'Owner' } }]);
});

it('an alert of a sender appears in the list without loading it again', async () => {
  const { page } = owner;
  const sender = await acme.integration();
  // The dashboard waits 1.2 s for the second key. On a busy machine it may come later.
  await eventually(async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await heading('Alerts').waitFor({ timeout: 5000 });
  });
  await page.getByRole('row').filter({ hasText: 'Test alert' }).waitFor();
  const hostile = '<img src=x onerror=alert(1)> \u202e drow';
  await sender.fire({ title: hostile, severity: 'high' });
  await page.getByText(hostile).first().waitFor();
});

it.each(['light', 'dark'] as const)('has no barriers in %s colours, and breaks no policy', async (colorScheme) => {
  const { page } = owner;
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  const found: Record<string, string[]> = {};
  for (const path of ['/', '/alerts']) {
    await page.goto(path);
    await page.locator('#content h1').waitFor();
    await page.locator('[role="status"][aria-label="Loading"]').first().waitFor({ state: 'detached' });
    found[path] = await owner.barriers();
  }
  expect(found).toEqual({ '/': [], '/alerts': [] });
  expect(owner.complaints).toEqual([]);
});
