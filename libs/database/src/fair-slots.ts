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

  constructor(places: Places) {
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

  async run<T>(share: Share, work: () => Promise<T>): Promise<T> {
    await this.place(share);
    try {
      return await work();
    } finally {
      this.queue.done(share);
      this.beginNext();
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
