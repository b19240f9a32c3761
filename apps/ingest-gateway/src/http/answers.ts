/** Writes answers to Node's response: headers in one call, errors in the envelope, and no reset of connections. */
import { Fault, invalid, newUuid, senderRefusal, type Refusal } from '@ams/contracts';
import { endAfterAnswer, isOfLingering, linger } from '@ams/service';
import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const printable = /^[\x20-\x7e]{1,200}$/;

/** The sender's `X-Request-Id`, or a new id when that is not 1 to 200 printable characters. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && printable.test(sent) ? sent : newUuid();
}

export type Header = readonly [name: string, value: string];

function head(body: string, requestId: string, more: readonly Header[], close: boolean): string[] {
  const headers = [
    'content-type',
    'application/json; charset=utf-8',
    'content-length',
    String(Buffer.byteLength(body)),
    'x-request-id',
    requestId,
  ];
  for (const [name, value] of more) headers.push(name, value);
  if (close) headers.push('connection', 'close');
  return headers;
}

export function answer(
  response: ServerResponse,
  status: number,
  requestId: string,
  body: string,
  close: boolean,
  more: readonly Header[] = [],
): void {
  response.writeHead(status, head(body, requestId, more, close));
  response.end(body);
}

/** The headers that a code needs beside the body. */
export function faultHeaders(fault: Fault): Header[] {
  if (fault.code === 'RATE_LIMITED')
    return [['retry-after', String((fault as Fault<'RATE_LIMITED'>).details.retryAfterSeconds)]];
  if (fault.code === 'UNAVAILABLE') return [['retry-after', '2']];
  if (fault.code === 'METHOD_NOT_ALLOWED')
    return [['allow', (fault as Fault<'METHOD_NOT_ALLOWED'>).details.allowed.join(', ')]];
  return [];
}

export const answerFault = (
  response: ServerResponse,
  fault: Fault,
  requestId: string,
  close: boolean,
  { status, body }: Refusal = senderRefusal(null, fault, { requestId, tookMs: 0 }),
): void => answer(response, status, requestId, body, close, faultHeaders(fault));

/** Answers before the body has arrived, reads and drops the rest of it for some time, and closes the connection. */
export function answerAndClose(
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault,
  requestId: string,
  { status, body }: Refusal,
): void {
  response.writeHead(status, head(body, requestId, faultHeaders(fault), true));
  if (request.complete) {
    response.end(body);
    return;
  }
  response.write(body);
  linger(request, () => {
    response.end();
    if (!request.complete) request.socket.destroySoon();
  });
}

/** Answers what Node's HTTP parser refuses, or what did not arrive completely. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || isOfLingering(error, socket)) return;
  const fault =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? new Fault('REQUEST_TIMEOUT', null)
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? invalid('header', 'maxBytes', 'The headers of the request are too large.')
        : invalid('', 'http', 'The request is not valid HTTP.');
  if (socket.writable) {
    const requestId = newUuid();
    const { status, body } = senderRefusal(null, fault, { requestId, tookMs: 0 });
    const lines = head(body, requestId, [], true);
    let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
    for (let i = 0; i < lines.length; i += 2) text += `${lines[i]}: ${lines[i + 1]}\r\n`;
    socket.write(`${text}\r\n${body}`);
  }
  endAfterAnswer(socket);
}
