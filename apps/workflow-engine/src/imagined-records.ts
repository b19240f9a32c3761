/**
 * Alerts and incidents as a simulation leaves them: read when they are first asked for, changed in memory only. One record
 * for each id, so that every step finds what the ones before it have done.
 */
import { publicId, type Incident, type Tenant } from '@ams/contracts';
import {
  alertEventOf,
  alertRecordOf,
  decideResolved,
  findIncidentOf,
  incidentEventOf,
  incidentOfGroup,
  incidentOfRecord,
  incidentRecordOf,
  resolvedMemberOf,
  storedAlertColumns,
  storedIncidentColumns,
  Windows,
  type AlertRecord,
  type CommandRecords,
  type IncidentGroup,
  type IncidentRecord,
  type ResolvedMember,
  type StoredAlert,
  type StoredIncident,
  type WhyAlert,
  type WhyIncident,
} from '@ams/alerting';
import { type Tx } from '@ams/database';
import type { AlertState, IncidentState } from '@ams/domain';
import type { DomainEvent } from './facts.js';

/** Of the alerts of an incident so many are looked at. */
const reachedAlerts = 500;

export class ImaginedRecords implements CommandRecords {
  private readonly alerts = new Map<string, AlertRecord>();
  private readonly incidents = new Map<string, IncidentRecord>();
  /** The UUIDs of those that are only imagined. */
  private readonly made = new Set<string>();
  private ofAlerts: DomainEvent[] = [];
  private ofIncidents: DomainEvent[] = [];
  private resolved: ResolvedMember[] = [];
  /** Whether there were more than were looked at. */
  leftOut = false;

  constructor(
    private readonly tx: Tx,
    private readonly tenant: Tenant,
  ) {}

  isMade(uuid: string | null): boolean {
    return uuid !== null && this.made.has(uuid);
  }

  async alert(id: string): Promise<AlertRecord | undefined> {
    if (!this.alerts.has(id)) for (const record of await this.readAlerts('id = $3', id)) this.alerts.set(id, record);
    return this.alerts.get(id);
  }

  async openAlertsOf(incidentId: string): Promise<AlertRecord[]> {
    const found = await this.readAlerts(`incident_id = $3 AND status <> 'resolved'`, incidentId);
    for (const record of found) if (!this.alerts.has(record.id)) this.alerts.set(record.id, record);
    const members = [...this.alerts.values()].filter(
      (record) => record.incidentId === incidentId && record.state.status !== 'resolved',
    );
    return members.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  private async readAlerts(condition: string, id: string): Promise<AlertRecord[]> {
    const { organizationId, environment } = this.tenant;
    const rows = await this.tx.query<StoredAlert>(
      `SELECT ${storedAlertColumns} FROM alerts_views.alerts WHERE organization_id = $1 AND environment = $2 AND ${condition} ORDER BY id LIMIT ${reachedAlerts + 1}`,
      [organizationId, environment, id],
    );
    this.leftOut ||= rows.length > reachedAlerts;
    return rows.slice(0, reachedAlerts).map(alertRecordOf);
  }

  async incident(id: string): Promise<IncidentRecord | undefined> {
    if (!this.incidents.has(id)) {
      const { organizationId, environment } = this.tenant;
      const [row] = await this.tx.query<StoredIncident>(
        `SELECT ${storedIncidentColumns} FROM alerts_views.incidents WHERE organization_id = $1 AND environment = $2 AND id = $3`,
        [organizationId, environment, id],
      );
      if (row) this.incidents.set(id, incidentRecordOf(row));
    }
    return this.incidents.get(id);
  }

  async incidentOf(group: IncidentGroup, at: string): Promise<IncidentRecord | undefined> {
    const found = await findIncidentOf(this.tx, group, at, [...this.incidents.keys()]);
    if (found !== null) await this.incident(found);
    return incidentOfGroup([...this.incidents.values()], group, at);
  }

  windowsFor(alert: AlertRecord, at: string): Promise<Windows> {
    return Windows.of(this.tx, [alert], new Date(at));
  }

  /** Which one it would get is known when it is opened; until then conditions find none. */
  nextNumber(): Promise<number> {
    return Promise.resolve(Number.NaN);
  }

  /** An alert that is there, as whoever read it holds it. */
  adopt(record: AlertRecord): void {
    this.alerts.set(record.id, record);
  }

  openAlert(record: AlertRecord, why: WhyAlert): void {
    this.made.add(record.id);
    this.adopt(record);
    this.tellOfAlert(record, why);
  }

  changeAlert(record: AlertRecord, next: AlertState, why: WhyAlert): void {
    const member = resolvedMemberOf(record, next, why);
    if (member) this.resolved.push(member);
    record.state = next;
    this.tellOfAlert(record, why);
  }

  private tellOfAlert(record: AlertRecord, why: WhyAlert): void {
    const event = alertEventOf(record, why);
    if (event) this.ofAlerts.push(event);
  }

  openIncident(record: IncidentRecord, why: WhyIncident): void {
    this.made.add(record.id);
    this.incidents.set(record.id, record);
    this.ofIncidents.push(incidentEventOf(record, why));
  }

  changeIncident(record: IncidentRecord, next: IncidentState, why: WhyIncident): void {
    record.state = next;
    this.ofIncidents.push(incidentEventOf(record, why));
  }

  /** What has happened since the last time, in the order in which the pipeline tells of it. */
  takeHappened(): DomainEvent[] {
    const happened = [...this.ofIncidents, ...this.ofAlerts];
    this.ofIncidents = [];
    this.ofAlerts = [];
    return happened;
  }

  /** Counts alerts that have resolved out of their incidents, as the pipeline does at the end of each of its transactions. */
  async countResolved(): Promise<void> {
    const resolved = this.resolved;
    this.resolved = [];
    for (const id of [...new Set(resolved.map(({ incidentId }) => incidentId))].sort()) {
      const record = await this.incident(id);
      const decided = record && decideResolved(record, resolved);
      if (decided) this.changeIncident(record, decided.next, decided.why);
    }
  }

  /** As they are now, by their public ids. */
  incidentsNow(): Map<string, Incident> {
    return new Map(
      [...this.incidents.values()].map((record) => [publicId('incident', record.id), incidentOfRecord(record)]),
    );
  }
}
