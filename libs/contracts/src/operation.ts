/**
 * An operation of the v1 API, defined once. The owner handles it, the gateway routes it, the OpenAPI document describes
 * it and tests iterate over it, all from this value. A handler that returns the wrong type does not compile.
 */
import type { Scope } from '@ams/scopes';
import type { Principal } from './principal.js';
import type { FaultCode, FieldFault } from './fault.js';

export type Class<T> = new () => T;

export type Owner = 'auth' | 'resource-api' | 'alert-pipeline' | 'workflow-engine';

/** `export`: the gateway asks the owner for one page after another, and answers with all of them as a file. */
export type ReplyKind = 'one' | 'list' | 'created' | 'none' | 'export';

/** An operation that still works and will be removed. Dates are `YYYY-MM-DD`, the start of the day in UTC. */
export interface Deprecation {
  since: string;
  /** At least twelve months after `since`. */
  sunset: string;
  /** The path of the replacing operation, as `Operation.path`; it has the same parameters. */
  successor: string;
}

/** How many requests of the limit a request counts as. */
export interface Counts {
  /** The field of the body. */
  list: string;
  perRequest: number;
}

/** The file of an operation that is an export. */
export interface ExportFile {
  /** The beginning of its name. */
  name: string;
  /** The columns of the CSV form (see `csvLine`). New ones are added at the end only. */
  columns: readonly string[];
}

export interface Operation<Q = unknown, B = unknown, R = unknown, K extends ReplyKind = ReplyKind> {
  /** `<noun>.<verb>`. The NATS subject is `rpc.<noun>.<verb>`. */
  id: string;
  operationId: string;
  owner: Owner;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to `/api/v1`, with parameters in braces. */
  path: string;
  /** `null`: any valid key may call it. It checks scopes itself. */
  scope: Scope | null;
  tag: string;
  deprecated?: Deprecation;
  summary: string;
  description: string;
  query?: Class<Q>;
  body?: Class<B>;
  /** The body may be left out. */
  bodyOptional?: boolean;
  /** Validates what the body class cannot. Its errors are returned together with those of the class. */
  check?: (body: Record<string, unknown>) => FieldFault[];
  /** The body is not stored, so its text may contain characters that the database rejects (U+0000). */
  verbatim?: boolean;
  /** Counts as one request for every `perRequest` items of a list in the body. Default: one request. */
  counts?: Counts;
  reply: K;
  item?: Class<R>;
  /** Of an export. */
  file?: ExportFile;
  /** The record of an answer with the status 202: the handler may return `Accepted` with it. */
  accepted?: Class<unknown>;
  /** Schemas that the classes refer to by `$ref` and that no class defines. */
  schemas?: Record<string, object>;
  /** The record has a version: responses have `ETag`, and requests may have `If-Match`. */
  versioned?: boolean;
  /** Error codes in addition to those that every operation can return. */
  faults?: FaultCode[];
  example: {
    params?: Record<string, string>;
    query?: Record<string, string>;
    body?: unknown;
    reply: unknown;
    /** The body of an answer with the status 202. */
    accepted?: unknown;
  };
}

export const operation = <Q = Record<string, never>, B = undefined, R = undefined, K extends ReplyKind = ReplyKind>(
  definition: Operation<Q, B, R, K>,
): Operation<Q, B, R, K> => definition;

export const subjectOf = (op: Pick<Operation, 'id'>): string => `rpc.${op.id}`;

/** The request that the gateway sends to the owner of an operation. */
export interface Call {
  requestId: string;
  principal: Principal;
  params: Record<string, string>;
  query: Record<string, string | string[]>;
  body: unknown;
  ifMatch: string | null;
  idempotency: IdempotencyRequest | null;
  ip: string | null;
  userAgent: string | null;
  /** In an export, the `nextCursor` of the previous page. The gateway sets it; callers cannot. */
  after?: string;
}

/**
 * A repeated request with the same key and body gets the stored response. It is encrypted with `sealKey`, which the
 * gateway derives from the credential of the caller, because it may contain a new API key that database readers must
 * not see.
 */
export interface IdempotencyRequest {
  key: string;
  /** SHA-256 of method, path and body, base64url. */
  fingerprint: string;
  /** 32 bytes, base64url. */
  sealKey: string;
}

export interface Page<R> {
  data: R[];
  meta: { limit: number; hasMore: boolean; nextCursor: string | null; total?: number };
}

/** What a handler receives: validated and typed. */
export interface Input<Q, B> {
  requestId: string;
  principal: Principal;
  params: Record<string, string>;
  query: Q;
  body: B;
  ifMatch: string | null;
  idempotency: IdempotencyRequest | null;
  ip: string | null;
  userAgent: string | null;
  after?: string;
}

/** The result of a handler whose work continues after the answer: the answer is 202 with this record. */
export class Accepted<J = unknown> {
  constructor(readonly record: J) {}
}

export type Output<R, K extends ReplyKind> = K extends 'list' | 'export'
  ? Page<R>
  : K extends 'none'
    ? void
    : R | Accepted;

/** For operations without query parameters. */
export type NoQuery = Record<string, never>;

export type Handler<Q, B, R, K extends ReplyKind> = (input: Input<Q, B>) => Promise<Output<R, K>>;

/** The response of the owner. The gateway maps the code of a fault to an HTTP status and an error body. */
export type Answer =
  | { ok: true; status: 200 | 201 | 202 | 204; body: unknown; version: number | null }
  | { ok: false; code: FaultCode; message: string; details: unknown };
