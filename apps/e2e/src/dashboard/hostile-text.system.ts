/** Hostile and endless words in a real browser, on a phone: shown as text, and no page is wider than the screen. */
import { faultsOf, faultyPages } from './appearance.js';
import { openDashboard, type Dashboard } from './dashboard.js';
import { furnish, type Furnished } from './furnished.js';
import { hostileWords } from './hostile-words.js';

let dashboard: Dashboard;
let furnished: Furnished;

beforeAll(async () => {
  dashboard = await openDashboard();
  furnished = await furnish(dashboard.system, hostileWords);
});
afterAll(() => dashboard?.close());

it('is shown as text on every page, and breaks none', async () => {
  const { organization, alertTitle, incidentNumber, pages } = furnished;
  const visitor = await dashboard.signIn(organization, { viewport: { width: 390, height: 844 } });
  const { page } = visitor;
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  expect(await faultyPages(visitor, pages, faultsOf)).toEqual({});
  await visitor.open(`/incidents/${incidentNumber}`);
  await page.getByText(alertTitle.slice(0, 60)).first().waitFor();
  expect(dialogs).toEqual([]);
  expect(visitor.complaints).toEqual([]);
});

it('skips to the content, shows the shortcuts and finds by keys; the focus comes back from the dialog', async () => {
  const { page } = await dashboard.signIn(furnished.organization, {
    viewport: { width: 800, height: 450 },
    deviceScaleFactor: 2,
  });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('content');
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.id')).toBe('content');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('textbox').or(page.getByRole('searchbox')).fill('<img src=x');
  await page.getByRole('button', { name: 'Alerts with “<img src=x”' }).click();
  await page.waitForURL(/\/alerts\?q=/);
  await page.getByRole('row').filter({ hasText: '<img src=x' }).first().waitFor();
});
