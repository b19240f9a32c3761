/**
 * Signing in with a passkey: without a password, or as the second factor after it. Both are one operation, because the
 * authenticator verifies the person each time.
 */
import {
  Fault,
  publicId,
  type NoQuery,
  type PasskeyOptions,
  type PostPasskeySignIn,
  type PublicInput,
  type SignedIn,
  type WithSession,
} from '@ams/contracts';
import { Database, type Tx } from '@ams/database';
import { Housekeeping } from '@ams/persistence';
import { Injectable } from '@nestjs/common';
import { generateAuthenticationOptions } from '@simplewebauthn/server';
import { activeMembersOf } from '../accounts/accounts.js';
import { challengeSeconds, deleteOldChallenges, newChallenge, useChallenge } from '../passkeys/challenges.js';
import { PasskeyEntity } from '../passkeys/passkey.entity.js';
import { RelyingPartySettings } from '../passkeys/relying-party-settings.js';
import { isRegression } from '../passkeys/relying-party.js';
import { signedBy, type Signed } from '../passkeys/verify.js';
import { recordOfMembers } from '../sessions/member-audit.js';
import { SignIns, type BegunSignIn } from '../sessions/sign-ins.js';
import { GuardedAttempts, ofFactors } from './guarded-attempts.js';
import { lockPending } from './pending-sign-in.js';

type Call = PublicInput<NoQuery, PostPasskeySignIn>;

const tenMinutesMs = 600_000;

@Injectable()
export class PasskeySignIn {
  constructor(
    private readonly database: Database,
    private readonly party: RelyingPartySettings,
    private readonly attempts: GuardedAttempts,
    private readonly signIns: SignIns,
    housekeeping: Housekeeping,
  ) {
    housekeeping.add({
      name: 'old challenges of passkeys',
      everyMs: tenMinutesMs,
      run: () => deleteOldChallenges(database),
    });
  }

  /** Throws CONFLICT when the address of the installation cannot have passkeys. */
  async begin(): Promise<PasskeyOptions> {
    const { id: rpID } = this.party.required();
    const challenge = await this.database.asService((tx) => newChallenge(tx, null));
    const options = await generateAuthenticationOptions({
      rpID,
      challenge: Uint8Array.from(challenge),
      timeout: challengeSeconds * 1000,
      userVerification: 'required',
    });
    return { options: options as unknown as Record<string, unknown> };
  }

  /** Throws UNAUTHORIZED. */
  async complete(input: Call): Promise<WithSession<SignedIn>> {
    const { response } = input.body;
    const passkey = await this.passkeyOf(response);
    const subjects = passkey ? [ofFactors(passkey.accountId)] : [];
    const begun = await this.attempts.guarded(input.ip, subjects, async () => {
      const signed = passkey && (await this.verified(passkey, response));
      if (!passkey || !signed) throw refused();
      const outcome = await this.database.asService((tx) => this.signIn(tx, input, { passkey, signed }));
      // After the commit of the entry in the audit log.
      if (outcome === 'regression') throw refused();
      return outcome;
    });
    return this.signIns.afterwards(begun);
  }

  private passkeyOf(response: Record<string, unknown>): Promise<PasskeyEntity | null> {
    const { id: credentialId } = response;
    if (typeof credentialId !== 'string') return Promise.resolve(null);
    return this.database.asService((tx) => tx.repository(PasskeyEntity).findOneBy({ credentialId }));
  }

  /** The challenge is used up, also by an answer that is not valid. */
  private async verified(passkey: PasskeyEntity, response: Record<string, unknown>): Promise<Signed | null> {
    const party = this.party.required();
    const challenge = await this.database.asService((tx) => useChallenge(tx, response, null));
    return challenge === null ? null : signedBy(passkey, response, { challenge, party });
  }

  private async signIn(
    tx: Tx,
    input: Call,
    { passkey: { id }, signed }: { passkey: PasskeyEntity; signed: Signed },
  ): Promise<BegunSignIn | 'regression'> {
    const passkey = await tx.repository(PasskeyEntity).findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
    if (!passkey) throw refused();
    const { accountId } = passkey;
    if (isRegression(Number(passkey.counter), signed.counter)) {
      const resource = { type: 'passkey', id: publicId('passkey', id) };
      const members = await activeMembersOf(tx, accountId);
      await recordOfMembers(tx, members, input, { type: 'passkey.counter_regressed', resource });
      return 'regression';
    }
    await tx
      .repository(PasskeyEntity)
      .createQueryBuilder()
      .update()
      .set({ counter: String(signed.counter), backedUp: signed.backedUp, lastUsedAt: () => 'clock_timestamp()' })
      .where({ id })
      .execute();
    const pending = await lockPending(tx, input.sessionHash);
    const asBefore = pending?.accountId === accountId ? { memberId: pending.memberId } : {};
    return this.signIns.begin(tx, input, { accountId, ...asBefore, method: 'passkey' });
  }
}

const refused = (): Fault<'UNAUTHORIZED'> =>
  new Fault('UNAUTHORIZED', null, 'This passkey is not valid here, or the sign-in has taken too long. Begin again.');
