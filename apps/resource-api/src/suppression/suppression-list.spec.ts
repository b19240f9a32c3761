import {
  createClient,
  createIntegration,
  createSuppression,
  getSuppression,
  listSuppression,
  updateSuppression,
  uuidOf,
  type AuditRecord,
  type Client,
  type Integration,
  type Noun,
  type PostSuppressionWindow,
  type Principal,
  type PutSuppressionWindow,
  type SuppressionWindow,
} from '@ams/contracts';
import { type Predicate } from '@ams/domain';
import { dataOf, eventually, pageOf } from '@ams/testing';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let me: Principal;
const audit: AuditRecord[] = [];

beforeAll(async () => {
  api = await startResourceApi({ replicas: 2 });
  me = await api.newPrincipal();
  api.nats.subscribe('evt.audit', { callback: (_error, message) => void audit.push(message.json<AuditRecord>()) });
});
afterAll(() => api.stop());

const onEu: Predicate = { field: 'labels.region', op: 'eq', value: 'eu' };
/** Active at any time. */
const always = { startsAt: '2000-01-01T00:00:00.000Z', endsAt: '2099-01-01T00:00:00.000Z' };

const post = (body: object, principal = me) => api.callAs(principal, createSuppression, { body });
const create = async (body: Partial<PostSuppressionWindow> = {}, principal = me): Promise<SuppressionWindow> =>
  dataOf(await post({ name: 'Patching', matchers: [onEu], ...always, ...body }, principal));
const get = async (id: string, principal = me): Promise<SuppressionWindow> =>
  dataOf(await api.callAs(principal, getSuppression, { params: { id } }));
const put = (id: string, body: PutSuppressionWindow, ifMatch: string | null = null) =>
  api.callAs(me, updateSuppression, { params: { id }, body, ifMatch });

const client = async (principal = me): Promise<string> =>
  dataOf<Client>(await api.callAs(principal, createClient, { body: { name: 'Acme' } })).id;
const integration = async (principal = me): Promise<string> =>
  dataOf<Integration>(await api.callAs(principal, createIntegration, { body: { name: 'Prometheus' } })).id;
const uuid = (id: string, noun: Noun = 'suppressionWindow'): string => uuidOf(noun, id) as string;
const auditOf = (id: string) => audit.filter(({ resource }) => resource?.id === id);

describe('automatic changes', () => {
  it('is the status, by the clock of the database: no version, no entry in the log', async () => {
    const { rows } = await api.admin.query<{ soon: Date }>(`SELECT now() + interval '1 second' AS soon`);
    const created = await create({ endsAt: rows[0]?.soon.toISOString() });
    await eventually(async () => expect(await get(created.id)).toEqual({ ...created, status: 'expired' }));
    await put(created.id, { reason: 'too late' });
    await eventually(() =>
      expect(auditOf(created.id).at(-1)?.changes).toEqual([{ field: 'reason', before: null, after: 'too late' }]),
    );
  });

  it('is how often it suppressed an alert, over all partitions', async () => {
    const [busy, idle] = [await create({ name: 'Busy and counted' }), await create({ name: 'Idle and counted' })];
    for (const partition of [0, 3, 7]) {
      await api.admin.query(
        `INSERT INTO alerts.window_counts (organization_id, environment, window_id, partition, n)
         VALUES ($1, 'live', $2, $3, 5000000000)`,
        [me.organizationId, uuid(busy.id), partition],
      );
    }
    expect(await get(busy.id)).toEqual({ ...busy, suppressedCount: 15_000_000_000 });
    const page = pageOf<SuppressionWindow>(
      await api.callAs(me, listSuppression, { query: { q: 'and counted', sort: 'name' } }),
    );
    expect(page.data.map(({ id, suppressedCount }) => [id, suppressedCount])).toEqual([
      [busy.id, 15_000_000_000],
      [idle.id, 0],
    ]);
    expect(dataOf(await put(busy.id, { reason: 'r' }))).toMatchObject({ suppressedCount: 15_000_000_000, version: 2 });
  });
});

