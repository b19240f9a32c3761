import { SealedSecrets } from './sealed-secrets.js';

const text = Buffer.from('12345678901234567890');
const [first, second] = ['a secret of the operator', 'another secret of theirs'];

it('opens what it has sealed, for the same record only', () => {
  const secrets = new SealedSecrets([first]);
  const sealed = secrets.seal(text, 'totp 1');
  expect(secrets.open(sealed, 'totp 1')).toEqual(text);
  expect(sealed.includes(text)).toBe(false);
  expect(secrets.seal(text, 'totp 1').equals(sealed)).toBe(false);
  expect(() => secrets.open(sealed, 'totp 2')).toThrow();
});

it('notices a change of any byte', () => {
  const secrets = new SealedSecrets([first]);
  const sealed = secrets.seal(text, 'totp 1');
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8((changed.readUInt8(i) + 1) % 256, i);
    const isOfKey = i >= 1 && i < 5;
    if (isOfKey) expect(secrets.open(changed, 'totp 1')).toBeNull();
    else expect(() => secrets.open(changed, 'totp 1')).toThrow();
  }
});

it('opens old values while the key changes, and not after the old key is gone', () => {
  const old = new SealedSecrets([first]);
  const both = new SealedSecrets([second, first]);
  const sealed = old.seal(text, 'totp 1');
  expect(both.open(sealed, 'totp 1')).toEqual(text);
  expect(sealed.subarray(0, 5).equals(both.newestPrefix)).toBe(false);
  const again = both.seal(text, 'totp 1');
  expect(again.subarray(0, 5).equals(both.newestPrefix)).toBe(true);
  expect(new SealedSecrets([second]).open(again, 'totp 1')).toEqual(text);
  expect(new SealedSecrets([second]).open(sealed, 'totp 1')).toBeNull();
});
