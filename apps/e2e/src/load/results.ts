/** What a run has measured, and what the API says about it afterwards. */

export type Kind = 'event' | 'read';

/** An answer, or the lack of one. Times in ms since the beginning of the run. */
export interface Sample {
  kind: Kind;
  plannedAt: number;
  endedAt: number;
  /**
   * The status of the answer. Without an answer: `timeout`, the code of the error of the connection (`ECONNRESET`), or
   * `closed` when the connection ended. `not sent` when too many requests were unanswered already.
   */
  outcome: number | string;
}

export interface Interval {
  /** Seconds since the beginning of the run. */
  at: number;
  /** Planned in the interval, a second. */
  plannedPerSecond: number;
  /** Answered with success in the interval, a second, wherever they were planned. */
  answeredPerSecond: number;
  /** Of what was planned in the interval: everything that had no success, a second. */
  failedPerSecond: number;
  /** From the planned time to the answer, of those with success. Null without one. */
  p50Ms: number | null;
  p99Ms: number | null;
}

export interface KindFigures {
  planned: number;
  answered: number;
  /** How often each outcome was there. */
  outcomes: Record<string, number>;
  p50Ms: number | null;
  p99Ms: number | null;
  maxMs: number | null;
}

const isSuccess = ({ outcome }: Sample): boolean => typeof outcome === 'number' && outcome >= 200 && outcome < 300;

/** Buckets grow by two percent, so a run of a day needs no more memory than one of a minute. */
const growth = Math.log(1.02);

/** Times in ms. Quantiles are exact to one percent. */
export class Times {
  private readonly buckets = new Map<number, number>();
  count = 0;
  max: number | null = null;

  add(ms: number): void {
    const bucket = Math.round(Math.log1p(Math.max(0, ms)) / growth);
    this.buckets.set(bucket, (this.buckets.get(bucket) ?? 0) + 1);
    this.count++;
    this.max = Math.max(this.max ?? 0, ms);
  }

  /** The smallest time that at least this part of the times does not exceed; null without times. */
  quantile(part: number): number | null {
    let left = Math.max(1, Math.ceil(part * this.count));
    for (const [bucket, count] of [...this.buckets].sort(([a], [b]) => a - b)) {
      left -= count;
      if (left <= 0) return Math.min(Math.expm1(bucket * growth), this.max ?? 0);
    }
    return null;
  }
}

/** Collects the samples of a run of so many seconds, in at most `most` intervals of whole seconds. */
export class Recorder {
  private readonly step: number;
  private readonly parts: { planned: number; answered: number; failed: number; times: Times }[];
  private readonly kinds = new Map<Kind, { planned: number; times: Times; outcomes: Record<string, number> }>();

  constructor(seconds: number, most = 240) {
    this.step = Math.max(1, Math.ceil(seconds / most));
    this.parts = Array.from({ length: Math.max(1, Math.ceil(seconds / this.step)) }, () => {
      return { planned: 0, answered: 0, failed: 0, times: new Times() };
    });
  }

  add(sample: Sample): void {
    const { kind, plannedAt, endedAt, outcome } = sample;
    const ms = endedAt - plannedAt;
    const ofKind = this.kinds.get(kind) ?? { planned: 0, times: new Times(), outcomes: {} };
    this.kinds.set(kind, ofKind);
    ofKind.planned++;
    ofKind.outcomes[outcome] = (ofKind.outcomes[outcome] ?? 0) + 1;
    const planned = this.partAt(plannedAt);
    if (planned) planned.planned++;
    if (isSuccess(sample)) {
      ofKind.times.add(ms);
      planned?.times.add(ms);
      const ended = this.partAt(endedAt);
      if (ended) ended.answered++;
    } else if (planned) planned.failed++;
  }

  private partAt(ms: number) {
    return this.parts[Math.floor(ms / 1000 / this.step)];
  }

  get intervals(): Interval[] {
    return this.parts.map(({ planned, answered, failed, times }, n) => ({
      at: n * this.step,
      plannedPerSecond: planned / this.step,
      answeredPerSecond: answered / this.step,
      failedPerSecond: failed / this.step,
      p50Ms: times.quantile(0.5),
      p99Ms: times.quantile(0.99),
    }));
  }

  figuresOf(kind: Kind): KindFigures {
    const { planned, times, outcomes } = this.kinds.get(kind) ?? { planned: 0, times: new Times(), outcomes: {} };
    return {
      planned,
      answered: times.count,
      outcomes,
      p50Ms: times.quantile(0.5),
      p99Ms: times.quantile(0.99),
      maxMs: times.max,
    };
  }
}

/** Of one fingerprint. */
export interface Sent {
  /** Answered 2xx. */
  accepted: number;
  /** All that were sent: one without an answer may have been accepted. */
  sent: number;
}

export interface Check {
  accepted: number;
  /** Occurrences of the alerts of the run. */
  applied: number;
  lost: number;
  /** Occurrences beyond everything that was sent. */
  doubled: number;
}

/** Compares what was accepted with the occurrences that the API shows, by fingerprint. */
export function checkOf(sent: ReadonlyMap<string, Sent>, occurrences: ReadonlyMap<string, number>): Check {
  const check: Check = { accepted: 0, applied: 0, lost: 0, doubled: 0 };
  for (const fingerprint of new Set([...sent.keys(), ...occurrences.keys()])) {
    const { accepted, sent: all } = sent.get(fingerprint) ?? { accepted: 0, sent: 0 };
    const applied = occurrences.get(fingerprint) ?? 0;
    check.accepted += accepted;
    check.applied += applied;
    check.lost += Math.max(0, accepted - applied);
    check.doubled += Math.max(0, applied - all);
  }
  return check;
}
