/** The HTTP servers that Fastify uses: time limits, and the events that Fastify does not handle. */
import { Fault } from '@ams/contracts';
import { acceptExpectations } from '@ams/service';
import type { FastifyServerOptions } from 'fastify';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiGatewaySettings } from '../settings.js';
import { answerClientError, answerOnSocket } from './errors.js';
import { literalUrl } from './literal-url.js';
import { requestIdOf } from './request-context.js';

/** Fastify's options. Fastify creates a server for each address that it listens on; each is appended to `servers`. */
export function serverOptions(settings: ApiGatewaySettings, servers: Server[]): FastifyServerOptions {
  return {
    genReqId: requestIdOf,
    requestIdHeader: false,
    // The address that the nearest proxy reports, which is the last one in X-Forwarded-For.
    trustProxy: settings.trustProxy ? (_address, hop) => hop === 0 : false,
    rewriteUrl: ({ url = '' }) => literalUrl(url),
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    serverFactory: (handler) => {
      const server = createServer(
        {
          requestTimeout: settings.requestTimeoutSeconds * 1000,
          headersTimeout: Math.min(settings.requestTimeoutSeconds, 10) * 1000,
          keepAliveTimeout: settings.keepAliveSeconds * 1000,
          // Those that are over their time at once are ended in small groups.
          connectionsCheckingInterval: 100,
          // A request without Host is answered like any other; Node's own 400 has no body.
          requireHostHeader: false,
        },
        handler,
      );
      acceptExpectations(server);
      server.on('connect', (_request, socket) => answerOnSocket(socket as Socket, new Fault('NOT_FOUND', null)));
      servers.push(server);
      return server;
    },
  };
}
