/** Asks `auth` whether a request may pass. A lost admission is asked again as the same use: the log holds it once. */
import { admitSubject, credentialHash, newUuid, type AdmitReply, type AdmitRequest } from '@ams/contracts';
import { Tokens } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Asking } from './asking.js';
import { ApiGatewaySettings } from './settings.js';

/** How long a replica that takes the place of another may need to be there. */
export const restartPauseMs = 100;

@Injectable()
export class Admission {
  constructor(
    @Inject(Asking) private readonly asking: Asking,
    @Inject(Tokens.settings) private readonly settings: ApiGatewaySettings,
  ) {}

  async admit(key: string, facts: Omit<AdmitRequest, 'useId' | 'keyHash'>): Promise<AdmitReply> {
    const question = JSON.stringify({
      useId: newUuid(),
      keyHash: credentialHash(key),
      ...facts,
    } satisfies AdmitRequest);
    let asked = await this.asking.ask(admitSubject, question, this.settings.admitTimeoutMs);
    if (asked.kind === 'nobody') await sleep(restartPauseMs);
    if (asked.kind === 'nobody' || asked.kind === 'silence')
      asked = await this.asking.ask(admitSubject, question, this.settings.admitTimeoutMs);
    return asked.kind === 'answer'
      ? (JSON.parse(Buffer.from(asked.data).toString()) as AdmitReply)
      : { kind: 'unavailable' };
  }
}
