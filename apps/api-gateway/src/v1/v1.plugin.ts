/**
 * The v1 API. A request goes through these steps, in this order:
 *
 *   onRequest    operation -> key or session -> admission (who, scope, limit) -> not revoked -> path, query, headers
 *   preParsing   media type -> tells a waiting caller to send its body
 *   parsing      body, up to the limit
 *   handler      JSON -> owner -> answer
 *
 * Admission is in onRequest, not in preHandler, so that the body of an unknown caller is not read. A public operation,
 * such as signing in, has no admission: its requests are counted for each address, and their bodies are small.
 */
import {
  Fault,
  credentialHash,
  invalid,
  refusalToKeys,
  type AdmitReply,
  type Call,
  type Principal,
  type PublicCall,
  type RateLimitState,
} from '@ams/contracts';
import { networkOf } from '@ams/domain';
import { Throttle, type Edge } from '@ams/service';
import { showRoute } from '@ams/tracing';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { streamRoute } from '../docs/stream-operation.js';
import { noneMatch } from '../http/conditional.js';
import { answerOtherMethod } from '../http/methods.js';
import { holdBody } from '../http/held-body.js';
import { addressOf, isOver, userAgentOf } from '../http/request-context.js';
import { declaredLengthOf, requestBody } from '../http/unread-body.js';
import type { OwnerAnswer } from '../rpc/owner-answer.js';
import type { Owners } from '../rpc/owners.js';
import type { Target } from '../rpc/raw-rpc-client.js';
import type { Streams } from '../stream/streams.js';
import type { Admission } from './admission.js';
import { callerOf, requireOwnOrigin, sessionTokenOf, setSessionCookie, type Caller } from './caller.js';
import { deprecationHeaders } from './deprecation.js';
import type { Exports } from './exports.js';
import { Failures } from './failures.js';
import type { InFlight } from './in-flight.js';
import { readJson, requireJson } from './json-body.js';
import { nameOf } from './limited-callers.js';
import type { Route } from './operation-table.js';
import type { Operations } from './operations.js';
import type { ApiGatewaySettings } from '../settings.js';
import { decodePath, idempotencyKeyOf, idempotencyOf, maxUrlLength, parseQuery, type Query } from './parameters.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for a request to the v1 API after its admission. */
    admitted: AdmittedRequest;
  }
}

interface AdmittedRequest {
  route: Route;
  /** Null in a public operation. */
  by: { caller: Caller; principal: Principal; expiresAt: string | null } | null;
  params: Record<string, string>;
  query: Query;
  idempotencyKey: string | null;
}

export interface V1Options {
  operations: Operations;
  admission: Admission;
  inFlight: InFlight;
  exports: Exports;
  streams: Streams;
  owners: Owners;
  edge: Edge;
  settings: Pick<ApiGatewaySettings, 'publicUrl'>;
}

/** For each replica. People sign in from few addresses, and each of them seldom; auth counts failures exactly. */
export const publicRequestsPerMinute = 120;

/** The largest body of a public operation. */
const publicBodyBytes = 16 * 1024;

/** The time that a stopping replica still writes exports. Less than the default of DRAIN_SECONDS. */
const exportsStopMs = 10_000;

/** The window of the limit on an organization's requests. */
const limitWindowSeconds = 60;

