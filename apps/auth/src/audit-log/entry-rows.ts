/** Rows of the audit log, and the entries that the API and the chain of hashes make of them. */
import { auditEntryOf, type Actor, type AuditEntry, type Change } from '@ams/contracts';

export interface EntryRow {
  id: string;
  type: string;
  occurred_at: Date;
  actor_type: Actor['type'];
  actor_id: string | null;
  actor_name: string;
  actor_via: Actor['via'] | null;
  ip: string | null;
  user_agent: string | null;
  request_id: string | null;
  resource_type: string | null;
  resource_id: string | null;
  changes: Change[] | null;
}

export const entryColumns =
  'id, type, occurred_at, actor_type, actor_id, actor_name, actor_via, ip, user_agent, request_id, ' +
  'resource_type, resource_id, changes';

/** The entry as the API and the chain of hashes have it. */
export const entryFromRow = (row: EntryRow): AuditEntry =>
  auditEntryOf({
    id: row.id,
    type: row.type,
    occurredAt: row.occurred_at.toISOString(),
    actor: {
      type: row.actor_type,
      id: row.actor_id,
      name: row.actor_name,
      ...(row.actor_via && { via: row.actor_via }),
    },
    ip: row.ip,
    userAgent: row.user_agent,
    requestId: row.request_id,
    resource: row.resource_type === null ? null : { type: row.resource_type, id: row.resource_id },
    changes: row.changes ?? [],
  });
