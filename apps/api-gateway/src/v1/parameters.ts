/** The parameters of a request, from its path, its query and its headers. All of this input is untrusted. */
import { invalid, type IdempotencyRequest } from '@ams/contracts';
import { parseJson } from '@ams/domain';
import type { FastifyRequest } from 'fastify';
import { createHash, createHmac } from 'node:crypto';

export const maxUrlLength = 8192;
const maxParameters = 100;

export type Query = Record<string, string | string[]>;

const none: Query = Object.freeze(Object.create(null) as Query);

/**
 * Parses the text after the question mark in the format of HTML forms: `+` is a space, and the value of a repeated name
 * is a list. The object has no prototype, so `__proto__` is a name like any other.
 */
export function parseQuery(text: string): Query {
  if (text === '') return none;
  const query = Object.create(null) as Query;
  const pairs = text.split('&', maxParameters + 1);
  if (pairs.length > maxParameters) {
    throw invalid('', 'maxItems', `The query has more than ${maxParameters} parameters.`);
  }
  for (const pair of pairs) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decode(at < 0 ? pair : pair.slice(0, at), 'The query');
    const value = decode(at < 0 ? '' : pair.slice(at + 1), 'The query');
    const present = query[name];
    query[name] = present === undefined ? value : typeof present === 'string' ? [present, value] : [...present, value];
  }
  return query;
}

export function decodePath(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, decode(value.replaceAll('+', '%2B'), 'The path')]),
  );
}

function decode(text: string, where: string): string {
  let decoded = text;
  if (text.includes('%') || text.includes('+')) {
    try {
      decoded = decodeURIComponent(text.replaceAll('+', ' '));
    } catch {
      throw invalid('', 'encoding', `${where} has a percent-encoding that is not UTF-8.`);
    }
  }
  if (decoded.includes('\0')) throw invalid('', 'characters', `${where} holds the character U+0000.`);
  return decoded;
}

const bearer = /^bearer +([^\s]+) *$/i;

/** The credential in `Authorization: Bearer …`, or `null`. */
export const bearerOf = (header: string | undefined): string | null =>
  header === undefined ? null : (bearer.exec(header)?.[1] ?? null);

const printable = /^[\x20-\x7e]{1,255}$/;

/** The header of a POST; it is ignored for other methods. */
export function idempotencyKeyOf({ method, headers }: FastifyRequest): string | null {
  const sent = headers['idempotency-key'];
  if (method !== 'POST' || sent === undefined) return null;
  if (typeof sent !== 'string' || !printable.test(sent)) {
    throw invalid('Idempotency-Key', 'length', 'Idempotency-Key must be 1 to 255 printable ASCII characters.');
  }
  return sent;
}

/**
 * The values by which a repeated POST gets the first answer again. `path` is the whole path as it was sent, `body` is
 * valid JSON.
 */
export function idempotencyOf(
  idempotencyKey: string,
  apiKey: string,
  path: string,
  body: string | null,
): IdempotencyRequest {
  const canonical = body === null ? '' : JSON.stringify(inOrder(parseJson(body)));
  return {
    key: idempotencyKey,
    fingerprint: createHash('sha256').update(`POST\n${path}\n`).update(canonical).digest('base64url'),
    sealKey: createHmac('sha256', apiKey).update(`idempotency:${idempotencyKey}`).digest('base64url'),
  };
}

/** The value with its names sorted: objects that differ only in the order of names are the same request. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  // Pairs, because an object would move names that are numbers to the front and lose `__proto__`.
  const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { pairs: pairs.map(([name, below]) => [name, inOrder(below)]) };
}
