/** An incident as the decisions use it: values that do not change, and `state`. See alert-record.ts. */
import { publicId, uuidOf, type Incident, type Noun } from '@ams/contracts';
import type { IncidentState } from '@ams/domain';
import type { Environment } from '@ams/scopes';
import { recordTable } from '../record-table.js';
import { severityOfRank, severityRank } from '../severity-rank.js';

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

const id = (noun: Noun) => (uuid: string) => publicId(noun, uuid);

/** The columns of `alerts.incidents`. */
export const incidentTable = recordTable<IncidentRecord>()(
  {
    id: { type: 'uuid', fixed: true, show: id('incident') },
    organizationId: { type: 'uuid', fixed: true, hidden: true },
    environment: { type: 'text', fixed: true, hidden: true },
    number: { type: 'int', fixed: true },
    clientId: { type: 'uuid', show: id('client') },
    workflowId: { type: 'uuid', fixed: true, show: id('workflow') },
    groupKey: { type: 'text', fixed: true },
    lastAlertAt: { type: 'timestamptz', hidden: true },
    openedBy: { type: 'uuid', hidden: true },
    createdAt: { type: 'timestamptz', fixed: true },
    updatedAt: { type: 'timestamptz' },
  },
  {
    status: { type: 'text' },
    severity: { type: 'smallint', read: severityOfRank, write: severityRank },
    severityBy: { type: 'text' },
    urgency: { type: 'text' },
    title: { type: 'text' },
    summary: { type: 'text' },
    assigneeIds: {
      type: 'uuid[]',
      read: (uuids: string[]) => uuids.map((uuid) => publicId('member', uuid)),
      write: (ids: string[]) => ids.map((member) => uuidOf('member', member)),
    },
    policyId: {
      type: 'uuid',
      read: id('escalationPolicy'),
      write: (policy: string) => uuidOf('escalationPolicy', policy),
    },
    escalation: { type: 'jsonb' },
    paging: { type: 'jsonb', hidden: true },
    snoozedUntil: { type: 'timestamptz' },
    dueAt: { type: 'timestamptz', hidden: true },
    autoResolve: { type: 'boolean', hidden: true },
    alertCount: { type: 'int' },
    openAlertCount: { type: 'int' },
    triggeredAt: { type: 'timestamptz' },
    acknowledgedAt: { type: 'timestamptz' },
    acknowledgedBy: { type: 'jsonb' },
    resolvedAt: { type: 'timestamptz' },
    resolvedBy: { type: 'jsonb' },
    mergedInto: { type: 'uuid', read: id('incident'), write: (incident: string) => uuidOf('incident', incident) },
    version: { type: 'int' },
  },
);

export type IncidentRow = Parameters<typeof incidentTable.recordOf>[0];
export type ShownIncidentRow = Parameters<typeof incidentTable.shownRow>[0];

/** For SELECT and RETURNING. */
export const incidentColumns = incidentTable.columns;
export const shownIncidentColumns = incidentTable.shownColumns;
export const incidentRecordOf = (row: IncidentRow): IncidentRecord => incidentTable.recordOf(row);

/** The incident as the API and the events show it. */
export const incidentOfRecord = (record: IncidentRecord): Incident => incidentTable.shownRecord(record);
export const incidentFromRow = (row: ShownIncidentRow): Incident => incidentTable.shownRow(row);
