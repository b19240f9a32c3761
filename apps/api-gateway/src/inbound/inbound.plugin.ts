/**
 * Passes requests of senders on to the ingest gateway when they have arrived completely. This is for installations
 * without a reverse proxy that routes by path. Larger ones route `/api/inbound` and `/v2` to the ingest gateway
 * themselves.
 */
import replyFrom from '@fastify/reply-from';
import { Fault } from '@ams/contracts';
import { networkOf } from '@ams/domain';
import type { Bodies } from '@ams/service';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { holdBody } from '../http/held-body.js';
import { addressOf, isOver } from '../http/request-context.js';
import { declaredLengthOf, requestBody } from '../http/unread-body.js';
import { mayHaveToken, senderPathOf, senderRoutes, type SenderPath } from './sender-path.js';

/** Headers that belong to one connection, not to the request (RFC 9110 §7.6.1). */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

/** Headers of a request that this gateway writes itself. */
const built = new Set([...hopByHop, 'content-length', 'content-type', 'x-request-id', 'x-forwarded-for', 'via']);

/** Headers of an answer that this gateway writes itself. */
const ours = new Set([...hopByHop, 'x-request-id', 'x-content-type-options', 'date']);

export interface InboundOptions {
  ingestUrl: string;
  timeoutMs: number;
  /** Of a body. */
  maxBytes: number;
  bodies: Bodies;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for requests of senders. */
    senderPath: SenderPath;
  }
}

export const inbound: FastifyPluginAsync<InboundOptions> = async (app, { ingestUrl, timeoutMs, maxBytes, bodies }) => {
  await app.register(replyFrom, {
    base: new URL(ingestUrl).origin,
    undici: { connections: 256, connectTimeout: timeoutMs, headersTimeout: timeoutMs, bodyTimeout: timeoutMs },
    // URLs contain tokens of senders, so no URL is stored or logged.
    disableCache: true,
    disableRequestLogging: true,
    destroyAgent: true,
  });
  app.decorateRequest('senderPath');
  app.addHook('onRequest', (request, reply, done) => {
    request.operation = 'ingest';
    const found = senderPathOf(pathOf(request));
    if (found === null) return done(new Fault('NOT_FOUND', null));
    request.senderPath = found;
    request.senderApi = found.api;
    if (mayHaveToken(found, request.headers.authorization)) return done();
    forward(request, reply, null);
  });
  app.addHook('preParsing', (request, reply, payload, done) => {
    const length = declaredLengthOf(request);
    if (length > 0) {
      if (length <= maxBytes || length === Infinity) requestBody(request, reply);
      holdBody(bodies, networkOf(addressOf(request)), request, reply);
    }
    done(null, payload);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  for (const path of senderRoutes) {
    app.all(path, { bodyLimit: maxBytes }, (request, reply) => {
      if (!isOver(reply)) forward(request, reply, request.body as Buffer | undefined);
    });
  }
};

const pathOf = ({ originalUrl }: FastifyRequest): string => originalUrl.split('?', 1)[0] as string;

/** The whole body has arrived, so a caller that sends slowly holds no connection to the ingest gateway. */
function forward(request: FastifyRequest, reply: FastifyReply, sent: Buffer | null | undefined): void {
  const body = sent?.length ? sent : null;
  reply.from(request.senderPath.path, {
    body,
    // `requestHeaders` sends the type that the sender gave.
    contentType: 'application/octet-stream',
    queryString: (_search, _url, { originalUrl }) => originalUrl.split('?').slice(1).join('?'),
    rewriteRequestHeaders: (_request, headers) => requestHeaders(request, headers, body?.length ?? 0),
    rewriteHeaders: (headers) => without(headers, ours),
    onError: (failed) => failed.send(new Fault('UNAVAILABLE', { requestId: request.id })),
  });
}

function requestHeaders(request: FastifyRequest, headers: IncomingHttpHeaders, length: number): IncomingHttpHeaders {
  const { 'content-type': type } = request.headers;
  const passed: IncomingHttpHeaders = {
    ...without(headers, built),
    'x-request-id': request.id,
    'x-forwarded-for': addressOf(request) ?? 'unknown',
    via: '1.1 api-gateway',
    ...(type !== undefined && { 'content-type': type }),
  };
  // Fastify does not read the body of GET and HEAD.
  if (request.method === 'GET' || request.method === 'HEAD') return passed;
  return { ...passed, 'content-length': String(length) };
}

const without = <V>(headers: Record<string, V>, names: ReadonlySet<string>): Record<string, V> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name)));
