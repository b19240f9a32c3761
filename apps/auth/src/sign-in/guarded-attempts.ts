/** Attempts with a secret, of which only so many may fail: see `sign-in-attempts.ts`. */
import { Fault } from '@ams/contracts';
import { Injectable } from '@nestjs/common';
import { ofNetwork, SignInAttempts, type Subject } from '../accounts/sign-in-attempts.js';

/**
 * Failed codes and passkeys of an account. They are counted apart from failed passwords: a right password makes the
 * failures before it forgotten, and must not give more guesses of a code.
 */
export const ofFactors = (accountId: string): Subject => ({ kind: 'account', key: `factors of ${accountId}` });

/** Faults that tell that a secret was wrong. All others are no attempts. */
const isFailedAttempt = (error: unknown): boolean =>
  error instanceof Fault && (error.code === 'UNAUTHORIZED' || error.code === 'INSUFFICIENT_SCOPE');

@Injectable()
export class GuardedAttempts {
  constructor(private readonly attempts: SignInAttempts) {}

  /** Counts before `work`, and gives back when it does not fail for a wrong secret. Throws RATE_LIMITED. */
  async guarded<T>(ip: string | null, subjects: Subject[], work: () => Promise<T>): Promise<T> {
    const counted = [ofNetwork(ip), ...subjects];
    await this.attempts.count(counted);
    try {
      const result = await work();
      await this.attempts.giveBack(counted);
      return result;
    } catch (error) {
      if (!isFailedAttempt(error)) await this.attempts.giveBack(counted);
      throw error;
    }
  }
}
