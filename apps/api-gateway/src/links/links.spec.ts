import {
  acknowledgeAlert,
  actionLink,
  newUuid,
  publicId,
  resolveAlert,
  updateIncident,
  type Answer,
  type Call,
  type FaultCode,
  type LinkAction,
  type Operation,
} from '@ams/contracts';
import { owner, one, startWorld, type Gateway, type World } from '../../testing/support.js';

const secret = 'a secret of both sides';
const memberId = newUuid();
const alertId = publicId('alert', newUuid());
const incidentId = publicId('incident', newUuid());

let world: World;
let gateway: Gateway;
let answers: Record<string, (call: Call) => Answer>;
let calls: Call[];

beforeAll(async () => {
  world = await startWorld();
  gateway = await world.startGateway({ linkSecret: secret });
  for (const operation of [acknowledgeAlert, resolveAlert, updateIncident] as unknown as Operation[]) {
    await owner(world.connection, operation, (call) => {
      calls.push(call);
      return answers[operation.operationId]?.(call);
    });
  }
});
afterAll(() => world?.stop());
beforeEach(() => {
  answers = {};
  calls = [];
});

const action = (more: Partial<LinkAction> = {}): LinkAction => ({
  action: 'acknowledge',
  id: incidentId,
  title: 'Disk <b>full</b> & slow',
  memberName: 'Mira',
  memberId,
  organizationId: newUuid(),
  environment: 'live',
  expiresAt: Date.now() + 60_000,
  ...more,
});
const pathOf = (more?: Partial<LinkAction>, key = secret): string => `/act/${actionLink(key, action(more))}`;
async function open(
  path: string,
  method = 'GET',
): Promise<{ status: number; headers: Headers; text: string; title: string }> {
  const response = await fetch(`${gateway.url}${path}`, { method });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, title: /<h1>(.*?)<\/h1>/.exec(text)?.[1] ?? '' };
}
const refusal = (code: FaultCode, details: unknown = null): Answer => ({ ok: false, code, message: 'no', details });
const byMira = { type: 'user', id: publicId('member', memberId), name: 'Mira' };

describe('a GET', () => {
  test('shows the title and one button, and changes nothing', async () => {
    const page = await open(pathOf());
    expect(page).toMatchObject({ status: 200, title: 'Acknowledge this incident?' });
    expect(page.text).toContain('Disk &lt;b&gt;full&lt;/b&gt; &amp; slow');
    expect(page.text).toContain('As Mira.');
    expect(page.text.match(/<form method="post"><button>Acknowledge<\/button><\/form>/g)).toHaveLength(1);
    expect(calls).toEqual([]);
  });

  test('forbids caching and framing, and has no script', async () => {
    const { headers, text } = await open(pathOf());
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-type': 'text/html; charset=utf-8',
    });
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(text).not.toMatch(/<script|https?:/);
  });

  test('HEAD changes nothing', async () => {
    expect((await open(pathOf(), 'HEAD')).status).toBe(200);
    expect(calls).toEqual([]);
  });
});

describe('a POST', () => {
  test.each([
    { link: { action: 'acknowledge', id: incidentId }, operation: 'updateIncident', body: { status: 'acknowledged' } },
    { link: { action: 'resolve', id: incidentId }, operation: 'updateIncident', body: { status: 'resolved' } },
    { link: { action: 'acknowledge', id: alertId }, operation: 'acknowledgeAlert', body: {} },
    { link: { action: 'resolve', id: alertId }, operation: 'resolveAlert', body: {} },
  ] as const)('calls $operation with $body as the member', async ({ link, operation, body }) => {
    const at = '2026-11-20T14:00:00.000Z';
    answers[operation] = () =>
      one({ title: 'Disk full', acknowledgedBy: byMira, acknowledgedAt: at, resolvedBy: byMira, resolvedAt: at }, 2);
    const page = await open(pathOf(link), 'POST');
    expect(page).toMatchObject({ status: 200, title: `You have ${link.action}d it` });
    expect(page.text).toContain('By Mira, 2026-11-20 14:00 UTC.');
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      params: { id: link.id },
      body,
      query: {},
      principal: { type: 'user', id: memberId, name: 'Mira', environment: 'live' },
      ip: '127.0.0.1',
    });
  });

  test('names the member who acknowledged earlier', async () => {
    answers['acknowledgeAlert'] = () =>
      one(
        {
          title: 'Disk full',
          acknowledgedBy: { type: 'user', id: 'usr_other', name: 'Kim' },
          acknowledgedAt: '2026-11-20T14:00:00.000Z',
        },
        2,
      );
    const page = await open(pathOf({ id: alertId }), 'POST');
    expect(page).toMatchObject({ status: 200, title: 'It is acknowledged already' });
    expect(page.text).toContain('By Kim, ');
  });

  test.each([
    { answer: refusal('UNAUTHORIZED'), status: 403, title: 'You are not allowed to do this any more', again: false },
    {
      answer: refusal('NOT_FOUND', { resource: 'incident', id: incidentId }),
      status: 404,
      title: 'The incident does not exist',
      again: false,
    },
    {
      answer: refusal('INVALID_STATE_TRANSITION', { from: 'resolved', to: 'acknowledged', allowed: ['triggered'] }),
      status: 409,
      title: 'It is resolved already',
      again: false,
    },
    { answer: refusal('UNAVAILABLE', { requestId: 'r' }), status: 503, title: 'This did not work', again: true },
    { answer: refusal('INTERNAL_ERROR', { requestId: 'r' }), status: 500, title: 'This did not work', again: true },
  ])('$answer.code is shown as a page with status $status', async ({ answer, status, title, again }) => {
    answers['updateIncident'] = () => answer;
    const page = await open(pathOf(), 'POST');
    expect(page).toMatchObject({ status, title });
    expect(page.text.includes('Try again')).toBe(again);
  });
});

