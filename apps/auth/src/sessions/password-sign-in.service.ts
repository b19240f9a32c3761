/** Signing in with e-mail and password, and changing the password. */
import {
  Fault,
  invalid,
  WithSession,
  worded,
  type Input,
  type NoQuery,
  type PostSession,
  type PublicInput,
  type PutPassword,
  type Session,
  type SignedIn,
} from '@ams/contracts';
import { Database, type Tx } from '@ams/database';
import { passwordFaults } from '@ams/domain';
import { Injectable } from '@nestjs/common';
import { AccountEntity } from '../accounts/account.entity.js';
import { AccountMails } from '../accounts/account-mails.js';
import { deleteTokens } from '../accounts/account-tokens.js';
import { accountOfEmail, activeMembersOf } from '../accounts/accounts.js';
import { Passwords } from '../accounts/passwords.js';
import { ofAccount, ofNetwork, SignInAttempts } from '../accounts/sign-in-attempts.js';
import { databaseNow } from '../database-now.js';
import { AuthSettings } from '../settings.js';
import { ownSession } from './own-session.js';
import { recordOfMembers, type SignInRequest } from './member-audit.js';
import { SessionEnds } from './session-ends.js';
import { beginSession, endSessions, sessionView } from './sessions.js';
import { notSignedIn, SignIns } from './sign-ins.js';

@Injectable()
export class PasswordSignInService {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly attempts: SignInAttempts,
    private readonly signIns: SignIns,
    private readonly ends: SessionEnds,
    private readonly mails: AccountMails,
    private readonly settings: AuthSettings,
  ) {}

  /** Throws UNAUTHORIZED and RATE_LIMITED. */
  async signIn(input: PublicInput<NoQuery, PostSession>): Promise<WithSession<SignedIn>> {
    const { email, password } = input.body;
    const account = await this.provePassword(input, email, password);
    const begun = await this.database.asService(async (tx) => {
      await requireSamePassword(tx, account);
      return this.signIns.begin(tx, input, { accountId: account.id, method: 'password' });
    });
    return this.signIns.afterwards(begun);
  }

  /**
   * The account of the address, when the password is right. A failure is counted, and is in the audit log of the
   * organizations of the person. Throws UNAUTHORIZED and RATE_LIMITED.
   */
  async provePassword(
    request: Pick<SignInRequest, 'requestId' | 'ip' | 'userAgent'>,
    email: string,
    password: string,
  ): Promise<AccountEntity> {
    const subjects = [ofAccount(email), ofNetwork(request.ip)];
    await this.attempts.count(subjects);
    const account = await this.database.asService((tx) => accountOfEmail(tx, email));
    const isRight = await this.passwords.isRight(account?.passwordHash ?? null, password, request.ip);
    if (account && isRight) {
      await this.attempts.giveBack(subjects);
      await this.database.asService((tx) => this.attempts.forget(tx, ofAccount(email)));
      return account;
    }
    if (account) {
      await this.database.asService(async (tx) =>
        recordOfMembers(tx, await activeMembersOf(tx, account.id), request, { type: 'member.sign_in_failed' }),
      );
    }
    throw notSignedIn();
  }

  /** A person without a password sets the first. All other sessions end; this one is replaced. */
  async change(input: Input<NoQuery, PutPassword>): Promise<WithSession<Session>> {
    const { principal, body, requestId, ip, userAgent } = input;
    const { account: before } = await this.database.asService((tx) => ownSession(tx, principal));
    await this.requirePresent(input, before);
    const fields = worded(passwordFaults(body.newPassword, { path: 'newPassword', email: before.email }));
    if (fields.length > 0) throw new Fault('VALIDATION_ERROR', { fields });
    const passwordHash = await this.passwords.hash(body.newPassword, ip);
    const { answer, endedIds } = await this.database.asService(async (tx) => {
      const { account, session, member } = await ownSession(tx, principal, { lock: true });
      await requireSamePassword(tx, before);
      await setPassword(tx, account, passwordHash);
      const ended = await endSessions(tx, { accountId: account.id });
      const begun = await beginSession(tx, {
        accountId: account.id,
        member,
        device: { ip: session.ip, userAgent: session.userAgent },
        life: this.settings.sessions,
      });
      await recordOfMembers(tx, await activeMembersOf(tx, account.id), { requestId, ip, userAgent }, passwordChanged);
      await this.mails.add(tx, passwordChangedMail(account));
      return { answer: new WithSession(await sessionView(tx, begun.session), begun.change), endedIds: ended };
    });
    this.mails.wake();
    await this.ends.afterwards(endedIds, requestId);
    return answer;
  }

  private async requirePresent(input: Input<NoQuery, PutPassword>, account: AccountEntity): Promise<void> {
    const { currentPassword } = input.body;
    if (account.passwordHash === null) return;
    if (currentPassword === undefined) {
      throw invalid('currentPassword', 'required', 'currentPassword must be the present password');
    }
    await this.provePassword(input, account.email, currentPassword).catch((error: unknown) => {
      if (error instanceof Fault && error.code === 'UNAUTHORIZED')
        throw invalid('currentPassword', 'right', 'currentPassword is not the present password');
      throw error;
    });
  }
}

export const passwordChanged = { type: 'member.password_changed' };

export const passwordChangedMail = ({ id, email }: AccountEntity) =>
  ({ purpose: 'password_changed', to: { accountId: id }, email, requestedBy: null }) as const;

/** Links by which somebody could set another password end with the old one. */
export async function setPassword(tx: Tx, { id }: AccountEntity, passwordHash: string): Promise<void> {
  const at = await databaseNow(tx);
  await tx.repository(AccountEntity).update({ id }, { passwordHash, passwordChangedAt: at, updatedAt: at });
  await deleteTokens(tx, 'password_reset', { accountId: id });
}

/** The password was compared before this transaction. Throws UNAUTHORIZED when it was changed meanwhile. */
async function requireSamePassword(tx: Tx, { id, passwordHash }: AccountEntity): Promise<void> {
  const now = await tx.repository(AccountEntity).findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });
  if (now?.passwordHash !== passwordHash) throw notSignedIn();
}
