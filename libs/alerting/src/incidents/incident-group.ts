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

const ofGroup = (incident: string): string => `${incident}.workflow_id IS NOT DISTINCT FROM g.workflow
  AND ${incident}.group_key = g.key AND ${incident}.organization_id = g.organization
  AND ${incident}.environment = g.environment AND ${incident}.client_id IS NOT DISTINCT FROM g.client`;
const isOpenOrRecent = `(i.status <> 'resolved' OR i.resolved_at > $2::timestamptz - g.seconds * interval '1 s')`;

/**
 * For each group the UUID of the incident that takes an alert at this time: the open one, else the newest. An incident
 * that was merged into another one has that one in its place. `except` are UUIDs.
 */
export async function findIncidentsOfGroups(
  tx: Tx,
  groups: readonly IncidentGroup[],
  at: string,
  except: readonly string[] = [],
): Promise<(string | null)[]> {
  if (groups.length === 0) return [];
  const rows = await tx.query<{ position: number; id: string }>(
    `SELECT g.position, f.id
     FROM json_to_recordset($1::json) AS g(position int, organization uuid, environment text, workflow uuid, key text,
       client uuid, seconds int), LATERAL (
       WITH RECURSIVE merged(id) AS (
         SELECT i.merged_into FROM alerts_views.incidents i WHERE ${ofGroup('i')} AND i.merged_into IS NOT NULL
         UNION SELECT i.merged_into FROM merged JOIN alerts_views.incidents i ON i.id = merged.id
           WHERE i.organization_id = g.organization AND i.environment = g.environment AND i.merged_into IS NOT NULL),
       found AS (
         SELECT i.id, i.status, i.created_at FROM alerts_views.incidents i
         WHERE ${ofGroup('i')} AND i.merged_into IS NULL AND ${isOpenOrRecent}
         UNION ALL SELECT i.id, i.status, i.created_at FROM merged JOIN alerts_views.incidents i ON i.id = merged.id
           WHERE i.organization_id = g.organization AND i.environment = g.environment
             AND i.client_id IS NOT DISTINCT FROM g.client AND i.merged_into IS NULL AND ${isOpenOrRecent})
       SELECT id FROM found WHERE id <> ALL($3::uuid[]) ORDER BY status = 'resolved', created_at DESC LIMIT 1) AS f`,
    [
      JSON.stringify(
        groups.map((group, position) => ({
          position,
          organization: group.organizationId,
          environment: group.environment,
          workflow: group.workflowId,
          key: group.groupKey,
          client: group.clientId,
          seconds: group.windowSeconds,
        })),
      ),
      at,
      except,
    ],
  );
  const found = new Map(rows.map(({ position, id }) => [position, id]));
  return groups.map((_group, position) => found.get(position) ?? null);
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
