/**
 * Alerts and incidents of a simulation. They are read when they are first needed, and changed in memory only. There is
 * one record for an id, so that every step sees the changes of the steps before it.
 */
import { publicId, type Alert, type Incident, type IngestEvent, type Tenant } from '@ams/contracts';
import {
  alertEventOf,
  alertOfRecord,
  alertsOfIncident,
  alertRecordOf,
  findIncidentsOfGroups,
  followIncident,
  findOpenAlerts,
  incidentEventOf,
  incidentOfGroup,
  incidentOfRecord,
  incidentRecordOf,
  IncidentTouches,
  pagingReads,
  alertColumns,
  incidentColumns,
  updateOpenAlerts,
  Windows,
  type AlertChange,
  type AlertRecord,
  type AlertingRecords,
  type IncidentChange,
  type IncidentGroup,
  type IncidentPage,
  type IncidentRecord,
  type OpenAlerts,
  type PagingReads,
  type PreviousAlerts,
  type AlertRow,
  type IncidentRow,
} from '@ams/alerting';
import { type Tx } from '@ams/database';
import type { AlertState, IncidentState } from '@ams/domain';
import type { AlertingEvent } from '../runs/condition-facts.js';
import { maxComparedAlerts } from '../runs/incident-alerts.js';

/** How many alerts of an incident are read. */
const maxAlerts = 500;

export class ImaginedRecords implements AlertingRecords {
  private readonly alerts = new Map<string, AlertRecord>();
  private readonly incidents = new Map<string, IncidentRecord>();
  /** By their groups: incidents that stored groups had before. */
  private readonly ofGroup = new Map<string, IncidentRecord>();
  /** The UUIDs of records that are only imagined. */
  private readonly made = new Set<string>();
  private alertEvents: AlertingEvent[] = [];
  private incidentEvents: AlertingEvent[] = [];
  private touches = new IncidentTouches();
  private pages: IncidentPage[] = [];
  readonly paging: PagingReads;
  /** Whether the limit left alerts out. */
  leftOut = false;

  constructor(
    private readonly tx: Tx,
    private readonly tenant: Tenant,
  ) {
    this.paging = pagingReads(tx);
  }

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

  /** The alerts of an incident that conditions compare, as `alertsOfIncidents` reads them for real events. */
  async comparedAlertsOf(incidentId: string): Promise<Alert[]> {
    const { organizationId, environment } = this.tenant;
    for (const which of ["AND status <> 'resolved'", '']) {
      const rows = await this.tx.query<AlertRow>(
        `SELECT ${alertColumns} FROM alerts_views.alerts
         WHERE organization_id = $1 AND environment = $2 AND incident_id = $3 ${which}
         ORDER BY last_occurred_at DESC, id DESC LIMIT ${maxComparedAlerts}`,
        [organizationId, environment, incidentId],
      );
      for (const record of rows.map(alertRecordOf)) if (!this.alerts.has(record.id)) this.alerts.set(record.id, record);
    }
    const members = [...this.alerts.values()].filter((record) => record.incidentId === incidentId);
    const open = members.filter(({ state }) => state.status !== 'resolved');
    return (open.length > 0 ? open : members)
      .map(alertOfRecord)
      .sort((a, b) => (a.lastOccurredAt > b.lastOccurredAt ? -1 : 1))
      .slice(0, maxComparedAlerts);
  }

  async openAlertsFor(events: readonly IngestEvent[]): Promise<OpenAlerts> {
    const open: OpenAlerts = new Map();
    const ids = await findOpenAlerts(this.tx, events);
    if (ids.length === 0) return open;
    const { organizationId, environment } = this.tenant;
    const rows = await this.tx.query<AlertRow>(
      `SELECT ${alertColumns} FROM alerts_views.alerts
       WHERE organization_id = $1 AND environment = $2 AND id = ANY($3::uuid[]) AND status <> 'resolved' ORDER BY id`,
      [organizationId, environment, ids],
    );
    for (const record of rows.map(alertRecordOf)) {
      this.adopt(record);
      updateOpenAlerts(open, record);
    }
    return open;
  }

  /** Empty: no answer shows the previous alert of an imagined one. */
  previousAlertsFor(): Promise<PreviousAlerts> {
    return Promise.resolve(new Map());
  }

