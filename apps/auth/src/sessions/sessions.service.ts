/** What people do with their own sessions. */
import {
  Fault,
  publicId,
  uuidOf,
  WithSession,
  type Input,
  type ListSessionsQuery,
  type NoQuery,
  type OwnSession,
  type Page,
  type PutSession,
  type Session,
} from '@ams/contracts';
import { Database, page, Where, type Tx } from '@ams/database';
import { Injectable } from '@nestjs/common';
import { activeMembersOf } from '../accounts/accounts.js';
import { AuthSettings } from '../settings.js';
import { recordOfMembers, type MemberEntry } from './member-audit.js';
import { ownSession } from './own-session.js';
import { SessionEnds } from './session-ends.js';
import { beginSession, endSessions, sessionView } from './sessions.js';

interface SessionRow {
  id: string;
  organization_id: string;
  organization_name: string;
  ip: string | null;
  user_agent: string | null;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
}

const columns =
  's.id, s.organization_id, o.name AS organization_name, s.ip, s.user_agent, s.created_at, s.last_seen_at, s.expires_at';

type Own = Input<NoQuery, undefined>;

@Injectable()
export class SessionsService {
  constructor(
    private readonly database: Database,
    private readonly ends: SessionEnds,
    private readonly settings: AuthSettings,
  ) {}

  get({ principal }: Own): Promise<Session> {
    return this.database.asService(async (tx) => sessionView(tx, (await ownSession(tx, principal)).session));
  }

  /** SQL, because it is a keyset list. */
  list({ principal, query }: Input<ListSessionsQuery, undefined>): Promise<Page<OwnSession>> {
    const { limit, cursor, ...filters } = query;
    return this.database.asService(async (tx) => {
      const { account } = await ownSession(tx, principal);
      const where = new Where()
        .and('s.account_id = ?', account.id)
        .and('s.ended_at IS NULL AND NOT s.pending AND s.expires_at > now()')
        .ofTimes('s.created_at', filters.createdSince, filters.createdUntil);
      return page<SessionRow, OwnSession>(tx, {
        select: columns,
        from: 'auth.sessions s JOIN auth.organizations o ON o.id = s.organization_id',
        where,
        sort: { column: 's.created_at', type: 'time', descending: filters.sort !== 'createdAt' },
        id: 's.id',
        limit,
        cursor,
        boundTo: filters,
        total: () => count(tx, where),
        item: (row) => ownSessionOf(row, principal.sessionId),
      });
    });
  }

  async signOut(input: Own): Promise<WithSession> {
    const { principal, requestId } = input;
    const ended = await this.database.asService(async (tx) => {
      const { session, member } = await ownSession(tx, principal, { lock: true });
      await recordOfMembers(tx, [member], input, { type: 'member.signed_out' });
      return endSessions(tx, { id: session.id });
    });
    await this.ends.afterwards(ended, requestId);
    return new WithSession(undefined, 'ended');
  }

  /** Throws NOT_FOUND. */
  async end(input: Own): Promise<void | WithSession> {
    const { principal, requestId } = input;
    const id = input.params['id'] ?? '';
    const sessionId = uuidOf('session', id);
    const ended = await this.database.asService(async (tx) => {
      const { account, member } = await ownSession(tx, principal, { lock: true });
      const found = sessionId === null ? [] : await endSessions(tx, { id: sessionId, accountId: account.id });
      if (found.length === 0) throw new Fault('NOT_FOUND', { resource: 'session', id });
      await recordOfMembers(tx, [member], input, endOf(found[0] as string));
      return found;
    });
    await this.ends.afterwards(ended, requestId);
    return sessionId === principal.sessionId ? new WithSession(undefined, 'ended') : undefined;
  }

  async endOthers(input: Own): Promise<void> {
    const { principal } = input;
    const ended = await this.database.asService(async (tx) => {
      const { account, session, member } = await ownSession(tx, principal, { lock: true });
      const found = await endSessions(tx, { accountId: account.id }, { except: session.id });
      for (const id of found) await recordOfMembers(tx, [member], input, endOf(id));
      return found;
    });
    await this.ends.afterwards(ended);
  }

  /** The present session ends, and another one goes on for the other member. Throws NOT_FOUND. */
  async switch(input: Input<NoQuery, PutSession>): Promise<WithSession<Session>> {
    const { principal, requestId } = input;
    const id = input.body.organizationId;
    const { answer, ended } = await this.database.asService(async (tx) => {
      const { account, session } = await ownSession(tx, principal, { lock: true });
      const members = await activeMembersOf(tx, account.id, { lock: true });
      const member = members.find(({ organizationId }) => organizationId === uuidOf('organization', id));
      if (!member) throw new Fault('NOT_FOUND', { resource: 'organization', id });
      const before = await endSessions(tx, { id: session.id });
      const begun = await beginSession(tx, {
        accountId: account.id,
        member,
        device: { ip: session.ip, userAgent: session.userAgent },
        life: this.settings.sessions,
        since: session.createdAt,
      });
      const changes = [{ field: 'method', before: null, after: 'switch' }];
      await recordOfMembers(tx, [member], input, { type: 'member.signed_in', changes });
      return { answer: new WithSession(await sessionView(tx, begun.session), begun.change), ended: before };
    });
    await this.ends.afterwards(ended, requestId);
    return answer;
  }
}

const endOf = (sessionId: string): MemberEntry => ({
  type: 'session.ended',
  resource: { type: 'session', id: publicId('session', sessionId) },
});

async function count(tx: Tx, where: Where): Promise<number> {
  const sql = `SELECT count(*)::int AS total FROM auth.sessions s WHERE ${where.toString()}`;
  const [row] = await tx.query<{ total: number }>(sql, where.params);
  return row?.total ?? 0;
}

const ownSessionOf = (row: SessionRow, currentId: string | undefined): OwnSession => ({
  id: publicId('session', row.id),
  isCurrent: row.id === currentId,
  organization: { id: publicId('organization', row.organization_id), name: row.organization_name },
  ip: row.ip,
  userAgent: row.user_agent,
  createdAt: row.created_at.toISOString(),
  lastSeenAt: row.last_seen_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
});
