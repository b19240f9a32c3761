/**
 * Does together what many ask for one by one, for example reads by id. While the work for some is under way, the others
 * of the queue gather, and the next work is for all of them: the busier, the less each one costs. A caller that is alone
 * does not wait.
 */
interface Waiting<Key, Value> {
  key: Key;
  resolve: (value: Value) => void;
  reject: (error: unknown) => void;
}

export class Together<Key, Value> {
  private readonly queues = new Map<string, Waiting<Key, Value>[]>();

  /** `work` returns the values in the order of the keys. An error is that of each of these keys. */
  constructor(
    private readonly work: (keys: readonly Key[]) => Promise<readonly Value[]>,
    private readonly most = 100,
  ) {}

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
      try {
        const values = await this.work(some.map(({ key }) => key));
        some.forEach(({ resolve }, index) => resolve(values[index] as Value));
      } catch (error) {
        for (const { reject } of some) reject(error);
      }
    }
    this.queues.delete(queue);
  }
}
