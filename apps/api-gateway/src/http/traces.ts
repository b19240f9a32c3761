/**
 * The span of each request that is traced. It shows the template of the path, never the URL, which may hold a secret.
 * Requests of senders have none here: the ingest gateway, which gets them as they are, decides about theirs.
 */
import { beginRequest, endSpan, failSpan, methodOf, within, type Span } from '@ams/tracing';
import type { FastifyInstance } from 'fastify';
import { senderRoutes } from '../inbound/sender-path.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined while traces are off, and for most requests when few are traced. */
    span: Span | undefined;
  }
}

export function traceRequests(app: FastifyInstance): void {
  app.decorateRequest('span', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    const { url: route = '/*' } = request.routeOptions;
    if (senderRoutes.includes(route)) return done();
    const span = beginRequest(request.headers, () => ({
      'http.request.method': methodOf(request.method),
      'http.route': route,
    }));
    if (!span) return done();
    request.span = span;
    reply.raw.once('close', () => {
      const status = reply.raw.headersSent ? reply.statusCode : null;
      if (status === null) span.setAttribute('ams.caller_left', true);
      else span.setAttribute('http.response.status_code', status);
      if (status !== null && status >= 500) failSpan(span, String(status));
      endSpan(span);
    });
    within(span, done);
  });
  // The body is read by callbacks of the connection, which belong to no request.
  app.addHook('preHandler', ({ span }, _reply, done) => (span ? within(span, done) : done()));
}
