/** Applies a batch of events to alerts, in the order of the stream. */
import type { IngestEvent } from '@ams/contracts';
import { applyEvents as applyTo, type AppliedEvent } from '@ams/alerting';
import type { Tx } from '@ams/database';
import { AlertChanges, type EventRow } from '../alerts/alert-changes.js';
import { lockedAlerts } from '../alerts/locked-alerts.js';

export async function applyEvents(tx: Tx, partition: number, received: IngestEvent[], at: Date): Promise<void> {
  const events = await withoutRepeats(tx, received);
  if (events.length === 0) return;
  const now = events.some(({ autoResolveAfterSeconds }) => autoResolveAfterSeconds !== null)
    ? await databaseTime(tx)
    : at;
  const changes = new AlertChanges(now.toISOString());
  const applied = await applyTo(tx, lockedAlerts(tx, changes), events, { partition, now });
  for (const one of applied) changes.event(eventRowOf(one));
  await changes.write(tx);
}

/** Automatic resolves are due by the clock of the database (see auto-resolve.ts). */
async function databaseTime(tx: Tx): Promise<Date> {
  const [row] = await tx.query<{ now: Date }>('SELECT clock_timestamp() AS now');
  if (!row) throw new Error('the database has no time');
  return row.now;
}

function eventRowOf({ event, alert, effect, windows }: AppliedEvent): EventRow {
  const { id, organizationId, environment, integrationId, receivedAt, repeatable: _repeatable, ...body } = event;
  return {
    id,
    organization_id: organizationId,
    environment,
    integration_id: integrationId,
    alert_id: alert?.id ?? null,
    outcome: effect,
    received_at: receivedAt,
    event: windows.length === 0 ? body : { ...body, windows },
  };
}

/** An event whose request had an Idempotency-Key may arrive in two messages: the second one is ignored. */
async function withoutRepeats(tx: Tx, events: IngestEvent[]): Promise<IngestEvent[]> {
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
