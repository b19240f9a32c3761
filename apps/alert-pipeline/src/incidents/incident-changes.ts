/**
 * The changes that one transaction makes to incidents: rows, timelines and events, written together. Rows of incidents
 * are locked after alerts and before counts of alerts, in the order of their ids. Events, commands and workflows all
 * use this order, so that no deadlock occurs.
 */
import { incidentEventsSubject, newUuid, type Tenant } from '@ams/contracts';
import {
  countResolvedAlerts,
  incidentEventOf,
  incidentIdsOf,
  incidentRecordOf,
  incidentColumns,
  incidentTable,
  type IncidentRecord,
  type ResolvedAlert,
  type IncidentRow,
  type IncidentChange,
} from '@ams/alerting';
import { addToOutbox, type OutboxMessage, type Tx } from '@ams/database';
import type { IncidentState } from '@ams/domain';

const recordset = `jsonb_to_recordset($1::jsonb) AS r(${incidentTable.recordset})`;
const insertSql = `
  INSERT INTO alerts.incidents (${incidentTable.columns}) SELECT ${incidentTable.columns} FROM ${recordset}`;
const updateSql = `
  UPDATE alerts.incidents i SET ${incidentTable.changing.map((name) => `${name} = r.${name}`).join(', ')}
  FROM ${recordset} WHERE i.id = r.id AND i.organization_id = r.organization_id AND i.environment = r.environment`;
const timelineSql = `
  INSERT INTO alerts.incident_timeline (id, incident_id, organization_id, environment, type, occurred_at, actor, cause,
    changes, note, incident_version)
  SELECT r.* FROM jsonb_to_recordset($1::jsonb)
    AS r(id uuid, incident_id uuid, organization_id uuid, environment text, type text, occurred_at timestamptz,
      actor jsonb, cause jsonb, changes jsonb, note text, incident_version int)`;

/** The incidents of the tenant with these ids, locked in the order of their ids. */
export async function lockIncidents(
  tx: Tx,
  { organizationId, environment }: Tenant,
  ids: readonly string[],
): Promise<IncidentRecord[]> {
  if (ids.length === 0) return [];
  const rows = await tx.query<IncidentRow>(
    `SELECT ${incidentColumns} FROM alerts.incidents
     WHERE organization_id = $1 AND environment = $2 AND id = ANY($3::uuid[]) ORDER BY id FOR UPDATE`,
    [organizationId, environment, ids],
  );
  return rows.map(incidentRecordOf);
}

/** The same for resolved alerts of several tenants. The alerts are locked already and give the ids of the incidents. */
export async function lockIncidentsOf(tx: Tx, resolved: readonly ResolvedAlert[]): Promise<IncidentRecord[]> {
  if (resolved.length === 0) return [];
  const rows = await tx.query<IncidentRow>(
    `SELECT ${incidentColumns} FROM alerts.incidents WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`,
    [incidentIdsOf(resolved)],
  );
  return rows.map(incidentRecordOf);
}

export class IncidentChanges {
  private readonly opened = new Map<string, IncidentRecord>();
  private readonly changed = new Map<string, IncidentRecord>();
  private readonly timeline: object[] = [];
  private readonly outbox: OutboxMessage[] = [];

  open(record: IncidentRecord, change: IncidentChange): void {
    this.opened.set(record.id, record);
    this.recordChange(record, change);
  }

  change(record: IncidentRecord, next: IncidentState, change: IncidentChange): void {
    record.state = next;
    record.updatedAt = change.at > record.updatedAt ? change.at : record.updatedAt;
    if (!this.opened.has(record.id)) this.changed.set(record.id, record);
    this.recordChange(record, change);
  }

  private recordChange(record: IncidentRecord, change: IncidentChange): void {
    const id = newUuid();
    const { type, actor, cause, changes, at, note = null } = change;
    this.timeline.push({
      id,
      incident_id: record.id,
      organization_id: record.organizationId,
      environment: record.environment,
      type,
      occurred_at: at,
      actor,
      cause,
      changes,
      note,
      incident_version: record.state.version,
    });
    this.outbox.push({ subject: incidentEventsSubject, messageId: id, payload: incidentEventOf(record, change, id) });
  }

  async write(tx: Tx): Promise<void> {
    if (this.opened.size > 0)
      await tx.query(insertSql, [JSON.stringify([...this.opened.values()].map(incidentTable.rowOf))]);
    if (this.changed.size > 0)
      await tx.query(updateSql, [JSON.stringify([...this.changed.values()].map(incidentTable.rowOf))]);
    if (this.timeline.length > 0) await tx.query(timelineSql, [JSON.stringify(this.timeline)]);
    await addToOutbox(tx, 'alert-pipeline', this.outbox);
  }
}

/** Changes the incidents of resolved alerts. Alerts and incidents are locked already. */
export async function writeResolved(tx: Tx, incidents: IncidentRecord[], resolved: ResolvedAlert[]): Promise<void> {
  if (resolved.length === 0) return;
  const changes = new IncidentChanges();
  countResolvedAlerts(incidents, resolved, (record, next, change) => changes.change(record, next, change));
  await changes.write(tx);
}
