import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  acknowledgeAlert,
  BulkAlerts,
  createClient,
  deleteClient,
  Fault,
  listAlerts,
  ListAlertsQuery,
  PostApiKey,
  serviceRequest,
  type Operation,
} from '@ams/contracts';
import { removeState, startNats, type EmbeddedNats } from '@ams/embedded';
import fc from 'fast-check';
import { announce, watchAnnouncements } from './announce.js';
import { connectNats } from './connection.js';
import type { Logger } from './logger.js';
import { answerOf } from './rpc/answer.interceptor.js';
import { asFault } from './rpc/as-fault.js';
import { RpcClient } from './rpc/rpc-client.js';
import { RpcServer } from './rpc/rpc-server.js';
import { announcementsKv, ensureStream, managerOf, streams } from './streams.js';
import { validate } from './validate.js';

let nats: EmbeddedNats;
let dir: string;
type Connection = Awaited<ReturnType<typeof connectNats>>;
let owner: Connection;
let caller: Connection;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ams-messaging-'));
  nats = await startNats({ dir, durable: false });
  owner = await connectNats({ url: nats.url, name: 'owner' });
  caller = await connectNats({ url: nats.url, name: 'caller' });
});

afterAll(async () => {
  await Promise.all([owner, caller].map((connection) => connection.close()));
  await nats.stop();
  removeState(dir);
});

const faultsOf = (work: () => unknown): [string, string][] => {
  try {
    work();
  } catch (error) {
    if (error instanceof Fault && error.code === 'VALIDATION_ERROR')
      return (error as Fault<'VALIDATION_ERROR'>).details.fields.map(({ path, rule }) => [path, rule]);
    throw error;
  }
  return [];
};

