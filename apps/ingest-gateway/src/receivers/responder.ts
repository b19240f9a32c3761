/** Answers requests of senders, counts them, and adds them to the request log of the integration. */
import { Fault, newUuid } from '@ams/contracts';
import { Logger } from '@ams/messaging';
import { Metrics, withoutCredentials } from '@ams/service';
import { endSpan, failSpan, refuseSpan } from '@ams/tracing';
import { Injectable } from '@nestjs/common';
import { answer, answerAndClose, answerFault } from '../http/answers.js';
import type { Sender } from '../integrations/integrations.js';
import { RequestLog, type LoggedRequest } from '../publishing/request-log.js';
import { IngestSettings } from '../settings.js';
import type { MappedPayload } from './mapped-payload.js';
import { contentTypeOf, refusalOf, type RequestContext } from './request-context.js';

type RequestOutcome =
  LoggedRequest['outcome'] | 'limited' | 'unauthorized' | 'unavailable' | 'refused' | 'aborted' | 'failed' | 'asked';

/** Replaces a token in everything that is stored. */
export const hiddenToken = '[hidden]';

/** The outcome as which a fault is counted. Any other fault is `rejected`, a mistake of the sender. */
const outcomeOf: Partial<Record<Fault['code'], RequestOutcome>> = {
  INVALID_INGEST_TOKEN: 'unauthorized',
  RATE_LIMITED: 'limited',
  REQUEST_TIMEOUT: 'aborted',
  UNAVAILABLE: 'unavailable',
  METHOD_NOT_ALLOWED: 'refused',
  NOT_FOUND: 'refused',
};

@Injectable()
export class Responder {
  private readonly requests;
  private readonly duration;

  constructor(
    private readonly settings: IngestSettings,
    private readonly log: Logger,
    metrics: Metrics,
    private readonly requestLog: RequestLog,
  ) {
    this.requests = metrics.counter('ams_ingest_requests_total', 'Requests of senders, by API and outcome.', [
      'api',
      'outcome',
    ]);
    this.duration = metrics.durations('ams_ingest_duration_seconds', 'From the headers of a request to its answer.');
  }

  respond(context: RequestContext, status: number, body: string, outcome: RequestOutcome): void {
    answer(context.response, status, context.requestId, body, false);
    this.count(context, outcome);
  }

  /** Answers an error that was thrown while the request was served. */
  fail(context: RequestContext, error: unknown): void {
    if (error instanceof Fault) return this.reject(context, error);
    this.log.error({ err: error, requestId: context.requestId }, 'a request failed');
    if (context.response.headersSent) context.response.destroy();
    else this.refuse(context, new Fault('INTERNAL_ERROR', { requestId: context.requestId }), 'failed');
  }

  /** Answers an error, and logs the request if it was admitted. */
  reject(context: RequestContext, fault: Fault, mapped?: MappedPayload): void {
    this.refuse(context, fault, outcomeOf[fault.code] ?? 'rejected');
    const { sender, admittedAt, loggedPayload } = context;
    const notStored = fault.code === 'UNAVAILABLE';
    if (sender === null || admittedAt === null || (notStored && loggedPayload === null)) return;
    const items = mapped === undefined ? '[]' : `[${mapped.otherItems.join(',')}]`;
    const note = notStored
      ? 'It could not be stored; the sender was asked to send it again.'
      : mapped === undefined
        ? fault.message
        : null;
    this.record(context, sender, {
      receivedAt: admittedAt,
      outcome: 'rejected',
      status: refusalOf(context, fault).status,
      note,
      stored: 0,
      items,
    });
  }

  record(
    context: RequestContext,
    sender: Sender,
    facts: Pick<LoggedRequest, 'receivedAt' | 'outcome' | 'status' | 'note' | 'stored' | 'items'>,
  ): void {
    const { token, received, loggedPayload, request, requestId } = context;
    const withoutToken = (text: string | null): string | null =>
      text === null || token === null ? text : text.replaceAll(token, hiddenToken);
    const hasToken = (payload: string | Buffer | null): boolean => token !== null && payload?.includes(token) === true;
    this.requestLog.add(sender, {
      id: newUuid(),
      ...received,
      alertKey: withoutToken(received.alertKey),
      contentType: contentTypeOf(request),
      requestId: withoutCredentials(requestId),
      payload: hasToken(loggedPayload) ? withoutToken(loggedPayload!.toString()) : loggedPayload,
      ...facts,
    });
  }

  count(context: RequestContext, outcome: RequestOutcome): void {
    const { api, requestId, sender, started, span } = context;
    const ms = performance.now() - started;
    this.requests.inc({ api: api.name, outcome });
    this.duration.observe(ms / 1000);
    if (this.log.isLevelEnabled('debug')) {
      const facts = { requestId, integrationId: sender?.id, api: api.name, outcome, ms: Math.round(ms) };
      this.log.debug(facts, 'served');
    }
    if (!span) return;
    const { statusCode, headersSent } = context.response;
    span.setAttribute('ams.ingest.outcome', outcome);
    if (headersSent) span.setAttribute('http.response.status_code', statusCode);
    if (sender)
      span.setAttributes({
        'ams.organization.id': sender.organizationId,
        'ams.environment': sender.environment,
        'ams.integration.id': sender.id,
      });
    if (headersSent && statusCode >= 500) failSpan(span, String(statusCode));
    endSpan(span);
  }

  /** The connection is closed when the body came too slowly, or its unread rest is long or has an unknown length. */
  private refuse(context: RequestContext, fault: Fault, outcome: RequestOutcome): void {
    const { request, response, requestId, declaredLength } = context;
    const isShort = declaredLength !== null && declaredLength <= this.settings.maxBodyBytes;
    refuseSpan(context.span, fault.code);
    const refusal = refusalOf(context, fault);
    const isSlow = fault.code === 'REQUEST_TIMEOUT';
    if (request.complete || (isShort && !isSlow)) answerFault(response, fault, requestId, isSlow, refusal);
    else answerAndClose(request, response, fault, requestId, refusal);
    this.count(context, outcome);
  }
}
