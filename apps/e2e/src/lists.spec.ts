/**
 * Reads every list of the API page by page, in every order, among records that are equal in what they are sorted by; and
 * exports what can be exported.
 */
import { allOperations, uuidOf, type Operation } from '@ams/contracts';
import { eventually } from '@ams/testing';
import { type List, type One, type Organization, type Refusal, type Sender, type SystemClient } from './system.js';
import { sharedSystem } from './system/shared-system.js';

let system: SystemClient;
let acme: Organization;
let sender: Sender;
/** Public ids for the paths of the lists. */
const ids: Record<string, string> = {};

/** More than two pages of two. */
const enough = 5;

beforeAll(async () => {
  system = await sharedSystem();
  acme = await system.organization();
  const numbers = Array.from({ length: enough }, (_, n) => n);
  const mira = await created('/users', { name: 'Mira', email: `${crypto.randomUUID()}@x.example`, role: 'viewer' });
  const level = { targets: [{ type: 'user', id: mira }] };
  for (const n of numbers) {
    const slug = `s${n}-${crypto.randomUUID()}`;
    await Promise.all([
      created('/clients', { name: 'Same', slug }),
      created('/schedules', { name: 'Same' }),
      created('/escalation-policies', { name: 'Same', levels: [level] }),
      created('/teams', { name: 'Same', slug }),
      created('/users', { name: 'Same', email: `${slug}@x.example`, role: 'viewer' }),
      created('/integrations', { name: 'Same' }),
      created('/incidents', { title: 'Same', severity: n < 2 ? 'low' : 'high' }),
      created('/suppression', {
        name: 'Same',
        matchAll: true,
        startsAt: '2040-01-01T00:00:00Z',
        endsAt: '2040-01-02T00:00:00Z',
      }),
      acme.newKey({ name: 'Same' }),
    ]);
  }
  for (const _ of numbers)
    await created('/workflows', {
      name: 'Same',
      trigger: { events: ['incident.resolved'] },
      steps: [{ id: 'resolve', type: 'resolve' }],
    });
  const workflow = {
    name: 'Same',
    trigger: { events: ['alert.created'] },
    conditions: { field: 'labels.service', op: 'eq', value: 'lists' },
    steps: [
      { id: 'page', type: 'page', params: { policy: { teamFrom: 'labels.none' } } },
      { id: 'tell', type: 'notify', params: { targets: [{ type: 'email', address: 'x@example.com' }] } },
    ],
  };
  ids['workflows'] = await created('/workflows', workflow);
  sender = await acme.integration({ name: 'Same' });
  ids['integrations'] = sender.id;
  for (const n of numbers)
    await sender.fire({
      title: '=Same',
      severity: n < 2 ? 'low' : 'high',
      fingerprint: `f${n}`,
      labels: { service: 'lists' },
    });
  const [alert] = await acme.alerts();
  ids['alerts'] = alert?.id as string;
  for (const _ of numbers) await sender.fire({ title: 'Again', severity: 'high', fingerprint: alert?.fingerprint });
  await eventually(
    async () => {
      const [shown] = await acme.alerts({ fingerprint: alert?.fingerprint as string });
      ids['incidents'] = shown?.incidentId as string;
      expect(ids['incidents']).toMatch(/^inc_/);
      for (const path of [
        '/pages',
        '/notifications',
        `/workflows/${ids['workflows']}/runs`,
        `/incidents/${ids['incidents']}/alerts`,
      ])
        expect([path, (await page(path, { limit: 1 })).meta.total]).toEqual([path, expect.any(Number)]);
      for (const path of [
        '/pages',
        '/notifications',
        `/workflows/${ids['workflows']}/runs`,
        `/incidents/${ids['incidents']}/alerts`,
      ])
        expect((await page(path, { limit: 1 })).meta.total).toBeGreaterThanOrEqual(enough);
      expect((await page(`/integrations/${sender.id}/requests`, { limit: 1 })).meta.total).toBeGreaterThanOrEqual(
        enough,
      );
    },
    { timeoutMs: 30_000 },
  );
  await makeEqual();
});
afterAll(() => system?.close());

async function created(path: string, body: object): Promise<string> {
  const answer = await acme.api.post<One<{ id: string }>>(`/api/v1${path}`, body);
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.data.id;
}

/** Two of the records of each kind have one time, all others another one. */
async function makeEqual(): Promise<void> {
  const organization = uuidOf('organization', acme.id);
  for (const [table, ...columns] of [
    ['auth.members', 'created_at'],
    ['auth.api_keys', 'created_at'],
    ['resources.clients', 'created_at'],
    ['resources.integrations', 'created_at'],
    ['resources.workflows', 'created_at'],
    ['resources.schedules', 'created_at'],
    ['resources.escalation_policies', 'created_at', 'updated_at'],
    ['resources.teams', 'created_at'],
    ['resources.suppression_windows', 'created_at'],
    ['alerts.alerts', 'created_at', 'last_occurred_at'],
    ['alerts.incidents', 'created_at'],
    ['workflows.notifications', 'created_at'],
    ['workflows.page_requests', 'asked_at'],
  ] as const) {
    const set = columns.map((column) => `${column} = CASE WHEN x.n <= 2 THEN x.late ELSE x.early END`);
    await system.sql(
      `UPDATE ${table} t SET ${set.join(', ')} FROM (
         SELECT id, row_number() OVER (ORDER BY id DESC) AS n, date_trunc('milliseconds', now()) AS late,
           date_trunc('milliseconds', now() - interval '1 second') AS early
         FROM ${table} WHERE organization_id = $1) x
       WHERE t.id = x.id AND t.organization_id = $1`,
      [organization],
    );
  }
}

