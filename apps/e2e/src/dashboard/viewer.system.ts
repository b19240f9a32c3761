/** A viewer in a real browser sees every page, and is offered nothing that the API would refuse. */
import { openDashboard, type Dashboard } from './dashboard.js';
import { furnish, type Furnished } from './furnished.js';

let dashboard: Dashboard;
let furnished: Furnished;

beforeAll(async () => {
  dashboard = await openDashboard();
  furnished = await furnish(dashboard.system, { name: 'Payments', title: 'Checkout is slow', text: 'Since noon.' });
});
afterAll(() => dashboard?.close());

/** What changes something for others. What a viewer may do: own views, own profile, questions, tests without effect. */
const acts =
  /^(?:Acknowledge|Resolve|Reopen|Snooze|Hand over|Escalate|Assign|Silence|Override|Swap|Save|Delete|Disable|Enable|Invite|Revoke|Rotate|Create|Add |Edit|End now|Send a test|Make the|Change)/;

it('opens every page without a refusal, and finds no button that changes something', async () => {
  const viewer = await dashboard.signIn(furnished.organization, { email: furnished.viewer });
  const { page } = viewer;
  const offered: Record<string, string[]> = {};
  for (const path of furnished.pages.filter((each) => each !== '/settings/profile')) {
    await viewer.open(path);
    const buttons = page.locator('#content, [role="dialog"]').getByRole('button', { name: acts, disabled: false });
    const links = page.locator('#content').getByRole('link', { name: /^(?:New |Invite|Add|Edit|Create)/ });
    const names = [...(await buttons.allInnerTexts()), ...(await links.allInnerTexts())];
    if (names.length > 0) offered[path] = names;
  }
  expect(offered).toEqual({});
  expect(viewer.refusals).toEqual([]);
  expect(viewer.complaints).toEqual([]);
});
