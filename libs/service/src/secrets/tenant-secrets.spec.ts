import { addressName, isSealed, type SecretPlace } from '@ams/domain';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { masterKeysOfFile } from './master-keys.js';
import { newDataKey, TenantSecrets } from './tenant-secrets.js';

const dataKey = newDataKey();
const tenant = { organizationId: 'f8dc5b1e-3f5a-4a1a-9c39-70dd5a5b3ba4', environment: 'live' } as const;
const secrets = new TenantSecrets(dataKey, tenant);

const base = 'https://chat.example.com';
const address = fc.webPath().map((path) => ({ kind: 'address', value: `${base}${path}`, base }) as const);
const text = fc
  .record({
    value: fc.string({ unit: 'binary' }),
    field: fc.constantFrom('secret', 'header a'),
    address: fc.constantFrom(base, `${base}/b`),
  })
  .map((place) => ({ kind: 'text', ...place }) as const);
const place: fc.Arbitrary<SecretPlace> = fc
  .oneof(address, text)
  .filter(({ value }) => !isSealed(value) && Buffer.from(value).toString() === value);

it('opens what it has sealed, and seals the same again', () => {
  fc.assert(
    fc.property(place, (plain) => {
      const sealed = secrets.sealing('wfl_1')(plain);
      expect(isSealed(sealed)).toBe(true);
      expect(secrets.opening('wfl_1')({ ...plain, value: sealed })).toBe(plain.value);
      expect(secrets.sealing('wfl_1')(plain)).toBe(sealed);
      expect(secrets.sealing('wfl_1')({ ...plain, value: sealed })).toBe(sealed);
    }),
  );
});

it('opens it for no other tenant, record, field or address', () => {
  const others = [
    new TenantSecrets(newDataKey(), tenant),
    new TenantSecrets(dataKey, { ...tenant, environment: 'test' }),
    new TenantSecrets(dataKey, { ...tenant, organizationId: '11111111-3f5a-4a1a-9c39-70dd5a5b3ba4' }),
  ];
  fc.assert(
    fc.property(place, (plain) => {
      const value = secrets.sealing('wfl_1')(plain);
      for (const other of others) expect(() => other.opening('wfl_1')({ ...plain, value })).toThrow();
      expect(() => secrets.opening('wfl_2')({ ...plain, value })).toThrow('belongs to another record');
      if (plain.kind === 'text') {
        expect(() => secrets.opening('wfl_1')({ ...plain, value, field: 'header b' })).toThrow();
        expect(() => secrets.opening('wfl_1')({ ...plain, value, address: 'https://evil.example.com' })).toThrow();
      } else {
        const moved = value.replace(base, 'https://evil.example.com');
        expect(() => secrets.opening('wfl_1')({ ...plain, value: moved })).toThrow();
      }
    }),
  );
});

it('opens no value of which a character was changed', () => {
  const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  fc.assert(
    fc.property(place, fc.nat(), fc.integer({ min: 1, max: 63 }), (plain, where, by) => {
      const value = secrets.sealing('wfl_1')(plain);
      const begin = value.indexOf('~sealed~') + '~sealed~'.length;
      // The last character may have bits that base64 does not use.
      const at = begin + (where % (value.length - 1 - begin));
      const present = characters.indexOf(value[at] as string);
      if (present < 0) return;
      const changed = `${value.slice(0, at)}${characters[(present + by) % 64]}${value.slice(at + 1)}`;
      expect(() => secrets.opening('wfl_1')({ ...plain, value: changed })).toThrow();
    }),
  );
});

it('equal addresses have equal names in all records of a tenant, and other names for another tenant', () => {
  const nameFor = (of: TenantSecrets, record: string, value: string): string =>
    addressName(of.sealing(record)({ kind: 'address', value, base }));
  const [one, two] = [`${base}/one`, `${base}/two`];
  expect(nameFor(secrets, 'wfl_1', one)).toBe(nameFor(secrets, 'wfl_2', one));
  expect(nameFor(secrets, 'wfl_1', one)).not.toBe(nameFor(secrets, 'wfl_1', two));
  expect(nameFor(secrets, 'wfl_1', one)).not.toBe(nameFor(new TenantSecrets(newDataKey(), tenant), 'wfl_1', one));
});

describe('master keys in a file', () => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'keys-'));
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  const newKey = () => randomBytes(32).toString('base64');
  const keysOf = (...lines: string[]) => {
    const file = join(dir, 'keys');
    writeFileSync(file, lines.join('\n'));
    return masterKeysOfFile(file);
  };

  it('the first seals, and all of them open', async () => {
    const [old, young] = [newKey(), newKey()];
    const sealed = await keysOf(old).seal(dataKey, 'a');
    const both = keysOf(young, '', old, '');
    expect(await both.open(sealed, 'a')).toEqual(dataKey);
    const isNewest = await both.newest();
    expect([isNewest(sealed), isNewest(await both.seal(dataKey, 'a'))]).toEqual([false, true]);
    expect(await keysOf(young).open(sealed, 'a')).toBeNull();
    await expect(both.open(sealed, 'b')).rejects.toThrow();
  });

  it.each([
    ['no key', ''],
    ['a password', 'correct horse battery staple'],
    ['a key that is too short', randomBytes(16).toString('base64')],
    ['two keys in a line', `${newKey()} ${newKey()}`],
  ])('%s is a clear error', (_what, line) => {
    expect(() => keysOf(line)).toThrow(
      /MASTER_KEY_FILE .* must have one or more keys, each in a line: 32 bytes in base64/,
    );
  });

  it('a file that is missing is a clear error', () => {
    expect(() => masterKeysOfFile(join(dir, 'missing'))).toThrow('MASTER_KEY_FILE cannot be read: ENOENT');
  });
});
