/**
 * Says when a stream has new messages, so that a reader without a consumer need not ask all the time. NATS publishes the
 * headers of each message again when it is stored (`republish`). That is no more than a hint: one may be lost, and
 * another server of a cluster may not have the message yet. So the reader asks a few times after a hint until it has
 * found the message, and otherwise from time to time.
 */
import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { newsSubject } from './streams.js';

/** The first wait after a hint, in milliseconds. Each one is twice as long, up to 5 × 2^6 = 320 ms: 0.6 s together. */
const firstMs = 5;
const waits = 7;
const lateMs = 1000;

export class News {
  private readonly subscription: Subscription;
  /** Hints whose messages were not found yet. */
  private expected = 0;
  /** Waits since the last hint or message. */
  private waited = 0;
  private wake: (() => void) | null = null;

  constructor(
    private readonly connection: NatsConnection,
    stream: string,
  ) {
    this.subscription = connection.subscribe(newsSubject(stream), { callback: () => this.hear() });
  }

  private hear(): void {
    this.expected++;
    this.waited = 0;
    this.wake?.();
  }

  /** The reader has found a message. */
  found(): void {
    this.expected = Math.max(0, this.expected - 1);
    this.waited = 0;
  }

  /** Waits until the reader should ask again, after it found no message. */
  async wait(): Promise<void> {
    const isExpected = this.expected > 0 && this.waited < waits;
    if (!isExpected) this.expected = 0;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, isExpected ? firstMs * 2 ** this.waited : lateMs);
      timer.unref();
      if (isExpected) return;
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.wake = null;
    if (isExpected) this.waited++;
  }

  stop(): void {
    if (!this.connection.isClosed()) this.subscription.unsubscribe();
    this.wake?.();
  }
}
