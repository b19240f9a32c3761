/** The member of somebody who comes from the OpenID provider: found, made, or changed as the claims say. */
import { Fault, newUuid, publicId, type Change } from '@ams/contracts';
import { changesBetween, type Tx } from '@ams/database';
import {
  decideOpenIdMember,
  limitOf,
  membershipOf,
  type LimitOverrides,
  type Membership,
  type OpenIdDecision,
  type OpenIdRefusal,
} from '@ams/domain';
import { AccountEntity } from '../accounts/account.entity.js';
import { ensureAccount } from '../accounts/accounts.js';
import { MemberEntity } from '../members/member.entity.js';
import { hasAnotherOwner } from '../members/members.js';
import { findOrganization, operatorNow, recordAudit, type Operator } from '../operator/operator.js';
import { OpenIdIdentityEntity } from './openid-identity.entity.js';
import { type OpenIdSettings } from './openid-settings.js';

export interface Identity {
  issuer: string;
  subject: string;
  claims: Record<string, unknown>;
}

export interface OpenIdMember {
  account: AccountEntity;
  member: MemberEntity;
  membership: Extract<Membership, { kind: 'member' }>;
}

const refusals: Record<OpenIdRefusal | 'notVerified', string> = {
  notMember: 'You are not a member of this organization. Ask somebody who may invite members.',
  disabled: 'Your member is disabled.',
  noRole: 'You are in no group that may sign in.',
  notVerified: 'The provider does not say that your e-mail address is verified.',
};

const refuse = (reason: keyof typeof refusals): never => {
  throw new Fault('INSUFFICIENT_SCOPE', { required: reason }, refusals[reason]);
};

/** Locks the organization, as every change of members does. Throws INSUFFICIENT_SCOPE for somebody who may not sign in. */
export async function openIdMember(tx: Tx, identity: Identity, settings: OpenIdSettings): Promise<OpenIdMember> {
  const organization = await findOrganization(tx, settings.organization, { lock: true });
  const operator = await operatorNow(tx, { type: 'service', id: null, name: settings.name });
  const account = await accountOf(tx, identity, operator.at);
  const before = await memberOf(tx, organization.id, account);
  const membership = membershipOf(identity.claims, settings.mapping);
  const decision = decideOpenIdMember(before && (await known(tx, before)), membership, {
    createMembers: settings.createMembers,
    firstRole: settings.mapping.otherRole ?? 'viewer',
  });
  if (decision.kind === 'refuse' || membership.kind === 'noRole')
    return refuse(decision.kind === 'refuse' ? decision.reason : 'noRole');
  const member = before
    ? await changed(tx, before, { account, decision, operator })
    : await created(tx, organization.id, { account, claims: identity.claims, decision, operator });
  return { account, member, membership };
}

/** The account of the identity. At the first sign-in: the one with the address, which the provider must have verified. */
async function accountOf(tx: Tx, { issuer, subject, claims }: Identity, at: Date): Promise<AccountEntity> {
  const identities = tx.repository(OpenIdIdentityEntity);
  const accounts = tx.repository(AccountEntity);
  const identity = await identities.findOneBy({ issuer, subject });
  if (identity) {
    await identities.update({ issuer, subject }, { lastUsedAt: at });
    return accounts.findOneByOrFail({ id: identity.accountId });
  }
  const email = verifiedEmail(claims) ?? refuse('notVerified');
  const account = await ensureAccount(tx, email, at);
  await identities.insert({ issuer, subject, accountId: account.id, createdAt: at, lastUsedAt: at });
  return account;
}

/** Some providers send the words of JSON as a text. */
function verifiedEmail({ email, email_verified: verified }: Record<string, unknown>): string | null {
  const isVerified = verified === true || verified === 'true';
  const isAddress = typeof email === 'string' && email.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(email);
  return isVerified && isAddress ? email : null;
}

