/** The incident of a workflow that takes an alert: the open one of its group, or one that was resolved recently. */
import type { Tenant } from '@ams/contracts';
import type { Tx } from '@ams/database';
import type { IncidentRecord } from './incident-record.js';

/** The incidents that a workflow opens for alerts with the same group key. */
export interface IncidentGroup extends Tenant {
  /** Null for the incidents of alerts for which no workflow runs. */
  workflowId: string | null;
  groupKey: string;
  /** A UUID. Alerts of different clients are never in one group. */
  clientId: string | null;
  /** The time after its end in which a resolved incident takes another alert. */
  windowSeconds: number;
}

const ofGroup = `workflow_id IS NOT DISTINCT FROM $1::uuid AND group_key = $2 AND organization_id = $3
  AND environment = $4 AND client_id IS NOT DISTINCT FROM $8::uuid`;
const isOpenOrRecent = `(status <> 'resolved' OR resolved_at > $5::timestamptz - $6::int * interval '1 s')`;

/**
 * The UUID of the incident that takes an alert at this time: the open one, else the newest. An incident that was merged
 * into another one has that one in its place. `except` are UUIDs.
 */
export async function findIncidentOfGroup(
  tx: Tx,
  { organizationId, environment, workflowId, groupKey, clientId, windowSeconds }: IncidentGroup,
  at: string,
  except: readonly string[] = [],
): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(
    `WITH RECURSIVE merged(id) AS (
       SELECT merged_into FROM alerts_views.incidents WHERE ${ofGroup} AND merged_into IS NOT NULL
       UNION SELECT i.merged_into FROM merged JOIN alerts_views.incidents i ON i.id = merged.id
         WHERE i.organization_id = $3 AND i.environment = $4 AND i.merged_into IS NOT NULL),
     found AS (
       SELECT id, status, created_at FROM alerts_views.incidents
       WHERE ${ofGroup} AND merged_into IS NULL AND ${isOpenOrRecent}
       UNION ALL SELECT i.id, i.status, i.created_at FROM merged JOIN alerts_views.incidents i ON i.id = merged.id
         WHERE i.organization_id = $3 AND i.environment = $4 AND i.client_id IS NOT DISTINCT FROM $8::uuid
           AND i.merged_into IS NULL AND ${isOpenOrRecent})
     SELECT id FROM found WHERE id <> ALL($7::uuid[]) ORDER BY status = 'resolved', created_at DESC LIMIT 1`,
    [workflowId, groupKey, organizationId, environment, at, windowSeconds, except, clientId],
  );
  return row?.id ?? null;
}

/** The same choice from records in memory. */
export function incidentOfGroup(
  records: readonly IncidentRecord[],
  group: IncidentGroup,
  at: string,
): IncidentRecord | undefined {
  const since = Date.parse(at) - group.windowSeconds * 1000;
  const isResolved = ({ state }: IncidentRecord): boolean => state.status === 'resolved';
  const takes = (record: IncidentRecord): boolean =>
    record.workflowId === group.workflowId &&
    record.groupKey === group.groupKey &&
    record.organizationId === group.organizationId &&
    record.environment === group.environment &&
    record.clientId === group.clientId &&
    record.state.mergedInto === null &&
    (record.state.resolvedAt === null || Date.parse(record.state.resolvedAt) > since);
  return records
    .filter(takes)
    .sort(
      (a, b) => Number(isResolved(a)) - Number(isResolved(b)) || Date.parse(b.createdAt) - Date.parse(a.createdAt),
    )[0];
}
