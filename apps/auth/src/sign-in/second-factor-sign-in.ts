/** Completes a sign-in with the password by a code of the authenticator app or a recovery code. */
import {
  Fault,
  type NoQuery,
  type PostTotpCode,
  type PublicInput,
  type SignedIn,
  type WithSession,
} from '@ams/contracts';
import { Database, type Tx } from '@ams/database';
import { Injectable } from '@nestjs/common';
import { MemberEntity } from '../members/member.entity.js';
import { SecretKeys } from '../second-factors/secret-keys.js';
import { useCode } from '../second-factors/second-factors.js';
import { recordOfMembers } from '../sessions/member-audit.js';
import { type SessionEntity } from '../sessions/session.entity.js';
import { SignIns, type BegunSignIn } from '../sessions/sign-ins.js';
import { GuardedAttempts, ofFactors } from './guarded-attempts.js';
import { lockPending } from './pending-sign-in.js';

type Call = PublicInput<NoQuery, PostTotpCode>;

@Injectable()
export class SecondFactorSignIn {
  constructor(
    private readonly database: Database,
    private readonly keys: SecretKeys,
    private readonly attempts: GuardedAttempts,
    private readonly signIns: SignIns,
  ) {}

  /** Throws UNAUTHORIZED without a sign-in that waits, and for a wrong code. */
  async complete(input: Call): Promise<WithSession<SignedIn>> {
    const waiting = await this.database.asService((tx) => lockPending(tx, input.sessionHash));
    if (!waiting) throw nothingWaits();
    const begun = await this.attempts.guarded(input.ip, [ofFactors(waiting.accountId)], async () => {
      const completed = await this.database.asService((tx) => this.completeIn(tx, input));
      if (completed) return completed;
      await this.recordFailure(input, waiting);
      throw wrongCode();
    });
    return this.signIns.afterwards(begun);
  }

  /** Null: the code is wrong. */
  private async completeIn(tx: Tx, input: Call): Promise<BegunSignIn | null> {
    const pending = await lockPending(tx, input.sessionHash);
    if (!pending) throw nothingWaits();
    const { accountId, memberId } = pending;
    const method = await useCode(tx, this.keys.sealed, accountId, input.body.code);
    return method && this.signIns.begin(tx, input, { accountId, memberId, method });
  }

  private recordFailure(input: Call, { memberId: id, organizationId }: SessionEntity): Promise<void> {
    return this.database.asService(async (tx) => {
      const member = await tx.repository(MemberEntity).findOneByOrFail({ id, organizationId });
      await recordOfMembers(tx, [member], input, { type: 'member.sign_in_failed' });
    });
  }
}

const nothingWaits = (): Fault<'UNAUTHORIZED'> =>
  new Fault('UNAUTHORIZED', null, 'No sign-in waits for a code, or not any more. Begin again with your password.');

const wrongCode = (): Fault<'UNAUTHORIZED'> =>
  new Fault('UNAUTHORIZED', null, 'The code is wrong, or was used already. Wait for the next one.');
