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
  /** The columns of the CSV form (see `csvLines`). New ones are added at the end only. */
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
  /** `null`: any valid credential may call it. It checks scopes itself. */
  scope: Scope | null;
  /** Scopes that the caller needs besides, because the answer shows what they may read. The owner checks them. */
  needs?: readonly Scope[];
  /**
   * Who may call it. Left out: a key or a signed-in member with the scope. `member`: only a signed-in member, with any
   * role. `public`: everybody, without a credential; see `publicOperation`.
   */
  access?: 'member' | 'public';
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

/** An operation that needs no credential, such as signing in. `@HandlesPublic` binds its handler. */
export interface PublicOperation<
  Q = unknown,
  B = unknown,
  R = unknown,
  K extends ReplyKind = ReplyKind,
> extends Operation<Q, B, R, K> {
  access: 'public';
  scope: null;
}

export const publicOperation = <
  Q = Record<string, never>,
  B = undefined,
  R = undefined,
  K extends ReplyKind = ReplyKind,
>(
  definition: Omit<Operation<Q, B, R, K>, 'access' | 'scope'>,
): PublicOperation<Q, B, R, K> => ({ ...definition, access: 'public', scope: null });

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

/** The request for a public operation. */
export interface PublicCall extends Omit<Call, 'principal' | 'idempotency' | 'after'> {
  principal: null;
  /** The SHA-256 of the session cookie, when the caller sent one. It proves nothing. */
  sessionHash: string | null;
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

/** What the handler of a public operation receives. */
export type PublicInput<Q, B> = Omit<Input<Q, B>, 'principal' | 'idempotency' | 'after'> & {
  sessionHash: string | null;
};

/** What becomes of the session of the caller. The API gateway sets the cookie; the token is in no body and no log. */
export type SessionChange = { token: string; expiresAt: string } | 'ended';

/** The result of a handler that begins, replaces or ends the session of the caller. */
export class WithSession<R = void> {
  constructor(
    readonly record: R,
    readonly session: SessionChange,
  ) {}
}

/** The result of a handler whose work continues after the answer: the answer is 202 with this record. */
export class Accepted<J = unknown> {
  constructor(readonly record: J) {}
}

export type Output<R, K extends ReplyKind> = K extends 'list' | 'export'
  ? Page<R>
  : K extends 'none'
    ? void | WithSession
    : R | Accepted | WithSession<R>;

/** For operations without query parameters. */
export type NoQuery = Record<string, never>;

export type Handler<Q, B, R, K extends ReplyKind> = (input: Input<Q, B>) => Promise<Output<R, K>>;

export type PublicHandler<Q, B, R, K extends ReplyKind> = (input: PublicInput<Q, B>) => Promise<Output<R, K>>;

/** The response of the owner. The gateway maps the code of a fault to an HTTP status and an error body. */
export type Answer =
  | { ok: true; status: 200 | 201 | 202 | 204; body: unknown; version: number | null; session?: SessionChange }
  | { ok: false; code: FaultCode; message: string; details: unknown };
