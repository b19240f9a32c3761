/** Members: read here, since who is on call is known here. The rows belong to auth, and to both environments. */
import { publicId, type Input, type ListMembersQuery, type Member, type Page } from '@ams/contracts';
import { Database, containing, page, Where } from '@ams/database';
import { Injectable } from '@nestjs/common';
import { membersOnCall } from '../schedules/on-call.service.js';
import { count, sortBy } from '../records/tenant-records.js';

interface Row {
  id: string;
  name: string;
  email: string;
  role: Member['role'];
  status: Member['status'];
  timezone: string;
  contact_methods: Member['contactMethods'];
  created_at: Date;
}

const table = 'auth_views.members';
const columns = 'id, name, email, role, status, timezone, contact_methods, created_at';
const sorts = { name: { column: 'name', type: 'text' }, createdAt: { column: 'created_at', type: 'time' } } as const;

@Injectable()
export class MembersService {
  constructor(private readonly database: Database) {}

  list(input: Input<ListMembersQuery, undefined>): Promise<Page<Member>> {
    const { limit, cursor, ...filters } = input.query;
    return this.database.readAs(input.principal, async (tx) => {
      const onCall = await membersOnCall(tx, input.principal, new Date());
      const where = matching(input.principal.organizationId, filters, onCall);
      return page<Row, Member>(tx, {
        select: columns,
        from: table,
        where,
        sort: sortBy(filters.sort ?? 'name', sorts),
        id: 'id',
        limit,
        cursor,
        boundTo: ['members', filters],
        total: () => count(tx, table, where),
        item: (row) => recordOf(row, onCall.has(row.id)),
      });
    });
  }
}

function matching(organizationId: string, filters: ListMembersQuery, onCall: ReadonlySet<string>): Where {
  const where = new Where().and('organization_id = ?', organizationId);
  if (filters.role) where.and('role = ANY(?::text[])', filters.role);
  if (filters.status) where.and('status = ANY(?::text[])', filters.status);
  if (filters.email)
    where.and('lower(email) IN (SELECT lower(address) FROM unnest(?::text[]) AS address)', filters.email);
  if (filters.isOnCall) where.and('(id = ANY(?::uuid[])) = ?', [...onCall], filters.isOnCall === 'true');
  if (filters.q) where.and('(name ILIKE ? OR email ILIKE ?)', containing(filters.q), containing(filters.q));
  return where;
}

const recordOf = (row: Row, isOnCall: boolean): Member => ({
  id: publicId('member', row.id),
  name: row.name,
  email: row.email,
  role: row.role,
  status: row.status,
  timezone: row.timezone,
  contactMethods: [{ type: 'email', address: row.email, verified: true }, ...row.contact_methods],
  isOnCall,
  createdAt: row.created_at.toISOString(),
});
