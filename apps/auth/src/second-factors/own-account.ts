/** The account of the person who is signed in, for operations on it. Its tables have no grants for principals. */
import { type Principal } from '@ams/contracts';
import { type Database, type Tx } from '@ams/database';
import { AccountEntity } from '../accounts/account.entity.js';
import { ownSession } from '../sessions/own-session.js';
import { type SessionEntity } from '../sessions/session.entity.js';

export interface OwnAccount {
  tx: Tx;
  account: AccountEntity;
  session: SessionEntity;
}

/**
 * One transaction, which holds the session: it cannot end before this transaction does. The account is locked, so that
 * two requests about its factors run one after the other. Throws UNAUTHORIZED.
 */
export const inOwnAccount = <T>(
  database: Database,
  principal: Principal,
  work: (own: OwnAccount) => Promise<T>,
): Promise<T> =>
  database.asService(async (tx) => {
    const { session, account } = await ownSession(tx, principal, { lock: true });
    await tx.repository(AccountEntity).findOne({ where: { id: account.id }, lock: { mode: 'for_no_key_update' } });
    return work({ tx, account, session });
  });
