/**
 * The two credentials that we hand out: API keys and ingest tokens. Both end in a checksum (CRC-32 of what is before it,
 * six base-62 digits), so that a typo or junk is told from a credential without asking anybody.
 *
 *   API key       svc_live_ | svc_test_ , 32 base-62 characters of randomness (190 bits), 6 of checksum
 *   ingest token  26 base-62 characters of randomness (154 bits), 6 of checksum: 32 in all, because PagerDuty's
 *                 routing keys have 32 and its clients check that
 *
 * Only SHA-256 of a credential is stored or travels between services. They are random, so a fast hash is enough.
 */
import { createHash, randomInt } from 'node:crypto';
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

export function newIngestToken(): string {
  const body = random(26);
  return body + checksum(body);
}

const apiKeyForm = /^svc_(live|test)_[0-9A-Za-z]{38}$/;
const ingestTokenForm = /^[0-9A-Za-z]{32}$/;
const intact = (text: string): boolean => checksum(text.slice(0, -6)) === text.slice(-6);

export const isApiKey = (text: string): boolean => apiKeyForm.test(text) && intact(text);
export const isIngestToken = (text: string): boolean => ingestTokenForm.test(text) && intact(text);

/** SHA-256, base64url: what is stored and sent in place of a credential. */
export const credentialHash = (credential: string): string =>
  createHash('sha256').update(credential).digest('base64url');

/** What is shown of a key, to tell keys apart: the prefix and four characters. */
export const keyPrefixOf = (key: string): string => key.slice(0, 13);

/** What is shown of an ingest token: its last four characters. */
export const tokenHintOf = (token: string): string => token.slice(-4);

// zlib.crc32 came with Node 20.15 and 22.2; the floor of this project is above both.
const crc = (text: string): number => crc32(text);
