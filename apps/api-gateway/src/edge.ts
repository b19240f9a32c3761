/** The HTTP side: which part a request is for, what is measured of it, and the end of a replica without a lost request. */
import { Fault } from '@ams/contracts';
import { Tokens, type Logger, type Metrics, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActionLinks, actionPrefix } from './action-links.js';
import { Docs, docsPath } from './docs.js';
import { Inbound, isInbound } from './inbound.js';
import { Exchange, faultOfParser, refuseOnSocket, type Surroundings } from './exchange.js';
import { ApiGatewaySettings } from './settings.js';
import { prefix, V1 } from './v1.js';

@Injectable()
export class Edge implements Part {
  private servers: readonly Server[] = [];
  private readonly exchanges = new Set<Exchange>();
  /** The exchange that a connection's newest bytes belong to, until it is answered. */
  private readonly bySocket = new WeakMap<Socket, Exchange>();
  private stopping = false;
  private readonly around: Surroundings;

  constructor(
    @Inject(V1) private readonly v1: V1,
    @Inject(Docs) private readonly docs: Docs,
    @Inject(Inbound) private readonly inbound: Inbound,
    @Inject(ActionLinks) private readonly actionLinks: ActionLinks,
    @Inject(Tokens.settings) private readonly settings: ApiGatewaySettings,
    @Inject(Tokens.log) log: Logger,
    @Inject(Tokens.metrics) metrics: Metrics,
  ) {
    const requests = metrics.counter(
      'ams_http_requests_total',
      'Requests, by operation and status; 499 is a caller that left before the answer.',
      ['operation', 'status'],
    );
    const durations = metrics.durations('ams_http_duration_seconds', 'From the request to its answer, by operation.', [
      'operation',
    ]);
    this.around = {
      log,
      trustProxy: settings.trustProxy,
      stopping: () => this.stopping,
      ended: (exchange, status) => {
        const { operation, requestId, request } = exchange;
        const ms = performance.now() - exchange.startedAt;
        this.exchanges.delete(exchange);
        if (this.bySocket.get(request.socket) === exchange) this.bySocket.delete(request.socket);
        requests.inc({ operation, status: String(status) });
        durations.observe({ operation }, ms / 1000);
        if (status >= 500) log.error({ operation, requestId, status, ms: Math.round(ms) }, 'answered');
        else if (log.isLevelEnabled('debug'))
          log.debug({ operation, requestId, status, ms: Math.round(ms) }, 'answered');
      },
    };
  }

  /** The servers whose end it sees to: one for each address. */
  adopt(servers: readonly Server[]): void {
    this.servers = servers;
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const exchange = new Exchange(request, response, this.around);
    this.exchanges.add(exchange);
    this.bySocket.set(request.socket, exchange);
    this.route(exchange).catch((error: unknown) => exchange.refuse(error));
  }

  private async route(exchange: Exchange): Promise<void> {
    const url = exchange.request.url ?? '';
    const at = url.indexOf('?');
    const path = at < 0 ? url : url.slice(0, at);
    if (path.startsWith(`${prefix}/`)) return this.v1.serve(exchange, path, at < 0 ? '' : url.slice(at + 1));
    if (path === docsPath || path.startsWith(`${docsPath}/`)) return this.docs.serve(exchange, path);
    if (this.inbound.on && isInbound(path)) return this.inbound.serve(exchange);
    if (this.actionLinks.on && path.startsWith(`${actionPrefix}/`)) return this.actionLinks.serve(exchange, path);
    if (path === '/') return exchange.answer(302, ['location', docsPath, 'cache-control', 'no-store'], '');
    throw new Fault('NOT_FOUND', null);
  }

  /** What the parser cannot read: the answer of the request that it belongs to, or one of its own. */
  refuseMalformed(error: Error & { code?: string }, socket: Socket): void {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const fault = faultOfParser(error);
    const exchange = this.bySocket.get(socket);
    if (!exchange) return refuseOnSocket(socket, fault);
    // What came after a whole request is another one: this one is answered first.
    if (exchange.request.complete) return void exchange.response.once('finish', () => refuseOnSocket(socket, fault));
    exchange.refuse(fault);
    exchange.response.once('finish', () => socket.destroySoon());
  }

  /**
   * Serves on while load balancers find out, ending each connection with its next answer; then takes no new one, and
   * returns when all that were accepted are answered.
   */
  async drain(): Promise<void> {
    this.stopping = true;
    await sleep(this.settings.settleMs);
    const closed = Promise.all(
      this.servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
    );
    for (let quiet = 0; quiet < quietTurns; quiet = this.exchanges.size > 0 ? 0 : quiet + 1) {
      const done = await Promise.race([closed.then(() => true), sleep(turnMs, false)]);
      if (done) return;
      for (const server of this.servers) server.closeIdleConnections();
    }
    // What is left has sent no whole request for a while.
    for (const server of this.servers) server.closeAllConnections();
    await closed;
  }
}

const turnMs = 50;
const quietTurns = 20;

/** Health belongs to the service's own routes; everything else is the edge's. */
const isHealth = ({ method, url }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && /^\/(healthz|readyz|metrics)(\?|$)/.test(url ?? '');

/** An HTTP server whose requests go to the edge once it is there, without passing Fastify's router, which has its own mind about URLs. */
export function edgeServer(settings: ApiGatewaySettings, health: RequestListener, edge: () => Edge | null): Server {
  const listener: RequestListener = (request, response) => {
    const there = edge();
    if (there === null || isHealth(request)) void health(request, response);
    else there.handle(request, response);
  };
  const server = createServer(
    {
      requestTimeout: settings.requestTimeoutSeconds * 1000,
      headersTimeout: Math.min(settings.requestTimeoutSeconds, 10) * 1000,
      keepAliveTimeout: settings.keepAliveSeconds * 1000,
      connectionsCheckingInterval: 1000,
      // A request without Host is answered like any other; Node's own 400 has no body.
      requireHostHeader: false,
    },
    listener,
  );
  // The caller is asked to send its body only when it is admitted. Other expectations are none of ours.
  server.on('checkContinue', listener);
  server.on('checkExpectation', listener);
  server.on('connect', (_request, socket) => refuseOnSocket(socket as Socket, new Fault('NOT_FOUND', null)));
  return server;
}