/** The member of the account, or one with its address who has never signed in. */
const memberOf = (tx: Tx, organizationId: string, account: AccountEntity): Promise<MemberEntity | null> =>
  tx
    .repository(MemberEntity)
    .createQueryBuilder('m')
    .where('m.organization_id = :organizationId', { organizationId })
    .andWhere('(m.account_id = :id OR (m.account_id IS NULL AND lower(m.email) = lower(:email)))', {
      id: account.id,
      email: account.email,
    })
    .orderBy('m.account_id', 'ASC', 'NULLS LAST')
    .limit(1)
    .setLock('pessimistic_write')
    .getOne();

const known = async (tx: Tx, member: MemberEntity) => ({
  status: member.status,
  role: member.role,
  hasAnotherOwner: await hasAnotherOwner(tx, member),
});

const auditedFields = ({ name, email, role, status, timezone }: MemberEntity): object => ({
  name,
  email,
  role,
  status,
  timezone,
});

/** Throws CONFLICT when the member of somebody else has the address, and QUOTA_EXCEEDED when the organization is full. */
async function requireRoom(tx: Tx, organizationId: string, email: string): Promise<void> {
  const [found] = await tx.query<{ used: number; taken: boolean; limits: LimitOverrides }>(
    `SELECT count(m.id)::int AS used, coalesce(bool_or(lower(m.email) = lower($2)), false) AS taken, o.limits
     FROM auth.organizations o LEFT JOIN auth.members m ON m.organization_id = o.id WHERE o.id = $1 GROUP BY o.id`,
    [organizationId, email],
  );
  if (found?.taken) throw new Fault('CONFLICT', null, `Another member has the address ${email}.`);
  const { used = 0, limits = null } = found ?? {};
  const limit = limitOf('members', limits);
  if (used >= limit) throw new Fault('QUOTA_EXCEEDED', { kind: 'members', limit, used });
}

const record = (
  tx: Tx,
  operator: Operator,
  { type, member, changes }: { type: string; member: MemberEntity; changes: Change[] },
): Promise<void> =>
  recordAudit(tx, operator, {
    organizationId: member.organizationId,
    type,
    resource: { type: 'member', id: publicId('member', member.id) },
    changes,
  });

interface Step {
  account: AccountEntity;
  decision: Exclude<OpenIdDecision, { kind: 'refuse' }>;
  operator: Operator;
}

async function changed(tx: Tx, before: MemberEntity, { account, decision, operator }: Step): Promise<MemberEntity> {
  const after: MemberEntity = { ...before, accountId: account.id, role: decision.role, status: 'active' };
  const changes = changesBetween(auditedFields(before), auditedFields(after));
  if (changes.length === 0 && before.accountId === account.id) return before;
  const next = { ...after, updatedAt: operator.at, version: before.version + (changes.length > 0 ? 1 : 0) };
  const { accountId, role, status, updatedAt, version } = next;
  await tx.repository(MemberEntity).update({ id: before.id }, { accountId, role, status, updatedAt, version });
  if (changes.length > 0) await record(tx, operator, { type: 'member.updated', member: next, changes });
  return next;
}

async function created(
  tx: Tx,
  organizationId: string,
  { account, claims, decision, operator }: Step & { claims: Record<string, unknown> },
): Promise<MemberEntity> {
  await requireRoom(tx, organizationId, account.email);
  const member: MemberEntity = {
    id: newUuid(operator.at.getTime()),
    organizationId,
    accountId: account.id,
    name: nameIn(claims) ?? account.email,
    email: account.email,
    role: decision.role,
    status: 'active',
    timezone: zoneIn(claims),
    contactMethods: [],
    externalId: null,
    createdAt: operator.at,
    updatedAt: operator.at,
    version: 1,
  };
  await tx.repository(MemberEntity).insert(member);
  await record(tx, operator, { type: 'member.created', member, changes: changesBetween(null, auditedFields(member)) });
  return member;
}

const maxNameLength = 200;

function nameIn({ name }: Record<string, unknown>): string | null {
  if (typeof name !== 'string' || !/\S/.test(name)) return null;
  return [...name.replaceAll('\0', '')].slice(0, maxNameLength).join('').trim();
}

function zoneIn({ zoneinfo }: Record<string, unknown>): string {
  return typeof zoneinfo === 'string' && Intl.supportedValuesOf('timeZone').includes(zoneinfo) ? zoneinfo : 'UTC';
}
