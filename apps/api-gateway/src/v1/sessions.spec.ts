/** Requests of people who are signed in, and operations without a credential. */
import {
  acknowledgeAlert,
  createClient,
  createIncident,
  credentialHash,
  endOtherSessions,
  getAlert,
  getSession,
  isCsrfToken,
  newAccountToken,
  newUuid,
  sessionsEndedRequest,
  signIn,
  signOut,
  type Answer,
  type Call,
  type PublicCall,
} from '@ams/contracts';
import { eventually } from '@ams/testing';
import fc from 'fast-check';
import {
  admission,
  announcement,
  aKey,
  aSession,
  envelope,
  one,
  owner,
  owners,
  parseAnswer,
  principalOf,
  rate,
  startWorld,
  withKey,
  type Gateway,
  type World,
} from '../../testing/support.js';
import { publicRequestsPerMinute } from './v1.plugin.js';

let world: World;
let gateway: Gateway;
let known: Awaited<ReturnType<typeof admission>>;
const member = principalOf({ type: 'user', sessionId: newUuid(), scopes: ['alerts:read', 'alerts:write'] });
const keyPrincipal = principalOf();

beforeAll(async () => {
  world = await startWorld();
  for (const name of owners) await world.announce(announcement(name));
  gateway = await world.startGateway();
  known = await admission(world.connection, ({ keyHash }) => ({
    kind: 'admitted',
    principal: keyHash === '' ? member : keyPrincipal,
    rate,
  }));
});
afterAll(async () => {
  await known.stop();
  await world.stop();
});
beforeEach(() => (known.asked.length = 0));

const refusedFor = (required: string) => ({ status: 403, body: envelope('INSUFFICIENT_SCOPE', { required }) });
const done: Answer = { ok: true, status: 204, body: null, version: null };

describe('a session cookie', () => {
  it('is admitted by its hash, in the environment of the header', async () => {
    const { calls, stop } = await owner(world.connection, getAlert, () => one({}));
    const { read, hash, token } = aSession();
    for (const [headers, environment] of [
      [read, 'live'],
      [{ ...read, 'x-environment': 'test' }, 'test'],
    ] as const) {
      expect(await gateway.client.get('/api/v1/alerts/a', { headers })).toMatchObject({ status: 200 });
      expect(known.asked.at(-1)).toMatchObject({ sessionHash: hash, environment, keyHash: '' });
    }
    expect(calls[0]?.principal).toEqual(member);
    expect(JSON.stringify([calls, known.asked, gateway.log]).includes(token)).toBe(false);
    const wrong = await gateway.client.get('/api/v1/alerts/a', { headers: { ...read, 'x-environment': 'prod' } });
    expect(wrong).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    await stop();
  });

  it('changes nothing without the proof that the request comes from our own page', async () => {
    const { calls, stop } = await owner(world.connection, createClient, () => one({}, 1, 201));
    const { change, read } = aSession();
    const post = (headers: Record<string, string>) =>
      gateway.client.post('/api/v1/clients', { name: 'Acme' }, { headers });
    expect(await post(read)).toMatchObject(refusedFor('X-CSRF-Token'));
    expect(await post({ ...read, 'x-csrf-token': aSession().change['x-csrf-token'] })).toMatchObject(
      refusedFor('X-CSRF-Token'),
    );
    for (const origin of [
      'https://evil.example',
      'null',
      'http://127.0.0.1:1',
      `https://${new URL(gateway.url).hostname}`,
    ])
      expect(await post({ ...change, origin })).toMatchObject(refusedFor('Origin'));
    expect(calls).toEqual([]);
    expect(known.asked).toEqual([]);
    expect(await post(change)).toMatchObject({ status: 201 });
    expect(await post({ ...change, origin: gateway.url })).toMatchObject({ status: 201 });
    await stop();
  });

  it('of any other form is no credential', async () => {
    for (const cookie of [
      '',
      'session',
      'session=',
      'session=x',
      `sessions=${newAccountToken()}`,
      'session=%00',
      ';;=',
    ])
      expect(await gateway.client.get('/api/v1/alerts/a', { headers: { cookie } })).toMatchObject({ status: 401 });
    const { token } = aSession();
    const elsewhere = { host: 'alerts.example.com', cookie: `session=${token}` };
    const head = Object.entries(elsewhere).map(([name, value]) => `${name}: ${value}\r\n`);
    const answer = await gateway.raw(`GET /api/v1/alerts/a HTTP/1.1\r\n${head.join('')}Connection: close\r\n\r\n`);
    expect(parseAnswer(answer).status).toBe(401);
    expect(known.asked).toEqual([]);
  });

  it('is not used in a request with a key', async () => {
    const { calls, stop } = await owner(world.connection, createClient, () => one({}, 1, 201));
    const { read } = aSession();
    const headers = { ...withKey(aKey).headers, ...read };
    expect(await gateway.client.post('/api/v1/clients', { name: 'Acme' }, { headers })).toMatchObject({ status: 201 });
    expect(known.asked).toMatchObject([{ keyHash: credentialHash(aKey) }]);
    expect(known.asked[0]).not.toHaveProperty('sessionHash');
    expect(calls[0]?.principal).toEqual(keyPrincipal);
    for (const authorization of ['Bearer nonsense', 'Basic abc', ''])
      expect(await gateway.client.get('/api/v1/alerts/a', { headers: { ...read, authorization } })).toMatchObject({
        status: 401,
      });
    await stop();
  });

  it('seals the answers of repeated requests, and says whose limit is used up', async () => {
    const { calls, stop } = await owner(world.connection, createIncident, () => one({}, 1, 201));
    const { change } = aSession();
    const headers = { ...change, 'idempotency-key': 'k' };
    await gateway.client.post('/api/v1/incidents', { title: 'a' }, { headers });
    expect(calls[0]?.idempotency).toMatchObject({ key: 'k', sealKey: expect.stringMatching(/^[\w-]{43}$/) });
    await stop();
    await known.stop();
    const used = { ...rate, limit: 600, remaining: 0 };
    known = await admission(world.connection, () => ({ kind: 'limited', rate: used, of: 'member' }));
    const limited = await gateway.client.get('/api/v1/alerts/a', { headers: aSession().read });
    expect(limited).toMatchObject({ status: 429, body: { details: { scope: 'member', limit: 600 } } });
    await known.stop();
    known = await admission(world.connection, ({ keyHash }) => ({
      kind: 'admitted',
      principal: keyHash === '' ? member : keyPrincipal,
      rate,
    }));
  });
});

