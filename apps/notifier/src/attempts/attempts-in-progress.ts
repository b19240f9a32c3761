/**
 * Attempts that take longer than their first request waits. The caller then asks this replica, on a subject of this
 * replica alone, until it has the result. When the process has died, nobody responds on that subject. A caller that
 * lost the reply to its request, and so does not know the replica, asks all of them.
 */
import {
  attemptLookupRequest,
  attemptResultRequest,
  newUuid,
  type AttemptResultReply,
  type AttemptResultRequest,
  type SendingReply,
  type SendReply,
} from '@ams/contracts';
import { Logger, NatsConnection } from '@ams/messaging';
import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { Msg, Subscription } from '@nats-io/transport-node';
import { setTimeout as sleep } from 'node:timers/promises';
import { RecentAttempts } from './recent-attempts.js';

/** How long a replica that stops waits for callers to ask for a result. They ask again at once. */
const collectMs = 3000;
/** The workflow engine stops asking before this time. An engine that has died never asks. */
const keptMs = 60_000;

@Injectable()
export class AttemptsInProgress implements OnModuleInit, BeforeApplicationShutdown {
  stopping = false;
  private readonly replicaId = newUuid();
  private readonly recent = new RecentAttempts();
  /** The replies that the caller has not received yet, by notification. */
  private readonly uncollected = new Map<string, Promise<SendReply>>();
  private subscriptions: Subscription[] = [];

  constructor(
    private readonly connection: NatsConnection,
    private readonly log: Logger,
  ) {}

  onModuleInit(): void {
    this.subscriptions = [
      this.subscribe(attemptResultRequest(this.replicaId).subject, (message) => this.answer(message)),
      this.subscribe(attemptLookupRequest.subject, (message) => this.answerIfKnown(message)),
    ];
  }

  private subscribe(subject: string, answer: (message: Msg) => Promise<void>): Subscription {
    return this.connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) return this.log.error({ subject, err: error }, 'subscription failed');
        answer(message).catch((failure: unknown) => this.log.error({ err: failure }, 'no reply could be sent'));
      },
    });
  }

  /** The result of the attempt, or `sending` when it takes longer. */
  async start(
    notificationId: string,
    waitMs: number | undefined,
    send: () => Promise<SendReply>,
  ): Promise<SendReply | SendingReply> {
    const reply = this.recent.once(notificationId, send);
    const result = waitMs === undefined ? await reply : await within(waitMs, reply);
    if (result !== null) return result;
    this.uncollected.set(notificationId, reply);
    const forget = (): void => {
      setTimeout(
        () => this.uncollected.get(notificationId) === reply && this.uncollected.delete(notificationId),
        keptMs,
      ).unref();
    };
    reply.then(forget, forget);
    return this.sending;
  }

  private async answer(message: Msg): Promise<void> {
    const request = message.json<AttemptResultRequest>();
    const reply = this.recent.replyOf(request.notificationId);
    if (reply === undefined) message.respond(JSON.stringify({ kind: 'unknown' } satisfies AttemptResultReply));
    else await this.answerWith(reply, message, request);
  }

  private async answerIfKnown(message: Msg): Promise<void> {
    const request = message.json<AttemptResultRequest>();
    const reply = this.recent.standingReplyOf(request.notificationId);
    if (reply !== undefined) await this.answerWith(reply, message, request);
  }

  private async answerWith(
    reply: Promise<SendReply>,
    message: Msg,
    { notificationId, waitMs }: AttemptResultRequest,
  ): Promise<void> {
    const result = await within(waitMs, reply);
    message.respond(JSON.stringify((result ?? this.sending) satisfies AttemptResultReply));
    if (result !== null) this.uncollected.delete(notificationId);
  }

  private get sending(): SendingReply {
    return { kind: 'sending', replicaId: this.replicaId };
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await Promise.allSettled(this.uncollected.values());
    for (const end = performance.now() + collectMs; this.uncollected.size > 0 && performance.now() < end;)
      await sleep(50);
    await Promise.all(this.subscriptions.map((one) => one.drain()));
  }
}

/** Null when the time is over first. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  const over = new AbortController();
  try {
    return await Promise.race([work, sleep(ms, null, { signal: over.signal })]);
  } finally {
    over.abort();
  }
}
