/**
 * Opsgenie's alert API as its clients know it, so that a tool switches to us by changing the URL, with the ingest token as API
 * key: create, close and acknowledge by alias. Source: https://docs.opsgenie.com/docs/alert-api, and for statuses and bodies
 * https://docs.opsgenie.com/docs/response (401 for a key that is not valid, 400 for JSON only, 422 for what it says).
 *
 *   POST /v2/alerts                                             create
 *   POST /v2/alerts/{alias}/close|acknowledge                   with identifierType=alias
 *   PUT  /v2/alerts/{alias}/message|description|priority        taken and ignored: see `updates`
 *   GET  /v2/alerts/requests/{requestId}                        says that it succeeded: no request is answered before it did
 */
import { Fault } from '@ams/contracts';
import { dropInBody, dropInPayload, type DropInBody, type DropInRequest, type OpsgenieOperation } from '@ams/domain';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import type { Refusal } from './answers.js';
import { keep, Reception, repeatableOf, type Dialect, type Visit } from './reception.js';

export const prefixes = ['/v2/alerts', '/api/inbound/opsgenie/v2/alerts'];

const dialect: Dialect = { name: 'opsgenie', nothingNew: 202, messageIdHeader: null, refusal };

/** What a request asks for, read from its line. */
export type Asked =
  | { kind: 'alert'; operation: OpsgenieOperation; alias: string | null }
  | { kind: 'result'; requestId: string }
  | { kind: 'refused'; fault: Fault };

@Injectable()
export class Opsgenie {
  constructor(@Inject(Reception) private readonly reception: Reception) {}

  serveOn(http: FastifyInstance): void {
    for (const prefix of prefixes) {
      for (const path of [prefix, `${prefix}/*`])
        this.reception.route(http, path, dialect, (visit) => this.serve(visit, prefix));
    }
  }

  private async serve(visit: Visit, prefix: string): Promise<void> {
    const { reception } = this;
    const { method = '', url = '', headers } = visit.request;
    const asked = askedIn(method, url.slice(prefix.length));
    const token = tokenOf(headers.authorization);
    if (asked.kind === 'result') {
      await reception.identify(visit, token);
      return reception.done(visit, 200, resultOf(visit, asked.requestId), 'asked');
    }
    const sender = await reception.admit(visit, token);
    if (asked.kind === 'refused') throw asked.fault;
    const request: DropInRequest = { api: 'opsgenie', operation: asked.operation, alertKey: asked.alias };
    visit.received = request;
    const content = await reception.read(visit);
    if (content === null) return;
    const repeatable = repeatableOf(visit, sender, content.bytes, `${method} ${url}`);
    const body = bodyOf(content.payload);
    if (request.operation !== 'update') keep(visit, dropInPayload(request, body));
    return reception.take(visit, sender, reception.mapDropIn(sender, request, body), repeatable, () =>
      processed(visit),
    );
  }
}

/** `rest` is what stands behind `/v2/alerts`: nothing, or a path, and a query. */
export function askedIn(method: string, rest: string): Asked {
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
 * Alertmanager sends these (`update_alerts`) right after a create that says the same: with us a create for an alert that is
 * open brings the newest words already.
 */
const updates = new Set(['message', 'description', 'priority']);

const refused = (fault: Fault): Asked => ({ kind: 'refused', fault });

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
        'Alerts are known here by their alias only: send identifierType=alias and the alias. id and tiny are not supported.',
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
const took = ({ started }: Pick<Visit, 'started'>): number => Math.round(performance.now() - started) / 1000;

const processed = (visit: Visit): string =>
  JSON.stringify({ result: 'Request will be processed', took: took(visit), requestId: visit.requestId });

const resultOf = (visit: Visit, requestId: string): string =>
  JSON.stringify({
    data: { success: true, isSuccess: true, status: 'Request is processed' },
    took: took(visit),
    requestId,
  });

/** Of our fields the names that the sender knows. */
const theirNames: Record<string, string> = {
  title: 'message',
  severity: 'priority',
  status: 'action',
  fingerprint: 'alias',
};

export function refusal(fault: Fault, visit: Pick<Visit, 'started' | 'requestId'>): Refusal {
  const { code, details } = fault;
  const said = (status: number, message: string, more: object = {}): Refusal => ({
    status,
    body: JSON.stringify({ message, ...more, took: took(visit), requestId: visit.requestId }),
  });
  if (code === 'INVALID_INGEST_TOKEN')
    return said(
      401,
      'Could not authenticate: the API key is no token of an integration here, or of one that is disabled. Send "Authorization: GenieKey <token>".',
    );
  if (code !== 'VALIDATION_ERROR') return said(fault.status, fault.message);
  const errors = (details as Fault<'VALIDATION_ERROR'>['details']).fields.map(({ path, message }) => [
    theirNames[path] ?? path,
    message,
  ]);
  return said(422, 'Request is not processable. Please check the errors.', {
    errors: Object.fromEntries(errors) as Record<string, string>,
  });
}
