import { type AdmitFacts, type AdmitReply, type Principal, type RateLimitState } from '@ams/contracts';
import { grants, roles } from '@ams/scopes';
import { type SessionAdmissionRow } from './admit-session-statement.js';
import { type AdmissionRow } from './admit-statement.js';

export interface RateLimit {
  requests: number;
  windowSeconds: number;
}

const rateOf = (row: Pick<AdmissionRow, 'within' | 'position' | 'resetsIn'>, limit: RateLimit): RateLimitState => ({
  limit: limit.requests,
  remaining: row.within ? Math.max(0, limit.requests - row.position) : 0,
  resetSeconds: Math.min(limit.windowSeconds, Math.max(1, Math.ceil(row.resetsIn))),
});

/** The reply to a request with a key. `row`: the result of the statement; none for an unknown key. */
export function replyTo(
  request: Pick<AdmitFacts, 'scope'>,
  row: AdmissionRow | undefined,
  limit: RateLimit,
): AdmitReply {
  if (!row) return { kind: 'unauthorized' };
  const rate = rateOf(row, limit);
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
  if (!grants(row.scopes, request.scope)) return { kind: 'insufficientScope', principal, rate };
  return { kind: 'admitted', principal, rate, expiresAt: row.expiresAt?.toISOString() ?? null };
}

/** The reply to a request with a session. `row`: the result of the statement; none for a session that has ended. */
export function replyToMember(
  request: Pick<AdmitFacts, 'scope'>,
  row: SessionAdmissionRow | undefined,
  limit: RateLimit,
): AdmitReply {
  if (!row) return { kind: 'unauthorized' };
  const rate = rateOf(row, limit);
  if (!row.within) return { kind: 'limited', rate, of: 'member' };
  const scopes = roles[row.role];
  const principal: Principal = {
    type: 'user',
    id: row.memberId,
    name: row.name,
    organizationId: row.organizationId,
    environment: row.environment,
    scopes: [...scopes],
    sessionId: row.sessionId,
  };
  return { kind: grants(scopes, request.scope) ? 'admitted' : 'insufficientScope', principal, rate };
}
