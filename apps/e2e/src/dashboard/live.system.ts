/** The dashboard follows the service: in two tabs, while the gateway restarts, and without a network. */
import type { Incident } from '@ams/contracts';
import { eventually } from '@ams/testing';
import type { Page } from 'playwright-core';
import type { One, Organization, Sender } from '../system.js';
import { openDashboard, type Dashboard } from './dashboard.js';
import type { Visitor } from './visitor.js';

let dashboard: Dashboard;
let acme: Organization;
let sender: Sender;
let owner: Visitor;

beforeAll(async () => {
  dashboard = await openDashboard();
  acme = await dashboard.system.organization();
  sender = await acme.integration();
  owner = await dashboard.signIn(acme);
});
afterAll(() => dashboard?.close());

const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });
const shows = (page: Page, title: string, state: string) =>
  row(page, title).getByText(state).filter({ visible: true }).first().waitFor();

it('what is acknowledged in one tab shows in the other; both have one connection', async () => {
  const source = crypto.randomUUID();
  const first = owner.page;
  const context = first.context();
  await first.getByText('Live', { exact: true }).waitFor(); // the connection of the page before
  const streams: string[] = [];
  context.on('request', (request) => {
    if (request.url().endsWith('/api/v1/stream')) streams.push(request.url());
  });
  await sender.fire({ title: 'Disk is full', severity: 'high', source });
  await first.goto(`/alerts?source=${source}`);
  const second = await context.newPage();
  await second.goto(`/alerts?source=${source}`);
  await row(second, 'Disk is full').waitFor();
  await Promise.all([first, second].map((page) => page.getByText('Live', { exact: true }).waitFor()));

  await first.bringToFront();
  await first.keyboard.press('j');
  await first.keyboard.press('a');
  await shows(first, 'Disk is full', 'Acknowledged');
  await shows(second, 'Disk is full', 'Acknowledged');
  expect(streams).toHaveLength(1);
  // The tab with the connection is closed: the other one goes on.
  await first.goto('about:blank');
  await second.getByText('Live', { exact: true }).waitFor();
  await sender.fire({ title: 'CPU is high', severity: 'high', source, fingerprint: `${source}-2` });
  await second.getByRole('button', { name: '1 new' }).or(row(second, 'CPU is high')).first().waitFor();
  await second.close();
});

it('a draft stays while another tab changes the incident, and while it cannot be read again', async () => {
  const { body } = await acme.api.post<One<Incident>>('/api/v1/incidents', { title: 'Orders fail', severity: 'high' });
  const { id, number } = body.data;
  const [first, second] = [owner.page, await owner.page.context().newPage()];
  await Promise.all([first, second].map((page) => page.goto(`/incidents/${number}`)));
  await Promise.all([first, second].map((page) => page.getByText('Live', { exact: true }).waitFor()));
  await first.getByRole('button', { name: 'Add a note' }).click();
  const note = first.getByRole('dialog').getByRole('textbox', { name: 'Note' });
  await note.fill('The orders of the last hour are');

  await second.getByRole('button', { name: 'Acknowledge' }).click();
  await first.getByText('Acknowledged', { exact: true }).first().waitFor();
  expect(await note.inputValue()).toBe('The orders of the last hour are');

  // The event does not have the summary, so the incident is read again. The last attempt fails, too.
  let refused = 0;
  await first.route(`**/api/v1/incidents/${id}`, async (route) => {
    if (route.request().method() === 'GET') refused++;
    return route.fulfill({ status: 503, contentType: 'application/json', body: '{}' });
  });
  await acme.api.put(`/api/v1/incidents/${id}`, { summary: 'Since the deploy of 14:02' });
  await eventually(() => Promise.resolve(expect(refused).toBeGreaterThanOrEqual(4)));
  await note.pressSequentially(' lost');
  const send = first.getByRole('dialog').getByRole('button', { name: 'Add a note' });
  await send.click();
  await first.getByText('The server answered 503.').first().waitFor();
  expect(await note.inputValue()).toBe('The orders of the last hour are lost');
  await first.unroute(`**/api/v1/incidents/${id}`);
  await send.click();
  await second.getByText('The orders of the last hour are lost').waitFor();
  await second.close();
});

it('says that the gateway cannot be reached, comes back, and shows what happened meanwhile', async () => {
  const { page } = owner;
  const source = crypto.randomUUID();
  await page.goto(`/alerts?source=${source}`);
  await page.getByText('Nothing has these filters.').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await dashboard.system.restartGateway(async () => {
    await page.getByText(/^As of .* reconnecting…$/).waitFor();
    await sender.fire({ title: 'Meanwhile', severity: 'high', source });
  });
  await page.getByText('Live', { exact: true }).waitFor();
  await row(page, 'Meanwhile').waitFor();
});

it('without a network there is a page that says so', async () => {
  const { page, complaints } = owner;
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await page.context().setOffline(true);
  await page.goto('/incidents');
  await page.getByRole('heading', { name: 'No connection' }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Incidents' }).waitFor();
  expect(complaints.filter((text) => !text.includes('ERR_'))).toEqual([]);
});
