import {
  createClient,
  createIntegration,
  credentialHash,
  deleteClient,
  deleteIntegration,
  getIntegration,
  listIntegrations,
  newUuid,
  operationsOf,
  publicId,
  rotateIntegrationToken,
  updateIntegration,
  uuidOf,
  type AuditRecord,
  type Client,
  type Integration,
  type IntegrationWithToken,
  type Operation,
  type Principal,
} from '@ams/contracts';
import { integrationTypes } from '@ams/domain';
import { dataOf, eventually, idempotencyOf, insertAlerts, pageOf } from '@ams/testing';
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

const create = async (body: object = {}, principal = me): Promise<IntegrationWithToken> =>
  dataOf(await api.callAs(principal, createIntegration, { body: { name: 'Prometheus EU', ...body } }));
const get = async (id: string, principal = me): Promise<Integration> =>
  dataOf(await api.callAs(principal, getIntegration, { params: { id } }));
const entryOf = async (token: string) => (await api.bucketEntries()).get(credentialHash(token));
const uuid = (id: string): string => uuidOf('integration', id) as string;

describe('creating an integration', () => {
  it('answers the token and the URL, which later answers do not contain', async () => {
    const answer = await api.callAs(me, createIntegration, {
      body: { name: 'Prometheus EU', staticLabels: { team: 'sre' } },
    });
    expect(answer).toMatchObject({ ok: true, status: 201, version: 1 });
    const created = dataOf<IntegrationWithToken>(answer);
    expect(created.ingestUrl).toBe(`https://alerts.example.com/api/inbound/webhook/${created.token}`);
    expect(created).toMatchObject({
      name: 'Prometheus EU',
      type: 'generic',
      enabled: true,
      environment: 'live',
      clientId: null,
      staticLabels: { team: 'sre' },
      version: 1,
    });

    const got = await get(created.id);
    expect(got).toEqual({
      ...got,
      id: created.id,
      tokenHint: created.token.slice(-4),
      ingestUrl: `https://alerts.example.com/api/inbound/webhook/${'*'.repeat(28)}${created.tokenHint}`,
    });
    expect(JSON.stringify(got)).not.toContain(created.token);
    expect(JSON.stringify(pageOf(await api.callAs(me, listIntegrations)))).not.toContain(created.token);
    const { rows } = await api.admin.query(
      'SELECT i::text, (SELECT string_agg(o::text, $1) FROM resources.outbox o) FROM resources.integrations i',
      [''],
    );
    expect(JSON.stringify(rows)).not.toContain(created.token);
  });

  it('is known to the gateways before the answer', async () => {
    const created = await create({ type: 'alertmanager', autoResolveAfterSeconds: 60, dedupScope: 'organization' });
    expect(await entryOf(created.token)).toMatchObject({
      id: uuid(created.id),
      organizationId: me.organizationId,
      environment: 'live',
      enabled: true,
      dedupScope: 'organization',
      autoResolveAfterSeconds: 60,
      version: 1,
      expiresAt: null,
      settings: { type: 'alertmanager', itemsPath: 'alerts' },
    });
  });

  it.each(integrationTypes.map(({ type }) => type))('copies what the preset %s needs', async (type) => {
    const created = await create({ type, name: type });
    expect(created).toMatchObject({
      type,
      severityMap: integrationTypes.find((info) => info.type === type)?.settings.severityMap ?? null,
    });
  });

  it('replaces settings of the preset with the sent ones, and null clears', async () => {
    const created = await create({
      type: 'alertmanager',
      itemsPath: null,
      fieldMappings: null,
      severityMap: { P1: 'critical' },
    });
    expect(created).toMatchObject({ itemsPath: null, fieldMappings: [], severityMap: { P1: 'critical' } });
  });

  it('answers all faults at once', async () => {
    const answer = await api.callAs(me, createIntegration, {
      body: {
        name: '',
        dedupScope: 'galaxy',
        fieldMappings: [{ target: 'nonsense', source: 'a' }, { target: 'title' }],
        severityMap: { P1: 'worst' },
        tpyo: 1,
        autoResolveAfterSeconds: 0,
      },
    });
    expect(answer).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
    const paths = (answer as { details: { fields: { path: string }[] } }).details.fields.map(({ path }) => path);
    expect(new Set(paths)).toEqual(
      new Set([
        'name',
        'dedupScope',
        'fieldMappings[0].target',
        'fieldMappings[1]',
        'severityMap["P1"]',
        'tpyo',
        'autoResolveAfterSeconds',
      ]),
    );
  });

  it.each(['\0', 'a\0b', '\ud800', 'x\udfff'])('refuses text that cannot be stored: %j', async (text) => {
    for (const body of [
      { name: `n${text}` },
      { name: 'n', staticLabels: { k: text } },
      { name: 'n', staticLabels: { [`k${text}`]: 'v' } },
      { name: 'n', fieldMappings: [{ target: 'title', value: text }] },
    ]) {
      expect(await api.callAs(me, createIntegration, { body })).toMatchObject({
        ok: false,
        code: 'VALIDATION_ERROR',
      });
    }
    expect(await api.callAs(me, listIntegrations, { query: { q: text } })).toMatchObject({
      ok: false,
      code: 'VALIDATION_ERROR',
    });
  });

  it('answers a repeated request as before, and creates nothing', async () => {
    const body = { name: 'once' };
    const call = { body, idempotency: idempotencyOf('k1', body) };
    const [first, second] = await Promise.all([
      api.callAs(me, createIntegration, call),
      api.callAs(me, createIntegration, call),
    ]);
    expect(second).toEqual(first);
    expect(first.ok).toBe(true);
    expect(
      await api.callAs(me, createIntegration, {
        body: { name: 'other' },
        idempotency: idempotencyOf('k1', { name: 'other' }),
      }),
    ).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(pageOf(await api.callAs(me, listIntegrations, { query: { q: 'once' } })).meta.total).toBe(1);
    const { rows } = await api.admin.query('SELECT answer FROM resources.idempotency');
    expect(JSON.stringify(rows.map(({ answer }) => String(answer)))).not.toContain(
      dataOf<IntegrationWithToken>(first).token,
    );
  });
});

