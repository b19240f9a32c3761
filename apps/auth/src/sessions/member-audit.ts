/** Audit entries about people who sign in. They concern both environments, and are in `live`. */
import { publicId, type Change, type Principal } from '@ams/contracts';
import { auditRecord, type Tx } from '@ams/database';
import { addAuditEntries } from '../audit-log/audit-entries.js';
import { databaseNow } from '../database-now.js';
import { type MemberEntity } from '../members/member.entity.js';

/** The request that has the effect. */
export interface SignInRequest {
  requestId: string;
  ip: string | null;
  userAgent: string | null;
  /** Of the cookie that the caller sent, if any. */
  sessionHash: string | null;
}

type Person = Pick<MemberEntity, 'id' | 'organizationId' | 'name'>;

const principalOf = ({ id, organizationId, name }: Person): Principal => ({
  type: 'user',
  id,
  organizationId,
  name,
  environment: 'live',
  scopes: [],
});

export interface MemberEntry {
  type: string;
  /** The member itself when left out. */
  resource?: { type: string; id: string };
  changes?: Change[];
}

/** One entry in the organization of each member, with the member as the actor. */
export async function recordOfMembers(
  tx: Tx,
  members: readonly Person[],
  { requestId, ip, userAgent }: Pick<SignInRequest, 'requestId' | 'ip' | 'userAgent'>,
  { type, resource, changes = [] }: MemberEntry,
): Promise<void> {
  const at = await databaseNow(tx);
  const entries = members.map((member) =>
    auditRecord(
      { principal: principalOf(member), requestId, ip, userAgent },
      { type, resource: resource ?? { type: 'member', id: publicId('member', member.id) }, changes, at },
    ),
  );
  if (entries.length > 0) await addAuditEntries(tx, entries);
}
