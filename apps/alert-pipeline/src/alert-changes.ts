/**
 * What one transaction does to alerts, gathered in memory and then written with a few multi-row statements: alerts,
 * timeline, events, counts and outbox. Commands and events both go through here, so that nothing of it can be forgotten.
 */
import { alertEventsSubject, newUuid, publicId, type AlertEvent, type Cause } from '@ams/contracts';
import { addToOutbox, severityRank, type OutboxMessage, type Tx } from '@ams/database';
import type { ActorRef, AlertChangeType, AlertState, FieldChange } from '@ams/domain';
import { alertOf, rowOf, type AlertRecord } from './alert-record.js';

export interface EventRow {
  id: string;
  organization_id: string;
  environment: string;
  integration_id: string;
  alert_id: string | null;
  outcome: 'opened' | 'occurred' | 'acknowledged' | 'suppressed' | 'resolved' | 'unchanged' | 'noMatch';
  received_at: string;
  event: object;
}

interface TimelineRow {
  id: string;
  alert_id: string;
  organization_id: string;
  environment: string;
  type: AlertChangeType;
  occurred_at: string;
  actor: ActorRef;
  cause: Cause;
  changes: FieldChange[];
  note: string | null;
  alert_version: number;
}

export interface Why {
  type: AlertChangeType;
  changes: FieldChange[];
  actor: ActorRef;
  cause: Cause;
  at: string;
  note?: string | null;
}

export class AlertChanges {
  private readonly opened = new Map<string, AlertRecord>();
  private readonly changed = new Map<string, AlertRecord>();
  private readonly timeline: TimelineRow[] = [];
  private readonly events: EventRow[] = [];
  private readonly outbox: OutboxMessage[] = [];
  private readonly counts = new Map<string, { key: [string, string, number, string, string, number]; n: number }>();

  constructor(private readonly writtenAt: string) {}

  /** A new alert. */
  open(record: AlertRecord, why: Why): void {
    this.opened.set(record.id, record);
    this.count(record, record.state, 1);
    this.tell(record, why);
  }

  /** The alert goes over to `next`. */
  change(record: AlertRecord, next: AlertState, why: Why): void {
    this.count(record, record.state, -1);
    this.count(record, next, 1);
    record.state = next;
    record.updatedAt = this.writtenAt > record.updatedAt ? this.writtenAt : record.updatedAt;
    if (!this.opened.has(record.id)) this.changed.set(record.id, record);
    this.tell(record, why);
  }

  event(row: EventRow): void {
    this.events.push(row);
  }

  /** Something else to tell with the same transaction. */
  also(message: OutboxMessage): void {
    this.outbox.push(message);
  }

  private count(record: AlertRecord, state: AlertState, by: number): void {
    const key: [string, string, number, string, string, number] = [
      record.organizationId, record.environment, record.partition, record.integrationId, state.status, severityRank(state.severity),
    ];
    const name = key.join(' ');
    const present = this.counts.get(name);
    if (present) present.n += by;
    else this.counts.set(name, { key, n: by });
  }

  private tell(record: AlertRecord, why: Why): void {
    const id = newUuid();
    this.timeline.push({
      id,
      alert_id: record.id,
      organization_id: record.organizationId,
      environment: record.environment,
      type: why.type,
      occurred_at: why.at,
      actor: why.actor,
      cause: why.cause,
      changes: why.changes,
      note: why.note ?? null,
      alert_version: record.state.version,
    });
    if (why.type === 'alert.occurred') return;
    const event: AlertEvent = {
      id: publicId('timelineEntry', id),
      organizationId: record.organizationId,
      environment: record.environment,
      type: why.type,
      occurredAt: why.at,
      actor: why.actor,
      cause: why.cause,
      changes: why.changes,
      alert: alertOf(record),
      depth: 0,
    };
    this.outbox.push({ subject: alertEventsSubject(record.partition), messageId: id, payload: event });
  }

