/**
 * Requests admission. Without a reply it is requested again with the same use id, so it counts once. A caller whose
 * limit was used up a moment ago is refused here (`LimitedCallers`).
 */
import {
  admitRequest,
  newUuid,
  type AdmitFacts,
  type AdmitReply,
  type AdmitRequest,
  type Credential,
} from '@ams/contracts';
import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { restartPauseMs } from '../rpc/owners.js';
import { RawRpcClient } from '../rpc/raw-rpc-client.js';
import { ApiGatewaySettings } from '../settings.js';
import { LimitedCallers } from './limited-callers.js';

@Injectable()
export class Admission {
  private readonly limited = new LimitedCallers();

  constructor(
    private readonly rpc: RawRpcClient,
    private readonly settings: ApiGatewaySettings,
  ) {}

  async admit(credential: Credential, facts: Omit<AdmitFacts, 'useId'>): Promise<AdmitReply> {
    const askedAt = performance.now();
    const refusal = this.limited.of(credential, askedAt);
    if (refusal) return refusal;
    const reply = await this.ask(credential, facts);
    if (reply.kind === 'limited') this.limited.note(credential, reply, askedAt, performance.now());
    return reply;
  }

  private async ask(credential: Credential, facts: Omit<AdmitFacts, 'useId'>): Promise<AdmitReply> {
    const request = JSON.stringify({ useId: newUuid(), ...credential, ...facts } satisfies AdmitRequest);
    let result = await this.rpc.request(admitRequest, request, this.settings.admitTimeoutMs);
    if (result.kind === 'noResponders') await sleep(restartPauseMs);
    if (result.kind === 'noResponders' || result.kind === 'timeout') {
      result = await this.rpc.request(admitRequest, request, this.settings.admitTimeoutMs);
    }
    return result.kind === 'reply'
      ? (JSON.parse(Buffer.from(result.data).toString()) as AdmitReply)
      : { kind: 'unavailable' };
  }
}
