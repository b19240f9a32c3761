/**
 * Passes requests of senders on to the ingest gateway. This is for installations without a reverse proxy that routes by
 * path. Larger installations route `/api/inbound` and `/v2` to the ingest gateway themselves.
 */
import replyFrom from '@fastify/reply-from';
import { Fault } from '@ams/contracts';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { peerAddressOf } from '../http/request-context.js';
import { requestBody } from '../http/unread-body.js';

/**
 * The paths that senders post to: ours, and those of PagerDuty's and Opsgenie's clients that changed only the host.
 */
const paths = [
  '/api/inbound/*',
  '/v2/enqueue',
  '/v2/change/enqueue',
  '/v2/alerts',
  '/v2/alerts/*',
  '/v2/heartbeats',
  '/v2/heartbeats/*',
];

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

/** Headers of an answer that this gateway writes itself. */
const ours = new Set([...hopByHop, 'x-request-id', 'x-content-type-options', 'date']);

export interface InboundOptions {
  ingestUrl: string;
  timeoutMs: number;
}

export const inbound: FastifyPluginAsync<InboundOptions> = async (app, { ingestUrl, timeoutMs }) => {
  await app.register(replyFrom, {
    base: new URL(ingestUrl).origin,
    undici: { connections: 256, connectTimeout: timeoutMs, headersTimeout: timeoutMs, bodyTimeout: timeoutMs },
    // URLs contain tokens of senders, so no URL is stored or logged.
    disableCache: true,
    disableRequestLogging: true,
    destroyAgent: true,
  });
  app.addHook('onRequest', (request, _reply, done) => {
    request.operation = 'ingest';
    done();
  });
  app.addHook('preParsing', (request, reply, payload, done) => {
    requestBody(request, reply);
    done(null, payload);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, bodyOf(payload)));

  for (const path of paths) {
    app.all(path, (request, reply) => {
      try {
        reply.from(request.originalUrl.split('?', 1)[0] as string, {
          queryString: (_search, _url, { originalUrl }) => originalUrl.split('?').slice(1).join('?'),
          rewriteRequestHeaders: (_request, headers) => requestHeaders(request, headers),
          rewriteHeaders: (headers) => without(headers, ours),
          onError: (failed) => failed.send(new Fault('UNAVAILABLE', { requestId: request.id })),
        });
      } catch {
        // A path that leaves its folder or cannot be decoded.
        throw new Fault('NOT_FOUND', null);
      }
    });
  }
};

/**
 * A separate stream: undici destroys it when the answer arrives first, but the caller's connection must stay open.
 */
function bodyOf(payload: Readable): PassThrough {
  const body = new PassThrough();
  payload.once('error', (error) => body.destroy(error));
  return payload.pipe(body);
}

function requestHeaders(request: FastifyRequest, headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const forwarded = [headers['x-forwarded-for'], peerAddressOf(request)].flat();
  const passed = {
    ...without(headers, hopByHop),
    'x-request-id': request.id,
    'x-forwarded-for': forwarded.filter((address) => address !== undefined && address !== null).join(', '),
  };
  // Fastify does not read the body of GET and HEAD.
  if (request.method === 'GET' || request.method === 'HEAD') return without(passed, new Set(['content-length']));
  return passed;
}

const without = <V>(headers: Record<string, V>, names: ReadonlySet<string>): Record<string, V> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name)));
