/** How a repetition of a request is recognized. */
import { Fault } from '@ams/contracts';
import type { IncomingMessage } from 'node:http';
import type { Sender } from '../integrations/integrations.js';
import { bodyHash, entryKey, isIdempotencyKey } from '../publishing/idempotency.js';
import type { RequestContext } from './request-context.js';

export interface IdempotentRequest {
  /** The key under which the answer is stored. */
  key: string;
  /** The hash of the request. */
  hash: string;
}

/** `null` when the request has no key. `path` is the information of the request that is not in its body. */
export function idempotentRequestOf(
  { api, request }: RequestContext,
  sender: Sender,
  bytes: Buffer,
  path = '',
): IdempotentRequest | null {
  const key = keyOf(request, sender.tokenHash, api.messageIdHeader);
  if (key === null) return null;
  return { key, hash: bodyHash(path === '' ? bytes : Buffer.concat([Buffer.from(`${path}\n`), bytes])) };
}

function keyOf(request: IncomingMessage, tokenHash: string, messageIdHeader: string | null): string | null {
  const own = request.headers['idempotency-key'];
  if (own !== undefined) {
    if (typeof own === 'string' && isIdempotencyKey(own)) return entryKey(tokenHash, own);
    throw new Fault('VALIDATION_ERROR', {
      fields: [
        { path: 'Idempotency-Key', rule: 'format', message: 'Idempotency-Key has 1 to 255 printable characters' },
      ],
    });
  }
  const messageId = messageIdHeader === null ? undefined : request.headers[messageIdHeader];
  return typeof messageId === 'string' && isIdempotencyKey(messageId) ? entryKey(tokenHash, `sns ${messageId}`) : null;
}
