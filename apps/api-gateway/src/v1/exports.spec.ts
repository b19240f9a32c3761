/** Exports with stubs of the owners: `alerts.spec.ts` and others of the owners test their pages. */
import { exportAlerts, exportNotifications, type Answer, type Call } from '@ams/contracts';
import { eventually } from '@ams/testing';
import { connect, type Socket } from 'node:net';
import {
  admission,
  aKey,
  announcement,
  owner,
  owners,
  principalOf,
  rate,
  revoke,
  startWorld,
  withKey,
  type Gateway,
  type World,
} from '../../testing/support.js';

let world: World;
let gateway: Gateway;
const stops: (() => unknown)[] = [];

beforeAll(async () => {
  world = await startWorld();
  for (const name of owners) await world.announce(announcement(name));
  gateway = await world.startGateway({ exportsPerOrganization: 2, exportStallSeconds: 1, callTimeoutMs: 5000 });
  await eventually(async () => expect((await gateway.management.get('/readyz')).status).toBe(200));
});
afterEach(async () => {
  while (stops.length > 0) await stops.pop()?.();
});
afterAll(() => world.stop());

async function admitting(principal = principalOf()) {
  const started = await admission(world.connection, () => ({ kind: 'admitted', principal, rate }));
  stops.push(started.stop);
  return started;
}

async function answering(operation: typeof exportAlerts, answer: (call: Call) => Answer | Promise<Answer>) {
  const started = await owner(world.connection, operation, answer);
  stops.push(started.stop);
  return started;
}

const page = (data: unknown[], nextCursor: string | null): Answer => ({
  ok: true,
  status: 200,
  body: { data, meta: { limit: 500, hasMore: nextCursor !== null, nextCursor } },
  version: null,
});

const fault = (code: 'UNAVAILABLE' | 'INTERNAL_ERROR'): Answer => ({
  ok: false,
  code,
  message: 'It failed.',
  details: { requestId: 'r' },
});

const numbered = (from: number, count: number) => Array.from({ length: count }, (_, n) => ({ id: `alr_${from + n}` }));

/** So many pages of two records. */
const pages =
  (count: number) =>
  ({ after = '0' }: Call): Answer => {
    const n = Number(after);
    return page(numbered(n * 2, 2), n + 1 < count ? String(n + 1) : null);
  };

const get = (query = '', init: RequestInit = {}) =>
  fetch(`${gateway.url}/api/v1/alerts/export${query}`, { ...withKey(), ...init });

const idsOf = (text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: string }).id);

/** A caller that reads only when it is told to. */
async function slowCaller(version = '1.1'): Promise<{ socket: Socket; ended: Promise<string> }> {
  const socket = connect(gateway.port, '127.0.0.1');
  stops.push(() => socket.destroy());
  socket.pause();
  const ended = new Promise<string>((resolve) => {
    let error = 'end';
    socket.on('error', ({ code }: NodeJS.ErrnoException) => (error = String(code)));
    socket.on('close', () => resolve(error));
  });
  socket.write(`GET /api/v1/alerts/export HTTP/${version}\r\nhost: x\r\nauthorization: Bearer ${aKey}\r\n\r\n`);
  return { socket, ended };
}

const outcomes = async (outcome: string): Promise<number> => {
  const { body } = await gateway.management.get<string>('/metrics');
  const line = body.split('\n').find((text) => text.includes(`exports_total{outcome="${outcome}"`));
  return Number(line?.split(' ').at(-1) ?? 0);
};

it('an export is one request that answers with all pages, in order', async () => {
  const { asked } = await admitting();
  const { calls } = await answering(exportAlerts, pages(3));
  const answer = await get('?severity=high&label=a:1&label=b:2', withKey(aKey, { 'x-request-id': 'my-id' }));
  expect(answer.status).toBe(200);
  expect(idsOf(await answer.text())).toEqual(['alr_0', 'alr_1', 'alr_2', 'alr_3', 'alr_4', 'alr_5']);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/x-ndjson; charset=utf-8',
    'content-disposition': expect.stringMatching(/^attachment; filename="alerts-\d{8}T\d{6}Z\.ndjson"$/),
    'cache-control': 'no-store',
    'transfer-encoding': 'chunked',
    'x-request-id': 'my-id',
    'ratelimit-remaining': '299',
  });
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({ scope: 'alerts:read', operation: 'exportAlerts' });
  expect(calls.map(({ after, query, requestId }) => ({ after, query, requestId }))).toEqual(
    [undefined, '1', '2'].map((after) => ({
      after,
      query: { severity: 'high', label: ['a:1', 'b:2'] },
      requestId: 'my-id',
    })),
  );
});

it('CSV has a header line and the same columns in each line', async () => {
  await admitting();
  const records = [
    { id: 'ntf_1', target: '=cmd', status: 'sent', reason: 'a "b", c', attempts: 1 },
    { id: 'ntf_2', target: 'x@example.com', status: 'failed', reason: null, attempts: 3 },
  ];
  await answering(exportNotifications as never, () => page(records, null));
  const answer = await fetch(`${gateway.url}/api/v1/notifications/export?format=csv`, withKey());
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  expect(answer.headers.get('content-disposition')).toMatch(/filename="notifications-.*\.csv"$/);
  expect(await answer.text()).toBe(
    'id,alertId,incidentId,workflowId,runId,stepId,userId,target,channel,status,reason,why,attempts,nextAttemptAt,' +
      'createdAt,updatedAt\r\n' +
      'ntf_1,,,,,,,\'=cmd,,sent,"a ""b"", c",,1,,,\r\n' +
      'ntf_2,,,,,,,x@example.com,,failed,,,3,,,\r\n',
  );
});

