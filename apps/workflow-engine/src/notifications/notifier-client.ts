/**
 * One attempt of the notifier, from the request to its result. A mail may take a minute, so a late result does not mean
 * that the replica has died. The replica replies after a second that it is sending, and is then asked for the result.
 */
import {
  attemptResultRequest,
  sendRequest,
  type AttemptResultReply,
  type SendReply,
  type SendRequest,
} from '@ams/contracts';
import { hasNoResponder, RpcClient } from '@ams/messaging';
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
const retryAfterSeconds = 2;

@Injectable()
export class NotifierClient {
  constructor(private readonly rpc: RpcClient) {}

  /** Without a result the attempt counts as held back: the notification is attempted again. */
  async attempt(request: SendRequest): Promise<SendReply> {
    const ends = performance.now() + attemptMs;
    const options = { timeoutMs: replyMs, receivedWithinMs, requestId: request.notificationId };
    const reply = await this.rpc.request(sendRequest, { ...request, waitMs }, options).catch(() => null);
    if (reply === null) return heldBack('the notifier does not answer');
    return reply.kind === 'sending' ? this.resultOf(request.notificationId, reply.replicaId, ends) : reply;
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
