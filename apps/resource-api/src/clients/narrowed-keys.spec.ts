/** What a key that is restricted to clients sees and changes here: lists, counts, searches and single records. */
import {
  allOperations,
  newUuid,
  publicId,
  type Alert,
  type Answer,
  type Call,
  type Noun,
  type Page,
  type Principal,
} from '@ams/contracts';
import {
  dataOf,
  insertAlerts,
  insertApiKey,
  insertClient,
  insertIncident,
  insertIntegration,
  insertMember,
  insertSchedule,
  insertSuppressionWindow,
  insertWorkflow,
  pageOf,
} from '@ams/testing';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let whole: Principal;
let restricted: Principal;
/** UUIDs of records by their kind and owner. */
let mine: Record<string, string>;
let theirs: Record<string, string>;
let nobodys: Record<string, string>;

beforeAll(async () => {
  api = await startResourceApi();
  whole = await api.newPrincipal();
  const [a, b] = [await insertClient(api.admin, whole), await insertClient(api.admin, whole)];
  const { organizationId } = whole;
  const restrictedTo = { clientIds: [a], teamIds: [] };
  restricted = (await insertApiKey(api.admin, { organizationId, restrictedTo })).principal;
  [mine, theirs, nobodys] = [await recordsOf(a), await recordsOf(b), await recordsOf(null)];
  await insertMember(api.admin, whole);
});
afterAll(() => api?.stop());

async function recordsOf(clientId: string | null): Promise<Record<string, string>> {
  const integration = await insertIntegration(api.admin, whole, { clientId });
  const incident = await insertIncident(api.admin, whole, { clientId });
  const labels = { region: 'eu' };
  const values = { clientId, incidentId: incident, integrationId: integration, labels };
  const [alert] = (await insertAlerts(api.admin, whole, [
    { ...values, severity: 'critical' },
    { ...values, status: 'resolved' },
  ])) as [string];
  return {
    ...(clientId ? { client: clientId } : {}),
    alert,
    incident,
    integration,
    suppressionWindow: await insertSuppressionWindow(api.admin, whole, { clientIds: clientId ? [clientId] : [] }),
    ...(clientId
      ? {}
      : { schedule: await insertSchedule(api.admin, whole), workflow: await insertWorkflow(api.admin, whole) }),
  };
}

const operationOf = (operationId: string) => {
  const found = allOperations.find((one) => one.operationId === operationId);
  if (!found) throw new Error(`there is no operation ${operationId}`);
  return found;
};
const ask = (operationId: string, call: Partial<Call> = {}, as = restricted): Promise<Answer> =>
  api.callAs(as, operationOf(operationId), call);
const listed = async (operationId: string, query: Record<string, string> = {}, as = restricted) =>
  pageOf<{ id: string }>(await ask(operationId, { query }, as));
const idOf = (records: Record<string, string>, noun: Noun): string => publicId(noun, records[noun] as string);

describe('lists and their totals', () => {
  it.each<[string, Noun]>([
    ['listClients', 'client'],
    ['listIntegrations', 'integration'],
    ['listSuppressionWindows', 'suppressionWindow'],
    ['listIncidents', 'incident'],
  ])('%s shows what belongs to the client', async (operationId, noun) => {
    const { data, meta } = await listed(operationId);
    expect(data.map(({ id }) => id)).toEqual([idOf(mine, noun)]);
    expect(meta.total).toBe(1);
    expect((await listed(operationId, {}, whole)).meta.total).toBeGreaterThan(1);
  });

  it.each(['listSchedules', 'listWorkflows', 'getCurrentOnCall'])('%s shows nothing', async (operationId) => {
    expect(await listed(operationId)).toMatchObject({ data: [], meta: { total: 0 } });
    expect((await listed(operationId, {}, whole)).data).toHaveLength(1);
  });

  it('listMembers is refused, and says why', async () => {
    for (const operationId of ['listMembers', 'getMember'])
      expect(await ask(operationId)).toMatchObject({
        code: 'INSUFFICIENT_SCOPE',
        message: `A key that is restricted to clients or teams cannot use ${operationId}: members belong to the whole organization.`,
      });
  });
});

