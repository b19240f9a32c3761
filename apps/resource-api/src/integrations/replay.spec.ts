import {
  createIntegration,
  getIntegration,
  newUuid,
  publicId,
  replayIntegration,
  updateIntegration,
  uuidOf,
  type Integration,
  type IntegrationWithToken,
  type Principal,
  type Replay,
} from '@ams/contracts';
import {
  compileDropIn,
  dropInPayload,
  mapDropIn,
  packText,
  presetSettings,
  type DropInBody,
  type DropInRequest,
  type MappingSettings,
  type OpsgenieOperation,
  type Received,
} from '@ams/domain';
import fc from 'fast-check';
import { dataOf, idempotencyOf } from '@ams/testing';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let me: Principal;

beforeAll(async () => {
  api = await startResourceApi();
});
afterAll(() => api.stop());
beforeEach(async () => {
  me = await api.newPrincipal();
});

const create = async (settings: object = {}): Promise<Integration> =>
  dataOf<IntegrationWithToken>(await api.callAs(me, createIntegration, { body: { name: 'sender', ...settings } }));
const get = async ({ id }: Integration): Promise<Integration> =>
  dataOf(await api.callAs(me, getIntegration, { params: { id } }));

const byWebhook: Received = { api: 'webhook', operation: null, alertKey: null };

let clock = Date.now() - 3_600_000; // younger than what is removed
/** Stores a payload one second after the previous one. A long one is packed, as the gateway does it. */
async function kept(
  integration: Integration,
  payload: unknown,
  contentType: string | null = 'application/json',
  by = me,
  received: Received = byWebhook,
): Promise<string> {
  clock += 1000;
  const id = newUuid(clock);
  const text = payload === null || typeof payload === 'string' ? payload : JSON.stringify(payload);
  const packed = text !== null && text.length > 4096 ? await packText(text) : null;
  await api.admin.query(
    `INSERT INTO resources.requests (id, organization_id, environment, integration_id, received_at, api, operation,
     alert_key, outcome, status, content_type, payload, packed_payload, items, request_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'accepted', 202, $9, $10, $11, '[]', 'r')`,
    [
      id,
      by.organizationId,
      by.environment,
      uuidOf('integration', integration.id),
      new Date(clock),
      received.api,
      received.operation,
      received.alertKey,
      contentType,
      packed === null ? text : null,
      packed,
    ],
  );
  return publicId('request', id);
}

const ask = (integration: Integration, body: object, more: object = {}) =>
  api.callAs(me, replayIntegration, { params: { id: integration.id }, body, ...more });
const replay = async (integration: Integration, body: object): Promise<Replay> =>
  dataOf<Replay>(await ask(integration, body));

const alert = (severity: string, title = 'High CPU') => ({ title, severity, fingerprint: 'f' });

