/**
 * How an operator adds, changes and deletes members. An organization always has an active owner, and a member whom a
 * schedule or a workflow names cannot be disabled or deleted.
 */
import { Fault, newUuid, publicId, type Member, type MemberRecord } from '@ams/contracts';
import { changesBetween, type Database, type Tx } from '@ams/database';
import { type RpcClient } from '@ams/messaging';
import { type Role } from '@ams/scopes';
import { insertIfAbsent } from '../insert-if-absent.js';
import { emailFrom, nameFrom, roleFrom, timeZoneFrom } from '../operator/operator-input.js';
import {
  inLockedOrganization,
  findOrganization,
  recordAudit,
  type Operator,
  type LockedOrganization,
} from '../operator/operator.js';
import { afterEndsByOperator, type EndedSessions } from '../sessions/session-ends.js';
import { endSessions } from '../sessions/sessions.js';
import { changesOfDeletion, deleteMember as remove } from './member-deletion.js';
import { requireUnreferenced } from './member-references.js';
import { MemberEntity } from './member.entity.js';
import { hasAnotherOwner, isActiveOwner } from './members.js';

/** A member as this service knows it: without contact methods and without the on-call state. */
export type MemberSummary = Omit<MemberRecord, 'contactMethods' | 'externalId' | 'updatedAt' | 'version'>;

type Summarized = Omit<MemberEntity, 'accountId' | 'contactMethods' | 'externalId' | 'updatedAt' | 'version'>;

/** By name. Throws NOT_FOUND. */
export const listMembers = (database: Database, input: { organization: string }): Promise<MemberSummary[]> =>
  database.asService(async (tx) => {
    const { id: organizationId } = await findOrganization(tx, input.organization);
    const members = await tx
      .repository(MemberEntity)
      .createQueryBuilder('member')
      .where({ organizationId })
      .orderBy('lower(member.name)')
      .addOrderBy('member.id')
      .getMany();
    return members.map(summaryOf);
  });

/** `organizationId` is a UUID. */
export type NewMember = Pick<MemberEntity, 'organizationId' | 'name' | 'email' | 'role' | 'timezone'>;

/** A new active member. Throws CONFLICT when the organization has the address already, in upper or lower case. */
export async function createMember(tx: Tx, operator: Operator, member: NewMember): Promise<MemberSummary> {
  const { organizationId, name, email, role, timezone } = member;
  const { at } = operator;
  const record: Summarized = { ...member, id: newUuid(at.getTime()), status: 'active', createdAt: at };
  if (!(await insertIfAbsent(tx, MemberEntity, { ...record, updatedAt: at }))) {
    throw new Fault('CONFLICT', null, `There is a member with the address ${email} already.`);
  }
  const summary = summaryOf(record);
  await recordAudit(tx, operator, {
    organizationId,
    type: 'member.created',
    resource: { type: 'member', id: summary.id },
    changes: changesBetween(null, { name, email, role, timezone }),
  });
  return summary;
}

export interface MemberInput {
  organization: string;
  name: string;
  email: string;
  role: string;
  /** UTC when left out. */
  timezone?: string;
}

/** Throws VALIDATION_ERROR, NOT_FOUND and CONFLICT. */
export async function addMember(database: Database, input: MemberInput): Promise<MemberSummary> {
  const values = {
    name: nameFrom(input.name, 'the name of the member'),
    email: emailFrom(input.email),
    role: roleFrom(input.role),
    timezone: timeZoneFrom(input.timezone ?? 'UTC'),
  };
  return inLockedOrganization(database, input.organization, ({ tx, organization, operator }) =>
    createMember(tx, operator, { organizationId: organization.id, ...values }),
  );
}

export interface MemberAddress {
  organization: string;
  email: string;
}

export interface MemberChange {
  /** False when nothing had to be changed. */
  changed: boolean;
  member: MemberSummary;
}

/** Throws VALIDATION_ERROR, NOT_FOUND, and CONFLICT for the last active owner. */
export const setRole = async (
  database: Database,
  { role, ...address }: MemberAddress & { role: string },
): Promise<MemberChange> => (await changeMember(database, address, { role: roleFrom(role) })).change;

/**
 * The sessions of the member end as those of a member whom the API disables (`session-ends.ts`). `rpc`: `null` without
 * NATS. Throws NOT_FOUND, CONFLICT for the last active owner, and RESOURCE_IN_USE for a member whom a schedule or a
 * workflow names.
 */
