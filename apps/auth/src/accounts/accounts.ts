/** Accounts, and the members that belong to them. */
import { newUuid } from '@ams/contracts';
import { type Tx } from '@ams/database';
import { MemberEntity } from '../members/member.entity.js';
import { AccountEntity } from './account.entity.js';

export const accountOfEmail = (tx: Tx, email: string): Promise<AccountEntity | null> =>
  tx
    .repository(AccountEntity)
    .createQueryBuilder('account')
    .where('lower(account.email) = lower(:email)', { email })
    .getOne();

/** The account of the address, which is created when there is none. */
export async function ensureAccount(tx: Tx, email: string, at: Date): Promise<AccountEntity> {
  await tx.query(
    `INSERT INTO auth.accounts (id, email, created_at, updated_at) VALUES ($1, $2, $3, $3)
     ON CONFLICT (lower(email)) DO NOTHING`,
    [newUuid(at.getTime()), email, at],
  );
  const account = await accountOfEmail(tx, email);
  if (!account) throw new Error('an account that was just inserted is not there');
  return account;
}

/** The active members of the account, in the order of their creation. `lock`: they stay active in the transaction. */
export const activeMembersOf = (tx: Tx, accountId: string, { lock = false } = {}): Promise<MemberEntity[]> =>
  tx.repository(MemberEntity).find({
    where: { accountId, status: 'active' },
    order: { createdAt: 'ASC', id: 'ASC' },
    ...(lock && { lock: { mode: 'pessimistic_read' } }),
  });
