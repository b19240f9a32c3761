/** The connections of `GET /stream` on this replica: their limits, their heartbeats and their ends. */
import {
  Fault,
  isStreamEventType,
  streamEventTypes,
  type FieldFault,
  type Principal,
  type StreamEventType,
} from '@ams/contracts';
import { NatsConnection, onReconnect } from '@ams/messaging';
import { Metrics } from '@ams/service';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiGatewaySettings } from '../settings.js';
import type { Query } from '../v1/parameters.js';
import { visibleTypes } from './live-event.js';
import { LiveEvents } from './live-events.js';
import { positionOf, type Position } from './position.js';
import { tenantKey } from './recent-events.js';
import { StreamConnection, type EndReason, type StreamCaller } from './stream-connection.js';

export interface StreamRequest {
  principal: Principal;
  /** When the credential ends by itself; RFC 3339. */
  expiresAt: string | null;
  query: Query;
}

/** A caller is admitted again after so long at the most. */
const mostAgeMs = 3_600_000;
/** Within this time all callers are admitted again after NATS was disconnected: notices of revoked keys may be lost. */
const renewalMs = 10_000;
const busyRetrySeconds = 10;

/** When callers come back is spread, so that they do not come at once. In milliseconds. */
const spread = (from: number, to: number): number => Math.round(from + Math.random() * (to - from));
const retryMs = (): number => spread(1000, 4000);
/** A stopping replica still accepts connections for a second, and refuses them. */
const retryAfterStopMs = (): number => spread(2000, 7000);

@Injectable()
export class Streams implements OnModuleInit, OnApplicationShutdown {
  private readonly connections = new Set<StreamConnection>();
  private readonly ofTenant = new Map<string, Set<StreamConnection>>();
  private readonly counts = new Map<string, number>();
  private readonly ended;
  private timer: NodeJS.Timeout | undefined;
  private tick = 0;
  private stopping = false;
  private changedTenants = new Set<string>();
  private flushing: NodeJS.Timeout | NodeJS.Immediate | null = null;
  private flushMs = 0;
  private flushedAt = -Infinity;

  constructor(
    private readonly events: LiveEvents,
    private readonly settings: ApiGatewaySettings,
    private readonly nats: NatsConnection,
    metrics: Metrics,
  ) {
    metrics.gauge('ams_gateway_streams', 'Callers that are connected to the stream of events.', [], (gauge) =>
      gauge.set(this.connections.size),
    );
    this.ended = metrics.counter(
      'ams_gateway_streams_ended_total',
      'Streams that have ended: left by the caller, stopped with the replica, revoked, expired, renewal (to be ' +
        'admitted again), slow (the caller did not read).',
      ['reason'] as const,
    );
  }

