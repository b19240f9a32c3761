/**
 * Sign-ins at the provider that have begun: one row for each, found by the token in the cookie of the browser that
 * began, valid for 10 minutes, and once.
 */
import { credentialHash, newAccountToken } from '@ams/contracts';
import { type Tx } from '@ams/database';
import { type Proofs } from './openid-provider.js';

export const attemptSeconds = 600;

export interface BegunSignIn {
  token: string;
  proofs: Proofs;
}

/** Random values for a new sign-in. */
export const newSignIn = (): BegunSignIn => ({
  token: newAccountToken(),
  proofs: { state: newAccountToken(), nonce: newAccountToken(), codeVerifier: newAccountToken() },
});

/** Returns when it ends. */
export async function storeSignIn(tx: Pick<Tx, 'query'>, begun: BegunSignIn, returnTo: string): Promise<Date> {
  const { state, nonce, codeVerifier } = begun.proofs;
  const [stored] = await tx.query<{ expiresAt: Date }>(
    `INSERT INTO auth.openid_sign_ins (token_hash, state_hash, nonce, code_verifier, return_to, expires_at)
     VALUES ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(secs => $6)) RETURNING expires_at AS "expiresAt"`,
    [credentialHash(begun.token), credentialHash(state), nonce, codeVerifier, returnTo, attemptSeconds],
  );
  return (stored as { expiresAt: Date }).expiresAt;
}

/** The sign-in that this browser began with this state, which is used up. Null: there is none, or not any more. */
export async function useSignIn(
  tx: Pick<Tx, 'query'>,
  tokenHash: string | null,
  state: string,
): Promise<{ proofs: Proofs; returnTo: string } | null> {
  const [used] = await tx.query<{ nonce: string; codeVerifier: string; returnTo: string; valid: boolean }>(
    `DELETE FROM auth.openid_sign_ins WHERE token_hash = $1
     RETURNING nonce, code_verifier AS "codeVerifier", return_to AS "returnTo",
       expires_at > clock_timestamp() AND state_hash = $2 AS valid`,
    [tokenHash, credentialHash(state)],
  );
  if (!used?.valid) return null;
  const { nonce, codeVerifier, returnTo } = used;
  return { proofs: { state, nonce, codeVerifier }, returnTo };
}
