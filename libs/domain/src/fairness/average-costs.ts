/** What the work of each organization cost lately: an average, in which each new cost has a fifth. */

const weight = 0.2;
/** More organizations than work at the same time. The one that had no work for the longest time is forgotten first. */
const mostKnown = 10_000;

export class AverageCosts {
  private readonly averages = new Map<string, number>();

  /** `unknown` is the cost of work of an organization that had none, and the least cost of any work. */
  constructor(
    private readonly unknown: number,
    private readonly most = mostKnown,
  ) {}

  of(organization: string): number {
    return this.averages.get(organization) ?? this.unknown;
  }

  /** Pieces of work of this organization have together cost this much. */
  note(organization: string, cost: number, pieces: number): void {
    if (pieces === 0) return;
    const each = cost / pieces;
    const before = this.averages.get(organization) ?? each;
    this.averages.delete(organization);
    this.averages.set(organization, Math.max(this.unknown, before + (each - before) * weight));
    if (this.averages.size > this.most) this.averages.delete(this.averages.keys().next().value as string);
  }
}
