// Data keys of an organization in its file: sealed with AES-256-GCM, by a key that scrypt makes of the passphrase of the
// operator. The record is authenticated too, so a key opens for its organization and environment only.
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { FileFault } from './format.mjs';

const minLength = 16;
/** OWASP, Password Storage Cheat Sheet: N = 2^17, r = 8, p = 1. It takes 128 MB. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
const [nonceBytes, tagBytes] = [12, 16];

/** Without the line feed at the end. Throws an error that has nothing of the content. */
export function readPassphrase(file) {
  const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  if (text.length < minLength || /[\r\n]/.test(text))
    throw new Error(`${file} must have a passphrase of at least ${minLength} characters in one line.`);
  return text;
}

export const newSalt = () => randomBytes(16).toString('base64');

/** Seals and opens with the passphrase. `salt` is that of the header. */
export function passphraseSeal(passphrase, salt) {
  const key = scryptSync(passphrase.normalize('NFC'), Buffer.from(salt, 'base64'), 32, cost);
  return {
    seal(text, record) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(record));
      const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
    },
    /** Throws FileFault. */
    open(sealed, record) {
      const value = Buffer.from(sealed, 'base64');
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, value.subarray(0, nonceBytes))
          .setAAD(Buffer.from(record))
          .setAuthTag(value.subarray(nonceBytes, nonceBytes + tagBytes));
        return Buffer.concat([decipher.update(value.subarray(nonceBytes + tagBytes)), decipher.final()]);
      } catch {
        throw new FileFault('the passphrase is wrong, or the secrets of the file were changed.');
      }
    },
  };
}
