/** Rows of `alerts.incidents` as the records of the API: the pipeline writes them, the resource API answers them. */
import { publicId, type Actor, type Incident } from '@ams/contracts';
import type { IncidentStatus } from '@ams/domain';
import { severityOfRank } from '../alerts/alert-row.js';

/** What `incidentFromRow` reads, for SELECT and RETURNING. */
export const incidentColumns =
  'id, number, title, summary, severity, status, client_id, assignee_ids, workflow_id, group_key, alert_count, open_alert_count, triggered_at, acknowledged_at, ' +
  'acknowledged_by, resolved_at, resolved_by, created_at, updated_at, version';

/** As the database gives it. Ids of columns are plain UUIDs; those inside `acknowledged_by` and `resolved_by` are public ones. */
export interface IncidentRow {
  id: string;
  number: number;
  title: string;
  summary: string | null;
  severity: number;
  status: IncidentStatus;
  client_id: string | null;
  assignee_ids: string[];
  workflow_id: string | null;
  group_key: string | null;
  alert_count: number;
  open_alert_count: number;
  triggered_at: Date;
  acknowledged_at: Date | null;
  acknowledged_by: Actor | null;
  resolved_at: Date | null;
  resolved_by: Actor | null;
  created_at: Date;
  updated_at: Date;
  version: number;
}

export const incidentFromRow = (row: IncidentRow): Incident => ({
  id: publicId('incident', row.id),
  number: row.number,
  title: row.title,
  summary: row.summary,
  severity: severityOfRank(row.severity),
  status: row.status,
  clientId: publicId('client', row.client_id),
  assigneeIds: row.assignee_ids.map((id) => publicId('member', id)),
  workflowId: publicId('workflow', row.workflow_id),
  groupKey: row.group_key,
  alertCount: row.alert_count,
  openAlertCount: row.open_alert_count,
  triggeredAt: row.triggered_at.toISOString(),
  acknowledgedAt: row.acknowledged_at?.toISOString() ?? null,
  acknowledgedBy: row.acknowledged_by,
  resolvedAt: row.resolved_at?.toISOString() ?? null,
  resolvedBy: row.resolved_by,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  version: row.version,
});
