/** Counts requests in windows of a minute, by a key such as an address. The counts are those of this replica. */
export class Throttle {
  private counts = new Map<string, number>();
  private windowEndsAt = -Infinity;

  /** `mostKeys`: when more are counted, counting begins again, so that the memory is limited. */
  constructor(
    private readonly limit: number,
    private readonly windowMs = 60_000,
    private readonly mostKeys = 50_000,
  ) {}

  /** Counts a request. The seconds until the window ends when it is over the limit, else null. `now` in milliseconds. */
  secondsToWait(key: string, now: number): number | null {
    if (now >= this.windowEndsAt || this.counts.size > this.mostKeys) {
      this.counts.clear();
      this.windowEndsAt = now + this.windowMs;
    }
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    return count > this.limit ? Math.max(1, Math.ceil((this.windowEndsAt - now) / 1000)) : null;
  }
}
