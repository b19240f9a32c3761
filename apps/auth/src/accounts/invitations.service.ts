/** Links that let a person in: invitations, new passwords, and those that an operator makes. */
import {
  Fault,
  uuidOf,
  worded,
  type Input,
  type Invitation,
  type MemberRecord,
  type NoQuery,
  type PasswordResetRequested,
  type PostInvitationAcceptance,
  type PostPasswordReset,
  type PostToken,
  type PublicInput,
  type PutPasswordReset,
  type SignedIn,
  type WithSession,
} from '@ams/contracts';
import { Database, requireVersion, withIdempotency, type Tx } from '@ams/database';
import { passwordFaults } from '@ams/domain';
import { Injectable } from '@nestjs/common';
import { databaseNow } from '../database-now.js';
import { MemberEntity } from '../members/member.entity.js';
import { recordOf, requireLive } from '../members/members.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';
import { recordOfMembers } from '../sessions/member-audit.js';
import {
  passwordChanged,
  passwordChangedMail,
  PasswordSignInService,
  setPassword,
} from '../sessions/password-sign-in.service.js';
import { SessionEnds } from '../sessions/session-ends.js';
import { endSessions } from '../sessions/sessions.js';
import { SignIns } from '../sessions/sign-ins.js';
import { AccountEntity } from './account.entity.js';
import { AccountMails } from './account-mails.js';
import { type AccountTokenEntity } from './account-token.entity.js';
import { deleteTokens, findToken, spent, tokenLifeMs } from './account-tokens.js';
import { accountOfEmail, activeMembersOf, ensureAccount } from './accounts.js';
import { invitationMail, recordInvitation } from './invitation-mail.js';
import { Passwords } from './passwords.js';
import {
  countIn,
  ofAccount,
  ofInvitationMails,
  ofInvitationMailsTo,
  ofInvitations,
  ofMailsTo,
  ofNetwork,
  SignInAttempts,
} from './sign-in-attempts.js';

@Injectable()
export class InvitationsService {
  constructor(
    private readonly database: Database,
    private readonly passwords: Passwords,
    private readonly attempts: SignInAttempts,
    private readonly passwordSignIn: PasswordSignInService,
    private readonly signIns: SignIns,
    private readonly ends: SessionEnds,
    private readonly mails: AccountMails,
  ) {}

  /** Throws NOT_FOUND. */
  get({ body }: PublicInput<NoQuery, PostToken>): Promise<Invitation> {
    return this.database.asService(async (tx) => {
      const token = await findToken(tx, 'invitation', body.token);
      const member = await memberOf(tx, token);
      const organization = await tx.repository(OrganizationEntity).findOneByOrFail({ id: member.organizationId });
      const account = await accountOfEmail(tx, token.email);
      return {
        organizationName: organization.name,
        email: token.email,
        name: member.name,
        role: member.role,
        hasPassword: hasPassword(account),
        expiresAt: token.expiresAt.toISOString(),
      };
    });
  }

  /** Throws NOT_FOUND, VALIDATION_ERROR, UNAUTHORIZED, RATE_LIMITED and CONFLICT. */
  async accept(input: PublicInput<NoQuery, PostInvitationAcceptance>): Promise<WithSession<SignedIn>> {
    const { token, password } = input.body;
    const { email, present } = await this.database.asService(async (tx) => {
      const found = await findToken(tx, 'invitation', token);
      await memberOf(tx, found);
      return { email: found.email, present: await accountOfEmail(tx, found.email) };
    });
    const isKnown = hasPassword(present);
    if (isKnown) await this.passwordSignIn.provePassword(input, email, password);
    else requireGoodPassword(password, email);
    const passwordHash = isKnown ? null : await this.passwords.hash(password, input.ip);
    const begun = await this.database.asService(async (tx) => {
      const found = await findToken(tx, 'invitation', token, { lock: true });
      const account = await this.join(tx, found, input.body);
      // Somebody has set a password meanwhile: it is not replaced by one of a link that is older.
      if (hasPassword(account) !== isKnown) throw spent();
      if (passwordHash !== null) await setPassword(tx, account, passwordHash);
      const member = await memberOf(tx, found);
      await recordOfMembers(tx, [member], input, { type: 'invitation.accepted' });
      return this.signIns.begin(tx, input, { accountId: account.id, memberId: member.id, method: 'invitation' });
    });
    return this.signIns.afterwards(begun);
  }

