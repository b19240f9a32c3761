/** Rows of `alerts.alerts` as the records of the API: two services answer alerts, and they have to agree. */
import { publicId, type Actor, type Alert, type ResolveReason } from '@ams/contracts';
import { severities, type AlertStatus, type Severity } from '@ams/domain';

/** What `alertFromRow` reads, for SELECT and RETURNING. */
export const alertColumns =
  'id, title, description, severity, status, source, fingerprint, fingerprint_source, labels, annotations, client_id, integration_id, incident_id, assignee_id, ' +
  'first_occurred_at, last_occurred_at, occurrence_count, previous_alert_id, acknowledged_at, acknowledged_by, resolved_at, resolved_by, resolve_reason, ' +
  'suppression, created_at, updated_at, version';

/** As the database gives it; before it is written, with times as text. Ids of columns are plain UUIDs; those inside `acknowledged_by`, `resolved_by` and `suppression` are public ones. */
export interface AlertRow<Time = Date> {
  id: string;
  title: string;
  description: string | null;
  severity: number;
  status: AlertStatus;
  source: string | null;
  fingerprint: string;
  fingerprint_source: 'explicit' | 'generated';
  labels: Record<string, string>;
  annotations: Record<string, string>;
  client_id: string | null;
  integration_id: string;
  incident_id: string | null;
  assignee_id: string | null;
  first_occurred_at: Time;
  last_occurred_at: Time;
  occurrence_count: number;
  previous_alert_id: string | null;
  acknowledged_at: Time | null;
  acknowledged_by: Actor | null;
  resolved_at: Time | null;
  resolved_by: Actor | null;
  resolve_reason: ResolveReason | null;
  suppression: Alert['suppression'];
  created_at: Time;
  updated_at: Time;
  version: number;
}

/** Severities are stored as a rank, so that they sort: critical 4, high 3, medium 2, low 1, info 0. */
export const severityRank = (severity: Severity): number => severities.length - 1 - severities.indexOf(severity);

export function severityOfRank(rank: number): Severity {
  const severity = severities[severities.length - 1 - rank];
  if (!severity) throw new RangeError(`no severity has the rank ${rank}`);
  return severity;
}

const timeOf = (value: Date | string): string => (typeof value === 'string' ? value : value.toISOString());
const timeOrNull = (value: Date | string | null): string | null => (value === null ? null : timeOf(value));

export const alertFromRow = (row: AlertRow<Date | string>): Alert => ({
  id: publicId('alert', row.id),
  title: row.title,
  description: row.description,
  severity: severityOfRank(row.severity),
  status: row.status,
  source: row.source,
  fingerprint: row.fingerprint,
  fingerprintSource: row.fingerprint_source,
  labels: row.labels,
  annotations: row.annotations,
  clientId: publicId('client', row.client_id),
  integrationId: publicId('integration', row.integration_id),
  incidentId: publicId('incident', row.incident_id),
  assigneeId: publicId('member', row.assignee_id),
  firstOccurredAt: timeOf(row.first_occurred_at),
  lastOccurredAt: timeOf(row.last_occurred_at),
  occurrenceCount: row.occurrence_count,
  previousAlertId: publicId('alert', row.previous_alert_id),
  acknowledgedAt: timeOrNull(row.acknowledged_at),
  acknowledgedBy: row.acknowledged_by,
  resolvedAt: timeOrNull(row.resolved_at),
  resolvedBy: row.resolved_by,
  resolveReason: row.resolve_reason,
  suppression: row.suppression,
  createdAt: timeOf(row.created_at),
  updatedAt: timeOf(row.updated_at),
  version: row.version,
});
