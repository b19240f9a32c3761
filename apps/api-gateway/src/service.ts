/** The edge of the v1 API: admits, routes by what the services announce, assembles the document, serves the reference. */
import type { ServiceDefinition } from '@ams/service';
import type { Server } from 'node:http';
import { ActionLinks } from './action-links.js';
import { Admission } from './admission.js';
import { Asking } from './asking.js';
import { Docs } from './docs.js';
import { Edge, edgeServer } from './edge.js';
import { Inbound } from './inbound.js';
import { InFlight } from './in-flight.js';
import { Operations } from './operations.js';
import { ApiGatewaySettings, serviceName } from './settings.js';
import { V1 } from './v1.js';

export { ApiGatewaySettings } from './settings.js';

/** One for each replica. */
export function apiGateway(): ServiceDefinition<ApiGatewaySettings> {
  let edge: Edge | null = null;
  const servers: Server[] = [];
  return {
    name: serviceName,
    settings: ApiGatewaySettings,
    providers: [Asking, Operations, InFlight, Admission, V1, Docs, Inbound, ActionLinks, Edge],
    // Stopped from the end: HTTP first, what answers it after.
    parts: [Asking, Operations, InFlight, Edge],
    fastify: (settings) => ({
      serverFactory: (health) => {
        const server = edgeServer(settings, health, () => edge);
        servers.push(server);
        return server;
      },
      clientErrorHandler: (error, socket) => edge?.refuseMalformed(error, socket),
    }),
    routes: (_http, app) => {
      edge = app.get<Edge>(Edge);
      edge.adopt(servers);
    },
  };
}
