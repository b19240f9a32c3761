/** A sign-in with the password that waits for another factor: a session without rights, found by its cookie. */
import { type Tx } from '@ams/database';
import { SessionEntity } from '../sessions/session.entity.js';

/** Locked, so that two requests complete it one after the other. Null: there is none, or not any more. */
export const lockPending = (tx: Tx, tokenHash: string | null): Promise<SessionEntity | null> =>
  tokenHash === null
    ? Promise.resolve(null)
    : tx
        .repository(SessionEntity)
        .createQueryBuilder('s')
        .where('s.token_hash = :tokenHash AND s.pending AND s.ended_at IS NULL', { tokenHash })
        .andWhere('s.expires_at > clock_timestamp()')
        .setLock('pessimistic_write')
        .getOne();
