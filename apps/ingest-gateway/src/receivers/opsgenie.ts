/**
 * Opsgenie's alert API. A tool needs only another URL, and the ingest token as its API key, to send to this service:
 * create, close and acknowledge by alias. Source: https://docs.opsgenie.com/docs/alert-api, and for statuses and bodies
 * https://docs.opsgenie.com/docs/response (401 for an invalid key, 400 for invalid JSON, 422 for invalid fields).
 *
 *   POST /v2/alerts                                             create
 *   POST /v2/alerts/{alias}/close|acknowledge                   with identifierType=alias
 *   PUT  /v2/alerts/{alias}/message|description|priority        accepted and ignored: see `updates`
 *   GET  /v2/alerts/requests/{requestId}                        success: requests are answered after they succeeded
 */
import { Fault } from '@ams/contracts';
import { dropInBody, dropInPayload, type DropInBody, type DropInRequest, type OpsgenieOperation } from '@ams/domain';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { Refusal } from '../http/answers.js';
import { EventStore } from '../publishing/event-store.js';
import { Admission } from './admission.js';
import { EventIntake } from './event-intake.js';
import { idempotentRequestOf } from './idempotent-request.js';
import { mapImitated } from './mapped-payload.js';
import { PayloadReader, setLoggedPayload } from './payload-reader.js';
import { ReceiverRoutes } from './receiver-routes.js';
import type { ReceiverApi, RequestContext } from './request-context.js';
import { Responder } from './responder.js';

export const opsgeniePrefixes = ['/v2/alerts', '/api/inbound/opsgenie/v2/alerts'];

const api: ReceiverApi = {
  name: 'opsgenie',
  nothingNewStatus: 202,
  messageIdHeader: null,
  refusal: opsgenieRefusal,
};

/** The operation of a request, by its method and URL. */
export type OpsgenieRequest =
  | { kind: 'alert'; operation: OpsgenieOperation; alias: string | null }
  | { kind: 'result'; requestId: string }
  | { kind: 'refused'; fault: Fault };

@Injectable()
export class Opsgenie {
  constructor(
    private readonly routes: ReceiverRoutes,
    private readonly admission: Admission,
    private readonly reader: PayloadReader,
    private readonly store: EventStore,
    private readonly intake: EventIntake,
    private readonly responder: Responder,
  ) {}

  addRoutes(fastify: FastifyInstance): void {
    for (const prefix of opsgeniePrefixes) {
      for (const path of [prefix, `${prefix}/*`]) {
        this.routes.add(fastify, path, api, (context) => this.serve(context, prefix));
      }
    }
  }

  private async serve(context: RequestContext, prefix: string): Promise<void> {
    const { method = '', url = '', headers } = context.request;
    const asked = opsgenieRequestOf(method, url.slice(prefix.length));
    const token = tokenOf(headers.authorization);
    if (asked.kind === 'result') {
      await this.admission.identify(context, token);
      return this.responder.respond(context, 200, resultOf(context, asked.requestId), 'asked');
    }
    const sender = await this.admission.admit(context, token);
    if (asked.kind === 'refused') throw asked.fault;
    const request: DropInRequest = { api: 'opsgenie', operation: asked.operation, alertKey: asked.alias };
    context.received = request;
    const content = await this.reader.read(context);
    if (content === null) return;
    const idempotent = idempotentRequestOf(context, sender, content.bytes, `${method} ${url}`);
    const body = bodyOf(content.payload);
    if (request.operation !== 'update') setLoggedPayload(context, dropInPayload(request, body));
    const mapped = mapImitated(sender, request, body, this.store.maxEventBytes);
    return this.intake.take(context, sender, mapped, idempotent, () => processed(context));
  }
}

