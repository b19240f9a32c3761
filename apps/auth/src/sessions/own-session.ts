import { Fault, type Principal } from '@ams/contracts';
import { type Tx } from '@ams/database';
import { IsNull, MoreThan } from 'typeorm';
import { AccountEntity } from '../accounts/account.entity.js';
import { databaseNow } from '../database-now.js';
import { MemberEntity } from '../members/member.entity.js';
import { SessionEntity } from './session.entity.js';

export interface OwnSessionRecords {
  session: SessionEntity;
  account: AccountEntity;
  member: MemberEntity;
}

/** The session of the caller. `lock`: it does not end before the transaction. Throws UNAUTHORIZED when it has ended. */
export async function ownSession(
  tx: Tx,
  { id: memberId, organizationId, sessionId }: Principal,
  { lock = false } = {},
): Promise<OwnSessionRecords> {
  const session =
    sessionId === undefined
      ? null
      : await tx.repository(SessionEntity).findOne({
          where: {
            id: sessionId,
            memberId,
            organizationId,
            pending: false,
            endedAt: IsNull(),
            expiresAt: MoreThan(await databaseNow(tx)),
          },
          ...(lock && { lock: { mode: 'for_no_key_update' } }),
        });
  if (!session) throw new Fault('UNAUTHORIZED', null, 'Your session has ended. Sign in again.');
  const account = await tx.repository(AccountEntity).findOneByOrFail({ id: session.accountId });
  const member = await tx.repository(MemberEntity).findOneByOrFail({ id: memberId, organizationId });
  return { session, account, member };
}
