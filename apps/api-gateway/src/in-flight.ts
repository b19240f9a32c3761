/**
 * The requests that are being served, by key, so that a revocation reaches them: it is answered 401 to each of them at
 * once, and only then is the notice acknowledged. A key stays known as revoked for a while, for requests that were
 * admitted before and come from admission only now.
 */
import { Fault, revokedSubject, type RevokedNotice } from '@ams/contracts';
import { Subscriptions, type NatsConnection } from '@ams/messaging';
import { Tokens, type Logger, type Metrics, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import type { Exchange } from './exchange.js';
import { serviceName } from './settings.js';

/** Longer than any admission can be under way. */
const rememberMs = 60_000;

@Injectable()
export class InFlight implements Part {
  private readonly byKey = new Map<string, Set<Exchange>>();
  private readonly revoked = new Map<string, number>();
  private readonly subscriptions: Subscriptions;

  constructor(
    @Inject(Tokens.broker) broker: NatsConnection,
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(Tokens.metrics) metrics: Metrics,
  ) {
    this.subscriptions = new Subscriptions(broker, serviceName, log);
    metrics.gauge('ams_http_requests_in_flight', 'Requests that are admitted and not answered yet.', [], (gauge) => {
      let count = 0;
      for (const exchanges of this.byKey.values()) count += exchanges.size;
      gauge.set(count);
    });
  }

  async start(): Promise<void> {
    const reply = async (message: { json<T>(): T }) => {
      const { keyId, sparedRequestId } = message.json<RevokedNotice>();
      return { ended: this.revoke(keyId, sparedRequestId) };
    };
    this.subscriptions.serve(revokedSubject, reply, { everyReplica: true });
  }

  async drain(): Promise<void> {
    await this.subscriptions.drain();
  }

  /** From now until `leave` a revocation of the key ends the exchange. Throws UNAUTHORIZED when it came already. */
  enter(keyId: string, exchange: Exchange): void {
    if (this.revoked.has(keyId)) throw new Fault('UNAUTHORIZED', null);
    const exchanges = this.byKey.get(keyId);
    if (exchanges) exchanges.add(exchange);
    else this.byKey.set(keyId, new Set([exchange]));
  }

  leave(keyId: string, exchange: Exchange): void {
    const exchanges = this.byKey.get(keyId);
    exchanges?.delete(exchange);
    if (exchanges?.size === 0) this.byKey.delete(keyId);
  }

  /** The number of requests that it ended. */
  private revoke(keyId: string, sparedRequestId: string | null): number {
    const now = Date.now();
    for (const [id, at] of this.revoked) if (at < now - rememberMs) this.revoked.delete(id);
    this.revoked.set(keyId, now);
    let ended = 0;
    for (const exchange of [...(this.byKey.get(keyId) ?? [])]) {
      // Request ids are the caller's to choose: another request of the same id, which is no DELETE, is not spared.
      if (exchange.requestId === sparedRequestId && exchange.request.method === 'DELETE') continue;
      exchange.refuse(new Fault('UNAUTHORIZED', null));
      ended++;
    }
    this.log.info({ keyId, ended }, 'a key was revoked');
    return ended;
  }
}
