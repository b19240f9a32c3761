/** Reads a request: query, headers, body. Whatever is wrong with it is a Fault; nothing here trusts its input. */
import { Fault, invalid, type IdempotencyRequest } from '@ams/contracts';
import { isUtf8 } from 'node:buffer';
import { createHash, createHmac } from 'node:crypto';
import type { Exchange } from './exchange.js';

export const maxUrlLength = 8192;
const maxParameters = 100;
const maxDepth = 100;

export type Query = Record<string, string | string[]>;

const none: Query = Object.freeze(Object.create(null) as Query);

/**
 * What follows the question mark, as HTML forms write it: `+` is a space, a name that is repeated has a list. The object
 * has no prototype, so `__proto__` is a name like any other.
 */
export function parseQuery(text: string): Query {
  if (text === '') return none;
  const query = Object.create(null) as Query;
  const pairs = text.split('&', maxParameters + 1);
  if (pairs.length > maxParameters)
    throw invalid('', 'maxItems', `The query has more than ${maxParameters} parameters.`);
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

/** The parameters of a path, by name. */
export function decodePath(names: string[], values: string[]): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [i, name] of names.entries())
    parameters[name] = decode((values[i] ?? '').replaceAll('+', '%2B'), 'The path');
  return parameters;
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

/** Whether `If-None-Match` names the tag, by weak comparison (RFC 9110 §13.1.2). */
export function noneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}

export interface Body {
  /** Valid JSON as it was sent, or `null` when nothing was. */
  text: string | null;
}

const nothing: Body = { text: null };

/**
 * Reads the body, which is JSON or nothing. Resolves to `null` when the exchange was over before the body was here.
 * Throws PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, INVALID_JSON, VALIDATION_ERROR.
 */
export async function readBody(exchange: Exchange, limitBytes: number): Promise<Body | null> {
  const { headers } = exchange.request;
  const declared = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null;
  if (declared === 0) return nothing;
  if (declared !== null && declared > limitBytes) throw new Fault('PAYLOAD_TOO_LARGE', { limitBytes });
  if (!isJson(headers['content-type'], headers['content-encoding'])) throw new Fault('UNSUPPORTED_MEDIA_TYPE', null);
  exchange.askForBody();
  const bytes = await collect(exchange, limitBytes);
  if (bytes === 'gone') return null;
  if (bytes === 'tooLarge') throw new Fault('PAYLOAD_TOO_LARGE', { limitBytes });
  if (bytes.length === 0) return nothing;
  if (!isUtf8(bytes)) throw new Fault('INVALID_JSON', null, 'The body is not UTF-8.');
  if (isDeeperThan(bytes, maxDepth))
    throw invalid('', 'maxDepth', `The body is nested deeper than ${maxDepth} levels.`);
  const text = bytes.toString();
  checkJson(text);
  return { text };
}

function collect({ request, response }: Exchange, limitBytes: number): Promise<Buffer | 'tooLarge' | 'gone'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limitBytes) chunks.push(chunk);
      else {
        chunks.length = 0;
        resolve('tooLarge');
      }
    });
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.on('error', () => resolve('gone'));
    response.on('close', () => resolve('gone'));
  });
}

const jsonType = /^\s*application\/(?:[\w!#$&^.-]+\+)?json\s*(?:;\s*(?:charset\s*=\s*"?utf-?8"?\s*)?)?$/i;

const isJson = (type: string | undefined, encoding: string | undefined): boolean =>
  type !== undefined && jsonType.test(type) && (encoding === undefined || encoding.trim().toLowerCase() === 'identity');

/** Counts brackets outside strings: what is deep is turned away before anything that calls itself reads it. */
function isDeeperThan(bytes: Buffer, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (inString) {
      if (byte === 0x5c) i++;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > limit) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return false;
}

/** Characters that JSON can write and the database cannot keep. */
const suspicious = /\\u(?:0000|d[89a-f])/i;

function checkJson(text: string): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Fault('INVALID_JSON', null);
  }
  if (!suspicious.test(text)) return;
  const path = pathOfUnstorable(value, '');
  if (path !== null)
    throw invalid(path, 'characters', `${path || 'The body'} holds U+0000 or half of a surrogate pair.`);
}

function pathOfUnstorable(value: unknown, path: string): string | null {
  const bad = (text: string) => text.includes('\0') || !text.isWellFormed();
  if (typeof value === 'string') return bad(value) ? path : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, below] of Object.entries(value)) {
    if (bad(name)) return path;
    const found = pathOfUnstorable(
      below,
      Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`,
    );
    if (found !== null) return found;
  }
  return null;
}

const printable = /^[\x20-\x7e]{1,255}$/;

/** What makes a repeated POST answer as it did the first time; `null` when the caller did not ask for it. */
export function idempotencyOf(exchange: Exchange, path: string, key: string, body: Body): IdempotencyRequest | null {
  const sent = idempotencyKeyOf(exchange);
  if (sent === null) return null;
  const canonical = body.text === null ? '' : JSON.stringify(inOrder(JSON.parse(body.text)));
  return {
    key: sent,
    fingerprint: createHash('sha256')
      .update(`${exchange.request.method}\n${path}\n`)
      .update(canonical)
      .digest('base64url'),
    sealKey: createHmac('sha256', key).update(`idempotency:${sent}`).digest('base64url'),
  };
}

/** The header of a POST; other methods have no use for it. */
export function idempotencyKeyOf({ request }: Exchange): string | null {
  const sent = request.headers['idempotency-key'];
  if (request.method !== 'POST' || sent === undefined) return null;
  if (typeof sent !== 'string' || !printable.test(sent)) {
    throw invalid('Idempotency-Key', 'length', 'Idempotency-Key must be 1 to 255 printable ASCII characters.');
  }
  return sent;
}

/** The same value with its names sorted: a client that writes the same object in another order sends the same request. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  // As pairs, since an object would put names that are numbers first and swallow `__proto__`.
  const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { pairs: pairs.map(([name, below]) => [name, inOrder(below)]) };
}
