/**
 * Calls to the services that own the operations. What an organization reads takes turns (ADR 75): its reads of all
 * owners share few places, so much reading of one organization leaves gateway, owners and database to others. Changes
 * never wait for reads.
 */
import { Fault } from '@ams/contracts';
import { OrganizationActivity, OrganizationTurns, tooLate, type TurnLimits } from '@ams/messaging';
import { Metrics } from '@ams/service';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiGatewaySettings } from '../settings.js';
import { readOwnerAnswer, type OwnerAnswer } from './owner-answer.js';
import { RawRpcClient, type RpcResult, type Target } from './raw-rpc-client.js';

/** The time that a new replica may need until it listens. */
export const restartPauseMs = 100;

/** The bytes of a NATS message that are kept free for everything besides the body. */
const envelopeBytes = 32 * 1024;

/** The reads of one organization that are not answered. */
const readsOfOrganization: TurnLimits = {
  places: 8,
  placesBesideOthers: 1,
  pace: 0.15,
  burstMs: 500,
  onePlaceFromMs: 50,
  restAfterEachMs: 100,
  countedFromMs: 15,
  longestRestMs: 1000,
  heldMs: 300,
};

export interface OwnerCall {
  target: Target;
  /** Of a read, the organization for whose turn it waits. Null for what waits for none. */
  turnOf: string | null;
  /** A Call as JSON. */
  message: string;
  requestId: string;
  /** Returns true when the caller no longer waits for the answer. Then the call is not sent any more. */
  isOver: () => boolean;
}

@Injectable()
export class Owners implements BeforeApplicationShutdown {
  private readonly turns: OrganizationTurns;

  constructor(
    private readonly rpc: RawRpcClient,
    private readonly settings: ApiGatewaySettings,
    activity: OrganizationActivity,
    metrics: Metrics,
  ) {
    this.turns = new OrganizationTurns(readsOfOrganization, activity);
    const what = 'Reads that wait for others of their organization, of which few are asked for at once.';
    metrics.gauge('ams_gateway_reads_waiting', what, [], (gauge) => gauge.set(this.turns.waiting));
  }

  beforeApplicationShutdown(): void {
    this.turns.drain();
  }

  /** The largest body that fits into a call. */
  get maxBodyBytes(): number {
    return Math.min(this.settings.maxBodyBytes, this.rpc.maxMessageBytes - envelopeBytes);
  }

  /** Throws when the owner's answer cannot be read. */
  async call(call: OwnerCall): Promise<OwnerAnswer> {
    const { turnOf, requestId } = call;
    const until = performance.now() + this.settings.callTimeoutMs;
    const send = (): Promise<RpcResult> => this.send(call, until);
    const result = turnOf === null ? await send() : await this.turns.run(turnOf, until, send);
    if (result !== tooLate && result.kind === 'reply') return readOwnerAnswer(result.data, requestId);
    if (result !== tooLate && result.kind === 'tooLarge') {
      return { ok: false, fault: new Fault('PAYLOAD_TOO_LARGE', { limitBytes: this.maxBodyBytes }) };
    }
    return { ok: false, fault: new Fault('UNAVAILABLE', { requestId }) };
  }

  private async send({ target, message, isOver }: OwnerCall, until: number): Promise<RpcResult> {
    const request = (): Promise<RpcResult> =>
      isOver()
        ? Promise.resolve({ kind: 'timeout' })
        : this.rpc.request(target, message, Math.max(1, Math.round(until - performance.now())));
    const result = await request();
    if (result.kind !== 'noResponders') return result;
    // No owner got the call, so every operation can safely be sent again.
    await sleep(restartPauseMs);
    return request();
  }
}
