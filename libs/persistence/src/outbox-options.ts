export class OutboxOptions {
  constructor(
    /** Whether rows of the subject are published together, as `{events: […]}`. */
    readonly isBatched: (subject: string) => boolean,
    /** The minimum time between two rounds, in milliseconds, so that a busy outbox publishes more in one round. */
    readonly paceMs: number,
    /** Whether events are published to the stream of domain events, which is then created when it is missing. */
    readonly hasDomainEvents: boolean,
  ) {}
}
