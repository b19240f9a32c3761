/** Folds a batch of events, in the order the broker stored them, into the alerts of their fingerprints. */
import { newUuid, publicId, type IngestEvent } from '@ams/contracts';
import { decideEvent, type ActorRef } from '@ams/domain';
import type { Tx } from '@ams/database';
import { recordOf, type AlertRecord, type StoredAlert } from './alert-record.js';
import { AlertChanges, storedAlertColumns, type EventRow } from './alert-changes.js';

/** Which alerts an event can meet: those of the integration, or of the whole environment. */
const dedupScopeOf = (event: IngestEvent): string => (event.dedupScope === 'organization' ? 'organization' : `integration:${event.integrationId}`);

const keyOf = (event: Pick<IngestEvent, 'organizationId' | 'environment' | 'fingerprint'>): string => `${event.organizationId} ${event.environment} ${event.fingerprint}`;

/**
 * The open alert an event belongs to: of its own scope, else one that this integration opened under another scope (the
 * setting was changed while the alert was open).
 */
function openAlertOf(candidates: AlertRecord[] | undefined, event: IngestEvent): AlertRecord | undefined {
  const scope = dedupScopeOf(event);
  return candidates?.find((alert) => alert.dedupScope === scope) ?? candidates?.find((alert) => alert.integrationId === event.integrationId);
}

export async function applyEvents(tx: Tx, partition: number, incoming: IngestEvent[], now: Date): Promise<void> {
  const events = await withoutRepeats(tx, incoming);
  if (events.length === 0) return;
  const keys = [...new Map(events.map((event) => [keyOf(event), event])).values()];
  const open = await openAlerts(tx, keys);
  const unknown = keys.filter((event) => !open.has(keyOf(event)));
  const previous = await previousAlerts(tx, unknown);
  const changes = new AlertChanges(now.toISOString());
  for (const event of events) fold(changes, open, previous, event, partition, now);
  await changes.write(tx);
}

function fold(changes: AlertChanges, open: Map<string, AlertRecord[]>, previous: Map<string, string>, event: IngestEvent, partition: number, now: Date): void {
  const key = keyOf(event);
  const scope = dedupScopeOf(event);
  const record = openAlertOf(open.get(key), event);
  const sender: ActorRef = { type: 'integration', id: publicId('integration', event.integrationId), name: event.integrationName };
  const decision = decideEvent(record?.state ?? null, event, sender);
  const cause = { type: 'event' as const, id: publicId('event', event.id) };
  const at = event.receivedAt;
  let alertId = record?.id ?? null;
  let outcome: EventRow['outcome'];
  if (decision.kind === 'opened') {
    alertId = newUuid(now.getTime());
    const written = now.toISOString();
    const alert: AlertRecord = {
      id: alertId,
      organizationId: event.organizationId,
      environment: event.environment,
      integrationId: event.integrationId,
      integrationName: event.integrationName,
      dedupScope: scope,
      partition,
      fingerprint: event.fingerprint,
      fingerprintSource: event.fingerprintSource,
      clientId: event.clientId,
      incidentId: null,
      assigneeId: null,
      previousAlertId: previous.get(`${key} ${scope}`) ?? null,
      createdAt: written,
      updatedAt: written,
      state: decision.alert,
    };
    open.set(key, [...(open.get(key) ?? []), alert]);
    changes.open(alert, { type: decision.type, changes: decision.changes, actor: sender, cause, at });
    outcome = 'opened';
  } else if (decision.kind === 'changed' && record) {
    if (decision.type === 'alert.occurred' || decision.type === 'alert.severityChanged') {
      record.integrationName = event.integrationId === record.integrationId ? event.integrationName : record.integrationName;
      outcome = 'occurred';
    } else outcome = decision.alert.status === 'resolved' ? 'resolved' : decision.alert.status === 'suppressed' ? 'suppressed' : 'acknowledged';
    changes.change(record, decision.alert, { type: decision.type, changes: decision.changes, actor: sender, cause, at });
    if (decision.alert.status === 'resolved') {
      open.set(key, (open.get(key) ?? []).filter((other) => other !== record));
      previous.set(`${key} ${record.dedupScope}`, record.id);
    }
  } else outcome = decision.kind === 'noMatch' ? 'noMatch' : 'unchanged';

  const { id, organizationId, environment, integrationId, receivedAt, repeatable: _repeatable, ...body } = event;
  changes.event({ id, organization_id: organizationId, environment, integration_id: integrationId, alert_id: alertId, outcome, received_at: receivedAt, event: body });
}

