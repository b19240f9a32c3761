/** The engine is a server of the test that seals as the documents of the transit engine say. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { newMasterKey } from '@ams/testing';
import { masterKeysOf } from './master-key-settings.js';
import { masterKeysOfFile, MasterKeysUnavailable } from './master-keys.js';
import { newDataKey } from './tenant-secrets.js';

const dataKey = newDataKey();
let dir: string;
let tokenFile: string;
let engine: Server;
let url: string;
let versions: Buffer[];
let asked: { path: string; token: string }[];
/** Answers in place of the engine. */
let instead: (() => { status: number; body: string }) | null;

interface Body {
  plaintext?: string;
  ciphertext?: string;
  associated_data: string;
}

function answerOf(path: string, body: Body | null): { status: number; data?: object; errors?: string[] } {
  if (path === '/v1/transit/keys/alerts') return { status: 200, data: { latest_version: versions.length } };
  const { plaintext = '', ciphertext = '', associated_data: associated } = body as Body;
  const about = Buffer.from(associated, 'base64');
  if (path === '/v1/transit/encrypt/alerts') {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', versions.at(-1) as Buffer, nonce).setAAD(about);
    const sealed = [nonce, cipher.update(Buffer.from(plaintext, 'base64')), cipher.final(), cipher.getAuthTag()];
    return {
      status: 200,
      data: { ciphertext: `vault:v${versions.length}:${Buffer.concat(sealed).toString('base64')}` },
    };
  }
  if (path !== '/v1/transit/decrypt/alerts') return { status: 404, errors: [] };
  const [, version, value] = ciphertext.split(':') as [string, string, string];
  const sealed = Buffer.from(value, 'base64');
  const decipher = createDecipheriv(
    'aes-256-gcm',
    versions[Number(version.slice(1)) - 1] as Buffer,
    sealed.subarray(0, 12),
  );
  decipher.setAAD(about).setAuthTag(sealed.subarray(-16));
  try {
    const opened = Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
    return { status: 200, data: { plaintext: opened.toString('base64') } };
  } catch {
    return { status: 400, errors: ['cipher: message authentication failed'] };
  }
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'vault-'));
  tokenFile = join(dir, 'token');
  engine = createServer((request, response) => {
    const path = request.url as string;
    asked.push({ path, token: String(request.headers['x-vault-token']) });
    void (request.method === 'GET' ? Promise.resolve(null) : json(request)).then((body) => {
      const { status, ...reply } = instead?.() ?? answerOf(path, body as Body | null);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end('body' in reply ? reply.body : JSON.stringify(reply));
    });
  });
  await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(engine.address() as AddressInfo).port}/v1/transit/keys/alerts`;
});
afterAll(() => {
  rmSync(dir, { recursive: true });
  engine.close();
});
beforeEach(() => {
  versions = [randomBytes(32)];
  asked = [];
  instead = null;
  writeFileSync(tokenFile, 'a-token\n');
});

const keysOf = (more: { masterKeyFile?: string } = {}) =>
  masterKeysOf({ masterKeyVaultUrl: url, masterKeyVaultTokenFile: tokenFile, ...more });

it('the engine seals and opens, for the record only', async () => {
  const sealed = await keysOf().seal(dataKey, 'a');
  expect(sealed.toString()).toMatch(/^vault:v1:/);
  expect(await keysOf().open(sealed, 'a')).toEqual(dataKey);
  await expect(keysOf().open(sealed, 'b')).rejects.toThrow('was changed, or belongs to another tenant');
  expect(asked[0]).toEqual({ path: '/v1/transit/encrypt/alerts', token: 'a-token' });
});

it('a key that was rotated in the engine opens what was sealed before, and tells it apart', async () => {
  const keys = keysOf();
  const before = await keys.seal(dataKey, 'a');
  versions.push(randomBytes(32));
  const isNewest = await keys.newest();
  const after = await keys.seal(dataKey, 'a');
  expect([isNewest(before), isNewest(after)]).toEqual([false, true]);
  expect(await keys.open(before, 'a')).toEqual(dataKey);
});

it('a token that an agent has renewed is used at the next request', async () => {
  const keys = keysOf();
  await keys.seal(dataKey, 'a');
  writeFileSync(tokenFile, 'another-token\n');
  await keys.seal(dataKey, 'a');
  expect(asked.map(({ token }) => token)).toEqual(['a-token', 'another-token']);
});

it('beside a file, the engine seals and both open, so a change from a file to the engine needs no stop', async () => {
  const file = join(dir, 'keys');
  writeFileSync(file, newMasterKey());
  const old = await masterKeysOfFile(file).seal(dataKey, 'a');
  const both = keysOf({ masterKeyFile: file });
  expect(await both.open(old, 'a')).toEqual(dataKey);
  const isNewest = await both.newest();
  const young = await both.seal(dataKey, 'a');
  expect([isNewest(old), isNewest(young)]).toEqual([false, true]);
  expect(await keysOf().open(young, 'a')).toEqual(dataKey);
  expect(await keysOf().open(old, 'a')).toBeNull();
});

it.each([
  ['refuses the token', 403, '{"errors":["permission denied"]}', '403: permission denied'],
  ['is sealed itself', 503, '{"errors":["Vault is sealed"]}', '503: Vault is sealed'],
  ['does not know the key', 400, '{"errors":["encryption key not found"]}', '400: encryption key not found'],
  ['answers something else', 200, '<html>', 'does not answer'],
  ['answers nothing', 200, '{}', 'nothing'],
])('an engine that %s is unavailable; that says nothing about the value', async (_what, status, body, why) => {
  const sealed = await keysOf().seal(dataKey, 'a');
  instead = () => ({ status, body });
  for (const work of [keysOf().seal(dataKey, 'a'), keysOf().open(sealed, 'a')]) {
    await expect(work).rejects.toThrow(MasterKeysUnavailable);
    await expect(work).rejects.toThrow(why);
  }
});

it('an engine that cannot be reached is unavailable', async () => {
  const closed = 'http://127.0.0.1:1/v1/transit/keys/alerts';
  const keys = masterKeysOf({ masterKeyVaultUrl: closed, masterKeyVaultTokenFile: tokenFile });
  await expect(keys.seal(dataKey, 'a')).rejects.toThrow(MasterKeysUnavailable);
});

it.each([
  ['no key', {}, 'MASTER_KEY_FILE or MASTER_KEY_VAULT_URL must be set'],
  ['an address without a key', { masterKeyVaultUrl: 'https://vault.example.com' }, 'must be the address of a key'],
  [
    'a token that is missing',
    { masterKeyVaultUrl: 'https://vault.example.com/v1/transit/keys/a', masterKeyVaultTokenFile: '/nowhere' },
    'MASTER_KEY_VAULT_TOKEN_FILE cannot be read: ENOENT',
  ],
])('%s is a clear error at the start', (_what, settings, message) => {
  expect(() => masterKeysOf(settings)).toThrow(message);
});
