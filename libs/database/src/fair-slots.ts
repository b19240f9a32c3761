/** Work that waits for one of a limited number of places, in the order of `FairQueue`. */
import { FairQueue, type Places, type Share } from '@ams/domain';

interface Waiting {
  /** Monotonic clock, in milliseconds. */
  since: number;
  begin: () => void;
  refuse: (error: Error) => void;
}

export class FairSlots {
  private readonly queue: FairQueue<Waiting>;
  /** In the order of their arrival. */
  private readonly waitingItems = new Set<Waiting>();
  private refusal: Error | null = null;

  /** `mostRestMs`: a rest takes no longer, also after work that waited for something. */
  constructor(
    places: Places,
    private readonly mostRestMs = Infinity,
  ) {
    this.queue = new FairQueue(places);
  }

  get waiting(): number {
    return this.waitingItems.size;
  }

  /** How long the oldest of those that wait has waited, in milliseconds; 0 when none waits. */
  get oldestMs(): number {
    const [oldest] = this.waitingItems;
    return oldest ? performance.now() - oldest.since : 0;
  }

  /** The place is free again after a rest of `restForEach` milliseconds for each one that the work took. */
  async run<T>(share: Share, work: () => Promise<T>, restForEach: number | ((result: T) => number) = 0): Promise<T> {
    await this.place(share);
    const begun = performance.now();
    let rest = typeof restForEach === 'number' ? restForEach : 0;
    try {
      const result = await work();
      if (typeof restForEach === 'function') rest = restForEach(result);
      return result;
    } finally {
      const free = (): void => {
        this.queue.done(share);
        this.beginNext();
      };
      if (rest === 0) free();
      else setTimeout(free, Math.min(rest * (performance.now() - begun), this.mostRestMs)).unref();
    }
  }

  /** What waits, and what comes later, gets this error. What has begun goes on. */
  refuse(error: Error): void {
    this.refusal = error;
    this.waitingItems.clear();
    for (const { refuse } of this.queue.clear()) refuse(error);
  }

  private place(share: Share): Promise<void> {
    return new Promise((begin, refuse) => {
      if (this.refusal) return refuse(this.refusal);
      const item = { since: performance.now(), begin, refuse };
      this.waitingItems.add(item);
      this.queue.add(share, item);
      this.beginNext();
    });
  }

  private beginNext(): void {
    for (let item = this.queue.next(); item; item = this.queue.next()) {
      this.waitingItems.delete(item);
      item.begin();
    }
  }
}
