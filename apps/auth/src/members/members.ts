/** The functions on members that both the API and the commands of the operator use. */
import { Fault, publicId, type MemberRecord, type Principal } from '@ams/contracts';
import { type Tx } from '@ams/database';
import { Not } from 'typeorm';
import { MemberEntity } from './member.entity.js';

export const isActiveOwner = ({ role, status }: Pick<MemberEntity, 'role' | 'status'>): boolean =>
  role === 'owner' && status === 'active';

/** The organization must be locked, so that two owners cannot be removed at the same time. */
export const hasAnotherOwner = (tx: Tx, { organizationId, id }: MemberEntity): Promise<boolean> =>
  tx.repository(MemberEntity).existsBy({ organizationId, role: 'owner', status: 'active', id: Not(id) });

/** Members and recipients of mails also serve the live environment. Throws INSUFFICIENT_SCOPE. */
export function requireLive({ environment }: Principal): void {
  if (environment === 'live') return;
  const message =
    'Members and recipients of mails belong to both environments, so a key of the test environment cannot change them.';
  throw new Fault('INSUFFICIENT_SCOPE', { required: 'live' }, message);
}

/** As the API shows the member. */
export const recordOf = (member: MemberEntity): MemberRecord => ({
  id: publicId('member', member.id),
  name: member.name,
  email: member.email,
  role: member.role,
  status: member.status,
  timezone: member.timezone,
  contactMethods: [{ type: 'email', address: member.email, verified: true }, ...member.contactMethods],
  externalId: member.externalId,
  createdAt: member.createdAt.toISOString(),
  updatedAt: member.updatedAt.toISOString(),
  version: member.version,
});
