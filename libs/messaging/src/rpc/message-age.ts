/**
 * The greatest possible age of a message that arrives now, by the monotonic clock of this process alone.
 *
 * A process that was paused, or whose connection was half-open, receives old messages as if they were new, and the
 * clocks of two machines may differ by minutes. So the process sends a PING to the NATS server repeatedly. A server
 * sends messages and answers to a PING in one order: what arrives after the answer was sent after the PING. So a
 * message is not older than the last PING whose answer arrived before the message.
 */
import { setTimeout as pause } from 'node:timers/promises';

export class MessageAge {
  private freshSince = performance.now();
  private readonly stopped = new AbortController();

  /** `ping` resolves with the answer of the server. It is called again `everyMs` after each answer. */
  constructor(
    private readonly ping: () => Promise<unknown>,
    private readonly everyMs = 250,
  ) {}

  /** A message that arrives now was sent at most so many milliseconds ago. */
  get limitMs(): number {
    return performance.now() - this.freshSince;
  }

  start(): void {
    void this.run();
  }

  stop(): void {
    this.stopped.abort();
  }

  private async run(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      const asked = performance.now();
      try {
        await this.ping();
        this.freshSince = asked;
      } catch {
        // Without a connection nothing arrives. The PING is repeated.
      }
      await pause(this.everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
