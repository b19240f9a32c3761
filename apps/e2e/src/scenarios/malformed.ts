/**
 * Malformed requests: bodies, paths, tokens, headers, cursors, mappings. The answer to each must come within a short
 * time and be no 5xx; a refusal must have the error envelope. The services must work as before.
 */
import { allOperations, type Operation } from '@ams/contracts';
import fc from 'fast-check';
import type { Organization, Sender, System } from '../system.js';
import { exchange, requestBytes, type WireAnswer } from '../system/wire.js';

interface Bad {
  to: 'ingest' | 'api';
  method: string;
  target: string;
  headers: [string, string][];
  body: Buffer;
}

const hostileText = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'length',
  '',
  ' ',
  '\u0000',
  '\ud800',
  '💥',
  'a.b',
  'a[0]',
  '["x"]',
  '{{x}}',
  '%00',
  '../..',
  "' OR 1=1 --",
  '-1',
  '1e999',
  'x'.repeat(300),
);
const word = fc.oneof(hostileText, fc.string({ maxLength: 20 }), fc.string({ unit: 'binary', maxLength: 10 }));
const fieldName = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'title',
      'severity',
      'status',
      'fingerprint',
      'dedup_key',
      'labels',
      'annotations',
      'source',
      'description',
    ),
  },
  { weight: 1, arbitrary: word },
);
const scalar = fc.oneof(word, fc.integer(), fc.double(), fc.boolean(), fc.constant(null));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fieldName, tie('value')), { maxLength: 6 })
      .map(
        (pairs) =>
          Object.assign(
            Object.create(null) as object,
            ...pairs.map(([name, value]) => ownProperty(name, value)),
          ) as unknown,
      ),
  ),
})).value;

/** `{[name]: value}` in which `__proto__` is an ordinary name. */
const ownProperty = (name: string, value: unknown): object =>
  Object.defineProperty({}, name, { value, enumerable: true, configurable: true, writable: true });

const deep = fc
  .integer({ min: 1, max: 50_000 })
  .chain((n) => fc.constantFrom('['.repeat(n), '{"a":'.repeat(n), `${'['.repeat(n)}${']'.repeat(n)}`));
const poisoned = fc.constantFrom(
  '{"__proto__":{"polluted":"yes","title":"polluted"},"severity":"low"}',
  '{"constructor":{"prototype":{"polluted":"yes"}},"title":"x"}',
  '{"title":"x","severity":"low","labels":{"__proto__":"polluted"}}',
  '{"labels":{"__proto__":{"polluted":"yes"}},"title":"x","severity":"low"}',
);
const jsonText = fc.oneof(
  json.map((value) => JSON.stringify(value) ?? ''),
  poisoned,
  deep,
  json.chain((value) => {
    const text = JSON.stringify(value) ?? '';
    return fc.integer({ min: 0, max: text.length }).map((at) => text.slice(0, at));
  }),
);
const body = fc.oneof(
  { weight: 4, arbitrary: jsonText.map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: fc.constant(Buffer.from('title=x&severity=low&__proto__=1')) },
);

const latin1 = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
  maxLength: 60,
});
const contentType = fc.oneof(
  { weight: 5, arbitrary: fc.constant('application/json') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/vnd.x+json; charset=utf-8',
      'application/json; charset=utf-16',
      '',
      'x',
      'multipart/form-data; boundary=x',
    ),
  },
  { weight: 1, arbitrary: latin1 },
);
const header = fc.oneof(
  fc.tuple(
    fc.constantFrom(
      'Idempotency-Key',
      'If-Match',
      'If-None-Match',
      'X-Request-Id',
      'User-Agent',
      'Accept',
      'Expect',
      'Content-Encoding',
      'X-Forwarded-For',
      'X-Amz-Sns-Message-Id',
      'Authorization',
      'Range',
      'Cookie',
    ),
    fc.oneof(latin1, fc.constantFrom('gzip', '100-continue', '"1"', 'W/"1"', '*', 'Bearer', 'x'.repeat(9000))),
  ),
  fc.tuple(
    fc.constantFrom('Content-Length', 'Transfer-Encoding', 'Upgrade', 'Connection', 'Host'),
    fc.constantFrom('chunked', '0', '-1', '5', '99999999999', 'identity', 'websocket', 'keep-alive', ''),
  ),
  fc.tuple(fc.string({ minLength: 1, maxLength: 10 }), latin1),
) as fc.Arbitrary<[string, string]>;
const headers = fc.oneof(
  { weight: 2, arbitrary: fc.constant([] as [string, string][]) },
  { weight: 1, arbitrary: fc.array(header, { maxLength: 4 }) },
);
const method = fc.oneof(
  { weight: 6, arbitrary: fc.constant('POST') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY', 'BREW'),
  },
);

