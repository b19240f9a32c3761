/** The links that an operator makes: a member signs in once without a password, and can then choose one. */
import { Fault, publicId, type Actor } from '@ams/contracts';
import { type Database, type Tx } from '@ams/database';
import { MemberEntity } from '../members/member.entity.js';
import { findOrganization, recordAudit, operatorNow, type Operator } from '../operator/operator.js';
import { issueToken } from './account-tokens.js';
import { linkTo } from './link.js';

export interface SignInLink {
  email: string;
  /** Whoever has it can sign in as the member, once. */
  url: string;
  expiresAt: string;
}

export interface SignInLinkInput {
  /** The slug. */
  organization: string;
  /** Left out: of the first active owner. */
  email?: string;
  /** The address of the dashboard. */
  baseUrl: string;
}

/** Throws NOT_FOUND, and CONFLICT for a disabled member. */
export const signInLink = (database: Database, actor: Actor, input: SignInLinkInput): Promise<SignInLink> =>
  database.asService(async (tx) => {
    const { id: organizationId } = await findOrganization(tx, input.organization, { lock: true });
    const member =
      input.email === undefined
        ? await firstOwner(tx, organizationId)
        : await memberOfEmail(tx, organizationId, input.email);
    if (!member) {
      const message = `There is no member with the address "${input.email ?? 'of an owner'}" in ${input.organization}.`;
      throw new Fault('NOT_FOUND', { resource: 'member', id: input.email ?? '' }, message);
    }
    if (member.status === 'disabled') {
      throw new Fault('CONFLICT', null, `${member.email} is disabled: first enable the member.`);
    }
    return linkOf(tx, await operatorNow(tx, actor), member, input.baseUrl);
  });

async function linkOf(tx: Tx, operator: Operator, member: MemberEntity, baseUrl: string): Promise<SignInLink> {
  const { id: memberId, organizationId, email } = member;
  const { token, expiresAt } = await issueToken(tx, 'welcome', { accountId: null, memberId, organizationId, email });
  const resource = { type: 'member', id: publicId('member', memberId) };
  await recordAudit(tx, operator, { organizationId, type: 'member.sign_in_link_created', resource, changes: [] });
  return { email, url: linkTo(baseUrl, 'welcome', token), expiresAt: expiresAt.toISOString() };
}

const firstOwner = (tx: Tx, organizationId: string): Promise<MemberEntity | null> =>
  tx.repository(MemberEntity).findOne({
    where: { organizationId, role: 'owner', status: 'active' },
    order: { createdAt: 'ASC', id: 'ASC' },
  });

const memberOfEmail = (tx: Tx, organizationId: string, email: string): Promise<MemberEntity | null> =>
  tx
    .repository(MemberEntity)
    .createQueryBuilder('member')
    .where({ organizationId })
    .andWhere('lower(member.email) = lower(:email)', { email })
    .getOne();
