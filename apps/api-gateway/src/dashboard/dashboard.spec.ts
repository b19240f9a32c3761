import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { announcement, envelope, owners, startWorld, type Gateway, type World } from '../../testing/support.js';

const script = 'console.log("the dashboard")'.repeat(50);
const folder = mkdtempSync(join(tmpdir(), 'ams-dashboard-'));
mkdirSync(join(folder, 'assets'));
writeFileSync(
  join(folder, 'index.html'),
  '<meta property="csp-nonce" nonce="__CSP_NONCE__"><script src="/assets/index-1.js" nonce="__CSP_NONCE__"></script>',
);
writeFileSync(join(folder, 'assets/index-1.js'), script);
writeFileSync(join(folder, 'assets/index-1.js.br'), brotliCompressSync(script));
writeFileSync(join(folder, 'assets/index-1.js.gz'), gzipSync(script));
writeFileSync(join(folder, 'manifest.webmanifest'), '{}');
writeFileSync(join(folder, '.secret'), 'secret');

let world: World;
let gateway: Gateway;
beforeAll(async () => {
  world = await startWorld();
  for (const name of owners) await world.announce(announcement(name));
  gateway = await world.startGateway({ dashboardDir: folder });
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true });
});

const page = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };
const get = (path: string, init: RequestInit = page) => fetch(gateway.url + path, init);

/** The bytes as they were sent; `fetch` decompresses. */
const raw = (path: string, headers: Record<string, string>) =>
  new Promise<{ encoding: string | undefined; bytes: Buffer }>((resolve, reject) => {
    request(gateway.url + path, { headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ encoding: response.headers['content-encoding'], bytes: Buffer.concat(parts) }),
      );
    })
      .on('error', reject)
      .end();
  });

describe('the document', () => {
  it.each(['/', '/alerts', '/alerts?status=firing', '/incidents/17', '/settings/api-keys', '/sign-in', '/%E0%A4%A'])(
    'is the answer to %s',
    async (path) => {
      const answer = await get(path);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      expect(await answer.text()).toContain('/assets/index-1.js');
    },
  );

  it('has a policy without inline scripts, with a new nonce for styles each time', async () => {
    const nonces = new Set<string>();
    for (let i = 0; i < 3; i++) {
      const answer = await get('/');
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      const [, nonce = ''] = /style-src 'self' 'nonce-([\w-]{22})'/.exec(policy) ?? [];
      nonces.add(nonce);
      const text = await answer.text();
      expect(text.match(/nonce="([^"]*)"/g)).toEqual([`nonce="${nonce}"`, `nonce="${nonce}"`]);
      expect([
        answer.headers.get('x-content-type-options'),
        answer.headers.get('referrer-policy'),
        answer.headers.get('cross-origin-opener-policy'),
      ]).toEqual(['nosniff', 'same-origin', 'same-origin']);
    }
    expect(nonces.size).toBe(3);
  });

  it.each(['/api/nothing', '/act/nothing', '/v2/nothing', '/assets/old-0.js', '/metrics/x', '/api'])(
    'is never the answer to %s',
    async (path) => {
      const answer = await get(path);
      expect([answer.status, await answer.json()]).toEqual([404, envelope('NOT_FOUND')]);
    },
  );

  it('is not the answer to a program, or to a change', async () => {
    const inits: RequestInit[] = [{ headers: { accept: 'application/json' } }, {}, { ...page, method: 'POST' }];
    for (const init of inits) {
      const answer = await get('/alerts', init);
      expect([answer.status, await answer.json()]).toEqual([404, envelope('NOT_FOUND')]);
    }
    expect((await get('/', { method: 'POST' })).status).toBe(405);
    expect((await get('/assets/index-1.js', { method: 'POST' })).status).toBe(405);
    expect((await get('/api/v1/clients')).status).toBe(401);
  });
});

describe('files', () => {
  it('are compressed as the caller takes them, and kept for a year', async () => {
    const path = '/assets/index-1.js';
    const answers = await Promise.all(
      ['gzip, deflate, br', 'gzip', 'br;q=0, gzip;q=0.5', 'identity', ''].map((accepted) =>
        raw(path, accepted === '' ? {} : { 'accept-encoding': accepted }),
      ),
    );
    expect(answers.map(({ encoding }) => encoding)).toEqual(['br', 'gzip', 'gzip', undefined, undefined]);
    expect(String(brotliDecompressSync(answers[0]?.bytes ?? ''))).toBe(script);
    expect(String(gunzipSync(answers[1]?.bytes ?? ''))).toBe(script);
    expect(String(answers[3]?.bytes)).toBe(script);

    const answer = await get(path);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(answer.headers.get('vary')).toBe('accept-encoding');
    const known = { 'if-none-match': answer.headers.get('etag') ?? '' };
    expect((await get(path, { headers: known })).status).toBe(304);
    const manifest = await get('/manifest.webmanifest');
    expect([manifest.headers.get('cache-control'), manifest.headers.get('content-type')]).toEqual([
      'no-cache',
      'application/manifest+json; charset=utf-8',
    ]);
  });

  it.each([
    '/.secret',
    '/assets/../.secret',
    '/assets/%2e%2e/.secret',
    '/assets/..%2f.secret',
    '/assets/index-1.js.br',
  ])('are those of the build: not %s', async (path) => {
    const { bytes } = await raw(path, { accept: 'text/plain' });
    expect(JSON.parse(String(bytes))).toEqual(envelope('NOT_FOUND'));
  });
});

it('is left out when its folder is not there; the API still works', async () => {
  const without = await world.startGateway({ dashboardDir: join(folder, 'nothing') });
  const answer = await fetch(without.url, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/api/docs']);
  expect((await fetch(`${without.url}/api/v1/clients`)).status).toBe(401);
  expect(without.log.filter(({ msg }) => String(msg).includes('DASHBOARD_DIR'))).toHaveLength(1);
});
