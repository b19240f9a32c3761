/** Members in the settings, in a real browser. */
import { publicId, uuidOf } from '@ams/contracts';
import type { Organization } from '../system.js';
import { openDashboard, type Dashboard } from './dashboard.js';

let dashboard: Dashboard;
let acme: Organization;

beforeAll(async () => {
  dashboard = await openDashboard();
  acme = await dashboard.system.organization();
});
afterAll(() => dashboard?.close());

it('a member is deleted after a question, when no schedule names the member any more', async () => {
  const [row] = await dashboard.system.sql<{ id: string }>(
    `INSERT INTO auth.members (id, organization_id, name, email, role, status)
     VALUES (gen_random_uuid(), $1, 'Bob Ray', $2, 'responder', 'active') RETURNING id`,
    [uuidOf('organization', acme.id), `${crypto.randomUUID()}@example.com`],
  );
  const id = publicId('member', row?.id ?? '');
  const schedule = await acme.api.post<{ data: { id: string } }>('/api/v1/schedules', {
    name: 'Nights',
    timezone: 'UTC',
    layers: [{ members: [id] }],
  });
  const { page, barriers, complaints } = await dashboard.signIn(acme);
  await page.goto(`/settings/members?member=${id}`);
  const drawer = page.getByRole('dialog', { name: 'Bob Ray', exact: true });
  const question = page.getByRole('dialog', { name: 'Delete Bob Ray?' });

  await drawer.getByRole('button', { name: 'Delete' }).click();
  expect(await barriers()).toEqual([]);
  await question.getByRole('button', { name: 'Delete' }).click();
  const refusal = page.getByRole('dialog', { name: 'Bob Ray was not deleted.' });
  await refusal.getByText('schedule: Nights').waitFor();
  await refusal.getByRole('button', { name: 'Close' }).last().click();
  await refusal.waitFor({ state: 'detached' });

  expect((await acme.api.delete(`/api/v1/schedules/${schedule.body.data.id}`)).status).toBe(204);
  await drawer.getByRole('button', { name: 'Delete' }).click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Bob Ray is deleted.').waitFor();
  await drawer.waitFor({ state: 'detached' });
  expect((await acme.api.get(`/api/v1/users/${id}`)).status).toBe(404);
  expect(complaints.filter((text) => !text.includes('409'))).toEqual([]);
});
