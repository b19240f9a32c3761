/** Callers that guess keys. */
import { credentialHash, listClients, newApiKey } from '@ams/contracts';
import {
  admission,
  announcement,
  aSession,
  owner,
  principalOf,
  rate,
  startWorld,
  withKey,
  type World,
} from '../../testing/support.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await world.announce(announcement('auth'));
  await world.announce(announcement('resource-api'));
});
afterAll(() => world?.stop());

test('many wrong keys of an address are answered 429 without a request to auth; admitted keys are served', async () => {
  const known = newApiKey('live');
  const session = aSession();
  const { asked, stop } = await admission(world.connection, ({ keyHash, sessionHash }) =>
    keyHash === credentialHash(known) || sessionHash === session.hash
      ? { kind: 'admitted', principal: principalOf({ scopes: ['clients:read'] }), rate }
      : { kind: 'unauthorized' },
  );
  await owner(world.connection, listClients, () => ({
    ok: true,
    status: 200,
    body: { data: [], meta: { limit: 50, hasMore: false, nextCursor: null } },
    version: null,
  }));
  const gateway = await world.startGateway({ failuresPerAddress: 3, trustProxy: true });
  const get = (headers: Record<string, string>, address = '192.0.2.1') =>
    gateway.client.get('/api/v1/clients', { headers: { ...headers, 'x-forwarded-for': address } });
  const statuses = async (...all: Record<string, string>[]) => {
    const found: number[] = [];
    for (const headers of all) found.push((await get(headers)).status);
    return found;
  };
  const wrong = () => withKey(newApiKey('live')).headers;

  expect(await statuses(withKey(known).headers, session.read)).toEqual([200, 200]);
  expect(await statuses(wrong(), {}, withKey('svc_live_x').headers)).toEqual([401, 401, 401]);
  const before = asked.length;
  const limited = await get(wrong());
  expect([limited.status, limited.headers.get('retry-after'), limited.body]).toEqual([
    429,
    expect.stringMatching(/^\d+$/),
    {
      error: expect.any(String),
      code: 'RATE_LIMITED',
      details: { scope: expect.any(String), limit: 3, windowSeconds: 60, retryAfterSeconds: expect.any(Number) },
    },
  ]);
  expect(await statuses({}, aSession().read)).toEqual([429, 429]);
  expect(asked.length).toBe(before);
  expect(await statuses(withKey(known).headers, session.read)).toEqual([200, 200]);
  expect((await get(wrong(), '192.0.2.2')).status).toBe(401);
  await stop();
});
