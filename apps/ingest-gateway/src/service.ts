/** Receives events of senders over HTTP and stores them in the ingest stream. It has no tables. */
import { acceptExpectations, drainOnClose, Edge, Readiness, type Service } from '@ams/service';
import { answerUnknownPaths, serverOptions } from './http/server.js';
import { IngestGatewayModule } from './ingest-gateway.module.js';
import { Opsgenie } from './receivers/opsgenie.js';
import { OpsgenieHeartbeats } from './receivers/opsgenie-heartbeats.js';
import { PagerDuty } from './receivers/pagerduty.js';
import { Webhook } from './receivers/webhook.js';
import { IngestSettings, serviceName } from './settings.js';

type Receiver = Pick<Webhook, 'addRoutes'>;

export const ingestGateway: Service<IngestSettings> = {
  name: serviceName,
  settings: IngestSettings,
  module: IngestGatewayModule,
  fastify: serverOptions,
  http: (fastify, app) => {
    const { connections } = app.get(Edge);
    acceptExpectations(fastify.server);
    connections.watch(fastify.server);
    const { settleMs } = app.get(IngestSettings);
    drainOnClose(fastify, [fastify.server], { readiness: app.get(Readiness), connections, settleMs });
    answerUnknownPaths(fastify);
    for (const receiver of [Webhook, PagerDuty, Opsgenie, OpsgenieHeartbeats])
      app.get<Receiver>(receiver).addRoutes(fastify);
  },
};
