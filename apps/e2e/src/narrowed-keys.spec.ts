/**
 * Calls every operation of the API with a key that is restricted to one client, and looks in every answer for records
 * of another client or of nobody. Their names, titles and values contain the word `foreign`, and their ids are known.
 */
import { allOperations, narrowingOf, type Operation, uuidOf } from '@ams/contracts';
import { scopes } from '@ams/scopes';
import type { HttpResponse } from '@ams/testing';
import { type Organization, type Refusal, type SystemClient } from './system.js';
import { bulkJob } from './system/bulk-job.js';
import { sharedSystem } from './system/shared-system.js';

let system: SystemClient;
let acme: Organization;
/** A key with all scopes that is restricted to the client of `own`. */
let restricted: string;
/** Public ids by the prefix of their noun. */
let own: Record<string, string>;
let others: Record<string, string>[];

beforeAll(async () => {
  system = await sharedSystem();
  acme = await system.organization();
  const [mine, theirs] = [await client('own'), await client('foreign')];
  own = await recordsOf(mine, 'own');
  others = [await recordsOf(theirs, 'foreign'), await recordsOf(null, 'foreign')];
  const made = await acme.api.post<{ data: { id: string; key: string } }>('/api/v1/api-keys', {
    name: 'restricted',
    scopes,
    restrictedTo: { clientIds: [mine] },
  });
  expect(made.status).toBe(201);
  restricted = made.body.data.key;
  own['key'] = made.body.data.id;
});
afterAll(() => system?.close());

async function created(path: string, body: object): Promise<string> {
  const answer = await acme.api.post<{ data: { id: string } }>(`/api/v1${path}`, body);
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.data.id;
}

const client = (word: string) => created('/clients', { name: `The ${word} client`, slug: crypto.randomUUID() });

/** One record of each kind that belongs to the client, or to nobody. */
async function recordsOf(clientId: string | null, word: string): Promise<Record<string, string>> {
  const integration = await acme.integration({ name: `The ${word} sender`, clientId });
  const fingerprint = crypto.randomUUID();
  const labels = { word };
  await integration.fire({ title: `The ${word} alert`, severity: 'low', fingerprint, labels });
  const [alert] = await acme.alerts({ fingerprint });
  const window = { startsAt: '2040-01-01T00:00:00Z', endsAt: '2040-01-02T00:00:00Z', matchAll: true };
  const incident = { title: `The ${word} incident`, severity: 'low', clientId };
  const records: Record<string, string> = {
    int: integration.id,
    alr: alert?.id as string,
    inc: await created('/incidents', incident),
    sup: await created('/suppression', {
      ...window,
      name: `The ${word} window`,
      clientIds: clientId ? [clientId] : [],
    }),
  };
  if (clientId) return { ...records, cli: clientId };
  const schedule = await created('/schedules', { name: 'The foreign schedule' });
  return {
    ...records,
    sch: schedule,
    tem: await created('/teams', { name: 'The foreign team', slug: crypto.randomUUID() }),
    viw: await created('/views', { name: 'The foreign view', page: 'alerts', query: {} }),
    pol: await created('/escalation-policies', {
      name: 'The foreign policy',
      levels: [{ targets: [{ type: 'schedule', id: schedule }] }],
    }),
    wfl: await created('/workflows', {
      name: 'The foreign workflow',
      trigger: { events: ['alert.created'] },
      steps: [{ id: 'resolve', type: 'resolve' }],
      enabled: false,
    }),
    usr: await created('/users', {
      name: 'A foreign member',
      email: `${crypto.randomUUID()}@x.example`,
      role: 'viewer',
    }),
    mrc: await created('/mail-recipients', { kind: 'domain', value: 'foreign.example' }),
    key: await created('/api-keys', { name: 'a foreign key', scopes: ['alerts:read'] }),
    ntf: await created('/notifications/test', { target: { type: 'email', address: 'foreign@example.com' } }),
    job: await foreignJob(),
  };
}

const foreignJob = (): Promise<string> =>
  bulkJob(system, {
    tenant: { organizationId: uuidOf('organization', acme.id) ?? '', environment: 'live' },
    api: acme.api,
    title: 'A foreign alert of many',
  });

const prefixOf: Record<string, string> = {
  alerts: 'alr',
  integrations: 'int',
  'api-keys': 'key',
  clients: 'cli',
  incidents: 'inc',
  schedules: 'sch',
  teams: 'tem',
  views: 'viw',
  'escalation-policies': 'pol',
  suppression: 'sup',
  workflows: 'wfl',
  notifications: 'ntf',
  deliveries: 'ntf',
  users: 'usr',
  'mail-recipients': 'mrc',
};
const isRead = (op: Operation) => op.method === 'GET';
const prefix = ({ path }: Operation): string =>
  path.startsWith('/alerts/bulk/') ? 'job' : (prefixOf[path.split('/')[1] as string] ?? '');
const hasId = (op: Operation): boolean => op.path.includes('{');
const pathOf = (op: Operation, id: string): string =>
  `/api/v1${op.path.replace('{id}', id).replace('{overrideId}', 'ovr_01938f3a7c2e7d4ab1c2d3e4f5ffffff')}` +
  (op.operationId === 'getScheduleShifts' ? '?since=2040-01-01T00:00:00Z&until=2040-01-02T00:00:00Z' : '');