export const v1: FastifyPluginAsync<V1Options> = async (app, options) => {
  const { operations, admission, inFlight, exports, streams, owners, edge } = options;
  const { publicUrl } = options.settings;
  const bodyLimit = owners.maxBodyBytes;
  const ofAddress = new Throttle(publicRequestsPerMinute);
  const failures = new Failures(edge.failures);
  app.decorateRequest('admitted');
  app.decorateReply('cut', null);
  // Streams end at once, and the exports that still run before the replica has to.
  app.addHook('preClose', (done) => {
    streams.stop();
    setTimeout(() => exports.stop(), exportsStopMs).unref();
    done();
  });

  /** The admissions of a request that counts as several, except the first one. */
  const admitFurther = (
    request: FastifyRequest,
    route: Route,
    { credential }: Caller,
    body: string | null,
  ): Promise<AdmitReply[]> =>
    Promise.all(
      Array.from({ length: countOf(route, body) - 1 }, () => admission.admit(credential, factsOf(request, route))),
    );

  /** Throws as `callerOf`. A request without a credential of the right form counts as a failure. */
  function knownForm(request: FastifyRequest): Caller {
    try {
      return callerOf(request, publicUrl);
    } catch (error) {
      if (error instanceof Fault && error.code === 'UNAUTHORIZED') {
        failures.requireFew(request, null);
        failures.count(request, null);
      }
      throw error;
    }
  }

  /** Null when the caller no longer waits. */
  async function admit(request: FastifyRequest, reply: FastifyReply, route: Route): Promise<AdmittedRequest['by']> {
    const caller = knownForm(request);
    failures.requireFew(request, caller.secret);
    const admitted = await admission.admit(caller.credential, factsOf(request, route));
    if (admitted.kind === 'unauthorized') failures.count(request, caller.secret);
    else if (admitted.kind !== 'unavailable') failures.admitted(caller.secret);
    if (admitted.kind === 'limited') await edge.refusals.turn(nameOf(caller.credential));
    if (isOver(reply)) return null;
    if (admitted.kind === 'unauthorized' && 'sessionHash' in caller.credential)
      throw new Fault('UNAUTHORIZED', null, 'The session has ended. Sign in again.');
    const principal = principalOf(admitted, route, request, reply);
    request.span?.setAttributes({
      'ams.organization.id': principal.organizationId,
      'ams.environment': principal.environment,
    });
    if (route.access === 'member' && principal.sessionId === undefined) throw refusalToKeys(route);
    inFlight.enter(principal, reply);
    return { caller, principal, expiresAt: admitted.kind === 'admitted' ? (admitted.expiresAt ?? null) : null };
  }

  function requireFewPublic(request: FastifyRequest): void {
    requireOwnOrigin(request, publicUrl);
    const retryAfterSeconds = ofAddress.secondsToWait(networkOf(addressOf(request)), performance.now());
    if (retryAfterSeconds !== null)
      throw new Fault('RATE_LIMITED', {
        scope: 'address',
        limit: publicRequestsPerMinute,
        windowSeconds: 60,
        retryAfterSeconds,
      });
  }

  app.addHook('onRequest', async (request, reply) => {
    const url = request.originalUrl;
    if (url.length > maxUrlLength) {
      throw invalid('', 'maxLength', `The URL is longer than ${maxUrlLength} characters.`);
    }
    const { '*': path } = request.params as { '*': string };
    const found = operations.current.table.find(request.method, `/${path}`);
    if (found.kind === 'nothing') throw new Fault('NOT_FOUND', null);
    if (found.kind === 'otherMethods') return answerOtherMethod(request.method, found.allowed, reply);
    const { route } = found;
    request.operation = route.id;
    showRoute(request.span, request.method, `${app.prefix}${route.path}`);
    if (route.deprecated) {
      reply.headers(deprecationHeaders(route.deprecated, app.prefix, Object.values(found.params)));
    }

    const isPublic = route.access === 'public';
    if (isPublic) requireFewPublic(request);
    const by = isPublic ? null : await admit(request, reply, route);
    // The caller closed the connection or sent a malformed body. A hijacked reply is not processed further.
    if (isOver(reply)) return reply.hijack();

    request.admitted = {
      route,
      by,
      params: decodePath(found.params),
      query: parseQuery(queryOf(url)),
      idempotencyKey: isPublic ? null : idempotencyKeyOf(request),
    };
    return undefined;
  });

  app.addHook('preParsing', (request, reply, payload, done) => {
    const length = declaredLengthOf(request);
    if (length > 0) {
      const { route, by } = request.admitted;
      if (route.body !== 'none') requireJson(request);
      if (route.access === 'public' && length > publicBodyBytes)
        throw new Fault('PAYLOAD_TOO_LARGE', { limitBytes: publicBodyBytes });
      // Fastify refuses a body above a limit before it is read.
      if (length <= bodyLimit || length === Infinity) requestBody(request, reply);
      holdBody(edge.bodies, by?.principal.organizationId ?? networkOf(addressOf(request)), request, reply);
    }
    done(null, payload);
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.all('/*', { bodyLimit }, async (request, reply) => {
    const { route, by, params, query, idempotencyKey } = request.admitted;
    if (reply.answered) return undefined;
    if (route.id === streamRoute && by !== null) {
      return streams.answer(request, reply, { principal: by.principal, expiresAt: by.expiresAt, query });
    }
    if (route.target === null) {
      const { bytes, etag } = operations.current.document;
      return answer(request, reply, { status: 200, body: bytes, etag });
    }
    const body = route.body === 'none' ? null : readJson(request.body as Buffer | undefined);
    const facts = {
      requestId: request.id,
      params,
      query,
      ifMatch: request.headers['if-match'] ?? null,
      ip: addressOf(request),
      userAgent: userAgentOf(request),
    };
    if (by === null) {
      const token = sessionTokenOf(request, publicUrl);
      const call = { ...facts, principal: null, sessionHash: token === null ? null : credentialHash(token) };
      return answerCall(request, reply, route.target, call, body);
    }
    const { principal, caller } = by;
    for (const more of await admitFurther(request, route, caller, body)) principalOf(more, route, request, reply);
    if (isOver(reply)) return undefined;
    const path = request.originalUrl.split('?', 1)[0] as string;
    const idempotency = idempotencyKey === null ? null : idempotencyOf(idempotencyKey, caller.secret, path, body);
    const call = { ...facts, principal, idempotency };
    if (route.file) {
      return exports.answer(request, reply, {
        target: route.target,
        file: route.file,
        call: { ...call, body: null },
      });
    }
    return answerCall(request, reply, route.target, call, body);
  });

  async function answerCall(
    request: FastifyRequest,
    reply: FastifyReply,
    target: Target,
    call: Omit<Call, 'body'> | Omit<PublicCall, 'body'>,
    body: string | null,
  ): Promise<FastifyReply | undefined> {
    // The body is valid JSON here, and is passed on unchanged.
    const message = `${JSON.stringify(call).slice(0, -1)},"body":${body ?? 'null'}}`;
    const owned = await owners.call({
      target,
      turnOf: isRead(request) ? (call.principal?.organizationId ?? null) : null,
      message,
      requestId: request.id,
      isOver: () => isOver(reply),
    });
    if (isOver(reply)) return undefined;
    if (!owned.ok) throw owned.fault;
    if (owned.session) setSessionCookie(request, reply, owned.session, publicUrl);
    return answerOwned(request, reply, owned);
  }
};

const factsOf = (request: FastifyRequest, route: Route): Parameters<Admission['admit']>[1] => ({
  scope: route.scope,
  operation: route.operationId,
  requestId: request.id,
  ip: addressOf(request),
  userAgent: userAgentOf(request),
});

/** More admissions than these are not requested: the owner refuses a list that is so long. */
const maxCount = 20;

/** How many requests a request counts as. */
function countOf({ counts }: Route, body: string | null): number {
  if (!counts || body === null) return 1;
  const list = (JSON.parse(body) as Record<string, unknown> | null)?.[counts.list];
  return Array.isArray(list) ? Math.min(maxCount, Math.max(1, Math.ceil(list.length / counts.perRequest))) : 1;
}

/** Throws for a caller who is not admitted. After this every answer has the state of the limit. */
function principalOf(admitted: AdmitReply, route: Route, request: FastifyRequest, reply: FastifyReply): Principal {
  if ('rate' in admitted) reply.headers(rateHeaders(admitted.rate));
  switch (admitted.kind) {
    case 'admitted':
      return admitted.principal;
    case 'unauthorized':
      throw new Fault('UNAUTHORIZED', null);
    case 'insufficientScope':
      throw new Fault(
        'INSUFFICIENT_SCOPE',
        { required: String(route.scope) },
        admitted.principal.type === 'user'
          ? `This request needs the scope ${route.scope}, which your role does not have.`
          : undefined,
      );
    case 'limited': {
      const { limit, resetSeconds } = admitted.rate;
      const { of: scope = 'organization' } = admitted;
      throw new Fault(
        'RATE_LIMITED',
        { scope, limit, windowSeconds: limitWindowSeconds, retryAfterSeconds: resetSeconds },
        `The limit of ${limit} requests per ${limitWindowSeconds} s of the ${scope} is used up. ` +
          `Try again in ${resetSeconds} s.`,
      );
    }
    case 'unavailable':
      throw new Fault('UNAVAILABLE', { requestId: request.id });
  }
}

const rateHeaders = ({ limit, remaining, resetSeconds }: RateLimitState): Record<string, string> => ({
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(remaining),
  'ratelimit-reset': String(resetSeconds),
});

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

function answerOwned(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, body, version }: Extract<OwnerAnswer, { ok: true }>,
): FastifyReply {
  if (status === 204) return reply.code(204).header('cache-control', 'no-store').send();
  return answer(request, reply, { status, body, etag: version === null ? null : `"${version}"` });
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, body, etag }: { status: number; body: Uint8Array | string; etag: string | null },
): FastifyReply {
  reply.header('cache-control', 'no-store');
  if (etag !== null) {
    reply.header('etag', etag);
    if (isRead(request) && noneMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
  }
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(body);
}
