/**
 * A long text in few bytes: its UTF-8, compressed (raw DEFLATE, RFC 1951). Both directions use the thread pool, so a
 * long text does not hold the event loop.
 */
import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRaw, type InputType, type ZlibOptions } from 'node:zlib';

const deflate = promisify<InputType, ZlibOptions, Buffer>(deflateRaw);
const inflate = promisify<InputType, ZlibOptions, Buffer>(inflateRaw);

/** Of a text, or of its UTF-8. */
export const packText = (text: string | Uint8Array): Promise<Buffer> =>
  deflate(text, { level: constants.Z_BEST_SPEED });

/** `maxBytes` of the text. Rejects when it has more, or when the bytes are not of `packText`. */
export const unpackText = async (packed: Uint8Array, maxBytes: number): Promise<string> =>
  (await inflate(packed, { maxOutputLength: maxBytes })).toString('utf8');
