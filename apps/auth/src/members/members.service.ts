/**
 * The writes of members by the API; resource-api reads them. An organization always has an active owner, and a key gives
 * nobody a scope that it does not have. Changes lock the organization: the second of two sees what the first did.
 */
import {
  Fault,
  newUuid,
  publicId,
  uuidOf,
  WithSession,
  type Input,
  type MemberRecord,
  type NoQuery,
  type PostMember,
  type Principal,
  type PutMember,
} from '@ams/contracts';
import { auditRecord, changesBetween, Database, requireVersion, withIdempotency, type Tx } from '@ams/database';
import { limitOf, validateContactMethods } from '@ams/domain';
import { roles, type Role } from '@ams/scopes';
import { Injectable } from '@nestjs/common';
import { addAuditEntries } from '../audit-log/audit-entries.js';
import { databaseNow } from '../database-now.js';
import { AccountMails } from '../accounts/account-mails.js';
import { invitationMail, recordInvitation } from '../accounts/invitation-mail.js';
import { ofInvitationMails, SignInAttempts } from '../accounts/sign-in-attempts.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';
import { SessionEnds } from '../sessions/session-ends.js';
import { endSessions } from '../sessions/sessions.js';
import { changesOfDeletion, deleteMember } from './member-deletion.js';
import { MemberEntity } from './member.entity.js';
import { hasAnotherOwner, isActiveOwner, recordOf, requireLive } from './members.js';

const unaudited = ['id', 'createdAt', 'updatedAt', 'version'];

type Change = Input<NoQuery, unknown>;
type Settings = Pick<MemberEntity, 'name' | 'email' | 'role' | 'status' | 'timezone' | 'contactMethods' | 'externalId'>;

@Injectable()
export class MembersService {
  constructor(
    private readonly database: Database,
    private readonly mails: AccountMails,
    private readonly ends: SessionEnds,
    private readonly attempts: SignInAttempts,
  ) {}

  async invite(input: Input<NoQuery, PostMember>): Promise<MemberRecord> {
    const { principal, body } = input;
    const { role = 'responder' } = body;
    requireLive(principal);
    requireRoles(principal, [role]);
    const sent = [ofInvitationMails(principal.organizationId)];
    await this.attempts.count(sent);
    const write = this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'auth', principal, input.idempotency, async () => {
        const { organizationId } = principal;
        const at = await lockOrganization(tx, organizationId);
        await requireRoom(tx, organizationId);
        const { name, email, timezone = 'UTC', externalId = null } = body;
        const contactMethods = methodsOf(body.contactMethods);
        const settings: Settings = { name, email, role, status: 'invited', timezone, contactMethods, externalId };
        const member = { id: newUuid(at.getTime()), organizationId, accountId: null, ...settings };
        const created = { ...member, createdAt: at, updatedAt: at, version: 1 };
        await requireUnique(tx, created);
        await tx.repository(MemberEntity).insert(created);
        await record(tx, input, { type: 'member.created', before: null, after: created, at });
        await recordInvitation(tx, input, created, at);
        await this.mails.add(tx, invitationMail(created, principal));
        return recordOf(created);
      }),
    );
    const invited = await write.catch(async (error: unknown) => {
      await this.attempts.giveBack(sent);
      throw error;
    });
    this.mails.wake();
    return invited;
  }

  update(input: Input<NoQuery, PutMember>): Promise<MemberRecord> {
    const { name, email, role, timezone, contactMethods, externalId } = input.body;
    const sent = {
      ...(name !== undefined && { name }),
      ...(email !== undefined && { email }),
      ...(role !== undefined && { role }),
      ...(timezone !== undefined && { timezone }),
      ...(contactMethods !== undefined && { contactMethods: methodsOf(contactMethods) }),
      ...(externalId !== undefined && { externalId }),
    };
    return this.database.writeAs(input.principal, (tx) => change(tx, input, () => sent));
  }

  /** From the commit on, admission refuses the sessions of the member. */
  async disable(input: Input<NoQuery, undefined>): Promise<MemberRecord> {
    const disabled = await this.changeStatus(input, () => ({ status: 'disabled' }));
    await this.endSessionsOfDisabled(input);
    return disabled;
  }

  /** A process may have stopped between the disabling and the end of the sessions: they must not come back. */
  async enable(input: Input<NoQuery, undefined>): Promise<MemberRecord> {
    await this.endSessionsOfDisabled(input);
    return this.changeStatus(input, ({ status }) => (status === 'disabled' ? { status: 'active' } : {}));
  }

  /** The sessions end with the member: they are deleted in the same transaction, which waits for theirs. */
  async delete(input: Input<NoQuery, undefined>): Promise<void | WithSession> {
    const { principal, requestId } = input;
    const isOneself = principal.type === 'user' && principal.id === uuidOf('member', input.params['id'] ?? '');
    const ended = await this.database.writeAs(principal, (tx) => remove(tx, input), { endsItself: isOneself });
    await this.ends.afterwards(ended, isOneself ? requestId : null);
    return isOneself ? new WithSession(undefined, 'ended') : undefined;
  }

  /** Of the member of the path. */
  private async endSessionsOfDisabled({ principal, params }: Input<NoQuery, undefined>): Promise<void> {
    const id = uuidOf('member', params['id'] ?? '');
    if (id === null) return;
    const { organizationId } = principal;
    const ended = await this.database.asService(async (tx) => {
      const isDisabled = await tx.repository(MemberEntity).existsBy({ id, organizationId, status: 'disabled' });
      return isDisabled ? endSessions(tx, { memberId: id, organizationId }) : [];
    });
    await this.ends.afterwards(ended);
  }

  private changeStatus(
    input: Input<NoQuery, undefined>,
    next: (member: MemberEntity) => Partial<Settings>,
  ): Promise<MemberRecord> {
    return this.database.writeAs(input.principal, (tx) =>
      withIdempotency(tx, 'auth', input.principal, input.idempotency, () => change(tx, input, next)),
    );
  }
}

