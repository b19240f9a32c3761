/** The ingest gateway as a service: its parts and its HTTP port. */
import { Fault } from '@ams/contracts';
import type { ServiceDefinition } from '@ams/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerClientError, answerFault, requestIdOf } from './answers.js';
import { RequestLog } from './request-log.js';
import { Handshakes, outsideFetch } from './handshakes.js';
import { Idempotency } from './idempotency.js';
import { Integrations } from './integrations.js';
import { Limit } from './limit.js';
import { Opsgenie, prefixes as opsgeniePrefixes, refusal as refusalOfOpsgenie } from './opsgenie.js';
import { PagerDuty } from './pagerduty.js';
import { Publisher } from './publisher.js';
import { invalidToken, Reception } from './reception.js';
import { IngestSettings, serviceName } from './settings.js';
import type { Fetch } from './sns.js';
import { Store } from './store.js';
import { Streams } from './streams.js';
import { Webhook, webhookPath } from './webhook.js';

const notFound = new Fault('NOT_FOUND', null);

/** `fetch` is the way to the outside, which handshakes take. */
export function ingestGateway(fetch: Fetch = globalThis.fetch): ServiceDefinition<IngestSettings> {
  return {
    name: serviceName,
    settings: IngestSettings,
    providers: [
      Publisher,
      Streams,
      Integrations,
      Limit,
      Store,
      Idempotency,
      RequestLog,
      Handshakes,
      Reception,
      Webhook,
      PagerDuty,
      Opsgenie,
      { provide: outsideFetch, useValue: fetch },
    ],
    parts: [Streams, Integrations, RequestLog, Handshakes, Reception],
    fastify: (settings) => {
      const requestTimeout = settings.bodyTimeoutSeconds * 1000;
      return {
        trustProxy: settings.trustProxy,
        requestTimeout,
        keepAliveTimeout: 75_000,
        // A request that comes while we stop is served, and its connection closed after it.
        return503OnClosing: false,
        routerOptions: { maxParamLength: 1000 },
        http: {
          requireHostHeader: false,
          headersTimeout: requestTimeout,
          connectionsCheckingInterval: Math.min(1000, requestTimeout),
        },
        clientErrorHandler: answerClientError,
        // A path that cannot be decoded, or with a parameter beyond all measure.
        frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => {
          void reply.hijack();
          const { method, url = '' } = request.raw;
          const requestId = requestIdOf(request.raw);
          if (opsgeniePrefixes.some((prefix) => url.startsWith(`${prefix}/`))) {
            return answerFault(
              reply.raw,
              notFound,
              requestId,
              true,
              refusalOfOpsgenie(notFound, { requestId, started: performance.now() }),
            );
          }
          answerFault(
            reply.raw,
            method === 'POST' && url.startsWith(webhookPath) ? invalidToken : notFound,
            requestId,
            true,
          );
        },
      };
    },
    routes: (http, app) => {
      http.addHook('onRequest', (request, reply, done) => {
        if (!request.is404) return done();
        void reply.hijack();
        answerFault(reply.raw, notFound, requestIdOf(request.raw), false);
      });
      // Node answers 417 by itself to an expectation it does not know; we only ignore it.
      http.server.on('checkExpectation', (request, response) => http.server.emit('request', request, response));
      for (const api of [Webhook, PagerDuty, Opsgenie]) app.get<Webhook | PagerDuty | Opsgenie>(api).serveOn(http);
    },
  };
}
