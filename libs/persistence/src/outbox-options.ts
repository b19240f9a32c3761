export class OutboxOptions {
  constructor(
    /** Whether rows of the subject are published together, as `{events: […]}`. */
    readonly isBatched: (subject: string) => boolean,
    /** The minimum time between two rounds, in milliseconds, so that a busy outbox publishes more in one round. */
    readonly paceMs: number,
  ) {}
}
