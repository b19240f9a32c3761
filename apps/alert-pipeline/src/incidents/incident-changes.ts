/**
 * The changes that one transaction makes to incidents: rows, timelines and events, written together. Rows of incidents
 * are locked after alerts and before counts of alerts, in the order of their ids. Events, commands and workflows all
 * use this order, so that no deadlock occurs.
 */
import { incidentEventsSubject, newUuid, uuidOf, type Tenant } from '@ams/contracts';
import {
  incidentEventOf,
  incidentRecordOf,
  incidentColumns,
  incidentTable,
  type IncidentRecord,
  type IncidentRow,
  type IncidentChange,
  type FollowEffects,
  type IncidentPage,
} from '@ams/alerting';
import { addToOutbox, type OutboxMessage, type Tx } from '@ams/database';
import type { IncidentState } from '@ams/domain';
import { withTraceContext } from '@ams/tracing';

const recordset = `jsonb_to_recordset($1::jsonb) AS r(${incidentTable.recordset})`;
const insertSql = `
  INSERT INTO alerts.incidents (${incidentTable.columns}) SELECT ${incidentTable.columns} FROM ${recordset}`;
/** See the statement for alerts. */
const updateSql = `
  UPDATE alerts.incidents i SET ${incidentTable.changing.map((name) => `${name} = r.${name}`).join(', ')}
  FROM ${recordset} WHERE i.id = r.id AND i.id = ANY($2::uuid[])
    AND (i.organization_id, i.environment) IS NOT DISTINCT FROM (r.organization_id, r.environment)`;
const timelineSql = `
  INSERT INTO alerts.incident_timeline (id, incident_id, organization_id, environment, type, occurred_at, actor, cause,
    changes, note, incident_version)
  SELECT r.* FROM jsonb_to_recordset($1::jsonb)
    AS r(id uuid, incident_id uuid, organization_id uuid, environment text, type text, occurred_at timestamptz,
      actor jsonb, cause jsonb, changes jsonb, note text, incident_version int)`;

const pageColumns = {
  id: 'uuid',
  organization_id: 'uuid',
  environment: 'text',
  incident_id: 'uuid',
  alert_id: 'uuid',
  kind: 'text',
  stage: 'text',
  episode: 'int',
  round: 'int',
  level: 'int',
  policy_id: 'uuid',
  policy_name: 'text',
  why: 'text',
  recipients: 'jsonb',
  created_at: 'timestamptz',
};
const pagesSql = `
  INSERT INTO alerts.pages (${Object.keys(pageColumns).join(', ')})
  SELECT r.* FROM jsonb_to_recordset($1::jsonb) AS r(${Object.entries(pageColumns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')})`;

const pageRow = (page: IncidentPage): Record<keyof typeof pageColumns, unknown> => ({
  id: page.id,
  organization_id: page.organizationId,
  environment: page.environment,
  incident_id: page.incidentId,
  alert_id: page.alertId,
  kind: page.kind,
  stage: page.stage,
  episode: page.episode,
  round: page.round,
  level: page.level,
  policy_id: page.policyId === null ? null : uuidOf('escalationPolicy', page.policyId),
  policy_name: page.policyName,
  why: page.why,
  recipients: page.recipients,
  created_at: page.createdAt,
});

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

/** The same for the incidents of alerts that were changed, of several tenants. */
export async function lockIncidentsOf(
  tx: Tx,
  ids: readonly string[],
  tenants: readonly Tenant[],
): Promise<IncidentRecord[]> {
  if (ids.length === 0) return [];
  const rows = await tx.query<IncidentRow>(
    `SELECT ${incidentColumns} FROM alerts.incidents
     WHERE id = ANY($1::uuid[]) AND organization_id = ANY($2::uuid[]) ORDER BY id FOR UPDATE`,
    [ids, [...new Set(tenants.map(({ organizationId }) => organizationId))]],
  );
  return rows.map(incidentRecordOf);
}

export class IncidentChanges {
  private readonly opened = new Map<string, IncidentRecord>();
  private readonly changed = new Map<string, IncidentRecord>();
  private readonly timeline: object[] = [];
  private readonly pages: IncidentPage[] = [];
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

  /** Changes values that no entry of the timeline shows. */
  keep(record: IncidentRecord, next: IncidentState): void {
    record.state = next;
    if (!this.opened.has(record.id)) this.changed.set(record.id, record);
  }

  /** The changes as an escalation makes them. */
  readonly effects: FollowEffects = {
    changeIncident: (record, next, change) => this.change(record, next, change),
    keepIncident: (record, next) => this.keep(record, next),
    addPage: (page) => this.pages.push(page),
  };

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
    const payload = withTraceContext(incidentEventOf(record, change, id));
    this.outbox.push({ subject: incidentEventsSubject, messageId: id, payload });
  }

  async write(tx: Tx): Promise<void> {
    if (this.opened.size > 0)
      await tx.query(insertSql, [JSON.stringify([...this.opened.values()].map(incidentTable.rowOf))]);
    if (this.changed.size > 0)
      await tx.query(updateSql, [
        JSON.stringify([...this.changed.values()].map(incidentTable.rowOf)),
        [...this.changed.keys()],
      ]);
    if (this.timeline.length > 0) await tx.query(timelineSql, [JSON.stringify(this.timeline)]);
    if (this.pages.length > 0) await tx.query(pagesSql, [JSON.stringify(this.pages.map(pageRow))]);
    await addToOutbox(tx, 'alert-pipeline', this.outbox);
  }
}
