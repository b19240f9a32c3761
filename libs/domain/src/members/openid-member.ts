/** What a sign-in with OpenID Connect does with the member of the organization: signs in, makes one, or refuses. */
import type { Role } from '@ams/scopes';
import type { Membership } from './openid-claims.js';

export interface KnownMember {
  status: 'active' | 'invited' | 'disabled';
  role: Role;
  /** Whether the organization has another active owner. */
  hasAnotherOwner: boolean;
}

export type OpenIdDecision =
  | { kind: 'create'; role: Role }
  /** `role` and `status` of the member from now on. */
  | { kind: 'signIn'; role: Role; status: 'active'; keptLastOwner: boolean }
  | { kind: 'refuse'; reason: OpenIdRefusal };

export type OpenIdRefusal = 'notMember' | 'disabled' | 'noRole';

export interface OpenIdRules {
  createMembers: boolean;
  /** The role of a new member about whom the claims say nothing. */
  firstRole: Role;
}

/** `member`: null when the person is not a member yet. */
export function decideOpenIdMember(
  member: KnownMember | null,
  membership: Membership,
  { createMembers, firstRole }: OpenIdRules,
): OpenIdDecision {
  if (member?.status === 'disabled') return { kind: 'refuse', reason: 'disabled' };
  if (membership.kind === 'noRole') return { kind: 'refuse', reason: 'noRole' };
  if (!member) {
    if (!createMembers) return { kind: 'refuse', reason: 'notMember' };
    return { kind: 'create', role: membership.role ?? firstRole };
  }
  const role = membership.role ?? member.role;
  const wouldLeaveNone =
    member.status === 'active' && member.role === 'owner' && role !== 'owner' && !member.hasAnotherOwner;
  return {
    kind: 'signIn',
    role: wouldLeaveNone ? 'owner' : role,
    status: 'active',
    keptLastOwner: wouldLeaveNone,
  };
}
