/** Applies a batch of events to alerts, in the order of the stream. */
import { publicId, type IngestEvent } from '@ams/contracts';
import { applyEvents as applyTo, type AppliedEvent } from '@ams/alerting';
import type { Tx } from '@ams/database';
import { noted } from '@ams/domain';
import { evaluationTurns, ownerOfShort } from '@ams/service';
import { spanOf } from '@ams/tracing';
import { AlertChanges, type EventRow } from '../alerts/alert-changes.js';
import { lockAlertsWhere, lockedAlerts } from '../alerts/locked-alerts.js';
import { applyPings } from '../heartbeats/heartbeat-events.js';

/** Events from the stream. */
export async function applyEvents(
  tx: Tx,
  partition: number,
  received: readonly IngestEvent[],
  at: Date,
): Promise<void> {
  const events = await withoutRepeats(tx, received);
  if (events.length === 0) return;
  const now = events.some(({ autoResolveAfterSeconds }) => autoResolveAfterSeconds !== null)
    ? await databaseTime(tx)
    : at;
  await applyPings(tx, partition, events);
  for (const part of inParts(events)) {
    const [first] = part;
    if (first?.edit?.toAllOpen) await noteOpenAlerts(tx, first, now);
    else await applyPart(tx, partition, part, now);
  }
}

/** The alerts of heartbeats that did not arrive. */
export async function openHeartbeatAlerts(tx: Tx, partition: number, events: IngestEvent[]): Promise<void> {
  if (events.length > 0) await applyPart(tx, partition, events, await databaseTime(tx));
}

/** Splits the events into parts. An event that concerns all open alerts of an integration is a part of its own. */
function inParts(events: readonly IngestEvent[]): IngestEvent[][] {
  const parts: IngestEvent[][] = [];
  let current: IngestEvent[] = [];
  for (const event of events) {
    if (!event.edit?.toAllOpen) {
      current.push(event);
      continue;
    }
    if (current.length > 0) parts.push(current);
    parts.push([event]);
    current = [];
  }
  if (current.length > 0) parts.push(current);
  return parts;
}

async function applyPart(tx: Tx, partition: number, events: IngestEvent[], now: Date): Promise<void> {
  const changes = new AlertChanges(now.toISOString());
  const applied = await applyTo(tx, lockedAlerts(tx, changes), events, { partition, now }, (work) =>
    evaluationTurns.run(ownerOfShort(events, 'suppression windows'), work),
  );
  for (const one of applied) {
    if (!isPingWithoutAlert(one)) changes.event(eventRowOf(one));
    showEffect(one);
  }
  await changes.write(tx);
}

/** In the span of the event, if it is traced. */
function showEffect({ event, alert, effect }: AppliedEvent): void {
  const span = spanOf(event);
  if (!span) return;
  span.setAttribute('ams.event.effect', effect);
  if (alert) span.setAttribute('ams.alert.id', publicId('alert', alert.id) ?? '');
  if (alert?.incidentId) span.setAttribute('ams.incident.id', publicId('incident', alert.incidentId) ?? '');
}

/** True for most pings. They are not stored, because they would be most of the stored events. */
const isPingWithoutAlert = ({ event, effect }: AppliedEvent): boolean =>
  event.heartbeat !== undefined && effect === 'noMatch';

/** The maximum number of alerts that get the note of one event: those that fired last. */
const notedAlerts = 100;

/** Locks alerts of other partitions too, as commands do. */
async function noteOpenAlerts(tx: Tx, event: IngestEvent, now: Date): Promise<void> {
  const changes = new AlertChanges(now.toISOString());
  const alerts = await lockAlertsWhere(
    tx,
    event,
    `status <> 'resolved' AND id IN (
       SELECT id FROM alerts.alerts
       WHERE organization_id = $1 AND environment = $2 AND integration_id = $3 AND status <> 'resolved'
       ORDER BY last_occurred_at DESC, id DESC LIMIT ${notedAlerts})`,
    [event.integrationId],
  );
  const actor = {
    type: 'integration' as const,
    id: publicId('integration', event.integrationId),
    name: event.integrationName,
  };
  for (const alert of alerts) {
    const decision = noted(alert.state, 'alert.noted', []);
    changes.change(alert, decision.alert, {
      type: decision.type,
      changes: [],
      actor,
      cause: { type: 'event', id: publicId('event', event.id) },
      at: event.receivedAt,
      note: event.edit?.note ?? null,
    });
  }
  const outcome = alerts.length === 0 ? 'noMatch' : 'noted';
  changes.event({ ...rowOf(event), alert_id: null, outcome });
  await changes.write(tx);
}

/** Automatic resolves are due by the clock of the database (see auto-resolve.ts). */
async function databaseTime(tx: Tx): Promise<Date> {
  const [row] = await tx.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  if (!row) throw new Error('the database did not return its time');
  return row.now;
}

function eventRowOf({ event, alert, effect, windows }: AppliedEvent): EventRow {
  const row = rowOf(event);
  return {
    ...row,
    alert_id: alert?.id ?? null,
    outcome: effect,
    event: windows.length === 0 ? row.event : { ...row.event, windows },
  };
}

function rowOf(event: IngestEvent): Omit<EventRow, 'alert_id' | 'outcome'> {
  const { id, organizationId, environment, integrationId, receivedAt, ...rest } = event;
  const { repeatable: _repeatable, traceparent: _traceparent, tracestate: _tracestate, ...body } = rest;
  return {
    id,
    organization_id: organizationId,
    environment,
    integration_id: integrationId,
    received_at: receivedAt,
    event: body,
  };
}

/** An event whose request had an Idempotency-Key may arrive in two messages: the second one is ignored. */
async function withoutRepeats(tx: Tx, events: readonly IngestEvent[]): Promise<readonly IngestEvent[]> {
  const repeatable = events.filter((event) => event.repeatable).map((event) => event.id);
  if (repeatable.length === 0) return events;
  const rows = await tx.query<{ id: string }>('SELECT id FROM alerts.events WHERE id = ANY($1::uuid[])', [repeatable]);
  const known = new Set(rows.map(({ id }) => id));
  return events.filter((event) => {
    if (!event.repeatable) return true;
    if (known.has(event.id)) return false;
    known.add(event.id);
    return true;
  });
}
