import {
  createClient,
  createIntegration,
  listSuppression,
  newUuid,
  previewSuppression,
  publicId,
  uuidOf,
  type Alert,
  type Client,
  type FieldFault,
  type Integration,
  type Noun,
  type Principal,
  type SuppressionPreview,
  type WindowScope,
} from '@ams/contracts';
import { severities, windowMatches, type AlertFacts, type Predicate } from '@ams/domain';
import { dataOf, idempotencyOf, insertAlerts, pageOf } from '@ams/testing';
import fc from 'fast-check';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';
import { rowsAfter } from './suppression-preview.js';

let api: TestResourceApi;
let me: Principal;

beforeAll(async () => {
  api = await startResourceApi({ replicas: 2 });
  me = await api.newPrincipal();
});
afterAll(() => api.stop());

const onEu: Predicate = { field: 'labels.region', op: 'eq', value: 'eu' };
/** Active at any time. */
const always = { startsAt: '2000-01-01T00:00:00.000Z', endsAt: '2099-01-01T00:00:00.000Z' };
const preview = async (body: WindowScope, principal = me): Promise<SuppressionPreview> =>
  dataOf(await api.callAs(principal, previewSuppression, { body }));

const client = async (principal = me): Promise<string> =>
  dataOf<Client>(await api.callAs(principal, createClient, { body: { name: 'Acme' } })).id;
const integration = async (principal = me): Promise<string> =>
  dataOf<Integration>(await api.callAs(principal, createIntegration, { body: { name: 'Prometheus' } })).id;
const uuid = (id: string, noun: Noun = 'suppressionWindow'): string => uuidOf(noun, id) as string;

const faultsOf = (answer: unknown): string[] => {
  expect(answer).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
  return (answer as { details: { fields: FieldFault[] } }).details.fields
    .map(({ path, rule }) => `${path} ${rule}`)
    .sort();
};

interface Fixture {
  id: string;
  lastOccurredAt: string;
  facts: AlertFacts;
}

/** Alerts with these facts, each a minute older than the one before. */
async function insertAlertsWith(principal: Principal, facts: Partial<AlertFacts>[]): Promise<Fixture[]> {
  const fixtures = facts.map((some, i): Fixture => {
    const id = newUuid();
    const lastOccurredAt = new Date(Date.UTC(2026, 10, 20) - i * 60_000).toISOString();
    const others: AlertFacts = {
      title: 'High CPU',
      description: null,
      severity: 'high',
      status: 'firing',
      source: null,
      fingerprint: id,
      labels: {},
      annotations: {},
      clientId: null,
      integrationId: publicId('integration', newUuid()),
      incidentId: null,
      assigneeId: null,
      occurrenceCount: 1,
    };
    return { id: publicId('alert', id), lastOccurredAt, facts: { ...others, ...some } };
  });
  const seeds = fixtures.map(({ id, lastOccurredAt, facts: { incidentId: _, ...of } }) => ({
    ...of,
    id: uuid(id, 'alert'),
    createdAt: lastOccurredAt,
    integrationId: uuid(of.integrationId, 'integration'),
    clientId: of.clientId && uuid(of.clientId, 'client'),
    assigneeId: of.assigneeId && uuid(of.assigneeId, 'member'),
  }));
  await insertAlerts(api.admin, principal, seeds);
  return fixtures;
}