  /** Writes everything. Changes before openings: a fingerprint may be resolved and opened again in one batch. */
  async write(tx: Tx): Promise<void> {
    if (this.changed.size > 0) await tx.query({ name: 'change alerts', text: updateSql }, [JSON.stringify([...this.changed.values()].map(rowOf))]);
    if (this.opened.size > 0 || this.timeline.length > 0 || this.events.length > 0) {
      const counts = [...this.counts.values()].filter(({ n }) => n !== 0).map(({ key, n }) => [...key, n]);
      await tx.query({ name: 'write alerts', text: insertSql }, [
        JSON.stringify([...this.opened.values()].map(rowOf)),
        JSON.stringify(this.timeline),
        JSON.stringify(this.events),
        JSON.stringify(counts),
      ]);
    }
    await addToOutbox(tx, 'alert-pipeline', this.outbox);
  }
}

const columns: Record<string, string> = {
  id: 'uuid', organization_id: 'uuid', environment: 'text', integration_id: 'uuid', integration_name: 'text', dedup_scope: 'text', partition: 'smallint',
  fingerprint: 'text', fingerprint_source: 'text', title: 'text', description: 'text', severity: 'smallint', status: 'text', source: 'text', labels: 'jsonb',
  annotations: 'jsonb', client_id: 'uuid', incident_id: 'uuid', assignee_id: 'uuid', first_occurred_at: 'timestamptz', last_occurred_at: 'timestamptz',
  occurrence_count: 'int', previous_alert_id: 'uuid', acknowledged_at: 'timestamptz', acknowledged_by: 'jsonb', resolved_at: 'timestamptz', resolved_by: 'jsonb',
  resolve_reason: 'text', suppression: 'jsonb', auto_resolve_after_seconds: 'int', auto_resolve_at: 'timestamptz', created_at: 'timestamptz', updated_at: 'timestamptz',
  version: 'int',
};
const names = Object.keys(columns);

/** Every column of an alert, for SELECT. */
export const storedAlertColumns = names.join(', ');

const recordset = (param: string, types: Record<string, string>): string =>
  `json_to_recordset(${param}::json) AS r(${Object.entries(types).map(([name, type]) => `${name} ${type}`).join(', ')})`;

const fixed = new Set(['id', 'organization_id', 'environment', 'dedup_scope', 'partition', 'fingerprint', 'fingerprint_source', 'first_occurred_at', 'previous_alert_id', 'created_at']);

const updateSql = `
  UPDATE alerts.alerts a SET ${names.filter((name) => !fixed.has(name)).map((name) => `${name} = r.${name}`).join(', ')}
  FROM ${recordset('$1', columns)} WHERE a.id = r.id AND a.organization_id = r.organization_id AND a.environment = r.environment`;

const timelineColumns = {
  id: 'uuid', alert_id: 'uuid', organization_id: 'uuid', environment: 'text', type: 'text', occurred_at: 'timestamptz', actor: 'jsonb', cause: 'jsonb', changes: 'jsonb',
  note: 'text', alert_version: 'int',
};
const eventColumns = { id: 'uuid', organization_id: 'uuid', environment: 'text', integration_id: 'uuid', alert_id: 'uuid', outcome: 'text', received_at: 'timestamptz', event: 'jsonb' };

const insertSql = `
  WITH opened AS (INSERT INTO alerts.alerts (${names.join(', ')}) SELECT ${names.map((name) => `r.${name}`).join(', ')} FROM ${recordset('$1', columns)}),
  told AS (INSERT INTO alerts.timeline (${Object.keys(timelineColumns).join(', ')}) SELECT r.* FROM ${recordset('$2', timelineColumns)}),
  received AS (INSERT INTO alerts.events (${Object.keys(eventColumns).join(', ')}) SELECT r.* FROM ${recordset('$3', eventColumns)})
  INSERT INTO alerts.counts AS c (organization_id, environment, partition, integration_id, status, severity, n)
    SELECT (r->>0)::uuid, r->>1, (r->>2)::smallint, (r->>3)::uuid, r->>4, (r->>5)::smallint, (r->>6)::bigint
    FROM json_array_elements($4::json) AS r ORDER BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (organization_id, environment, partition, integration_id, status, severity) DO UPDATE SET n = c.n + excluded.n`;
