/**
 * Proofs that the person still uses the session: the password, or a code. A sign-in in the last 15 minutes is a proof
 * too. So whoever uses an unlocked screen or a stolen cookie cannot make the access permanent.
 */
import { Fault, type Input, type NoQuery, type PostProof } from '@ams/contracts';
import { Database, withIdempotency } from '@ams/database';
import { Injectable } from '@nestjs/common';
import { Passwords } from '../accounts/passwords.js';
import { databaseNow } from '../database-now.js';
import { ofAccount, type Subject } from '../accounts/sign-in-attempts.js';
import { GuardedAttempts, ofFactors } from '../sign-in/guarded-attempts.js';
import { inOwnAccount, type OwnAccount } from './own-account.js';
import { SecretKeys } from './secret-keys.js';
import { useCode } from './second-factors.js';

export const recentMs = 900_000;

@Injectable()
export class Proofs {
  constructor(
    private readonly database: Database,
    private readonly keys: SecretKeys,
    private readonly passwords: Passwords,
    private readonly attempts: GuardedAttempts,
  ) {}

  /**
   * `work` in the transaction that has checked the proof, once for each Idempotency-Key. `always`: a recent sign-in is
   * not enough. Throws INSUFFICIENT_SCOPE.
   */
  async proven<T>(
    input: Input<NoQuery, PostProof>,
    work: (own: OwnAccount) => Promise<T>,
    { always = false }: { always?: boolean } = {},
  ): Promise<T> {
    const { principal, body } = input;
    const attempt = () =>
      inOwnAccount(this.database, principal, (own) =>
        withIdempotency(own.tx, 'auth', principal, input.idempotency, async () => {
          const isProven = (!always && (await isRecent(own))) || (await this.isValid(own, input));
          if (!isProven) throw unproven(body);
          return work(own);
        }),
      );
    const guessed = await this.guessedAbout(input);
    return guessed.length > 0 ? this.attempts.guarded(input.ip, guessed, attempt) : attempt();
  }

  /** For whom a wrong proof counts. None without a proof. */
  private guessedAbout({ principal, body }: Input<NoQuery, PostProof>): Promise<Subject[]> {
    if (body.password === undefined && body.code === undefined) return Promise.resolve([]);
    return inOwnAccount(this.database, principal, ({ account: { id, email } }) =>
      Promise.resolve([
        ...(body.password === undefined ? [] : [ofAccount(email)]),
        ...(body.code === undefined ? [] : [ofFactors(id)]),
      ]),
    );
  }

  /** A code is used up also when the password is right. */
  private async isValid({ tx, account }: OwnAccount, { body, ip }: Input<NoQuery, PostProof>): Promise<boolean> {
    const { password, code } = body;
    if (password !== undefined && (await this.passwords.isRight(account.passwordHash, password, ip))) return true;
    return code !== undefined && (await useCode(tx, this.keys.sealed, account.id, code)) !== null;
  }
}

async function isRecent({ tx, session }: OwnAccount): Promise<boolean> {
  return (await databaseNow(tx)).getTime() - session.createdAt.getTime() < recentMs;
}

function unproven({ password, code }: PostProof): Fault<'INSUFFICIENT_SCOPE'> {
  const message =
    password === undefined && code === undefined
      ? 'Prove that it is you: send your password, a code of the app, or a recovery code, or sign in again.'
      : 'The password or the code is wrong, or the code was used already.';
  return new Fault('INSUFFICIENT_SCOPE', { required: 'proof' }, message);
}
