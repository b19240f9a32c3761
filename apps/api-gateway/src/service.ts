/** The edge of the v1 API: admits, routes by what the services announce, assembles the document, serves the reference. */
import { Tokens, type Part, type ServiceDefinition } from '@ams/service';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import type { Server } from 'node:http';
import { gateway, type GatewayOptions } from './gateway.js';
import { takeAllMethods } from './http/methods.js';
import { serverOptions } from './http/server.js';
import { Owners } from './rpc/owners.js';
import { RawRpcClient } from './rpc/raw-rpc-client.js';
import { ApiGatewaySettings, serviceName } from './settings.js';
import { Admission } from './v1/admission.js';
import { InFlight } from './v1/in-flight.js';
import { Operations } from './v1/operations.js';

export { ApiGatewaySettings } from './settings.js';

/** Closes HTTP before the parts that answer it. */
@Injectable()
class HttpPart implements Part {
  constructor(private readonly host: HttpAdapterHost) {}

  async drain(): Promise<void> {
    await (this.host.httpAdapter.getInstance() as FastifyInstance).close();
  }
}

/** One for each replica. */
export function apiGateway(): ServiceDefinition<ApiGatewaySettings> {
  const servers: Server[] = [];
  return {
    name: serviceName,
    settings: ApiGatewaySettings,
    providers: [RawRpcClient, Owners, Operations, InFlight, Admission, HttpPart],
    parts: [RawRpcClient, Operations, InFlight, HttpPart],
    fastify: (settings) => serverOptions(settings, servers),
    routes: (http, app) => {
      takeAllMethods(http);
      const options: GatewayOptions = {
        settings: app.get(Tokens.settings),
        log: app.get(Tokens.log),
        metrics: app.get(Tokens.metrics),
        servers,
        operations: app.get(Operations),
        admission: app.get(Admission),
        inFlight: app.get(InFlight),
        owners: app.get(Owners),
      };
      http.register(gateway, options);
    },
  };
}
