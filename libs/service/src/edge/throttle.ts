/** Counts requests in windows of a minute, by a key such as an address. The counts are those of this replica. */
export class Throttle {
  private counts = new Map<string, number>();
  private windowEndsAt = -Infinity;

  /** `mostKeys`: when more are counted, counting begins again, so that the memory is limited. */
  constructor(
    readonly limit: number,
    private readonly windowMs = 60_000,
    private readonly mostKeys = 50_000,
  ) {}

  /** Counts a request. The seconds until the window ends when it is over the limit, else null. `now` in milliseconds. */
  secondsToWait(key: string, now: number): number | null {
    this.count(key, now);
    return (this.counts.get(key) ?? 0) > this.limit ? this.secondsLeft(now) : null;
  }

  count(key: string, now: number): void {
    if (now >= this.windowEndsAt || this.counts.size > this.mostKeys) {
      this.counts.clear();
      this.windowEndsAt = now + this.windowMs;
    }
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  /** The seconds until the window ends when the limit is used up, else null. Counts nothing. */
  secondsUsedUp(key: string, now: number): number | null {
    return now < this.windowEndsAt && (this.counts.get(key) ?? 0) >= this.limit ? this.secondsLeft(now) : null;
  }

  private secondsLeft(now: number): number {
    return Math.max(1, Math.ceil((this.windowEndsAt - now) / 1000));
  }
}
