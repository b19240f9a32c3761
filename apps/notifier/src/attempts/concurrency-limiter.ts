/**
 * Limits how many attempts run at the same time: in all, and for each target, so that a slow target does not delay the
 * others. Attempts without a free slot wait for one, up to a time limit and up to a number of waiting attempts.
 */

export interface ConcurrencyLimit {
  key: string;
  /** The number of attempts at the same time. */
  limit: number;
}

interface Waiting {
  limits: readonly ConcurrencyLimit[];
  admit(): void;
}

/** Limits the memory: when so many attempts wait, no other one may wait. */
const maxWaiting = 1000;

export class ConcurrencyLimiter {
  private total = 0;
  private readonly running = new Map<string, number>();
  private readonly waiting = new Set<Waiting>();

  constructor(
    private readonly limit: number,
    private readonly waitMs: number,
  ) {}

  /** Reserves a slot of every limit. After true, call `release` with the same limits. False: no slot in time. */
  acquire(limits: readonly ConcurrencyLimit[]): Promise<boolean> {
    if (this.hasRoom(limits)) {
      this.count(limits, 1);
      return Promise.resolve(true);
    }
    if (this.waiting.size >= maxWaiting || this.waitMs === 0) return Promise.resolve(false);
    return new Promise((resolve) => {
      const waiting: Waiting = {
        limits,
        admit: () => {
          clearTimeout(timer);
          resolve(true);
        },
      };
      const timer = setTimeout(() => {
        this.waiting.delete(waiting);
        resolve(false);
      }, this.waitMs);
      this.waiting.add(waiting);
    });
  }

  /** Starts waiting attempts in their order, except those whose own limits have no free slot. */
  release(limits: readonly ConcurrencyLimit[]): void {
    this.count(limits, -1);
    for (const waiting of this.waiting) {
      if (this.total >= this.limit) return;
      if (!this.hasRoom(waiting.limits)) continue;
      this.waiting.delete(waiting);
      this.count(waiting.limits, 1);
      waiting.admit();
    }
  }

  private hasRoom(limits: readonly ConcurrencyLimit[]): boolean {
    return this.total < this.limit && limits.every(({ key, limit }) => (this.running.get(key) ?? 0) < limit);
  }

  private count(limits: readonly ConcurrencyLimit[], change: 1 | -1): void {
    this.total += change;
    for (const { key } of limits) {
      const count = (this.running.get(key) ?? 0) + change;
      if (count === 0) this.running.delete(key);
      else this.running.set(key, count);
    }
  }
}
