import {
  createClient,
  deleteClient,
  getClient,
  listClients,
  newUuid,
  operationsOf,
  publicId,
  updateClient,
  uuidOf,
  type AuditRecord,
  type Client,
  type Noun,
  type Operation,
  type PostClient,
  type Principal,
  type PutClient,
} from '@ams/contracts';
import { dataOf, eventually, idempotencyOf, insertAlert, pageOf, whenAnswered } from '@ams/testing';
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

let serial = 0;
const call = (body: object, principal = me) => api.callAs(principal, createClient, { body });
const create = async (body: Partial<PostClient> = {}, principal = me): Promise<Client> =>
  dataOf(await call({ name: `Client ${++serial}`, ...body }, principal));
const get = async (id: string): Promise<Client> => dataOf(await api.callAs(me, getClient, { params: { id } }));
const put = (id: string, body: PutClient, ifMatch: string | null = null) =>
  api.callAs(me, updateClient, { params: { id }, body, ifMatch });
const remove = (id: string, ifMatch: string | null = null) => api.callAs(me, deleteClient, { params: { id }, ifMatch });
const uuid = (id: string, noun: Noun = 'client'): string => uuidOf(noun, id) as string;

/** The names that the database finds a client by. */
async function namesOf(id: string): Promise<string[]> {
  const { rows } = await api.admin.query<{ name: string }>(
    'SELECT name FROM resources.client_names WHERE client_id = $1 ORDER BY name',
    [uuid(id)],
  );
  return rows.map(({ name }) => name);
}

