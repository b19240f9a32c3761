import { type AdmitReply, type AdmitRequest, type Principal, type RateLimitState } from '@ams/contracts';
import { grants } from '@ams/scopes';
import { type AdmissionRow } from './admit-statement.js';

export interface RateLimit {
  requests: number;
  windowSeconds: number;
}

/** The reply to a request. `row`: the result of the statement; none for an unknown key. */
export function replyTo(request: AdmitRequest, row: AdmissionRow | undefined, limit: RateLimit): AdmitReply {
  if (!row) return { kind: 'unauthorized' };
  const rate: RateLimitState = {
    limit: limit.requests,
    remaining: row.within ? Math.max(0, limit.requests - row.position) : 0,
    resetSeconds: Math.min(limit.windowSeconds, Math.max(1, Math.ceil(row.resetsIn))),
  };
  if (!row.within) return { kind: 'limited', rate };
  const principal: Principal = {
    type: 'api_key',
    id: row.keyId,
    name: row.name,
    organizationId: row.organizationId,
    environment: row.environment,
    scopes: row.scopes,
    ...(row.clientIds && row.teamIds ? { restrictedTo: { clientIds: row.clientIds, teamIds: row.teamIds } } : {}),
  };
  return { kind: grants(row.scopes, request.scope) ? 'admitted' : 'insufficientScope', principal, rate };
}
