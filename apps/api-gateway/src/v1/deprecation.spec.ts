/** Deprecated operations: every answer has the headers, whichever service answers, with success or with an error. */
import { listDeliveries, listIntegrationDeliveries, listNotifications, newApiKey, testDelivery } from '@ams/contracts';
import {
  admission,
  admitAll,
  announcement,
  envelope,
  owner,
  owners,
  principalOf,
  rate,
  startWorld,
  withKey,
  type Gateway,
  type World,
} from '../../testing/support.js';

let world: World;
let gateway: Gateway;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  world = await startWorld();
  for (const name of owners) await world.announce(announcement(name));
  gateway = await world.startGateway({ callTimeoutMs: 400, admitTimeoutMs: 250 });
});
afterEach(async () => {
  while (stops.length > 0) await stops.pop()?.();
});
afterAll(() => world.stop());

const keep = async (starting: Promise<{ stop: () => Promise<void> }>): Promise<void> => {
  stops.push((await starting).stop);
};
const emptyPage = {
  ok: true as const,
  status: 200 as const,
  body: { data: [], meta: { limit: 50, hasMore: false, nextCursor: null, total: 0 } },
  version: null,
};

const deprecationHeadersOf = (headers: Headers) => ['deprecation', 'sunset', 'link'].map((name) => headers.get(name));
const deprecated = (path: string) => [
  '@1795305600',
  'Mon, 22 Nov 2027 00:00:00 GMT',
  `</api/v1${path}>; rel="successor-version"`,
];

test('a success names the start, the end, and the operation to use instead', async () => {
  await keep(admitAll(world.connection));
  await keep(owner(world.connection, listDeliveries, () => emptyPage));
  for (const method of ['GET', 'HEAD']) {
    const { status, headers } = await gateway.client.request(method, '/api/v1/deliveries?status=sent', withKey());
    expect([status, deprecationHeadersOf(headers)]).toEqual([200, deprecated('/notifications')]);
  }
});

test('the operation that replaces it has no such headers', async () => {
  await keep(admitAll(world.connection));
  await keep(owner(world.connection, listNotifications, () => emptyPage));
  const { status, headers } = await gateway.client.get('/api/v1/notifications', withKey());
  expect([status, deprecationHeadersOf(headers)]).toEqual([200, [null, null, null]]);
});

test('the path of the successor has the parameters of the request, without characters that end the link', async () => {
  await keep(admitAll(world.connection));
  await keep(owner(world.connection, listIntegrationDeliveries, () => emptyPage));
  for (const [sent, linked] of [
    ['int_1', 'int_1'],
    ['a%20b', 'a%20b'],
    ['a>;b', 'a%3E%3Bb'],
  ])
    expect(
      deprecationHeadersOf((await gateway.client.get(`/api/v1/integrations/${sent}/deliveries`, withKey())).headers),
    ).toEqual(deprecated(`/integrations/${linked}/requests`));
});

describe('an error has the headers too:', () => {
  const path = '/api/v1/deliveries';

  test('no key, and a malformed key', async () => {
    for (const options of [{}, withKey('junk')]) {
      const { status, headers } = await gateway.client.get(path, options);
      expect([status, deprecationHeadersOf(headers)]).toEqual([401, deprecated('/notifications')]);
    }
  });

  test('a key without the scope', async () => {
    await keep(admission(world.connection, () => ({ kind: 'insufficientScope', principal: principalOf(), rate })));
    const { status, headers } = await gateway.client.get(path, withKey());
    expect([status, deprecationHeadersOf(headers)]).toEqual([403, deprecated('/notifications')]);
  });

  test('a request above the rate limit', async () => {
    await keep(admission(world.connection, () => ({ kind: 'limited', rate })));
    const { status, headers } = await gateway.client.get(path, withKey(newApiKey('live')));
    expect([status, deprecationHeadersOf(headers)]).toEqual([429, deprecated('/notifications')]);
  });

  test('a body that is not JSON', async () => {
    await keep(admitAll(world.connection, principalOf()));
    await keep(owner(world.connection, testDelivery, () => undefined));
    const answer = await gateway.raw(
      `POST ${path}/test HTTP/1.1\r\nhost: x\r\nauthorization: ${withKey().headers['authorization']}\r\n` +
        `content-type: application/json\r\ncontent-length: 1\r\nconnection: close\r\n\r\n{`,
    );
    expect(answer).toContain('INVALID_JSON');
    expect(answer).toContain('deprecation: @1795305600\r\n');
    expect(answer).toContain('link: </api/v1/notifications/test>; rel="successor-version"\r\n');
  });

  test('a refusal by the owner, and an owner that does not answer', async () => {
    await keep(admitAll(world.connection));
    const refusal = { ok: false as const, code: 'INVALID_CURSOR' as const, message: 'x', details: null };
    const refusing = await owner(world.connection, listDeliveries, () => refusal);
    const refused = await gateway.client.get(path, withKey());
    expect([refused.status, deprecationHeadersOf(refused.headers)]).toEqual([400, deprecated('/notifications')]);
    await refusing.stop();
    const unanswered = await gateway.client.get(path, withKey());
    expect(unanswered).toMatchObject({ status: 503, body: envelope('UNAVAILABLE', expect.anything()) });
    expect(deprecationHeadersOf(unanswered.headers)).toEqual(deprecated('/notifications'));
  });
});
