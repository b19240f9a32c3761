/** SQL on the view of members; auth owns the table. Members belong to both environments of their organization. */
import { uuidsOf } from '@ams/alerting';
import {
  Fault,
  publicId,
  uuidOf,
  type FieldFault,
  type Input,
  type ListMembersQuery,
  type Member,
  type OnCallUser,
  type Page,
  type Tenant,
} from '@ams/contracts';
import { containing, page, Where, type Tx } from '@ams/database';
import { choiceOf, scheduleLimits } from '@ams/domain';
import { count, sortBy } from '../records/tenant-queries.js';

type Organization = Pick<Tenant, 'organizationId'>;

interface MemberRow {
  id: string;
  name: string;
  email: string;
  role: Member['role'];
  status: Member['status'];
  timezone: string;
  contact_methods: Member['contactMethods'];
  external_id: string | null;
  created_at: Date;
  updated_at: Date;
  version: number;
}

const view = 'auth_views.members';
const columns =
  'id, name, email, role, status, timezone, contact_methods, external_id, created_at, updated_at, version';
const sorts = { name: { column: 'name', type: 'text' }, createdAt: { column: 'created_at', type: 'time' } } as const;

/** `onCall`: UUIDs of the members who are on call. */
export function membersPage(
  tx: Tx,
  { organizationId }: Organization,
  { limit, cursor, ...filters }: ListMembersQuery,
  onCall: ReadonlySet<string>,
): Promise<Page<Member>> {
  const where = membersMatching(organizationId, filters, onCall);
  return page<MemberRow, Member>(tx, {
    select: columns,
    from: view,
    where,
    sort: sortBy(filters.sort ?? 'name', sorts),
    id: 'id',
    limit,
    cursor,
    boundTo: ['members', filters],
    total: () => count(tx, view, where),
    item: (row) => memberFromRow(row, onCall.has(row.id)),
  });
}

function membersMatching(organizationId: string, filters: ListMembersQuery, onCall: ReadonlySet<string>): Where {
  const where = new Where().and('organization_id = ?', organizationId);
  where.ofTexts('role', filters.role).ofTexts('status', filters.status).ofTexts('external_id', filters.externalId);
  if (filters.email) {
    const choice = choiceOf(filters.email);
    const isOne = 'lower(email) IN (SELECT lower(address) FROM unnest(?::text[]) AS address)';
    where.anyChosen(choice, isOne, [choice.values], 'false');
  }
  where.ofTimes('created_at', filters.createdSince, filters.createdUntil);
  if (filters.isOnCall) where.and('(id = ANY(?::uuid[])) = ?', [...onCall], filters.isOnCall === 'true');
  if (filters.q) where.and('(name ILIKE ? OR email ILIKE ?)', containing(filters.q), containing(filters.q));
  return where;
}

const memberFromRow = (row: MemberRow, isOnCall: boolean): Member => ({
  id: publicId('member', row.id),
  name: row.name,
  email: row.email,
  role: row.role,
  status: row.status,
  timezone: row.timezone,
  contactMethods: [{ type: 'email', address: row.email, verified: true }, ...row.contact_methods],
  externalId: row.external_id,
  isOnCall,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  version: row.version,
});

/** The member that the path names. Throws NOT_FOUND. */
export async function memberOf(
  tx: Tx,
  { principal: { organizationId }, params }: Input<unknown, unknown>,
  onCall: ReadonlySet<string>,
): Promise<Member> {
  const id = params['id'] ?? '';
  const uuid = uuidOf('member', id);
  const rows =
    uuid === null
      ? []
      : await tx.query<MemberRow>(`SELECT ${columns} FROM ${view} WHERE organization_id = $1 AND id = $2`, [
          organizationId,
          uuid,
        ]);
  if (!rows[0]) throw new Fault('NOT_FOUND', { resource: 'member', id });
  return memberFromRow(rows[0], onCall.has(rows[0].id));
}

/** The UUID and the status of the member that the path names. Throws NOT_FOUND. */
export async function memberForFeed(
  tx: Tx,
  { principal: { organizationId }, params }: Input<unknown, unknown>,
): Promise<{ id: string; status: Member['status'] }> {
  const id = params['id'] ?? '';
  const uuid = uuidOf('member', id);
  const [member] =
    uuid === null
      ? []
      : await tx.query<{ id: string; status: Member['status'] }>(
          `SELECT id, status FROM ${view} WHERE organization_id = $1 AND id = $2`,
          [organizationId, uuid],
        );
  if (!member) throw new Fault('NOT_FOUND', { resource: 'member', id });
  return member;
}

/** How answers name a member who is not there any more. */
export const deletedMemberName = 'Deleted member';

/** By their UUIDs. Disabled members are among them; one who was deleted has no name. */
export async function usersById(
  tx: Tx,
  { organizationId }: Organization,
  ids: string[],
): Promise<ReadonlyMap<string, OnCallUser>> {
  const rows = await tx.query<OnCallUser>(
    `SELECT id, name, email FROM ${view} WHERE organization_id = $1 AND id = ANY($2::uuid[])`,
    [organizationId, [...new Set(ids)]],
  );
  const users = new Map(
    ids.map((id): [string, OnCallUser] => [id, { id: publicId('member', id), name: deletedMemberName, email: null }]),
  );
  for (const { id, name, email } of rows) users.set(id, { id: publicId('member', id), name, email });
  return users;
}

/**
 * Returns those public ids that a schedule or a workflow may name. These members do not change until the transaction
 * ends. A disabled member may stay where the record names it `already` (UUIDs), but may not be added.
 */
export async function holdMembers(
  tx: Tx,
  { organizationId }: Organization,
  ids: string[],
  already: string[] = [],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.query<{ id: string }>('SELECT id FROM auth.hold_members($1, $2::uuid[], $3::uuid[]) AS id', [
    organizationId,
    uuidsOf('member', ids),
    already,
  ]);
  return new Set(rows.map(({ id }) => publicId('member', id)));
}

/** UUIDs of everybody who can respond, in the order in which they were added. */
export async function everybodyOf(tx: Tx, { organizationId }: Organization): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM ${view} WHERE organization_id = $1 AND status <> 'disabled' AND role <> 'viewer'
     ORDER BY created_at, id LIMIT ${scheduleLimits.members}`,
    [organizationId],
  );
  return rows.map(({ id }) => id);
}

export const unknownMember = (path: string, id: string): FieldFault => ({
  path,
  rule: 'exists',
  message: `there is no member with the id ${id} who can be on call`,
});