  onModuleInit(): void {
    this.events.listen({
      changed: (tenants) => this.notify(tenants),
      lost: () => {
        for (const connection of this.connections) connection.reset();
      },
    });
    this.timer = setInterval(() => this.everySecond(), 1000);
    onReconnect(this.nats, () => this.renewAll());
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Throws VALIDATION_ERROR, INSUFFICIENT_SCOPE, RATE_LIMITED and UNAVAILABLE. */
  answer(request: FastifyRequest, reply: FastifyReply, { principal, expiresAt, query }: StreamRequest): FastifyReply {
    const { types: asked, after } = readQuery(query, request.headers['last-event-id']);
    const types = visibleTypes(principal.scopes, asked);
    if (types.size === 0) throw new Fault('INSUFFICIENT_SCOPE', { required: 'alerts:read' });
    if (this.stopping || !this.events.isCurrent) throw new Fault('UNAVAILABLE', { requestId: request.id });
    reply.headers({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    if (request.method === 'HEAD') return reply.send();
    this.requireRoom(principal, request.id);
    const now = performance.now();
    const age = expiresAt === null ? Infinity : Date.parse(expiresAt) - Date.now();
    const renewal = spread(0.8 * mostAgeMs, mostAgeMs);
    this.open(reply, after, {
      principal,
      tenant: tenantKey(principal),
      types,
      endsAt: now + Math.min(age, renewal),
      endsFor: age < renewal ? 'expired' : 'renewal',
    });
    return reply;
  }

  /** Ends all streams, and refuses new ones. */
  stop(): void {
    this.stopping = true;
    for (const connection of this.connections) connection.end('stopped', retryAfterStopMs());
  }

  private open(reply: FastifyReply, after: Position | 'invalid' | null, caller: StreamCaller) {
    const connection = new StreamConnection(caller, reply.raw, this.events);
    this.enter(connection);
    reply.raw.once('close', () => this.leave(connection));
    reply.cut = (reason) => connection.end(reason === 'revoked' ? 'revoked' : 'stopped', retryMs());
    reply.lasting = true;
    reply.answered = true;
    reply.hijack();
    reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>);
    void connection.begin(after, retryMs());
  }

  private requireRoom({ id, organizationId }: Principal, requestId: string): void {
    const { streamsPerPrincipal, streamsPerOrganization, streams } = this.settings;
    for (const [key, limit, whose] of [
      [id, streamsPerPrincipal, 'this key or member'],
      [organizationId, streamsPerOrganization, 'the organization'],
    ] as const) {
      if ((this.counts.get(key) ?? 0) < limit) continue;
      throw new Fault(
        'RATE_LIMITED',
        { scope: 'streams', limit, windowSeconds: 0, retryAfterSeconds: busyRetrySeconds },
        `${limit} streams of ${whose} are open, and no more are allowed at a time. Close one, or share it.`,
      );
    }
    if (this.connections.size >= streams) throw new Fault('UNAVAILABLE', { requestId });
  }

  private enter(connection: StreamConnection): void {
    const { tenant, principal } = connection.caller;
    this.connections.add(connection);
    const same = this.ofTenant.get(tenant);
    if (same) same.add(connection);
    else this.ofTenant.set(tenant, new Set([connection]));
    for (const key of [principal.id, principal.organizationId]) this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  private leave(connection: StreamConnection): void {
    const { tenant, principal } = connection.caller;
    connection.end('left', 0);
    this.ended.inc({ reason: connection.ended as EndReason });
    this.connections.delete(connection);
    const same = this.ofTenant.get(tenant);
    same?.delete(connection);
    if (same?.size === 0) this.ofTenant.delete(tenant);
    for (const key of [principal.id, principal.organizationId]) {
      const left = (this.counts.get(key) ?? 1) - 1;
      if (left === 0) this.counts.delete(key);
      else this.counts.set(key, left);
    }
  }

  /**
   * Events that arrive together are written together. Writing to thousands of callers takes long, so the replica pauses
   * twice as long afterwards, for other requests.
   */
  private notify(tenants: ReadonlySet<string>): void {
    for (const tenant of tenants) if (this.ofTenant.has(tenant)) this.changedTenants.add(tenant);
    if (this.flushing !== null || this.changedTenants.size === 0) return;
    const pauseMs = this.flushedAt + 2 * this.flushMs - performance.now();
    this.flushing = pauseMs > 1 ? setTimeout(() => this.flush(), pauseMs) : setImmediate(() => this.flush());
  }

  private flush(): void {
    const began = performance.now();
    const tenants = this.changedTenants;
    this.changedTenants = new Set();
    this.flushing = null;
    for (const tenant of tenants) for (const connection of this.ofTenant.get(tenant) ?? []) connection.advance();
    this.flushedAt = performance.now();
    this.flushMs = this.flushedAt - began;
  }

  /** Heartbeats are spread over the seconds. */
  private everySecond(): void {
    const now = performance.now();
    const { streamHeartbeatSeconds: seconds, streamStallSeconds } = this.settings;
    const turn = this.tick++ % seconds;
    let index = 0;
    for (const connection of this.connections) {
      connection.check(now, streamStallSeconds, retryMs());
      if (index++ % seconds === turn) connection.beat();
    }
  }

  private renewAll(): void {
    const now = performance.now();
    for (const connection of this.connections) {
      const endsAt = now + spread(0, renewalMs);
      if (endsAt >= connection.endsAt) continue;
      connection.endsAt = endsAt;
      connection.endsFor = 'renewal';
    }
  }
}

interface StreamQuery {
  types: StreamEventType[] | null;
  after: Position | 'invalid' | null;
}

/** The header is that of a browser that reconnects: it is newer than the parameter of its first request. */
function readQuery(query: Query, header: string | string[] | undefined): StreamQuery {
  const faults: FieldFault[] = [];
  for (const name of Object.keys(query))
    if (name !== 'types' && name !== 'lastEventId')
      faults.push({ path: name, rule: 'unknown', message: `${name} is not a parameter of this request` });
  const types = valuesOf(query['types']);
  for (const type of types ?? [])
    if (!isStreamEventType(type))
      faults.push({ path: 'types', rule: 'isIn', message: `types must be among ${streamEventTypes.join(', ')}` });
  if (faults.length > 0) throw new Fault('VALIDATION_ERROR', { fields: faults });
  const sent = (typeof header === 'string' ? header : undefined) ?? valueOf(query['lastEventId']) ?? '';
  return {
    types: (types as StreamEventType[] | null) ?? null,
    after: sent === '' ? null : (positionOf(sent) ?? 'invalid'),
  };
}

const valueOf = (sent: string | string[] | undefined): string | undefined => (Array.isArray(sent) ? sent.at(-1) : sent);

/** Null when the parameter was not sent. */
function valuesOf(sent: string | string[] | undefined): string[] | null {
  if (sent === undefined) return null;
  const values = (Array.isArray(sent) ? sent : [sent]).flatMap((text) => text.split(','));
  return [...new Set(values.map((text) => text.trim()).filter((text) => text !== ''))];
}
