/**
 * Reads every list of the API page by page, in every order, among records that are equal in what they are sorted by;
 * and exports what can be exported.
 */
import { allOperations, announcementOf, uuidOf, type Operation } from '@ams/contracts';
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
  // It would open an incident for each alert.
  for (const { id } of (await page('/workflows', {})).data) await acme.api.delete(`/api/v1/workflows/${String(id)}`);
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
      created('/mail-recipients', { kind: 'domain', value: `${slug}.example` }),
      created('/views', { name: 'Same', page: n < 2 ? 'alerts' : 'clients', query: {} }),
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
  await eventually(async () => {
    const [shown] = await acme.alerts({ fingerprint: alert?.fingerprint as string });
    ids['incidents'] = shown?.incidentId ?? '';
    for (const op of lists) {
      const { total = 0 } = (await page(pathOf(op), { limit: 1 })).meta;
      expect([op.path, total >= 3]).toEqual([op.path, true]);
    }
  });
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
    ['auth.mail_recipients', 'created_at'],
    ['auth.api_keys', 'created_at'],
    ['resources.clients', 'created_at'],
    ['resources.integrations', 'created_at'],
    ['resources.workflows', 'created_at'],
    ['resources.schedules', 'created_at'],
    ['resources.escalation_policies', 'created_at', 'updated_at'],
    ['resources.teams', 'created_at'],
    ['resources.views', 'created_at'],
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

const lists = allOperations.filter(
  ({ access, reply, deprecated }) => access === undefined && reply === 'list' && !deprecated,
);
/** The audit log is exported as a chain, not as its list. */
const exports = allOperations.filter(
  ({ reply, operationId }) => reply === 'export' && operationId !== 'exportAuditLog',
);

const pathOf = ({ path }: Operation): string => path.replace('{id}', ids[path.split('/')[1] as string] ?? '');

interface Parameter {
  name: string;
  in: string;
  example?: unknown;
  schema: { type: string; enum?: string[]; items?: { enum?: string[] } };
}

const parametersOf = (op: Operation): Parameter[] =>
  (announcementOf(op.owner, [op]).operations[0]?.openapi['parameters'] as Parameter[]).filter(
    (parameter) => parameter.in === 'query',
  );

const sortsOf = (op: Operation): string[] => parametersOf(op).find(({ name }) => name === 'sort')?.schema.enum ?? [];

type Item = Record<string, unknown>;

async function page(path: string, query: Record<string, string | number>): Promise<List<Item>> {
  const answer = await acme.api.get<List<Item>>(`/api/v1${path}`, { query });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function inPagesOfTwo(path: string, query: Record<string, string>): Promise<List<Item>[]> {
  const read: List<Item>[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const next: List<Item> = await page(path, { ...query, limit: 2, ...(cursor === '' ? {} : { cursor }) });
    read.push(next);
    cursor = next.meta.nextCursor;
  }
  return read;
}

/** Reading adds entries to the audit log. */
const filters: Record<string, Record<string, string>> = { listAuditLog: { type: 'client.created,team.created' } };

/** By the order of the changes. The time of an entry may be some milliseconds earlier: that of its event. */
const byChange = ['listAuditLog', 'getAlertTimeline', 'getIncidentTimeline'];

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
    const read = await inPagesOfTwo(pathOf(op), { ...filters[op.operationId], sort });
    const items = read.flatMap(({ data }) => data);
    const { total } = read[0]!.meta;
    expect(items.length).toBe(total);
    expect(items.length).toBeGreaterThanOrEqual(3);
    expect(new Set(items.map(idOf)).size).toBe(items.length);
    if (byChange.includes(op.operationId)) return;
    const ranks = items.map((item) => rankOf(item, sort.replace('-', '')));
    const sorted = [...ranks].sort((a, b) => (a === null || b === null || a === b ? 0 : a < b ? -1 : 1));
    expect(ranks).toEqual(sort.startsWith('-') ? sorted.reverse() : sorted);
  });
});

/** Values of a filter by several values: one of the document, and that of a record. */
function valuesOf({ name, schema, example }: Parameter, [item]: Item[]): string[] {
  const own = item?.[name];
  const values = [schema.items?.enum?.[0] ?? (example as string[])[0], typeof own === 'string' ? own : undefined];
  return [...new Set(values)].filter((value) => value !== undefined);
}

describe.each(lists.map((op) => [op.operationId, op] as const))('%s', (_name, op) => {
  const choices = parametersOf(op).filter(
    ({ name, schema }) => schema.type === 'array' && name !== 'label' && !filters[op.operationId]?.[name],
  );
  const total = async (query: Record<string, string>): Promise<number> =>
    (await page(pathOf(op), { ...filters[op.operationId], ...query, limit: 1 })).meta.total as number;

  it('shows each record with a filter or with its opposite', async () => {
    const all = await page(pathOf(op), { ...filters[op.operationId], limit: 100 });
    for (const parameter of choices) {
      for (const value of valuesOf(parameter, all.data)) {
        const { name } = parameter;
        const both = (await total({ [name]: value })) + (await total({ [name]: `!${value}` }));
        expect([name, value, both]).toEqual([name, value, all.meta.total]);
      }
    }
  });

  if (op.operationId !== 'getCurrentOnCall')
    it('shows each record as created since a time, or as created until then', async () => {
      const { data, meta } = await page(pathOf(op), { ...filters[op.operationId], limit: 100 });
      const item = data.at(Math.floor(data.length / 2)) as Item;
      const at = (item['createdAt'] ?? item['occurredAt'] ?? item['askedAt'] ?? item['receivedAt']) as string;
      const [since, until] = [await total({ createdSince: at }), await total({ createdUntil: at })];
      expect(since).toBeGreaterThan(0);
      expect(since + until).toBe(meta.total);
    });
});

it.each([
  ['/alerts', 'clientId', 'clientId'],
  ['/integrations', 'teamId', 'teamId'],
  ['/teams', 'policyId', 'policyId'],
  ['/teams', 'userId', 'members'],
  ['/schedules', 'userId', 'layers'],
  ['/suppression', 'clientId', 'clientIds'],
  ['/users', 'externalId', 'externalId'],
  ['/incidents', 'assigneeId', 'assigneeIds'],
])('%s with %s=! shows the records without a value', async (path, filter, property) => {
  const isNone = (item: Item) => item[property] === null || (item[property] as unknown[]).length === 0;
  const { data } = await page(path, { limit: 100 });
  const without = await page(path, { [filter]: '!', limit: 100 });
  expect(without.data).toEqual(data.filter(isNone));
  expect(without.data.length).toBeGreaterThan(0);
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
