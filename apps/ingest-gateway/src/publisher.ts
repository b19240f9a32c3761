/**
 * Publishes to JetStream and waits for the acknowledgement: what the client library's `publish` does, at a third of its
 * cost, because one subscription and one sweep serve all that is in flight (no timer, deferred and JSON for each).
 *
 * It also knows when the broker is away. The library would keep what is sent then and either drop it or send it late;
 * here it fails at once, or waits for the broker in the first moments of an outage, as the caller likes.
 */
import { Tokens } from '@ams/service';
import { atEndOfTurn, type NatsConnection } from '@ams/messaging';
import { createInbox, headers, type Msg } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { serviceName } from './settings.js';

export type Ack =
  | { kind: 'stored' }
  /** The broker said no. Codes: https://github.com/nats-io/nats-server/blob/main/server/errors.json */
  | { kind: 'refused'; status: number; code: number; description: string }
  /** Nobody takes this subject: the stream is not there. */
  | { kind: 'noStream' }
  | { kind: 'away' }
  | { kind: 'late' };

export interface Publication {
  subject: string;
  data: string | Uint8Array;
  /** Published again with the same id within the stream's duplicate window, it is stored once. */
  messageId?: string;
}

interface Pending {
  resolve(ack: Ack): void;
  deadline: number;
}

/** The store said no: a limit of the stream is reached. All others with status 503 are about a leader that is missing just now. */
const storeFailed = 10077;

const stored: Ack = { kind: 'stored' };
const sweepMs = 25;
/** For how long into an outage a request may wait for its end: a broker that restarts or fails over is back by then. */
const hopeMs = 2000;
const retryMs = 50;

@Injectable()
export class Publisher {
  private readonly inbox = `${createInbox(`_INBOX_${serviceName}`)}.`;
  private readonly pending = new Map<string, Pending>();
  private readonly waiting = new Set<{ resolve(): void; deadline: number }>();
  private readonly reconnected: (() => void)[] = [];
  private count = 0;
  private awaySince: number | null = null;
  private sweeper: NodeJS.Timeout | null = null;

  constructor(@Inject(Tokens.broker) private readonly broker: NatsConnection) {
    this.broker.subscribe(`${this.inbox}*`, {
      callback: (error, message) => (error ? undefined : this.acknowledged(message)),
    });
    void this.watchConnection();
  }

  get isAway(): boolean {
    return this.awaySince !== null;
  }

  /** The largest message that the broker takes, headers included. */
  get maxPayload(): number {
    return this.broker.info?.max_payload ?? 1_048_576;
  }

  /** Called after each reconnection, when subscriptions are there again. */
  onReconnect(listener: () => void): void {
    this.reconnected.push(listener);
  }

  /** What is published in `work` leaves in one write. */
  atEndOfTurn(work: () => void): void {
    atEndOfTurn(work);
  }

  /** One try. A system call for each message would cost more than all else: those of one turn share one. */
  publish(publication: Publication, timeoutMs: number): Promise<Ack> {
    if (this.awaySince !== null) return Promise.resolve({ kind: 'away' });
    return new Promise((resolve) => {
      const pending: Pending = { resolve, deadline: performance.now() + timeoutMs };
      atEndOfTurn(() => this.send(publication, pending));
    });
  }

  private send({ subject, data, messageId }: Publication, pending: Pending): void {
    if (this.awaySince !== null) return pending.resolve({ kind: 'away' });
    const token = (this.count++).toString(36);
    this.pending.set(token, pending);
    this.sweeper ??= setInterval(() => this.sweep(), sweepMs);
    try {
      if (messageId === undefined) {
        this.broker.publish(subject, data, { reply: this.inbox + token });
      } else {
        const header = headers();
        header.append('Nats-Msg-Id', messageId);
        this.broker.publish(subject, data, { reply: this.inbox + token, headers: header });
      }
    } catch {
      // Closed or draining: nothing is sent any more.
      this.pending.delete(token);
      pending.resolve({ kind: 'away' });
    }
  }

  /**
   * Until it is stored or refused, or `deadline` (of `performance.now()`) has passed; a try lasts a quarter of a second
   * at least. Without a message id a try whose answer is missing is not repeated, since it may have been stored.
   */
  async persist(publication: Publication, deadline: number, restoreStream: () => Promise<unknown>): Promise<Ack> {
    const repeatable = publication.messageId !== undefined;
    for (;;) {
      const left = Math.max(250, deadline - performance.now());
      const ack = await this.publish(publication, repeatable ? Math.min(left, 750) : left);
      if (ack.kind === 'stored') return ack;
      if (ack.kind === 'refused' && (ack.status !== 503 || ack.code === storeFailed)) return ack;
      if (ack.kind === 'late' && !repeatable) return ack;
      if (ack.kind === 'away') await this.back(deadline);
      if (performance.now() >= deadline || (ack.kind === 'away' && this.isAway)) return ack;
      if (ack.kind === 'noStream') {
        await within(
          deadline - performance.now(),
          restoreStream().catch(() => undefined),
        );
        await pause(retryMs);
      } else if (ack.kind === 'refused') await pause(retryMs);
    }
  }

  /** Waits for the broker until `deadline`; not at all once an outage has lasted. */
  back(deadline: number): Promise<void> {
    const now = performance.now();
    if (this.awaySince === null || now >= deadline || now - this.awaySince > hopeMs) return Promise.resolve();
    return new Promise((resolve) => {
      this.waiting.add({
        resolve,
        deadline: Math.min(deadline, this.awaySince === null ? now : this.awaySince + hopeMs),
      });
      this.sweeper ??= setInterval(() => this.sweep(), sweepMs);
    });
  }

  private acknowledged(message: Msg): void {
    const token = message.subject.slice(this.inbox.length);
    const pending = this.pending.get(token);
    if (pending === undefined) return;
    this.pending.delete(token);
    pending.resolve(ackOf(message));
  }

  private sweep(): void {
    const now = performance.now();
    for (const [token, { resolve, deadline }] of this.pending) {
      if (now < deadline) continue;
      this.pending.delete(token);
      resolve({ kind: 'late' });
    }
    for (const waiter of this.waiting) {
      if (now < waiter.deadline) continue;
      this.waiting.delete(waiter);
      waiter.resolve();
    }
    if (this.pending.size === 0 && this.waiting.size === 0 && this.sweeper !== null) {
      clearInterval(this.sweeper);
      this.sweeper = null;
    }
  }

  private async watchConnection(): Promise<void> {
    for await (const status of this.broker.status()) {
      if (status.type === 'disconnect') this.left();
      else if (status.type === 'reconnect') this.returned();
    }
    this.left();
  }

  private left(): void {
    this.awaySince ??= performance.now();
    for (const { resolve } of this.pending.values()) resolve({ kind: 'away' });
    this.pending.clear();
  }

  private returned(): void {
    this.awaySince = null;
    for (const { resolve } of this.waiting) resolve();
    this.waiting.clear();
    for (const listener of this.reconnected) listener();
  }
}

/** `{"stream":…}` is stored, `{"error":…}` is not; only the latter is worth parsing. */
function ackOf(message: Msg): Ack {
  const { data } = message;
  if (data.length === 0) return message.headers?.code === 503 ? { kind: 'noStream' } : { kind: 'late' };
  if (data[2] === 0x73) return stored;
  const { error } = message.json<{ error?: { code: number; err_code: number; description: string } }>();
  return error ? { kind: 'refused', status: error.code, code: error.err_code, description: error.description } : stored;
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

/** What `work` gives, or `'late'` when it takes longer than `ms`. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), Math.max(0, ms));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