describe('creating a client', () => {
  it('keeps what is sent', async () => {
    const body: PostClient = {
      name: 'Acme Shipping',
      slug: 'acme',
      externalId: 'CRM-4711',
      description: 'Ships.',
      aliases: ['Acme-EU', 'acme-eu'],
      contacts: [{ email: 'ada@acme.example', name: 'Ada Lund' }],
      timezone: 'Europe/Berlin',
    };
    const answer = await call(body);
    expect(answer).toMatchObject({ ok: true, status: 201, version: 1 });
    const created = dataOf<Client>(answer);
    expect(created).toEqual({
      ...body,
      id: expect.stringMatching(/^cli_[0-9a-f]{32}$/),
      openAlertCount: 0,
      createdAt: created.createdAt,
      updatedAt: created.createdAt,
      version: 1,
    });
    expect(await get(created.id)).toEqual(created);
    expect(await namesOf(created.id)).toEqual(['acme', 'acme-eu', 'crm-4711']);
  });

  it('needs only a name', async () => {
    const created = await create({ name: 'Only a name' });
    expect(created).toMatchObject({
      slug: 'only-a-name',
      externalId: null,
      description: null,
      aliases: [],
      contacts: [],
      timezone: 'UTC',
      openAlertCount: 0,
    });
    expect(await get(created.id)).toEqual(created);
    expect(await namesOf(created.id)).toEqual(['only-a-name']);
  });

  it.each([
    ['Ship & Sail GmbH', 'ship-sail-gmbh'],
    ['  --Żółć, Œuvre!-- ', 'zo-c-uvre'],
    ['ＦＵＬＬ ﬁ', 'full-fi'],
    ['株式会社', expect.stringMatching(/^client-[0-9a-f]{6}$/)],
    ['!?', expect.stringMatching(/^client-[0-9a-f]{6}$/)],
    ['x'.repeat(200), 'x'.repeat(100)],
    [`${'y'.repeat(99)} ${'z'.repeat(100)}`, 'y'.repeat(99)],
  ])('makes a slug of the name %s', async (name, slug) => {
    expect((await create({ name })).slug).toEqual(slug);
  });

  it('counts up when the slug is in use, by any kind of name', async () => {
    const other = await create({ aliases: ['Globex-3'], externalId: 'GLOBEX-4' });
    const slugs = [];
    for (let i = 0; i < 4; i++) slugs.push((await create({ name: 'Globex' })).slug);
    expect(slugs).toEqual(['globex', 'globex-2', 'globex-5', 'globex-6']);
    expect(await namesOf(other.id)).toEqual(['globex-3', 'globex-4', other.slug].sort());
    const long = 'q'.repeat(100);
    await create({ name: long });
    expect((await create({ name: long })).slug).toBe(`${'q'.repeat(98)}-2`);
  });

  it('counts up beyond one hundred', async () => {
    const holder = await create();
    await api.admin.query(
      `INSERT INTO resources.client_names (organization_id, environment, name, client_id) SELECT $1, 'live',
       CASE n WHEN 1 THEN 'many' ELSE 'many-' || n END, $2 FROM generate_series(1, 250) n`,
      [me.organizationId, uuid(holder.id)],
    );
    expect((await create({ name: 'Many' })).slug).toBe('many-251');
  });

  it('may have the same name as slug and alias', async () => {
    const created = await create({ name: 'Twice', aliases: ['TWICE', 'twice'], externalId: 'Twice' });
    expect(created.slug).toBe('twice');
    expect(await namesOf(created.id)).toEqual(['twice']);
  });

  it.each<[string, Partial<PostClient>, RegExp]>([
    ['slug', { slug: 'initech' }, /"initech"/],
    ['external id as a slug', { slug: 'crm-1' }, /"crm-1"/],
    ['alias as a slug', { slug: 'tps' }, /"tps"/],
    [
      'names, all of them',
      { slug: 'free-one', externalId: 'INITECH', aliases: ['Tps', 'free-two'] },
      /"initech", "tps"/,
    ],
  ])('is refused with the %s of another client, and stores nothing', async (_what, body, message) => {
    const other = await api.newPrincipal();
    await create({ name: 'Initech', slug: 'initech', externalId: 'CRM-1', aliases: ['TPS'] }, other);
    const answer = await call({ name: 'Clash', ...body }, other);
    expect(answer).toMatchObject({ ok: false, code: 'CONFLICT', details: null });
    expect((answer as { message: string }).message).toMatch(message);
    expect(pageOf(await api.callAs(other, listClients)).meta.total).toBe(1);
    expect(await create({ slug: 'free-one', aliases: ['free-two'] }, other)).toMatchObject({ slug: 'free-one' });
  });

  it('shares no names with other tenants', async () => {
    await create({ slug: 'shared', aliases: ['s-1'] });
    for (const stranger of [
      await api.newPrincipal(),
      await api.newPrincipal({ organizationId: me.organizationId, environment: 'test' }),
    ]) {
      expect(await create({ slug: 'shared', aliases: ['s-1'] }, stranger)).toMatchObject({ slug: 'shared' });
      expect((await create({ name: 'Shared' }, stranger)).slug).toBe('shared-2');
    }
  });

  it('answers all faults at once', async () => {
    const answer = await call({
      name: ' ',
      slug: 'Not A Slug',
      externalId: '',
      description: 7,
      aliases: ['a', ''],
      contacts: [
        { name: 'Ada', email: 'nobody' },
        { email: 'ada@acme.example', phone: '1' },
      ],
      timezone: 'Europe/Atlantis',
      tpyo: 1,
    });
    expect(answer).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
    const paths = (answer as { details: { fields: { path: string }[] } }).details.fields.map(({ path }) => path);
    expect(new Set(paths)).toEqual(
      new Set([
        'name',
        'slug',
        'externalId',
        'description',
        'aliases',
        'contacts[0].email',
        'contacts[1].phone',
        'contacts[1].name',
        'timezone',
        'tpyo',
      ]),
    );
  });

  it('answers a repeated request as before, and creates nothing', async () => {
    const body = { name: 'Once only' };
    const request = { body, idempotency: idempotencyOf('c1', body) };
    const [first, second] = await Promise.all([
      api.callAs(me, createClient, request),
      api.callAs(me, createClient, request),
    ]);
    expect(first).toMatchObject({ ok: true, status: 201 });
    expect(second).toEqual(first);
    expect(
      await api.callAs(me, createClient, {
        body: { name: 'other' },
        idempotency: idempotencyOf('c1', { name: 'other' }),
      }),
    ).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(pageOf(await api.callAs(me, listClients, { query: { q: 'once only' } })).meta.total).toBe(1);
  });

  it('gives each of many concurrently created clients a different slug', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, async () => dataOf<Client>(await whenAnswered(() => call({ name: 'Rush' })))),
    );
    expect(answers.map(({ slug }) => slug).sort()).toEqual(
      ['rush', ...Array.from({ length: 11 }, (_, i) => `rush-${i + 2}`)].sort(),
    );
  });

  it('gives a name to one of several concurrent requests', async () => {
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(
        ['a', 'b', 'c', 'd'].map((slug) =>
          whenAnswered(() =>
            call({ name: slug, slug: `wanted-${slug}-${round}`, aliases: [`Prize-${round}`, `${slug}-${round}`] }),
          ),
        ),
      );
      expect(answers.map((answer) => (answer.ok ? 'created' : answer.code)).sort()).toEqual([
        'CONFLICT',
        'CONFLICT',
        'CONFLICT',
        'created',
      ]);
    }
  });
});

