/** The options of the HTTP server, and its answers outside the routes of the receivers. */
import { Fault, senderRefusal } from '@ams/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { invalidToken } from '../receivers/request-context.js';
import { webhookPath } from '../receivers/webhook.js';
import type { IngestSettings } from '../settings.js';
import { answerClientError, answerFault, requestIdOf } from './answers.js';

const notFound = new Fault('NOT_FOUND', null);

const longestHeadMs = 10_000;

export function serverOptions({ trustProxy, bodyTimeoutSeconds }: IngestSettings): FastifyServerOptions {
  const bodyTimeout = bodyTimeoutSeconds * 1000;
  const headersTimeout = Math.min(longestHeadMs, bodyTimeout);
  const options = {
    // The address that the nearest proxy reports, which is the last one in X-Forwarded-For.
    trustProxy: trustProxy ? (_address: string, hop: number) => hop === 0 : false,
    // The time limit of the body ends earlier, and is answered in the form of the API.
    requestTimeout: headersTimeout + bodyTimeout + 1000,
    keepAliveTimeout: 75_000,
    // A request that arrives while the service stops is served, and then its connection is closed.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 1000 },
    http: {
      requireHostHeader: false,
      headersTimeout,
      // Those that are over their time at once are ended in small groups.
      connectionsCheckingInterval: 100,
    },
    clientErrorHandler: answerClientError,
    frameworkErrors: answerFrameworkError,
  };
  return options as FastifyServerOptions;
}

const opsgeniePaths = /^(?:\/api\/inbound\/opsgenie)?\/v2\/(?:alerts|heartbeats)\//;

/** Fastify refuses a path that cannot be decoded, or whose parameter is too long. */
function answerFrameworkError(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
  void reply.hijack();
  const { method, url = '' } = request.raw;
  const requestId = requestIdOf(request.raw);
  if (opsgeniePaths.test(url)) {
    const refusal = senderRefusal('opsgenie', notFound, { requestId, tookMs: 0 });
    return answerFault(reply.raw, notFound, requestId, true, refusal);
  }
  const fault = method === 'POST' && url.startsWith(webhookPath) ? invalidToken : notFound;
  answerFault(reply.raw, fault, requestId, true);
}

export function answerUnknownPaths(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    void reply.hijack();
    answerFault(reply.raw, notFound, requestIdOf(request.raw), false);
  });
}
