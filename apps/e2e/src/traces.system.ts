/** One trace from the request of a sender, or of the API, through all services that work for it. */
import type { Alert } from '@ams/contracts';
import { eventually } from '@ams/testing';
import { randomBytes } from 'node:crypto';
import { openCollector, type CollectedSpan, type Collector } from './system/collector.js';
import { openMailbox, type Mailbox } from './system/mailbox.js';
import {
  serviceNames,
  startSystem,
  type List,
  type One,
  type Organization,
  type Sender,
  type System,
} from './system.js';

let system: System;
let mailbox: Mailbox;
let collector: Collector;
let acme: Organization;
let sender: Sender;

beforeAll(async () => {
  [mailbox, collector] = await Promise.all([openMailbox(), openCollector()]);
  const traced = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20key%20of%20the%20collector',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    LOG_LEVEL: 'debug',
  };
  const more = (service: string) => (service === 'notifier' ? mailbox.settings : {});
  system = await startSystem({
    env: Object.fromEntries(serviceNames.map((name) => [name, { ...traced, ...more(name) }])),
  });
  acme = await system.organization();
  sender = await acme.integration();
});
afterAll(async () => {
  await system?.stop();
  await mailbox?.close();
  await collector?.close();
});

/** The context of a caller that has begun a trace. */
function callersContext(flags: '00' | '01' = '01') {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return {
    traceId,
    spanId,
    headers: { traceparent: `00-${traceId}-${spanId}-${flags}`, tracestate: 'caller=a1' },
  };
}

const servicesOf = (spans: readonly CollectedSpan[]): string[] => [...new Set(spans.map(({ service }) => service))];

/** The spans, when those of all these services have arrived and each one's parent is there or is the caller's. */
async function wholeTrace(traceId: string, callersSpan: string, services: readonly string[]): Promise<CollectedSpan[]> {
  return eventually(() => {
    const spans = collector.spans(traceId);
    expect(servicesOf(spans)).toEqual(expect.arrayContaining([...services]));
    const ids = new Set([callersSpan, ...spans.map(({ spanId }) => spanId)]);
    expect(spans.filter(({ parentId }) => !ids.has(parentId ?? ''))).toEqual([]);
    return spans;
  });
}

const named = (spans: readonly CollectedSpan[], service: string, name: string): CollectedSpan => {
  const found = spans.find((span) => span.service === service && span.name === name);
  if (!found) throw new Error(`no ${name} of ${service} in ${spans.map((s) => `${s.service} ${s.name}`).join(', ')}`);
  return found;
};

it('an alert is one trace, from the request of its sender to the mail to the person on call', async () => {
  const { traceId, spanId, headers } = callersContext();
  const body = { title: 'A secret title', severity: 'critical', fingerprint: 'traced' };
  const path = new URL(sender.ingestUrl).pathname;
  // Through the API gateway, which passes the context on and decides nothing.
  const answer = await system.as('none').post(path, body, { headers });
  expect(answer.status).toBe(202);
  const alert = await eventually(async () => {
    const [found] = await acme.alerts({ fingerprint: 'traced' });
    expect(found?.incidentId).toEqual(expect.any(String));
    return found as Alert;
  });
  await eventually(() =>
    expect(mailbox.mails().map(({ subject }) => subject)).toContainEqual(expect.stringMatching(/A secret title/)),
  );

  const spans = await wholeTrace(traceId, spanId, ['ingest-gateway', 'alert-pipeline', 'workflow-engine', 'notifier']);
  const root = named(spans, 'ingest-gateway', 'POST /api/inbound/webhook/:token');
  expect(root).toMatchObject({
    parentId: spanId,
    traceState: 'caller=a1',
    attributes: { 'http.response.status_code': 202, 'http.route': '/api/inbound/webhook/:token' },
  });
  const applied = named(spans, 'alert-pipeline', 'process INGEST');
  expect(applied.parentId).toBe(named(spans, 'ingest-gateway', 'send INGEST').spanId);
  expect(applied.attributes).toMatchObject({ 'ams.alert.id': alert.id, 'ams.event.effect': 'opened' });
  expect(applied.attributes['ams.organization.id']).toBe(root.attributes['ams.organization.id']);
  const paged = spans.find(({ attributes }) => attributes['ams.event.type'] === 'incident.paged');
  expect(paged).toMatchObject({ service: 'workflow-engine', attributes: { 'ams.incident.id': alert.incidentId } });
  expect(named(spans, 'notifier', 'attempt email')).toMatchObject({
    attributes: { 'ams.incident.id': alert.incidentId, 'ams.notification.result': 'sent' },
    failed: false,
  });
  expect(spans.filter(({ failed }) => failed)).toEqual([]);
  await eventually(() => expect(system.logs()).toMatch(new RegExp(`"trace_id":"${traceId}".*"msg":"attempt"`)));
});

it('a request of the API is one trace with the admission, its owner and the events that follow', async () => {
  const { traceId, spanId, headers } = callersContext('00');
  const [alert] = await acme.alerts({ fingerprint: 'traced' });
  const path = `/api/v1/alerts/${alert?.id}/acknowledge`;
  const answer = await acme.api.post<One<Alert>>(path, { note: 'A secret note' }, { headers });
  expect(answer.status).toBe(200);
  const spans = await wholeTrace(traceId, spanId, ['api-gateway', 'auth', 'alert-pipeline', 'workflow-engine']);
  const root = named(spans, 'api-gateway', 'POST /api/v1/alerts/{id}/acknowledge');
  expect(root).toMatchObject({ parentId: spanId, attributes: { 'http.response.status_code': 200 } });
  const owned = spans.find(({ attributes }) => attributes['ams.operation'] === 'alerts.acknowledge');
  expect(owned).toMatchObject({
    service: 'alert-pipeline',
    attributes: { 'rpc.system': 'nats', 'ams.organization.id': root.attributes['ams.organization.id'] },
  });
  expect(spans.map(({ attributes }) => attributes['ams.event.type'])).toContain('alert.acknowledged');
});

