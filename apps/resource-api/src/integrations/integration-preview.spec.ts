import {
  createIntegration,
  previewIntegration,
  subjectOf,
  type Answer,
  type IntegrationWithToken,
  type Preview,
  type Principal,
} from '@ams/contracts';
import { callOf, dataOf, idempotencyOf } from '@ams/testing';
import fc from 'fast-check';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let me: Principal;

beforeAll(async () => {
  api = await startResourceApi({ replicas: 2 });
  me = await api.newPrincipal();
});
afterAll(() => api.stop());

const create = async (body: object = {}, principal = me): Promise<IntegrationWithToken> =>
  dataOf(await api.callAs(principal, createIntegration, { body: { name: 'Prometheus EU', ...body } }));

describe('preview', () => {
  it('maps without storing and shows the source of values', async () => {
    const created = await create({
      fieldMappings: [
        { target: 'title', source: 'check.name' },
        { target: 'labels.host', source: 'host' },
      ],
      severityMap: { P1: 'critical' },
    });
    const preview = dataOf<Preview>(
      await api.callAs(me, previewIntegration, {
        params: { id: created.id },
        body: { payload: { check: { name: 'High CPU' }, host: 'web-01', severity: 'P1' } },
      }),
    );
    expect(preview).toMatchObject({
      kind: 'items',
      items: [
        {
          outcome: 'event',
          event: { title: 'High CPU', severity: 'critical', labels: { host: 'web-01' } },
          provenance: { title: { from: 'mapping', path: 'check.name' } },
          faults: [],
          reason: null,
        },
      ],
    });
  });

  it.each([null, 0, '', 'text', [], {}, [{ title: 'x' }], '\0', { a: '\0', ['\ud800']: '\udfff' }, true])(
    'takes the payload %j',
    async (payload) => {
      const created = await create();
      expect(await api.callAs(me, previewIntegration, { params: { id: created.id }, body: { payload } })).toMatchObject(
        { ok: true, status: 200 },
      );
    },
  );

  it('accepts any JSON', async () => {
    const created = await create({ type: 'alertmanager' });
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ noUnicodeString: false } as never), async (payload) => {
        expect(
          await api.callAs(me, previewIntegration, { params: { id: created.id }, body: { payload } }),
        ).toMatchObject({ ok: true });
      }),
      { numRuns: 60 },
    );
  });

  it('keeps the digits of integers that a number would round', async () => {
    const created = await create({ fieldMappings: [{ target: 'fingerprint', source: 'monitor' }] });
    const call = callOf(me, {
      params: { id: created.id },
      body: { payload: { title: 'Down', severity: 'high', monitor: '123456789012345679' } },
    });
    // JavaScript cannot write such a number.
    const text = JSON.stringify(call).replace('"123456789012345679"', '123456789012345679');
    const answer = (await api.nats.request(subjectOf(previewIntegration), text, { timeout: 20_000 })).json<Answer>();
    expect(dataOf<Preview>(answer).items).toMatchObject([{ event: { fingerprint: '123456789012345679' } }]);
  });

  it('requires a payload, and supports Idempotency-Key', async () => {
    const created = await create();
    expect(await api.callAs(me, previewIntegration, { params: { id: created.id }, body: {} })).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: [{ path: 'payload', rule: 'required' }] },
    });
    const body = { payload: { title: 'a', severity: 'low' } };
    const call = { params: { id: created.id }, body, idempotency: idempotencyOf('p1', body) };
    expect(await api.callAs(me, previewIntegration, call)).toEqual(await api.callAs(me, previewIntegration, call));
  });

  it('answers a payload of very many items', async () => {
    const created = await create();
    const answer = await api.callAs(me, previewIntegration, {
      params: { id: created.id },
      body: {
        payload: Array.from({ length: 1000 }, (_, i) => ({
          title: `alert ${i}`,
          description: 'x'.repeat(400),
          severity: 'low',
        })),
      },
    });
    expect(dataOf<Preview>(answer).items.length).toBeGreaterThan(500);
  });
});
