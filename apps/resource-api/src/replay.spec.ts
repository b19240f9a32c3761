import {
  createIntegration, getIntegration, newUuid, publicId, replayIntegration, updateIntegration, uuidOf,
  type Integration, type IntegrationWithToken, type Principal, type Replay,
} from '@ams/contracts';
import { dataOf, idempotent, startWorld, type TestWorld } from '../testing/support.js';

let world: TestWorld;
let me: Principal;

beforeAll(async () => {
  world = await startWorld();
}, 120_000);
afterAll(() => world.stop());
beforeEach(async () => {
  me = await world.newPrincipal();
});

const create = async (settings: object = {}): Promise<Integration> => dataOf<IntegrationWithToken>(await world.callAs(me, createIntegration, { body: { name: 'sender', ...settings } }));
const get = async ({ id }: Integration): Promise<Integration> => dataOf(await world.callAs(me, getIntegration, { params: { id } }));

let clock = Date.parse('2026-11-20T12:00:00.000Z');
/** A payload as it is kept; its time is that of the one before and a second. */
async function kept(integration: Integration, payload: unknown, contentType: string | null = 'application/json', by = me): Promise<string> {
  clock += 1000;
  const id = newUuid(clock);
  await world.admin.query(
    `INSERT INTO resources.deliveries (id, organization_id, environment, integration_id, received_at, outcome, status, content_type, payload, items, request_id)
     VALUES ($1, $2, $3, $4, $5, 'accepted', 202, $6, $7, '[]', 'r')`,
    [id, by.organizationId, by.environment, uuidOf('integration', integration.id), new Date(clock), contentType, payload === null || typeof payload === 'string' ? payload : JSON.stringify(payload)],
  );
  return publicId('delivery', id);
}

const ask = (integration: Integration, body: object, more: object = {}) => world.callAs(me, replayIntegration, { params: { id: integration.id }, body, ...more });
const replay = async (integration: Integration, body: object): Promise<Replay> => dataOf<Replay>(await ask(integration, body));

const alert = (severity: string, title = 'High CPU') => ({ title, severity, fingerprint: 'f' });

describe('a dry run', () => {
  it('says what would be accepted, refused and otherwise, newest first, and saves nothing', async () => {
    const integration = await get(await create({ severityMap: { alpha: 'critical', beta: 'high' } }));
    const same = await kept(integration, alert('low'));
    const refused = await kept(integration, alert('beta'));
    const accepted = await kept(integration, alert('gamma'));
    const changed = await kept(integration, alert('alpha'));
    const answer = await replay(integration, { severityMap: { alpha: 'high', gamma: 'low' } });
    expect(answer).toMatchObject({ saved: false, same: 1, changed: 1, nowAccepted: 1, nowRefused: 1 });
    expect(answer.payloads.map(({ deliveryId, difference }) => [deliveryId, difference])).toEqual([[changed, 'changed'], [accepted, 'nowAccepted'], [refused, 'nowRefused']]);
    expect(answer.payloads.some(({ deliveryId }) => deliveryId === same)).toBe(false);
    expect(answer.payloads[0]).toMatchObject({
      before: [{ outcome: 'event', title: 'High CPU', severity: 'critical' }], after: [{ outcome: 'event', severity: 'high' }], changes: [{ item: 0, field: 'severity', before: 'critical', after: 'high' }],
    });
    expect(answer.payloads[2]).toMatchObject({ before: [{ outcome: 'event' }], after: [{ outcome: 'faulty', faults: [{ path: 'severity' }] }] });
    expect(await get(integration)).toEqual(integration);
  });

  it('reads bodies by their content type, as the gateway does, and those that cannot be read are the same', async () => {
    const integration = await create();
    await kept(integration, 'title=Disk&severity=low', 'application/x-www-form-urlencoded');
    await kept(integration, 'no json');
    await kept(integration, alert('low'), 'text/xml');
    await kept(integration, `${'['.repeat(50_000)}`, null);
    await kept(integration, null);
    const answer = await replay(integration, { staticLabels: { team: 'sre' } });
    expect(answer).toMatchObject({ same: 3, changed: 1, nowAccepted: 0, nowRefused: 0 });
    expect(answer.payloads).toMatchObject([{ after: [{ title: 'Disk', severity: 'low', labels: { team: 'sre' } }], changes: [{ field: 'labels.team', before: null, after: 'sre' }] }]);
  });

  it('looks at the payloads since a time, and at the newest so many', async () => {
    const integration = await create();
    const ids: string[] = [];
    for (let i = 0; i < 25; i++) ids.push(await kept(integration, alert('low', `${i}`)));
    const all = await replay(integration, { staticLabels: { a: 'b' } });
    expect(all.payloads.map(({ deliveryId }) => deliveryId)).toEqual([...ids].reverse());
    expect(all.since).toBe(all.payloads.at(-1)?.receivedAt);
    const newest = await replay(integration, { staticLabels: { a: 'b' }, limit: 12 });
    expect(newest.payloads.map(({ deliveryId }) => deliveryId)).toEqual(ids.slice(-12).reverse());
    const since = await replay(integration, { staticLabels: { a: 'b' }, since: all.payloads[3]!.receivedAt });
    expect(since.payloads.map(({ deliveryId }) => deliveryId)).toEqual(ids.slice(-4).reverse());
    expect(await replay(await create(), {})).toEqual({ saved: false, since: null, same: 0, changed: 0, nowAccepted: 0, nowRefused: 0, payloads: [] });
  });

  it('fits into a message, however much there is', async () => {
    const integration = await create();
    const items = Array.from({ length: 900 }, (_, i) => ({ title: `${i}${'x'.repeat(400)}`, severity: 'low' }));
    for (let i = 0; i < 12; i++) await kept(integration, items);
    const answer = await replay(integration, { staticLabels: { a: 'b' } });
    expect(answer.changed).toBe(12);
    expect(answer.payloads.length).toBeGreaterThan(1);
    expect(JSON.stringify(answer).length).toBeLessThan(800_000);
  });

  it('honours Idempotency-Key', async () => {
    const integration = await create();
    await kept(integration, alert('low'));
    const body = { staticLabels: { a: 'b' } };
    const first = await ask(integration, body, { idempotency: idempotent('r1', body) });
    await kept(integration, alert('low'));
    expect(await ask(integration, body, { idempotency: idempotent('r1', body) })).toEqual(first);
    expect(await ask(integration, {}, { idempotency: idempotent('r1', {}) })).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });
});

