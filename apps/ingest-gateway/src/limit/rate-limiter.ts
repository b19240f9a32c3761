/**
 * Limits how many requests a token may make in a window. NATS counts: each request is a message in a stream that holds
 * at most `limit` messages for each subject, none older than the window. It refuses the message above the limit,
 * whichever replica sends it, so the limit is exact over all replicas.
 *
 * A refusal stays valid until the oldest counted request leaves the window. Until then this service refuses the token
 * itself, so many requests above the limit cause no load on NATS.
 */
import { ingestLimitStream, ingestLimitSubject } from '@ams/contracts';
import { managerOf, NatsConnection } from '@ams/messaging';
import { Injectable } from '@nestjs/common';
import { Publisher } from '../publishing/publisher.js';
import { IngestSettings } from '../settings.js';
import { Streams } from '../publishing/streams.js';

export type RateLimitDecision =
  { kind: 'admitted' } | { kind: 'limited'; retryAfterSeconds: number } | { kind: 'unavailable' };

const admitted: RateLimitDecision = { kind: 'admitted' };
const unavailable: RateLimitDecision = { kind: 'unavailable' };
const nothing = new Uint8Array(0);

/** NATS removes messages from the window some milliseconds late, but a sender that waits for Retry-After must pass. */
const expiryMarginMs = 100;
const clockAgeMs = 10_000;
const rememberedRefusals = 20_000;

@Injectable()
export class RateLimiter {
  /** By token hash: when (`performance.now()`) the oldest counted request leaves the window. */
  private readonly refusedUntil = new Map<string, number>();
  private readonly pending = new Map<string, Promise<number | null>>();
  private readonly windowMs: number;
  /** The clock of NATS minus `performance.now()`, which corrections of the local clock do not change. */
  private clock: { offset: number; at: number } | null = null;

  constructor(
    private readonly connection: NatsConnection,
    private readonly settings: IngestSettings,
    private readonly publisher: Publisher,
    private readonly streams: Streams,
  ) {
    this.windowMs = settings.limitWindowSeconds * 1000;
    // A restart of NATS deletes the counts, which are in memory.
    publisher.onReconnect(() => {
      this.refusedUntil.clear();
      this.clock = null;
    });
  }

  /** Seconds until the next request can be counted, when it is known that none can be counted now; else null. */
  refusedFor(tokenHash: string): number | null {
    const left = (this.refusedUntil.get(tokenHash) ?? 0) - performance.now();
    const answer = left > 0 ? limited(left) : null;
    return answer?.kind === 'limited' ? answer.retryAfterSeconds : null;
  }

  /** Counts one request. `deadline` is a time of `performance.now()`. */
  async count(tokenHash: string, deadline: number): Promise<RateLimitDecision> {
    const until = this.refusedUntil.get(tokenHash);
    if (until !== undefined) {
      const left = until - performance.now();
      if (left > 0) return limited(left);
      this.refusedUntil.delete(tokenHash);
    }
    const publication = { subject: ingestLimitSubject(tokenHash), data: nothing };
    for (let round = 0; round < 2; round++) {
      const ack = await this.publisher.persist(publication, deadline, () => this.streams.restore());
      if (ack.kind === 'stored') return admitted;
      if (ack.kind !== 'refused' || !/maximum messages per subject/.test(ack.description)) return unavailable;
      const left = await this.leftOfOldest(tokenHash);
      if (left !== null) return limited(left);
      // The oldest request has just left the window.
    }
    return limited(0);
  }

  /** Milliseconds until the oldest counted request leaves the window; `null` when none is counted. */
  private leftOfOldest(tokenHash: string): Promise<number | null> {
    let request = this.pending.get(tokenHash);
    if (request === undefined) {
      request = this.fetchOldest(tokenHash).finally(() => this.pending.delete(tokenHash));
      this.pending.set(tokenHash, request);
    }
    return request;
  }

  private async fetchOldest(tokenHash: string): Promise<number | null> {
    try {
      const manager = await managerOf(this.connection);
      const [oldest, offset] = await Promise.all([
        manager.direct.getMessage(ingestLimitStream, { seq: 1, next_by_subj: ingestLimitSubject(tokenHash) }),
        this.clockOffset(),
      ]);
      if (oldest === null) return null;
      const now = performance.now();
      const left = Math.min(this.windowMs, oldest.time.getTime() + this.windowMs - (now + offset));
      if (left > 0) {
        if (this.refusedUntil.size >= rememberedRefusals) this.refusedUntil.clear();
        this.refusedUntil.set(tokenHash, now + left);
      }
      return left;
    } catch {
      // The rest is unknown. The whole window is always long enough.
      return this.windowMs;
    }
  }

  private async clockOffset(): Promise<number> {
    const asked = performance.now();
    if (this.clock !== null && asked - this.clock.at < clockAgeMs) return this.clock.offset;
    const manager = await managerOf(this.connection);
    const info = await manager.streams.info(ingestLimitStream);
    const answered = performance.now();
    // Servers before 2.10 do not report their time. With them the clocks must be synchronized.
    const natsTime = info.ts ? Date.parse(info.ts) : Date.now();
    const offset = natsTime - (asked + answered) / 2;
    this.clock = { offset, at: answered };
    return offset;
  }
}

const limited = (leftMs: number): RateLimitDecision => ({
  kind: 'limited',
  retryAfterSeconds: Math.max(1, Math.ceil((leftMs + expiryMarginMs) / 1000)),
});