const pathText = fc.oneof(
  word.map((text) => {
    try {
      return encodeURIComponent(text);
    } catch {
      return '%ED%A0%80';
    }
  }),
  fc.constantFrom('%', '%zz', '%C0%AF', '..%2f..', '//', ';', 'a'.repeat(10_000), '%2e%2e', '*', '?', '#'),
  fc.string({ maxLength: 30 }).map((text) => text.replace(/[\s#]/g, '')),
);
const query = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom(
          'limit',
          'cursor',
          'sort',
          'status',
          'label',
          'since',
          'until',
          'q',
          'fingerprint',
          'type',
          'actorId',
        ),
        pathText,
      ),
      pathText,
    ),
    { maxLength: 4 },
  )
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));
/** Base64url of nearly any text, like most cursors. */
const cursor = fc.oneof(
  json.map((value) => Buffer.from(JSON.stringify(value) ?? '').toString('base64url')),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
  pathText,
);

const target = fc.oneof(
  fc.constantFrom('title', 'severity', 'status', 'fingerprint', 'labels.*', 'annotations.*', 'labels.x'),
  word,
);
const mapping = fc.record(
  {
    name: fc.oneof({ weight: 5, arbitrary: fc.constant('of fuzz') }, { weight: 1, arbitrary: json }),
    type: fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom('generic', 'grafana', 'sentry', 'zabbix', 'cloudwatch', 'prtg') },
      { weight: 1, arbitrary: word },
    ),
    fieldMappings: fc.array(
      fc.record(
        {
          target,
          source: fc.oneof(word, fc.array(word, { maxLength: 3 })),
          template: word,
          value: scalar,
          default: scalar,
          extract: fc.oneof(word, fc.constantFrom('(a+)+$', '(.*)', '(?=x)', '([')),
        },
        { requiredKeys: ['target'] },
      ),
      { maxLength: 4 },
    ),
    itemsPath: word,
    parseJson: fc.array(word, { maxLength: 3 }),
    severityMap: fc.dictionary(word, fc.constantFrom('critical', 'low', 'purple')),
    statusMap: fc.dictionary(word, fc.constantFrom('firing', 'resolved', 'x')),
    defaultSeverity: fc.constantFrom('low', null, 'x'),
    staticLabels: fc.dictionary(word, scalar),
    ignoreWhen: fc.array(
      fc.record({ path: word, equals: scalar, missing: fc.constant(true) }, { requiredKeys: ['path'] }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: ['name'] },
);

/** Every kind of malformed request, for an organization that has an alert and an integration. */
export function badRequests(acme: Organization, sender: Sender, ids: string[]): fc.Arbitrary<Bad> {
  const webhook = new URL(sender.ingestUrl).pathname;
  const authorized: [string, string] = ['authorization', `Bearer ${acme.key}`];
  const operation = fc.constantFrom(
    ...(allOperations as Operation[]).filter(
      // Public operations are limited for each address.
      ({ access, operationId }) => access === undefined && operationId !== 'revokeApiKey',
    ),
  );
  const lists = fc.constantFrom(
    ...allOperations.filter(
      ({ access, reply, path }) => access === undefined && reply === 'list' && !path.includes('{'),
    ),
  );
  const id = fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: pathText });
  const toIngest = fc
    .record({
      to: fc.constant('ingest' as const),
      method,
      target: fc.oneof(
        { weight: 4, arbitrary: fc.constant(webhook) },
        { weight: 1, arbitrary: pathText.map((text) => `/api/inbound/webhook/${text}`) },
        { weight: 1, arbitrary: pathText.map((text) => `/${text}`) },
      ),
      contentType,
      headers,
      body,
    })
    .map(withType([]));
  const toApi = fc
    .record({ to: fc.constant('api' as const), operation, id, query, contentType, headers, body })
    .map((bad) =>
      withType([authorized])({
        ...bad,
        method: bad.operation.method,
        target: `/api/v1${bad.operation.path.replace(/\{\w+\}/, bad.id)}?${bad.query}`,
      }),
    );
  const anywhere = fc
    .record({
      to: fc.constantFrom('api' as const, 'ingest' as const),
      method,
      target: pathText.map((text) => `/api/v1/${text}`),
      contentType,
      headers,
      body,
    })
    .map(withType([authorized]));
  const withCursor = fc.tuple(lists, cursor).map(([{ path }, text]): Bad => ({
    to: 'api',
    method: 'GET',
    target: `/api/v1${path}?cursor=${text}`,
    headers: [authorized],
    body: Buffer.alloc(0),
  }));
  const withMapping = fc
    .tuple(
      mapping,
      fc.constantFrom<[string, string]>(['POST', '/api/v1/integrations'], ['PUT', `/api/v1/integrations/${sender.id}`]),
    )
    .map(([settings, [how, where]]): Bad => ({
      to: 'api',
      method: how,
      target: where,
      headers: [authorized, ['content-type', 'application/json']],
      body: Buffer.from(JSON.stringify(settings)),
    }));
  return fc.oneof(
    { weight: 5, arbitrary: toIngest },
    { weight: 5, arbitrary: toApi },
    { weight: 1, arbitrary: anywhere },
    { weight: 2, arbitrary: withCursor },
    { weight: 3, arbitrary: withMapping },
  );
}

