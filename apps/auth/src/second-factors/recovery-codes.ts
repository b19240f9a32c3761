/**
 * Recovery codes: ten codes of 80 bits, for somebody who has lost the other factor. Each is valid once, and only its
 * hash is stored. A plain hash is enough, because nobody can guess 80 random bits.
 */
import { credentialHash } from '@ams/contracts';
import { randomBytes } from 'node:crypto';

export const recoveryCodeCount = 10;

/** Without letters and digits that look alike: no i, l, o, u, and 0 and 1 stand for o, i and l too. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const codeBytes = 10;
const groupLength = 4;

/** Such as `k3mf-8zq2-w1rt-0d7x`. */
export function recoveryCodeFrom(random: Uint8Array): string {
  const bits = [...random].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const letters = (bits.match(/.{5}/g) ?? []).map((five) => alphabet[parseInt(five, 2)]).join('');
  return (letters.match(new RegExp(`.{${groupLength}}`, 'g')) ?? []).join('-');
}

export const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodeCount }, () => recoveryCodeFrom(randomBytes(codeBytes)));

/** The code as it is stored; null for a text that is none. Case, spaces, dashes and similar letters do not matter. */
export function recoveryCodeHash(typed: string): string | null {
  const letters = typed.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  return /^[0-9a-hjkmnp-tv-z]{16}$/.test(letters) ? credentialHash(letters) : null;
}
