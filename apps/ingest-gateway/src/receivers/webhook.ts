/** POST /api/inbound/webhook/{token}: our own API for senders, and the busiest operation of the system. */
import { Fault, newUuid, publicId, type HandshakeTask } from '@ams/contracts';
import { withoutCredentials } from '@ams/service';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { Sender } from '../integrations/integrations.js';
import { EventStore } from '../publishing/event-store.js';
import { Admission } from './admission.js';
import { EventIntake, jsonList } from './event-intake.js';
import { Handshakes } from './handshakes.js';
import { idempotentRequestOf, type IdempotentRequest } from './idempotent-request.js';
import { mapWebhook, type MappedPayload } from './mapped-payload.js';
import { PayloadReader } from './payload-reader.js';
import { ReceiverRoutes } from './receiver-routes.js';
import { contentTypeOf, unavailable, type ReceiverApi, type RequestContext } from './request-context.js';
import { Responder } from './responder.js';

export const webhookPath = '/api/inbound/webhook/';

const api: ReceiverApi = {
  name: 'webhook',
  nothingNewStatus: 200,
  messageIdHeader: 'x-amz-sns-message-id',
};

const onlyPost = new Fault('METHOD_NOT_ALLOWED', { allowed: ['POST'] });

/** Of a mapping that waits for its turn. After a longer pause of this process nobody waits for the answer any more. */
const longestTurnMs = 5_000;

interface ReadRequest {
  mapped: MappedPayload | 'handshake';
  idempotent: IdempotentRequest | null;
}

@Injectable()
export class Webhook {
  constructor(
    private readonly routes: ReceiverRoutes,
    private readonly admission: Admission,
    private readonly reader: PayloadReader,
    private readonly store: EventStore,
    private readonly intake: EventIntake,
    private readonly handshakes: Handshakes,
    private readonly responder: Responder,
  ) {}

  addRoutes(fastify: FastifyInstance): void {
    this.routes.add(fastify, `${webhookPath}:token`, api, (context, { token }) => this.serve(context, token!));
  }

  private async serve(context: RequestContext, token: string): Promise<void> {
    if (context.request.method !== 'POST') throw onlyPost;
    const sender = await this.admission.admit(context, token);
    const read = await this.read(context, sender);
    if (read === null) return;
    const { mapped, idempotent } = read;
    return mapped === 'handshake'
      ? this.queueHandshake(context, sender, context.loggedPayload!.toString())
      : this.intake.take(context, sender, mapped, idempotent, answerBody);
  }

  /** The payload ends here: requests that wait for NATS would hold the objects of all of them. */
  private async read(context: RequestContext, sender: Sender): Promise<ReadRequest | null> {
    const content = await this.reader.read(context);
    if (content === null) return null;
    const idempotent = idempotentRequestOf(context, sender, content.bytes);
    const readAt = performance.now();
    const mapped = await mapWebhook(sender, content.payload, content.bytes.length, this.store.maxEventBytes);
    context.deadline += Math.min(performance.now() - readAt, longestTurnMs);
    return { mapped, idempotent };
  }

  private async queueHandshake(context: RequestContext, sender: Sender, text: string): Promise<void> {
    const receivedAt = context.admittedAt!;
    const task: HandshakeTask = {
      integration: { id: sender.id, organizationId: sender.organizationId, environment: sender.environment },
      recordId: newUuid(),
      receivedAt,
      requestId: withoutCredentials(context.requestId),
      contentType: contentTypeOf(context.request),
      payload: text,
    };
    if (!(await this.handshakes.queue(task, context.deadline))) throw unavailable(context);
    this.responder.respond(context, 200, `{"data":{"events":[],"receivedAt":"${receivedAt}"}}`, 'handshake');
    this.handshakes.log(task, 'waiting to be confirmed');
  }
}

/** Built without JSON.stringify, because it is the most frequent text of the system. */
function answerBody({ events, faults }: MappedPayload, ids: readonly string[], receivedAt: string): string {
  let text = '{"data":{"events":[';
  for (let i = 0; i < events.length; i++) {
    const { fingerprint, warnings } = events[i]!;
    text += `${i > 0 ? ',' : ''}{"id":"${publicId('event', ids[i]!)}",`;
    text += `"fingerprint":${JSON.stringify(fingerprint)},"warnings":${jsonList(warnings)}}`;
  }
  return `${text}],${faults.length > 0 ? `"faults":${JSON.stringify(faults)},` : ''}"receivedAt":"${receivedAt}"}}`;
}
