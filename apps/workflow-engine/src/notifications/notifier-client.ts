/**
 * One attempt of the notifier, from the request to its result. A mail may take a minute, so a late result does not mean
 * that the replica has died. The replica replies after a second that it is sending, and is then asked for the result. A
 * reply may be lost with a connection to NATS: then all replicas are asked which of them knows the attempt, so that
 * another one does not make it again.
 */
import {
  attemptLookupRequest,
  attemptResultRequest,
  sendRequest,
  type AttemptResultReply,
  type SendingReply,
  type SendReply,
  type SendRequest,
} from '@ams/contracts';
import { hasNoResponder, NatsConnection, onReconnect, RpcClient } from '@ams/messaging';
import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than any attempt may take. */
const attemptMs = 60_000;
/** How long the notifier waits for the result before it replies `sending`. */
const waitMs = 1000;
/** A replica that receives the request later drops it. */
const receivedWithinMs = 3000;
/** How long to wait for a reply. It is long, so that no message is sent twice because a busy replica replies late. */
const replyMs = receivedWithinMs + waitMs + 5000;
/** A replica that has lost its connection to NATS subscribes again within this time. */
const goneMs = 4000;
const pauseMs = 500;
/** How long a replica that knows an attempt waits for its result, and how long to wait for such a replica. */
const lookup = { waitMs: 200, timeoutMs: 1000 };
const retryAfterSeconds = 2;

@Injectable()
export class NotifierClient {
  /** Called after a reconnection, by the attempts that wait for their first reply. */
  private readonly reconnected = new Set<() => void>();

  constructor(
    private readonly rpc: RpcClient,
    connection: NatsConnection,
  ) {
    onReconnect(connection, () => this.reconnected.forEach((tell) => tell()));
  }

  /** Without a result the attempt counts as held back: the notification is attempted again. */
  async attempt(request: SendRequest): Promise<SendReply> {
    const ends = performance.now() + attemptMs;
    const reply = await this.firstReply(request);
    if (reply === null) return heldBack('the notifier does not answer');
    return reply.kind === 'sending' ? this.resultOf(request.notificationId, reply.replicaId, ends) : reply;
  }

  /** Null: there was no reply in time, and no replica says that it knows the attempt. */
  private async firstReply(request: SendRequest): Promise<SendReply | SendingReply | null> {
    const { notificationId } = request;
    const options = { timeoutMs: replyMs, receivedWithinMs, requestId: notificationId };
    const asked = this.rpc.request(sendRequest, { ...request, waitMs }, options).catch(() => null);
    let isOver = false;
    let tell = (): void => undefined;
    const reconnected = new Promise<void>((resolve) => (tell = resolve));
    this.reconnected.add(tell);
    const known = reconnected.then(async () => {
      for (;;) {
        const reply = await this.lookedUp(notificationId);
        if (reply !== null || isOver) return reply;
        await sleep(pauseMs);
      }
    });
    try {
      return (await Promise.race([asked, known])) ?? (await this.lookedUp(notificationId));
    } finally {
      isOver = true;
      this.reconnected.delete(tell);
    }
  }

  /** Null: no replica says that it knows the attempt. */
  private lookedUp(notificationId: string): Promise<SendReply | SendingReply | null> {
    const options = { timeoutMs: lookup.timeoutMs, requestId: notificationId };
    return this.rpc.request(attemptLookupRequest, { notificationId, waitMs: lookup.waitMs }, options).catch(() => null);
  }

  private async resultOf(notificationId: string, replicaId: string, ends: number): Promise<SendReply> {
    const operation = attemptResultRequest(replicaId);
    const options = { timeoutMs: waitMs + 4000, requestId: notificationId };
    let goneSince: number | null = null;
    while (performance.now() < ends) {
      let reply: AttemptResultReply | null = null;
      try {
        reply = await this.rpc.request(operation, { notificationId, waitMs }, options);
        goneSince = null;
      } catch (error) {
        // NATS has answered that the replica is not connected. No other error means this.
        goneSince = hasNoResponder(error) ? (goneSince ?? performance.now()) : null;
        if (goneSince !== null && performance.now() - goneSince > goneMs)
          return heldBack('the notifier stopped during the attempt');
        await sleep(pauseMs);
      }
      if (reply?.kind === 'unknown') return heldBack('the notifier does not know the attempt');
      if (reply !== null && reply.kind !== 'sending') return reply;
    }
    return heldBack('the notifier does not answer');
  }
}

const heldBack = (reason: string): SendReply => ({ kind: 'heldBack', reason, retryAfterSeconds });