/** An event whose request had an Idempotency-Key may come in two messages; the second is no event. */
async function withoutRepeats(tx: Tx, events: IngestEvent[]): Promise<IngestEvent[]> {
  const repeatable = events.filter((event) => event.repeatable).map((event) => event.id);
  if (repeatable.length === 0) return events;
  const known = new Set((await tx.query<{ id: string }>('SELECT id FROM alerts.events WHERE id = ANY($1::uuid[])', [repeatable])).map(({ id }) => id));
  return events.filter((event) => {
    if (!event.repeatable) return true;
    if (known.has(event.id)) return false;
    known.add(event.id);
    return true;
  });
}

const tripleOf = (event: IngestEvent) => ({ o: event.organizationId, e: event.environment, f: event.fingerprint, s: dedupScopeOf(event) });
const triples = `json_to_recordset($1::json) AS k(o uuid, e text, f text, s text)`;

/** `OFFSET 0` keeps each fingerprint a look into an index, whatever the planner thinks of the table's size. */
const findOpen = {
  name: 'find open alerts',
  text: `SELECT a.id FROM ${triples}, LATERAL (
     SELECT id FROM alerts.alerts WHERE organization_id = k.o AND environment = k.e AND fingerprint = k.f AND status <> 'resolved' OFFSET 0) AS a`,
};
const lockOpen = {
  name: 'lock open alerts',
  text: `SELECT ${storedAlertColumns} FROM alerts.alerts WHERE id = ANY($1::uuid[]) AND status <> 'resolved' ORDER BY id FOR UPDATE`,
};

/**
 * The open alerts of these fingerprints, locked against commands until the end of the transaction. Rows are locked in the
 * order of their ids, as bulk commands do, so that two transactions never wait for each other. One that a command resolves
 * before the lock is had is not open any more; only events open alerts, and this partition's events are all here.
 */
async function openAlerts(tx: Tx, keys: IngestEvent[]): Promise<Map<string, AlertRecord[]>> {
  const ids = await tx.query<{ id: string }>(findOpen, [JSON.stringify(keys.map(tripleOf))]);
  const found = new Map<string, AlertRecord[]>();
  if (ids.length === 0) return found;
  for (const row of await tx.query<StoredAlert>(lockOpen, [ids.map(({ id }) => id)])) {
    const record = recordOf(row);
    const key = keyOf(record);
    found.set(key, [...(found.get(key) ?? []), record]);
  }
  return found;
}

const findPrevious = {
  name: 'find previous alerts',
  text: `SELECT k.o, k.e, k.f, k.s, a.id FROM ${triples}, LATERAL (
     SELECT id FROM alerts.alerts WHERE organization_id = k.o AND environment = k.e AND fingerprint = k.f AND dedup_scope = k.s
     ORDER BY created_at DESC LIMIT 1) AS a`,
};

/** For fingerprints without an open alert: the one that was resolved last. */
async function previousAlerts(tx: Tx, keys: IngestEvent[]): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await tx.query<{ o: string; e: string; f: string; s: string; id: string }>(findPrevious, [JSON.stringify(keys.map(tripleOf))]);
  return new Map(rows.map((row) => [`${row.o} ${row.e} ${row.f} ${row.s}`, row.id]));
}
