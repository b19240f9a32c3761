/**
 * The way of a request to /api/v1, in this order and each step once:
 *
 *   route -> form of the key -> admission (who, scope, limit, use) -> not revoked -> query, path, headers -> body -> owner -> answer
 *
 * Nothing of the body is read before the caller is known; nothing is asked of anybody for a key that cannot be one.
 */
import { Fault, invalid, isApiKey, type AdmitReply, type Call, type Principal } from '@ams/contracts';
import { Tokens } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { Admission, restartPauseMs } from './admission.js';
import { Asking } from './asking.js';
import type { Exchange } from './exchange.js';
import { InFlight } from './in-flight.js';
import { deprecationHeaders } from './deprecation.js';
import { Operations } from './operations.js';
import { readReply, type Reply } from './reply.js';
import {
  bearerOf,
  decodePath,
  idempotencyKeyOf,
  idempotencyOf,
  maxUrlLength,
  noneMatch,
  parseQuery,
  readBody,
  type Body,
} from './request.js';
import { parametersOf, type Route } from './routes.js';
import { ApiGatewaySettings } from './settings.js';

export const prefix = '/api/v1';

/** The window of the limit on an organization's requests (specification §8). */
const limitWindowSeconds = 60;

/** Room in a message of the broker for what travels beside the body. */
const roomBesideBody = 32 * 1024;

@Injectable()
export class V1 {
  constructor(
    @Inject(Operations) private readonly operations: Operations,
    @Inject(Admission) private readonly admission: Admission,
    @Inject(Asking) private readonly asking: Asking,
    @Inject(InFlight) private readonly inFlight: InFlight,
    @Inject(Tokens.settings) private readonly settings: ApiGatewaySettings,
  ) {}

  /** `path` begins with the prefix; `query` is what follows the question mark. Throws Faults. */
  async serve(exchange: Exchange, path: string, query: string): Promise<void> {
    const { request } = exchange;
    if ((request.url ?? '').length > maxUrlLength)
      throw invalid('', 'maxLength', `The URL is longer than ${maxUrlLength} characters.`);
    const found = this.operations.current.routes.find(request.method ?? '', path.slice(prefix.length));
    if (found.kind === 'nothing') throw new Fault('NOT_FOUND', null);
    if (found.kind === 'otherMethods') {
      if (request.method === 'OPTIONS') return exchange.answer(204, ['allow', found.allowed.join(', ')], null);
      throw new Fault('METHOD_NOT_ALLOWED', { allowed: found.allowed });
    }
    const { route } = found;
    exchange.operation = route.id;
    if (route.deprecated) exchange.always = deprecationHeaders(route.deprecated, prefix, found.values);

    const key = bearerOf(request.headers.authorization);
    if (key === null || !isApiKey(key)) throw new Fault('UNAUTHORIZED', null);
    const admitted = await this.admission.admit(key, {
      scope: route.scope,
      operation: route.operationId,
      requestId: exchange.requestId,
      ip: exchange.ip,
      userAgent: exchange.userAgent,
    });
    if (exchange.over) return;
    const principal = this.principalOf(admitted, exchange, route);
    this.inFlight.enter(principal.id, exchange);
    exchange.whenOver(() => this.inFlight.leave(principal.id, exchange));

    if (route.subject === null) return this.answerWithDocument(exchange);
    await this.pass(exchange, route, route.subject, { principal, key, path, query, values: found.values });
  }

  private principalOf(admitted: AdmitReply, exchange: Exchange, route: Route): Principal {
    switch (admitted.kind) {
      case 'admitted':
        exchange.rate = admitted.rate;
        return admitted.principal;
      case 'unauthorized':
        throw new Fault('UNAUTHORIZED', null);
      case 'insufficientScope':
        exchange.rate = admitted.rate;
        throw new Fault('INSUFFICIENT_SCOPE', { required: String(route.scope) });
      case 'limited': {
        exchange.rate = admitted.rate;
        const { limit, resetSeconds } = admitted.rate;
        throw new Fault(
          'RATE_LIMITED',
          { scope: 'organization', limit, windowSeconds: limitWindowSeconds, retryAfterSeconds: resetSeconds },
          `The limit of ${limit} requests per ${limitWindowSeconds} s of the organization is used up. Try again in ${resetSeconds} s.`,
        );
      }
      case 'unavailable':
        throw new Fault('UNAVAILABLE', { requestId: exchange.requestId });
    }
  }

  private answerWithDocument(exchange: Exchange): void {
    const { bytes, etag } = this.operations.current.document;
    if (noneMatch(exchange.request.headers['if-none-match'], etag))
      return exchange.answer(304, ['etag', etag, 'cache-control', 'no-store'], null);
    exchange.json(200, bytes, ['etag', etag]);
  }

  private async pass(
    exchange: Exchange,
    route: Route,
    subject: string,
    from: { principal: Principal; key: string; path: string; query: string; values: string[] },
  ): Promise<void> {
    const { request, requestId } = exchange;
    const query = parseQuery(from.query);
    const params = decodePath(parametersOf(route.path), from.values);
    idempotencyKeyOf(exchange); // its form, before a body is read
    const body: Body | null = route.body === 'none' ? { text: null } : await readBody(exchange, this.bodyLimit());
    if (body === null || exchange.over) return;

    const call: Omit<Call, 'body'> = {
      requestId,
      principal: from.principal,
      params,
      query,
      ifMatch: request.headers['if-match'] ?? null,
      idempotency: idempotencyOf(exchange, from.path, from.key, body),
      ip: exchange.ip,
      userAgent: exchange.userAgent,
    };
    // The body is known to be valid JSON: it goes on as it came.
    const question = `${JSON.stringify(call).slice(0, -1)},"body":${body.text ?? 'null'}}`;
    const reply = await this.askOwner(exchange, subject, question);
    if (reply === null || exchange.over) return;
    if (!reply.ok) throw reply.fault;
    this.answer(exchange, reply);
  }

  /** `null` when nobody waits for the answer any more. */
  private async askOwner(exchange: Exchange, subject: string, question: string): Promise<Reply | null> {
    const { requestId } = exchange;
    let asked = await this.asking.ask(subject, question, this.settings.callTimeoutMs);
    if (asked.kind === 'nobody') {
      // Nobody has got it, so it is safe to send it again, whatever it asks for.
      await sleep(restartPauseMs);
      if (exchange.over) return null;
      asked = await this.asking.ask(subject, question, this.settings.callTimeoutMs);
    }
    if (asked.kind === 'answer') return exchange.over ? null : readReply(asked.data, requestId);
    if (asked.kind === 'tooLarge') throw new Fault('PAYLOAD_TOO_LARGE', { limitBytes: this.bodyLimit() });
    throw new Fault('UNAVAILABLE', { requestId });
  }

  private answer(exchange: Exchange, { status, body, version }: Extract<Reply, { ok: true }>): void {
    if (status === 204) return exchange.answer(204, ['cache-control', 'no-store'], null);
    const { method, headers } = exchange.request;
    if (version === null) return exchange.json(status, body);
    const etag = `"${version}"`;
    const isRead = method === 'GET' || method === 'HEAD';
    if (isRead && noneMatch(headers['if-none-match'], etag))
      return exchange.answer(304, ['etag', etag, 'cache-control', 'no-store'], null);
    exchange.json(status, body, ['etag', etag]);
  }

  private bodyLimit(): number {
    return Math.min(this.settings.maxBodyBytes, this.asking.maxMessageBytes - roomBesideBody);
  }
}
