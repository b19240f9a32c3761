/** The gateway as a Fastify plugin: the hooks of every request, and one plugin for each group of routes. */
import { Fault } from '@ams/contracts';
import type { Logger } from '@ams/messaging';
import { drainOnClose, secretKeysIn, type Edge, type Metrics, type Readiness } from '@ams/service';
import type { FastifyPluginAsync } from 'fastify';
import type { Server } from 'node:http';
import { calendars } from './calendars/calendars.plugin.js';
import { findDashboard, type DashboardFiles } from './dashboard/dashboard-files.js';
import { dashboard } from './dashboard/dashboard.plugin.js';
import { docs, docsPath } from './docs/docs.plugin.js';
import { answerErrors } from './http/errors.js';
import { measureRequests } from './http/measurements.js';
import { addRequestContext } from './http/request-context.js';
import { traceRequests } from './http/traces.js';
import { answerBeforeBody } from './http/unread-body.js';
import { inbound } from './inbound/inbound.plugin.js';
import { links } from './links/links.plugin.js';
import type { RawRpcClient } from './rpc/raw-rpc-client.js';
import type { ApiGatewaySettings } from './settings.js';
import { v1, type V1Options } from './v1/v1.plugin.js';

export interface GatewayOptions extends V1Options {
  settings: ApiGatewaySettings;
  log: Logger;
  metrics: Metrics;
  edge: Edge;
  readiness: Readiness;
  rpc: RawRpcClient;
  /** One server for each address. */
  servers: readonly Server[];
}

export const gateway: FastifyPluginAsync<GatewayOptions> = async (app, options) => {
  const { settings, log, metrics, edge, readiness, servers, operations, owners, rpc } = options;
  addRequestContext(app);
  measureRequests(app, log, metrics);
  traceRequests(app);
  answerErrors(app, log);
  answerBeforeBody(app);
  drainOnClose(app, servers, { readiness, connections: edge.connections, settleMs: settings.settleMs });
  // Unless a plugin changes this, a body is neither read nor refused.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));

  await app.register(v1, { ...options, prefix: '/api/v1' });
  await app.register(docs, { operations, prefix: docsPath });
  await app.register(calendars, { rpc, timeoutMs: settings.callTimeoutMs, prefix: '/api/calendars' });
  if (settings.ingestUrl !== undefined) {
    await app.register(inbound, {
      ingestUrl: settings.ingestUrl,
      timeoutMs: settings.callTimeoutMs,
      maxBytes: settings.inboundMaxBodyBytes,
      bodies: edge.bodies,
    });
  }
  if (settings.linkSecret !== undefined) {
    await app.register(links, { owners, secrets: secretKeysIn(settings.linkSecret), prefix: '/act' });
  }
  // Nest sets Fastify's not-found handler; a route `/*` answers all requests that would reach it.
  const files = dashboardOf(settings, log);
  if (files !== null) await app.register(dashboard, { files });
  else {
    app.all('/', async (_request, reply) => reply.header('cache-control', 'no-store').redirect(docsPath, 302));
    app.all('/*', async () => {
      throw new Fault('NOT_FOUND', null);
    });
  }
};

/** Without the dashboard the gateway still serves the API. */
function dashboardOf({ dashboardDir }: ApiGatewaySettings, log: Logger): DashboardFiles | null {
  if (dashboardDir === undefined) return null;
  const files = findDashboard(dashboardDir);
  if (files === null) log.error({ dashboardDir }, 'DASHBOARD_DIR has no built dashboard: only the API is served');
  return files;
}
