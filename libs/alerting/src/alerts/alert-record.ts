/**
 * An alert as decisions are made about it: what they change (`state`), and what belongs to it for good. The pipeline writes
 * such records; the workflow engine makes them up when it simulates.
 */
import { publicId, type Alert } from '@ams/contracts';
import type { AlertFacts, AlertState } from '@ams/domain';
import type { Environment } from '@ams/scopes';
import { alertFromRow, severityOfRank, severityRank, type AlertRow } from './alert-row.js';

export interface AlertRecord {
  id: string;
  organizationId: string;
  environment: Environment;
  integrationId: string;
  integrationName: string;
  dedupScope: string;
  partition: number;
  fingerprint: string;
  fingerprintSource: 'explicit' | 'generated';
  clientId: string | null;
  incidentId: string | null;
  assigneeId: string | null;
  previousAlertId: string | null;
  createdAt: string;
  updatedAt: string;
  state: AlertState;
}

/** A row of `alerts.alerts`, whole; times are Date when they come from the database and text when they go there. */
export interface StoredAlert<Time = Date> extends AlertRow<Time> {
  organization_id: string;
  environment: Environment;
  integration_name: string;
  dedup_scope: string;
  partition: number;
  auto_resolve_after_seconds: number | null;
  auto_resolve_at: Time | null;
}

/** Every column of an alert with its type, as records are written. */
export const storedAlertTypes: Record<string, string> = {
  id: 'uuid',
  organization_id: 'uuid',
  environment: 'text',
  integration_id: 'uuid',
  integration_name: 'text',
  dedup_scope: 'text',
  partition: 'smallint',
  fingerprint: 'text',
  fingerprint_source: 'text',
  title: 'text',
  description: 'text',
  severity: 'smallint',
  status: 'text',
  source: 'text',
  labels: 'jsonb',
  annotations: 'jsonb',
  client_id: 'uuid',
  incident_id: 'uuid',
  assignee_id: 'uuid',
  first_occurred_at: 'timestamptz',
  last_occurred_at: 'timestamptz',
  occurrence_count: 'int',
  previous_alert_id: 'uuid',
  acknowledged_at: 'timestamptz',
  acknowledged_by: 'jsonb',
  resolved_at: 'timestamptz',
  resolved_by: 'jsonb',
  resolve_reason: 'text',
  suppression: 'jsonb',
  auto_resolve_after_seconds: 'int',
  auto_resolve_at: 'timestamptz',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  version: 'int',
};

/** The same, for SELECT. */
export const storedAlertColumns = Object.keys(storedAlertTypes).join(', ');

export function alertRecordOf(row: StoredAlert): AlertRecord {
  return {
    id: row.id,
    organizationId: row.organization_id,
    environment: row.environment,
    integrationId: row.integration_id,
    integrationName: row.integration_name,
    dedupScope: row.dedup_scope,
    partition: row.partition,
    fingerprint: row.fingerprint,
    fingerprintSource: row.fingerprint_source,
    clientId: row.client_id,
    incidentId: row.incident_id,
    assigneeId: row.assignee_id,
    previousAlertId: row.previous_alert_id,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    state: {
      status: row.status,
      severity: severityOfRank(row.severity),
      title: row.title,
      description: row.description,
      source: row.source,
      labels: row.labels,
      annotations: row.annotations,
      firstOccurredAt: row.first_occurred_at.toISOString(),
      lastOccurredAt: row.last_occurred_at.toISOString(),
      occurrenceCount: row.occurrence_count,
      acknowledgedAt: row.acknowledged_at?.toISOString() ?? null,
      acknowledgedBy: row.acknowledged_by,
      resolvedAt: row.resolved_at?.toISOString() ?? null,
      resolvedBy: row.resolved_by,
      resolveReason: row.resolve_reason,
      suppression: row.suppression,
      autoResolveAfterSeconds: row.auto_resolve_after_seconds,
      autoResolveAt: row.auto_resolve_at?.toISOString() ?? null,
      version: row.version,
    },
  };
}

export function alertRowOf(record: AlertRecord): StoredAlert<string> {
  const { state } = record;
  return {
    id: record.id,
    organization_id: record.organizationId,
    environment: record.environment,
    integration_id: record.integrationId,
    integration_name: record.integrationName,
    dedup_scope: record.dedupScope,
    partition: record.partition,
    fingerprint: record.fingerprint,
    fingerprint_source: record.fingerprintSource,
    title: state.title,
    description: state.description,
    severity: severityRank(state.severity),
    status: state.status,
    source: state.source,
    labels: state.labels,
    annotations: state.annotations,
    client_id: record.clientId,
    incident_id: record.incidentId,
    assignee_id: record.assigneeId,
    first_occurred_at: state.firstOccurredAt,
    last_occurred_at: state.lastOccurredAt,
    occurrence_count: state.occurrenceCount,
    previous_alert_id: record.previousAlertId,
    acknowledged_at: state.acknowledgedAt,
    acknowledged_by: state.acknowledgedBy,
    resolved_at: state.resolvedAt,
    resolved_by: state.resolvedBy,
    resolve_reason: state.resolveReason,
    suppression: state.suppression,
    auto_resolve_after_seconds: state.autoResolveAfterSeconds,
    auto_resolve_at: state.autoResolveAt,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    version: state.version,
  };
}

/** The alert as the API and the events show it. */
export const alertOfRecord = (record: AlertRecord): Alert => alertFromRow(alertRowOf(record));

/** What conditions are asked about: the record with these values. Ids are public ones, as everywhere in conditions. */
export const alertFactsOf = (record: Omit<AlertRecord, 'state'>, state: AlertState): AlertFacts => ({
  title: state.title,
  description: state.description,
  severity: state.severity,
  status: state.status,
  source: state.source,
  fingerprint: record.fingerprint,
  labels: state.labels,
  annotations: state.annotations,
  clientId: publicId('client', record.clientId),
  integrationId: publicId('integration', record.integrationId),
  incidentId: publicId('incident', record.incidentId),
  assigneeId: publicId('member', record.assigneeId),
  occurrenceCount: state.occurrenceCount,
});