export async function disableMember(
  database: Database,
  rpc: RpcClient | null,
  address: MemberAddress,
): Promise<MemberChange & EndedSessions> {
  const { change, sessionIds } = await changeMember(database, address, { status: 'disabled' });
  return { ...change, ...(await afterEndsByOperator(database, rpc, sessionIds)) };
}

/**
 * Deletes the member with all that belongs to the person; the sessions end as those of a disabled member. `rpc`: `null`
 * without NATS. Throws NOT_FOUND, CONFLICT for the last active owner, and RESOURCE_IN_USE for a member whom a schedule,
 * a workflow, an escalation policy or a team names.
 */
export async function deleteMember(
  database: Database,
  rpc: RpcClient | null,
  { organization: slug, email }: MemberAddress,
): Promise<{ member: MemberSummary } & EndedSessions> {
  const { member, sessionIds } = await inLockedOrganization(database, slug, async (locked) => {
    const { tx, organization, operator } = locked;
    const found = await lockMember(locked, email);
    const ended = await remove(tx, found, found.email, operator.at);
    const summary = summaryOf(found);
    await recordAudit(tx, operator, {
      organizationId: organization.id,
      type: 'member.deleted',
      resource: { type: 'member', id: summary.id },
      changes: changesOfDeletion(found),
    });
    return { member: summary, sessionIds: ended };
  });
  return { member, ...(await afterEndsByOperator(database, rpc, sessionIds)) };
}

/** Throws NOT_FOUND. */
export const enableMember = async (database: Database, address: MemberAddress): Promise<MemberChange> =>
  (await changeMember(database, address, { status: 'active' })).change;

const changeMember = (
  database: Database,
  { organization: slug, email }: MemberAddress,
  input: { role?: Role; status?: Member['status'] },
): Promise<{ change: MemberChange; sessionIds: string[] }> =>
  inLockedOrganization(database, slug, async (locked) => {
    const { tx, organization, operator } = locked;
    const before = await lockMember(locked, email);
    const after = { ...before, ...input };
    const changes = changesBetween(before, after);
    if (changes.length === 0) return { change: { changed: false, member: summaryOf(before) }, sessionIds: [] };
    if (isActiveOwner(before) && !isActiveOwner(after)) await requireAnotherOwner(locked, before);
    if (after.status === 'disabled') await requireUnreferenced(tx, before, operator.at);
    await tx
      .repository(MemberEntity)
      .update(
        { organizationId: organization.id, id: before.id },
        { ...input, updatedAt: operator.at, version: before.version + 1 },
      );
    const sessionIds =
      after.status === 'disabled'
        ? await endSessions(tx, { memberId: before.id, organizationId: organization.id })
        : [];
    const member = summaryOf(after);
    await recordAudit(tx, operator, {
      organizationId: organization.id,
      type: 'member.updated',
      resource: { type: 'member', id: member.id },
      changes,
    });
    return { change: { changed: true, member }, sessionIds };
  });

/** Waits for a transaction that writes the member into a schedule or a workflow: its foreign key locks the row. */
async function lockMember({ tx, organization }: LockedOrganization, email: string): Promise<MemberEntity> {
  const member = await tx
    .repository(MemberEntity)
    .createQueryBuilder('member')
    .setLock('pessimistic_write')
    .where({ organizationId: organization.id })
    .andWhere('lower(member.email) = lower(:email)', { email })
    .getOne();
  if (member) return member;
  const message = `There is no member with the address "${email}" in ${organization.slug}.`;
  throw new Fault('NOT_FOUND', { resource: 'member', id: email }, message);
}

async function requireAnotherOwner({ tx, organization }: LockedOrganization, owner: MemberEntity): Promise<void> {
  if (await hasAnotherOwner(tx, owner)) return;
  const message = `${owner.email} is the last active owner of ${organization.slug}: first make somebody else an owner.`;
  throw new Fault('CONFLICT', null, message);
}

const summaryOf = ({ id, name, email, role, status, timezone, createdAt }: Summarized): MemberSummary => ({
  id: publicId('member', id),
  name,
  email,
  role,
  status,
  timezone,
  createdAt: createdAt.toISOString(),
});
