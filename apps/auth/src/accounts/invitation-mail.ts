/** The mail with which a member is invited, and its entry in the audit log. */
import { publicId, type Input, type NoQuery, type Principal } from '@ams/contracts';
import { auditRecord, type Tx } from '@ams/database';
import { addAuditEntries } from '../audit-log/audit-entries.js';
import { type MemberEntity } from '../members/member.entity.js';
import { type NewMail } from './account-mails.js';

export const invitationMail = (
  { id, organizationId, email }: Pick<MemberEntity, 'id' | 'organizationId' | 'email'>,
  { type, name }: Pick<Principal, 'type' | 'name'>,
): NewMail => ({
  purpose: 'invitation',
  to: { memberId: id, organizationId },
  email,
  // The name of a key tells a person nothing.
  requestedBy: type === 'user' ? name : null,
});

export async function recordInvitation(
  tx: Tx,
  input: Input<NoQuery, unknown>,
  member: Pick<MemberEntity, 'id'>,
  at: Date,
): Promise<void> {
  const resource = { type: 'member', id: publicId('member', member.id) };
  await addAuditEntries(tx, [auditRecord(input, { type: 'invitation.sent', resource, changes: [], at })]);
}
