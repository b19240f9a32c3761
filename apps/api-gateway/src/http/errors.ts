/**
 * The only place that answers errors: always the envelope, with the status and the headers of the code. When the error
 * is not a Fault, the caller gets only the request id, and the log gets the whole error.
 */
import { errorBody, Fault, invalid, newUuid, senderRefusal } from '@ams/contracts';
import type { Logger } from '@ams/messaging';
import { endAfterAnswer, isOfLingering } from '@ams/service';
import { refuseSpan } from '@ams/tracing';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

export function answerErrors(app: FastifyInstance, log: Logger): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    // A request that was refused already, by a revocation or for a malformed body, may fail a second time.
    if (reply.answered) return;
    const fault = faultOf(error, request);
    if (fault.code === 'INTERNAL_ERROR' && fault !== (error as Error)) {
      log.error({ err: error, requestId: request.id, operation: request.operation }, 'a request failed');
    }
    refuseSpan(request.span, fault.code);
    const { status, body } = senderRefusal(request.senderApi, fault, {
      requestId: request.id,
      tookMs: reply.elapsedTime,
    });
    void reply
      .code(status)
      .headers({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        ...headersOf(fault),
      })
      .send(body);
  });

  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    newest.set(socket, reply);
    reply.raw.once('close', () => {
      if (newest.get(socket) === reply) newest.delete(socket);
    });
    done();
  });
}

function faultOf(error: FastifyError, request: FastifyRequest): Fault {
  if (error instanceof Fault) return error;
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Fault('PAYLOAD_TOO_LARGE', { limitBytes: request.routeOptions.bodyLimit });
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Fault('UNSUPPORTED_MEDIA_TYPE', null);
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalid('', 'http', 'The body has another length than Content-Length says.');
    default:
      return new Fault('INTERNAL_ERROR', { requestId: request.id });
  }
}

/** The headers that a code needs beside the body. */
function headersOf(fault: Fault): Record<string, string> {
  switch (fault.code) {
    case 'UNAUTHORIZED':
      return { 'www-authenticate': 'Bearer' };
    case 'METHOD_NOT_ALLOWED':
      return { allow: (fault as Fault<'METHOD_NOT_ALLOWED'>).details.allowed.join(', ') };
    case 'RATE_LIMITED':
      return { 'retry-after': String((fault as Fault<'RATE_LIMITED'>).details.retryAfterSeconds) };
    case 'UNAVAILABLE':
      return { 'retry-after': '1' };
    default:
      return {};
  }
}

/** The reply to the newest request of a connection, until it is closed. */
const newest = new WeakMap<Socket, FastifyReply>();

/** Answers bytes that Node's HTTP parser refuses. If they belong to a known request, its reply is used. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || isOfLingering(error, socket)) return;
  const fault = faultOfParser(error.code);
  const reply = newest.get(socket);
  if (!reply) return answerOnSocket(socket, fault);
  // Bytes after a complete request belong to the next one. The complete one is answered first.
  if (reply.request.raw.complete) return void reply.raw.once('finish', () => answerOnSocket(socket, fault));
  reply.raw.once('finish', () => socket.destroySoon());
  if (!reply.answered) reply.header('connection', 'close').send(fault);
}

function faultOfParser(code: string | undefined): Fault {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Fault('REQUEST_TIMEOUT', null);
  if (code === 'HPE_HEADER_OVERFLOW') {
    return invalid('headers', 'maxLength', 'The headers of the request are too large.');
  }
  return invalid('', 'http', 'The request is not valid HTTP.');
}

/** Answers on a connection that has no request, and closes it. */
export function answerOnSocket(socket: Socket, fault: Fault): void {
  if (socket.writable) {
    const body = JSON.stringify(errorBody(fault));
    const head = [
      `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${newUuid()}`,
      'x-content-type-options: nosniff',
      'cache-control: no-store',
      'connection: close',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  }
  endAfterAnswer(socket);
}