describe('saving', () => {
  it('saves as PUT does, for the gateways and the audit log too', async () => {
    const integration = await create();
    await kept(integration, alert('alpha'));
    const answer = await replay(integration, { severityMap: { alpha: 'critical' }, dryRun: false });
    expect(answer).toMatchObject({ saved: true, nowAccepted: 1, nowRefused: 0 });
    expect(await get(integration)).toMatchObject({ version: 2, severityMap: { alpha: 'critical' } });
    const entries = [...(await world.bucketEntries()).values()];
    expect(entries.find(({ id }) => id === uuidOf('integration', integration.id))).toMatchObject({ version: 2, settings: { severityMap: { alpha: 'critical' } } });
    expect((await replay(integration, { severityMap: { alpha: 'critical' }, dryRun: false })).same).toBe(1);
    expect((await get(integration)).version).toBe(2);
  });

  it('refuses to lose what is accepted, and saves nothing of it', async () => {
    const integration = await get(await create({ severityMap: { alpha: 'critical' } }));
    await kept(integration, alert('alpha'));
    expect(await ask(integration, { severityMap: null, dryRun: false })).toMatchObject({ ok: false, code: 'CONFLICT', message: expect.stringMatching(/^A payload that is accepted now would be refused/) });
    expect(await get(integration)).toEqual(integration);
  });

  it('changes only the version that the caller has seen', async () => {
    const integration = await create();
    const body = { staticLabels: { a: 'b' }, dryRun: false };
    await world.callAs(me, updateIntegration, { params: { id: integration.id }, body: { name: 'other' } });
    expect(await ask(integration, body, { ifMatch: '"1"' })).toMatchObject({ code: 'VERSION_MISMATCH', details: { current: 2 } });
    expect(await ask(integration, body, { ifMatch: '"2"' })).toMatchObject({ ok: true });
  });
});

it('knows no integration of another tenant, and none of its payloads', async () => {
  const integration = await create();
  const other = await world.newPrincipal();
  await kept(integration, alert('low'), 'application/json', other);
  expect(await replay(integration, { staticLabels: { a: 'b' } })).toMatchObject({ same: 0, changed: 0 });
  expect(await world.callAs(other, replayIntegration, { params: { id: integration.id }, body: {} })).toMatchObject({ code: 'NOT_FOUND', details: { resource: 'integration', id: integration.id } });
});

it('refuses settings that a PUT refuses', async () => {
  const integration = await create();
  for (const body of [{ severityMap: { alpha: 'worst' } }, { fieldMappings: [{ target: 'nothing' }] }, { limit: 0 }, { since: 'yesterday' }, { name: 'x' }]) {
    expect(await ask(integration, body)).toMatchObject({ code: 'VALIDATION_ERROR' });
  }
});
