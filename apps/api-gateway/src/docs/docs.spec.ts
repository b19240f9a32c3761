import {
  admission,
  announcement,
  envelope,
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

beforeAll(async () => {
  world = await startWorld();
  for (const name of owners) await world.announce(announcement(name));
  gateway = await world.startGateway();
});
afterAll(() => world.stop());

const text = async (path: string) => {
  const response = await fetch(gateway.url + path);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

/** URLs that a browser would load from other servers. Names of XML namespaces are not loaded. */
const outside = (source: string): string[] =>
  (source.match(/(?:https?:)?\/\/[\w.-]+\.[a-z]{2,}[^\s"')]*/g) ?? []).filter(
    (url) => !url.startsWith('http://www.w3.org/'),
  );

describe('the API reference', () => {
  it('loads nothing from other servers, and its policy forbids it', async () => {
    const page = await text('/api/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(page.text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
    expect(outside(page.text)).toEqual([]);
    const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path as string);
    expect(assets.length).toBeGreaterThan(4);
    for (const path of assets) {
      expect(path).toMatch(/^\/api\/docs\//);
      const asset = await text(path);
      expect([path, asset.status]).toEqual([path, 200]);
      if (/\.css$|reference\.js$|\.svg$/.test(path))
        expect([path, outside(asset.text.replace(/sourceMappingURL=\S+/g, ''))]).toEqual([path, []]);
      if (path.endsWith('.css'))
        expect([path, asset.text.match(/@import|url\((?!["']?(?:data:|#))/g)]).toEqual([path, null]);
    }
    expect((await text('/api/docs/')).text).toBe(page.text);
  });

  it('has a dark colour scheme', async () => {
    expect((await text('/api/docs/assets/reference.css')).text).toContain('prefers-color-scheme: dark');
  });

  it.each(['/api/docs', '/api/docs/assets/swagger-ui-bundle.js', '/api/docs/openapi.json'])(
    'is cached with its ETag: %s',
    async (path) => {
      const first = await gateway.client.get(path);
      const etag = first.headers.get('etag') as string;
      expect(first.status).toBe(200);
      expect(first.headers.get('cache-control')).toBe('public, max-age=60');
      expect(await gateway.client.get(path, { headers: { 'if-none-match': etag } })).toMatchObject({
        status: 304,
        body: null,
      });
      expect((await gateway.client.get(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
      const plain = await fetch(gateway.url + path, { headers: { 'accept-encoding': 'gzip;q=0' } });
      const zipped = await fetch(gateway.url + path, { headers: { 'accept-encoding': 'br, gzip' } });
      expect([plain.headers.get('content-encoding'), zipped.headers.get('content-encoding')]).toEqual([null, 'gzip']);
      expect(await plain.text()).toBe(await zipped.text());
      expect(await gateway.client.request('HEAD', path)).toMatchObject({ status: 200, body: null });
    },
  );

  it('is the target of the redirect from the root path', async () => {
    const answer = await gateway.client.get('/');
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/api/docs']);
  });
});

describe('GET /api/v1/openapi.json', () => {
  it('requires a valid key and no scope', async () => {
    const { asked, stop } = await admission(world.connection, () => ({
      kind: 'admitted',
      principal: principalOf({ scopes: ['users:read'] }),
      rate,
    }));
    const answer = await gateway.client.get('/api/v1/openapi.json', withKey());
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual((await gateway.client.get('/api/docs/openapi.json')).body);
    expect(answer.headers.get('ratelimit-limit')).toBe('300');
    expect(asked).toMatchObject([{ scope: null, operation: 'getOpenApiDocument' }]);
    const etag = answer.headers.get('etag') as string;
    expect(
      (await gateway.client.get('/api/v1/openapi.json', withKey(undefined, { 'if-none-match': etag }))).status,
    ).toBe(304);
    expect(await gateway.client.get('/api/v1/openapi.json')).toMatchObject({
      status: 401,
      body: envelope('UNAUTHORIZED'),
    });
    await stop();
  });
});
