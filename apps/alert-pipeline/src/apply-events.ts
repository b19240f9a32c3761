/** Folds a batch of events, in the order the broker stored them, into the alerts of their fingerprints. */
import { publicId, type IngestEvent } from '@ams/contracts';
import {
  clientsOf,
  decideIncoming,
  dedupScopeOf,
  fingerprintKey,
  openAlerts,
  settle,
  Windows,
  type AlertRecord,
  type OpenAlerts,
  type Surroundings,
} from '@ams/alerting';
import { type Tx } from '@ams/database';
import { AlertChanges } from './alert-changes.js';

export async function applyEvents(tx: Tx, partition: number, incoming: IngestEvent[], now: Date): Promise<void> {
  const events = await withoutRepeats(tx, incoming);
  if (events.length === 0) return;
  const keys = [...new Map(events.map((event) => [fingerprintKey(event), event])).values()];
  const open = await openAlerts(tx, keys, { lock: true });
  const previous = await previousAlerts(
    tx,
    keys.filter((event) => !open.has(fingerprintKey(event))),
  );
  // Windows after the locks, as those who look at windows do: nobody hides an alert by a window that another has found ended.
  const windows = await Windows.of(
    tx,
    events.filter(({ status }) => status === 'firing'),
  );
  const opening = (event: IngestEvent) => ({
    partition,
    now,
    previousAlertId: previous.get(scopedKey(event, dedupScopeOf(event))) ?? null,
  });
  const surroundings = { windows, clientOf: await clientsOf(tx, events), opening };
  const changes = new AlertChanges(now.toISOString());
  for (const event of events) fold(changes, open, previous, event, surroundings);
  await changes.write(tx);
}

const scopedKey = (of: Pick<IngestEvent, 'organizationId' | 'environment' | 'fingerprint'>, scope: string): string =>
  `${fingerprintKey(of)} ${scope}`;

function fold(
  changes: AlertChanges,
  open: OpenAlerts,
  previous: Map<string, string>,
  event: IngestEvent,
  surroundings: Surroundings,
): void {
  const { met, subject, sender, decision, outcome, windows } = decideIncoming(event, open, surroundings);
  const cause = { type: 'event' as const, id: publicId('event', event.id) };
  const at = event.receivedAt;
  let alertId = met?.id ?? null;
  if (decision.kind === 'opened') {
    const alert: AlertRecord = { ...subject, state: decision.alert };
    alertId = alert.id;
    settle(open, alert);
    const hidden = alert.state.suppression
      ? [{ field: 'suppression', before: null, after: alert.state.suppression }]
      : [];
    changes.open(alert, { type: decision.type, changes: [...decision.changes, ...hidden], actor: sender, cause, at });
  } else if (decision.kind === 'changed' && met) {
    if (event.status === 'firing' && event.integrationId === met.integrationId)
      met.integrationName = event.integrationName;
    changes.change(met, decision.alert, { type: decision.type, changes: decision.changes, actor: sender, cause, at });
    if (met.state.status === 'resolved') {
      settle(open, met);
      previous.set(scopedKey(met, met.dedupScope), met.id);
    }
  }
  const { id, organizationId, environment, integrationId, receivedAt, repeatable: _repeatable, ...body } = event;
  const kept = windows.length === 0 ? body : { ...body, windows };
  changes.event({
    id,
    organization_id: organizationId,
    environment,
    integration_id: integrationId,
    alert_id: alertId,
    outcome,
    received_at: receivedAt,
    event: kept,
  });
}

/** An event whose request had an Idempotency-Key may come in two messages; the second is no event. */
async function withoutRepeats(tx: Tx, events: IngestEvent[]): Promise<IngestEvent[]> {
  const repeatable = events.filter((event) => event.repeatable).map((event) => event.id);
  if (repeatable.length === 0) return events;
  const known = new Set(
    (await tx.query<{ id: string }>('SELECT id FROM alerts.events WHERE id = ANY($1::uuid[])', [repeatable])).map(
      ({ id }) => id,
    ),
  );
  return events.filter((event) => {
    if (!event.repeatable) return true;
    if (known.has(event.id)) return false;
    known.add(event.id);
    return true;
  });
}

const tripleOf = (event: IngestEvent) => ({
  o: event.organizationId,
  e: event.environment,
  f: event.fingerprint,
  s: dedupScopeOf(event),
});
const triples = `json_to_recordset($1::json) AS k(o uuid, e text, f text, s text)`;

/**
 * Only the index over fingerprints has this order, and a range of one fingerprint keeps it in the order: asked by equality, a
 * planner without statistics reads all alerts of the tenant, newest first, for each fingerprint that is new.
 */
const findPrevious = {
  name: 'find previous alerts',
  text: `SELECT k.o, k.e, k.f, k.s, a.id FROM ${triples}, LATERAL (
     SELECT id FROM alerts.alerts WHERE organization_id = k.o AND environment = k.e AND fingerprint BETWEEN k.f AND k.f AND dedup_scope = k.s
     ORDER BY fingerprint, created_at DESC LIMIT 1) AS a`,
};

/** For fingerprints without an open alert: the one that was resolved last. */
async function previousAlerts(tx: Tx, keys: IngestEvent[]): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await tx.query<{ o: string; e: string; f: string; s: string; id: string }>(findPrevious, [
    JSON.stringify(keys.map(tripleOf)),
  ]);
  return new Map(rows.map((row) => [`${row.o} ${row.e} ${row.f} ${row.s}`, row.id]));
}
