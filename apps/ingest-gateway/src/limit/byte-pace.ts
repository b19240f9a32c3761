/**
 * How fast the events of one organization go on to the stream. A burst goes on at once. What is over the rate waits
 * here, in the order of its requests: otherwise it would wait in the partitions, before the events of others. Each
 * replica has its own rate.
 */
import { Fault } from '@ams/contracts';
import { Metrics } from '@ams/service';
import { Injectable } from '@nestjs/common';
import { IngestSettings } from '../settings.js';
import type { Limited } from './byte-limiter.js';

/** What goes on at once, as a part of what may go on in a second. */
const burst = 1 / 4;
/** A request that would wait longer before its first event is refused. */
const longestWaitMs = 5_000;
/** Organizations whose rate is kept. */
const kept = 20_000;

@Injectable()
export class BytePace {
  /** By organization: when what it has stored would have gone on at the rate, in ms of `now`. */
  private readonly busyUntil = new Map<string, number>();
  private readonly paced;

  constructor(
    metrics: Metrics,
    private readonly settings: IngestSettings,
  ) {
    this.paced = metrics.counter(
      'ams_ingest_paced_bytes_total',
      'Bytes of events that waited, because their organization stores more than INGEST_BYTES_PER_SECOND.',
    );
  }

  /** Whether too much of the organization waits already; null if not. */
  refusalOf(organizationId: string, now = performance.now()): Limited | null {
    const waitMs = this.waitOf(organizationId, now);
    if (waitMs <= longestWaitMs) return null;
    const details = {
      scope: 'bytes of events per organization',
      limit: this.settings.bytesPerSecond,
      windowSeconds: 1,
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    };
    return { kind: 'limited', fault: new Fault('RATE_LIMITED', details) };
  }

  /** Takes the next place for so many bytes. Returns in how many milliseconds they may go on: 0 in most cases. */
  take(organizationId: string, bytes: number, now = performance.now()): number {
    const waitMs = this.waitOf(organizationId, now);
    const lastsMs = (bytes * 1000) / this.settings.bytesPerSecond;
    if (this.busyUntil.size >= kept) this.forgetIdle(now);
    this.busyUntil.set(organizationId, Math.max(now, this.busyUntil.get(organizationId) ?? 0) + lastsMs);
    if (waitMs > 0) this.paced.inc(bytes);
    return waitMs;
  }

  private waitOf(organizationId: string, now: number): number {
    return Math.max(0, (this.busyUntil.get(organizationId) ?? 0) - now - burst * 1000);
  }

  private forgetIdle(now: number): void {
    for (const [organizationId, until] of this.busyUntil) if (until <= now) this.busyUntil.delete(organizationId);
    if (this.busyUntil.size >= kept) this.busyUntil.clear();
  }
}
