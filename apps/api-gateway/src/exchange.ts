/**
 * One request and its one answer. It is answered once, by whoever is first: the owner, a revocation, a timeout; what
 * comes later is dropped. Every answer carries the request id, errors are always the envelope, and nothing of an unknown
 * error leaves the house but INTERNAL_ERROR and that id.
 */
import { errorBody, Fault, newUuid, type RateLimitState } from '@ams/contracts';
import type { Logger } from '@ams/service';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIP, type Socket } from 'node:net';

/** Names and values in turn, as Node takes them raw. */
export type HeaderList = string[];

export interface Surroundings {
  log: Logger;
  trustProxy: boolean;
  /** Whether this replica is stopping: then every answer ends its connection. */
  stopping(): boolean;
  /** Told once for each exchange; 499 when the caller went before the answer. */
  ended(exchange: Exchange, status: number): void;
}

const visible = /^[\x21-\x7e]{1,200}$/;

export class Exchange {
  readonly requestId: string;
  readonly startedAt = performance.now();
  /** For metrics and the log. */
  operation = 'none';
  /** Known from admission on, and said in every answer after it. */
  rate: RateLimitState | null = null;
  /** Headers of every answer of the operation. */
  always: HeaderList = [];
  over = false;
  private toldWhenOver: (() => void) | null = null;
  private continued = false;

  constructor(
    readonly request: IncomingMessage,
    readonly response: ServerResponse,
    private readonly around: Surroundings,
  ) {
    const sent = request.headers['x-request-id'];
    this.requestId = typeof sent === 'string' && visible.test(sent) ? sent : newUuid();
    response.on('close', () => {
      if (!this.over) this.finish(499);
    });
  }

  /** `tell` is called once, when the exchange is answered or its caller has gone. */
  whenOver(tell: () => void): void {
    this.toldWhenOver = tell;
  }

  answer(status: number, headers: HeaderList, body: Uint8Array | string | null): void {
    if (this.over) return;
    const list: HeaderList = [
      'x-request-id',
      this.requestId,
      'x-content-type-options',
      'nosniff',
      ...this.always,
      ...headers,
    ];
    if (this.rate) {
      list.push(
        'ratelimit-limit',
        String(this.rate.limit),
        'ratelimit-remaining',
        String(this.rate.remaining),
        'ratelimit-reset',
        String(this.rate.resetSeconds),
      );
    }
    if (body !== null)
      list.push('content-length', String(typeof body === 'string' ? Buffer.byteLength(body) : body.length));
    const rest = this.unreadBody();
    if (rest !== 'none' || this.around.stopping()) list.push('connection', 'close');
    this.response.writeHead(status, list);
    if (rest === 'coming') this.endWithTheBody(body);
    else this.response.end(body ?? undefined);
    this.finish(status);
  }

  json(status: number, body: Uint8Array | string, headers: HeaderList = []): void {
    this.answer(
      status,
      ['content-type', 'application/json; charset=utf-8', 'cache-control', 'no-store', ...headers],
      body,
    );
  }

  /** Answers with the envelope of a fault; an error that is none is logged whole and answered INTERNAL_ERROR. */
  refuse(error: unknown): void {
    if (this.over) return;
    const fault = error instanceof Fault ? error : new Fault('INTERNAL_ERROR', { requestId: this.requestId });
    if (fault !== error)
      this.around.log.error({ err: error, requestId: this.requestId, operation: this.operation }, 'a request failed');
    this.json(fault.status, JSON.stringify(errorBody(fault)), headersOf(fault));
  }

  private finish(status: number): void {
    this.over = true;
    this.toldWhenOver?.();
    this.around.ended(this, status);
  }

  /** The caller's address; behind a trusted proxy the one that the nearest proxy saw. */
  get ip(): string | null {
    if (this.around.trustProxy) {
      const forwarded = this.request.headers['x-forwarded-for'];
      const nearest = (typeof forwarded === 'string' ? forwarded : '').split(',').at(-1)?.trim() ?? '';
      if (isIP(nearest)) return nearest;
    }
    return this.peer;
  }

  /** The address at the other end of the connection. */
  get peer(): string | null {
    const address = this.request.socket.remoteAddress ?? null;
    return address?.startsWith('::ffff:') ? address.slice(7) : address;
  }

  get userAgent(): string | null {
    return this.request.headers['user-agent']?.slice(0, 512) ?? null;
  }

  /** Lets a caller that waits for it send its body (RFC 9110 §10.1.1). */
  askForBody(): void {
    this.continued = true;
    if (this.waitsForContinue) this.response.writeContinue();
  }

  private get waitsForContinue(): boolean {
    return this.request.headers.expect?.toLowerCase() === '100-continue';
  }

  private unreadBody(): 'none' | 'coming' | 'notSent' {
    const { headers, complete } = this.request;
    if (complete) return 'none';
    const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
    if (length === 0) return 'none';
    if (this.waitsForContinue && !this.continued) return 'notSent';
    // Node itself reads and drops the rest of a small body, and the connection lives on.
    return length <= smallBytes ? 'none' : 'coming';
  }

  /**
   * Sends the whole answer but leaves the connection open for a moment while the body still comes: closing at once would
   * reset it, and a caller in the middle of its body would never see the answer.
   */
  private endWithTheBody(body: Uint8Array | string | null): void {
    const { request, response } = this;
    if (body !== null) response.write(body);
    let left = lingerBytes;
    const end = (): void => {
      clearTimeout(timer);
      response.end();
    };
    const timer = setTimeout(end, lingerMs);
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) end();
    });
    request.on('end', end);
    request.on('close', end);
    request.resume();
  }
}

const smallBytes = 64 * 1024;
const lingerMs = 1000;
const lingerBytes = 8 * 1024 * 1024;

/** What a code asks for beside the body. */
function headersOf(fault: Fault): HeaderList {
  switch (fault.code) {
    case 'UNAUTHORIZED':
      return ['www-authenticate', 'Bearer'];
    case 'METHOD_NOT_ALLOWED':
      return ['allow', (fault as Fault<'METHOD_NOT_ALLOWED'>).details.allowed.join(', ')];
    case 'RATE_LIMITED':
      return ['retry-after', String((fault as Fault<'RATE_LIMITED'>).details.retryAfterSeconds)];
    case 'UNAVAILABLE':
      return ['retry-after', '1'];
    default:
      return [];
  }
}

/** What the HTTP parser could not take, as a fault. */
export function faultOfParser(error: { code?: string | undefined }): Fault {
  const malformed = (path: string, rule: string, message: string) =>
    new Fault('VALIDATION_ERROR', { fields: [{ path, rule, message }] });
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return malformed('', 'timeout', 'The request did not arrive whole in time.');
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return malformed('headers', 'maxLength', 'The headers of the request are too large.');
  return malformed('', 'http', 'The request is not valid HTTP.');
}

/** Answers on a connection whose request never became one. */
export function refuseOnSocket(socket: Socket, fault: Fault): void {
  if (socket.writable) {
    const body = JSON.stringify(errorBody(fault));
    socket.write(
      `HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n` +
        `x-request-id: ${newUuid()}\r\nx-content-type-options: nosniff\r\ncache-control: no-store\r\nconnection: close\r\n\r\n${body}`,
    );
  }
  socket.destroySoon();
}
