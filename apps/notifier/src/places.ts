/**
 * How many attempts are made at once: in all, and to each target, so that one that is slow does not hold up the others.
 * Who finds no place waits for one, but not for long and not behind too many.
 */

export interface Lane {
  key: string;
  /** Attempts at once. */
  limit: number;
}

interface Waiting {
  lanes: readonly Lane[];
  admit(): void;
}

/** Over this nobody waits: memory has an end. */
const maxWaiting = 1000;

export class Places {
  private inAll = 0;
  private readonly taken = new Map<string, number>();
  private readonly waiting = new Set<Waiting>();

  constructor(
    private readonly limit: number,
    private readonly waitMs: number,
  ) {}

  /** Takes a place in every one of the lanes at once. False: there was none in time. True: `leave` has to be called with the same lanes. */
  enter(lanes: readonly Lane[]): Promise<boolean> {
    if (this.hasRoom(lanes)) {
      this.take(lanes, 1);
      return Promise.resolve(true);
    }
    if (this.waiting.size >= maxWaiting || this.waitMs === 0) return Promise.resolve(false);
    return new Promise((resolve) => {
      const waiting: Waiting = {
        lanes,
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

  /** Those who wait are served in their order, but nobody waits for a lane that is not his. */
  leave(lanes: readonly Lane[]): void {
    this.take(lanes, -1);
    for (const waiting of this.waiting) {
      if (this.inAll >= this.limit) return;
      if (!this.hasRoom(waiting.lanes)) continue;
      this.waiting.delete(waiting);
      this.take(waiting.lanes, 1);
      waiting.admit();
    }
  }

  private hasRoom(lanes: readonly Lane[]): boolean {
    return this.inAll < this.limit && lanes.every(({ key, limit }) => (this.taken.get(key) ?? 0) < limit);
  }

  private take(lanes: readonly Lane[], change: 1 | -1): void {
    this.inAll += change;
    for (const { key } of lanes) {
      const count = (this.taken.get(key) ?? 0) + change;
      if (count === 0) this.taken.delete(key);
      else this.taken.set(key, count);
    }
  }
}
