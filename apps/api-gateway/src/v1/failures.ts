/**
 * Requests without a valid key or session, by network. Each one with a credential of the right form costs a request to
 * auth, so a network that has sent many can only use credentials that were admitted here before.
 */
import { credentialHash, Fault } from '@ams/contracts';
import { networkOf } from '@ams/domain';
import type { Throttle } from '@ams/service';
import type { FastifyRequest } from 'fastify';
import { addressOf } from '../http/request-context.js';

const mostKnown = 20_000;

export class Failures {
  private readonly known = new Set<string>();

  constructor(private readonly throttle: Throttle) {}

  /** Throws RATE_LIMITED. `secret`: the key or the token of the session; null when the request has none. */
  requireFew(request: FastifyRequest, secret: string | null): void {
    const retryAfterSeconds = this.throttle.secondsUsedUp(nameOf(request), performance.now());
    if (retryAfterSeconds === null || (secret !== null && this.known.has(credentialHash(secret)))) return;
    throw new Fault('RATE_LIMITED', {
      scope: 'for requests of an address without a valid key',
      limit: this.throttle.limit,
      windowSeconds: 60,
      retryAfterSeconds,
    });
  }

  count(request: FastifyRequest, secret: string | null): void {
    if (secret !== null) this.known.delete(credentialHash(secret));
    this.throttle.count(nameOf(request), performance.now());
  }

  /** The credential is a valid one. */
  admitted(secret: string): void {
    const hash = credentialHash(secret);
    if (this.known.has(hash)) return;
    if (this.known.size >= mostKnown) this.known.clear();
    this.known.add(hash);
  }
}

const nameOf = (request: FastifyRequest): string => networkOf(addressOf(request));
