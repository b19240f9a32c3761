/**
 * An alert as the decisions use it: values that do not change, and the `state` that decisions change. The pipeline
 * writes such records. The workflow engine creates them in memory when it simulates. Ids are UUIDs; those inside
 * `acknowledgedBy`, `resolvedBy` and `suppression` are public ids.
 */
import { publicId, type Alert, type Noun } from '@ams/contracts';
import type { AlertFacts, AlertState } from '@ams/domain';
import type { Environment } from '@ams/scopes';
import { recordTable } from '../record-table.js';
import { severityOfRank, severityRank } from '../severity-rank.js';

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

const id = (noun: Noun) => (uuid: string) => publicId(noun, uuid);

/** The columns of `alerts.alerts`. */
export const alertTable = recordTable<AlertRecord>()(
  {
    id: { type: 'uuid', fixed: true, show: id('alert') },
    organizationId: { type: 'uuid', fixed: true, hidden: true },
    environment: { type: 'text', fixed: true, hidden: true },
    integrationId: { type: 'uuid', show: id('integration') },
    integrationName: { type: 'text', hidden: true },
    dedupScope: { type: 'text', fixed: true, hidden: true },
    partition: { type: 'smallint', fixed: true, hidden: true },
    fingerprint: { type: 'text', fixed: true },
    fingerprintSource: { type: 'text', fixed: true },
    clientId: { type: 'uuid', show: id('client') },
    incidentId: { type: 'uuid', show: id('incident') },
    assigneeId: { type: 'uuid', show: id('member') },
    previousAlertId: { type: 'uuid', fixed: true, show: id('alert') },
    createdAt: { type: 'timestamptz', fixed: true },
    updatedAt: { type: 'timestamptz' },
  },
  {
    title: { type: 'text' },
    description: { type: 'text' },
    severity: { type: 'smallint', read: severityOfRank, write: severityRank },
    status: { type: 'text' },
    source: { type: 'text' },
    labels: { type: 'jsonb' },
    annotations: { type: 'jsonb' },
    firstOccurredAt: { type: 'timestamptz', fixed: true },
    lastOccurredAt: { type: 'timestamptz' },
    occurrenceCount: { type: 'int' },
    acknowledgedAt: { type: 'timestamptz' },
    acknowledgedBy: { type: 'jsonb' },
    resolvedAt: { type: 'timestamptz' },
    resolvedBy: { type: 'jsonb' },
    resolveReason: { type: 'text' },
    suppression: { type: 'jsonb' },
    autoResolveAfterSeconds: { type: 'int', hidden: true },
    autoResolveAt: { type: 'timestamptz', hidden: true },
    version: { type: 'int' },
  },
);

export type AlertRow = Parameters<typeof alertTable.recordOf>[0];
export type ShownAlertRow = Parameters<typeof alertTable.shownRow>[0];

/** For SELECT and RETURNING. */
export const alertColumns = alertTable.columns;
export const shownAlertColumns = alertTable.shownColumns;
export const alertRecordOf = (row: AlertRow): AlertRecord => alertTable.recordOf(row);

/** The alert as the API and the events show it. */
export const alertOfRecord = (record: AlertRecord): Alert => alertTable.shownRecord(record);
export const alertFromRow = (row: ShownAlertRow): Alert => alertTable.shownRow(row);

/** The values that conditions compare. Ids are public ids, as in all conditions. */
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
