/** The command of an operator for somebody who has lost every second factor. */
import { Fault, publicId } from '@ams/contracts';
import { type Database } from '@ams/database';
import { type RpcClient } from '@ams/messaging';
import { MemberEntity } from '../members/member.entity.js';
import { inLockedOrganization, recordAudit } from '../operator/operator.js';
import { afterEndsByOperator, type EndedSessions } from '../sessions/session-ends.js';
import { endSessions } from '../sessions/sessions.js';

export interface RemovedFactors {
  email: string;
  authenticator: boolean;
  passkeys: number;
  recoveryCodes: number;
}

/**
 * Removes the authenticator app, the passkeys and the recovery codes of the person, who then signs in with the password
 * alone, and ends all sessions of the person. `rpc`: `null` without NATS. Throws NOT_FOUND.
 */
export async function removeFactors(
  database: Database,
  rpc: RpcClient | null,
  address: { organization: string; email: string },
): Promise<RemovedFactors & EndedSessions> {
  const { removed, sessionIds } = await removeInTransaction(database, address);
  return { ...removed, ...(await afterEndsByOperator(database, rpc, sessionIds)) };
}

const removeInTransaction = (
  database: Database,
  { organization: slug, email }: { organization: string; email: string },
): Promise<{ removed: RemovedFactors; sessionIds: string[] }> =>
  inLockedOrganization(database, slug, async ({ tx, organization, operator }) => {
    const member = await tx
      .repository(MemberEntity)
      .createQueryBuilder('member')
      .where({ organizationId: organization.id })
      .andWhere('lower(member.email) = lower(:email)', { email })
      .getOne();
    const accountId = member?.accountId;
    if (!member || !accountId) {
      const message = `Nobody with the address "${email}" has signed in to ${organization.slug}.`;
      throw new Fault('NOT_FOUND', { resource: 'member', id: email }, message);
    }
    const removed = async (table: string): Promise<number> =>
      (await tx.query(`DELETE FROM auth.${table} WHERE account_id = $1 RETURNING account_id`, [accountId])).length;
    const counts = {
      authenticator: (await removed('totp_secrets')) > 0,
      passkeys: await removed('passkeys'),
      recoveryCodes: await removed('recovery_codes'),
    };
    const sessionIds = await endSessions(tx, { accountId });
    await recordAudit(tx, operator, {
      organizationId: organization.id,
      type: 'member.factors_removed',
      resource: { type: 'member', id: publicId('member', member.id) },
      changes: [],
    });
    return { removed: { email: member.email, ...counts }, sessionIds };
  });