test('a service worker gets the texts of the page as JSON', async () => {
  const asked = async () => {
    const response = await fetch(`${gateway.url}${pathOf()}`, {
      method: 'POST',
      headers: { accept: 'application/json' },
    });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    return { status: response.status, body: (await response.json()) as unknown };
  };
  answers['updateIncident'] = () => one({ title: 'Disk <full>', acknowledgedBy: byMira, acknowledgedAt: null }, 2);
  const done = { title: 'You have acknowledged it', lines: ['Disk <full>', 'By Mira.'], canRetry: false };
  expect(await asked()).toEqual({ status: 200, body: done });
  answers['updateIncident'] = () => refusal('UNAVAILABLE', { requestId: 'r' });
  expect(await asked()).toMatchObject({ status: 503, body: { title: 'This did not work', canRetry: true } });
});

describe('a link that is not valid', () => {
  const link = actionLink(secret, action());
  test.each([
    { what: 'too old', path: pathOf({ expiresAt: Date.now() - 1 }), status: 410 },
    { what: 'signed with another secret', path: pathOf({}, 'another secret of 32 characters'), status: 404 },
    { what: 'cut off', path: `/act/${link.slice(0, -1)}`, status: 404 },
    { what: 'changed', path: `/act/x${link}`, status: 404 },
    { what: 'with more behind it', path: `/act/${link}.x`, status: 404 },
    { what: 'empty', path: '/act/', status: 404 },
    { what: 'not decodable', path: '/act/%ff.%00', status: 404 },
  ])('$what: $status for GET and POST', async ({ path, status }) => {
    for (const method of ['GET', 'POST']) {
      const page = await open(path, method);
      expect(page.status).toBe(status);
      expect(page.text).not.toContain('<form');
    }
    expect(calls).toEqual([]);
  });

  test('other methods are refused', async () => {
    const response = await fetch(`${gateway.url}${pathOf()}`, { method: 'DELETE' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
  });
});

test('no owner running: a page that offers to try again', async () => {
  const alone = await startWorld();
  try {
    const { url } = await alone.startGateway({ linkSecret: secret });
    const response = await fetch(`${url}${pathOf()}`, { method: 'POST' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await response.text()).toContain('Try again');
  } finally {
    await alone.stop();
  }
});

test('links of the earlier secret work while both are set, and not after it is gone', async () => {
  const [newer, older] = ['a newer secret of both', secret];
  const both = await world.startGateway({ linkSecret: `${newer}, ${older}` });
  const after = await world.startGateway({ linkSecret: newer });
  const answersTo = async (key: string) => [
    (await both.client.get(pathOf({}, key))).status,
    (await after.client.get(pathOf({}, key))).status,
  ];
  expect(await answersTo(newer)).toEqual([200, 200]);
  expect(await answersTo(older)).toEqual([200, 404]);
  expect(await answersTo('a secret of a stranger')).toEqual([404, 404]);
});

test('without a secret the path is answered 404', async () => {
  const { client } = await world.startGateway();
  expect((await client.get(pathOf())).status).toBe(404);
});

test('the log contains no link', async () => {
  answers['updateIncident'] = () => refusal('INTERNAL_ERROR', { requestId: 'r' });
  const path = pathOf();
  await open(path);
  await open(path, 'POST');
  expect(JSON.stringify(gateway.log)).toContain('actionLink');
  expect(JSON.stringify(gateway.log)).not.toContain(path.slice('/act/'.length, 40));
});
