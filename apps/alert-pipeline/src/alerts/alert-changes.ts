/**
 * The changes that one transaction makes to alerts. They are collected in memory and then written with a few multi-row
 * statements: alerts, timelines, events, counts, incidents of the alerts, and the outbox. Commands, suppression windows
 * and events all use this class, so that no part is forgotten.
 */
import { alertEventsSubject, newUuid, uuidOf, type Cause } from '@ams/contracts';
import {
  alertEventOf,
  severityRank,
  alertTable,
  type AlertRecord,
  type EventEffect,
  IncidentTouches,
  type AlertChange,
} from '@ams/alerting';
import { addToOutbox, sentTogether, type OutboxMessage, type Tx } from '@ams/database';
import type { ActorRef, AlertChangeType, AlertState, FieldChange } from '@ams/domain';
import { withTraceContext } from '@ams/tracing';
import { followIncidents, lockTouched } from '../incidents/follow-incidents.js';

export interface EventRow {
  id: string;
  organization_id: string;
  environment: string;
  integration_id: string;
  alert_id: string | null;
  outcome: EventEffect;
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

export class AlertChanges {
  private readonly opened = new Map<string, AlertRecord>();
  private readonly changed = new Map<string, AlertRecord>();
  private readonly timeline: TimelineRow[] = [];
  private readonly events: EventRow[] = [];
  private readonly outbox: OutboxMessage[] = [];
  private readonly counts = new Map<string, { key: [string, string, number, string, string, number]; n: number }>();
  private readonly suppressed = new Map<
    string,
    { organization_id: string; environment: string; window_id: string; partition: number; n: number }
  >();
  private readonly touches = new IncidentTouches();

  constructor(private readonly writtenAt: string) {}

  /** A new alert. */
  open(record: AlertRecord, why: AlertChange): void {
    this.opened.set(record.id, record);
    this.count(record, record.state, 1);
    this.countSuppressed(record, null);
    this.recordChange(record, why);
  }

  /** Changes the state of the alert to `next`. */
  change(record: AlertRecord, next: AlertState, why: AlertChange): void {
    this.count(record, record.state, -1);
    this.count(record, next, 1);
    this.touches.add(record, next, why);
    const before = record.state;
    record.state = next;
    this.countSuppressed(record, before);
    record.updatedAt = this.writtenAt > record.updatedAt ? this.writtenAt : record.updatedAt;
    if (!this.opened.has(record.id)) this.changed.set(record.id, record);
    this.recordChange(record, why);
  }

  event(row: EventRow): void {
    this.events.push(row);
  }

  /** Adds another message to the outbox in the same transaction. */
  also(message: OutboxMessage): void {
    this.outbox.push(message);
  }

  private count(record: AlertRecord, state: AlertState, by: number): void {
    const key: [string, string, number, string, string, number] = [
      record.organizationId,
      record.environment,
      record.partition,
      record.integrationId,
      state.status,
      severityRank(state.severity),
    ];
    const name = key.join(' ');
    const present = this.counts.get(name);
    if (present) present.n += by;
    else this.counts.set(name, { key, n: by });
  }

  /** Counts for the window each time that it suppresses an alert. */
  private countSuppressed(record: AlertRecord, before: AlertState | null): void {
    const { organizationId, environment, partition, state } = record;
    const windowId =
      state.status === 'suppressed' && before?.status !== 'suppressed' ? state.suppression?.windowId : null;
    const uuid = windowId ? uuidOf('suppressionWindow', windowId) : null;
    if (uuid === null) return;
    const name = `${uuid} ${partition}`;
    const present = this.suppressed.get(name);
    if (present) present.n++;
    else this.suppressed.set(name, { organization_id: organizationId, environment, window_id: uuid, partition, n: 1 });
  }

  private recordChange(record: AlertRecord, why: AlertChange): void {
    const id = why.entryId ?? newUuid();
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
    const event = alertEventOf(record, why, id);
    if (!event) return;
    const payload = withTraceContext(event);
    this.outbox.push({ subject: alertEventsSubject(record.partition), messageId: id, payload });
  }

  /**
   * Writes everything. Changes are written before new alerts: in one batch a fingerprint may be resolved and opened
   * again. Incidents are locked before counts, as in every transaction that changes an incident with its alerts, so
   * that no deadlock occurs. Counts and incidents are those of the tenant, also when the key is narrowed.
   */
  write(tx: Tx): Promise<void> {
    return tx.beyondNarrowing(() => this.writeAll(tx));
  }