describe('updating a client', () => {
  it('changes the sent fields and keeps the others, and null clears', async () => {
    const created = await create({
      name: 'Umbrella',
      externalId: 'U-1',
      description: 'd',
      aliases: ['rain'],
      contacts: [{ name: 'Ada', email: 'ada@acme.example' }],
      timezone: 'Europe/Berlin',
    });
    const answer = await put(created.id, {
      name: 'Umbrella Corp',
      externalId: null,
      description: null,
      aliases: ['Shade'],
    });
    expect(answer).toMatchObject({ ok: true, status: 200, version: 2 });
    const updated = dataOf<Client>(answer);
    expect(updated).toEqual({
      ...created,
      name: 'Umbrella Corp',
      externalId: null,
      description: null,
      aliases: ['Shade'],
      updatedAt: updated.updatedAt,
      version: 2,
    });
    expect(await get(created.id)).toEqual(updated);
    expect(await namesOf(created.id)).toEqual(['shade', 'umbrella']);
    expect(await create({ aliases: ['U-1', 'rain'] })).toMatchObject({ version: 1 });
  });

  it('changes neither version nor audit log when nothing changes', async () => {
    const created = await create({ contacts: [{ name: 'Ada', email: 'ada@acme.example' }], aliases: ['unchanging'] });
    await insertAlert(api.admin, me, { clientId: uuid(created.id) });
    const { name, slug, externalId, description, aliases, timezone } = created;
    const answer = await put(created.id, {
      name,
      slug,
      externalId,
      description,
      aliases,
      contacts: [{ email: 'ada@acme.example', name: 'Ada' }],
      timezone,
    });
    expect(answer).toMatchObject({ ok: true, version: 1 });
    expect(dataOf(answer)).toEqual({ ...created, openAlertCount: 1 });
    expect(await put(created.id, {})).toMatchObject({ ok: true, version: 1 });
    await put(created.id, { name: 'changed' });
    await eventually(() =>
      expect(audit.filter(({ resource }) => resource?.id === created.id).map(({ type }) => type)).toEqual([
        'client.created',
        'client.updated',
      ]),
    );
  });

  it.each<[string, PutClient]>([
    ['only the case of a name', { aliases: ['ALIAS-OF-CASE'] }],
    ['a slug and an alias that are exchanged', { slug: 'alias-of-case', aliases: ['slug-of-case'] }],
    ['the order of aliases', { aliases: ['second', 'alias-of-case'] }],
  ])('changes %s', async (_what, body) => {
    const principal = await api.newPrincipal();
    const created = await create({ slug: 'slug-of-case', aliases: ['alias-of-case', 'second'] }, principal);
    const answer = await api.callAs(principal, updateClient, { params: { id: created.id }, body });
    expect(dataOf(answer)).toMatchObject({ ...body, version: 2 });
    expect(await namesOf(created.id)).toEqual(
      [
        ...new Set([dataOf<Client>(answer).slug, ...dataOf<Client>(answer).aliases].map((name) => name.toLowerCase())),
      ].sort(),
    );
  });

  it('is refused with a name of another client, and changes nothing', async () => {
    const other = await create({ aliases: ['Hooli'] });
    const created = await create({ aliases: ['pied-piper'] });
    const answer = await put(created.id, { name: 'n', aliases: ['HOOLI'] });
    expect(answer).toMatchObject({ ok: false, code: 'CONFLICT', message: expect.stringContaining('"hooli"') });
    expect(await put(created.id, { slug: other.slug })).toMatchObject({ code: 'CONFLICT' });
    expect(await get(created.id)).toEqual(created);
    expect(await namesOf(created.id)).toEqual([created.slug, 'pied-piper'].sort());
  });

  it('makes no slug from the new name', async () => {
    const created = await create({ name: 'Old name' });
    expect(dataOf(await put(created.id, { name: 'New name' }))).toMatchObject({ name: 'New name', slug: 'old-name' });
  });

  it.each(['name', 'slug', 'aliases', 'contacts', 'timezone'])('does not clear %s', async (field) => {
    const created = await create();
    expect(await put(created.id, { [field]: null })).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
  });

  it('honours If-Match', async () => {
    const created = await create();
    expect(await put(created.id, { name: 'stale' }, '"2"')).toMatchObject({
      ok: false,
      code: 'VERSION_MISMATCH',
      details: { current: 1 },
    });
    expect(await put(created.id, { name: 'fresh' }, '"1"')).toMatchObject({ ok: true, version: 2 });
    expect(await remove(created.id, '"1"')).toMatchObject({
      ok: false,
      code: 'VERSION_MISMATCH',
      details: { current: 2 },
    });
    expect(await put(created.id, { name: 'x' }, 'nonsense')).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
  });

  it('accepts one of several concurrent changes with the same version', async () => {
    const created = await create();
    for (let version = 1; version <= 5; version++) {
      const answers = await Promise.all(
        ['a', 'b', 'c'].map((alias) =>
          whenAnswered(() => put(created.id, { aliases: [`contested-${alias}-${version}`] }, `"${version}"`)),
        ),
      );
      expect(answers.map((answer) => (answer.ok ? 'won' : answer.code)).sort()).toEqual([
        'VERSION_MISMATCH',
        'VERSION_MISMATCH',
        'won',
      ]);
      const now = await get(created.id);
      expect(await namesOf(created.id)).toEqual([...now.aliases, now.slug].sort());
    }
  });

  it('does not block two clients that exchange names', async () => {
    for (let round = 0; round < 8; round++) {
      const [left, right] = [`left-${round}`, `right-${round}`];
      const [a, b] = [await create({ aliases: [left] }), await create({ aliases: [right] })];
      const answers = await Promise.all([
        whenAnswered(() => put(a.id, { aliases: [right] })),
        whenAnswered(() => put(b.id, { aliases: [left] })),
      ]);
      for (const answer of answers) expect(answer).toMatchObject({ ok: false, code: 'CONFLICT' });
      expect(await namesOf(a.id)).toEqual([a.slug, left].sort());
    }
  });
});