describe('a dry run', () => {
  it('shows what would be accepted, refused or different, newest first, and saves nothing', async () => {
    const integration = await get(await create({ severityMap: { alpha: 'critical', beta: 'high' } }));
    const same = await kept(integration, alert('low'));
    const refused = await kept(integration, alert('beta'));
    const accepted = await kept(integration, alert('gamma'));
    const changed = await kept(integration, { ...alert('alpha'), description: 'long '.repeat(1000) });
    const answer = await replay(integration, { severityMap: { alpha: 'high', gamma: 'low' } });
    expect(answer).toMatchObject({ saved: false, same: 1, changed: 1, nowAccepted: 1, nowRefused: 1 });
    expect(answer.payloads.map(({ integrationRequestId, difference }) => [integrationRequestId, difference])).toEqual([
      [changed, 'changed'],
      [accepted, 'nowAccepted'],
      [refused, 'nowRefused'],
    ]);
    expect(answer.payloads.some(({ integrationRequestId }) => integrationRequestId === same)).toBe(false);
    expect(answer.payloads[0]).toMatchObject({
      before: [{ outcome: 'event', title: 'High CPU', severity: 'critical' }],
      after: [{ outcome: 'event', severity: 'high' }],
      changes: [{ item: 0, field: 'severity', before: 'critical', after: 'high' }],
    });
    expect(answer.payloads[2]).toMatchObject({
      before: [{ outcome: 'event' }],
      after: [{ outcome: 'faulty', faults: [{ path: 'severity' }] }],
    });
    expect(await get(integration)).toEqual(integration);
  });

  it('reads bodies by their content type, as the gateway does; unreadable ones count as the same', async () => {
    const integration = await create();
    await kept(integration, 'title=Disk&severity=low', 'application/x-www-form-urlencoded');
    await kept(integration, 'no json');
    await kept(integration, alert('low'), 'text/xml');
    await kept(integration, `${'['.repeat(50_000)}`, null);
    await kept(integration, null);
    const answer = await replay(integration, { staticLabels: { team: 'sre' } });
    expect(answer).toMatchObject({ same: 3, changed: 1, nowAccepted: 0, nowRefused: 0 });
    expect(answer.payloads).toMatchObject([
      {
        after: [{ title: 'Disk', severity: 'low', labels: { team: 'sre' } }],
        changes: [{ field: 'labels.team', before: null, after: 'sre' }],
      },
    ]);
  });

  it('tries the payloads since a time, and a limited number of the newest', async () => {
    const integration = await create();
    const ids: string[] = [];
    for (let i = 0; i < 25; i++) ids.push(await kept(integration, alert('low', `${i}`)));
    const all = await replay(integration, { staticLabels: { a: 'b' } });
    expect(all.payloads.map(({ integrationRequestId }) => integrationRequestId)).toEqual([...ids].reverse());
    expect(all.since).toBe(all.payloads.at(-1)?.receivedAt);
    const newest = await replay(integration, { staticLabels: { a: 'b' }, limit: 12 });
    expect(newest.payloads.map(({ integrationRequestId }) => integrationRequestId)).toEqual(ids.slice(-12).reverse());
    const since = await replay(integration, { staticLabels: { a: 'b' }, since: all.payloads[3]!.receivedAt });
    expect(since.payloads.map(({ integrationRequestId }) => integrationRequestId)).toEqual(ids.slice(-4).reverse());
    expect(await replay(await create(), {})).toEqual({
      saved: false,
      since: null,
      same: 0,
      changed: 0,
      nowAccepted: 0,
      nowRefused: 0,
      payloads: [],
    });
  });

  it('answers in one message for any number of payloads', async () => {
    const integration = await create();
    const items = Array.from({ length: 300 }, (_, i) => ({ title: `${i}${'x'.repeat(400)}`, severity: 'low' }));
    for (let i = 0; i < 12; i++) await kept(integration, items);
    const answer = await replay(integration, { staticLabels: { a: 'b' } });
    expect(answer.changed).toBe(12);
    expect(answer.payloads.length).toBeGreaterThan(1);
    expect(JSON.stringify(answer).length).toBeLessThan(800_000);
  });

  it('supports Idempotency-Key', async () => {
    const integration = await create();
    await kept(integration, alert('low'));
    const body = { staticLabels: { a: 'b' } };
    const first = await ask(integration, body, { idempotency: idempotencyOf('r1', body) });
    await kept(integration, alert('low'));
    expect(await ask(integration, body, { idempotency: idempotencyOf('r1', body) })).toEqual(first);
    expect(await ask(integration, {}, { idempotency: idempotencyOf('r1', {}) })).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });
});

/** A request to a drop-in API, stored as the gateway stores it. */
const keptDropIn = (integration: Integration, request: DropInRequest, body: DropInBody): Promise<string> => {
  const shown =
    request.api === 'pagerduty'
      ? { ...body, routing_key: '[hidden]' }
      : request.operation === 'update'
        ? body
        : dropInPayload(request, body);
  return kept(integration, shown, 'application/json', me, request);
};