describe('alerts', () => {
  const queries: Record<string, string>[] = [
    {},
    { limit: '1' },
    { sort: 'severity', limit: '1' },
    { sort: 'createdAt', limit: '1' },
    { status: 'firing,resolved', limit: '1' },
    { severity: 'critical,high', limit: '1' },
    { label: 'region:eu', limit: '1' },
    { q: 'cpu', limit: '1' },
    { label: 'region~:^e', limit: '1' },
    { label: 'region!:us', limit: '1' },
    { severity: '!low', limit: '1' },
  ];
  it.each(queries)('are searched and counted within the client: %j', async (query) => {
    const page = await listed('listAlerts', query);
    expect(page.meta.total).toBe(2);
    const seen = [...page.data];
    let cursor = page.meta.nextCursor;
    while (cursor) {
      const next: Page<{ id: string }> = await listed('listAlerts', { ...query, cursor });
      seen.push(...next.data);
      cursor = next.meta.nextCursor;
    }
    expect(seen).toHaveLength(2);
    expect((seen as Alert[]).map(({ clientId }) => clientId)).toEqual(Array(2).fill(idOf(mine, 'client')));
    expect((await listed('listAlerts', query, whole)).meta.total).toBe(6);
  });

  it('of another client, incident or integration are not found by a filter', async () => {
    for (const [field, noun] of [
      ['clientId', 'client'],
      ['incidentId', 'incident'],
      ['integrationId', 'integration'],
    ] as const) {
      const both = `${idOf(mine, noun)},${idOf(theirs, noun)}`;
      expect((await listed('listAlerts', { [field]: both, limit: '1' })).meta.total).toBe(2);
      const foreign = await listed('listAlerts', { [field]: idOf(theirs, noun) });
      expect(foreign).toMatchObject({ data: [], meta: { total: 0 } });
    }
  });

  it('of others or of nobody are not found by a filter that excludes', async () => {
    for (const clientId of ['!', `!${idOf(mine, 'client')}`, `!,${idOf(theirs, 'client')}`])
      for (const label of [undefined, 'region~:eu'])
        expect(await listed('listAlerts', { clientId, ...(label ? { label } : {}) })).toMatchObject({
          data: [],
          meta: { total: 0 },
        });
    expect((await listed('listAlerts', { clientId: `!${idOf(theirs, 'client')}` })).meta.total).toBe(2);
    expect((await listed('listIntegrations', { clientId: '!' })).data).toEqual([]);
    expect((await listed('listIncidents', { clientId: '!' })).data).toEqual([]);
  });

  it('are none for a key that is restricted to a team', async () => {
    const { organizationId } = whole;
    const restrictedTo = { clientIds: [], teamIds: [newUuid()] };
    const ofTeam = (await insertApiKey(api.admin, { organizationId, restrictedTo })).principal;
    for (const query of [{}, { label: 'region~:eu' }, { clientId: '!' }])
      expect(await listed('listAlerts', query as Record<string, string>, ofTeam)).toMatchObject({
        data: [],
        meta: { total: 0 },
      });
  });

  it('are counted apart from those of other keys, also when the count is cached', async () => {
    const query = { q: 'cpu', limit: '1' };
    for (let i = 0; i < 2; i++) {
      expect((await listed('listAlerts', query, whole)).meta.total).toBe(6);
      expect((await listed('listAlerts', query)).meta.total).toBe(2);
    }
  });

  it('that a window would hide are those of the client', async () => {
    expect(dataOf(await ask('previewSuppressionWindow', { body: { matchAll: true } }))).toMatchObject({ total: 1 });
    expect(dataOf(await ask('previewSuppressionWindow', { body: { matchAll: true } }, whole))).toMatchObject({
      total: 3,
    });
  });
});

describe('a record of another client, or of nobody', () => {
  it.each<[string, Noun, object?]>([
    ['getAlert', 'alert'],
    ['getAlertTimeline', 'alert'],
    ['getIncident', 'incident'],
    ['getIncidentTimeline', 'incident'],
    ['listIncidentAlerts', 'incident'],
    ['getClient', 'client'],
    ['updateClient', 'client', { name: 'x' }],
    ['getIntegration', 'integration'],
    ['updateIntegration', 'integration', { name: 'x' }],
    ['deleteIntegration', 'integration'],
    ['rotateIntegrationToken', 'integration', {}],
    ['previewIntegration', 'integration', { payload: {} }],
    ['replayIntegration', 'integration', {}],
    ['listIntegrationRequests', 'integration'],
    ['getSuppressionWindow', 'suppressionWindow'],
    ['updateSuppressionWindow', 'suppressionWindow', { name: 'x' }],
    ['deleteSuppressionWindow', 'suppressionWindow'],
    ['silenceAlert', 'alert', { durationSeconds: 60 }],
    ['getSchedule', 'schedule'],
    ['updateSchedule', 'schedule', { name: 'x' }],
    ['deleteSchedule', 'schedule'],
    ['swapShifts', 'schedule', operationOf('swapShifts').example.body as object],
    ['getScheduleShifts', 'schedule'],
    ['getWorkflow', 'workflow'],
  ])('is not found by %s', async (...row) => {
    // With a name for each value, Jest would pass a callback for the one that a row does not have.
    const [operationId, noun, body] = row;
    const since = '2026-11-20T00:00:00Z';
    const query = operationId === 'getScheduleShifts' ? { since, until: '2026-11-21T00:00:00Z' } : {};
    for (const records of [theirs, nobodys]) {
      if (!records[noun]) continue;
      const answer = await ask(operationId, {
        params: { id: idOf(records, noun) },
        query: query as Record<string, string>,
        body,
      });
      expect(answer).toMatchObject({ ok: false, code: 'NOT_FOUND' });
    }
  });
});

