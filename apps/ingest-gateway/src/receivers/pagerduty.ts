/**
 * PagerDuty's Events API v2. A tool needs only another URL to send to this service: POST /v2/enqueue, and for change
 * events /v2/change/enqueue, with the ingest token as `routing_key`. The statuses are 202, 400 (clients do not retry),
 * 429 and 5xx (clients retry). Sources: https://developer.pagerduty.com/docs/events-api-v2-overview and the schema in
 * github.com/PagerDuty/api-schema (reference/events-v2).
 *
 * An unknown routing key is answered 400: this API has no 401, and clients show the errors of a 400. Severities,
 * sources and details are checked less strictly than by PagerDuty.
 */
import { Fault, newUuid, type FieldFault } from '@ams/contracts';
import { dedupKeyOf, dropInBody, wordIn, type DropInBody, type DropInRequest } from '@ams/domain';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { createHash } from 'node:crypto';
import { EventStore } from '../publishing/event-store.js';
import { Admission } from './admission.js';
import { EventIntake } from './event-intake.js';
import { idempotentRequestOf, type IdempotentRequest } from './idempotent-request.js';
import { mapImitated } from './mapped-payload.js';
import { PayloadReader, setLoggedPayload } from './payload-reader.js';
import { ReceiverRoutes } from './receiver-routes.js';
import type { ReceiverApi, RequestContext } from './request-context.js';
import { hiddenToken } from './responder.js';

const prefixes = ['', '/api/inbound/pagerduty'];

const onlyPost = new Fault('METHOD_NOT_ALLOWED', { allowed: ['POST'] });

const api: ReceiverApi = { name: 'pagerduty', nothingNewStatus: 202, messageIdHeader: null };

@Injectable()
export class PagerDuty {
  constructor(
    private readonly routes: ReceiverRoutes,
    private readonly admission: Admission,
    private readonly reader: PayloadReader,
    private readonly store: EventStore,
    private readonly intake: EventIntake,
  ) {}

  addRoutes(fastify: FastifyInstance): void {
    for (const prefix of prefixes) {
      this.routes.add(fastify, `${prefix}/v2/enqueue`, api, (context) => this.serve(context, 'alert'));
      this.routes.add(fastify, `${prefix}/v2/change/enqueue`, api, (context) => this.serve(context, 'change'));
    }
  }

  private async serve(context: RequestContext, kind: 'alert' | 'change'): Promise<void> {
    if (context.request.method !== 'POST') throw onlyPost;
    // The routing key is in the body, so the body is read before the sender is known.
    const content = await this.reader.read(context);
    if (content === null) return;
    const event = eventOf(content.payload, kind);
    setLoggedPayload(context, { ...event, routing_key: hiddenToken });
    const sender = await this.admission.admit(context, routingKeyOf(event));
    const idempotent = idempotentRequestOf(context, sender, content.bytes, api.name);
    const ownKey = dedupKeyOf(event);
    const dedupKey = ownKey ?? newDedupKey(idempotent);
    const request: DropInRequest = { api: 'pagerduty', operation: null, alertKey: ownKey === null ? dedupKey : null };
    context.received = request;
    const mapped = mapImitated(sender, request, event, this.store.maxEventBytes);
    const body = JSON.stringify(
      kind === 'change'
        ? { status: 'success', message: 'Change event processed' }
        : { status: 'success', message: 'Event processed', dedup_key: dedupKey },
    );
    return this.intake.take(context, sender, mapped, idempotent, () => body);
  }
}

/** The path says that an event is a change. The marker is stored with it, for a replay. */
function eventOf(payload: unknown, kind: 'alert' | 'change'): DropInBody {
  const event = dropInBody(payload);
  if (event !== null && kind === 'change') return { ...event, event_action: 'change' };
  if (event !== null && event['event_action'] !== 'change') return event;
  if (event !== null)
    throw new Fault('VALIDATION_ERROR', {
      fields: [fault('event_action', 'enum', "'event_action' is invalid: change events go to /v2/change/enqueue")],
    });
  throw new Fault('VALIDATION_ERROR', { fields: [fault('', 'type', 'the event must be a JSON object')] });
}

/** Throws when the event has no routing key, or one of the wrong length. */
function routingKeyOf({ routing_key: key }: DropInBody): string {
  if (wordIn(key) === null)
    throw new Fault('VALIDATION_ERROR', {
      fields: [fault('routing_key', 'required', "'routing_key' is missing or blank")],
    });
  const text = String(key);
  if (text.length === routingKeyLength) return text;
  throw new Fault('VALIDATION_ERROR', {
    fields: [
      fault('routing_key', 'length', `Length of 'routing_key' is incorrect (should be ${routingKeyLength} characters)`),
    ],
  });
}

const routingKeyLength = 32;

const fault = (path: string, rule: string, message: string): FieldFault => ({ path, rule, message });

/** The key of an event that was sent without one. A repetition of the same request gets the same key. */
const newDedupKey = (idempotent: IdempotentRequest | null): string =>
  idempotent === null
    ? newUuid().replaceAll('-', '')
    : createHash('sha256').update(idempotent.key).digest('hex').slice(0, 32);
