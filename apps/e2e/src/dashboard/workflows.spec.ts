/** Workflows and suppression in a real browser: why a workflow would not run, and what a silence hides. */
import { eventually } from '@ams/testing';
import type { Organization, Sender } from '../system.js';
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

const hostile = '<b onmouseover=alert(1)>Nightly</b> \u202e drow';

it('a test with a pasted payload shows which condition failed', async () => {
  const { page } = owner;
  const made = await acme.api.post<{ data: { id: string } }>('/api/v1/workflows', {
    name: hostile,
    trigger: { events: ['alert.created'] },
    conditions: {
      all: [
        { field: 'severity', op: 'gte', value: 'high' },
        { field: 'labels.env', op: 'eq', value: 'staging' },
      ],
    },
    steps: [{ id: 'label', type: 'addLabels', params: { labels: { seen: 'yes' } } }],
  });
  expect(made.status).toBe(201);
  await page.goto(`/workflows/${made.body.data.id}?tab=test`);
  await page.getByRole('heading', { level: 1, name: hostile }).waitFor();
  await page.getByText('A payload', { exact: true }).click();
  await page.getByLabel('Payload as JSON').waitFor();
  await page.getByRole('button', { name: 'Test it' }).click();
  await page.getByText('It would not run').waitFor();
  await page.getByText(/What failed: label .*env/).waitFor();
  const failed = page.locator('li[data-result="failed"]').filter({ hasText: 'staging' }).last();
  expect(await failed.innerText()).toMatch(/failed[\s\S]*production/);
  expect(await page.locator('li[data-result="held"]').innerText()).toContain('severity is at least high');
  expect(await owner.barriers()).toEqual([]);
  expect(owner.complaints).toEqual([]);
});

it('silence from an alert says what it hides, and hides it', async () => {
  const { page } = owner;
  const source = crypto.randomUUID();
  await sender.fire({ title: 'Disk is full', severity: 'high', source, fingerprint: source, labels: { host: 'db-1' } });
  await sender.fire({ title: 'CPU is high', severity: 'high', source, fingerprint: `${source}-2` });
  const all = () => acme.alerts({ source, limit: '10' });
  await eventually(async () => expect(await all()).toHaveLength(2));

  await owner.open(`/alerts?source=${source}&q=Disk`);
  await page.getByRole('row').filter({ hasText: 'Disk is full' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('o');
  await page.getByRole('region', { name: 'Open alert' }).getByRole('heading', { name: 'Disk is full' }).waitFor();
  await page.keyboard.press('s');
  const hidden = page.getByRole('complementary', { name: 'It would hide these now' });
  await hidden.getByText('1 open alert').waitFor();
  await hidden.getByText('Disk is full').waitFor();
  expect(await hidden.getByText('CPU is high').count()).toBe(0);
  expect(await owner.barriers()).toEqual([]);
  await page.getByRole('button', { name: 'Silence', exact: true }).click();

  const drawer = page.getByRole('dialog');
  await drawer.getByText('Active', { exact: true }).waitFor();
  await eventually(async () =>
    expect((await all()).map(({ title, status }) => `${title}: ${status}`).sort()).toEqual([
      'CPU is high: firing',
      'Disk is full: suppressed',
    ]),
  );
  await drawer.getByRole('button', { name: 'End now' }).click();
  await eventually(async () => expect((await all()).map(({ status }) => status)).toEqual(['firing', 'firing']));
  expect(owner.complaints).toEqual([]);
});
