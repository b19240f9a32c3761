/**
 * The HTTP entry of the v1 API: admits requests, routes them by the announcements of the services, and serves the
 * OpenAPI document and the reference.
 */
import { Logger } from '@ams/messaging';
import { Edge, Metrics, Readiness, type Service } from '@ams/service';
import type { Server } from 'node:http';
import { ApiGatewayModule } from './api-gateway.module.js';
import { gateway, type GatewayOptions } from './gateway.js';
import { takeAllMethods } from './http/methods.js';
import { serverOptions } from './http/server.js';
import { Owners } from './rpc/owners.js';
import { RawRpcClient } from './rpc/raw-rpc-client.js';
import { ApiGatewaySettings, serviceName } from './settings.js';
import { Streams } from './stream/streams.js';
import { Admission } from './v1/admission.js';
import { Exports } from './v1/exports.js';
import { InFlight } from './v1/in-flight.js';
import { Operations } from './v1/operations.js';

export { ApiGatewaySettings } from './settings.js';

/** One instance for each replica. */
export function apiGateway(): Service<ApiGatewaySettings> {
  const servers: Server[] = [];
  return {
    name: serviceName,
    settings: ApiGatewaySettings,
    module: ApiGatewayModule,
    fastify: (settings) => serverOptions(settings, servers),
    http: (fastify, app) => {
      takeAllMethods(fastify);
      const edge = app.get(Edge);
      fastify.addHook('onListen', (done) => {
        for (const server of servers) edge.connections.watch(server);
        done();
      });
      const options: GatewayOptions = {
        servers,
        settings: app.get(ApiGatewaySettings),
        log: app.get(Logger),
        metrics: app.get(Metrics),
        edge,
        readiness: app.get(Readiness),
        operations: app.get(Operations),
        admission: app.get(Admission),
        inFlight: app.get(InFlight),
        exports: app.get(Exports),
        streams: app.get(Streams),
        owners: app.get(Owners),
        rpc: app.get(RawRpcClient),
      };
      fastify.register(gateway, options);
    },
  };
}
