/** The body of a request as text: size, compression, encoding. `parsePayload` reads the text. */
import { Fault } from '@ams/contracts';
import type { HeldBody } from '@ams/service';
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, inflate, inflateRaw, type InputType, type ZlibOptions } from 'node:zlib';

/** The body as it was sent, or why there is none. */
export type Body =
  { kind: 'bytes'; bytes: Buffer } | { kind: 'tooLarge' } | { kind: 'refused'; fault: Fault } | { kind: 'aborted' };

/** The length that the sender declares; `null` when it declares none (chunked). */
export function declaredLength(request: IncomingMessage): number | null {
  const { headers } = request;
  if (headers['transfer-encoding'] !== undefined) return null;
  return headers['content-length'] === undefined ? 0 : Number(headers['content-length']);
}

/**
 * The body when it has arrived completely, else null. Most have: a short body comes with the head of its request.
 * Nothing of it is left to wait for, to hold or to limit.
 */
export function arrivedBody(request: IncomingMessage, limit: number): Body | null {
  if (!request.complete || request.destroyed) return null;
  const bytes = (request.read() as Buffer | null) ?? empty;
  return bytes.length > limit ? { kind: 'tooLarge' } : { kind: 'bytes', bytes };
}

/** Never rejects. Bytes beyond the limit are dropped. `hold` counts the body; it calls `cut` to refuse the rest. */
export function readBody(
  request: IncomingMessage,
  limit: number,
  hold: (cut: (fault: Fault) => void) => HeldBody,
): Promise<Body> {
  return new Promise((resolve) => {
    let first: Buffer | null = null;
    let chunks: Buffer[] | null = null;
    let size = 0;
    let dropped = false;
    const finish = (body: Body): void => {
      dropped = true;
      first = chunks = null;
      held.end();
      resolve(body);
    };
    const held = hold((fault) => finish({ kind: 'refused', fault }));
    request.on('data', (chunk: Buffer) => {
      if (dropped) return;
      size += chunk.length;
      if (size > limit) return finish({ kind: 'tooLarge' });
      if (first === null) first = chunk;
      else (chunks ??= [first]).push(chunk);
      held.add(chunk.length);
    });
    request.on('end', () =>
      finish({ kind: 'bytes', bytes: chunks !== null ? Buffer.concat(chunks) : (first ?? empty) }),
    );
    request.on('close', () => finish({ kind: 'aborted' }));
    request.on('error', () => finish({ kind: 'aborted' }));
  });
}

const empty = Buffer.alloc(0);

const unzip = {
  gzip: promisify<InputType, ZlibOptions, Buffer>(gunzip),
  zlib: promisify<InputType, ZlibOptions, Buffer>(inflate),
  deflate: promisify<InputType, ZlibOptions, Buffer>(inflateRaw),
};

/** `deflate` is the zlib format (RFC 9110), but some senders leave out its header. */
const isZlib = (bytes: Buffer): boolean =>
  bytes.length >= 2 && (bytes[0]! & 0x0f) === 8 && ((bytes[0]! << 8) | bytes[1]!) % 31 === 0;

/** Undoes `Content-Encoding`. Throws Faults. */
export async function decompress(bytes: Buffer, encoding: string, limit: number): Promise<Buffer> {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return bytes;
  const how =
    name === 'gzip' || name === 'x-gzip'
      ? unzip.gzip
      : name === 'deflate'
        ? isZlib(bytes)
          ? unzip.zlib
          : unzip.deflate
        : null;
  if (how === null)
    throw new Fault(
      'UNSUPPORTED_MEDIA_TYPE',
      null,
      'Send the body as it is, or with Content-Encoding gzip or deflate.',
    );
  try {
    return await how(bytes, { maxOutputLength: limit });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Fault('PAYLOAD_TOO_LARGE', { limitBytes: limit });
    throw new Fault('INVALID_JSON', null, `The body is not valid ${name}.`);
  }
}

/** `null` when the bytes are not UTF-8. A byte order mark is removed. */
export function utf8Of(bytes: Buffer): Buffer | null {
  if (!isUtf8(bytes)) return null;
  const marked = bytes.length >= 3 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return marked ? bytes.subarray(3) : bytes;
}