describe('preview', () => {
  it('shows the firing alerts that match, newest occurrence first', async () => {
    const other = await api.newPrincipal();
    const eu = { labels: { region: 'eu', host: 'web-01' } };
    const alerts = await insertAlertsWith(other, [
      { ...eu, severity: 'low' },
      { ...eu, severity: 'critical' },
      { labels: { region: 'us' } },
      { ...eu, status: 'acknowledged' },
      { ...eu, status: 'suppressed' },
      { ...eu, status: 'resolved' },
      { ...eu, severity: 'high' },
    ]);
    await insertAlertsWith(await api.newPrincipal({ organizationId: other.organizationId, environment: 'test' }), [eu]);
    const { total, alerts: shown } = await preview({ matchers: [onEu] }, other);
    expect(total).toBe(3);
    expect(shown.map(({ id }) => id)).toEqual([0, 1, 6].map((i) => alerts[i]?.id));
    expect(shown[0]).toMatchObject({
      title: 'High CPU',
      severity: 'low',
      status: 'firing',
      labels: eu.labels,
      lastOccurredAt: alerts[0]?.lastOccurredAt,
      version: 1,
    });
    expect(await preview({ matchers: [onEu], exceptSeverities: ['critical', 'high'] }, other)).toMatchObject({
      total: 1,
      alerts: [{ id: alerts[0]?.id }],
    });
    expect(await preview({ matchAll: true }, other)).toMatchObject({ total: 4 });
    expect(await preview({ matchers: [{ field: 'labels.region', op: 'eq', value: 'mars' }] }, other)).toEqual({
      total: 0,
      alerts: [],
    });
  });

  it('is refused when comparing the alerts takes too long', async () => {
    const other = await api.newPrincipal();
    const description = Array.from({ length: 1_000 }, (_, i) =>
      ((i * 2_654_435_761) >>> 0).toString(2).padStart(32, '0'),
    );
    await insertAlertsWith(
      other,
      Array.from({ length: 100 }, () => ({ description: description.join('') })),
    );
    const matcher = (value: string): Predicate => ({ field: 'description', op: 'matches', value });
    const answer = await api.callAs(other, previewSuppression, { body: { matchers: [matcher('1[01]{400}2')] } });
    expect(faultsOf(answer)).toEqual(['matchers complexity']);
    expect(await preview({ matchers: [matcher('0101|2')] }, other)).toMatchObject({ total: 100 });
    const refused = await api.callAs(other, previewSuppression, { body: { matchers: [matcher('(?i)(?:a?){990}z')] } });
    expect(faultsOf(refused)).toEqual(['matchers[0].value complexity']);
  });

  it('agrees with the domain for any scope', async () => {
    const other = await api.newPrincipal();
    const clients = [await client(other), await client(other)];
    const integrations = [await integration(other), await integration(other)];
    const labels = ['region', 'a:b', 'constructor', 'a.b'];
    const words = ['eu', '10', 'EU', 'it\'s "quoted" \\ %_'];
    const bag = fc.dictionary(fc.constantFrom(...labels), fc.constantFrom(...words), { noNullPrototype: true });
    const alert = fc.record({
      title: fc.constantFrom(...words),
      description: fc.option(fc.constantFrom(...words)),
      severity: fc.constantFrom(...severities),
      source: fc.option(fc.constantFrom(...words)),
      labels: bag,
      annotations: bag,
      clientId: fc.option(fc.constantFrom(...clients)),
      integrationId: fc.constantFrom(...integrations),
      assigneeId: fc.constantFrom(null, publicId('member', newUuid())),
      occurrenceCount: fc.constantFrom(1, 10),
    });
    const fixtures = await insertAlertsWith(other, fc.sample(alert, { numRuns: 300, seed: 7 }));

    const texts = [
      'title',
      'description',
      'source',
      ...labels.map((key) => `labels.${key}`),
      ...labels.map((key) => `annotations.${key}`),
    ];
    const matcher: fc.Arbitrary<Predicate> = fc.oneof(
      fc.record({
        field: fc.constantFrom(...labels.map((key) => `labels.${key}`)),
        op: fc.constant('eq' as const),
        value: fc.constantFrom(...words, 10),
      }),
      fc.record({
        field: fc.constantFrom(...texts),
        op: fc.constantFrom('eq' as const, 'neq' as const, 'contains' as const),
        value: fc.constantFrom(...words),
      }),
      fc.record({
        field: fc.constantFrom('description', 'assigneeId', ...texts),
        op: fc.constant('exists' as const),
        value: fc.boolean(),
      }),
      fc.record({
        field: fc.constantFrom('clientId', 'integrationId'),
        op: fc.constantFrom('eq' as const, 'neq' as const),
        value: fc.constantFrom(...clients, ...integrations),
      }),
      fc.record({
        field: fc.constant('occurrenceCount'),
        op: fc.constant('gt' as const),
        value: fc.constantFrom(1, 9),
      }),
      fc.record({
        field: fc.constant('status'),
        op: fc.constant('eq' as const),
        value: fc.constantFrom('firing', 'Firing', 'resolved'),
      }),
    );
    const scope = fc.record({
      matchers: fc.array(matcher, { maxLength: 2 }),
      clientIds: fc.subarray(clients),
      integrationIds: fc.subarray(integrations),
      exceptSeverities: fc.subarray([...severities], { maxLength: 4 }),
      matchAll: fc.constant(true),
    });
    await fc.assert(
      fc.asyncProperty(scope, async (sent) => {
        const window = {
          ...sent,
          ...always,
          id: '',
          enabled: true,
          timezone: 'UTC',
          rrule: null,
          durationSeconds: null,
          onEnd: 'resume' as const,
        };
        const expected = fixtures.filter(({ facts }) =>
          windowMatches(window, {
            alert: facts,
            client: null,
            integration: null,
            incident: null,
            now: always.startsAt,
          }),
        );
        const { total, alerts } = await preview(sent, other);
        expect({ total, ids: alerts.map(({ id }) => id) }).toEqual({
          total: expected.length,
          ids: expected.slice(0, 50).map(({ id }) => id),
        });
      }),
      { numRuns: 150 },
    );
  });

  it('counts thousands, also of one instant, and shows the first fifty', async () => {
    const other = await api.newPrincipal();
    const facts = Array.from({ length: 3210 }, (_, i) => ({
      severity: severities[i % severities.length] ?? 'low',
      labels: { parity: i % 2 ? 'odd' : 'even' },
    }));
    const fixtures = await insertAlertsWith(other, facts);
    const odd: Predicate = { field: 'labels.parity', op: 'eq', value: 'odd' };
    const ids = ({ alerts }: SuppressionPreview): string[] => alerts.map(({ id }) => id);
    const all = await preview({ matchAll: true }, other);
    expect(all.total).toBe(3210);
    expect(ids(all)).toEqual(fixtures.slice(0, 50).map(({ id }) => id));
    for (const matchers of [[odd], [{ ...odd, op: 'contains' as const }]]) {
      const some = await preview({ matchers }, other);
      expect(some.total).toBe(1605);
      expect(ids(some)).toEqual(
        fixtures
          .filter((_, i) => i % 2 === 1)
          .slice(0, 50)
          .map(({ id }) => id),
      );
    }

    await api.admin.query(
      `UPDATE alerts.alerts SET last_occurred_at = '2026-11-20T00:00:00Z' WHERE organization_id = $1`,
      [other.organizationId],
    );
    const tied = await preview({ matchAll: true }, other);
    expect(tied.total).toBe(3210);
    expect(ids(tied)).toEqual(
      fixtures
        .map(({ id }) => id)
        .sort()
        .reverse()
        .slice(0, 50),
    );
  });

  it.each([
    ['no long texts', { description: null, labels: {}, annotations: {} }, 1000],
    ['short ones', { description: 'x'.repeat(500), labels: { a: 'bc' }, annotations: {} }, 261],
    ['long ones', { description: 'x'.repeat(32_768), labels: {}, annotations: {} }, 4],
    ['long annotations', { description: null, labels: {}, annotations: { a: 'x'.repeat(50_000) } }, 2],
    ['a text that is longer than a portion', { description: 'x'.repeat(600_000), labels: {}, annotations: {} }, 1],
  ])('after rows with %s it reads as many as a portion may have', (_what, row, limit) => {
    expect(rowsAfter([row])).toBe(limit);
    expect(rowsAfter([row, row, row])).toBe(limit);
  });

  it('answers alerts that are as long as they may be', async () => {
    const other = await api.newPrincipal();
    const annotations = Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`k${i}`, 'é'.repeat(1024)]));
    const [newest] = await insertAlertsWith(
      other,
      Array.from({ length: 60 }, () => ({ description: 'é'.repeat(32_768), annotations })),
    );
    const { total, alerts } = await preview({ matchAll: true }, other);
    expect(total).toBe(60);
    expect(alerts.length).toBeGreaterThan(0);
    expect(alerts[0]).toMatchObject({ id: newest?.id, annotations } satisfies Partial<Alert>);
  });

  it('answers every fault at once, needs a scope, and stores nothing', async () => {
    expect(faultsOf(await api.callAs(me, previewSuppression, { body: {} }))).toEqual(['matchAll matchAll']);
    const body = {
      matchers: [{ field: 'client.slug', op: 'eq', value: 'acme' }],
      exceptSeverities: ['worst'],
      startsAt: '2026-01-01T00:00:00Z',
    };
    const answer = await api.callAs(me, previewSuppression, { body });
    expect(new Set(faultsOf(answer).map((fault) => fault.split(' ')[0]))).toEqual(
      new Set(['matchers[0].field', 'exceptSeverities[0]', 'startsAt']),
    );
    const other = await api.newPrincipal();
    await preview({ clientIds: [await client(other)] }, other);
    expect(pageOf(await api.callAs(other, listSuppression)).meta.total).toBe(0);
  });

  it('answers a repeated request as before', async () => {
    const other = await api.newPrincipal();
    await insertAlertsWith(other, [{}]);
    const body = { matchAll: true };
    const request = { body, idempotency: idempotencyOf('p1', body) };
    const first = await api.callAs(other, previewSuppression, request);
    expect(dataOf(first)).toMatchObject({ total: 1 });
    await insertAlertsWith(other, [{}]);
    expect(await api.callAs(other, previewSuppression, request)).toEqual(first);
    expect(await preview(body, other)).toMatchObject({ total: 2 });
  });
});
