/** Every page of the dashboard: no barriers in both colour schemes, and hostile words on screens of three widths. */
import { faultsOf, faultyPages } from '../dashboard/appearance.js';
import { openDashboard, type Dashboard } from '../dashboard/dashboard.js';
import { furnish } from '../dashboard/furnished.js';
import { hostileWords } from '../dashboard/hostile-words.js';

let dashboard: Dashboard;

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard?.close());

it('axe finds nothing, light and dark', async () => {
  const words = { name: 'Payments', title: 'Checkout is slow', text: 'Since noon.' };
  const { organization, pages } = await furnish(dashboard.system, words);
  const visitor = await dashboard.signIn(organization);
  for (const colorScheme of ['light', 'dark'] as const) {
    await visitor.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect({ colorScheme, ...(await faultyPages(visitor, pages, () => visitor.barriers())) }).toEqual({ colorScheme });
  }
  expect(visitor.complaints).toEqual([]);
});

it.each([
  ['a phone', { viewport: { width: 390, height: 844 } }],
  ['a screen at 200 %', { viewport: { width: 800, height: 450 }, deviceScaleFactor: 2 }],
  ['a wide screen', { viewport: { width: 1600, height: 900 } }],
])('no page is broken by hostile words on %s', async (_what, options) => {
  const { organization, pages } = await furnish(dashboard.system, hostileWords);
  const visitor = await dashboard.signIn(organization, options);
  const dialogs: string[] = [];
  visitor.page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  expect(await faultyPages(visitor, pages, faultsOf)).toEqual({});
  expect(dialogs).toEqual([]);
  expect(visitor.complaints).toEqual([]);
});