/** The example of the document, where each id is that of a foreign record. */
const bodyOf = (op: Operation): unknown => {
  let text = JSON.stringify(op.example.body);
  if (text === undefined) return undefined;
  const foreign = Object.assign({}, ...[...others].reverse()) as Record<string, string>;
  for (const [id] of text.matchAll(/\b[a-z]{3}_[0-9a-f]{32}\b/g))
    text = text.replaceAll(id, foreign[id.slice(0, 3)] ?? id);
  return JSON.parse(text);
};

const call = (op: Operation, id = '', body = bodyOf(op)): Promise<HttpResponse<Refusal>> =>
  system.as(restricted).request<Refusal>(op.method, pathOf(op, id), { body });

/** `sent`: ids that the request itself contains may come back in the refusal. */
function expectNothingForeign(answer: HttpResponse<unknown>, sent: string[] = []): void {
  const text = JSON.stringify(answer.body ?? '');
  expect(text).not.toMatch(/foreign/i);
  for (const id of others.flatMap((records) => Object.values(records)))
    if (!sent.includes(id)) expect(text).not.toContain(id);
}

/** The tables of records that a request could change. */
const tables = [
  'alerts.alerts',
  'alerts.incidents',
  'auth.api_keys',
  'auth.mail_recipients',
  'auth.members',
  'resources.clients',
  'resources.escalation_policies',
  'resources.integrations',
  'resources.schedules',
  'resources.schedule_versions',
  'resources.suppression_windows',
  'resources.teams',
  'resources.views',
  'resources.workflows',
];
const rowsOfForeign = tables
  .map((table) => {
    const id = table === 'resources.schedule_versions' ? 'schedule_id' : 'id';
    return `SELECT '${table}' AS table, to_jsonb(r) AS row FROM ${table} r WHERE ${id} = ANY ($1::uuid[])`;
  })
  .join(' UNION ALL ');

/** The rows of all foreign records. */
async function foreignState(): Promise<Record<string, unknown>[]> {
  const ids = others.flatMap((records) => Object.values(records).map((id) => id.slice('alr_'.length)));
  return system.sql(`${rowsOfForeign} ORDER BY 1, 2`, [ids]);
}

/** Those that a key may call. */
const ofKeys = allOperations.filter(({ access }) => access === undefined);

it('each kind of record in a path has a foreign record here', () => {
  for (const op of ofKeys.filter(hasId))
    expect([op.operationId, others.some((records) => records[prefix(op)])]).toEqual([op.operationId, true]);
});

it('each kind of record that a request could change has rows whose changes are noticed', async () => {
  const tablesOfRows = (await foreignState()).map((row) => row['table']);
  expect([...new Set(tablesOfRows)].sort()).toEqual(tables.filter((table) => !table.endsWith('_versions')).sort());
});

describe.each(ofKeys.map((op) => [op.operationId, op] as const))('%s', (_name, op) => {
  if (narrowingOf(op) !== 'within') {
    it('is refused to a restricted key, and says why', async () => {
      const answer = await call(op, others.map((records) => records[prefix(op)]).find((id) => id) ?? '');
      expect(answer).toMatchObject({ status: 403, body: { code: 'INSUFFICIENT_SCOPE' } });
      expect(answer.body.error).toContain(`restricted to clients or teams cannot use ${op.operationId}`);
    });
    return;
  }
  if (hasId(op)) {
    it('does not find a record of another client or of nobody, and does not change it', async () => {
      const before = await foreignState();
      for (const records of others) {
        const id = records[prefix(op)];
        if (!id) continue;
        const answer = await call(op, id);
        expect([op.operationId, answer.status]).toEqual([op.operationId, 404]);
        expectNothingForeign(answer, [id]);
      }
      expect(await foreignState()).toEqual(before);
    });
  }
  it('shows nothing foreign', async () => {
    const id = own[prefix(op)];
    if (hasId(op) && (!id || op.method === 'DELETE')) return;
    const before = await foreignState();
    const body = bodyOf(op);
    const answer = await call(op, id, body);
    const sent = [...(JSON.stringify(body) ?? '').matchAll(/\b[a-z]{3}_[0-9a-f]{32}\b/g)].map(([found]) => found);
    if (isRead(op)) expect(answer.status).toBe(200);
    expectNothingForeign(answer, sent);
    expect(await foreignState()).toEqual(before);
  });
});

it('the lists show the records of the client', async () => {
  const ids = async (path: string) =>
    (await system.as(restricted).get<{ data: { id: string }[] }>(`/api/v1${path}`)).body.data.map(({ id }) => id);
  for (const [path, noun] of [
    ['/alerts', 'alr'],
    ['/alerts?q=alert&limit=1', 'alr'],
    ['/integrations', 'int'],
    ['/clients', 'cli'],
    // The key has silenced its alert, too.
    ['/suppression?q=window', 'sup'],
  ] as const)
    expect([path, await ids(path)]).toEqual([path, [own[noun]]]);
  expect(await ids('/incidents')).toContain(own['inc']);
});

it('a bulk change by a filter leaves foreign alerts as they are', async () => {
  const before = await foreignState();
  const answer = await system
    .as(restricted)
    .post<{ data: { requested: number } }>('/api/v1/alerts/bulk', { action: 'resolve', filter: {} });
  expect(answer).toMatchObject({ status: 200, body: { data: { requested: 1 } } });
  expect(await foreignState()).toEqual(before);
});
