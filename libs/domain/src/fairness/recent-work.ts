/**
 * How much work each organization had lately, and so who has much of it beside others that have little. Work is counted
 * in any unit; half of it is forgotten after `halfLifeMs`. Times are in milliseconds, of one monotonic clock.
 */

interface Work {
  amount: number;
  at: number;
}

/** An organization that had work in this time is expected to have more. */
const recentMs = 10_000;
const halfLifeMs = 1000;
/** Others have little when they have less than this part. */
const littleBeside = 1 / 2;

export class RecentWork {
  /** Of organizations with recent work. The one that had some last is the last. */
  private readonly works = new Map<string, Work>();

  /** With less than `much` an organization never has much. */
  constructor(private readonly much: number) {}

  /** Calls must be in the order of their times. */
  note(organization: string, amount: number, at: number): void {
    const before = this.of(organization, at);
    this.works.delete(organization);
    this.works.set(organization, { amount: before + amount, at });
    this.forget(at);
  }

  of(organization: string, now: number): number {
    const work = this.works.get(organization);
    return work ? work.amount * 0.5 ** ((now - work.at) / halfLifeMs) : 0;
  }

  /** Organizations with equal work do not have much beside each other. */
  hasMuchBesideLittle(organization: string, now: number): boolean {
    const own = this.of(organization, now);
    if (own < this.much) return false;
    for (const [other, { at }] of this.works)
      if (other !== organization && now - at <= recentMs && this.of(other, now) < own * littleBeside) return true;
    return false;
  }

  private forget(now: number): void {
    for (const [organization, { at }] of this.works) {
      if (now - at <= recentMs) return;
      this.works.delete(organization);
    }
  }
}