  private async readAlerts(condition: string, id: string): Promise<AlertRecord[]> {
    const { organizationId, environment } = this.tenant;
    const rows = await this.tx.query<AlertRow>(
      `SELECT ${alertColumns} FROM alerts_views.alerts
       WHERE organization_id = $1 AND environment = $2 AND ${condition} ORDER BY id LIMIT ${maxAlerts + 1}`,
      [organizationId, environment, id],
    );
    this.leftOut ||= rows.length > maxAlerts;
    return rows.slice(0, maxAlerts).map(alertRecordOf);
  }

  async incident(id: string): Promise<IncidentRecord | undefined> {
    if (!this.incidents.has(id)) {
      const { organizationId, environment } = this.tenant;
      const [row] = await this.tx.query<IncidentRow>(
        `SELECT ${incidentColumns} FROM alerts_views.incidents
         WHERE organization_id = $1 AND environment = $2 AND id = $3`,
        [organizationId, environment, id],
      );
      if (row) this.incidents.set(id, incidentRecordOf(row));
    }
    return this.incidents.get(id);
  }

  /** Nothing is locked. */
  prepareGroups(): Promise<void> {
    return Promise.resolve();
  }

  async incidentOfGroup(group: IncidentGroup, at: string): Promise<IncidentRecord | undefined> {
    const [found] = await findIncidentsOfGroups(this.tx, [group], at, [...this.incidents.keys()]);
    const record = found ? await this.incident(found) : undefined;
    // An incident that others were merged into takes the alerts of their groups, too.
    const key = `${group.workflowId} ${group.clientId} ${group.groupKey}`;
    if (record) this.ofGroup.set(key, record);
    return incidentOfGroup([...this.incidents.values()], group, at) ?? this.ofGroup.get(key);
  }

  windowsFor(tenants: readonly Tenant[], at: string): Promise<Windows> {
    return Windows.of(this.tx, tenants, new Date(at));
  }

  /** The number is not known before a real incident is opened. A condition on it finds no value. */
  nextIncidentNumber(): Promise<number> {
    return Promise.resolve(Number.NaN);
  }

  /** Adds an alert that the caller has read. */
  adopt(record: AlertRecord): void {
    this.alerts.set(record.id, record);
  }

  openAlert(record: AlertRecord, change: AlertChange): void {
    this.made.add(record.id);
    this.adopt(record);
    this.addAlertEvent(record, change);
  }

  changeAlert(record: AlertRecord, next: AlertState, change: AlertChange): void {
    this.touches.add(record, next, change);
    record.state = next;
    this.addAlertEvent(record, change);
  }

  private addAlertEvent(record: AlertRecord, change: AlertChange): void {
    const event = alertEventOf(record, change);
    if (event) this.alertEvents.push(event);
  }

  openIncident(record: IncidentRecord, change: IncidentChange): void {
    this.made.add(record.id);
    this.incidents.set(record.id, record);
    this.incidentEvents.push(incidentEventOf(record, change));
  }

  changeIncident(record: IncidentRecord, next: IncidentState, change: IncidentChange): void {
    record.state = next;
    this.incidentEvents.push(incidentEventOf(record, change));
  }

  keepIncident(record: IncidentRecord, next: IncidentState): void {
    record.state = next;
  }

  addPage(page: IncidentPage): void {
    this.pages.push(page);
  }

  /** The pages since the last call. */
  takePages(): IncidentPage[] {
    return this.pages.splice(0);
  }

  /** The events since the last call, in the order in which the pipeline publishes them. */
  takeEvents(): AlertingEvent[] {
    const events = [...this.incidentEvents, ...this.alertEvents];
    this.incidentEvents = [];
    this.alertEvents = [];
    return events;
  }

  /** The pipeline does this at the end of each transaction. */
  async followAlerts(): Promise<void> {
    const touches = this.touches.all;
    this.touches = new IncidentTouches();
    for (const touch of touches) {
      const record = await this.incident(touch.incidentId);
      if (!record || (touch.onlyRepeats && record.state.status !== 'resolved')) continue;
      const { flap } = await this.paging.settings(record);
      const since = new Date(Date.parse(touch.at) - flap.windowSeconds * 1000).toISOString();
      await this.openAlertsOf(record.id);
      const members = [...this.alerts.values()].filter(({ incidentId }) => incidentId === record.id);
      await followIncident(this, this.paging, record, alertsOfIncident(members, since), touch, touch.at);
    }
  }

  /** As they are now, by their public ids. */
  incidentsNow(): Map<string, Incident> {
    return new Map(
      [...this.incidents.values()].map((record) => [publicId('incident', record.id), incidentOfRecord(record)]),
    );
  }
}