/** `rest` is the URL after `/v2/alerts`: an optional path and an optional query. */
export function opsgenieRequestOf(method: string, rest: string): OpsgenieRequest {
  const [path = '', query = ''] = rest.split('?', 2);
  const below = path.replace(/^\/|\/$/g, '');
  if (below === '')
    return method === 'POST' ? { kind: 'alert', operation: 'create', alias: null } : refused(onlyTakes('POST'));
  const segments = below.split('/');
  const [identifier, action] = segments.map(decoded);
  if (identifier === null || action === null) return refused(nothingThere);
  if (identifier === undefined || action === undefined || segments.length > 2) return refused(notSupported);
  if (identifier === 'requests')
    return method === 'GET' ? { kind: 'result', requestId: action } : refused(onlyTakes('GET'));
  const operation = action === 'close' || action === 'acknowledge' ? action : updates.has(action) ? 'update' : null;
  if (operation === null) return refused(notSupported);
  const takes = operation === 'update' ? ['PUT', 'POST'] : ['POST'];
  if (!takes.includes(method)) return refused(onlyTakes(...takes));
  if (new URLSearchParams(query).get('identifierType') !== 'alias' || identifier === '') return refused(onlyAliases);
  return { kind: 'alert', operation, alias: identifier };
}

/**
 * Alertmanager sends these (`update_alerts`) directly after a create with the same texts. Here a create for an open
 * alert already updates its texts.
 */
const updates = new Set(['message', 'description', 'priority']);

const refused = (fault: Fault): OpsgenieRequest => ({ kind: 'refused', fault });

const nothingThere = new Fault('NOT_FOUND', null);
const notSupported = new Fault(
  'NOT_FOUND',
  null,
  'Of the alert API this service takes create, and close and acknowledge by alias.',
);
const onlyTakes = (...allowed: string[]): Fault => new Fault('METHOD_NOT_ALLOWED', { allowed });
const onlyAliases = new Fault('VALIDATION_ERROR', {
  fields: [
    {
      path: 'identifierType',
      rule: 'enum',
      message:
        'Alerts are known here by their alias only: send identifierType=alias and the alias. ' +
        'id and tiny are not supported.',
    },
  ],
});

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

const tokenOf = (authorization: string | undefined): string | null =>
  /^GenieKey +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? null;

function bodyOf(payload: unknown): DropInBody {
  const body = dropInBody(payload);
  if (body !== null) return body;
  throw new Fault('INVALID_JSON', null, 'The body must be a JSON object.');
}

/** Seconds. */
const took = ({ started }: Pick<RequestContext, 'started'>): number => Math.round(performance.now() - started) / 1000;

const processed = (context: RequestContext): string =>
  JSON.stringify({ result: 'Request will be processed', took: took(context), requestId: context.requestId });

const resultOf = (context: RequestContext, requestId: string): string =>
  JSON.stringify({
    data: { success: true, isSuccess: true, status: 'Request is processed' },
    took: took(context),
    requestId,
  });

/** Opsgenie's names of our fields. */
const opsgenieNames: Record<string, string> = {
  title: 'message',
  severity: 'priority',
  status: 'action',
  fingerprint: 'alias',
};

export function opsgenieRefusal(fault: Fault, context: Pick<RequestContext, 'started' | 'requestId'>): Refusal {
  const { code, details } = fault;
  const refusalOf = (status: number, message: string, more: object = {}): Refusal => ({
    status,
    body: JSON.stringify({ message, ...more, took: took(context), requestId: context.requestId }),
  });
  if (code === 'INVALID_INGEST_TOKEN') {
    return refusalOf(
      401,
      'Could not authenticate: the API key is no token of an integration here, or of one that is disabled. ' +
        'Send "Authorization: GenieKey <token>".',
    );
  }
  if (code !== 'VALIDATION_ERROR') return refusalOf(fault.status, fault.message);
  const errors = (details as Fault<'VALIDATION_ERROR'>['details']).fields.map(({ path, message }) => [
    opsgenieNames[path] ?? path,
    message,
  ]);
  return refusalOf(422, 'Request is not processable. Please check the errors.', {
    errors: Object.fromEntries(errors) as Record<string, string>,
  });
}