describe('a new or changed record', () => {
  const sender = { name: 'mine' };
  const window = { name: 'mine', matchAll: true, startsAt: '2040-01-01T00:00:00Z', endsAt: '2040-01-02T00:00:00Z' };

  it('belongs to a client of the key', async () => {
    const clientId = idOf(mine, 'client');
    const foreign = idOf(theirs, 'client');
    const outside = { code: 'INSUFFICIENT_SCOPE', message: expect.stringContaining('restricted to clients or teams') };
    const unknown = { code: 'VALIDATION_ERROR' };
    const create = (operationId: string, body: object) => ask(operationId, { body });
    expect(await create('createIntegration', sender)).toMatchObject(outside);
    expect(await create('createIntegration', { ...sender, clientId: foreign })).toMatchObject(unknown);
    const made = dataOf<{ id: string }>(await create('createIntegration', { ...sender, clientId }));
    const change = (body: object) => ask('updateIntegration', { params: { id: made.id }, body });
    expect(await change({ clientId: null })).toMatchObject(outside);
    expect(await change({ clientId: foreign })).toMatchObject(unknown);
    expect(await change({ dedupScope: 'organization' })).toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
    expect(await change({ name: 'renamed' })).toMatchObject({ ok: true });
    expect(await ask('deleteIntegration', { params: { id: made.id } })).toMatchObject({ ok: true });
    expect(await ask('getIntegration', { params: { id: made.id } })).toMatchObject({ code: 'NOT_FOUND' });

    expect(await create('createSuppressionWindow', window)).toMatchObject(outside);
    expect(await create('createSuppressionWindow', { ...window, clientIds: [foreign] })).toMatchObject(unknown);
    const opened = dataOf<{ id: string }>(
      await create('createSuppressionWindow', { ...window, clientIds: [clientId] }),
    );
    const params = { id: opened.id };
    expect(await ask('updateSuppressionWindow', { params, body: { clientIds: [] } })).toMatchObject(outside);
    expect(await ask('deleteSuppressionWindow', { params })).toMatchObject({ ok: true });
  });

  it('is a window for the alert that it silences, which belongs to the client', async () => {
    const params = { id: idOf(mine, 'alert') };
    const opened = dataOf<{ id: string }>(await ask('silenceAlert', { params, body: { durationSeconds: 60 } }));
    expect(opened).toMatchObject({ status: 'active', clientIds: [idOf(mine, 'client')] });
    expect(await ask('deleteSuppressionWindow', { params: { id: opened.id } })).toMatchObject({ ok: true });
  });

  it('is no schedule, workflow or client', async () => {
    for (const operationId of ['createSchedule', 'createWorkflow', 'createClient']) {
      const body = operationOf(operationId).example.body;
      const layers = operationId === 'createSchedule' ? { layers: [] } : {};
      expect(await ask(operationId, { body: { ...(body as object), ...layers } })).toMatchObject({
        code: 'INSUFFICIENT_SCOPE',
      });
    }
  });

  it('of a batch belongs to a client of the key, and a batch has no operation that the key may not use', async () => {
    const batch = (...operations: object[]) => ask('runBatch', { body: { operations } });
    const integration = (id: string, more: object = {}) => ({
      id,
      method: 'POST',
      path: '/integrations',
      body: { name: id, ...more },
    });
    const own = integration('own', { clientId: idOf(mine, 'client') });
    const before = (await listed('listIntegrations', {}, whole)).meta.total;
    expect(await batch(own, { id: 'new', method: 'POST', path: '/clients', body: { name: 'New' } })).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      message: expect.stringContaining('cannot use createClient'),
    });
    expect(await batch(own, integration('nobodys'))).toMatchObject({
      code: 'BATCH_FAILED',
      details: { operation: 'nobodys', code: 'INSUFFICIENT_SCOPE' },
    });
    const foreign = { id: 'foreign', method: 'DELETE', path: `/integrations/${idOf(theirs, 'integration')}` };
    expect(await batch(own, foreign)).toMatchObject({
      code: 'BATCH_FAILED',
      details: { operation: 'foreign', code: 'NOT_FOUND' },
    });
    expect((await listed('listIntegrations', {}, whole)).meta.total).toBe(before);
    expect(await batch(own, { id: 'gone', method: 'DELETE', path: '/integrations/$own' })).toMatchObject({ ok: true });
  });

  it('in use by a record that the key does not see is not deleted, and that record is not named', async () => {
    const clientId = idOf(mine, 'client');
    const made = dataOf<{ id: string }>(await ask('createIntegration', { body: { ...sender, clientId } }));
    const name = 'A secret maintenance';
    const body = { ...window, name, integrationIds: [made.id] };
    expect(await ask('createSuppressionWindow', { body }, whole)).toMatchObject({ ok: true });
    const answer = await ask('deleteIntegration', { params: { id: made.id } });
    expect(answer).toMatchObject({ code: 'RESOURCE_IN_USE', details: { references: [] } });
    expect(JSON.stringify(answer)).not.toContain(name);
  });
});
