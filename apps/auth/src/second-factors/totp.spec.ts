import fc from 'fast-check';
import { acceptedStep, codeOfStep, enrolment, stepAt } from './totp.js';

/** The secret of the test values of RFC 6238, and a time in the middle of the step 1000. */
const secret = Buffer.from('12345678901234567890');
const at = new Date(30_000 * 1000 + 12_345);
const accepted = (code: string, lastStep: number | null = null): number | null =>
  acceptedStep(secret, code, { at, lastStep });

it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [2_000_000_000, '279037'],
])('agrees with RFC 6238 at %s s', (seconds, code) => {
  const time = new Date(seconds * 1000);
  expect(codeOfStep(secret, stepAt(time))).toBe(code);
  expect(acceptedStep(secret, code, { at: time, lastStep: null })).toBe(stepAt(time));
});

it.each([
  ['the present step', 1000, null, 1000],
  ['the step before, for a late clock', 999, null, 999],
  ['the step after, for an early clock', 1001, null, 1001],
  ['two steps before', 998, null, null],
  ['two steps after', 1002, null, null],
  ['a step that was used', 1000, 1000, null],
  ['the step before one that was used', 999, 1000, null],
  ['the step after one that was used', 1001, 1000, 1001],
])('a code of %s', (_what, step, lastStep, expected) =>
  expect(accepted(codeOfStep(secret, step), lastStep)).toBe(expected),
);

it('may be typed in two groups', () => {
  const code = codeOfStep(secret, 1000);
  expect(accepted(` ${code.slice(0, 3)} ${code.slice(3)} `)).toBe(1000);
});

it.each(['', '12345', '1234567', 'abcdef', '１２３４５６', '123456\n', '-12345', '1e5000'])('%j is no code', (code) =>
  expect(accepted(code)).toBeNull(),
);

it('is accepted once, in any order of attempts', () => {
  const attempt = fc.record({ step: fc.integer({ min: 990, max: 1010 }), seconds: fc.integer({ min: 0, max: 29 }) });
  fc.assert(
    fc.property(fc.array(attempt, { maxLength: 30 }), (attempts) => {
      let lastStep: number | null = null;
      const used: number[] = [];
      for (const { step, seconds } of attempts) {
        const time = new Date((step * 30 + seconds) * 1000);
        const found = acceptedStep(secret, codeOfStep(secret, step), { at: time, lastStep });
        if (found === null) continue;
        used.push(found);
        lastStep = found;
      }
      expect(new Set(used).size).toBe(used.length);
    }),
  );
});

it('gives apps an address that they can read', () => {
  const { secret: shown, uri } = enrolment(secret, { issuer: 'Alerts: a', account: 'mira+x@example.com' });
  expect(shown).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  const url = new URL(uri);
  expect([url.protocol, url.host]).toEqual(['otpauth:', 'totp']);
  expect(url.searchParams.get('secret')).toBe(shown);
  expect(url.searchParams.get('issuer')).toBe('Alerts: a');
});
