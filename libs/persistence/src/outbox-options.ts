export class OutboxOptions {
  constructor(
    /** Whether rows of the subject are published together, as `{events: […]}`. */
    readonly isBatched: (subject: string) => boolean,
    /** The least time between two rounds, in milliseconds: a busy outbox then publishes more at once. */
    readonly paceMs: number,
  ) {}
}
