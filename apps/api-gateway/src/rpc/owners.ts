/** Calls to the services that own the operations. */
import { Fault } from '@ams/contracts';
import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiGatewaySettings } from '../settings.js';
import { readOwnerAnswer, type OwnerAnswer } from './owner-answer.js';
import { RawRpcClient, type Target } from './raw-rpc-client.js';

/** The time that a new replica may need until it listens. */
export const restartPauseMs = 100;

/** The bytes of a NATS message that are kept free for everything besides the body. */
const envelopeBytes = 32 * 1024;

@Injectable()
export class Owners {
  constructor(
    private readonly rpc: RawRpcClient,
    private readonly settings: ApiGatewaySettings,
  ) {}

  /** The largest body that fits into a call. */
  get maxBodyBytes(): number {
    return Math.min(this.settings.maxBodyBytes, this.rpc.maxMessageBytes - envelopeBytes);
  }

  /**
   * `call` is a Call as JSON. `isOver` returns true when the caller no longer waits for the answer; then the call is
   * not sent a second time. Throws when the owner's answer cannot be read.
   */
  async call(target: Target, call: string, requestId: string, isOver: () => boolean): Promise<OwnerAnswer> {
    let result = await this.rpc.request(target, call, this.settings.callTimeoutMs);
    if (result.kind === 'noResponders') {
      // No owner got the call, so every operation can safely be sent again.
      await sleep(restartPauseMs);
      if (!isOver()) result = await this.rpc.request(target, call, this.settings.callTimeoutMs);
    }
    if (result.kind === 'reply') return readOwnerAnswer(result.data, requestId);
    if (result.kind === 'tooLarge') {
      return { ok: false, fault: new Fault('PAYLOAD_TOO_LARGE', { limitBytes: this.maxBodyBytes }) };
    }
    return { ok: false, fault: new Fault('UNAVAILABLE', { requestId }) };
  }
}
