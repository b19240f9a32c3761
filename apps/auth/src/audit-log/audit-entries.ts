/**
 * Adds entries to the audit log: those of operations and commands in this service, and those that other services send.
 * Entries are never changed. Admission adds its entries in its own statement. SQL, because it adds many rows at once.
 */
import { type AuditRecord } from '@ams/contracts';
import { type Tx } from '@ams/database';
import { storableRecord } from '@ams/persistence';

/** $1: the records as JSON. */
const insertEntries = `
  INSERT INTO auth.audit_log (id, organization_id, environment, type, occurred_at, actor_type, actor_id, actor_name,
    actor_via, ip, user_agent, request_id, resource_type, resource_id, changes, writer)
  SELECT id, "organizationId", environment, type, "occurredAt", actor->>'type', actor->>'id', actor->>'name',
    (actor->>'via')::jsonb, ip, "userAgent", "requestId", resource->>'type', resource->>'id', changes, writer
  FROM json_to_recordset($1::json) AS record (id uuid, "organizationId" uuid, environment text, type text,
    "occurredAt" timestamptz, actor json, ip text, "userAgent" text, "requestId" text, resource json, changes jsonb,
    writer jsonb)
  ON CONFLICT (id) DO NOTHING`;

/** An entry that exists already does not change. */
export const addAuditEntries = (tx: Pick<Tx, 'query'>, records: AuditRecord[]): Promise<void> =>
  insertRecords(tx, records.map(storableRecord));

/** The same for records that are storable already. */
export async function insertRecords(tx: Pick<Tx, 'query'>, records: AuditRecord[]): Promise<void> {
  await tx.query(insertEntries, [JSON.stringify(records)]);
}
