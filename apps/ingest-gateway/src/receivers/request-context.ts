/** What is known about a request while it is served. */
import { Fault, senderRefusal, type Refusal } from '@ams/contracts';
import { networkOf, type Received, type ReceivingApi } from '@ams/domain';
import type { Span } from '@ams/tracing';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestIdOf } from '../http/answers.js';
import { declaredLength, type Body } from '../http/body.js';
import type { Sender } from '../integrations/integrations.js';

/** An API that senders use: ours, or a drop-in API. */
export interface ReceiverApi {
  readonly name: ReceivingApi;
  /** The status of a valid request that stored nothing new. */
  readonly nothingNewStatus: 200 | 202;
  /** A header whose message id is an idempotency key in addition to `Idempotency-Key`; `null` for none. */
  readonly messageIdHeader: string | null;
}

export interface RequestContext {
  readonly api: ReceiverApi;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Undefined while traces are off, and for most requests when few are traced. */
  readonly span: Span | undefined;
  /** The sender's network (`networkOf`). */
  readonly network: string;
  /** A time of `performance.now()`, like `deadline`. */
  readonly started: number;
  /** Until when NATS must have stored the events. It moves on while the request waits for its organization's turn. */
  deadline: number;
  /** The length that the sender declared; `null` when it did not. */
  readonly declaredLength: number | null;
  /** The body, once reading it has begun. */
  body: Body | Promise<Body> | null;
  /** The sender's credential. It is removed from everything that is stored. */
  token: string | null;
  sender: Sender | null;
  /** When the request passed the rate limit. */
  admittedAt: string | null;
  /** The body for the request log of the integration, as a text or as its UTF-8. */
  loggedPayload: string | Buffer | null;
  /** The information of the request that is not in its body, as far as it is known. */
  received: Received;
}

/** `address`: the sender's. `storeTimeoutMs`: how long the request may wait for NATS. */
export function newRequestContext(
  api: ReceiverApi,
  request: IncomingMessage,
  response: ServerResponse,
  address: string,
  { storeTimeoutMs, span }: { storeTimeoutMs: number; span: Span | undefined },
): RequestContext {
  const started = performance.now();
  return {
    api,
    request,
    response,
    started,
    span,
    requestId: requestIdOf(request),
    network: networkOf(address),
    deadline: started + storeTimeoutMs,
    declaredLength: declaredLength(request),
    body: null,
    token: null,
    sender: null,
    admittedAt: null,
    loggedPayload: null,
    received: { api: api.name, operation: null, alertKey: null },
  };
}

/** The error in the form of the API. */
export const refusalOf = ({ api, requestId, started }: RequestContext, fault: Fault): Refusal =>
  senderRefusal(api.name, fault, { requestId, tookMs: performance.now() - started });

export const invalidToken = new Fault('INVALID_INGEST_TOKEN', null);

export const unavailable = ({ requestId }: RequestContext): Fault => new Fault('UNAVAILABLE', { requestId });

export const contentTypeOf = (request: IncomingMessage): string | null =>
  request.headers['content-type']?.slice(0, 200) ?? null;
