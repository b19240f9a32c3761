/** Reads the audit log. SQL, because it is a keyset list over many rows. */
import {
  type AuditChainLine,
  type AuditEntry,
  type ExportAuditLogQuery,
  type Input,
  type ListAuditLogQuery,
  type Page,
  type Tenant,
} from '@ams/contracts';
import { Database, page, Where, type Tx } from '@ams/database';
import { choiceOf, isChosen } from '@ams/domain';
import { Injectable } from '@nestjs/common';
import { chainPage } from './chain-lines.js';
import { entryColumns, entryFromRow, type EntryRow } from './entry-rows.js';

type Filters = Omit<ListAuditLogQuery, 'limit' | 'cursor'>;

/** The type of nearly all entries. The index on the type does not contain it. */
const keyUsed = 'api_key.used';

/**
 * How far the time in an entry's id may be from the time of the entry: the two can come from different clocks. A filter
 * by time compares the time of the entry; the ids only narrow the search.
 */
const clockDifference = '1 day';

@Injectable()
export class AuditLogService {
  constructor(private readonly database: Database) {}

  /** Newest entries first. */
  list({ principal, query }: Input<ListAuditLogQuery, undefined>): Promise<Page<AuditEntry>> {
    const { limit, cursor, ...filters } = query;
    return this.database.readAs(principal, (tx) => {
      const where = conditionsOf(principal, filters);
      return page<EntryRow, AuditEntry>(tx, {
        select: entryColumns,
        from: 'auth.audit_log',
        where,
        sort: { column: 'id', type: 'id', descending: filters.sort !== 'occurredAt' },
        id: 'id',
        limit,
        cursor,
        boundTo: filters,
        total: () => count(tx, where),
        item: entryFromRow,
      });
    });
  }

  /** The chain from its first sequence on. */
  export({ principal, after }: Input<ExportAuditLogQuery, undefined>): Promise<Page<AuditChainLine>> {
    return this.database.readAs(principal, (tx) => chainPage(tx, principal, after));
  }
}

function conditionsOf({ organizationId, environment }: Tenant, filters: Filters): Where {
  const { type, actorId, resourceId, since, until } = filters;
  const where = new Where().and('organization_id = ?', organizationId).and('environment = ?', environment);
  where.ofTexts('type', type).ofTexts('actor_id', actorId).ofTexts('resource_id', resourceId);
  if (type && !isChosen(choiceOf(type), keyUsed)) where.and(`type <> '${keyUsed}'`);
  addTimes(where, since, until);
  addTimes(where, filters.createdSince, filters.createdUntil);
  return where;
}

function addTimes(where: Where, since: string | undefined, until: string | undefined): void {
  if (since) {
    where.and('occurred_at >= ?::timestamptz', since);
    where.and(`id >= public.uuid_at(greatest(?::timestamptz - interval '${clockDifference}', 'epoch'))`, since);
  }
  if (until) {
    where.and('occurred_at < ?::timestamptz', until);
    where.and(`id < public.uuid_at(greatest(?::timestamptz + interval '${clockDifference}', 'epoch'))`, until);
  }
}

async function count(tx: Tx, where: Where): Promise<number> {
  const sql = `SELECT count(*)::int AS total FROM auth.audit_log WHERE ${where.toString()}`;
  const [row] = await tx.query<{ total: number }>(sql, where.params);
  return row?.total ?? 0;
}
