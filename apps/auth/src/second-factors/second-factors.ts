/**
 * The second factors of an account: an authenticator app, passkeys, recovery codes. A sign-in with the password asks for
 * one when the account has an app or a passkey. The functions lock the row of the app, or delete that of the code, so
 * that a code is accepted once, whichever replicas get it.
 */
import { secondFactors, type SecondFactor, type TwoFactor } from '@ams/contracts';
import { type Tx } from '@ams/database';
import { type SealedSecrets } from '@ams/service';
import { databaseNow } from '../database-now.js';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.js';
import { TotpSecretEntity } from './totp-secret.entity.js';
import { acceptedStep } from './totp.js';

export interface FactorState {
  totpSince: Date | null;
  recoveryCodesLeft: number;
  passkeys: number;
}

export async function factorStateOf(tx: Tx, accountId: string): Promise<FactorState> {
  const [row] = await tx.query<FactorState>(
    `SELECT (SELECT confirmed_at FROM auth.totp_secrets WHERE account_id = $1) AS "totpSince",
       (SELECT count(*)::int FROM auth.recovery_codes WHERE account_id = $1) AS "recoveryCodesLeft",
       (SELECT count(*)::int FROM auth.passkeys WHERE account_id = $1) AS passkeys`,
    [accountId],
  );
  return row as FactorState;
}

/** As its owner sees it. */
export const twoFactorView = ({ totpSince, recoveryCodesLeft, passkeys }: FactorState): TwoFactor => ({
  totpSince: totpSince?.toISOString() ?? null,
  recoveryCodesLeft,
  passkeys,
});

export const hasSecondFactor = ({ totpSince, passkeys }: FactorState): boolean => totpSince !== null || passkeys > 0;

/** What a sign-in with the password asks for: one of these. Empty: nothing. */
export function askedFactors(state: FactorState): SecondFactor[] {
  if (!hasSecondFactor(state)) return [];
  const has: Record<SecondFactor, boolean> = {
    totp: state.totpSince !== null,
    passkey: state.passkeys > 0,
    recovery: state.recoveryCodesLeft > 0,
  };
  return secondFactors.filter((factor) => has[factor]);
}

/** The name under which the secret of an account is sealed. */
export const recordOfTotp = (accountId: string): string => `totp ${accountId}`;

/** Which factor the code is of, and uses it up. Null: it is not valid. */
export async function useCode(
  tx: Tx,
  secrets: SealedSecrets | null,
  accountId: string,
  code: string,
): Promise<'totp' | 'recovery' | null> {
  if (secrets && (await useTotpCode(tx, secrets, accountId, code))) return 'totp';
  const hash = recoveryCodeHash(code);
  if (hash === null) return null;
  const used = await tx.query(
    'DELETE FROM auth.recovery_codes WHERE account_id = $1 AND code_hash = $2 RETURNING code_hash',
    [accountId, hash],
  );
  return used.length > 0 ? 'recovery' : null;
}

async function useTotpCode(tx: Tx, secrets: SealedSecrets, accountId: string, code: string): Promise<boolean> {
  const row = await lockTotp(tx, accountId);
  if (!row?.secret) return false;
  const secret = secrets.open(row.secret, recordOfTotp(accountId));
  if (!secret) return false;
  const lastStep = row.lastStep === null ? null : Number(row.lastStep);
  const step = acceptedStep(secret, code, { at: await databaseNow(tx), lastStep });
  if (step === null) return false;
  await tx.repository(TotpSecretEntity).update({ accountId }, { lastStep: String(step) });
  return true;
}

export const lockTotp = (tx: Tx, accountId: string): Promise<TotpSecretEntity | null> =>
  tx.repository(TotpSecretEntity).findOne({ where: { accountId }, lock: { mode: 'pessimistic_write' } });

/** Ten new codes in place of those that are there. */
export async function replaceRecoveryCodes(tx: Tx, accountId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await deleteRecoveryCodes(tx, accountId);
  await tx.query('INSERT INTO auth.recovery_codes (account_id, code_hash) SELECT $1, unnest($2::text[])', [
    accountId,
    codes.map(recoveryCodeHash),
  ]);
  return codes;
}

export const deleteRecoveryCodes = (tx: Tx, accountId: string): Promise<unknown> =>
  tx.query('DELETE FROM auth.recovery_codes WHERE account_id = $1', [accountId]);
