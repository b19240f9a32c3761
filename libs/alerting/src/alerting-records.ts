/**
 * The functions of this library read alerts and incidents through these interfaces, and pass their decisions to them.
 * There are two implementations: locked rows that are written at the end of a transaction (alert-pipeline), and records
 * in memory that show what would happen (workflow-engine). Both run the same decisions. Ids are UUIDs.
 */
import type { IngestEvent, Tenant } from '@ams/contracts';
import type { AlertState } from '@ams/domain';
import type { AlertChange } from './alerts/alert-change.js';
import type { AlertRecord } from './alerts/alert-record.js';
import type { OpenAlerts, PreviousAlerts } from './alerts/alerts-by-fingerprint.js';
import type { IncidentChange } from './incidents/incident-change.js';
import type { FollowEffects } from './incidents/follow-alerts.js';
import type { IncidentGroup } from './incidents/incident-group.js';
import type { IncidentRecord } from './incidents/incident-record.js';
import type { PagingReads } from './incidents/paging-reads.js';
import type { Windows } from './suppression/suppression-windows.js';

/** What `applyEvents` needs. Events of a batch may belong to several tenants. */
export interface AlertRecords {
  /** The open alerts that have the fingerprints of these events. */
  openAlertsFor(events: readonly IngestEvent[]): Promise<OpenAlerts>;
  /** For each of these fingerprints, the alert that was resolved last. */
  previousAlertsFor(events: readonly IngestEvent[]): Promise<PreviousAlerts>;
  /** The active suppression windows of these tenants. Only the records of a simulation use `at`. */
  windowsFor(tenants: readonly Tenant[], at: string): Promise<Windows>;
  openAlert(record: AlertRecord, change: AlertChange): void;
  /** `record` was returned by a function above. Its state becomes `next`. */
  changeAlert(record: AlertRecord, next: AlertState, change: AlertChange): void;
}

/** What `executeCommand` needs. The records belong to one tenant. */
export interface AlertingRecords extends AlertRecords, FollowEffects {
  paging: PagingReads;
  alert(id: string): Promise<AlertRecord | undefined>;
  openAlertsOf(incidentId: string): Promise<AlertRecord[]>;
  incident(id: string): Promise<IncidentRecord | undefined>;
  /** To be called before `incidentOfGroup` is: locks the incidents of these groups, and these incidents. */
  prepareGroups(groups: readonly IncidentGroup[], incidentIds: readonly string[], at: string): Promise<void>;
  /** The incident that takes an alert of the group at this time. */
  incidentOfGroup(group: IncidentGroup, at: string): Promise<IncidentRecord | undefined>;
  nextIncidentNumber(): Promise<number>;
  openIncident(record: IncidentRecord, change: IncidentChange): void;
}