const withType =
  (more: [string, string][]) =>
  (bad: Omit<Bad, 'headers'> & { headers: [string, string][]; contentType: string }): Bad => ({
    to: bad.to,
    method: bad.method,
    target: bad.target,
    body: bad.body,
    headers: [...more, ['content-type', bad.contentType], ...bad.headers],
  });

/** The fault of the answer to a malformed request; null when it has none. */
export async function faultOf(system: System, bad: Bad): Promise<string | null> {
  const replica = system.replicas(bad.to === 'ingest' ? 'ingest-gateway' : 'api-gateway')[0];
  const has = (names: RegExp): boolean => bad.headers.some(([name]) => names.test(name));
  const mayStayOpen = has(/^(upgrade|transfer-encoding|content-length|connection)$/i);
  const answer = await exchange(
    replica?.port ?? 0,
    requestBytes(bad.method, bad.target, bad.headers, bad.body),
    mayStayOpen,
  );
  const { status } = answer;
  if (status === null)
    return has(/^(transfer-encoding|content-length)$/i) ? null : 'the connection was closed without an answer';
  if (status >= 500) return `it is answered ${status} ${answer.body}`;
  return status >= 400 && bad.method !== 'HEAD' ? envelopeFault(answer) : null;
}

function envelopeFault({ status, contentType: type, body: text }: WireAnswer): string | null {
  try {
    const { error, code, details, ...rest } = JSON.parse(text) as Record<string, unknown>;
    const isEnvelope =
      typeof error === 'string' &&
      error !== '' &&
      typeof code === 'string' &&
      details !== undefined &&
      Object.keys(rest).length === 0 &&
      type.startsWith('application/json');
    return isEnvelope ? null : `${status} has no envelope: ${text.slice(0, 300)}`;
  } catch {
    return `${status} has no envelope: ${text.slice(0, 300)}`;
  }
}

/** Sends malformed requests, a few at the same time. Throws with the smallest one whose answer has a fault. */
export async function sendBadRequests(system: System, acme: Organization, runs: number): Promise<void> {
  const sender = await acme.integration();
  const steady = await acme.integration();
  await sender.fire({ title: 'An alert', severity: 'low', fingerprint: 'of fuzz' });
  const ids = [...(await acme.alerts()).map(({ id }) => id), sender.id];
  const together = 4;
  const bad = fc.array(badRequests(acme, sender, ids), { minLength: together, maxLength: together });
  await fc.assert(
    fc.asyncProperty(bad, async (requests) => {
      const faults = await Promise.all(requests.map((request) => faultOf(system, request)));
      const found = faults.findIndex((fault) => fault !== null);
      if (found >= 0)
        throw new Error(`${requests[found]?.method} ${requests[found]?.target.slice(0, 200)}: ${faults[found]}`);
    }),
    { numRuns: Math.ceil(runs / together), endOnFailure: false, interruptAfterTimeLimit: 1_500_000 },
  );
  await expectUnchanged(acme, steady);
}

/** No name of a request has changed a prototype: an empty payload still lacks every field, a valid one gets none. */
async function expectUnchanged(acme: Organization, steady: Sender): Promise<void> {
  const empty = await steady.send<unknown>({});
  if (empty.status !== 400 || JSON.stringify(empty.body).includes('polluted'))
    throw new Error(`an empty payload is answered ${empty.status} ${JSON.stringify(empty.body)}`);
  await steady.fire({ title: 'Steady', severity: 'low' });
  const [alert] = await acme.alerts({ integrationId: steady.id });
  if (!alert || JSON.stringify(alert).includes('polluted') || Object.keys(alert.labels).length > 0)
    throw new Error(`a good payload became ${JSON.stringify(alert)}`);
}
