import {
  createIntegration,
  deleteIntegration,
  requestLogStream,
  requestLogSubject,
  getIntegration,
  listIntegrationDeliveries,
  listIntegrationRequests,
  newUuid,
  publicId,
  uuidOf,
  type RequestLogBatch,
  type RequestRecord,
  type IntegrationRequest,
  type Integration,
  type IntegrationWithToken,
  type LimitedRecord,
  type Page,
  type Principal,
} from '@ams/contracts';
import { packText } from '@ams/domain';
import { applyBroker } from '@ams/messaging';
import { dataOf, eventually, pageOf, streamManager } from '@ams/testing';
import { jetstream } from '@nats-io/jetstream';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let me: Principal;

beforeAll(async () => {
  api = await startResourceApi({ replicas: 3 });
  me = await api.newPrincipal();
});
afterAll(() => api.stop());

const create = async (): Promise<Integration> =>
  dataOf<IntegrationWithToken>(await api.callAs(me, createIntegration, { body: { name: 'sender' } }));

let clock = Date.now();
const record = (integration: Integration, more: Partial<RequestRecord> = {}): RequestRecord => {
  clock += 5;
  return {
    id: newUuid(clock),
    organizationId: me.organizationId,
    environment: 'live',
    integrationId: uuidOf('integration', integration.id) as string,
    receivedAt: new Date(clock).toISOString(),
    outcome: 'accepted',
    status: 202,
    contentType: 'application/json',
    payload: '{"title":"High CPU"}',
    items: [{ outcome: 'event', eventId: publicId('event', newUuid()), fingerprint: 'f', warnings: [] }],
    note: null,
    requestId: 'r',
    stored: 1,
    ...more,
  };
};
const limited = (integration: Integration, count: number): LimitedRecord => ({
  integrationId: uuidOf('integration', integration.id) as string,
  organizationId: me.organizationId,
  environment: 'live',
  count,
  lastAt: new Date(clock).toISOString(),
});

const publish = async (batch: Partial<RequestLogBatch> | string): Promise<number> =>
  (
    await jetstream(api.nats).publish(
      requestLogSubject,
      typeof batch === 'string' ? batch : JSON.stringify({ requests: [], limited: [], ...batch }),
    )
  ).seq;

/** Settles when everything that was published before has been applied: the position is the stream's end. */
const applied = async (sequence: number): Promise<void> => {
  await eventually(async () => {
    const { rows } = await api.admin.query<{ position: string }>(
      'SELECT position FROM resources.positions WHERE stream = $1',
      [requestLogStream],
    );
    expect(Number(rows[0]?.position ?? 0)).toBeGreaterThanOrEqual(sequence);
  });
};

const list = async (integration: Integration, query: Record<string, string> = {}): Promise<Page<IntegrationRequest>> =>
  pageOf(await api.callAs(me, listIntegrationRequests, { params: { id: integration.id }, query }));