  /** Throws NOT_FOUND. */
  async welcome(input: PublicInput<NoQuery, PostToken>): Promise<WithSession<SignedIn>> {
    const begun = await this.database.asService(async (tx) => {
      const found = await findToken(tx, 'welcome', input.body.token, { lock: true });
      const account = await this.join(tx, found, {});
      const memberId = found.memberId as string;
      return this.signIns.begin(tx, input, { accountId: account.id, memberId, method: 'welcome' });
    });
    return this.signIns.afterwards(begun);
  }

  /** The member of the token gets the account of its address and is active; the links to this end. */
  private async join(
    tx: Tx,
    token: AccountTokenEntity,
    { name, timezone }: { name?: string; timezone?: string },
  ): Promise<AccountEntity> {
    const at = await databaseNow(tx);
    const member = await memberOf(tx, token, { lock: true });
    const account =
      member.accountId === null
        ? await ensureAccount(tx, token.email, at)
        : await tx.repository(AccountEntity).findOneByOrFail({ id: member.accountId });
    const { id, organizationId } = member;
    const members = tx.repository(MemberEntity);
    const others = await members.findBy({ organizationId, accountId: account.id });
    if (others.some((other) => other.id !== id)) {
      throw new Fault('CONFLICT', null, 'The person belongs to this organization as another member already.');
    }
    await members.update(
      { id, organizationId },
      {
        accountId: account.id,
        status: 'active',
        ...(name !== undefined && { name }),
        ...(timezone !== undefined && { timezone }),
        updatedAt: at,
        version: member.version + 1,
      },
    );
    for (const purpose of ['invitation', 'welcome'] as const) await deleteTokens(tx, purpose, { memberId: id });
    return account;
  }

  /** Throws NOT_FOUND, CONFLICT and RATE_LIMITED. */
  async send(input: Input<NoQuery, undefined>): Promise<MemberRecord> {
    const { principal } = input;
    requireLive(principal);
    const publicForm = input.params['id'] ?? '';
    const id = uuidOf('member', publicForm);
    const notFound = new Fault('NOT_FOUND', { resource: 'member', id: publicForm });
    if (id === null) throw notFound;
    const { organizationId } = principal;
    const email = await this.addressOf(id, organizationId);
    const sent = [ofInvitations(id), ofInvitationMails(organizationId), ...(email ? [ofInvitationMailsTo(email)] : [])];
    await this.attempts.count(sent);
    const work = async (tx: Tx): Promise<MemberRecord> => {
      const member = await tx.repository(MemberEntity).findOneBy({ id, organizationId });
      if (!member) throw notFound;
      requireVersion(input.ifMatch, member.version);
      requireInvitable(member);
      await this.mails.add(tx, invitationMail(member, principal));
      await recordInvitation(tx, input, member, await databaseNow(tx));
      return recordOf(member);
    };
    const record = await this.database
      .writeAs(principal, (tx) => withIdempotency(tx, 'auth', principal, input.idempotency, () => work(tx)))
      .catch(async (error: unknown) => {
        await this.attempts.giveBack(sent);
        throw error;
      });
    this.mails.wake();
    return record;
  }

  private addressOf(id: string, organizationId: string): Promise<string | undefined> {
    return this.database.asService(
      async (tx) => (await tx.repository(MemberEntity).findOneBy({ id, organizationId }))?.email,
    );
  }