it('an export without records is complete', async () => {
  await admitting();
  await answering(exportAlerts, () => page([], null));
  expect(await (await get()).text()).toBe('');
  expect(await (await get('?format=csv')).text()).toMatch(/^id,number|^id,title.*\r\n$/);
  const head = await get('?format=csv', { method: 'HEAD' });
  expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
    200,
    'text/csv; charset=utf-8; header=present',
    '',
  ]);
});

it('a page without records in between does not end an export', async () => {
  await admitting();
  await answering(exportAlerts, ({ after }) => (after ? page(numbered(7, 1), null) : page([], 'next')));
  expect(idsOf(await (await get()).text())).toEqual(['alr_7']);
});

it('a fault of the first page is an error like any other', async () => {
  await admitting();
  await answering(exportAlerts, () => ({
    ok: false,
    code: 'VALIDATION_ERROR',
    message: 'sort must be one of createdAt, -createdAt',
    details: { fields: [] },
  }));
  const answer = await get('?sort=severity');
  expect(answer.status).toBe(400);
  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(await answer.json()).toMatchObject({ code: 'VALIDATION_ERROR' });
});

it('a page is asked for again while its owner restarts', async () => {
  await admitting();
  let refused = 0;
  await answering(exportAlerts, (call) =>
    call.after === '1' && refused++ < 2 ? fault('UNAVAILABLE') : pages(3)(call),
  );
  expect(idsOf(await (await get()).text())).toHaveLength(6);
  expect(refused).toBe(3);
});

it('an export of which a page fails never looks complete', async () => {
  const before = await outcomes('failed');
  await admitting();
  await answering(exportAlerts, (call) => (call.after === '2' ? fault('INTERNAL_ERROR') : pages(9)(call)));
  const answer = await get();
  expect(answer.status).toBe(200);
  await expect(answer.text()).rejects.toThrow();
  // HTTP/1.0 has no chunks: its answer ends with the connection.
  const { socket, ended } = await slowCaller('1.0');
  socket.resume();
  expect(await ended).toBe('ECONNRESET');
  await eventually(async () => expect(await outcomes('failed')).toBe(before + 2));
  expect(gateway.log).toContainEqual(expect.objectContaining({ msg: 'a page of an export failed' }));
});

const large = { title: 'x'.repeat(1000) };
/** Far more than what fits between the owner and a caller that does not read. */
const endless = ({ after = '0' }: Call): Answer =>
  Number(after) < 200 ? page(Array(600).fill(large), String(Number(after) + 1)) : page([], null);

it('pages are only read as fast as the caller reads, and a caller that stops reading is cut off', async () => {
  const before = await outcomes('stalled');
  await admitting();
  const { calls } = await answering(exportAlerts, endless);
  const { ended, socket } = await slowCaller();
  await eventually(async () => expect(await outcomes('stalled')).toBe(before + 1));
  expect(calls.length).toBeLessThan(100);
  socket.resume();
  await ended;
});

it('an organization has only so many exports at a time', async () => {
  const principal = principalOf();
  await admitting(principal);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const { calls } = await answering(exportAlerts, async (call) => {
    if (call.query['q'] === 'wait') await released;
    return pages(2)(call);
  });
  const running = [get('?q=wait'), get('?q=wait')];
  await eventually(() => expect(calls).toHaveLength(2));
  const refused = await get();
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('10');
  expect(await refused.json()).toEqual({
    error:
      '2 exports of the organization are running, and no more are allowed at a time. Try again when one has ended.',
    code: 'RATE_LIMITED',
    details: { scope: 'exports', limit: 2, windowSeconds: 0, retryAfterSeconds: 10 },
  });
  await stops.shift()?.();
  await admitting();
  expect((await get()).status).toBe(200); // of another organization
  release();
  for (const answer of running) expect(idsOf(await (await answer).text())).toHaveLength(4);
  await stops.pop()?.();
  await admitting(principal);
  await eventually(async () => expect((await get()).status).toBe(200));
});

it('the revocation of a key ends its exports', async () => {
  const principal = principalOf();
  const before = await outcomes('revoked');
  await admitting(principal);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await answering(exportAlerts, async (call) => {
    if (call.after === '1') await released;
    return pages(3)(call);
  });
  const answer = await get();
  expect(await revoke(world.connection, principal.id)).toBe(1);
  await expect(answer.text()).rejects.toThrow();
  release();
  await eventually(async () => expect(await outcomes('revoked')).toBe(before + 1));
  expect((await get()).status).toBe(401);
});

it('a caller that leaves ends its export', async () => {
  const before = await outcomes('left');
  await admitting();
  const { calls } = await answering(exportAlerts, endless);
  const { socket } = await slowCaller();
  await eventually(() => expect(calls.length).toBeGreaterThan(1));
  socket.destroy();
  await eventually(async () => expect(await outcomes('left')).toBe(before + 1));
  expect(calls.length).toBeLessThan(100);
});
