/**
 * Sessions: how they begin, are replaced and end. All run in a transaction of the service, because sessions belong to
 * people, not to a tenant.
 */
import {
  credentialHash,
  csrfTokenOf,
  newAccountToken,
  newUuid,
  publicId,
  type Account,
  type MemberOrganization,
  type Session,
  type SessionChange,
} from '@ams/contracts';
import { type Tx } from '@ams/database';
import { roles } from '@ams/scopes';
import { In, IsNull, MoreThan } from 'typeorm';
import { AccountEntity } from '../accounts/account.entity.js';
import { activeMembersOf } from '../accounts/accounts.js';
import { databaseNow } from '../database-now.js';
import { MemberEntity } from '../members/member.entity.js';
import { recordOf } from '../members/members.js';
import { OrganizationEntity } from '../organizations/organization.entity.js';
import { factorStateOf, twoFactorView } from '../second-factors/second-factors.js';
import { type SessionLife } from '../settings.js';
import { SessionEntity } from './session.entity.js';

/** Above it the session that was used the longest time ago ends. */
const mostSessions = 50;

/** Where a session is used. */
export interface Device {
  ip: string | null;
  userAgent: string | null;
}

export interface NewSession {
  accountId: string;
  member: Pick<MemberEntity, 'id' | 'organizationId'>;
  device: Device;
  life: SessionLife;
  /** Another factor is still asked for. */
  pending?: boolean;
  /** Of a session that this one continues; its longest life goes on. */
  since?: Date;
}

export interface BegunSession {
  session: SessionEntity;
  /** For the cookie of the caller. */
  change: SessionChange;
}

/** Only the cookie gets the token. The member must be active, and locked in the transaction. */
export async function beginSession(
  tx: Tx,
  { accountId, member, device, life, ...more }: NewSession,
): Promise<BegunSession> {
  const at = await databaseNow(tx);
  const token = newAccountToken();
  const createdAt = more.since ?? at;
  const latest = createdAt.getTime() + life.lifeSeconds * 1000;
  const session: SessionEntity = {
    id: newUuid(at.getTime()),
    tokenHash: credentialHash(token),
    accountId,
    memberId: member.id,
    organizationId: member.organizationId,
    pending: more.pending ?? false,
    ip: device.ip,
    userAgent: device.userAgent?.slice(0, 512) ?? null,
    createdAt,
    lastSeenAt: at,
    expiresAt: new Date(Math.min(latest, at.getTime() + life.idleSeconds * 1000)),
    endedAt: null,
  };
  await tx.repository(SessionEntity).insert(session);
  return { session, change: { token, expiresAt: new Date(latest).toISOString() } };
}

/** Ends the sessions that the condition finds. Returns their ids, for `SessionEnds.afterwards`. */
export async function endSessions(
  tx: Tx,
  where: Partial<Pick<SessionEntity, 'id' | 'accountId' | 'memberId' | 'organizationId' | 'tokenHash'>>,
  { except }: { except?: string } = {},
): Promise<string[]> {
  const at = await databaseNow(tx);
  const sessions = tx.repository(SessionEntity);
  const found = await sessions.find({
    where: { ...where, endedAt: IsNull() },
    select: { id: true },
    order: { id: 'ASC' },
    lock: { mode: 'for_no_key_update' },
  });
  const ids = found.map(({ id }) => id).filter((id) => id !== except);
  if (ids.length > 0) await sessions.update({ id: In(ids), endedAt: IsNull() }, { endedAt: at });
  return ids;
}

/** Ends the sessions that are too many. */
export async function endOldest(tx: Tx, accountId: string): Promise<string[]> {
  const live = await tx.repository(SessionEntity).find({
    where: { accountId, endedAt: IsNull(), expiresAt: MoreThan(await databaseNow(tx)) },
    select: { id: true },
    order: { lastSeenAt: 'DESC', id: 'DESC' },
    skip: mostSessions,
  });
  const ended: string[] = [];
  for (const { id } of live) ended.push(...(await endSessions(tx, { id })));
  return ended;
}

export const accountView = ({ email, passwordHash }: AccountEntity): Account => ({
  email,
  hasPassword: passwordHash !== null,
});

/** The session as its owner sees it. */
export async function sessionView(tx: Tx, session: SessionEntity): Promise<Session> {
  const account = await tx.repository(AccountEntity).findOneByOrFail({ id: session.accountId });
  const { memberId: id, organizationId } = session;
  const member = await tx.repository(MemberEntity).findOneByOrFail({ id, organizationId });
  const organizations = await organizationsOf(tx, account.id);
  const organization = organizations.find((one) => one.id === publicId('organization', organizationId));
  return {
    id: publicId('session', session.id),
    account: accountView(account),
    member: recordOf(member),
    organization: organization ?? (await organizationView(tx, organizationId)),
    organizations,
    scopes: [...roles[member.role]],
    csrfToken: csrfTokenOf(session.tokenHash),
    twoFactor: twoFactorView(await factorStateOf(tx, account.id)),
    createdAt: session.createdAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
  };
}

async function organizationsOf(tx: Tx, accountId: string): Promise<MemberOrganization[]> {
  const members = await activeMembersOf(tx, accountId);
  const ids = members.map(({ organizationId }) => organizationId);
  const found = await tx
    .repository(OrganizationEntity)
    .find({ where: { id: In(ids) }, order: { name: 'ASC', id: 'ASC' } });
  return found.map(({ id, name }) => ({ id: publicId('organization', id), name }));
}

async function organizationView(tx: Tx, id: string): Promise<MemberOrganization> {
  const { name } = await tx.repository(OrganizationEntity).findOneByOrFail({ id });
  return { id: publicId('organization', id), name };
}
