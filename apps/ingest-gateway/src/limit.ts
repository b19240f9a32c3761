/**
 * How many requests a token may make in a window. The broker counts: one message a request in a stream that holds at
 * most `limit` messages a subject, none older than the window. It refuses the one over the limit, whichever replica
 * sends it, so the limit is exact over all of them.
 *
 * A refusal stays true until the oldest counted request leaves the window: nothing can free up before. So after the
 * first one a token is refused here until then, and a flood costs the broker nothing.
 */
import { ingestLimitStream, ingestLimitSubject } from '@ams/contracts';
import { managerOf, type NatsConnection } from '@ams/messaging';
import { Tokens } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { Publisher } from './publisher.js';
import { IngestSettings } from './settings.js';
import { Streams } from './streams.js';

export type Admission = { kind: 'admitted' } | { kind: 'limited'; retryAfterSeconds: number } | { kind: 'unavailable' };

const admitted: Admission = { kind: 'admitted' };
const unavailable: Admission = { kind: 'unavailable' };
const nothing = new Uint8Array(0);

/** The broker takes messages out of the window some milliseconds late; who waits as long as we say must get through. */
const expiryMarginMs = 100;
const clockAgeMs = 10_000;
const rememberedRefusals = 20_000;

@Injectable()
export class Limit {
  /** By token hash: when (`performance.now()`) the oldest counted request leaves the window. */
  private readonly refusedUntil = new Map<string, number>();
  private readonly asking = new Map<string, Promise<number | null>>();
  private readonly windowMs: number;
  /** The broker's clock less ours, which may be minutes apart; ours is `performance.now()`, which nobody sets. */
  private clock: { offset: number; at: number } | null = null;

  constructor(
    @Inject(Tokens.broker) private readonly broker: NatsConnection,
    @Inject(Tokens.settings) private readonly settings: IngestSettings,
    @Inject(Publisher) private readonly publisher: Publisher,
    @Inject(Streams) private readonly streams: Streams,
  ) {
    this.windowMs = settings.limitWindowSeconds * 1000;
    // The counts may be gone with the broker that kept them in memory.
    publisher.onReconnect(() => {
      this.refusedUntil.clear();
      this.clock = null;
    });
  }

  /** `deadline` is of `performance.now()`. */
  async admit(tokenHash: string, deadline: number): Promise<Admission> {
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
      // The oldest has just left the window: there is room again.
    }
    return limited(0);
  }

  /** Milliseconds until the oldest counted request leaves the window; `null` when none is counted any more. */
  private leftOfOldest(tokenHash: string): Promise<number | null> {
    let question = this.asking.get(tokenHash);
    if (question === undefined) {
      question = this.askOldest(tokenHash).finally(() => this.asking.delete(tokenHash));
      this.asking.set(tokenHash, question);
    }
    return question;
  }

  private async askOldest(tokenHash: string): Promise<number | null> {
    try {
      const manager = await managerOf(this.broker);
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
      // It cannot say; the window as a whole is certainly enough.
      return this.windowMs;
    }
  }

  private async clockOffset(): Promise<number> {
    const asked = performance.now();
    if (this.clock !== null && asked - this.clock.at < clockAgeMs) return this.clock.offset;
    const manager = await managerOf(this.broker);
    const info = await manager.streams.info(ingestLimitStream);
    const answered = performance.now();
    // Servers before 2.10 do not tell their time: then the clocks have to agree.
    const brokerTime = info.ts ? Date.parse(info.ts) : Date.now();
    const offset = brokerTime - (asked + answered) / 2;
    this.clock = { offset, at: answered };
    return offset;
  }
}

const limited = (leftMs: number): Admission => ({
  kind: 'limited',
  retryAfterSeconds: Math.max(1, Math.ceil((leftMs + expiryMarginMs) / 1000)),
});
