/** Does `work` again and again, with a pause after each round, until it is stopped. A round that fails is repeated. */
export class Rounds {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    private readonly everyMs: number,
    /** The number of records that a round has done: after `full` of them, the next round begins at once. */
    private readonly work: () => Promise<number>,
    private readonly full: number,
    private readonly onError: (error: unknown) => void,
  ) {}

  start(): void {
    this.running = this.round();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async round(): Promise<void> {
    try {
      while (!this.isStopped && (await this.work()) >= this.full);
    } catch (error) {
      this.onError(error);
    }
    if (!this.isStopped) this.timer = setTimeout(() => this.start(), this.everyMs);
  }
}
