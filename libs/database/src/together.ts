/**
 * Does together what many ask for one by one, for example reads by id. While the work for some is under way, the others
 * of the queue gather, and the next work is for all of them: the busier, the less each costs. A caller that is alone
 * does not wait.
 *
 * When the work for several fails, it is done for each one alone: one that is at fault must not fail the others, again
 * at each of their attempts. So work that may have had an effect must change nothing when it is repeated.
 */
interface Waiting<Key, Value> {
  key: Key;
  resolve: (value: Value) => void;
  reject: (error: unknown) => void;
}

export class Together<Key, Value> {
  private readonly queues = new Map<string, Waiting<Key, Value>[]>();

  private readonly most: number;
  private readonly alone: boolean;

  /**
   * `work` returns the values in the order of the keys, at most `most`. `alone`: whether it is repeated for each one
   * after an error; not within a transaction, which the error has ended.
   */
  constructor(
    private readonly work: (keys: readonly Key[]) => Promise<readonly Value[]>,
    { most = 100, alone = true }: { most?: number; alone?: boolean } = {},
  ) {
    this.most = most;
    this.alone = alone;
  }

  /** Queues are independent of each other: the work of one organization waits for no other one. */
  ask(queue: string, key: Key): Promise<Value> {
    return new Promise((resolve, reject) => {
      const one = { key, resolve, reject };
      const waiting = this.queues.get(queue);
      if (waiting) waiting.push(one);
      else {
        this.queues.set(queue, [one]);
        void this.workOff(queue);
      }
    });
  }

  /** Never rejects: what fails is told to the callers. */
  private async workOff(queue: string): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve)); // for those that ask in the same turn
      const some = this.queues.get(queue)?.splice(0, this.most) ?? [];
      if (some.length === 0) break;
      await this.workFor(some);
    }
    this.queues.delete(queue);
  }

  private async workFor(some: readonly Waiting<Key, Value>[]): Promise<void> {
    try {
      const values = await this.work(some.map(({ key }) => key));
      some.forEach(({ resolve }, index) => resolve(values[index] as Value));
    } catch (error) {
      if (this.alone && some.length > 1) await Promise.all(some.map((one) => this.workFor([one])));
      else for (const { reject } of some) reject(error);
    }
  }
}