describe('an operation for people who are signed in', () => {
  it('is refused to a key, and without a session', async () => {
    const { calls, stop } = await owner(world.connection, getSession, () => one({}));
    expect(await gateway.client.get('/api/v1/session', withKey())).toMatchObject(refusedFor('session'));
    expect(await gateway.client.get('/api/v1/session', { headers: {} })).toMatchObject({ status: 401 });
    expect(calls).toEqual([]);
    expect(await gateway.client.get('/api/v1/session', { headers: aSession().read })).toMatchObject({ status: 200 });
    await stop();
  });

  it('ends at once when the session ends, except the request that ended it', async () => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    const slow = await owner(world.connection, acknowledgeAlert, () => held.then(() => one({})));
    const own = { ...member, sessionId: newUuid() };
    await known.stop();
    known = await admission(world.connection, () => ({ kind: 'admitted', principal: own, rate }));
    const end = (sparedRequestId: string | null) =>
      world.connection.request(
        sessionsEndedRequest.subject,
        JSON.stringify({ sessionIds: [newUuid(), own.sessionId], sparedRequestId }),
        { timeout: 60_000 },
      );
    const ending = await owner(world.connection, signOut, async ({ requestId }) => {
      await end(requestId);
      return { ...done, session: 'ended' };
    });
    const { change } = aSession();
    const writing = gateway.client.post('/api/v1/alerts/a/acknowledge', undefined, { headers: change });
    await eventually(() => expect(slow.calls).toHaveLength(1));
    const out = await gateway.client.delete('/api/v1/session', { headers: change });
    expect(out.status).toBe(204);
    expect(out.headers.get('set-cookie')).toBe(
      'session=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax',
    );
    expect(await writing).toMatchObject({ status: 401 });
    answer();
    expect(await gateway.client.delete('/api/v1/sessions', { headers: change })).toMatchObject({ status: 401 });
    await Promise.all([slow.stop(), ending.stop()]);
    await known.stop();
    known = await admission(world.connection, () => ({ kind: 'admitted', principal: member, rate }));
    const others = await owner(world.connection, endOtherSessions, () => done);
    expect((await gateway.client.delete('/api/v1/sessions', { headers: change })).status).toBe(204);
    await others.stop();
  });
});

