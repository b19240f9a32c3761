/** The deletion of a member, by the API and by the command of the operator (ADR 73). */
import { Fault } from '@ams/contracts';
import { changesBetween, type Tx } from '@ams/database';
import { mailRecipientKey } from '@ams/domain';
import { In, IsNull } from 'typeorm';
import { MailRecipientEntity } from '../mail-recipients/mail-recipient.entity.js';
import { requireUnused } from './member-references.js';
import { type MemberEntity } from './member.entity.js';
import { hasAnotherOwner, isActiveOwner } from './members.js';

/** Without name and addresses, so that the entry is no new copy of them. Earlier entries tell who it was. */
export const changesOfDeletion = ({ role, status }: MemberEntity) => changesBetween({ role, status }, null);

/**
 * The organization and the member must be locked: whoever names the member in a record locks the member, too. Returns the
 * sessions that have ended, for `SessionEnds.afterwards`. Throws CONFLICT and RESOURCE_IN_USE.
 */
export async function deleteMember(tx: Tx, member: MemberEntity, who: string, at: Date): Promise<string[]> {
  if (isActiveOwner(member) && !(await hasAnotherOwner(tx, member)))
    throw new Fault('CONFLICT', null, `${who} is the last active owner: first make somebody else an owner.`);
  await requireUnused(tx, member, who, at);
  await forgetBounces(tx, member);
  const sessions = await tx.query<{ id: string }>('SELECT id FROM auth.delete_member($1, $2) AS id', [
    member.organizationId,
    member.id,
  ]);
  return sessions.map(({ id }) => id);
}

/** Addresses that are known only because mail to the member came back. A complaint of the person stays in force. */
async function forgetBounces(tx: Tx, { organizationId, email, contactMethods }: MemberEntity): Promise<void> {
  const keys = [email, ...contactMethods.map(({ address }) => address)]
    .map((address) => mailRecipientKey('address', address))
    .filter((key) => key !== null);
  await tx
    .repository(MailRecipientEntity)
    .delete({ organizationId, kind: 'address', key: In(keys), status: 'bounced', verifiedAt: IsNull() });
}
