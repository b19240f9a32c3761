/** Challenges that authenticators sign. Each is stored as a hash, valid for 5 minutes, and once. */
import { credentialHash, invalid } from '@ams/contracts';
import { type Tx } from '@ams/database';
import { decodeClientDataJSON } from '@simplewebauthn/server/helpers';
import { randomBytes } from 'node:crypto';

export const challengeSeconds = 300;

/** `accountId`: who registers a passkey; null: somebody who signs in. */
export async function newChallenge(tx: Tx, accountId: string | null): Promise<Buffer> {
  const challenge = randomBytes(32);
  await tx.query(
    `INSERT INTO auth.passkey_challenges (challenge_hash, purpose, account_id, expires_at)
     VALUES ($1, CASE WHEN $2::uuid IS NULL THEN 'sign_in' ELSE 'registration' END, $2,
       clock_timestamp() + make_interval(secs => $3))`,
    [credentialHash(challenge.toString('base64url')), accountId, challengeSeconds],
  );
  return challenge;
}

/** The challenge that the authenticator has signed, which is used up. Null: it is not one of ours, or not any more. */
export async function useChallenge(
  tx: Tx,
  response: Record<string, unknown>,
  accountId: string | null,
): Promise<string | null> {
  const challenge = challengeIn(response);
  if (challenge === null) return null;
  const [used] = await tx.query<{ valid: boolean }>(
    `DELETE FROM auth.passkey_challenges WHERE challenge_hash = $1 AND account_id IS NOT DISTINCT FROM $2::uuid
     RETURNING expires_at > clock_timestamp() AS valid`,
    [credentialHash(challenge), accountId],
  );
  return used?.valid ? challenge : null;
}

function challengeIn(response: Record<string, unknown>): string | null {
  const clientData = (response['response'] as { clientDataJSON?: unknown } | undefined)?.clientDataJSON;
  if (typeof clientData !== 'string') return null;
  try {
    const { challenge } = decodeClientDataJSON(clientData) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

export const notAPasskey = (): Error =>
  invalid('response', 'passkey', 'response is not a valid answer of an authenticator. Try again from the beginning.');

export const deleteOldChallenges = (tx: Pick<Tx, 'query'>): Promise<unknown> =>
  tx.query('DELETE FROM auth.passkey_challenges WHERE expires_at < now()');
