/**
 * The kinds of credentials: API keys, ingest tokens, and the tokens of calendar feeds. These end in a checksum (CRC-32
 * of the preceding characters, six base-62 digits), so that mistyped and random values are rejected without a lookup.
 * Tokens of sessions and of links in mails are 32 random bytes, base64url, because nobody types them.
 *
 *   API key:        svc_live_ or svc_test_, 32 random base-62 characters (190 bits), 6 of checksum
 *   ingest token:   26 random base-62 characters (154 bits), 6 of checksum. The length is 32, because PagerDuty's
 *                   routing keys have 32 characters and its clients check that.
 *   calendar token: 26 random base-62 characters, 6 of checksum, as an ingest token
 *
 * Only the SHA-256 hash of a credential is stored or sent between services. Credentials are random, so a fast hash is
 * sufficient.
 */
import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Environment } from '@ams/scopes';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function checksum(text: string): string {
  let rest = crc(text);
  let out = '';
  for (let i = 0; i < 6; i++) {
    out = digits[rest % 62] + out;
    rest = Math.floor(rest / 62);
  }
  return out;
}

const random = (length: number): string => Array.from({ length }, () => digits[randomInt(62)]).join('');

export function newApiKey(environment: Environment): string {
  const body = `svc_${environment}_${random(32)}`;
  return body + checksum(body);
}

function newToken(): string {
  const body = random(26);
  return body + checksum(body);
}

export const newIngestToken = newToken;
/** A part of the URL of a calendar feed. */
export const newCalendarToken = newToken;

const apiKeyForm = /^svc_(live|test)_[0-9A-Za-z]{38}$/;
const tokenForm = /^[0-9A-Za-z]{32}$/;
const intact = (text: string): boolean => checksum(text.slice(0, -6)) === text.slice(-6);

export const isApiKey = (text: string): boolean => apiKeyForm.test(text) && intact(text);
const isToken = (text: string): boolean => tokenForm.test(text) && intact(text);
export const isIngestToken = isToken;
export const isCalendarToken = isToken;

/** SHA-256, base64url: stored and sent in place of a credential. */
export const credentialHash = (credential: string): string =>
  createHash('sha256').update(credential).digest('base64url');

/** The visible part of a key, to identify it: the prefix and four characters. */
export const keyPrefixOf = (key: string): string => key.slice(0, 13);

/** The visible part of an ingest token: its last four characters. */
export const tokenHintOf = (token: string): string => token.slice(-4);

// zlib.crc32 exists since Node 20.15 and 22.2; this project requires a newer version.
const crc = (text: string): number => crc32(text);

/** The token of a session, or of a link in a mail that can be used once. */
export const newAccountToken = (): string => randomBytes(32).toString('base64url');

const accountTokenForm = /^[\w-]{43}$/;
export const isAccountToken = (text: string): boolean => accountTokenForm.test(text);

/**
 * The proof that a request with the cookie of a session comes from a page of this installation: `GET /session` answers
 * it, and every change sends it as `X-CSRF-Token`. Other sites can neither read nor guess it.
 */
export const csrfTokenOf = (sessionHash: string): string =>
  createHmac('sha256', sessionHash).update('csrf').digest('base64url');

export function isCsrfToken(sessionHash: string, sent: string): boolean {
  const [expected, given] = [Buffer.from(csrfTokenOf(sessionHash)), Buffer.from(sent)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}