  /** The answer does not tell whether a mail is sent. Throws RATE_LIMITED for the network only. */
  async requestReset({ body, ip }: PublicInput<NoQuery, PostPasswordReset>): Promise<PasswordResetRequested> {
    const { email } = body;
    await this.attempts.count([ofNetwork(ip)]);
    await this.database
      .asService(async (tx) => {
        await countIn(tx, [ofMailsTo(email)]);
        const account = await accountOfMembers(tx, email);
        if (account)
          await this.mails.add(tx, {
            purpose: 'password_reset',
            to: { accountId: account.id },
            email: account.email,
            requestedBy: null,
          });
      })
      .catch((error: unknown) => {
        if (!(error instanceof Fault) || error.code !== 'RATE_LIMITED') throw error;
      });
    this.mails.wake();
    return { validForMinutes: tokenLifeMs.password_reset / 60_000 };
  }

  /** Throws NOT_FOUND and VALIDATION_ERROR. */
  async reset(input: PublicInput<NoQuery, PutPasswordReset>): Promise<void> {
    const { token, password } = input.body;
    const { email } = await this.database.asService((tx) => findToken(tx, 'password_reset', token));
    requireGoodPassword(password, email);
    const passwordHash = await this.passwords.hash(password, input.ip);
    const ended = await this.database.asService(async (tx) => {
      const found = await findToken(tx, 'password_reset', token, { lock: true });
      const id = found.accountId as string;
      const account = await tx.repository(AccountEntity).findOneOrFail({
        where: { id },
        lock: { mode: 'for_no_key_update' },
      });
      await setPassword(tx, account, passwordHash);
      await this.attempts.forget(tx, ofAccount(account.email));
      await recordOfMembers(tx, await activeMembersOf(tx, id), input, passwordChanged);
      await this.mails.add(tx, passwordChangedMail(account));
      return endSessions(tx, { accountId: id });
    });
    this.mails.wake();
    await this.ends.afterwards(ended);
  }
}

const hasPassword = (account: AccountEntity | null): boolean => account !== null && account.passwordHash !== null;

/** The member of a link, unless the member is disabled or has another address now. Throws NOT_FOUND. */
async function memberOf(
  tx: Tx,
  { memberId, organizationId, email }: AccountTokenEntity,
  { lock = false } = {},
): Promise<MemberEntity> {
  const member = await tx.repository(MemberEntity).findOne({
    where: { id: memberId as string, organizationId: organizationId as string },
    ...(lock && { lock: { mode: 'pessimistic_write' } }),
  });
  if (!member || member.status === 'disabled' || member.email.toLowerCase() !== email.toLowerCase()) throw spent();
  return member;
}

/** Throws VALIDATION_ERROR. */
function requireGoodPassword(password: string, email: string): void {
  const fields = worded(passwordFaults(password, { path: 'password', email }));
  if (fields.length > 0) throw new Fault('VALIDATION_ERROR', { fields });
}

/** Throws CONFLICT. */
function requireInvitable({ status, accountId }: MemberEntity): void {
  if (status === 'disabled') throw new Fault('CONFLICT', null, 'The member is disabled: first enable the member.');
  if (status === 'active' && accountId !== null)
    throw new Fault('CONFLICT', null, 'The member signs in already. A new password is asked for on the sign-in page.');
}

/**
 * The account of the address if the person is an active member. Members who were active before there were accounts get
 * theirs here; the mail proves that the address is theirs.
 */
async function accountOfMembers(tx: Tx, email: string): Promise<AccountEntity | null> {
  const account = await accountOfEmail(tx, email);
  if (account) return (await activeMembersOf(tx, account.id)).length > 0 ? account : null;
  const members = await tx
    .repository(MemberEntity)
    .createQueryBuilder('member')
    .where(`lower(member.email) = lower(:email) AND member.status = 'active' AND member.accountId IS NULL`, { email })
    .orderBy('member.id')
    .setLock('for_no_key_update')
    .getMany();
  if (members.length === 0) return null;
  const created = await ensureAccount(tx, email, await databaseNow(tx));
  for (const { id, organizationId } of members)
    await tx.repository(MemberEntity).update({ id, organizationId }, { accountId: created.id });
  return created;
}
