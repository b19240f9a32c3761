/**
 * Adds entries to the audit log: those of operations and commands in this service, and those that other services send.
 * Entries are never changed. Admission adds its entries in its own statement. SQL, because it adds many rows at once.
 */
import { type AuditRecord } from '@ams/contracts';
import { type Tx } from '@ams/database';
import { storableJson } from '@ams/domain';
import { withoutCredentials } from '@ams/service';

/** $1: the records as JSON. */
const insertEntries = `
  INSERT INTO auth.audit_log (id, organization_id, environment, type, occurred_at, actor_type, actor_id, actor_name,
    actor_via, ip, user_agent, request_id, resource_type, resource_id, changes)
  SELECT id, "organizationId", environment, type, "occurredAt", actor->>'type', actor->>'id', actor->>'name',
    (actor->>'via')::jsonb, ip, "userAgent", "requestId", resource->>'type', resource->>'id', changes
  FROM json_to_recordset($1::json) AS record (id uuid, "organizationId" uuid, environment text, type text,
    "occurredAt" timestamptz, actor json, ip text, "userAgent" text, "requestId" text, resource json, changes jsonb)
  ON CONFLICT (id) DO NOTHING`;

/** An entry that exists already does not change. */
export async function addAuditEntries(tx: Pick<Tx, 'query'>, records: AuditRecord[]): Promise<void> {
  await tx.query(insertEntries, [storableJson(records.map(withoutSecrets))]);
}

const withoutSecrets = (record: AuditRecord): AuditRecord =>
  JSON.parse(JSON.stringify(record), (_field, value: unknown) =>
    typeof value === 'string' ? withoutCredentials(value) : value,
  ) as AuditRecord;