describe('lists', () => {
  it('filter, sort and page', async () => {
    const other = await api.newPrincipal();
    const [acme, globex, zabbix] = [await client(other), await client(other), await integration(other)];
    const bodies: Partial<PostSuppressionWindow>[] = [
      { name: 'delta', clientIds: [acme], startsAt: '2001-01-01T00:00:00Z' },
      { name: 'Alpha', enabled: false, clientIds: [globex, acme], integrationIds: [zabbix] },
      { name: 'charlie', startsAt: '2098-01-01T00:00:00Z', integrationIds: [zabbix] },
      { name: 'bravo', endsAt: '2000-06-01T00:00:00Z' },
      {
        name: 'echo 100%',
        rrule: 'FREQ=HOURLY',
        durationSeconds: 7200,
        endsAt: null,
        startsAt: '2002-01-01T00:00:00Z',
      },
    ];
    for (const body of bodies) await create(body, other);
    const list = async (query: Record<string, string>) =>
      pageOf<SuppressionWindow>(await api.callAs(other, listSuppression, { query }));
    const names = async (query: Record<string, string>) => {
      const { data, meta } = await list(query);
      expect(meta).toMatchObject({ total: data.length, hasMore: false });
      return data.map(({ name }) => name);
    };
    const inOrder = ['delta', 'Alpha', 'charlie', 'bravo', 'echo 100%'];
    expect(await names({})).toEqual(inOrder.toReversed());
    expect(await names({ sort: 'createdAt' })).toEqual(inOrder);
    expect(await names({ sort: 'name' })).toEqual(['Alpha', 'bravo', 'charlie', 'delta', 'echo 100%']);
    expect((await names({ sort: 'startsAt' })).slice(2)).toEqual(['delta', 'echo 100%', 'charlie']);
    expect((await names({ sort: '-startsAt' })).slice(0, 3)).toEqual(['charlie', 'echo 100%', 'delta']);
    expect(await names({ q: 'LPH' })).toEqual(['Alpha']);
    expect(await names({ q: '0%' })).toEqual(['echo 100%']);
    expect(await names({ q: '_' })).toEqual([]);
    expect(await names({ status: 'active', sort: 'name' })).toEqual(['delta', 'echo 100%']);
    expect(await names({ status: 'disabled,expired', sort: 'name' })).toEqual(['Alpha', 'bravo']);
    expect(await names({ status: 'scheduled' })).toEqual(['charlie']);
    expect(await names({ status: 'disabled', clientId: acme })).toEqual(['Alpha']);
    expect(await names({ clientId: acme, sort: 'name' })).toEqual(['Alpha', 'delta']);
    expect(await names({ clientId: `${globex},cli_x` })).toEqual(['Alpha']);
    expect(await names({ integrationId: zabbix, sort: 'name' })).toEqual(['Alpha', 'charlie']);
    expect(await names({ integrationId: acme })).toEqual([]);
    expect(await names({ since: '2001-01-01T00:00:00Z', until: '2002-01-01T00:00:00Z' })).toEqual(['delta']);
    expect(await names({ since: '2002-01-01T00:00:00Z', sort: 'startsAt' })).toEqual(['echo 100%', 'charlie']);

    for (const query of [{ sort: '-name' }, { sort: 'startsAt', status: 'active,disabled,expired' }] as Record<
      string,
      string
    >[]) {
      const whole = await names(query);
      const paged: string[] = [];
      let cursor: string | null | undefined;
      for (let first = true; cursor !== null; first = false) {
        const { data, meta } = await list({ ...query, limit: '2', ...(cursor ? { cursor } : {}) });
        expect(meta.total).toBe(first ? whole.length : undefined);
        paged.push(...data.map(({ name }) => name));
        const elsewhere = { ...query, q: 'a', cursor: meta.nextCursor as string };
        if (first)
          expect(await api.callAs(other, listSuppression, { query: elsewhere })).toMatchObject({
            code: 'INVALID_CURSOR',
          });
        cursor = meta.nextCursor;
      }
      expect(paged).toEqual(whole);
    }
  });

  it.each<Record<string, string>>([
    { sort: 'status' },
    { limit: '0' },
    { nmae: 'x' },
    { status: 'asleep' },
    { since: 'yesterday' },
  ])('refuse %j', async (query) => {
    expect(await api.callAs(me, listSuppression, { query })).toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
