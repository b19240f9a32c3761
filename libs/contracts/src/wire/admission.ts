/** `auth.admit`: who is asking, may they, is there room under the limit. One round trip for each v1 request. */
import type { Scope } from '@ams/scopes';
import type { Principal } from '../principal.js';
import { serviceRequest } from './service-request.js';

export interface AdmitRequest {
  /** UUIDv7 made by the gateway for this one request: the id of its `api_key.used` entry, so a retry adds none. */
  useId: string;
  keyHash: string;
  /** `null` asks for a valid key only. */
  scope: Scope | null;
  /** Operation id, for the audit log. */
  operation: string;
  requestId: string;
  ip: string | null;
  userAgent: string | null;
}

export interface RateLimitState {
  limit: number;
  remaining: number;
  /** Seconds until the window ends, 1 at least. */
  resetSeconds: number;
}

export type AdmitReply =
  | { kind: 'admitted'; principal: Principal; rate: RateLimitState }
  | { kind: 'unauthorized' }
  | { kind: 'insufficientScope'; principal: Principal; rate: RateLimitState }
  | { kind: 'limited'; rate: RateLimitState }
  /** It cannot be said now: the database is away, or too many wait. To the caller it is 503. */
  | { kind: 'unavailable' };

export const admitRequest = serviceRequest<AdmitRequest, AdmitReply>('rpc.auth.admit');
export const admitSubject = admitRequest.subject;

export interface RevokedNotice {
  keyId: string;
  /** A key that revokes itself: this request of it is the revocation, and is answered. `null` spares none. */
  sparedRequestId: string | null;
}

/**
 * Sent to every gateway before a revocation is answered: whatever that key has in flight answers 401. Gateways answer
 * this message, so that the revocation is known to be everywhere when the caller hears of it.
 */
export const keyRevokedRequest = serviceRequest<RevokedNotice, { ended: number }>('ctl.gateway.revoked');
export const revokedSubject = keyRevokedRequest.subject;
