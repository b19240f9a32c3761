/**
 * Limits how many bytes of events an organization may store in a window. They are counted in parts of `limitBytes` /
 * `limit`, and at least 64 KiB, by the counter of requests (rate-limiter.ts): so an organization has the same number of
 * parts as a token has requests, over all replicas. Each replica counts a part when its requests have filled one, so
 * the limit is exact except for one part for each replica.
 */
import { Fault } from '@ams/contracts';
import { Metrics } from '@ams/service';
import { Injectable } from '@nestjs/common';
import { IngestSettings } from '../settings.js';
import { RateLimiter } from './rate-limiter.js';

/** Each part is a message of NATS. */
const smallestPart = 64 * 1024;
/** Organizations whose uncounted bytes are kept. */
const kept = 20_000;

export interface Limited {
  kind: 'limited';
  fault: Fault;
}

export type BytesDecision = { kind: 'admitted' } | Limited | { kind: 'unavailable' };

@Injectable()
export class ByteLimiter {
  /** By organization: the bytes that are not counted yet, less than a part. */
  private readonly uncounted = new Map<string, number>();
  private readonly partBytes: number;
  private readonly stored;
  private readonly refused;

  constructor(
    metrics: Metrics,
    private readonly settings: IngestSettings,
    private readonly rateLimiter: RateLimiter,
  ) {
    this.partBytes = Math.max(smallestPart, Math.ceil(settings.limitBytes / settings.limit));
    this.stored = metrics.counter('ams_ingest_event_bytes_total', 'Bytes of events that were admitted to be stored.');
    this.refused = metrics.counter(
      'ams_ingest_bytes_limited_total',
      'Requests whose events were refused because of the limit of bytes of their organization.',
    );
  }

  /** Counts before the events are stored. `deadline` is a time of `performance.now()`. */
  async count(organizationId: string, bytes: number, deadline: number): Promise<BytesDecision> {
    const key = `${organizationId}-bytes`;
    const retryAfterSeconds = this.rateLimiter.refusedFor(key);
    if (retryAfterSeconds !== null) return this.limited(retryAfterSeconds);
    // Before the first pause: the next request goes on from here.
    const total = (this.uncounted.get(organizationId) ?? 0) + bytes;
    if (this.uncounted.size >= kept) this.uncounted.clear();
    this.uncounted.set(organizationId, total % this.partBytes);
    for (let part = this.partBytes; part <= total; part += this.partBytes) {
      const decision = await this.rateLimiter.count(key, deadline);
      if (decision.kind === 'limited') return this.limited(decision.retryAfterSeconds);
      if (decision.kind === 'unavailable') return decision;
    }
    this.stored.inc(bytes);
    return { kind: 'admitted' };
  }

  private limited(retryAfterSeconds: number): Limited {
    this.refused.inc();
    const { limitBytes: limit, limitWindowSeconds: windowSeconds } = this.settings;
    const details = { scope: 'bytes of events per organization', limit, windowSeconds, retryAfterSeconds };
    return { kind: 'limited', fault: new Fault('RATE_LIMITED', details) };
  }
}