describe('updating an integration', () => {
  it('changes the sent fields and keeps the others, and null clears', async () => {
    const created = await create({ staticLabels: { team: 'sre' }, defaultSeverity: 'low', autoResolveAfterSeconds: 5 });
    const answer = await api.callAs(me, updateIntegration, {
      params: { id: created.id },
      body: { enabled: false, defaultSeverity: null, autoResolveAfterSeconds: null },
    });
    expect(answer).toMatchObject({ ok: true, status: 200, version: 2 });
    expect(dataOf(answer)).toMatchObject({
      name: 'Prometheus EU',
      enabled: false,
      defaultSeverity: null,
      autoResolveAfterSeconds: null,
      staticLabels: { team: 'sre' },
      version: 2,
    });
    expect(await get(created.id)).toEqual(dataOf(answer));
    expect(await entryOf(created.token)).toMatchObject({
      enabled: false,
      version: 2,
      autoResolveAfterSeconds: null,
      settings: { defaultSeverity: null, staticLabels: { team: 'sre' } },
    });
  });

  it('keeps the version when nothing changes', async () => {
    const created = await create();
    expect(
      await api.callAs(me, updateIntegration, { params: { id: created.id }, body: { name: created.name } }),
    ).toMatchObject({ ok: true, version: 1 });
  });

  it.each([
    ['"1"', true],
    ['*', true],
    ['W/"1"', true],
    ['"7", "1"', true],
    ['"2"', false],
    ['"1x"', false],
  ])('honours If-Match: %s', async (ifMatch, holds) => {
    const created = await create();
    const answer = await api.callAs(me, updateIntegration, {
      params: { id: created.id },
      body: { name: 'new' },
      ifMatch,
    });
    expect(answer).toMatchObject(
      holds ? { ok: true, version: 2 } : { ok: false, code: 'VERSION_MISMATCH', details: { current: 1 } },
    );
  });

  it.each(['1', '"1', '', ',', '"1" "2"', 'w/"1"'])('refuses the malformed If-Match %j', async (ifMatch) => {
    const created = await create();
    expect(
      await api.callAs(me, updateIntegration, { params: { id: created.id }, body: { name: 'new' }, ifMatch }),
    ).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await api.callAs(me, deleteIntegration, { params: { id: created.id }, ifMatch })).toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('accepts one of two changes with the same version, and the gateways know the last state', async () => {
    const created = await create();
    for (let version = 1; version <= 5; version++) {
      const answers = await Promise.all(
        ['a', 'b', 'c'].map((name) =>
          api.callAs(me, updateIntegration, {
            params: { id: created.id },
            body: { name: `${name}${version}` },
            ifMatch: `"${version}"`,
          }),
        ),
      );
      expect(answers.map((answer) => answer.ok).sort()).toEqual([false, false, true]);
      expect((await entryOf(created.token))?.version).toBe(version + 1);
    }
  });
});

describe('deleting an integration', () => {
  it('deletes it and its tokens at once', async () => {
    const created = await create();
    const rotated = dataOf<IntegrationWithToken>(
      await api.callAs(me, rotateIntegrationToken, { params: { id: created.id }, body: { graceSeconds: 600 } }),
    );
    expect(await api.callAs(me, deleteIntegration, { params: { id: created.id }, ifMatch: '"1"' })).toMatchObject({
      code: 'VERSION_MISMATCH',
    });
    expect(await api.callAs(me, deleteIntegration, { params: { id: created.id }, ifMatch: '"2"' })).toEqual({
      ok: true,
      status: 204,
      body: null,
      version: null,
    });
    expect(await entryOf(created.token)).toBeUndefined();
    expect(await entryOf(rotated.token)).toBeUndefined();
    expect(await api.callAs(me, getIntegration, { params: { id: created.id } })).toMatchObject({
      code: 'NOT_FOUND',
      details: { resource: 'integration', id: created.id },
    });
    expect(await api.callAs(me, deleteIntegration, { params: { id: created.id } })).toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('is refused while it has open alerts', async () => {
    const created = await create();
    const alerts = await insertAlerts(
      api.admin,
      me,
      Array.from({ length: 12 }, () => ({ integrationId: uuid(created.id) })),
    );
    const answer = await api.callAs(me, deleteIntegration, { params: { id: created.id } });
    expect(answer).toMatchObject({ ok: false, code: 'RESOURCE_IN_USE' });
    const { references } = (answer as { details: { references: { id: string }[] } }).details;
    expect(references).toHaveLength(10);
    expect(alerts.map((id) => publicId('alert', id))).toEqual(expect.arrayContaining(references.map(({ id }) => id)));
    await api.admin.query(
      `UPDATE alerts.alerts SET status = 'resolved', resolved_at = now() WHERE integration_id = $1`,
      [uuid(created.id)],
    );
    await api.admin.query(`UPDATE alerts.counts SET status = 'resolved' WHERE integration_id = $1`, [uuid(created.id)]);
    expect(await api.callAs(me, deleteIntegration, { params: { id: created.id } })).toMatchObject({ ok: true });
  });
});

describe('the client of an integration', () => {
  const newClient = async (name: string, principal = me): Promise<string> =>
    dataOf<Client>(await api.callAs(principal, createClient, { body: { name } })).id;

  it('is stored, changed, cleared and published to the gateways', async () => {
    const [acme, globex] = [await newClient('Acme'), await newClient('Globex')];
    const created = await create({ clientId: acme });
    expect(created.clientId).toBe(acme);
    expect(await entryOf(created.token)).toMatchObject({ clientId: uuidOf('client', acme) });
    const put = async (body: object) =>
      dataOf<Integration>(await api.callAs(me, updateIntegration, { params: { id: created.id }, body }));
    expect(await put({ name: 'renamed' })).toMatchObject({ clientId: acme, version: 2 });
    expect(await put({ clientId: acme })).toMatchObject({ clientId: acme, version: 2 });
    expect(await put({ clientId: globex })).toMatchObject({ clientId: globex, version: 3 });
    expect(await get(created.id)).toMatchObject({ clientId: globex, version: 3 });
    expect(await entryOf(created.token)).toMatchObject({ clientId: uuidOf('client', globex), version: 3 });
    expect(await put({ clientId: null })).toMatchObject({ clientId: null, version: 4 });
    expect(await entryOf(created.token)).toMatchObject({ clientId: null, version: 4 });
  });

  it('must be a client of this tenant that is not deleted', async () => {
    const deleted = await newClient('Deleted');
    await api.callAs(me, deleteClient, { params: { id: deleted } });
    const created = await create();
    const foreign = await newClient('Foreign', await api.newPrincipal());
    const inTest = await newClient(
      'In test',
      await api.newPrincipal({ organizationId: me.organizationId, environment: 'test' }),
    );
    for (const clientId of [deleted, foreign, inTest, publicId('client', newUuid()), created.id, 'nonsense', '']) {
      const fault = {
        ok: false,
        code: 'VALIDATION_ERROR',
        details: { fields: [{ path: 'clientId', rule: 'exists' }] },
      };
      expect(await api.callAs(me, createIntegration, { body: { name: 'x', clientId } })).toMatchObject(fault);
      expect(
        await api.callAs(me, updateIntegration, { params: { id: created.id }, body: { name: 'x', clientId } }),
      ).toMatchObject(fault);
    }
    expect(await get(created.id)).toMatchObject({ name: created.name, clientId: null, version: 1 });
  });

  it('is no longer used by a deleted integration', async () => {
    const client = await newClient('Let go');
    const created = await create({ clientId: client });
    await api.callAs(me, deleteIntegration, { params: { id: created.id } });
    expect(await api.callAs(me, deleteClient, { params: { id: client } })).toMatchObject({ ok: true });
    const { rows } = await api.admin.query('SELECT client_id FROM resources.integrations WHERE id = $1', [
      uuid(created.id),
    ]);
    expect(rows).toEqual([{ client_id: null }]);
  });
});

describe('the audit log', () => {
  it('has an entry for every change, and never a token', async () => {
    const created = await create({ name: 'audited' });
    await api.callAs(me, updateIntegration, { params: { id: created.id }, body: { name: 'audited too' } });
    const rotated = dataOf<IntegrationWithToken>(
      await api.callAs(me, rotateIntegrationToken, { params: { id: created.id }, body: {} }),
    );
    await api.callAs(me, deleteIntegration, { params: { id: created.id } });
    const mine = () => audit.filter(({ resource }) => resource?.id === created.id);
    await eventually(() =>
      expect(mine().map(({ type }) => type)).toEqual([
        'integration.created',
        'integration.updated',
        'integration.token_rotated',
        'integration.deleted',
      ]),
    );
    expect(mine()[1]).toMatchObject({
      organizationId: me.organizationId,
      actor: { type: 'api_key', name: 'bot' },
      ip: '192.0.2.1',
      changes: [{ field: 'name', before: 'audited', after: 'audited too' }],
    });
    for (const secret of [created.token, rotated.token, credentialHash(created.token)])
      expect(JSON.stringify(audit)).not.toContain(secret);
  });
});

describe('lists', () => {
  it('filter, sort and page', async () => {
    const other = await api.newPrincipal();
    for (const name of ['delta', 'Alpha', 'charlie', 'bravo', 'echo 100%'])
      await create({ name, type: name === 'bravo' ? 'grafana' : 'generic', enabled: name !== 'delta' }, other);
    const names = async (query: Record<string, string>) =>
      pageOf<Integration>(await api.callAs(other, listIntegrations, { query })).data.map(({ name }) => name);
    expect(await names({})).toEqual(['echo 100%', 'bravo', 'charlie', 'Alpha', 'delta']);
    expect(await names({ sort: 'createdAt' })).toEqual(['delta', 'Alpha', 'charlie', 'bravo', 'echo 100%']);
    expect(await names({ type: 'grafana,zabbix' })).toEqual(['bravo']);
    expect(await names({ enabled: 'false' })).toEqual(['delta']);
    expect(await names({ q: 'LPH' })).toEqual(['Alpha']);
    expect(await names({ q: '0%' })).toEqual(['echo 100%']);
    expect(await names({ q: '_' })).toEqual([]);
    const sorted: string[] = [];
    let cursor: string | null | undefined;
    for (let first = true; cursor !== null; first = false) {
      const page = pageOf<Integration>(
        await api.callAs(other, listIntegrations, {
          query: { sort: '-name', limit: '2', ...(cursor ? { cursor } : {}) },
        }),
      );
      expect(page.meta.total).toBe(first ? 5 : undefined);
      sorted.push(...page.data.map(({ name }) => name));
      cursor = page.meta.nextCursor;
    }
    expect(sorted).toEqual((await names({ sort: 'name' })).reverse());
    expect(sorted).toHaveLength(5);
  });
});

describe('tenants', () => {
  it('see no integrations of each other, also with row-level security alone', async () => {
    const created = await create({ name: 'mine' });
    const strangers = [
      await api.newPrincipal(),
      await api.newPrincipal({ organizationId: me.organizationId, environment: 'test' }),
    ];
    for (const stranger of strangers) {
      for (const operation of operationsOf('resource-api').filter(({ path }) =>
        path.startsWith('/integrations/{id}'),
      ) as Operation[]) {
        for (const id of [
          created.id,
          publicId('integration', newUuid()),
          'int_x',
          'nonsense',
          '',
          '\0',
          'alr_01938f3a7c2e7d4ab1c2d3e4f5060001',
          uuid(created.id),
        ]) {
          const answer = await api.callAs(stranger, operation, {
            params: { id },
            body: operation.example.body ?? null,
          });
          expect(answer).toEqual({
            ok: false,
            code: 'NOT_FOUND',
            message: expect.any(String),
            details: { resource: 'integration', id },
          });
        }
      }
      expect(pageOf(await api.callAs(stranger, listIntegrations))).toMatchObject({ data: [], meta: { total: 0 } });
    }
    expect(await get(created.id)).toMatchObject({ name: 'mine', version: 1 });

    const client = await api.admin.connect();
    try {
      for (const stranger of [...strangers, me]) {
        await client.query(
          `BEGIN; SET LOCAL ROLE ams_resource_api_principal;
           SET LOCAL app.organization_id = '${stranger.organizationId}';
           SET LOCAL app.environment = '${stranger.environment}'`,
        );
        for (const table of [
          'resources.integrations',
          'resources.requests',
          'resources.integration_activity',
          'alerts_views.alerts',
          'alerts_views.timeline',
          'alerts_views.counts',
          'resources.idempotency',
        ]) {
          const { rows } = await client.query(
            `SELECT count(*)::int AS n FROM ${table} WHERE organization_id <> '${stranger.organizationId}'
             OR environment <> '${stranger.environment}'`,
          );
          expect(rows).toEqual([{ n: 0 }]);
        }
        const { rowCount } = await client.query('UPDATE resources.integrations SET name = name WHERE id = $1', [
          uuid(created.id),
        ]);
        expect(rowCount).toBe(stranger === me ? 1 : 0);
        await client.query('ROLLBACK');
      }
    } finally {
      client.release();
    }
  });
});
