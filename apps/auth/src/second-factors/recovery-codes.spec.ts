import fc from 'fast-check';
import { newRecoveryCodes, recoveryCodeFrom, recoveryCodeHash } from './recovery-codes.js';

it('are ten different ones', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
});

it('are recognized however they are typed, and differ when their bytes differ', () => {
  const bytes = fc.uint8Array({ minLength: 10, maxLength: 10 });
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      const code = recoveryCodeFrom(one);
      const hash = recoveryCodeHash(code);
      expect(hash).not.toBeNull();
      for (const typed of [
        code.toUpperCase(),
        code.replaceAll('-', ''),
        ` ${code.replaceAll('-', ' ')}\n`,
        code.replaceAll('0', 'O').replaceAll('1', 'l'),
      ])
        expect(recoveryCodeHash(typed)).toBe(hash);
      expect(recoveryCodeHash(recoveryCodeFrom(other)) === hash).toBe(Buffer.from(one).equals(Buffer.from(other)));
    }),
  );
});

it.each(['', '123456', 'k3mf-8zq2-w1rt', 'uuuu-uuuu-uuuu-uuuu', 'k3mf-8zq2-w1rt-0d7!', 'k3mf-8zq2-w1rt-0d7xx'])(
  '%j is none',
  (text) => expect(recoveryCodeHash(text)).toBeNull(),
);