describe('lists', () => {
  it('filter, sort and page', async () => {
    const other = await api.newPrincipal();
    const bodies: PostClient[] = [
      { name: 'delta' },
      { name: 'Alpha', externalId: 'CRM-1' },
      { name: 'charlie', externalId: 'crm-2', aliases: ['CRM-9'] },
      { name: 'bravo', slug: 'b' },
      { name: 'echo 100%', externalId: 'ÄÖ' },
    ];
    for (const body of bodies) await create(body, other);
    const names = async (query: Record<string, string>) =>
      pageOf<Client>(await api.callAs(other, listClients, { query })).data.map(({ name }) => name);
    expect(await names({})).toEqual(['Alpha', 'bravo', 'charlie', 'delta', 'echo 100%']);
    expect(await names({ sort: 'createdAt' })).toEqual(bodies.map(({ name }) => name));
    expect(await names({ sort: '-createdAt' })).toEqual(bodies.map(({ name }) => name).reverse());
    expect(await names({ q: 'LPH' })).toEqual(['Alpha']);
    expect(await names({ q: '0%' })).toEqual(['echo 100%']);
    expect(await names({ q: '_' })).toEqual([]);
    expect(await names({ slug: 'B,delta,nobody' })).toEqual(['bravo', 'delta']);
    expect(await names({ externalId: 'Crm-1,CRM-2' })).toEqual(['Alpha', 'charlie']);
    expect(await names({ externalId: 'äö' })).toEqual(['echo 100%']);
    // An alias, and a slug, and a part of one.
    expect(await names({ externalId: 'crm-9,b,crm' })).toEqual([]);
    expect(await names({ externalId: 'crm-1', slug: 'b' })).toEqual([]);
    expect(pageOf(await api.callAs(other, listClients, { query: { slug: 'b,delta' } })).meta).toMatchObject({
      total: 2,
      hasMore: false,
    });
    const sorted: string[] = [];
    let cursor: string | null | undefined;
    for (let first = true; cursor !== null; first = false) {
      const page = pageOf<Client>(
        await api.callAs(other, listClients, { query: { sort: '-name', limit: '2', ...(cursor ? { cursor } : {}) } }),
      );
      expect(page.meta.total).toBe(first ? 5 : undefined);
      sorted.push(...page.data.map(({ name }) => name));
      if (first)
        expect(
          await api.callAs(other, listClients, {
            query: { sort: 'name', limit: '2', cursor: page.meta.nextCursor as string },
          }),
        ).toMatchObject({ code: 'INVALID_CURSOR' });
      cursor = page.meta.nextCursor;
    }
    expect(sorted).toEqual((await names({ sort: 'name' })).reverse());
  });

  it.each<Record<string, string>>([{ sort: 'slug' }, { limit: '0' }, { nmae: 'x' }])('refuse %j', async (query) => {
    expect(await api.callAs(me, listClients, { query })).toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('the audit log', () => {
  it('has an entry for every change, with the changed fields', async () => {
    const created = await create({ name: 'Audited', externalId: 'AUD-1' });
    await put(created.id, { name: 'Audited too', externalId: null });
    await remove(created.id);
    const mine = () => audit.filter(({ resource }) => resource?.id === created.id);
    await eventually(() =>
      expect(mine().map(({ type }) => type)).toEqual(['client.created', 'client.updated', 'client.deleted']),
    );
    const [first, second, third] = mine();
    expect(first).toMatchObject({
      organizationId: me.organizationId,
      environment: 'live',
      actor: { type: 'api_key', name: 'bot' },
      ip: '192.0.2.1',
      resource: { type: 'client' },
    });
    expect(first?.changes.map(({ field }) => field).sort()).toEqual([
      'aliases',
      'contacts',
      'externalId',
      'name',
      'slug',
      'timezone',
    ]);
    expect(new Set(second?.changes)).toEqual(
      new Set([
        { field: 'externalId', before: 'AUD-1', after: null },
        { field: 'name', before: 'Audited', after: 'Audited too' },
      ]),
    );
    expect(third?.changes).toContainEqual({ field: 'slug', before: 'audited', after: null });
  });
});

describe('tenants', () => {
  it('see no clients of each other, also with row-level security alone', async () => {
    const owner = await api.newPrincipal();
    const created = await create({ name: 'Mine alone', externalId: 'MINE-1' }, owner);
    const strangers = [
      await api.newPrincipal(),
      await api.newPrincipal({ organizationId: owner.organizationId, environment: 'test' }),
    ];
    for (const stranger of strangers) {
      for (const operation of operationsOf('resource-api').filter(({ path }) =>
        path.startsWith('/clients/{id}'),
      ) as Operation[]) {
        for (const id of [
          created.id,
          publicId('client', newUuid()),
          'cli_x',
          '',
          '\0',
          created.id.replace('cli', 'int'),
          uuid(created.id),
        ]) {
          expect(
            await api.callAs(stranger, operation, { params: { id }, body: operation.example.body ?? null }),
          ).toMatchObject({ ok: false, code: 'NOT_FOUND', details: { resource: 'client', id } });
        }
      }
      for (const query of [{}, { slug: created.slug }, { externalId: 'MINE-1' }] as Record<string, string>[]) {
        expect(pageOf(await api.callAs(stranger, listClients, { query }))).toMatchObject({
          data: [],
          meta: { total: 0 },
        });
      }
    }
    expect(dataOf(await api.callAs(owner, getClient, { params: { id: created.id } }))).toEqual(created);

    const client = await api.admin.connect();
    try {
      for (const stranger of [...strangers, owner]) {
        await client.query(
          `BEGIN; SET LOCAL ROLE ams_resource_api_principal;
           SET LOCAL app.organization_id = '${stranger.organizationId}';
           SET LOCAL app.environment = '${stranger.environment}'`,
        );
        const { rowCount } = await client.query('UPDATE resources.clients SET name = name WHERE id = $1', [
          uuid(created.id),
        ]);
        expect(rowCount).toBe(stranger === owner ? 1 : 0);
        const names = await client.query('SELECT 1 FROM resources.client_names WHERE client_id = $1', [
          uuid(created.id),
        ]);
        expect(names.rowCount).toBe(stranger === owner ? 2 : 0);
        await client.query('ROLLBACK');
      }
    } finally {
      client.release();
    }
  });
});
