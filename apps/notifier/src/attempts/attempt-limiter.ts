/** Decides whether an attempt can be made now: the circuit breakers of its hops are closed, and a slot is free. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../clock.js';
import { NotifierSettings } from '../settings.js';
import { heldBack, type AttemptResult, type Blame } from './attempt-result.js';
import { circuitBreakerRules, CircuitBreakers, type Verdict } from './circuit-breakers.js';
import { ConcurrencyLimiter, type ConcurrencyLimit } from './concurrency-limiter.js';

/** The target of an attempt, or a relay on the way to it. `name` is for people and holds no secret. */
export interface Hop extends ConcurrencyLimit {
  name: string;
  role: 'target' | 'relay';
}

/** What the result of an attempt means for each of its hops. */
const verdicts: Record<Hop['role'], Record<Blame, Verdict>> = {
  target: { none: 'worked', target: 'failed', relay: 'unknown', unknown: 'unknown' },
  relay: { none: 'worked', target: 'worked', relay: 'failed', unknown: 'unknown' },
};

/** When the engine should ask again if no slot was free. */
const busySeconds = 2;

@Injectable()
export class AttemptLimiter {
  private readonly breakers = new CircuitBreakers();
  private readonly concurrency: ConcurrencyLimiter;

  constructor(
    { concurrency, waitMs }: NotifierSettings,
    private readonly clock: Clock,
  ) {
    this.concurrency = new ConcurrencyLimiter(concurrency, waitMs);
  }

  /** Makes the attempt if it is possible now; otherwise the result says when to ask again. */
  async run(hops: readonly Hop[], attempt: () => Promise<AttemptResult>): Promise<AttemptResult> {
    const heldAtOnce = this.heldByBreaker(hops);
    if (heldAtOnce) return heldAtOnce;
    if (!(await this.concurrency.acquire(hops))) {
      const reason = `Too many messages are being sent to ${hops[0]?.name ?? 'all targets'} at once.`;
      return heldBack('busy', reason, busySeconds);
    }
    try {
      // Other attempts may have failed while this one waited.
      return this.heldByBreaker(hops) ?? (await this.runAndReport(hops, attempt));
    } finally {
      this.concurrency.release(hops);
    }
  }

  private async runAndReport(hops: readonly Hop[], attempt: () => Promise<AttemptResult>): Promise<AttemptResult> {
    const begun = hops.map((hop) => ({ hop, isProbe: this.breakers.begin(hop.key) }));
    let blame: Blame = 'unknown';
    try {
      const result = await attempt();
      blame = result.blame;
      return result;
    } finally {
      const now = this.clock.now();
      for (const { hop, isProbe } of begun) this.breakers.end(hop.key, verdicts[hop.role][blame], isProbe, now);
    }
  }

  private heldByBreaker(hops: readonly Hop[]): AttemptResult | null {
    const now = this.clock.now();
    for (const { key, name } of hops) {
      const waitMs = this.breakers.waitMs(key, now);
      if (waitMs === 0) continue;
      const { failures } = circuitBreakerRules;
      const reason = `${name} failed ${failures} times in a row or more: it is not called for some time.`;
      return heldBack('circuit', reason, Math.ceil(waitMs / 1000));
    }
    return null;
  }
}
