/** POST /api/inbound/webhook/{token}: our own API for senders, and the busiest operation of the system. */
import { Fault, publicId } from '@ams/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { ourRefusal } from './answers.js';
import { listOf, Reception, repeatableOf, type Dialect, type Sorted, type Visit } from './reception.js';

export const webhookPath = '/api/inbound/webhook/';

const dialect: Dialect = {
  name: 'webhook',
  nothingNew: 200,
  messageIdHeader: 'x-amz-sns-message-id',
  refusal: ourRefusal,
};

const onlyPost = new Fault('METHOD_NOT_ALLOWED', { allowed: ['POST'] });

@Injectable()
export class Webhook {
  constructor(@Inject(Reception) private readonly reception: Reception) {}

  serveOn(http: FastifyInstance): void {
    this.reception.route(http, `${webhookPath}:token`, dialect, (visit, { token }) => this.serve(visit, token!));
  }

  private async serve(visit: Visit, token: string): Promise<void> {
    const { reception } = this;
    if (visit.request.method !== 'POST') throw onlyPost;
    const sender = await reception.admit(visit, token);
    const content = await reception.read(visit);
    if (content === null) return;
    const repeatable = repeatableOf(visit, sender, content.bytes);
    const sorted = reception.map(sender, content.payload);
    return sorted === 'handshake'
      ? reception.confirmLater(visit, sender, content.text)
      : reception.take(visit, sender, sorted, repeatable, answerOf);
  }
}

/** Written by hand: it is the most frequent text of the system. */
function answerOf({ events, faults }: Sorted, ids: readonly string[], receivedAt: string): string {
  let text = '{"data":{"events":[';
  for (let i = 0; i < events.length; i++) {
    const { event, warnings } = events[i]!;
    text += `${i > 0 ? ',' : ''}{"id":"${publicId('event', ids[i]!)}","fingerprint":${JSON.stringify(event.fingerprint)},"warnings":${listOf(warnings)}}`;
  }
  return `${text}],${faults.length > 0 ? `"faults":${JSON.stringify(faults)},` : ''}"receivedAt":"${receivedAt}"}}`;
}