/** Changes the member of the path. Without a difference nothing is written. */
async function change(tx: Tx, input: Change, next: (member: MemberEntity) => Partial<Settings>): Promise<MemberRecord> {
  const { principal } = input;
  requireLive(principal);
  const at = await lockOrganization(tx, principal.organizationId);
  const before = await lockMember(tx, input);
  requireVersion(input.ifMatch, before.version);
  const after = { ...before, ...next(before) };
  requireRoles(principal, [before.role, after.role]);
  requireContactsOnce(after);
  if (changesBetween(before, after).length === 0) return recordOf(before);
  if (isActiveOwner(before) && !isActiveOwner(after) && !(await hasAnotherOwner(tx, before))) {
    throw new Fault('CONFLICT', null, 'The member is the last active owner: first make somebody else an owner.');
  }
  await requireUnique(tx, after);
  const changed = { ...after, updatedAt: at, version: before.version + 1 };
  const { id, organizationId, createdAt: _createdAt, ...columns } = changed;
  await tx.repository(MemberEntity).update({ id, organizationId }, columns);
  await record(tx, input, { type: 'member.updated', before, after: changed, at });
  return recordOf(changed);
}

/** Returns the sessions that have ended. */
async function remove(tx: Tx, input: Change): Promise<string[]> {
  const { principal } = input;
  requireLive(principal);
  const at = await lockOrganization(tx, principal.organizationId);
  const member = await lockMember(tx, input);
  requireVersion(input.ifMatch, member.version);
  requireRoles(principal, [member.role]);
  const ended = await deleteMember(tx, member, 'The member', at);
  const resource = { type: 'member', id: publicId('member', member.id) };
  const changes = changesOfDeletion(member);
  await addAuditEntries(tx, [auditRecord(input, { type: 'member.deleted', resource, changes, at })]);
  return ended;
}

/** The time of the database. */
async function lockOrganization(tx: Tx, organizationId: string): Promise<Date> {
  await tx.query('SELECT FROM auth.organizations WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
  return databaseNow(tx);
}

/** Waits for transactions of the member, and for those that write the member into a schedule. Throws NOT_FOUND. */
async function lockMember(tx: Tx, { principal: { organizationId }, params }: Change): Promise<MemberEntity> {
  const publicForm = params['id'] ?? '';
  const id = uuidOf('member', publicForm);
  const member =
    id === null
      ? null
      : await tx
          .repository(MemberEntity)
          .findOne({ where: { id, organizationId }, lock: { mode: 'pessimistic_write' } });
  if (!member) throw new Fault('NOT_FOUND', { resource: 'member', id: publicForm });
  return member;
}

/** A key gives no role, and changes no member of a role, with a scope that it does not have. */
function requireRoles({ scopes }: Principal, of: Role[]): void {
  const missing = new Set(of.flatMap((role) => roles[role].filter((scope) => !scopes.includes(scope))));
  if (missing.size > 0) throw new Fault('INSUFFICIENT_SCOPE', { required: [...missing].join(', ') });
}

async function requireRoom(tx: Tx, organizationId: string): Promise<void> {
  const used = await tx.repository(MemberEntity).countBy({ organizationId });
  const organization = await tx.repository(OrganizationEntity).findOneByOrFail({ id: organizationId });
  const limit = limitOf('members', organization.limits);
  if (used >= limit) throw new Fault('QUOTA_EXCEEDED', { kind: 'members', limit, used });
}

/** The organization is locked, so both stay unique until the commit. Throws CONFLICT. */
async function requireUnique(tx: Tx, { organizationId, id, email, externalId }: MemberEntity): Promise<void> {
  const others = await tx
    .repository(MemberEntity)
    .createQueryBuilder('member')
    .where('member.organizationId = :organizationId AND member.id <> :id', { organizationId, id })
    .andWhere('(lower(member.email) = lower(:email) OR member.externalId = :externalId)', { email, externalId })
    .getMany();
  const taken = [
    ...(others.some((other) => other.email.toLowerCase() === email.toLowerCase()) ? [`the address ${email}`] : []),
    ...(externalId !== null && others.some((other) => other.externalId === externalId)
      ? [`the externalId ${externalId}`]
      : []),
  ];
  if (others.length > 0)
    throw new Fault('CONFLICT', null, `There is a member with ${taken.join(' and with ') || 'the address'} already.`);
}

const methodsOf = (sent: PostMember['contactMethods'] = []): MemberEntity['contactMethods'] =>
  sent.map(({ type, address }) => ({ type, address, verified: true }));

/** A PUT may send one of the address and the further addresses only. Throws VALIDATION_ERROR. */
function requireContactsOnce({ email, contactMethods }: MemberEntity): void {
  const sent = contactMethods.map(({ type, address }) => ({ type, address }));
  const fields = validateContactMethods(sent, email).filter(({ rule }) => rule === 'unique');
  if (fields.length > 0) throw new Fault('VALIDATION_ERROR', { fields });
}

async function record(
  tx: Tx,
  input: Change,
  { type, before, after, at }: { type: string; before: MemberEntity | null; after: MemberEntity; at: Date },
): Promise<void> {
  const shown = recordOf(after);
  const changes = changesBetween(before && recordOf(before), shown, { ignore: unaudited });
  await addAuditEntries(tx, [auditRecord(input, { type, resource: { type: 'member', id: shown.id }, changes, at })]);
}
