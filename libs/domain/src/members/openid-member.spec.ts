import { roles, type Role } from '@ams/scopes';
import fc from 'fast-check';
import type { Membership } from './openid-claims.js';
import { decideOpenIdMember, type KnownMember, type OpenIdRules } from './openid-member.js';

const rules: OpenIdRules = { createMembers: false, firstRole: 'viewer' };
const creating: OpenIdRules = { ...rules, createMembers: true };
const known = (changed: Partial<KnownMember> = {}): KnownMember => ({
  status: 'active',
  role: 'responder',
  hasAnotherOwner: true,
  ...changed,
});
const says = (role: Role | null): Membership => ({ kind: 'member', role, teams: [] });
const noRole: Membership = { kind: 'noRole' };

it.each<[string, KnownMember | null, Membership, OpenIdRules, object]>([
  ['a member keeps the role without a claim', known(), says(null), rules, { kind: 'signIn', role: 'responder' }],
  ['a member gets the role of the claim', known(), says('admin'), rules, { kind: 'signIn', role: 'admin' }],
  ['an invited member becomes active', known({ status: 'invited' }), says(null), rules, { status: 'active' }],
  ['a disabled member is refused', known({ status: 'disabled' }), says('owner'), creating, { reason: 'disabled' }],
  ['a member of no group is refused', known(), noRole, creating, { reason: 'noRole' }],
  ['a stranger is refused', null, says('admin'), rules, { reason: 'notMember' }],
  ['a stranger of no group is refused', null, noRole, creating, { reason: 'noRole' }],
  ['a stranger becomes a member', null, says('admin'), creating, { kind: 'create', role: 'admin' }],
  ['a stranger without a claim gets the first role', null, says(null), creating, { kind: 'create', role: 'viewer' }],
  [
    'the last owner stays one',
    known({ role: 'owner', hasAnotherOwner: false }),
    says('viewer'),
    rules,
    { kind: 'signIn', role: 'owner', keptLastOwner: true },
  ],
  [
    'one of two owners does not',
    known({ role: 'owner' }),
    says('viewer'),
    rules,
    { kind: 'signIn', role: 'viewer', keptLastOwner: false },
  ],
])('%s', (_what, member, membership, given, expected) =>
  expect(decideOpenIdMember(member, membership, given)).toMatchObject(expected),
);

it('never leaves an organization without an owner, and lets nobody in who is disabled', () => {
  const role = fc.constantFrom(...(Object.keys(roles) as Role[]));
  const member = fc.record({
    status: fc.constantFrom('active', 'invited', 'disabled'),
    role,
    hasAnotherOwner: fc.boolean(),
  }) as fc.Arbitrary<KnownMember>;
  const membership = fc.oneof(fc.constant(noRole), fc.option(role).map(says));
  fc.assert(
    fc.property(member, membership, fc.boolean(), (before, claims, createMembers) => {
      const decision = decideOpenIdMember(before, claims, { ...rules, createMembers });
      if (before.status === 'disabled') expect(decision.kind).toBe('refuse');
      const isLastOwner = before.status === 'active' && before.role === 'owner' && !before.hasAnotherOwner;
      if (isLastOwner && decision.kind === 'signIn') expect(decision.role).toBe('owner');
    }),
  );
});
