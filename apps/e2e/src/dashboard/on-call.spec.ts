/** On-call and routing in a real browser: what a person draws, asks and mends, as the API then answers it. */
import { publicId, uuidOf, type CurrentOnCall, type Schedule, type ScheduleOverride } from '@ams/contracts';
import { eventually } from '@ams/testing';
import type { Page } from 'playwright-core';
import type { List, One, Organization } from '../system.js';
import { openDashboard, type Dashboard } from './dashboard.js';

let dashboard: Dashboard;
let acme: Organization;
let page: Page;
let ada: string;

beforeAll(async () => {
  dashboard = await openDashboard();
  acme = await dashboard.system.organization();
  ada = await member('Ada Lund');
  ({ page } = await dashboard.signIn(acme, { timezoneId: 'UTC', viewport: { width: 1440, height: 900 } }));
});
afterAll(() => dashboard?.close());

async function member(name: string): Promise<string> {
  const [row] = await dashboard.system.sql<{ id: string }>(
    `INSERT INTO auth.members (id, organization_id, name, email, role, status)
     VALUES (gen_random_uuid(), $1, $2, $3, 'responder', 'active') RETURNING id`,
    [uuidOf('organization', acme.id), name, `${crypto.randomUUID()}@example.com`],
  );
  return publicId('member', row?.id ?? '');
}

async function made<T extends { id: string }>(path: string, body: unknown): Promise<T> {
  const answer = await acme.api.post<One<T>>(`/api/v1${path}`, body);
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

const overridesOf = async (id: string): Promise<ScheduleOverride[]> =>
  (await acme.api.get<One<Schedule>>(`/api/v1/schedules/${id}`)).body.data.overrides;

it('makes an override of the time that is drawn with the pointer', async () => {
  const bob = await member('Bob Ray');
  const name = `Drawn ${crypto.randomUUID()}`;
  const { id } = await made<Schedule>('/schedules', { name, timezone: 'UTC', layers: [{ members: [ada] }] });
  await page.goto(`/on-call?view=month&at=2027-03-01&zone=UTC`);
  const track = page.getByRole('group', { name: `Shifts of ${name}` });
  await track
    .getByRole('button', { name: /Ada Lund/ })
    .first()
    .waitFor();
  const box = await track.boundingBox();
  if (!box) throw new Error('the shifts are not on the screen');
  const atDay = (day: number): number => box.x + (box.width * day) / 31;
  const y = box.y + box.height / 2;
  await page.mouse.move(atDay(10), y);
  await page.mouse.down();
  await page.mouse.move(atDay(11), y, { steps: 4 });
  await page.mouse.move(atDay(12), y, { steps: 4 });
  await page.mouse.up();

  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Who is on call instead' }).click();
  await page.getByRole('option', { name: 'Bob Ray' }).click();
  await dialog.getByRole('button', { name: 'Override', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });

  const [override] = await overridesOf(id);
  expect(override).toMatchObject({
    userId: bob,
    startsAt: '2027-03-11T00:00:00.000Z',
    endsAt: '2027-03-13T00:00:00.000Z',
  });
  await track.getByRole('button', { name: /Bob Ray/ }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await eventually(async () => expect(await overridesOf(id)).toEqual([]));
});

it('two members swap a shift', async () => {
  const cleo = await member('Cleo Sand');
  const name = `Swapped ${crypto.randomUUID()}`;
  const rotation = { unit: 'day', interval: 1, handoffTime: '00:00' };
  const { id } = await made<Schedule>('/schedules', {
    name,
    timezone: 'UTC',
    layers: [{ members: [ada, cleo], rotation }],
  });
  const inAWeek = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10); // all its shifts are whole days
  await page.goto(`/on-call?view=week&at=${inAWeek}&zone=UTC`);
  const track = page.getByRole('group', { name: `Shifts of ${name}` });
  await track
    .getByRole('button', { name: /^Ada Lund/ })
    .last()
    .click();
  await page.getByRole('dialog', { name: 'Ada Lund' }).getByRole('button', { name: 'Swap' }).click();
  const dialog = page.getByRole('dialog', { name: `Swap shifts of ${name}` });
  await dialog
    .getByRole('radio', { name: /^Cleo Sand/ })
    .first()
    .check();
  await dialog.getByRole('button', { name: 'Swap', exact: true }).click();
  await page.getByText('Ada Lund and Cleo Sand have swapped.').waitFor();
  expect((await overridesOf(id)).map(({ userId }) => userId).sort()).toEqual([ada, cleo].sort());
});

it('opens a short shift between two long ones', async () => {
  const cleo = await member('Cleo Short');
  const name = `Short ${crypto.randomUUID()}`;
  const { id } = await made<Schedule>('/schedules', { name, timezone: 'UTC', layers: [{ members: [ada] }] });
  const span = { startsAt: '2027-03-10T10:00:00Z', endsAt: '2027-03-10T10:05:00Z' };
  await made(`/schedules/${id}/overrides`, { userId: cleo, ...span });
  await page.goto('/on-call?view=month&at=2027-03-10&zone=UTC');
  const track = page.getByRole('group', { name: `Shifts of ${name}` });
  await track.getByRole('button', { name: /^Cleo Short/ }).click();
  await page.getByRole('dialog', { name: 'Cleo Short' }).waitFor();
  await page.keyboard.press('Escape');
});

it('shows when nobody is on call, and what to do', async () => {
  const name = `Empty ${crypto.randomUUID()}`;
  const { id } = await made<Schedule>('/schedules', { name, timezone: 'UTC', layers: [{ members: [] }] });
  await page.goto(`/on-call`);
  const gap = page.getByRole('listitem').filter({ hasText: `Nobody is on call for ${name}` });
  await gap.getByRole('link', { name: 'Add members' }).click();
  await page
    .getByRole('textbox', { name: 'Add a member…' })
    .or(page.getByRole('combobox', { name: 'Add a member…' }))
    .click();
  await page.getByRole('option', { name: 'Ada Lund' }).click();
  await page
    .getByRole('img', { name: /Ada Lund/ })
    .first()
    .waitFor();
  await page
    .getByRole('listitem')
    .filter({ hasText: /^Ada Lund: \d+ nights more$/ })
    .waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await eventually(async () => {
    const { body } = await acme.api.get<List<CurrentOnCall>>('/api/v1/schedules/current-oncall', {
      query: { scheduleId: id },
    });
    expect(body.data[0]?.users.map((user) => user.id)).toEqual([ada]);
  });
});

it('answers who would be paged for labels', async () => {
  const slug = `team-${crypto.randomUUID()}`;
  const policy = await made<{ id: string }>('/escalation-policies', {
    name: `Policy of ${slug}`,
    levels: [{ targets: [{ type: 'user', id: ada }] }],
  });
  await made('/teams', { name: slug, slug, policyId: policy.id });
  await page.goto(`/routing`);
  await page
    .getByRole('textbox', { name: 'Labels of the alert' })
    .or(page.getByRole('combobox', { name: 'Labels of the alert' }))
    .fill(`team=${slug}`);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Ask' }).click();
  await page.getByRole('heading', { name: 'These are told at once:' }).waitFor();
  await page.getByRole('link', { name: `Policy of ${slug}` }).waitFor();
  expect(new URL(page.url()).searchParams.get('label')).toBe(`team:${slug}`);
});
