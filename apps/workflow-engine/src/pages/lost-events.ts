/** Events by which alerts ask for somebody and that were never decided: they were lost on the way to the engine. */
import { publicId, type Alert, type Cause } from '@ams/contracts';
import { alertFromRow, shownAlertColumns, type ShownAlertRow } from '@ams/alerting';
import type { Tx } from '@ams/database';
import { missingAmong, type askingEvents, type ActorRef, type FieldChange } from '@ams/domain';
import type { Environment } from '@ams/scopes';
import { beginRuns } from '../runs/begin-runs.js';
import type { DomainEvent } from '../runs/condition-facts.js';
import type { Found, Look } from './page-looks.js';

const atOnce = 200;

export interface StoredEventRow extends ShownAlertRow {
  organization_id: string;
  event_id: string;
  event_type: (typeof askingEvents)[number];
  occurred_at: Date;
  actor: ActorRef;
  cause: Cause;
  changes: FieldChange[];
  environment: Environment;
}

/** The entries of timelines as events, with the alerts as they are now. */
const storedEvents = `
  SELECT ${shownAlertColumns
    .split(', ')
    .map((name) => `a.${name}`)
    .join(', ')}, a.organization_id, a.environment, t.id AS event_id, t.type AS event_type, t.occurred_at, t.actor,
    t.cause, t.changes
  FROM alerts_views.alerts a JOIN alerts_views.timeline t ON t.alert_id = a.id
    AND t.organization_id = a.organization_id AND t.environment = a.environment
    AND t.type IN ('alert.created', 'alert.resumed', 'alert.severityChanged')`;

/**
 * The events of alerts that fire. An event that asked already has a line in the ledger. Every other one that was
 * processed is in `workflows.considered`, which is kept for at least a day. One that waits for its turn is not lost.
 */
export async function findLostEvents(tx: Tx, { seen, since, now }: Look): Promise<Found<StoredEventRow>> {
  const rows = await tx.query<StoredEventRow>(
    `${storedEvents}
     WHERE a.status = 'firing' AND a.updated_at > now() - interval '1 day'
       AND t.id > public.uuid_at(now() - interval '1 day') AND t.occurred_at > $1
       AND NOT EXISTS (SELECT FROM workflows.considered c WHERE c.event_id = t.id)
       AND NOT EXISTS (SELECT FROM workflows.page_requests r WHERE r.event_id = t.id)
       AND NOT EXISTS (SELECT FROM workflows.waiting_events w WHERE w.id = t.id)
     ORDER BY t.occurred_at LIMIT ${atOnce}`,
    [since],
  );
  const candidates = rows.map(({ event_id: id, occurred_at }) => ({ id, since: occurred_at.toISOString() }));
  const found = missingAmong(candidates, seen, now);
  const missing = new Set(found.missing);
  return { missing: rows.filter(({ event_id }) => missing.has(event_id)), seen: found.seen };
}

/** True when somebody is asked for now. */
export async function beginLostEvent(tx: Tx, row: StoredEventRow): Promise<boolean> {
  const { asked } = await beginRuns(tx, [eventOf(row)], { onlyOlderWorkflows: true });
  return asked > 0;
}

export async function storedEvent(
  tx: Tx,
  { organizationId, environment, eventId }: { organizationId: string; environment: Environment; eventId: string },
): Promise<DomainEvent | null> {
  const [row] = await tx.query<StoredEventRow>(
    `${storedEvents} WHERE t.id = $1 AND t.organization_id = $2 AND t.environment = $3`,
    [eventId, organizationId, environment],
  );
  return row ? eventOf(row) : null;
}

function eventOf(row: StoredEventRow): DomainEvent {
  const alert: Alert = alertFromRow(row);
  return {
    id: publicId('timelineEntry', row.event_id),
    organizationId: row.organization_id,
    environment: row.environment,
    type: row.event_type,
    occurredAt: row.occurred_at.toISOString(),
    actor: row.actor,
    cause: row.cause,
    changes: row.changes,
    alert,
    depth: 0,
  };
}
