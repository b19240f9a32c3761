import {
  calendarRequest,
  credentialHash,
  newCalendarToken,
  type CalendarReply,
  type CalendarRequest,
} from '@ams/contracts';
import { Throttle } from '@ams/service';
import { envelope, startWorld, type Gateway, type World } from '../../testing/support.js';
import { calendarLimits } from './calendars.plugin.js';

let world: World;
let gateway: Gateway;
let calendars: Map<string, CalendarReply>;
let requests: CalendarRequest[];

beforeAll(async () => {
  world = await startWorld();
  gateway = await world.startGateway();
  world.connection.subscribe(calendarRequest.subject, {
    callback: (_error, message) => {
      const request = message.json<CalendarRequest>();
      requests.push(request);
      message.respond(JSON.stringify(calendars.get(request.tokenHash) ?? { kind: 'unknown' }));
    },
  });
  await world.connection.flush();
});
afterAll(() => world?.stop());
beforeEach(() => {
  calendars = new Map();
  requests = [];
});

const text = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n';
function newFeed(): string {
  const token = newCalendarToken();
  calendars.set(credentialHash(token), { kind: 'calendar', text, lastModified: '2026-11-20T14:00:00.000Z' });
  return token;
}
const get = (token: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  fetch(`${gateway.url}/api/calendars/${token}.ics`, { headers, method });

describe('a calendar feed', () => {
  test('is read without a key, and asked for again each time', async () => {
    const response = await get(newFeed());
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, no-cache',
      'last-modified': 'Fri, 20 Nov 2026 14:00:00 GMT',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      etag: expect.stringMatching(/^"[\w-]{27}"$/),
    });
    expect(await response.text()).toBe(text);
  });

  test('is answered with 304 while it is the same', async () => {
    const token = newFeed();
    const etag = (await get(token)).headers.get('etag') ?? '';
    const again = await get(token, { 'if-none-match': etag });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    calendars.set(credentialHash(token), { kind: 'calendar', text: `${text}x`, lastModified: '2026-11-20T14:00:00Z' });
    expect((await get(token, { 'if-none-match': etag })).status).toBe(200);
  });

  test('HEAD has the headers without the text; other methods are refused', async () => {
    const token = newFeed();
    const head = await get(token, {}, 'HEAD');
    expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', expect.any(String)]);
    const post = await get(token, {}, 'POST');
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

test.each([
  ['an unknown token', `/api/calendars/${newCalendarToken()}.ics`],
  ['a token with a wrong checksum', '/api/calendars/00000000000000000000000000000000.ics'],
  ['a token of another form', '/api/calendars/x.ics'],
  ['no token', '/api/calendars/.ics'],
  ['no suffix', '/api/calendars/x'],
  ['a folder', '/api/calendars/a/b.ics'],
])('%s gets the same 404, after the owner was asked', async (_, path) => {
  const response = await fetch(`${gateway.url}${path}`);
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual(envelope('NOT_FOUND'));
  expect(requests).toHaveLength(1);
});

test('a token is sent to the owner and written to the log and the metrics as its hash only', async () => {
  const token = newFeed();
  await get(token);
  expect(requests).toEqual([{ tokenHash: credentialHash(token) }]);
  expect(JSON.stringify(gateway.log)).not.toContain(token);
  const operations = gateway.log.map((entry) => (entry as { operation?: string }).operation);
  expect(operations).toContain('calendarFeed');
});

test('a feed that is read too often is refused with the time to wait, and other feeds are not', async () => {
  const [token, other] = [newFeed(), newFeed()];
  for (let i = 0; i < calendarLimits.tokenPerMinute; i++) await (await get(token)).text();
  const refused = await get(token);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject(envelope('RATE_LIMITED', expect.objectContaining({ scope: 'token' })));
  expect((await get(other)).status).toBe(200);
});

describe('the throttle', () => {
  test('counts each key in windows of a minute', () => {
    const throttle = new Throttle(2);
    const waits = [0, 1000, 2000, 59_999, 60_000].map((now) => throttle.secondsToWait('a', now));
    expect(waits).toEqual([null, null, 58, 1, null]);
    expect(throttle.secondsToWait('b', 60_001)).toBeNull();
  });

  test('keeps a limited number of keys', () => {
    const throttle = new Throttle(1, 60_000, 3);
    for (const key of ['a', 'b', 'c', 'd']) throttle.secondsToWait(key, 0);
    expect(throttle.secondsToWait('d', 1)).toBeNull();
    expect(throttle.secondsToWait('d', 1)).toBe(60);
  });
});

test('without the owner the answer is 503', async () => {
  const alone = await startWorld();
  try {
    const { url } = await alone.startGateway();
    const response = await fetch(`${url}/api/calendars/${newCalendarToken()}.ics`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  } finally {
    await alone.stop();
  }
});
