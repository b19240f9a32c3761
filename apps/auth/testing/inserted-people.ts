/** People who are signed in, as rows, for tests of what they do then. */
import { credentialHash, newAccountToken, newUuid, type Answer, type Principal } from '@ams/contracts';
import { roles, type Role } from '@ams/scopes';
import { insertMember, insertRows, type SqlRunner } from '@ams/testing';

export interface TestPerson {
  accountId: string;
  memberId: string;
  organizationId: string;
  email: string;
  /** With a session. */
  principal: Principal;
  /** Of the cookie. */
  sessionHash: string;
}

export interface PersonOptions {
  role?: Role;
  /** argon2id. */
  passwordHash?: string | null;
  /** How long ago the person signed in. */
  signedInMsAgo?: number;
}

export async function insertPerson(
  sql: SqlRunner,
  organizationId: string,
  { role = 'owner', passwordHash = null, signedInMsAgo = 0 }: PersonOptions = {},
): Promise<TestPerson> {
  const accountId = newUuid();
  const email = `${accountId}@example.com`;
  const now = new Date();
  const tenant = { organizationId, environment: 'live' } as const;
  await insertRows(sql, 'auth.accounts', [
    { id: accountId, email, password_hash: passwordHash, created_at: now, updated_at: now },
  ]);
  const memberId = await insertMember(sql, tenant, { name: 'Mira', email, role });
  await sql.query('UPDATE auth.members SET account_id = $2 WHERE id = $1', [memberId, accountId]);
  const sessionId = newUuid();
  const sessionHash = credentialHash(newAccountToken());
  await insertRows(sql, 'auth.sessions', [
    {
      id: sessionId,
      token_hash: sessionHash,
      account_id: accountId,
      member_id: memberId,
      organization_id: organizationId,
      created_at: new Date(now.getTime() - signedInMsAgo),
      last_seen_at: now,
      expires_at: new Date(now.getTime() + 3_600_000),
    },
  ]);
  const principal: Principal = {
    type: 'user',
    id: memberId,
    name: 'Mira',
    ...tenant,
    scopes: [...roles[role]],
    sessionId,
  };
  return { accountId, memberId, organizationId, email, principal, sessionHash };
}

/** The hash of the cookie that the answer sets. Throws when it sets none. */
export function hashOfCookie(answer: Answer): string {
  if (!answer.ok || !answer.session || answer.session === 'ended') throw new Error(JSON.stringify(answer));
  return credentialHash(answer.session.token);
}
