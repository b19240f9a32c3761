/**
 * The requests that are being served, by key or session. A revocation of a key, or the end of a session, answers 401 to
 * each of them at once, or ends its export or stream, and is acknowledged after that. It is remembered for some time, for
 * requests that were admitted before it and whose admission arrives after it.
 */
import {
  changePassword,
  Fault,
  keyRevokedRequest,
  sessionsEndedRequest,
  type Principal,
  type RevokedNotice,
  type SessionsEndedNotice,
} from '@ams/contracts';
import { Logger, NatsConnection } from '@ams/messaging';
import { Metrics } from '@ams/service';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** Longer than any admission takes. */
const rememberMs = 60_000;

@Injectable()
export class InFlight implements OnModuleInit {
  private readonly byKey = new Map<string, Set<FastifyReply>>();
  private readonly revokedAt = new Map<string, number>();

  constructor(
    private readonly connection: NatsConnection,
    private readonly log: Logger,
    metrics: Metrics,
  ) {
    metrics.gauge('ams_http_requests_in_flight', 'Requests that are admitted and not answered yet.', [], (gauge) => {
      let count = 0;
      for (const replies of this.byKey.values()) for (const reply of replies) if (!reply.lasting) count++;
      gauge.set(count);
    });
  }

  /**
   * Not with `@HandlesRequest`: message handlers drain before HTTP does, but a draining replica must still receive
   * revocations.
   */
  onModuleInit(): void {
    this.connection.subscribe(keyRevokedRequest.subject, {
      callback: (error, message) => {
        if (error) return this.log.error({ err: error }, 'revocations of keys are not received');
        const { keyId, sparedRequestId } = message.json<RevokedNotice>();
        message.respond(JSON.stringify({ ended: this.revoke(keyId, sparedRequestId) }));
      },
    });
    this.connection.subscribe(sessionsEndedRequest.subject, {
      callback: (error, message) => {
        if (error) return this.log.error({ err: error }, 'ends of sessions are not received');
        const { sessionIds, sparedRequestId } = message.json<SessionsEndedNotice>();
        const ended = sessionIds.reduce((sum, id) => sum + this.revoke(id, sparedRequestId), 0);
        message.respond(JSON.stringify({ ended }));
      },
    });
  }

  /**
   * A revocation of the key, or the end of the session, ends the request, until the request is answered. Throws
   * UNAUTHORIZED when that was before.
   */
  enter({ id, sessionId }: Pick<Principal, 'id' | 'sessionId'>, reply: FastifyReply): void {
    const keyId = sessionId ?? id;
    if (this.revokedAt.has(keyId)) throw new Fault('UNAUTHORIZED', null);
    const replies = this.byKey.get(keyId);
    if (replies) replies.add(reply);
    else this.byKey.set(keyId, new Set([reply]));
    reply.raw.once('close', () => this.leave(keyId, reply));
  }

  private leave(keyId: string, reply: FastifyReply): void {
    const replies = this.byKey.get(keyId);
    replies?.delete(reply);
    if (replies?.size === 0) this.byKey.delete(keyId);
  }

  /** Returns the number of requests that the revocation ended. */
  private revoke(keyId: string, sparedRequestId: string | null): number {
    const now = Date.now();
    for (const [id, at] of this.revokedAt) if (at < now - rememberMs) this.revokedAt.delete(id);
    this.revokedAt.set(keyId, now);
    let ended = 0;
    for (const reply of this.byKey.get(keyId) ?? []) {
      const { id, method, operation } = reply.request;
      // Callers choose request ids: another request with the same id, of another kind, is ended too.
      if (id === sparedRequestId && (method === 'DELETE' || operation === changePassword.id)) continue;
      if (!reply.answered) reply.send(new Fault('UNAUTHORIZED', null));
      else if (reply.cut) reply.cut('revoked');
      else continue;
      ended++;
    }
    this.log.info({ keyId, ended }, 'a key was revoked, or a session ended');
    return ended;
  }
}
