/** The story of an incident in a real browser: who was told, what comes next, and taking it. */
import { publicId, uuidOf, type EscalationPolicy, type Incident } from '@ams/contracts';
import { eventually } from '@ams/testing';
import type { One, Organization } from '../system.js';
import { openDashboard, type Dashboard } from './dashboard.js';

let dashboard: Dashboard;
let acme: Organization;

beforeAll(async () => {
  dashboard = await openDashboard();
  acme = await dashboard.system.organization();
});
afterAll(() => dashboard?.close());

async function member(name: string): Promise<string> {
  const email = `${crypto.randomUUID()}@example.com`;
  const [row] = await dashboard.system.sql<{ id: string }>(
    `INSERT INTO auth.members (id, organization_id, name, email, role, status)
     VALUES (gen_random_uuid(), $1, $2, $3, 'responder', 'active') RETURNING id`,
    [uuidOf('organization', acme.id), name, email],
  );
  return publicId('member', row?.id ?? '');
}

async function made<T>(path: string, body: unknown): Promise<T> {
  const answer = await acme.api.post<One<T>>(`/api/v1${path}`, body);
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

const user = (id: string) => ({ type: 'user', id });

it('shows who was told and what comes next, and can be taken and given back', async () => {
  const [ada, bob] = [await member('Ada Lund'), await member('Bob Ray')];
  const policy = await made<EscalationPolicy>('/escalation-policies', {
    name: 'Payments',
    levels: [{ targets: [user(ada)], escalateAfterSeconds: 86_400 }, { targets: [user(bob)] }],
  });
  const { id, number } = await made<Incident>('/incidents', {
    title: 'Checkout is slow',
    severity: 'critical',
    policyId: policy.id,
  });
  const { page, barriers } = await dashboard.signIn(acme);
  await page.goto(`/incidents/${number}`);
  await page.getByRole('heading', { name: `#${number} Checkout is slow` }).waitFor();
  await page.getByRole('list', { name: 'Who was told' }).getByText('Ada Lund').first().waitFor();
  await page.getByText('Level 2 is paged in').waitFor();
  await page.getByRole('list', { name: 'Levels of the escalation policy' }).getByText('Bob Ray').waitFor();
  await page.getByText('Level 1 was paged').waitFor();
  expect(await barriers()).toEqual([]);

  const status = async (): Promise<string> =>
    (await acme.api.get<One<Incident>>(`/api/v1/incidents/${id}`)).body.data.status;
  await page.keyboard.press('a');
  await page.getByText('Nobody is paged while somebody works on it.').waitFor();
  await eventually(async () => expect(await status()).toBe('acknowledged'));
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Nobody has it').waitFor();
  await eventually(async () => expect(await status()).toBe('triggered'));

  // Whoever needs help is shown who will be told; another incident of the same cause is merged into this one.
  await page.keyboard.press('u');
  const escalate = page.getByRole('dialog', { name: `Escalate incident ${number} now` });
  await escalate.getByText('Level 2 is told at once: Bob Ray').waitFor();
  // What the API does not take stays in the dialog.
  await escalate.getByLabel('What do they need to know').fill('Ada does not answer');
  await page.route('**/escalate', (route) => route.abort(), { times: 1 });
  await escalate.getByRole('button', { name: 'Escalate now' }).click();
  await page.getByText(`Incident ${number} could not be changed`).waitFor();
  expect(await escalate.getByLabel('What do they need to know').inputValue()).toBe('Ada does not answer');
  await escalate.getByRole('button', { name: 'Escalate now' }).click();
  await page.getByText('Level 2 was paged').waitFor();
  await escalate.waitFor({ state: 'hidden' });
  const other = await made<Incident>('/incidents', { title: 'Payments fail', severity: 'high' });
  await page.keyboard.press('m');
  const merge = page.getByRole('dialog', { name: `Merge others into incident ${number}` });
  await merge.getByRole('combobox').fill('Payments');
  await page.getByRole('option', { name: `#${other.number} Payments fail` }).click();
  await merge.getByRole('button', { name: 'Merge' }).click();
  await page.getByText('merged another incident into it').waitFor();
  await page.goto(`/incidents/${other.number}`);
  await page.getByRole('link', { name: 'the incident that has its alerts' }).click();
  await page.getByRole('heading', { name: `#${number} Checkout is slow` }).waitFor();
});

it('a record that does not exist says so, and leads to its list', async () => {
  const visitor = await dashboard.signIn(acme);
  const { page } = visitor;
  await visitor.open(`/clients/${publicId('client', crypto.randomUUID())}`);
  await page.getByRole('alert').getByText('This does not exist, or not in this environment.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Clients' }).waitFor();
  await page.getByRole('link', { name: 'Go to the list' }).click();
  await page.waitForURL(/\/clients(\?.*)?$/);
});
