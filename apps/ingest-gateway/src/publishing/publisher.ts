/**
 * Publishes to JetStream and waits for the acknowledgement, as the client library's `publish` does, at a third of its
 * cost: all messages in flight share one subscription and one timer (no timer, deferred and JSON for each message).
 *
 * While NATS is disconnected, the library would buffer messages and either drop them or send them late. Here publishing
 * fails at once or, if the caller wants it, waits a short time for the reconnection.
 */
import { atEndOfTurn, NatsConnection } from '@ams/messaging';
import { createInbox, headers, type Msg } from '@nats-io/transport-node';
import { Injectable } from '@nestjs/common';
import { serviceName } from '../settings.js';

export type Ack =
  | { kind: 'stored' }
  /** Refused by the server. Codes: https://github.com/nats-io/nats-server/blob/main/server/errors.json */
  | { kind: 'refused'; status: number; code: number; description: string }
  /** No stream stores this subject. */
  | { kind: 'noStream' }
  | { kind: 'disconnected' }
  /** No acknowledgement in time. */
  | { kind: 'timeout' };

export interface Publication {
  subject: string;
  data: string | Uint8Array;
  /** A message that is published again with the same id in the stream's duplicate window is stored once. */
  messageId?: string;
}

interface Pending {
  resolve(ack: Ack): void;
  deadline: number;
}

/** A limit of the stream is reached. All other errors with status 503 mean that a leader is missing for the moment. */
const storeFailed = 10077;

const stored: Ack = { kind: 'stored' };
const sweepMs = 25;
/** How long after a disconnection requests may wait for the reconnection: long enough for a restart or a failover. */
const reconnectWaitMs = 2000;
const retryMs = 50;

@Injectable()
export class Publisher {
  private readonly inbox = `${createInbox(`_INBOX_${serviceName}`)}.`;
  private readonly pending = new Map<string, Pending>();
  private readonly waiting = new Set<{ resolve(): void; deadline: number }>();
  private readonly reconnectListeners: (() => void)[] = [];
  private count = 0;
  private disconnectedSince: number | null = null;
  private sweeper: NodeJS.Timeout | null = null;

  constructor(private readonly connection: NatsConnection) {
    this.connection.subscribe(`${this.inbox}*`, {
      callback: (error, message) => (error ? undefined : this.acknowledged(message)),
    });
    void this.watchConnection();
  }

  get isDisconnected(): boolean {
    return this.disconnectedSince !== null;
  }

  /** The largest message that the server accepts, headers included. */
  get maxPayload(): number {
    return this.connection.info?.max_payload ?? 1_048_576;
  }

  /** Calls the listener after each reconnection, when subscriptions exist again. */
  onReconnect(listener: () => void): void {
    this.reconnectListeners.push(listener);
  }

  /** All messages that `work` publishes are sent in one write. */
  atEndOfTurn(work: () => void): void {
    atEndOfTurn(work);
  }

  /** One attempt. The messages of one turn of the event loop share one system call, which is the largest cost. */
  publish(publication: Publication, timeoutMs: number): Promise<Ack> {
    if (this.disconnectedSince !== null) return Promise.resolve({ kind: 'disconnected' });
    return new Promise((resolve) => {
      const pending: Pending = { resolve, deadline: performance.now() + timeoutMs };
      atEndOfTurn(() => this.send(publication, pending));
    });
  }

  private send({ subject, data, messageId }: Publication, pending: Pending): void {
    if (this.disconnectedSince !== null) return pending.resolve({ kind: 'disconnected' });
    const token = (this.count++).toString(36);
    this.pending.set(token, pending);
    this.sweeper ??= setInterval(() => this.sweep(), sweepMs);
    try {
      if (messageId === undefined) {
        this.connection.publish(subject, data, { reply: this.inbox + token });
      } else {
        const header = headers();
        header.append('Nats-Msg-Id', messageId);
        this.connection.publish(subject, data, { reply: this.inbox + token, headers: header });
      }
    } catch {
      // Closed or draining: nothing is sent any more.
      this.pending.delete(token);
      pending.resolve({ kind: 'disconnected' });
    }
  }

  /**
   * Tries until the message is stored or refused, or until `deadline` (of `performance.now()`). An attempt lasts at
   * least 250 ms. Without a message id, an attempt without an answer is not repeated: the message may be stored.
   */
  async persist(publication: Publication, deadline: number, restoreStream: () => Promise<unknown>): Promise<Ack> {
    const repeatable = publication.messageId !== undefined;
    for (;;) {
      const left = Math.max(250, deadline - performance.now());
      const ack = await this.publish(publication, repeatable ? Math.min(left, 750) : left);
      if (ack.kind === 'stored') return ack;
      if (ack.kind === 'refused' && (ack.status !== 503 || ack.code === storeFailed)) return ack;
      if (ack.kind === 'timeout' && !repeatable) return ack;
      // An acknowledgement without a sequence comes at once.
      if (ack.kind === 'timeout') await pause(retryMs);
      if (ack.kind === 'disconnected') await this.untilConnected(deadline);
      if (performance.now() >= deadline || (ack.kind === 'disconnected' && this.isDisconnected)) return ack;
      if (ack.kind === 'noStream') {
        await within(
          deadline - performance.now(),
          restoreStream().catch(() => undefined),
        );
        await pause(retryMs);
      } else if (ack.kind === 'refused') await pause(retryMs);
    }
  }

  /** Waits for the reconnection until `deadline`. Does not wait when NATS has been disconnected for longer. */
  untilConnected(deadline: number): Promise<void> {
    const now = performance.now();
    if (this.disconnectedSince === null || now >= deadline || now - this.disconnectedSince > reconnectWaitMs)
      return Promise.resolve();
    return new Promise((resolve) => {
      this.waiting.add({
        resolve,
        deadline: Math.min(deadline, this.disconnectedSince === null ? now : this.disconnectedSince + reconnectWaitMs),
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
      resolve({ kind: 'timeout' });
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
    for await (const status of this.connection.status()) {
      if (status.type === 'disconnect') this.disconnected();
      else if (status.type === 'reconnect') this.reconnected();
    }
    this.disconnected();
  }

  private disconnected(): void {
    this.disconnectedSince ??= performance.now();
    for (const { resolve } of this.pending.values()) resolve({ kind: 'disconnected' });
    this.pending.clear();
  }

  private reconnected(): void {
    this.disconnectedSince = null;
    for (const { resolve } of this.waiting) resolve();
    this.waiting.clear();
    for (const listener of this.reconnectListeners) listener();
  }
}

/**
 * A duplicate of a message that a cluster has not stored, and may never store: a leader without a majority remembers
 * the ids of its messages (NATS 2.10). The acknowledgement of a stored message has its sequence.
 */
const withoutSequence = /"seq": ?0[,}]/;

/** `{"stream":…}` is stored, `{"error":…}` is not. Only an error is parsed. */
function ackOf(message: Msg): Ack {
  const { data } = message;
  if (data.length === 0) return message.headers?.code === 503 ? { kind: 'noStream' } : { kind: 'timeout' };
  if (data[2] === 0x73) return withoutSequence.test(message.string()) ? { kind: 'timeout' } : stored;
  const { error } = message.json<{ error?: { code: number; err_code: number; description: string } }>();
  return error ? { kind: 'refused', status: error.code, code: error.err_code, description: error.description } : stored;
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

/** The result of `work`, or `'timeout'` when it takes longer than `ms`. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | 'timeout'> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), Math.max(0, ms));
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