  private async writeAll(tx: Tx): Promise<void> {
    const touches = this.touches.all;
    const incidents = await lockTouched(tx, touches, [...this.changed.values()]);
    await sentTogether(this.statements(tx));
    await followIncidents(tx, incidents, touches);
  }

  private statements(tx: Tx): Promise<unknown>[] {
    const sent: Promise<unknown>[] = [];
    if (this.changed.size > 0)
      sent.push(
        tx.query({ name: 'change alerts', text: updateSql }, [
          JSON.stringify([...this.changed.values()].map(alertTable.rowOf)),
          [...this.changed.keys()],
        ]),
      );
    // Before the counts: what else writes them waits for this transaction from then on.
    sent.push(addToOutbox(tx, 'alert-pipeline', this.outbox));
    if (this.opened.size > 0 || this.timeline.length > 0 || this.events.length > 0) {
      const counts = [...this.counts.values()].filter(({ n }) => n !== 0).map(({ key, n }) => [...key, n]);
      sent.push(
        tx.query({ name: 'write alerts', text: insertSql }, [
          JSON.stringify([...this.opened.values()].map(alertTable.rowOf)),
          JSON.stringify(this.timeline),
          JSON.stringify(this.events),
          JSON.stringify(counts),
        ]),
      );
    }
    if (this.suppressed.size > 0) sent.push(tx.query(suppressedSql, [JSON.stringify([...this.suppressed.values()])]));
    return sent;
  }
}

const recordset = (param: string, columns: string): string => `json_to_recordset(${param}::json) AS r(${columns})`;

/**
 * On a table without statistics, PostgreSQL would look for each row among all alerts, or among all of the organization.
 * So the ids are a parameter as well, and the tenant is compared in a form that no index serves.
 */
const updateSql = `
  UPDATE alerts.alerts a SET ${alertTable.changing.map((name) => `${name} = r.${name}`).join(', ')}
  FROM ${recordset('$1', alertTable.recordset)}
  WHERE a.id = r.id AND a.id = ANY($2::uuid[])
    AND (a.organization_id, a.environment) IS NOT DISTINCT FROM (r.organization_id, r.environment)`;

const typesOf = (columns: Record<string, string>): string =>
  Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ');

const timelineColumns = {
  id: 'uuid',
  alert_id: 'uuid',
  organization_id: 'uuid',
  environment: 'text',
  type: 'text',
  occurred_at: 'timestamptz',
  actor: 'jsonb',
  cause: 'jsonb',
  changes: 'jsonb',
  note: 'text',
  alert_version: 'int',
};
const eventColumns = {
  id: 'uuid',
  organization_id: 'uuid',
  environment: 'text',
  integration_id: 'uuid',
  alert_id: 'uuid',
  outcome: 'text',
  received_at: 'timestamptz',
  event: 'jsonb',
};

const insertSql = `
  WITH opened AS (INSERT INTO alerts.alerts (${alertTable.columns})
    SELECT ${alertTable.columns} FROM ${recordset('$1', alertTable.recordset)}),
  entered AS (INSERT INTO alerts.timeline (${Object.keys(timelineColumns).join(', ')})
    SELECT r.* FROM ${recordset('$2', typesOf(timelineColumns))}),
  received AS (INSERT INTO alerts.events (${Object.keys(eventColumns).join(', ')})
    SELECT r.* FROM ${recordset('$3', typesOf(eventColumns))})
  INSERT INTO alerts.counts AS c (organization_id, environment, partition, integration_id, status, severity, n)
    SELECT (r->>0)::uuid, r->>1, (r->>2)::smallint, (r->>3)::uuid, r->>4, (r->>5)::smallint, (r->>6)::bigint
    FROM json_array_elements($4::json) AS r ORDER BY 1, 2, 3, 4, 5, 6
  ON CONFLICT (organization_id, environment, partition, integration_id, status, severity)
    DO UPDATE SET n = c.n + excluded.n`;

const suppressedSql = `
  INSERT INTO alerts.window_counts AS c (organization_id, environment, window_id, partition, n)
    SELECT r.* FROM json_to_recordset($1::json)
      AS r(organization_id uuid, environment text, window_id uuid, partition smallint, n bigint) ORDER BY 3, 4
  ON CONFLICT (window_id, partition) DO UPDATE SET n = c.n + excluded.n`;
