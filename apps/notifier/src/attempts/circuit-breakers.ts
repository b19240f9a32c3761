/**
 * A circuit breaker for each hop. After several failures in a row it opens: no attempt is made for some time. After
 * that it is half-open: one attempt at a time probes the hop, until one succeeds and closes it. Time is an argument, in
 * milliseconds. A breaker that is closed and counts no failure needs no memory.
 */

type CircuitBreaker =
  | { state: 'closed'; failures: number }
  | { state: 'open'; until: number; pauseMs: number }
  /** One attempt probes; the others are held back until it ends. */
  | { state: 'halfOpen'; pauseMs: number };

/** What the result of an attempt means for the hop. */
export type Verdict = 'worked' | 'failed' | 'unknown';

export const circuitBreakerRules = {
  /** Failures in a row that open it. */
  failures: 5,
  pauseMs: 30_000,
  longestPauseMs: 300_000,
  /** How long attempts are held back during a probe. */
  probeMs: 2000,
  /** The maximum number of breakers. Above it the breaker whose last change is the oldest is deleted. */
  kept: 10_000,
};

const closed: CircuitBreaker = { state: 'closed', failures: 0 };
const open = (now: number, pauseMs: number): CircuitBreaker => ({ state: 'open', until: now + pauseMs, pauseMs });

/** The state after the end of an attempt. An attempt that began before the breaker opened changes nothing any more. */
const next: {
  [S in CircuitBreaker['state']]: (
    breaker: Extract<CircuitBreaker, { state: S }>,
    verdict: Verdict,
    isProbe: boolean,
    now: number,
  ) => CircuitBreaker;
} = {
  closed: ({ failures }, verdict, _isProbe, now) => {
    if (verdict === 'unknown') return { state: 'closed', failures };
    if (verdict === 'worked') return closed;
    return failures + 1 < circuitBreakerRules.failures
      ? { state: 'closed', failures: failures + 1 }
      : open(now, circuitBreakerRules.pauseMs);
  },
  open: (breaker) => breaker,
  halfOpen: (breaker, verdict, isProbe, now) => {
    if (!isProbe) return breaker;
    if (verdict === 'worked') return closed;
    if (verdict === 'unknown') return { state: 'open', until: now, pauseMs: breaker.pauseMs };
    return open(now, Math.min(breaker.pauseMs * 2, circuitBreakerRules.longestPauseMs));
  },
};

export class CircuitBreakers {
  private readonly breakers = new Map<string, CircuitBreaker>();

  /** How long no attempt may be made; 0 when one may be made now. */
  waitMs(key: string, now: number): number {
    const breaker = this.breakers.get(key) ?? closed;
    if (breaker.state === 'halfOpen') return circuitBreakerRules.probeMs;
    return breaker.state === 'open' ? Math.max(0, breaker.until - now) : 0;
  }

  /** Begins an attempt for which `waitMs` was 0. Returns whether it is a probe, for `end`. */
  begin(key: string): boolean {
    const breaker = this.breakers.get(key) ?? closed;
    if (breaker.state !== 'open') return false;
    this.keep(key, { state: 'halfOpen', pauseMs: breaker.pauseMs });
    return true;
  }

  end(key: string, verdict: Verdict, isProbe: boolean, now: number): void {
    const breaker = this.breakers.get(key) ?? closed;
    // TypeScript cannot infer that the function belongs to this state.
    const after = next[breaker.state] as (
      breaker: CircuitBreaker,
      verdict: Verdict,
      isProbe: boolean,
      now: number,
    ) => CircuitBreaker;
    this.keep(key, after(breaker, verdict, isProbe, now));
  }

  get size(): number {
    return this.breakers.size;
  }

  /** The map is in the order of the last changes. */
  private keep(key: string, breaker: CircuitBreaker): void {
    this.breakers.delete(key);
    if (breaker.state === 'closed' && breaker.failures === 0) return;
    this.breakers.set(key, breaker);
    if (this.breakers.size > circuitBreakerRules.kept) this.breakers.delete(this.breakers.keys().next().value!);
  }
}
