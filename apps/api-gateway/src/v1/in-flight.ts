/**
 * The requests that are being served, by key. A revocation answers 401 to each of them at once, and is acknowledged after
 * that. A revoked key is remembered for a while, for requests whose admission was granted before and arrives later.
 */
import { Fault, revokedSubject, type RevokedNotice } from '@ams/contracts';
import { Subscriptions, type NatsConnection } from '@ams/messaging';
import { Tokens, type Logger, type Metrics, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { serviceName } from '../settings.js';

/** Longer than any admission takes. */
const rememberMs = 60_000;

@Injectable()
export class InFlight implements Part {
  private readonly byKey = new Map<string, Set<FastifyReply>>();
  private readonly revokedAt = new Map<string, number>();
  private readonly subscriptions: Subscriptions;

  constructor(
    @Inject(Tokens.broker) connection: NatsConnection,
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(Tokens.metrics) metrics: Metrics,
  ) {
    this.subscriptions = new Subscriptions(connection, serviceName, log);
    metrics.gauge('ams_http_requests_in_flight', 'Requests that are admitted and not answered yet.', [], (gauge) => {
      let count = 0;
      for (const replies of this.byKey.values()) count += replies.size;
      gauge.set(count);
    });
  }

  async start(): Promise<void> {
    const revoke = async (message: { json<T>(): T }) => {
      const { keyId, sparedRequestId } = message.json<RevokedNotice>();
      return { ended: this.revoke(keyId, sparedRequestId) };
    };
    this.subscriptions.serve(revokedSubject, revoke, { everyReplica: true });
  }

  async drain(): Promise<void> {
    await this.subscriptions.drain();
  }

  /** Until it is answered, a revocation of the key ends the request. Throws UNAUTHORIZED when the key is revoked already. */
  enter(keyId: string, reply: FastifyReply): void {
    if (this.revokedAt.has(keyId)) throw new Fault('UNAUTHORIZED', null);
    const replies = this.byKey.get(keyId);
    if (replies) replies.add(reply);
    else this.byKey.set(keyId, new Set([reply]));
    reply.raw.once('close', () => this.leave(keyId, reply));
  }

  private leave(keyId: string, reply: FastifyReply): void {
    const replies = this.byKey.get(keyId);
    replies?.delete(reply);
    if (replies?.size === 0) this.byKey.delete(keyId);
  }

  /** The number of requests that it ended. */
  private revoke(keyId: string, sparedRequestId: string | null): number {
    const now = Date.now();
    for (const [id, at] of this.revokedAt) if (at < now - rememberMs) this.revokedAt.delete(id);
    this.revokedAt.set(keyId, now);
    let ended = 0;
    for (const reply of this.byKey.get(keyId) ?? []) {
      const { id, method } = reply.request;
      // Callers choose request ids. Another request with the same id, which is no DELETE, is not spared.
      if (reply.answered || (id === sparedRequestId && method === 'DELETE')) continue;
      reply.send(new Fault('UNAUTHORIZED', null));
      ended++;
    }
    this.log.info({ keyId, ended }, 'a key was revoked');
    return ended;
  }
}
