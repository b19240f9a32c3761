/** The audit log: this service owns it. Append-only; entries come from admissions, from handlers here, and from the broker. */
import { storableJson } from '@ams/domain';
import {
  publicId,
  type Actor,
  type AuditEntry,
  type AuditRecord,
  type Change,
  type Input,
  type ListAuditLogQuery,
  type Page,
} from '@ams/contracts';
import { Database, page, Where, type Tx } from '@ams/database';
import { withoutCredentials } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';

/** Of which there is no index of types, because nearly all entries are of it. */
const use = 'api_key.used';

/**
 * Ids tell the time too, but by the clock of whoever made them. So the time of an entry decides, and the ids narrow the
 * search down to this much around it.
 */
const clockSlack = '1 day';

interface EntryRow {
  id: string;
  type: string;
  occurred_at: Date;
  actor_type: Actor['type'];
  actor_id: string | null;
  actor_name: string;
  ip: string | null;
  user_agent: string | null;
  request_id: string | null;
  resource_type: string | null;
  resource_id: string | null;
  changes: Change[] | null;
}

@Injectable()
export class AuditLog {
  constructor(@Inject(Database) private readonly database: Database) {}

  list({ principal, query }: Input<ListAuditLogQuery, undefined>): Promise<Page<AuditEntry>> {
    const { limit, cursor, ...filters } = query;
    return this.database.readAs(principal, (tx) => {
      const where = new Where()
        .and('organization_id = ?', principal.organizationId)
        .and('environment = ?', principal.environment);
      if (filters.type?.length) where.and('type = ANY (?::text[])', filters.type);
      if (filters.type?.length && !filters.type.includes(use)) where.and(`type <> '${use}'`);
      if (filters.actorId?.length) where.and('actor_id = ANY (?::text[])', filters.actorId);
      if (filters.resourceId?.length) where.and('resource_id = ANY (?::text[])', filters.resourceId);
      const { since, until } = filters;
      if (since)
        where.and(
          `occurred_at >= ?::timestamptz AND id >= public.uuid_at(greatest(?::timestamptz - interval '${clockSlack}', 'epoch'))`,
          since,
          since,
        );
      if (until)
        where.and(
          `occurred_at < ?::timestamptz AND id < public.uuid_at(greatest(?::timestamptz + interval '${clockSlack}', 'epoch'))`,
          until,
          until,
        );
      return page<EntryRow, AuditEntry>(tx, {
        select:
          'id, type, occurred_at, actor_type, actor_id, actor_name, ip, user_agent, request_id, resource_type, resource_id, changes',
        from: 'auth.audit_log',
        where,
        sort: { column: 'id', type: 'id', descending: true },
        id: 'id',
        limit,
        cursor,
        boundTo: filters,
        total: async () =>
          Number(
            (
              await tx.query<{ n: string }>(
                `SELECT count(*) AS n FROM auth.audit_log WHERE ${where.toString()}`,
                where.params,
              )
            )[0]?.n,
          ),
        item: entryFromRow,
      });
    });
  }
}

const entryFromRow = (row: EntryRow): AuditEntry => ({
  id: publicId('auditEntry', row.id),
  type: row.type,
  occurredAt: row.occurred_at.toISOString(),
  actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
  ip: row.ip,
  userAgent: row.user_agent,
  requestId: row.request_id,
  resource: row.resource_type === null ? null : { type: row.resource_type, id: row.resource_id },
  changes: row.changes ?? [],
});

/** Adds entries. One that is there already stays as it is. */
export async function addEntries(tx: Pick<Tx, 'query'>, records: AuditRecord[]): Promise<void> {
  await tx.query(
    `INSERT INTO auth.audit_log (id, organization_id, environment, type, occurred_at, actor_type, actor_id, actor_name, ip, user_agent, request_id, resource_type, resource_id, changes)
     SELECT id, "organizationId", environment, type, "occurredAt", actor->>'type', actor->>'id', actor->>'name', ip, "userAgent", "requestId", resource->>'type', resource->>'id', changes
     FROM json_to_recordset($1::json) AS record(id uuid, "organizationId" uuid, environment text, type text, "occurredAt" timestamptz, actor json,
       ip text, "userAgent" text, "requestId" text, resource json, changes jsonb)
     ON CONFLICT (id) DO NOTHING`,
    [storableJson(records.map(withoutSecrets))],
  );
}

const withoutSecrets = (record: AuditRecord): AuditRecord =>
  JSON.parse(JSON.stringify(record), (_field, value: unknown) =>
    typeof value === 'string' ? withoutCredentials(value) : value,
  ) as AuditRecord;
