/**
 * An answer that is given before the request's body has arrived, such as 401 or 413. Closing the connection at once
 * would reset it, and a caller that is still sending would never see the answer. So the answer is sent, the rest of the
 * body is read and dropped for a moment, and then the connection is closed.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the caller was told to send its body (RFC 9110 §10.1.1). */
    bodyRequested: boolean;
  }
}

/** Node itself reads the rest of a small body, and the connection stays open. */
const smallBytes = 64 * 1024;
const lingerMs = 1000;
const lingerBytes = 8 * 1024 * 1024;

export function answerBeforeBody(app: FastifyInstance): void {
  app.decorateRequest('bodyRequested', false);
  app.addHook('onSend', (request, reply, payload, done) => {
    const unread = unreadBodyOf(request);
    if (unread !== 'none') reply.header('connection', 'close');
    if (unread !== 'arriving' || payload === null || payload === undefined) return done(null, payload);
    if (!(payload instanceof Readable)) reply.header('content-length', Buffer.byteLength(payload as string | Buffer));
    done(null, endWithBody(request.raw, payload as string | Buffer | Readable));
  });
}

/** Tells the caller to send its body, if the caller waits for that. */
export function requestBody(request: FastifyRequest, reply: FastifyReply): void {
  request.bodyRequested = true;
  if (waitsForContinue(request)) reply.raw.writeContinue();
}

const waitsForContinue = ({ headers }: FastifyRequest): boolean => headers.expect?.toLowerCase() === '100-continue';

/** The length that the head of the request declares; Infinity when it declares none, 0 without a body. */
export function declaredLengthOf({ headers }: FastifyRequest): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
}

function unreadBodyOf(request: FastifyRequest): 'none' | 'arriving' | 'notSent' {
  const length = declaredLengthOf(request);
  if (request.raw.complete || length === 0) return 'none';
  if (waitsForContinue(request) && !request.bodyRequested) return 'notSent';
  return length <= smallBytes ? 'none' : 'arriving';
}

/** The payload as a stream that ends when the request does, at the latest after `lingerMs` or `lingerBytes`. */
function endWithBody(request: IncomingMessage, payload: string | Buffer | Readable): Readable {
  const out = new PassThrough();
  const linger = (): void => {
    const timer = setTimeout(() => out.end(), lingerMs);
    out.once('close', () => clearTimeout(timer));
    if (request.complete || request.destroyed) return void out.end();
    let left = lingerBytes;
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) out.end();
    });
    for (const event of ['end', 'close']) request.once(event, () => out.end());
    request.resume();
  };
  if (payload instanceof Readable) {
    payload.once('error', (error) => out.destroy(error));
    payload.once('end', linger);
    payload.pipe(out, { end: false });
  } else {
    out.write(payload);
    linger();
  }
  return out;
}
