export interface RoundsOptions {
  /** The pause after a round. */
  everyMs: number;
  /** One round. True when there may be more to do: the next round begins at once. */
  work: () => Promise<boolean>;
  /** Called for a round that failed. It is repeated after the pause. */
  onError: (error: unknown) => void;
}

/** Does work again and again, one round at a time, until it is stopped. */
export class Rounds {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(private readonly options: RoundsOptions) {}

  /** A long round ends early when this is true. */
  get isStopped(): boolean {
    return this.stopped;
  }

  start(): void {
    this.running = this.round();
  }

  /** Resolves after the round that runs. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private async round(): Promise<void> {
    const { everyMs, work, onError } = this.options;
    try {
      while (!this.stopped && (await work()));
    } catch (error) {
      onError(error);
    }
    if (!this.stopped) this.timer = setTimeout(() => this.start(), everyMs);
  }
}