describe('validate', () => {
  test('reports all faults together, each with its path', () => {
    expect(
      faultsOf(() =>
        validate(
          PostApiKey,
          { name: '', scopes: ['alerts:read', 'alerts:eat'], colour: 'red', expiry: 'soon' },
          'body',
        ),
      ).sort(),
    ).toEqual(
      [
        ['colour', 'unknown'],
        ['expiry', 'isDateOrInstant'],
        ['name', 'matches'],
        ['scopes', 'isIn'],
      ].sort(),
    );
    expect(
      faultsOf(() => validate(BulkAlerts, { action: 'resolve', filter: { status: ['open'], colour: 1 } }, 'body'))
        .map(([path]) => path)
        .sort(),
    ).toEqual(['filter.colour', 'filter.status']);
  });

  test.each([[null], ['text'], [7], [[]]])('%j is not a valid body', (body) => {
    expect(faultsOf(() => validate(PostApiKey, body, 'body'))).toEqual([['', 'object']]);
  });

  test('reads lists in a query as comma-separated or repeated values, and limits as numbers', () => {
    const query = validate(
      ListAlertsQuery,
      { status: 'firing, resolved', label: ['a:1,2', 'b:c'], limit: '7', source: ['a', 'b,c'] },
      'query',
    );
    expect(query).toMatchObject({
      status: ['firing', 'resolved'],
      label: ['a:1,2', 'b:c'],
      limit: 7,
      source: ['a', 'b', 'c'],
    });
    expect(faultsOf(() => validate(ListAlertsQuery, { limit: '0' }, 'query'))).toEqual([['limit', 'min']]);
    expect(faultsOf(() => validate(ListAlertsQuery, { limit: '1e3' }, 'query')).length).toBeGreaterThan(0);
  });

  test('any input gives faults or an instance, and changes no prototype', () => {
    const before = Object.getOwnPropertyNames(Object.prototype).join();
    const anything = fc.oneof(
      fc.json().map((text) => JSON.parse(text) as unknown),
      fc.constant(JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')),
    );
    fc.assert(
      fc.property(
        anything,
        fc.constantFrom(PostApiKey, BulkAlerts, ListAlertsQuery),
        (body, dto) => void faultsOf(() => validate(dto as never, body, 'body')),
      ),
    );
    expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(before);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

describe('service requests', () => {
  const slow = serviceRequest<Record<string, never>, { done: boolean }>('rpc.slow');

  test('without a responder are UNAVAILABLE immediately, not after their deadline', async () => {
    // The deadline is longer than the test may take.
    const options = { timeoutMs: 600_000, requestId: 'r' };
    await expect(new RpcClient(caller).request(slow, {}, options)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  test('without a reply in time are UNAVAILABLE', async () => {
    const subscription = owner.subscribe(slow.subject, { callback: () => undefined });
    await owner.flush();
    const options = { timeoutMs: 100, requestId: 'r' };
    await expect(new RpcClient(caller).request(slow, {}, options)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    subscription.unsubscribe();
  });

  test('have an outcome each: an admission that is unavailable is no success', async () => {
    const outcomes: string[] = [];
    const log = { warn: () => undefined, error: () => undefined } as unknown as Logger;
    const server = new RpcServer(owner, 'outcomes', log, (_subject, outcome) => void outcomes.push(outcome));
    const answers = [{ kind: 'admitted' }, { kind: 'unavailable' }, { ok: false, code: 'NOT_FOUND' }];
    const asked = serviceRequest<{ n: number }, object>('rpc.outcomes');
    server.addHandler(asked.subject, async ({ n }: { n: number }) => answers[n]);
    await server.listen((error) => {
      if (error) throw error as Error;
    });
    for (const n of answers.keys())
      await new RpcClient(caller).request(asked, { n }, { timeoutMs: 200_000, requestId: 'r' });
    expect(outcomes).toEqual(['ok', 'UNAVAILABLE', 'NOT_FOUND']);
    await server.close();
  });

  test('to all replicas collect every reply', async () => {
    const subscriptions = [1, 2].map(() =>
      owner.subscribe(slow.subject, { callback: (_error, message) => void message.respond('{"done":true}') }),
    );
    await owner.flush();
    const replies = await new RpcClient(caller).requestAll(slow, {}, { stallMs: 200, maxWaitMs: 2000 });
    expect(replies).toEqual([{ done: true }, { done: true }]);
    for (const subscription of subscriptions) subscription.unsubscribe();
  });
});

describe('answers', () => {
  test.each([
    [
      acknowledgeAlert,
      { id: 'alr_1', version: 3 },
      { status: 200, body: { data: { id: 'alr_1', version: 3 } }, version: 3 },
    ],
    [
      createClient,
      { id: 'cli_1', version: 1 },
      { status: 201, body: { data: { id: 'cli_1', version: 1 } }, version: 1 },
    ],
    [
      listAlerts,
      { data: [], meta: { limit: 50 } },
      { status: 200, body: { data: [], meta: { limit: 50 } }, version: null },
    ],
    [deleteClient, undefined, { status: 204, body: null, version: null }],
  ])('of operations have status, body and version: %#', (operation, output, answer) => {
    expect(answerOf(operation as unknown as Operation, output)).toEqual({ ok: true, ...answer });
  });

  test('errors after which a request may succeed later are UNAVAILABLE, others are INTERNAL_ERROR', () => {
    for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', '25006', '40P01', '57P01', '53300', '55P03', '58030'])
      expect(asFault(Object.assign(new Error('x'), { code }), 'r').code).toBe('UNAVAILABLE');
    expect(asFault(Object.assign(new Error('x'), { code: 'CERT_HAS_EXPIRED' }), 'r').code).toBe('UNAVAILABLE');
    for (const error of [new Error('x'), Object.assign(new Error('x'), { code: '23505' }), 'text', null, undefined])
      expect(asFault(error, 'r').code).toBe('INTERNAL_ERROR');
  });
});

describe('streams and announcements', () => {
  test('ten concurrent creations give one stream, and its metadata contain its first settings', async () => {
    const infos = await Promise.all(
      Array.from({ length: 10 }, (_, i) => ensureStream(owner, streams.ingest(i + 1, 1024 * 1024), { replicas: 1 })),
    );
    const partitions = new Set(infos.map(({ config }) => config.metadata?.['partitions']));
    expect(partitions.size).toBe(1);
    await ensureStream(owner, streams.ingest(99, 2 * 1024 * 1024), { replicas: 1 });
    const { config } = await (await managerOf(owner)).streams.info('INGEST');
    expect([config.max_bytes, config.metadata?.['partitions']]).toEqual([2 * 1024 * 1024, [...partitions][0]]);
  });

  test('NATS refuses a message over the limit of its subject', async () => {
    await ensureStream(owner, streams.ingestLimit(5, 60_000), { replicas: 1 });
    const { jetstream } = await import('@nats-io/jetstream');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => jetstream(owner).publish('limit.ingest.a', '')),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    await expect(jetstream(owner).publish('limit.ingest.b', '')).resolves.toBeDefined();
  });

  test('a watcher gets earlier and later announcements', async () => {
    const bucket = await announcementsKv(owner, { replicas: 1 });
    const part = (service: string) => ({ service, operations: [], schemas: {} });
    await announce(bucket, part('early'));
    const heard: string[] = [];
    const { stop } = await watchAnnouncements(caller, ({ service }) => heard.push(service));
    expect(heard).toEqual(['early']);
    await announce(bucket, part('early')); // identical, so the watcher gets nothing
    await announce(bucket, part('late'));
    for (let i = 0; i < 100 && heard.length < 2; i++) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(heard).toEqual(['early', 'late']);
    stop();
  });
});