it('alerts that are processed together have a trace each, and nothing of another one is in it', async () => {
  const sent = Array.from({ length: 12 }, (_, n) => ({ ...callersContext(), fingerprint: `together-${n}` }));
  // Every third one is not traced by its sender: it has a trace of its own, which is none of these.
  await Promise.all(
    sent.map(({ headers, fingerprint }, n) =>
      sender.fire({ title: 'Together', severity: 'critical', fingerprint }, { headers: n % 3 === 2 ? {} : headers }),
    ),
  );
  for (const [n, { traceId, spanId, fingerprint }] of sent.entries()) {
    if (n % 3 === 2) {
      expect(collector.spans(traceId)).toEqual([]);
      continue;
    }
    const spans = await wholeTrace(traceId, spanId, [
      'ingest-gateway',
      'alert-pipeline',
      'workflow-engine',
      'notifier',
    ]);
    const [alert] = await acme.alerts({ fingerprint });
    const of = (attribute: string) => new Set(spans.map(({ attributes }) => attributes[attribute]).filter(Boolean));
    expect(of('ams.alert.id')).toEqual(new Set([alert?.id]));
    expect(of('ams.incident.id')).toEqual(new Set([alert?.incidentId]));
    expect(spans.filter(({ name }) => name === 'attempt email')).toHaveLength(1);
  }
});

it('a level of an escalation that is due begins a trace, to the mail', async () => {
  const made = async (path: string, body: object): Promise<{ id: string }> => {
    const answer = await acme.api.post<One<{ id: string }>>(`/api/v1${path}`, body);
    expect(answer.status).toBe(201);
    return answer.body.data;
  };
  const [owner] = (await acme.api.get<List<{ id: string }>>('/api/v1/users')).body.data;
  const target = { type: 'user', id: owner?.id };
  const policy = await made('/escalation-policies', {
    name: 'Two levels',
    levels: [1, 3600].map((escalateAfterSeconds) => ({ targets: [target], escalateAfterSeconds })),
  });
  await made('/teams', { name: 'Two levels', slug: 'two-levels', policyId: policy.id });
  const labels = { team: 'two-levels' };
  await sender.fire({ title: 'Nobody acknowledges', severity: 'critical', fingerprint: 'escalates', labels });
  await eventually(async () => {
    const [alert] = await acme.alerts({ fingerprint: 'escalates' });
    const due = collector
      .spans()
      .find(({ name, attributes }) => name === 'escalation' && attributes['ams.incident.id'] === alert?.incidentId);
    expect(due).toMatchObject({ service: 'alert-pipeline', parentId: null });
    const spans = collector.spans(due?.traceId);
    expect(named(spans, 'notifier', 'attempt email').attributes['ams.incident.id']).toBe(alert?.incidentId);
  });
});

it('a fault is the code of its span', async () => {
  const { traceId, headers } = callersContext();
  expect((await acme.api.get('/api/v1/clients/cli_unknown', { headers })).status).toBe(404);
  await eventually(() => {
    const spans = collector.spans(traceId);
    for (const [service, name] of [
      ['api-gateway', 'GET /api/v1/clients/{id}'],
      ['resource-api', 'rpc.clients.get'],
    ] as const)
      expect(named(spans, service, name)).toMatchObject({ attributes: { 'error.type': 'NOT_FOUND' }, failed: false });
  });
});

it('no span has a credential, a body, an address or the path of a request', async () => {
  const refused = callersContext();
  const wrong = `${sender.token.slice(0, -4)}zzzz`;
  await system.ingest().post(`/api/inbound/webhook/${wrong}`, {}, { headers: refused.headers });
  await system.as(`${acme.key}x`).get('/api/v1/alerts?q=secret-search', { headers: refused.headers });
  await eventually(() =>
    expect(servicesOf(collector.spans(refused.traceId))).toEqual(
      expect.arrayContaining(['ingest-gateway', 'api-gateway']),
    ),
  );
  const text = collector.requests.map(({ body }) => body).join('\n');
  expect(text).toContain(refused.traceId);
  for (const secret of [
    sender.token,
    wrong,
    sender.token.slice(-12),
    acme.key,
    'A secret',
    'secret-search',
    '@example.com',
    'key of the collector',
  ])
    expect(text).not.toContain(secret);
});

it('spans are posted with the headers and the attributes of the settings', async () => {
  for (const { path, headers } of collector.requests)
    expect({ path, authorization: headers.authorization }).toEqual({
      path: '/v1/traces',
      authorization: 'Bearer key of the collector',
    });
  expect(collector.requests[0]?.body).toMatch(/"deployment.environment.name","value":\{"stringValue":"test"\}/);
});

it('what was recorded last arrives when a service stops', async () => {
  const { traceId, headers } = callersContext();
  const [gateway] = system.replicas('api-gateway');
  await acme.api.get('/api/v1/alerts', { headers });
  await gateway?.stop();
  expect(servicesOf(collector.spans(traceId))).toContain('api-gateway');
});
