/**
 * Opsgenie's alert API. A tool needs only another URL, and the ingest token as its API key, to send to this service. A
 * request that changes an alert is stored as an event and answered 202, as Opsgenie does. The alert pipeline finds the
 * alert of an id, and answers every read. A sender sees the alerts of its own integration only.
 */
import {
  Fault,
  isUuid,
  publicId,
  senderAlertRequest,
  senderAlertsRequest,
  senderEventRequest,
  uuidOf,
  type Alert,
  type SenderAlertKey,
} from '@ams/contracts';
import { dropInBody, dropInPayload, fingerprintOfAlias, type DropInBody, type DropInRequest } from '@ams/domain';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { Sender } from '../integrations/integrations.js';
import { EventStore } from '../publishing/event-store.js';
import { Admission } from './admission.js';
import { alertsQueryOf } from './alerts-query.js';
import { EventIntake } from './event-intake.js';
import { idempotentRequestOf } from './idempotent-request.js';
import { mapImitated } from './mapped-payload.js';
import { alertBody, answerOf, processed, resultOf } from './opsgenie-answers.js';
import {
  opsgenieRequestOf,
  type AlertIdentifier,
  type ChangeRequest,
  type OpsgenieRequest,
} from './opsgenie-request.js';
import { PayloadReader, setLoggedPayload } from './payload-reader.js';
import { ReceiverRoutes } from './receiver-routes.js';
import type { ReceiverApi, RequestContext } from './request-context.js';
import { Responder } from './responder.js';
import { SenderRequests } from './sender-requests.js';

const prefixes = ['/v2/alerts', '/api/inbound/opsgenie/v2/alerts'];

export const opsgenieApi: ReceiverApi = {
  name: 'opsgenie',
  nothingNewStatus: 202,
  messageIdHeader: null,
};

@Injectable()
export class Opsgenie {
  constructor(
    private readonly routes: ReceiverRoutes,
    private readonly admission: Admission,
    private readonly reader: PayloadReader,
    private readonly store: EventStore,
    private readonly intake: EventIntake,
    private readonly responder: Responder,
    private readonly requests: SenderRequests,
  ) {}

  addRoutes(fastify: FastifyInstance): void {
    for (const prefix of prefixes) {
      for (const path of [prefix, `${prefix}/*`]) {
        this.routes.add(fastify, path, opsgenieApi, (context) => this.serve(context, prefix));
      }
    }
  }

  private async serve(context: RequestContext, prefix: string): Promise<void> {
    const { method = '', url = '', headers } = context.request;
    const asked = opsgenieRequestOf(method, url.slice(prefix.length));
    const token = tokenOf(headers.authorization);
    if (asked.kind === 'result') {
      const sender = await this.admission.identify(context, token);
      return this.answer(context, await this.result(context, sender, asked.requestId));
    }
    const sender = await this.admission.admit(context, token);
    if (asked.kind === 'create' || asked.kind === 'change') return this.take(context, sender, asked);
    return this.answer(context, await this.read(context, sender, asked));
  }

  private answer(context: RequestContext, body: string): void {
    this.responder.respond(context, 200, body, 'asked');
  }

  private async take(
    context: RequestContext,
    sender: Sender,
    asked: ChangeRequest | { kind: 'create' },
  ): Promise<void> {
    const { method = '', url = '' } = context.request;
    const request = asked.kind === 'create' ? createRequest : await this.changeRequest(context, sender, asked);
    context.received = request;
    const content = await this.reader.read(context);
    if (content === null) return;
    const idempotent = idempotentRequestOf(context, sender, content.bytes, `${method} ${url}`);
    const sent = bodyOf(content.payload);
    const body =
      asked.kind === 'change' && asked.action !== null ? { ...sent, ...asked.fromQuery, action: asked.action } : sent;
    setLoggedPayload(context, dropInPayload(request, body));
    const mapped = mapImitated(sender, request, body, this.store.maxEventBytes);
    return this.intake.take(context, sender, mapped, idempotent, (_mapped, ids) => processed(context, ids[0] ?? null));
  }

  /** Throws NOT_FOUND when this sender has no alert with the id. */
  private async changeRequest(
    context: RequestContext,
    sender: Sender,
    { operation, alert }: ChangeRequest,
  ): Promise<DropInRequest> {
    if (alert.type === 'alias') return { api: 'opsgenie', operation, alertKey: alert.alias };
    const { id, fingerprint } = await this.alert(context, sender, alert);
    return { api: 'opsgenie', operation, alertKey: fingerprint, isFingerprint: true, alertId: uuidOf('alert', id)! };
  }

  private async read(
    context: RequestContext,
    sender: Sender,
    asked: Exclude<OpsgenieRequest, ChangeRequest | { kind: 'create' | 'result' }>,
  ): Promise<string> {
    if (asked.kind === 'refused') throw asked.fault;
    if (asked.kind === 'get')
      return answerOf(context, { data: alertBody(await this.alert(context, sender, asked.alert)) });
    const { alias, ...query } = alertsQueryOf(asked.query);
    const fingerprint = alias === undefined ? {} : { fingerprint: fingerprintOf(sender, alias) };
    const { alerts, count } = await this.requests.ask(context, sender, senderAlertsRequest, {
      query: { ...query, ...fingerprint },
    });
    return answerOf(context, { data: asked.kind === 'count' ? { count } : alerts.map(alertBody) });
  }

  private async alert(context: RequestContext, sender: Sender, identifier: AlertIdentifier): Promise<Alert> {
    const key: SenderAlertKey =
      identifier.type === 'id' ? { id: identifier.id } : { fingerprint: fingerprintOf(sender, identifier.alias) };
    const { alert } = await this.requests.ask(context, sender, senderAlertRequest, { key });
    if (alert !== null) return alert;
    const named = identifier.type === 'id' ? `id [${identifier.id}]` : `alias [${identifier.alias}]`;
    throw new Fault('NOT_FOUND', null, `Alert with ${named} does not exist.`);
  }

  private async result(context: RequestContext, sender: Sender, requestId: string): Promise<string> {
    const { result } = isUuid(requestId)
      ? await this.requests.ask(context, sender, senderEventRequest, { eventId: requestId })
      : { result: null };
    if (result === null) throw new Fault('NOT_FOUND', null, 'Request not found. It might not be processed, yet.');
    return resultOf(context, requestId, publicId('integration', sender.id), result);
  }
}

const createRequest: DropInRequest = { api: 'opsgenie', operation: 'create', alertKey: null };

/** An alias that the mapping refuses names no alert. */
const fingerprintOf = (sender: Sender, alias: string): string =>
  fingerprintOfAlias(sender.dropIn('opsgenie'), alias) ?? '';

export const tokenOf = (authorization: string | undefined): string | null =>
  /^GenieKey +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null;

export function bodyOf(payload: unknown): DropInBody {
  const body = dropInBody(payload);
  if (body !== null) return body;
  throw new Fault('INVALID_JSON', null, 'The body must be a JSON object.');
}
