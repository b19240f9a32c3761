/** The body of a request to the v1 API: JSON, or nothing. */
import { unstorableTexts } from '@ams/domain';
import { Fault, invalid } from '@ams/contracts';
import type { FastifyRequest } from 'fastify';
import { isUtf8 } from 'node:buffer';

const maxDepth = 100;

const jsonType = /^\s*application\/(?:[\w!#$&^.-]+\+)?json\s*(?:;\s*(?:charset\s*=\s*"?utf-?8"?\s*)?)?$/i;

/** Throws UNSUPPORTED_MEDIA_TYPE when the head of the request declares a body that is not JSON in UTF-8. */
export function requireJson({ headers }: FastifyRequest): void {
  const { 'content-type': type, 'content-encoding': encoding } = headers;
  const isPlain = encoding === undefined || encoding.trim().toLowerCase() === 'identity';
  if (type === undefined || !jsonType.test(type) || !isPlain) throw new Fault('UNSUPPORTED_MEDIA_TYPE', null);
}

/** The valid JSON as it was sent; `null` when nothing was sent. Throws INVALID_JSON, VALIDATION_ERROR. */
export function readJson(bytes: Buffer | undefined): string | null {
  if (bytes === undefined || bytes.length === 0) return null;
  if (!isUtf8(bytes)) throw new Fault('INVALID_JSON', null, 'The body is not UTF-8.');
  if (isDeeperThan(bytes, maxDepth)) {
    throw invalid('', 'maxDepth', `The body is nested deeper than ${maxDepth} levels.`);
  }
  const text = bytes.toString();
  checkJson(text);
  return text;
}

/** Counts brackets outside strings. A deep body is refused before any recursive function reads it. */
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

/** Characters that JSON allows and the database cannot store. */
const suspicious = /\\u(?:0000|d[89a-f])/i;

function checkJson(text: string): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Fault('INVALID_JSON', null);
  }
  if (!suspicious.test(text)) return;
  const [found] = unstorableTexts(value, 1);
  if (found !== undefined) {
    throw invalid(found.path, 'characters', `${found.path || 'The body'} holds U+0000 or half of a surrogate pair.`);
  }
}
