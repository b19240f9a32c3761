/** Alerts in a real browser: they appear by themselves, and are acknowledged by keys, one and many. */
import type { Alert } from '@ams/contracts';
import { eventually } from '@ams/testing';
import type { Page } from 'playwright-core';
import type { Organization, Sender } from '../system.js';
import { openDashboard, type Dashboard } from './dashboard.js';

let dashboard: Dashboard;
let acme: Organization;
let sender: Sender;
let page: Page;

beforeAll(async () => {
  dashboard = await openDashboard();
  acme = await dashboard.system.organization();
  sender = await acme.integration();
  ({ page } = await dashboard.signIn(acme));
});
afterAll(() => dashboard?.close());

const open = (path: string) => page.goto(path);
const row = (title: string) => page.getByRole('row').filter({ has: page.getByText(title, { exact: true }) });

async function stored(source: string): Promise<Alert[]> {
  return acme.alerts({ source, limit: '100' });
}

it('shows a new alert without reloading, and acknowledges it by keys as the member', async () => {
  const source = crypto.randomUUID();
  await open(`/alerts?source=${source}`);
  await page.getByText('Nothing has these filters.').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await sender.fire({ title: 'High CPU <b>now</b>', severity: 'critical', source, labels: { region: 'eu' } });
  await row('High CPU <b>now</b>').waitFor();

  await page.keyboard.press('j');
  await page.keyboard.press('a');
  await row('High CPU <b>now</b>').getByText('Acknowledged').filter({ visible: true }).first().waitFor();
  await eventually(async () =>
    expect(await stored(source)).toMatchObject([{ status: 'acknowledged', acknowledgedBy: { type: 'user' } }]),
  );

  await page.keyboard.press('o');
  const panel = page.getByRole('region', { name: 'Open alert' });
  await panel.getByRole('heading', { name: 'High CPU <b>now</b>' }).waitFor();
  await panel.getByRole('button', { name: 'region eu' }).waitFor();
  await page.keyboard.press('e');
  await panel.getByText('A request of the sender: it opened the alert').waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
});

it('assigns and resolves the selected alerts, each with one request, and says how many', async () => {
  const source = crypto.randomUUID();
  const events = Array.from({ length: 12 }, (_, i) => ({ title: `Disk ${i}`, source, fingerprint: `${source}-${i}` }));
  for (const event of events) await sender.fire({ ...event, severity: 'low' });
  await open(`/alerts?source=${source}`);
  await row('Disk 11').waitFor();
  await page.getByRole('checkbox', { name: 'Select Alerts' }).click();
  await page.getByText('12 alerts selected').waitFor();
  const bar = page.getByRole('region', { name: 'Selected alerts' });
  const changes: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') changes.push(new URL(request.url()).pathname);
  });
  await bar.getByRole('button', { name: 'Assign' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Assignee' }).click();
  await page.getByRole('option').first().click();
  await dialog.getByRole('button', { name: 'Assign' }).click();
  await page.getByText('The assignee of 12 alerts was changed.').waitFor();
  expect(changes).toEqual(['/api/v1/alerts/bulk']);
  expect((await stored(source)).filter(({ assigneeId }) => assigneeId !== null)).toHaveLength(12);

  await page.getByRole('checkbox', { name: 'Select Alerts' }).click();
  await bar.getByRole('button', { name: 'Resolve', exact: true }).click();
  await page.getByText('12 alerts resolved.').waitFor();
  await eventually(async () =>
    expect((await stored(source)).map(({ status }) => status)).toEqual(Array(12).fill('resolved')),
  );
});