describe('requests', () => {
  it('are answered the same by the deprecated operation', async () => {
    const integration = await create();
    await applied(await publish({ requests: [record(integration), record(integration)] }));
    const call = { params: { id: integration.id }, query: { limit: '1' } };
    const answer = await api.callAs(me, listIntegrationDeliveries, call);
    expect(pageOf(answer)).toMatchObject({ data: [{ id: expect.stringMatching(/^req_/) }], meta: { total: 2 } });
    expect(await api.callAs(me, listIntegrationRequests, call)).toEqual(answer);
  });

  it('that an earlier release wrote into the stream are stored', async () => {
    const integration = await create();
    const waiting = record(integration);
    await applied(await publish(JSON.stringify({ deliveries: [waiting], limited: [limited(integration, 2)] })));
    expect((await list(integration)).data.map(({ id }) => id)).toEqual([publicId('request', waiting.id)]);
    const got = dataOf<Integration>(await api.callAs(me, getIntegration, { params: { id: integration.id } }));
    expect(got.rateLimited.count).toBe(2);
  });

  it('are stored from a message with bytes that are no UTF-8, and from one with further fields', async () => {
    const integration = await create();
    const [broken, further] = [record(integration, { payload: 'a?b' }), record(integration)];
    const bytes = Buffer.from(JSON.stringify({ requests: [broken], limited: [] }));
    bytes[bytes.indexOf('a?b') + 1] = 0xff;
    await jetstream(api.nats).publish(requestLogSubject, bytes);
    await applied(await publish(JSON.stringify({ requests: [further], later: [], limited: [] })));
    expect((await list(integration)).data.map(({ payload }) => payload)).toEqual([further.payload, 'a\ufffdb']);
  });

  it('are listed newest first, as the gateway recorded them', async () => {
    const integration = await create();
    const records = [
      record(integration),
      record(integration, {
        outcome: 'rejected',
        status: 400,
        payload: null,
        contentType: null,
        items: [],
        note: 'why',
        stored: 0,
      }),
      record(integration),
    ];
    await applied(await publish({ requests: records }));
    const page = await list(integration);
    expect(page.data.map(({ id }) => id)).toEqual(records.map(({ id }) => publicId('request', id)).reverse());
    expect(page.meta).toEqual({ limit: 50, hasMore: false, nextCursor: null, total: 3 });
    expect(page.data[1]).toEqual({
      id: publicId('request', (records[1] as RequestRecord).id),
      receivedAt: records[1]?.receivedAt,
      api: 'webhook',
      outcome: 'rejected',
      status: 400,
      contentType: null,
      payload: null,
      items: [],
      note: 'why',
      requestId: 'r',
    });
    expect(page.data[0]?.items).toEqual(records[2]?.items);
    const got = dataOf<Integration>(await api.callAs(me, getIntegration, { params: { id: integration.id } }));
    expect(got).toMatchObject({
      lastEventAt: records[2]?.receivedAt,
      rateLimited: { count: 0, lastAt: null },
      version: 1,
    });
  });

  it('name their API, which is the webhook when the gateway does not name it', async () => {
    const integration = await create();
    const accepted = [
      record(integration),
      record(integration, { api: 'webhook', operation: null, alertKey: null }),
      record(integration, { api: 'pagerduty', operation: null, alertKey: 'made\0' }),
      record(integration, { api: 'opsgenie', operation: 'create', alertKey: null }),
      record(integration, { api: 'opsgenie', operation: 'close', alertKey: 'disk' }),
      record(integration, { api: 'opsgenie', operation: null, alertKey: null, payload: null }),
    ];
    const refused: Partial<RequestRecord>[] = [
      { api: 'telegram' as never },
      { api: null as never },
      { operation: 'close', alertKey: 'disk' },
      { api: 'opsgenie', operation: null },
      { api: 'opsgenie', operation: 'close' },
      { api: 'opsgenie', operation: 'delete' as never, alertKey: 'disk' },
      { api: 'pagerduty', alertKey: 7 as never },
    ];
    await applied(await publish({ requests: [...accepted, ...refused.map((more) => record(integration, more))] }));
    expect((await list(integration)).data.map(({ api }) => api).reverse()).toEqual([
      'webhook',
      'webhook',
      'pagerduty',
      'opsgenie',
      'opsgenie',
      'opsgenie',
    ]);
    const { rows } = await api.admin.query(
      'SELECT operation, alert_key FROM resources.requests WHERE integration_id = $1 ORDER BY id',
      [uuidOf('integration', integration.id)],
    );
    expect(
      rows.map(({ operation, alert_key: key }: { operation: string | null; alert_key: string | null }) => [
        operation,
        key,
      ]),
    ).toEqual([
      [null, null],
      [null, null],
      [null, 'made\uFFFD'],
      ['create', null],
      ['close', 'disk'],
      [null, null],
    ]);
  });

  it('show a payload that the gateway has packed, and no payload that cannot be unpacked', async () => {
    const integration = await create();
    const payload = JSON.stringify({ title: 'Datei \u{1F600} fehlt', filler: 'x'.repeat(10_000) });
    const packedPayload = (await packText(payload)).toString('base64');
    const packed = record(integration, { payload: null, packedPayload });
    const unreadable = record(integration, { payload: null, packedPayload: 'QUJD' });
    const refused: Partial<RequestRecord>[] = [
      { payload: null, packedPayload: 'not base64' },
      { payload: null, packedPayload: 7 as never },
      { payload: '{}', packedPayload },
      { api: 'opsgenie', operation: null, payload: null, packedPayload },
    ];
    await applied(
      await publish({ requests: [packed, unreadable, ...refused.map((more) => record(integration, more))] }),
    );
    expect((await list(integration)).data.map((request) => [request.id, request.payload])).toEqual([
      [publicId('request', unreadable.id), null],
      [publicId('request', packed.id), payload],
    ]);
  });

  it('count once, also when they are delivered several times', async () => {
    const integration = await create();
    const batch = { requests: [record(integration)], limited: [limited(integration, 7)] };
    await applied(await publish(batch));
    // A message that was applied arrives again, as after a crash between the commit and the acknowledgement.
    await api.admin.query('UPDATE resources.positions SET position = position + 1 WHERE stream = $1', [
      requestLogStream,
    ]);
    await publish({ limited: [limited(integration, 100)] });
    for (const service of api.replicas.splice(0)) await service.stop();
    const manager = await streamManager(api.nats);
    await manager.consumers.delete(requestLogStream, 'resource-api');
    await Promise.all([api.startReplica(), api.startReplica()]);
    await applied(await publish({ limited: [limited(integration, 1)] }));
    const got = dataOf<Integration>(await api.callAs(me, getIntegration, { params: { id: integration.id } }));
    expect(got.rateLimited).toEqual({ count: 8, lastAt: batch.limited[0]?.lastAt });
    expect((await list(integration)).meta.total).toBe(1);
  });

  it('show the later record of one request, in one message or in two', async () => {
    const integration = await create();
    const [one, two] = [0, 1].map(() =>
      record(integration, { outcome: 'handshake', status: 200, note: 'waiting to be confirmed', stored: 0 }),
    ) as [RequestRecord, RequestRecord];
    await publish({ requests: [one, two, { ...two, note: 'confirmed' }] });
    await applied(await publish({ requests: [{ ...one, note: 'refused' }] }));
    expect((await list(integration)).data.map(({ id, note }) => [id, note])).toEqual([
      [publicId('request', two.id), 'confirmed'],
      [publicId('request', one.id), 'refused'],
    ]);
  });

  it('are kept to the newest hundred of each integration', async () => {
    const [busy, quiet] = [await create(), await create()];
    const first = record(quiet);
    const all: RequestRecord[] = [];
    let last = 0;
    for (let i = 0; i < 7; i++) {
      const batch = Array.from({ length: i === 3 ? 130 : 20 }, () => record(busy));
      all.push(...batch);
      last = await publish({ requests: i === 0 ? [first, ...batch] : batch });
    }
    await applied(last);
    const pages = [await list(busy, { limit: '60' })];
    pages.push(await list(busy, { limit: '60', cursor: pages[0]?.meta.nextCursor as string }));
    expect(pages[0]?.meta.total).toBe(100);
    expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(
      all
        .slice(-100)
        .map(({ id }) => publicId('request', id))
        .reverse(),
    );
    expect((await list(quiet)).data.map(({ id }) => id)).toEqual([publicId('request', first.id)]);
  });

  it('are stored although others cannot be stored or read', async () => {
    const integration = await create();
    const gone = await create();
    await api.callAs(me, deleteIntegration, { params: { id: gone.id } });
    const odd = record(integration, {
      payload: 'a\0b\ud800c',
      note: '\0',
      items: [{ ['k\0']: '\udfff', deep: [{ x: '\0' }] }],
    });
    const good = record(integration);
    await publish('not json');
    await publish('null');
    await publish('[]');
    await publish('{"requests":5,"limited":{}}');
    await applied(
      await publish({
        requests: [
          odd,
          null as never,
          7 as never,
          { ...good, id: 'x' },
          { ...good, id: newUuid(), outcome: 'what' as never },
          { ...good, id: newUuid(), receivedAt: '0000-00-00T00:00:00.000Z' },
          { ...good, id: newUuid(), status: 1e9 },
          { ...good, id: newUuid(), environment: 'moon' as never },
          { ...good, id: newUuid(), environment: 'test' },
          { ...good, id: newUuid(), organizationId: newUuid() },
          record(gone),
          { ...good, id: newUuid(), integrationId: newUuid() },
          good,
        ],
        limited: [
          null as never,
          { ...limited(integration, 1), count: -1 },
          { ...limited(integration, 1), integrationId: newUuid() },
          limited(gone, 3),
          limited(integration, 2),
        ],
      }),
    );
    const page = await list(integration);
    expect(page.data.map(({ id }) => id)).toEqual([good.id, odd.id].map((id) => publicId('request', id)));
    expect(page.data[1]).toMatchObject({
      payload: 'a\uFFFDb\uFFFDc',
      note: '\uFFFD',
      items: [{ 'k\uFFFD': '\uFFFD', deep: [{ x: '\uFFFD' }] }],
    });
    expect(
      dataOf<Integration>(await api.callAs(me, getIntegration, { params: { id: integration.id } })).rateLimited.count,
    ).toBe(2);
  });

  it('are stored also from a new stream, which begins at 1 again', async () => {
    const integration = await create();
    for (const expected of [2, 4, 6]) {
      await applied(await publish({ requests: [record(integration)] }));
      await (await streamManager(api.nats)).streams.delete(requestLogStream);
      await applyBroker(api.nats);
      await publish({ requests: [record(integration)] });
      await eventually(async () => expect((await list(integration)).meta.total).toBe(expected));
    }
  });
});
