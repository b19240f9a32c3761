const leastKept = 1000;

/**
 * The time that the work of each organization took lately. It is forgotten at a steady pace, so it says who works more
 * than this pace. Times are in milliseconds, of one monotonic clock.
 */
export class SpentTime {
  /** When the time of an organization is forgotten. */
  private readonly forgottenAt = new Map<string, number>();
  /** With this many organizations it looks for those that are forgotten. */
  private mostKept = leastKept;

  /** `pace`: the milliseconds that are forgotten in each millisecond, above 0. `mostMs`: more is not noted. */
  constructor(
    private readonly pace: number,
    private readonly mostMs = Infinity,
  ) {}

  note(organization: string, spentMs: number, now: number): void {
    if (this.forgottenAt.size >= this.mostKept) this.forget(now);
    const before = Math.max(now, this.forgottenAt.get(organization) ?? now);
    this.forgottenAt.set(organization, Math.min(before + spentMs / this.pace, now + this.mostMs / this.pace));
  }

  /** What is not forgotten. */
  of(organization: string, now: number): number {
    return Math.max(0, (this.forgottenAt.get(organization) ?? now) - now) * this.pace;
  }

  /** How long it takes until no more than `spentMs` is left. */
  msUntil(spentMs: number, organization: string, now: number): number {
    return Math.max(0, this.of(organization, now) - spentMs) / this.pace;
  }

  private forget(now: number): void {
    for (const [organization, at] of this.forgottenAt) if (at <= now) this.forgottenAt.delete(organization);
    this.mostKept = Math.max(leastKept, 2 * this.forgottenAt.size);
  }
}
