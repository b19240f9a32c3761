/**
 * Passes requests of senders on to the ingest gateway, for installations without a router in front that tells the two
 * gateways apart by the path. Larger installations route `/api/inbound` and `/v2` themselves.
 */
import replyFrom from '@fastify/reply-from';
import { Fault } from '@ams/contracts';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { peerAddressOf } from '../http/request-context.js';
import { requestBody } from '../http/unread-body.js';

/**
 * What senders post to: our own paths, and those of PagerDuty's and Opsgenie's clients when only the host was changed.
 */
const paths = ['/api/inbound/*', '/v2/enqueue', '/v2/alerts', '/v2/alerts/*'];

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
    // URLs hold tokens of senders: none is kept or logged.
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
        // A path that leads out of its folder or cannot be decoded.
        throw new Fault('NOT_FOUND', null);
      }
    });
  }
};

/**
 * A stream of its own: undici destroys it when the answer comes first, and the caller's connection must outlive that.
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
  // Fastify reads no body of GET and HEAD.
  if (request.method === 'GET' || request.method === 'HEAD') return without(passed, new Set(['content-length']));
  return passed;
}

const without = <V>(headers: Record<string, V>, names: ReadonlySet<string>): Record<string, V> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name)));