describe('a public operation', () => {
  const body = { email: 'mira@example.com', password: 'lantern marble fog' };
  const session = { token: newAccountToken(), expiresAt: '2026-12-20T13:00:00.000Z' };

  const answering = () => owner(world.connection, signIn, () => ({ ...one({ session: {} }), session }) as Answer);

  it('needs no admission; its answer sets the cookie, and has the token nowhere else', async () => {
    const { calls, stop } = await answering();
    const { read, hash } = aSession();
    const answer = await gateway.client.post('/api/v1/session', body, {
      headers: { ...read, ...withKey().headers, 'idempotency-key': 'ignored' },
    });
    expect(answer).toMatchObject({ status: 200, body: { data: { session: {} } } });
    expect(answer.headers.get('set-cookie')).toBe(
      `session=${session.token}; Path=/; Expires=Sun, 20 Dec 2026 13:00:00 GMT; HttpOnly; SameSite=Lax`,
    );
    expect(answer.headers.get('ratelimit-limit')).toBeNull();
    expect(known.asked).toEqual([]);
    const [call] = calls as (Call | PublicCall)[];
    expect(call).toMatchObject({ principal: null, sessionHash: hash, body });
    expect(Object.keys(call ?? {})).not.toContain('idempotency');
    expect(JSON.stringify(answer.body).includes(session.token)).toBe(false);
    const logged = JSON.stringify(gateway.log);
    for (const secret of [session.token, body.password]) expect(logged.includes(secret)).toBe(false);
    await stop();
  });

  it('sets a cookie for secure pages only, unless the page is on this machine', async () => {
    const { stop } = await answering();
    const cookieFor = async (of: Gateway, host: string): Promise<string | undefined> => {
      const text = JSON.stringify(body);
      const answer = await of.raw(
        `POST /api/v1/session HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
          `Content-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`,
      );
      return parseAnswer(answer).headers['set-cookie'];
    };
    const secure = await world.startGateway({ publicUrl: 'https://alerts.example.com' });
    for (const [of, host, name, flag] of [
      [gateway, 'localhost:3000', 'session', 'Lax'],
      [gateway, '[::1]:3000', 'session', 'Lax'],
      [gateway, 'alerts.example.com', '__Host-session', 'Secure'],
      [gateway, 'localhost.evil.example', '__Host-session', 'Secure'],
      [secure, '127.0.0.1:3000', '__Host-session', 'Secure'],
    ] as const) {
      const cookie = await cookieFor(of, host);
      expect([host, cookie?.split('=')[0], cookie?.endsWith(flag)]).toEqual([host, name, true]);
    }
    await stop();
  });

  it('is refused to pages of other sites, to large bodies, and above a number of requests from an address', async () => {
    const { calls, stop } = await answering();
    const own = await world.startGateway({ publicUrl: 'https://alerts.example.com', trustProxy: true });
    const post = (headers: Record<string, string>, sent: object = body) =>
      own.client.post('/api/v1/session', sent, { headers });
    expect(await post({ origin: 'https://evil.example' })).toMatchObject(refusedFor('Origin'));
    expect(await post({}, { ...body, password: 'x'.repeat(20_000) })).toMatchObject({ status: 413 });
    expect(calls).toEqual([]);
    expect(await post({ origin: 'https://alerts.example.com' })).toMatchObject({ status: 200 });
    const from = (n: number) => post({ 'x-forwarded-for': `2001:db8::${n.toString(16)}` });
    const answers = await Promise.all(Array.from({ length: publicRequestsPerMinute + 5 }, (_, n) => from(n)));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
    expect(await post({ 'x-forwarded-for': '2001:db8:0:1::1' })).toMatchObject({ status: 200 });
    await stop();
  });
});

test('a proof is that of one session only', () => {
  const hash = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('base64url'));
  fc.assert(
    fc.property(hash, hash, fc.string(), (one, other, text) => {
      const { change } = aSession(one);
      expect(isCsrfToken(credentialHash(one), change['x-csrf-token'])).toBe(true);
      expect(isCsrfToken(credentialHash(other), change['x-csrf-token'])).toBe(one === other);
      expect(isCsrfToken(credentialHash(one), text)).toBe(false);
    }),
  );
});
