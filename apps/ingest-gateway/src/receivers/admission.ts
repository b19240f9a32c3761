/** Which integration a request belongs to, and whether its rate limit allows the request. */
import { Fault } from '@ams/contracts';
import { Edge } from '@ams/service';
import { Injectable } from '@nestjs/common';
import { Integrations, type Sender } from '../integrations/integrations.js';
import { RateLimiter } from '../limit/rate-limiter.js';
import { RequestLog } from '../publishing/request-log.js';
import { Reception } from '../reception/reception.js';
import { IngestSettings } from '../settings.js';
import { RequestBodies } from './request-bodies.js';
import { invalidToken, unavailable, type RequestContext } from './request-context.js';

@Injectable()
export class Admission {
  constructor(
    private readonly settings: IngestSettings,
    private readonly integrations: Integrations,
    private readonly rateLimiter: RateLimiter,
    private readonly requestLog: RequestLog,
    private readonly reception: Reception,
    private readonly bodies: RequestBodies,
    private readonly edge: Edge,
  ) {}

  /** A network that has sent many wrong tokens can only use tokens in memory, so that guesses cause no load on NATS. */
  async identify(context: RequestContext, token: string | null): Promise<Sender> {
    const { failures } = this.edge;
    const retryAfterSeconds = failures.secondsUsedUp(context.network, performance.now());
    const found = token === null ? null : this.integrations.find(token, retryAfterSeconds === null);
    const lookup = found instanceof Promise ? await found : found;
    if (lookup === null || lookup.kind === 'unknown') {
      if (retryAfterSeconds !== null)
        throw new Fault('RATE_LIMITED', {
          scope: 'for requests of an address without a valid token',
          limit: failures.limit,
          windowSeconds: 60,
          retryAfterSeconds,
        });
      failures.count(context.network, performance.now());
      throw invalidToken;
    }
    if (lookup.kind === 'unavailable') throw unavailable(context);
    context.token = token;
    context.sender = lookup.sender;
    return lookup.sender;
  }

  /** Identifies the sender, and counts the request. Pings of heartbeats have a count of their own. */
  async admit(context: RequestContext, token: string | null, counted: 'request' | 'ping' = 'request'): Promise<Sender> {
    const { limit, limitWindowSeconds } = this.settings;
    const sender = await this.identify(context, token);
    const { maxBodyBytes } = sender;
    const { declaredLength, request } = context;
    const counter = counted === 'ping' ? `${sender.tokenHash}-ping` : sender.tokenHash;
    // The body arrives while NATS counts: a short one by itself, until the stream's buffer is full. It is not parsed
    // before the count is known.
    const isLonger = declaredLength !== null && declaredLength > request.readableHighWaterMark;
    if (isLonger && declaredLength <= maxBodyBytes && this.rateLimiter.refusedFor(counter) === null)
      void this.bodies.read(context, maxBodyBytes);
    const decision = await this.rateLimiter.count(counter, context.deadline);
    if (decision.kind === 'unavailable') {
      this.reception.interrupt();
      throw unavailable(context);
    }
    const now = new Date().toISOString();
    if (decision.kind === 'limited') {
      this.requestLog.addLimited(sender, now);
      // It would hold a connection of the proxy, which senders of others need.
      if (context.request.headers.via === undefined) await this.edge.refusals.turn(sender.organizationId);
      throw new Fault('RATE_LIMITED', {
        scope: 'per ingest token',
        limit,
        windowSeconds: limitWindowSeconds,
        retryAfterSeconds: decision.retryAfterSeconds,
      });
    }
    context.admittedAt = now;
    return sender;
  }
}
