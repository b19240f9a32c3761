/** Links that can be used once. A token is in the link only; the table has its hash. */
import { credentialHash, Fault, isAccountToken, newAccountToken, newUuid } from '@ams/contracts';
import { type Tx } from '@ams/database';
import { MoreThan } from 'typeorm';
import { databaseNow } from '../database-now.js';
import { AccountTokenEntity, type TokenPurpose } from './account-token.entity.js';

const hourMs = 3_600_000;

/** How long links are valid. */
export const tokenLifeMs: Record<TokenPurpose, number> = {
  invitation: 7 * 24 * hourMs,
  password_reset: hourMs,
  welcome: 24 * hourMs,
  recipient_verification: 7 * 24 * hourMs,
};

type Owner = Pick<AccountTokenEntity, 'accountId' | 'memberId' | 'organizationId' | 'email'> &
  Partial<Pick<AccountTokenEntity, 'recipientId'>>;

/** Only the returned value contains the token. Links that were made before stay valid until one of them is used. */
export async function issueToken(
  tx: Tx,
  purpose: TokenPurpose,
  { accountId, memberId, organizationId, recipientId = null, email }: Owner,
): Promise<{ token: string; expiresAt: Date }> {
  const at = await databaseNow(tx);
  const token = newAccountToken();
  const expiresAt = new Date(at.getTime() + tokenLifeMs[purpose]);
  const owner = { accountId, memberId, organizationId, recipientId, email };
  const record = { id: newUuid(at.getTime()), purpose, tokenHash: credentialHash(token), ...owner };
  await tx.repository(AccountTokenEntity).insert({ ...record, createdAt: at, expiresAt });
  return { token, expiresAt };
}

/** `lock`: nobody else can use the token until the end of the transaction. Throws NOT_FOUND. */
export async function findToken(
  tx: Tx,
  purpose: TokenPurpose,
  token: string,
  { lock = false } = {},
): Promise<AccountTokenEntity> {
  const tokenHash = credentialHash(token);
  const found = isAccountToken(token)
    ? await tx.repository(AccountTokenEntity).findOne({
        where: { purpose, tokenHash, expiresAt: MoreThan(await databaseNow(tx)) },
        ...(lock && { lock: { mode: 'pessimistic_write' } }),
      })
    : null;
  if (!found) throw spent();
  return found;
}

export const spent = (): Fault =>
  new Fault('NOT_FOUND', null, 'This link is not valid: it was used, has expired, or was replaced.');

/** Ends all links of a purpose for the same account or member. */
export async function deleteTokens(
  tx: Tx,
  purpose: TokenPurpose,
  owner: { accountId: string } | { memberId: string },
): Promise<void> {
  await tx.repository(AccountTokenEntity).delete({ purpose, ...owner });
}
