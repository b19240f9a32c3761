/**
 * The end of every way to sign in: the person has proved who they are, and gets a session. A session that the browser had
 * before ends, so nobody can plant one.
 */
import { Fault, WithSession, type SignedIn } from '@ams/contracts';
import { type Tx } from '@ams/database';
import { Injectable } from '@nestjs/common';
import { activeMembersOf } from '../accounts/accounts.js';
import { MemberEntity } from '../members/member.entity.js';
import { askedFactors, factorStateOf } from '../second-factors/second-factors.js';
import { AuthSettings } from '../settings.js';
import { recordOfMembers, type SignInRequest } from './member-audit.js';
import { SessionEnds } from './session-ends.js';
import { SessionEntity } from './session.entity.js';
import { beginSession, endOldest, endSessions, sessionView } from './sessions.js';

export type SignInMethod = 'password' | 'invitation' | 'welcome' | 'totp' | 'recovery' | 'passkey' | 'openid';

/**
 * Ways to sign in that are enough without another factor. A link in a mail proves no more than a password. A passkey
 * verifies the person, and an OpenID provider decides what it asks for.
 */
const isEnough: Record<SignInMethod, boolean> = {
  password: false,
  invitation: false,
  welcome: false,
  totp: true,
  recovery: true,
  passkey: true,
  openid: true,
};

/** For how long a sign-in waits for another factor. */
const pendingSeconds = 600;

export interface CompletedSignIn {
  accountId: string;
  /** As whom; left out: as in the last session. */
  memberId?: string;
  method: SignInMethod;
}

export interface BegunSignIn {
  answer: WithSession<SignedIn>;
  /** For `afterwards`. */
  endedIds: string[];
}

@Injectable()
export class SignIns {
  constructor(
    private readonly settings: AuthSettings,
    private readonly ends: SessionEnds,
  ) {}

  /**
   * When the person has another factor that is to be asked for, the session has no rights yet. Call `afterwards` after
   * the commit. Throws UNAUTHORIZED when the person is no active member anywhere.
   */
  async begin(tx: Tx, request: SignInRequest, { accountId, memberId, method }: CompletedSignIn): Promise<BegunSignIn> {
    const member = await this.memberFor(tx, accountId, memberId);
    const { ip, userAgent, sessionHash } = request;
    const replaced = sessionHash === null ? [] : await endSessions(tx, { tokenHash: sessionHash });
    const asked = isEnough[method] ? [] : askedFactors(await factorStateOf(tx, accountId));
    const isPending = asked.length > 0;
    const { session, change } = await beginSession(tx, {
      accountId,
      member,
      device: { ip, userAgent },
      life: isPending ? { idleSeconds: pendingSeconds, lifeSeconds: pendingSeconds } : this.settings.sessions,
      pending: isPending,
    });
    const endedIds = [...replaced, ...(await endOldest(tx, accountId))];
    if (isPending)
      return { answer: new WithSession<SignedIn>({ session: null, secondFactor: asked }, change), endedIds };
    const changes = [{ field: 'method', before: null, after: method }];
    await recordOfMembers(tx, [member], request, { type: 'member.signed_in', changes });
    const record: SignedIn = { session: await sessionView(tx, session), secondFactor: null };
    return { answer: new WithSession(record, change), endedIds };
  }

  async afterwards({ answer, endedIds }: BegunSignIn): Promise<WithSession<SignedIn>> {
    await this.ends.afterwards(endedIds);
    return answer;
  }

  /** Stays active until the end of the transaction. */
  private async memberFor(tx: Tx, accountId: string, memberId: string | undefined): Promise<MemberEntity> {
    const members = await activeMembersOf(tx, accountId, { lock: true });
    const [last] = await tx.repository(SessionEntity).find({
      where: { accountId },
      order: { lastSeenAt: 'DESC', id: 'DESC' },
      take: 1,
    });
    const wanted = memberId ?? last?.memberId;
    const member = members.find(({ id }) => id === wanted) ?? members[0];
    if (!member || (memberId !== undefined && member.id !== memberId)) throw notSignedIn();
    return member;
  }
}

/** The same for an unknown address, a wrong password, and a person who is no member any more. */
export const notSignedIn = (): Fault => new Fault('UNAUTHORIZED', null, 'The e-mail address or the password is wrong.');
