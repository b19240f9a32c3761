/**
 * An operation of the v1 API, said once. The owner handles it, the gateway routes it, OpenAPI describes it and the
 * tests walk over it, all from this one value; a handler whose answer has the wrong type does not compile.
 */
import type { Scope } from '@ams/scopes';
import type { Principal } from './principal.js';
import type { FaultCode, FieldFault } from './fault.js';

export type Class<T> = new () => T;

export type Owner = 'auth' | 'resource-api' | 'alert-pipeline' | 'workflow-engine';

export type ReplyKind = 'one' | 'list' | 'created' | 'none';

/** An operation that is still answered and will be removed. Dates are `YYYY-MM-DD`, the beginning of the day in UTC. */
export interface Deprecation {
  since: string;
  /** Twelve months after `since`, or later. */
  sunset: string;
  /** The path of the operation that replaces it, as `Operation.path`; it has the same parameters. */
  successor: string;
}

export interface Operation<Q = unknown, B = unknown, R = unknown, K extends ReplyKind = ReplyKind> {
  /** `<noun>.<verb>`: also the NATS subject, `rpc.<noun>.<verb>`. */
  id: string;
  operationId: string;
  owner: Owner;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/api/v1`, parameters in braces. */
  path: string;
  scope: Scope;
  tag: string;
  deprecated?: Deprecation;
  summary: string;
  description: string;
  query?: Class<Q>;
  body?: Class<B>;
  /** The request may come without a body. */
  bodyOptional?: boolean;
  /** Faults of the body beyond what its class says; they are answered together with those. */
  check?: (body: Record<string, unknown>) => FieldFault[];
  /** The body is looked at and never stored, so that its text may hold what the database cannot (U+0000). */
  verbatim?: boolean;
  reply: K;
  item?: Class<R>;
  /** Schemas that its classes refer to by `$ref` and no class describes. */
  schemas?: Record<string, object>;
  /** The record has a version: answers carry `ETag`, and `If-Match` is honoured. */
  versioned?: boolean;
  /** Codes beyond those that every operation can answer. */
  faults?: FaultCode[];
  example: { params?: Record<string, string>; query?: Record<string, string>; body?: unknown; reply: unknown };
}

export const operation = <Q = Record<string, never>, B = undefined, R = undefined, K extends ReplyKind = ReplyKind>(
  definition: Operation<Q, B, R, K>,
): Operation<Q, B, R, K> => definition;

export const subjectOf = (op: Pick<Operation, 'id'>): string => `rpc.${op.id}`;

/** What travels from the gateway to the owner of an operation. */
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
}

/**
 * The same key and body answer the first answer again. The stored answer is sealed with `sealKey`, which the gateway
 * derives from the caller's own credential: whoever reads the database cannot read the answer (it may hold a new key).
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

/** What a handler gets: validated, typed. */
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
}

export type Output<R, K extends ReplyKind> = K extends 'list' ? Page<R> : K extends 'none' ? void : R;

/** Of an operation without parameters in its query. */
export type NoQuery = Record<string, never>;

export type Handler<Q, B, R, K extends ReplyKind> = (input: Input<Q, B>) => Promise<Output<R, K>>;

/** What travels back. A fault is its code; the gateway makes status and envelope of it. */
export type Answer =
  | { ok: true; status: 200 | 201 | 204; body: unknown; version: number | null }
  | { ok: false; code: FaultCode; message: string; details: unknown };