const lists = allOperations.filter(({ reply }) => reply === 'list');
const exports = allOperations.filter(({ reply }) => reply === 'export');

const pathOf = ({ path }: Operation): string => path.replace('{id}', ids[path.split('/')[1] as string] ?? '');

function sortsOf({ query }: Operation): string[] {
  const fields = Reflect.getMetadata('swagger/apiModelProperties', query!.prototype as object, 'sort') as {
    enum: string[];
  };
  return fields.enum;
}

type Item = Record<string, unknown>;

async function page(path: string, query: Record<string, string | number>): Promise<List<Item>> {
  const answer = await acme.api.get<List<Item>>(`/api/v1${path}`, { query });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function inPagesOfTwo(path: string, sort: string): Promise<List<Item>[]> {
  const read: List<Item>[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const next: List<Item> = await page(path, { sort, limit: 2, ...(cursor === '' ? {} : { cursor }) });
    read.push(next);
    cursor = next.meta.nextCursor;
  }
  return read;
}

const idOf = (item: Item): unknown => item['id'] ?? item['scheduleId'];

const severities = ['info', 'low', 'medium', 'high', 'critical'];

/** The value by which a record is sorted, in a form that `<` compares as the list does. Null: it is not compared. */
function rankOf(item: Item, field: string): string | number | null {
  const value = item[field];
  if (field === 'severity') return severities.indexOf(String(value));
  return typeof value === 'number' || /At$/.test(field) ? (value as string | number) : null;
}

describe.each(lists.map((op) => [op.operationId, op] as const))('%s', (_name, op) => {
  it.each(sortsOf(op).map((sort) => [sort]))('in pages of two shows each record once, sorted by %s', async (sort) => {
    const read = await inPagesOfTwo(pathOf(op), sort);
    const items = read.flatMap(({ data }) => data);
    const { total } = read[0]!.meta;
    expect(items.length).toBe(total);
    expect(items.length).toBeGreaterThanOrEqual(3);
    expect(new Set(items.map(idOf)).size).toBe(items.length);
    const ranks = items.map((item) => rankOf(item, sort.replace('-', '')));
    const sorted = [...ranks].sort((a, b) => (a === null || b === null || a === b ? 0 : a < b ? -1 : 1));
    expect(ranks).toEqual(sort.startsWith('-') ? sorted.reverse() : sorted);
  });
});

describe.each(exports.map((op) => [op.operationId, op] as const))('%s', (_name, op) => {
  const list = `/${op.path.split('/')[1]}`;

  const text = async (query: Record<string, string>): Promise<string> => {
    const answer = await acme.api.get<string>(`/api/v1${op.path}`, { query });
    expect(answer.status).toBe(200);
    return answer.body;
  };

  it.each(sortsOf(op).map((sort) => [sort]))(
    'has the records of the list, in its order, sorted by %s',
    async (sort) => {
      const { data } = await page(list, { sort, limit: 100 });
      const lines = (await text({ sort })).trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(data);
      const csv = (await text({ sort, format: 'csv' })).trimEnd().split('\r\n');
      expect(csv.slice(1).map((line) => line.split(',')[0])).toEqual(data.map(({ id }) => id));
    },
  );
});

it('an export has the filters of its list', async () => {
  const query = { severity: '!low', label: 'service:lists' };
  const { data } = await page('/alerts', { ...query, limit: 100, sort: '-createdAt' });
  expect(data.length).toBeGreaterThan(0);
  const answer = await acme.api.get<string>('/api/v1/alerts/export', { query });
  expect(
    answer.body
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as Item)['id']),
  ).toEqual(data.map(({ id }) => id));
});

it.each([
  ['/alerts?sort=title', 'sort', ['lastOccurredAt', '-createdAt', 'severity']],
  ['/alerts/export?sort=severity', 'sort', ['createdAt', '-createdAt']],
  ['/alerts/export?format=xml', 'format', ['ndjson', 'csv']],
  ['/alerts/export?cursor=x', 'cursor', ['format', 'severity', 'label']],
  ['/alerts?severity=worst', 'severity', ['critical', 'high', 'medium', 'low', 'info']],
  ['/alerts?stauts=firing', 'stauts', ['status', 'severity', 'label']],
  ['/alerts?label=:x', 'label', ['key:value', 'key!:value']],
  ['/incidents?createdSince=yesterday', 'createdSince', ['2026-11-20T14:00:00Z']],
  ['/workflows?enabled=yes', 'enabled', ['true', 'false']],
  ['/workflows?event=alert.fired', 'event', ['alert.created', 'incident.reopened']],
  ['/users?role=boss', 'role', ['owner', 'admin', 'responder', 'viewer']],
  ['/suppression?status=!over', 'status', ['scheduled', 'active', 'expired', 'disabled']],
  ['/pages?outcome=lost', 'outcome', ['told', 'nobody']],
  ['/pages?outcome=told,!nobody', 'outcome', ['! in front']],
])('%s is refused: it names %s and what is allowed', async (path, field, allowed) => {
  const { status, body } = await acme.api.get<Refusal>(`/api/v1${path}`);
  expect({ status, code: body.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
  expect((body.details?.['fields'] as { path: string }[]).map((fault) => fault.path)).toEqual([field]);
  for (const value of [field, ...allowed]) expect(body.error).toContain(value);
});