const enqueued = (alertKey: string | null = null): DropInRequest => ({ api: 'pagerduty', operation: null, alertKey });
const asked = (operation: OpsgenieOperation, alertKey: string | null = null): DropInRequest => ({
  api: 'opsgenie',
  operation,
  alertKey,
});
const trigger = (payload: object = {}, rest: object = {}) => ({
  event_action: 'trigger',
  dedup_key: 'disk',
  ...rest,
  payload: { summary: 'Disk full', source: 'web-01', severity: 'error', ...payload },
});

/** The result of the gateway for it with an integration of these settings. */
const atIngest = (settings: MappingSettings, request: DropInRequest, body: DropInBody) =>
  mapDropIn(compileDropIn(request.api, settings), request, body);

describe('payloads of a drop-in API', () => {
  it('are mapped as the gateway maps them: with the settings of an integration of its type', async () => {
    const integration = await create({ type: 'pagerduty_events_v2' });
    const preset = presetSettings('pagerduty_events_v2');
    const long = trigger({ summary: 'x'.repeat(2_000), severity: 'warning' });
    const ids = [
      await keptDropIn(integration, enqueued('made'), trigger({}, { dedup_key: null })),
      await keptDropIn(integration, enqueued(), long),
      await keptDropIn(integration, enqueued(), { event_action: 'resolve', dedup_key: 'disk' }),
    ];
    const severityMap = { error: 'critical' as const, warning: 'low' as const };
    const answer = await replay(integration, { severityMap });
    expect(answer).toMatchObject({ same: 1, changed: 2, nowAccepted: 0, nowRefused: 0 });
    expect(answer.payloads.map(({ integrationRequestId, changes }) => [integrationRequestId, changes])).toEqual([
      [ids[1], [{ item: 0, field: 'severity', before: 'medium', after: 'low' }]],
      [ids[0], [{ item: 0, field: 'severity', before: 'high', after: 'critical' }]],
    ]);
    expect(answer.payloads[1]).toMatchObject({
      after: [{ outcome: 'event', title: 'Disk full', fingerprint: 'made', fingerprintSource: 'explicit' }],
    });
    // Cut as in the original request: no payload is refused for its size.
    const [cut] = atIngest({ ...preset, severityMap }, enqueued(), long);
    expect(cut).toMatchObject({ kind: 'event', event: { severity: 'low', title: `${'x'.repeat(1_023)}…` } });
    expect(answer.payloads[0]?.after).toMatchObject([
      cut?.kind === 'event' ? JSON.parse(JSON.stringify(cut.event)) : null,
    ]);
  });

  it('are the same with settings that do not apply to them', async () => {
    const integration = await create({ type: 'grafana' });
    await keptDropIn(integration, enqueued(), trigger());
    await keptDropIn(integration, asked('create'), { message: 'Disk full', alias: 'disk', priority: 'P2' });
    await keptDropIn(integration, asked('close', 'disk'), {});
    const unreached = {
      severityMap: { error: 'low', p2: 'low' },
      fieldMappings: [{ target: 'title', value: 'other' }],
      ignoreWhen: [{ path: 'payload.source', equals: 'web-01' }],
      itemsPath: 'alerts',
      defaultSeverity: 'low',
    };
    expect(await replay(integration, unreached)).toMatchObject({
      same: 3,
      changed: 0,
      nowAccepted: 0,
      nowRefused: 0,
      payloads: [],
    });
    // The static labels of every integration apply.
    const labelled = await replay(integration, { staticLabels: { team: 'sre' } });
    expect(labelled).toMatchObject({ same: 0, changed: 3 });
    for (const { changes } of labelled.payloads)
      expect(changes).toEqual([{ item: 0, field: 'labels.team', before: null, after: 'sre' }]);
  });

  it('of Opsgenie are mapped according to their path', async () => {
    const integration = await create({ type: 'opsgenie' });
    await kept(integration, '[]', 'application/json', me, asked('create'));
    await kept(integration, '', null, me, asked('update', 'disk'));
    await keptDropIn(integration, asked('update', 'disk'), { message: 'm' });
    const acknowledged = await keptDropIn(integration, asked('acknowledge', 'disk'), {
      action: 'create',
      note: 'mine',
    });
    const closed = await keptDropIn(integration, asked('close', 'a/b'), {});
    const created = await keptDropIn(integration, asked('create'), {
      message: 'y'.repeat(2_000),
      alias: 'disk',
      tags: ['env:prod'],
      priority: 'P2',
    });
    const answer = await replay(integration, { severityMap: { p2: 'critical' }, staticLabels: { team: 'sre' } });
    expect(answer).toMatchObject({ same: 3, changed: 3, nowAccepted: 0, nowRefused: 0 });
    expect(answer.payloads.map(({ integrationRequestId, after }) => [integrationRequestId, after])).toMatchObject([
      [
        created,
        [
          {
            outcome: 'event',
            status: 'firing',
            severity: 'critical',
            title: `${'y'.repeat(1_023)}…`,
            labels: { env: 'prod', team: 'sre' },
          },
        ],
      ],
      [closed, [{ outcome: 'event', status: 'resolved', fingerprint: 'a/b', title: 'Opsgenie alert a/b' }]],
      [
        acknowledged,
        [{ outcome: 'event', status: 'acknowledged', fingerprint: 'disk', annotations: { note: 'mine' } }],
      ],
    ]);
  });

  it('prevent a save that would lose one of them, and no other save', async () => {
    const own = await create({ type: 'pagerduty_events_v2' });
    await keptDropIn(own, enqueued(), trigger({ severity: 'error' }));
    const severityMap = { critical: 'critical' };
    expect(await ask(own, { severityMap, dryRun: false })).toMatchObject({ code: 'CONFLICT' });
    const other = await create({ defaultSeverity: 'low' });
    await keptDropIn(other, enqueued(), trigger({ severity: 'error' }));
    // A request without a field that the API requires stays refused.
    await keptDropIn(other, enqueued(), { event_action: 'trigger' });
    expect(
      await replay(other, { severityMap: { critical: 'low' }, defaultSeverity: null, dryRun: false }),
    ).toMatchObject({ saved: true, same: 2 });
  });

  const anything = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('x'.repeat(2_000), '\0'.repeat(1_500), 'critical', 'P1'),
  );
  const bag = fc.oneof(anything, fc.dictionary(fc.string(), anything, { maxKeys: 20 }));
  const event = fc.record(
    { summary: anything, source: anything, severity: anything, component: anything, custom_details: bag },
    { requiredKeys: ['summary'] },
  );
  const key = fc.oneof(fc.string({ minLength: 1 }), fc.constant('k'.repeat(300)));
  const pagerDuty = fc
    .record(
      {
        event_action: fc.constantFrom('trigger', 'trigger', 'acknowledge', 'resolve', 'escalate'),
        dedup_key: fc.oneof(key, anything),
        payload: fc.oneof({ weight: 3, arbitrary: event }, anything),
        client_url: anything,
        links: anything,
      },
      { requiredKeys: ['event_action'] },
    )
    .map((body) => [enqueued('made'), body] as const);
  const opsgenie = fc
    .tuple(
      fc.constantFrom<OpsgenieOperation>('create', 'create', 'close', 'acknowledge', 'update'),
      key,
      fc.record(
        {
          message: anything,
          alias: anything,
          description: anything,
          source: anything,
          priority: anything,
          tags: fc.oneof(fc.array(fc.string()), anything),
          details: bag,
          note: anything,
          action: anything,
        },
        { requiredKeys: ['message'] },
      ),
    )
    .map(([operation, alias, body]) => [asked(operation, operation === 'create' ? null : alias), body] as const);

  it('are the same with the same settings, and accepted ones are not refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('generic', 'pagerduty_events_v2', 'opsgenie'),
        fc.array(fc.oneof(pagerDuty, opsgenie), { minLength: 1, maxLength: 30 }),
        async (type, sent) => {
          const integration = await create({ type });
          const came = new Map<string, ReturnType<typeof atIngest>>();
          for (const [request, posted] of sent) {
            const body = JSON.parse(JSON.stringify(posted)) as DropInBody;
            came.set(await keptDropIn(integration, request, body), atIngest(presetSettings(type), request, body));
          }
          expect(await replay(integration, {})).toMatchObject({
            same: sent.length,
            changed: 0,
            nowAccepted: 0,
            nowRefused: 0,
            payloads: [],
          });
          // Only differing payloads are shown: a label on every event, except edits, makes them differ.
          const { payloads, ...counts } = await replay(integration, { staticLabels: { replayed: 'yes' } });
          const accepted = [...came].filter(([, [item]]) => item?.kind === 'event' && item.event.edit === undefined);
          expect(counts).toMatchObject({
            same: sent.length - accepted.length,
            changed: accepted.length,
            nowAccepted: 0,
            nowRefused: 0,
          });
          for (const { integrationRequestId, before } of payloads) {
            const [item] = came.get(integrationRequestId)!;
            expect(before).toEqual([
              {
                outcome: 'event',
                ...(JSON.parse(JSON.stringify(item?.kind === 'event' ? item.event : null)) as object),
              },
            ]);
          }
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe('saving', () => {
  it('saves as PUT does, also for the gateways and the audit log', async () => {
    const integration = await create();
    await kept(integration, alert('alpha'));
    const answer = await replay(integration, { severityMap: { alpha: 'critical' }, dryRun: false });
    expect(answer).toMatchObject({ saved: true, nowAccepted: 1, nowRefused: 0 });
    expect(await get(integration)).toMatchObject({ version: 2, severityMap: { alpha: 'critical' } });
    const entries = [...(await api.bucketEntries()).values()];
    expect(entries.find(({ id }) => id === uuidOf('integration', integration.id))).toMatchObject({
      version: 2,
      settings: { severityMap: { alpha: 'critical' } },
    });
    expect((await replay(integration, { severityMap: { alpha: 'critical' }, dryRun: false })).same).toBe(1);
    expect((await get(integration)).version).toBe(2);
  });

  it('refuses settings that would lose accepted payloads, and saves nothing', async () => {
    const integration = await get(await create({ severityMap: { alpha: 'critical' } }));
    await kept(integration, alert('alpha'));
    expect(await ask(integration, { severityMap: null, dryRun: false })).toMatchObject({
      ok: false,
      code: 'CONFLICT',
      message: expect.stringMatching(/^A payload that is accepted now would be refused/),
    });
    expect(await get(integration)).toEqual(integration);
  });

  it('changes only the version that the caller sent', async () => {
    const integration = await create();
    const body = { staticLabels: { a: 'b' }, dryRun: false };
    await api.callAs(me, updateIntegration, { params: { id: integration.id }, body: { name: 'other' } });
    expect(await ask(integration, body, { ifMatch: '"1"' })).toMatchObject({
      code: 'VERSION_MISMATCH',
      details: { current: 2 },
    });
    expect(await ask(integration, body, { ifMatch: '"2"' })).toMatchObject({ ok: true });
  });
});

it('finds no integration of another tenant, and none of its payloads', async () => {
  const integration = await create();
  const other = await api.newPrincipal();
  await kept(integration, alert('low'), 'application/json', other);
  expect(await replay(integration, { staticLabels: { a: 'b' } })).toMatchObject({ same: 0, changed: 0 });
  expect(await api.callAs(other, replayIntegration, { params: { id: integration.id }, body: {} })).toMatchObject({
    code: 'NOT_FOUND',
    details: { resource: 'integration', id: integration.id },
  });
});

it('refuses settings that a PUT refuses', async () => {
  const integration = await create();
  for (const body of [
    { severityMap: { alpha: 'worst' } },
    { fieldMappings: [{ target: 'nothing' }] },
    { limit: 0 },
    { since: 'yesterday' },
    { name: 'x' },
  ]) {
    expect(await ask(integration, body)).toMatchObject({ code: 'VALIDATION_ERROR' });
  }
});
