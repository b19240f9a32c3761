/** Counts requests and their durations, and logs each answer. */
import type { Logger } from '@ams/messaging';
import type { Metrics } from '@ams/service';
import { within } from '@ams/tracing';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** nginx's status for a connection that the caller closed before the answer. */
const callerLeft = 499;

export function measureRequests(app: FastifyInstance, log: Logger, metrics: Metrics): void {
  const requests = metrics.counter(
    'ams_http_requests_total',
    'Requests, by operation and status; 499 means that the caller closed the connection before the answer.',
    ['operation', 'status'],
  );
  const durations = metrics.durations('ams_http_duration_seconds', 'From the request to its answer, by operation.', [
    'operation',
  ]);
  app.addHook('onRequest', (request, reply, done) => {
    const startedAt = performance.now();
    reply.raw.once('close', () => {
      const { operation, id: requestId } = request;
      const status = reply.raw.headersSent ? reply.statusCode : callerLeft;
      const ms = performance.now() - startedAt;
      requests.inc({ operation, status: String(status) });
      if (!reply.lasting) durations.observe({ operation }, ms / 1000);
      if (status < 500 && !log.isLevelEnabled('debug')) return;
      const level = status >= 500 ? 'error' : 'debug';
      inItsTrace(request, () => log[level]({ operation, requestId, status, ms: Math.round(ms) }, 'answered'));
    });
    done();
  });
}

/** The connection closes in its own context. */
const inItsTrace = ({ span }: FastifyRequest, work: () => void): void => (span ? within(span, work) : work());
