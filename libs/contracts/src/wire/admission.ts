/** `auth.admit`: authentication, authorization and rate limiting in one request for each v1 request. */
import type { Environment, Scope } from '@ams/scopes';
import type { Principal } from '../principal.js';
import { gatewayRequest, serviceRequest } from './service-request.js';

/** The credential of a request: a key, or the session of a member with the environment that the request names. */
export type Credential = { keyHash: string } | { sessionHash: string; environment: Environment };

export type AdmitRequest = Credential & AdmitFacts;

export interface AdmitFacts {
  /**
   * UUIDv7 that the gateway creates for each request. It is the id of the `api_key.used` entry, so a retry adds no
   * second entry. A session has no such entry.
   */
  useId: string;
  /** `null`: any valid key is sufficient. */
  scope: Scope | null;
  /** The operation id, for the audit log. */
  operation: string;
  requestId: string;
  ip: string | null;
  userAgent: string | null;
}

export interface RateLimitState {
  limit: number;
  remaining: number;
  /** Seconds until the rate-limit window ends, at least 1. */
  resetSeconds: number;
}

export type AdmitReply =
  /** `expiresAt` (RFC 3339): when the credential ends by itself. A service of an earlier release leaves it out. */
  | { kind: 'admitted'; principal: Principal; rate: RateLimitState; expiresAt?: string | null }
  | { kind: 'unauthorized' }
  | { kind: 'insufficientScope'; principal: Principal; rate: RateLimitState }
  /** `of`: whose limit is used up. Left out: that of the organization. */
  | { kind: 'limited'; rate: RateLimitState; of?: 'member' }
  /** Not known now: the database cannot be reached, or too many requests wait. The caller gets 503. */
  | { kind: 'unavailable' };

export const admitRequest = gatewayRequest<AdmitRequest, AdmitReply>('rpc.auth.admit', 'auth');

export interface RevokedNotice {
  keyId: string;
  /** The request in which a key revokes itself: it must still be answered. `null`: no exception. */
  sparedRequestId: string | null;
}

/**
 * Sent to every gateway before the response to a revocation: requests in progress with that key get 401. Gateways
 * confirm this message, so the revocation is effective everywhere when the caller gets the response.
 */
export const keyRevokedRequest = serviceRequest<RevokedNotice, { ended: number }>('ctl.gateway.revoked');

export interface SessionsEndedNotice {
  /** UUIDs. */
  sessionIds: string[];
  /** The request in which a session ends itself: it must still be answered. `null`: no exception. */
  sparedRequestId: string | null;
}

/** As `keyRevokedRequest`, for sessions that ended: by their owner, or because the member was disabled. */
export const sessionsEndedRequest = serviceRequest<SessionsEndedNotice, { ended: number }>(
  'ctl.gateway.sessions.ended',
);
