/** Whether others than an organization had work lately. Times are in milliseconds, of one monotonic clock. */

interface Activity {
  organization: string;
  at: number;
}

export class RecentActivity {
  /** The organization that had work last, and the one that had work last beside it. */
  private latest: Activity | null = null;
  private other: Activity | null = null;

  /** An organization that had work in this time is expected to have more. */
  constructor(private readonly recentMs = 10_000) {}

  /** Calls must be in the order of their times. */
  note(organization: string, at: number): void {
    if (this.latest !== null && this.latest.organization !== organization) this.other = this.latest;
    this.latest = { organization, at };
  }

  isAnyBeside(organization: string, now: number): boolean {
    const beside = this.latest?.organization === organization ? this.other : this.latest;
    return beside !== null && now - beside.at <= this.recentMs;
  }
}
