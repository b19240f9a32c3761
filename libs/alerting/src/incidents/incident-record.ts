/**
 * An incident as decisions are made about it: what they change (`state`), and what belongs to it for good. The pipeline
 * writes such records; the workflow engine makes them up when it simulates.
 */
import { publicId, uuidOf, type Incident } from '@ams/contracts';
import type { IncidentState } from '@ams/domain';
import type { Environment } from '@ams/scopes';
import { severityOfRank, severityRank } from '../alerts/alert-row.js';
import { incidentFromRow, type IncidentRow } from './incident-row.js';

export interface IncidentRecord {
  id: string;
  organizationId: string;
  environment: Environment;
  number: number;
  clientId: string | null;
  workflowId: string | null;
  groupKey: string | null;
  lastAlertAt: string | null;
  /** The alert (UUID) that opened it, or opened it again. */
  openedBy: string | null;
  createdAt: string;
  updatedAt: string;
  state: IncidentState;
}

/** A row of `alerts.incidents`, whole. */
export interface StoredIncident extends IncidentRow {
  organization_id: string;
  environment: Environment;
  auto_resolve: boolean;
  last_alert_at: Date | null;
  opened_by: string | null;
}

/** Every column of an incident with its type, as records are written. */
export const storedIncidentTypes: Record<string, string> = {
  id: 'uuid',
  organization_id: 'uuid',
  environment: 'text',
  number: 'int',
  title: 'text',
  summary: 'text',
  severity: 'smallint',
  status: 'text',
  client_id: 'uuid',
  assignee_ids: 'uuid[]',
  workflow_id: 'uuid',
  group_key: 'text',
  auto_resolve: 'boolean',
  alert_count: 'int',
  open_alert_count: 'int',
  last_alert_at: 'timestamptz',
  opened_by: 'uuid',
  triggered_at: 'timestamptz',
  acknowledged_at: 'timestamptz',
  acknowledged_by: 'jsonb',
  resolved_at: 'timestamptz',
  resolved_by: 'jsonb',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  version: 'int',
};

/** The same, for SELECT. */
export const storedIncidentColumns = Object.keys(storedIncidentTypes).join(', ');

export function incidentRecordOf(row: StoredIncident): IncidentRecord {
  return {
    id: row.id,
    organizationId: row.organization_id,
    environment: row.environment,
    number: row.number,
    clientId: row.client_id,
    workflowId: row.workflow_id,
    groupKey: row.group_key,
    lastAlertAt: row.last_alert_at?.toISOString() ?? null,
    openedBy: row.opened_by,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    state: {
      status: row.status,
      severity: severityOfRank(row.severity),
      title: row.title,
      summary: row.summary,
      assigneeIds: row.assignee_ids.map((id) => publicId('member', id)),
      autoResolve: row.auto_resolve,
      alertCount: row.alert_count,
      openAlertCount: row.open_alert_count,
      triggeredAt: row.triggered_at.toISOString(),
      acknowledgedAt: row.acknowledged_at?.toISOString() ?? null,
      acknowledgedBy: row.acknowledged_by,
      resolvedAt: row.resolved_at?.toISOString() ?? null,
      resolvedBy: row.resolved_by,
      version: row.version,
    },
  };
}

const dateOrNull = (text: string | null): Date | null => (text === null ? null : new Date(text));

export function incidentRowOf(record: IncidentRecord): StoredIncident {
  const { state } = record;
  return {
    id: record.id,
    organization_id: record.organizationId,
    environment: record.environment,
    number: record.number,
    title: state.title,
    summary: state.summary,
    severity: severityRank(state.severity),
    status: state.status,
    client_id: record.clientId,
    assignee_ids: state.assigneeIds.map((id) => uuidOf('member', id) as string),
    workflow_id: record.workflowId,
    group_key: record.groupKey,
    auto_resolve: state.autoResolve,
    alert_count: state.alertCount,
    open_alert_count: state.openAlertCount,
    last_alert_at: dateOrNull(record.lastAlertAt),
    opened_by: record.openedBy,
    triggered_at: new Date(state.triggeredAt),
    acknowledged_at: dateOrNull(state.acknowledgedAt),
    acknowledged_by: state.acknowledgedBy,
    resolved_at: dateOrNull(state.resolvedAt),
    resolved_by: state.resolvedBy,
    created_at: new Date(record.createdAt),
    updated_at: new Date(record.updatedAt),
    version: state.version,
  };
}

/** The incident as the API and the events show it. */
export const incidentOfRecord = (record: IncidentRecord): Incident => incidentFromRow(incidentRowOf(record));
