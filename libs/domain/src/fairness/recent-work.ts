/**
 * How much work each organization had lately, and so who has much of it beside others that have little. Work is counted
 * in any unit; half of it is forgotten after `halfLifeMs`. Times are in milliseconds, of one monotonic clock.
 */

interface Work {
  /** As it was worth at `asOf`: then amounts of different times can be compared without a power for each. */
  amount: number;
  at: number;
}

/** An organization that had work in this time is expected to have more. */
const recentMs = 10_000;
const halfLifeMs = 1000;
/** Others have little when they have less than this part. */
const littleBeside = 1 / 2;
/** After this time amounts are counted anew from the present. It keeps them far below the largest number. */
const longestMs = 100 * halfLifeMs;

export class RecentWork {
  /** Of organizations with recent work. The one that had some last is the last. */
  private readonly works = new Map<string, Work>();
  private asOf = 0;

  /** With less than `much` an organization never has much. */
  constructor(private readonly much: number) {}

  /** Calls must be in the order of their times. */
  note(organization: string, amount: number, at: number): void {
    this.forget(at);
    if (at - this.asOf > longestMs) this.countFrom(at);
    const before = this.works.get(organization)?.amount ?? 0;
    this.works.delete(organization);
    this.works.set(organization, { amount: before + amount / this.worthAt(at), at });
  }

  of(organization: string, now: number): number {
    const work = this.works.get(organization);
    return work ? work.amount * this.worthAt(now) : 0;
  }

  /** Organizations with equal work do not have much beside each other. */
  hasMuchBesideLittle(organization: string, now: number): boolean {
    const own = this.works.get(organization);
    if (own === undefined || own.amount * this.worthAt(now) < this.much) return false;
    const little = own.amount * littleBeside;
    for (const work of this.works.values())
      if (work !== own && work.amount < little && now - work.at <= recentMs) return true;
    return false;
  }

  /** What is left at a time of one unit at `asOf`. */
  private worthAt(now: number): number {
    return 0.5 ** ((now - this.asOf) / halfLifeMs);
  }

  private countFrom(at: number): void {
    const worth = this.worthAt(at);
    for (const work of this.works.values()) work.amount *= worth;
    this.asOf = at;
  }

  private forget(now: number): void {
    for (const [organization, { at }] of this.works) {
      if (now - at <= recentMs) return;
      this.works.delete(organization);
    }
  }
}
