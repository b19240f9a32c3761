/**
 * Limits how many attempts of a class one replica makes at the same time. A class is the attempts to one target, for
 * one organization, or by the mail server. A slow target with many messages must not take the places of others. An
 * attempt without a place is made later. The delay grows with the number of postponed attempts.
 */

/** The number of postponed attempts that delay the next one by a second. */
const postponedPerSecond = 20;
const maxDelaySeconds = 30;

export interface ConcurrencyClass {
  name: string;
  /** The number of attempts at the same time. */
  limit: number;
}

interface Usage {
  running: number;
  postponed: number;
}

export class ConcurrencyClasses {
  private readonly usages = new Map<string, Usage>();

  /**
   * Null when there is a place in each class: it is taken, and `leave` has to be called. Otherwise the seconds after
   * which to try again; `random` is from 0 to 1.
   */
  enter(classes: readonly ConcurrencyClass[], random: number): number | null {
    const full = classes.find(({ name, limit }) => (this.usages.get(name)?.running ?? 0) >= limit);
    if (full) {
      const usage = this.usageOf(full);
      usage.postponed++;
      return 1 + random * Math.min(usage.postponed / postponedPerSecond, maxDelaySeconds);
    }
    for (const one of classes) {
      const usage = this.usageOf(one);
      usage.running++;
      usage.postponed = Math.max(0, usage.postponed - 1);
    }
    return null;
  }

  leave(classes: readonly ConcurrencyClass[]): void {
    for (const { name } of classes) {
      const usage = this.usages.get(name);
      if (usage && --usage.running === 0) this.usages.delete(name);
    }
  }

  private usageOf({ name }: ConcurrencyClass): Usage {
    const usage = this.usages.get(name) ?? { running: 0, postponed: 0 };
    this.usages.set(name, usage);
    return usage;
  }
}
