/**
 * An answer that is given before the request's body has arrived, such as 401 or 413: the answer is sent, the rest of
 * the body is read and dropped for some time (`linger`), and then the connection is closed.
 */
import { linger, waitsForContinue } from '@ams/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the caller was told to send its body (RFC 9110 §10.1.1). */
    bodyRequested: boolean;
  }
}

/** Node itself reads the rest of a small body, and the connection stays open, unless the answer says otherwise. */
const smallBytes = 64 * 1024;

export function answerBeforeBody(app: FastifyInstance): void {
  app.decorateRequest('bodyRequested', false);
  app.addHook('onSend', (request, reply, payload, done) => {
    const unread = unreadBodyOf(request, reply.getHeader('connection') === 'close');
    if (unread !== 'none') reply.header('connection', 'close');
    if (unread !== 'arriving' || payload === null || payload === undefined) return done(null, payload);
    reply.lasting = true;
    if (!(payload instanceof Readable)) reply.header('content-length', Buffer.byteLength(payload as string | Buffer));
    done(null, endWithBody(request.raw, payload as string | Buffer | Readable));
  });
}

/** Tells the caller to send its body, if the caller waits for that. */
export function requestBody(request: FastifyRequest, reply: FastifyReply): void {
  request.bodyRequested = true;
  if (waitsForContinue(request.raw)) reply.raw.writeContinue();
}

/** The length that the head of the request declares; Infinity when it declares none, 0 without a body. */
export function declaredLengthOf({ headers }: FastifyRequest): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
}

function unreadBodyOf(request: FastifyRequest, closes: boolean): 'none' | 'arriving' | 'notSent' {
  const length = declaredLengthOf(request);
  if (request.raw.complete || length === 0) return 'none';
  if (waitsForContinue(request.raw) && !request.bodyRequested) return 'notSent';
  return length <= smallBytes && !closes ? 'none' : 'arriving';
}

/** The payload as a stream that ends when the request does, or when the connection has lingered. */
function endWithBody(request: IncomingMessage, payload: string | Buffer | Readable): Readable {
  const out = new PassThrough();
  const end = (): void => {
    if (request.complete || request.destroyed) out.end();
    else linger(request, () => out.end());
  };
  if (payload instanceof Readable) {
    payload.once('error', (error) => out.destroy(error));
    payload.once('end', end);
    payload.pipe(out, { end: false });
  } else {
    out.write(payload);
    end();
  }
  return out;
}
