/**
 * Services throw errors as codes: `new Fault('NOT_FOUND', { resource, id })`. The gateways map each code to an HTTP
 * status by the table below, and every error that is not a Fault to INTERNAL_ERROR.
 */
import type { LimitKind } from '@ams/domain';

export const statusOfCode = {
  VALIDATION_ERROR: 400,
  INVALID_JSON: 400,
  INVALID_CURSOR: 400,
  BATCH_FAILED: 400,
  UNAUTHORIZED: 401,
  INVALID_INGEST_TOKEN: 401,
  INSUFFICIENT_SCOPE: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  IDEMPOTENCY_KEY_REUSED: 409,
  INVALID_STATE_TRANSITION: 409,
  RESOURCE_IN_USE: 409,
  QUOTA_EXCEEDED: 409,
  VERSION_MISMATCH: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  UNAVAILABLE: 503,
} as const;

export type FaultCode = keyof typeof statusOfCode;

export interface FieldFault {
  path: string;
  rule: string;
  message: string;
}

/** An operation of a batch that was refused, with the code and the details that it alone would have. */
export interface RefusedOperation {
  operation: string;
  code: string;
  error: string;
  details: unknown;
}

/** The first operation that was refused, and all that are known to be refused. */
export interface BatchFailure extends RefusedOperation {
  failures: RefusedOperation[];
}

/** The type of `details` for each code; `null` for codes without details. */
export interface FaultDetails {
  VALIDATION_ERROR: { fields: FieldFault[] };
  INVALID_JSON: null;
  INVALID_CURSOR: null;
  BATCH_FAILED: BatchFailure;
  UNAUTHORIZED: null;
  INVALID_INGEST_TOKEN: null;
  INSUFFICIENT_SCOPE: { required: string };
  NOT_FOUND: { resource: string; id: string } | null;
  METHOD_NOT_ALLOWED: { allowed: string[] };
  REQUEST_TIMEOUT: null;
  CONFLICT: null;
  IDEMPOTENCY_KEY_REUSED: null;
  INVALID_STATE_TRANSITION: { from: string; to: string; allowed: string[] };
  RESOURCE_IN_USE: { references: { resource: string; id: string; name?: string }[] };
  QUOTA_EXCEEDED: { kind: LimitKind; limit: number; used: number };
  VERSION_MISMATCH: { current: number };
  PAYLOAD_TOO_LARGE: { limitBytes: number };
  UNSUPPORTED_MEDIA_TYPE: null;
  RATE_LIMITED: { scope: string; limit: number; windowSeconds: number; retryAfterSeconds: number };
  INTERNAL_ERROR: { requestId: string };
  UNAVAILABLE: { requestId: string };
}

/** `suppressionWindows` is `suppression windows`. */
const nameOfLimit = (kind: LimitKind): string => kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const defaultMessage: { [C in FaultCode]: (details: FaultDetails[C]) => string } = {
  VALIDATION_ERROR: ({ fields }) =>
    fields.length === 1 && fields[0]
      ? fields[0].message
      : `The request has ${fields.length} errors; see details.fields.`,
  INVALID_JSON: () => 'The body is not valid JSON.',
  INVALID_CURSOR: () =>
    'The cursor is not valid for this list with these filters and this sort. Start again without a cursor.',
  BATCH_FAILED: ({ operation, error }) => `Nothing was changed: the operation ${operation} was refused. ${error}`,
  UNAUTHORIZED: () => 'The API key is missing, invalid, expired or revoked. Send "Authorization: Bearer <API_KEY>".',
  INVALID_INGEST_TOKEN: () => 'The ingest token is invalid or disabled.',
  INSUFFICIENT_SCOPE: ({ required }) => `This request needs the scope ${required}, which the API key does not have.`,
  NOT_FOUND: (details) =>
    details ? `There is no ${details.resource} with the id ${details.id}.` : 'No resource exists at this path.',
  METHOD_NOT_ALLOWED: ({ allowed }) => `This path accepts only ${allowed.join(', ')}.`,
  REQUEST_TIMEOUT: () => 'The request did not arrive completely in time.',
  CONFLICT: () => 'The request conflicts with the current state of the resource.',
  IDEMPOTENCY_KEY_REUSED: () => 'This Idempotency-Key was already used with a different request.',
  INVALID_STATE_TRANSITION: ({ from, to }) => `The status cannot change from ${from} to ${to}.`,
  RESOURCE_IN_USE: ({ references }) =>
    `The resource is still in use by ${references.map((r) => `${r.resource} ${r.id}`).join(', ')}.`,
  QUOTA_EXCEEDED: ({ kind, limit, used }) =>
    `The organization has ${used} ${nameOfLimit(kind)}, and at most ${limit} are allowed. Delete some, or ask the operator.`,
  VERSION_MISMATCH: ({ current }) =>
    `The record was changed meanwhile: its current version is ${current}. Read it again and repeat the change.`,
  PAYLOAD_TOO_LARGE: ({ limitBytes }) => `The body is larger than ${limitBytes} bytes.`,
  UNSUPPORTED_MEDIA_TYPE: () => 'Send the body as application/json.',
  RATE_LIMITED: ({ scope, limit, windowSeconds, retryAfterSeconds }) =>
    `The limit of ${limit} per ${windowSeconds} s ${scope} is used up. Try again in ${retryAfterSeconds} s.`,
  INTERNAL_ERROR: ({ requestId }) =>
    `An internal error occurred. Quote the request id ${requestId} when you report it.`,
  UNAVAILABLE: () => 'The service is unavailable at the moment. Try again later.',
};

export class Fault<C extends FaultCode = FaultCode> extends Error {
  override readonly name = 'Fault';

  constructor(
    readonly code: C,
    readonly details: FaultDetails[C],
    message?: string,
  ) {
    super(message ?? (defaultMessage[code] as (details: FaultDetails[C]) => string)(details));
  }

  get status(): number {
    return statusOfCode[this.code];
  }
}

export const invalid = (path: string, rule: string, message: string): Fault<'VALIDATION_ERROR'> =>
  new Fault('VALIDATION_ERROR', { fields: [{ path, rule, message }] });

/** The body of every error response. */
export interface ErrorBody {
  error: string;
  code: FaultCode;
  details: unknown;
}

export const errorBody = (fault: Fault): ErrorBody => ({
  error: fault.message,
  code: fault.code,
  details: fault.details ?? null,
});
