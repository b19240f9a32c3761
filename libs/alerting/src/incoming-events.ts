/**
 * What an event meets and what becomes of it: the open alert of its fingerprint, its client, the windows. The pipeline
 * does what is decided here; a simulation decides the same and does nothing.
 */
import { newUuid, publicId, type IngestEvent, type Tenant } from '@ams/contracts';
import { decideEvent, type ActorRef, type EventDecision } from '@ams/domain';
import { alertRecordOf, storedAlertColumns, type AlertRecord, type StoredAlert } from './alert-record.js';
import type { Tx } from '@ams/database';
import type { WindowRecord, Windows } from './suppression-windows.js';

/** Which alerts an event can meet: those of the integration, or of the whole environment. */
export const dedupScopeOf = ({
  dedupScope,
  integrationId,
}: Pick<IngestEvent, 'dedupScope' | 'integrationId'>): string =>
  dedupScope === 'organization' ? 'organization' : `integration:${integrationId}`;

type Fingerprinted = Tenant & Pick<IngestEvent, 'fingerprint'>;

export const fingerprintKey = ({ organizationId, environment, fingerprint }: Fingerprinted): string =>
  `${organizationId} ${environment} ${fingerprint}`;

/** By `fingerprintKey`. */
export type OpenAlerts = Map<string, AlertRecord[]>;

/** What became of an event, as its record says it. */
export type EventOutcome = 'opened' | 'occurred' | 'acknowledged' | 'suppressed' | 'resolved' | 'unchanged' | 'noMatch';

/** An alert as it is before anything is decided about it. */
export type NewRecord = Omit<AlertRecord, 'state'>;

export interface Incoming {
  /** The open alert that it meets. */
  met: AlertRecord | null;
  /** That one, or the one that it opens. */
  subject: NewRecord;
  sender: ActorRef;
  decision: EventDecision;
  outcome: EventOutcome;
  /** The windows that were looked at; those of an event that does not fire are not. */
  windows: WindowRecord[];
}

/** What events are decided with, besides the alerts. */
export interface Surroundings {
  windows: Windows;
  /** The client that an event is about, as a UUID. */
  clientOf: (event: IngestEvent) => string | null;
  /** What an alert that it opens begins with. */
  opening: (event: IngestEvent) => { partition: number; previousAlertId: string | null; now: Date };
}

export function decideIncoming(
  event: IngestEvent,
  open: OpenAlerts,
  { windows, clientOf, opening }: Surroundings,
): Incoming {
  const met = openAlertOf(open.get(fingerprintKey(event)), event) ?? null;
  const sender: ActorRef = {
    type: 'integration',
    id: publicId('integration', event.integrationId),
    name: event.integrationName,
  };
  const subject = met ?? newRecord(event, opening(event));
  subject.clientId = clientOf(event) ?? subject.clientId;
  let considered: WindowRecord[] = [];
  const decision = decideEvent(met?.state ?? null, event, sender, (state) => {
    const looked = windows.lookAt(subject, state);
    considered = looked.considered;
    return looked.hiding;
  });
  return {
    met,
    subject,
    sender,
    decision,
    outcome: outcomeOf(decision, event),
    windows: event.status === 'firing' ? considered : [],
  };
}

/**
 * The open alert an event belongs to: of its own scope, else one that this integration opened under another scope (the
 * setting was changed while the alert was open).
 */
function openAlertOf(candidates: AlertRecord[] | undefined, event: IngestEvent): AlertRecord | undefined {
  const scope = dedupScopeOf(event);
  return (
    candidates?.find((alert) => alert.dedupScope === scope) ??
    candidates?.find((alert) => alert.integrationId === event.integrationId)
  );
}

function outcomeOf(decision: EventDecision, event: IngestEvent): EventOutcome {
  if (decision.kind !== 'changed') return decision.kind;
  if (event.status === 'firing') return 'occurred';
  const { status } = decision.alert;
  return status === 'resolved' || status === 'suppressed' ? status : 'acknowledged';
}

/** Those that come after meet the alert as this event left it. */
export function settle(open: OpenAlerts, record: AlertRecord): void {
  const others = (open.get(fingerprintKey(record)) ?? []).filter((other) => other !== record);
  open.set(fingerprintKey(record), record.state.status === 'resolved' ? others : [...others, record]);
}

function newRecord(
  event: IngestEvent,
  { partition, previousAlertId, now }: ReturnType<Surroundings['opening']>,
): NewRecord {
  const written = now.toISOString();
  return {
    id: newUuid(now.getTime()),
    organizationId: event.organizationId,
    environment: event.environment,
    integrationId: event.integrationId,
    integrationName: event.integrationName,
    dedupScope: dedupScopeOf(event),
    partition,
    fingerprint: event.fingerprint,
    fingerprintSource: event.fingerprintSource,
    clientId: null,
    incidentId: null,
    assigneeId: null,
    previousAlertId,
    createdAt: written,
    updatedAt: written,
  };
}

// --- What there is --------------------------------------------------------------------------------------------------

const findClients = {
  name: 'find clients',
  text: `SELECT k.o, k.e, k.n, c.client_id FROM json_to_recordset($1::json) AS k(o uuid, e text, n text), LATERAL (
     SELECT client_id FROM resources_views.client_names WHERE organization_id = k.o AND environment = k.e AND name = k.n OFFSET 0) AS c`,
};

/** The client of an integration, else the one whose slug, alias or external id the label `client` names, in any case. */
export async function clientsOf(tx: Tx, events: IngestEvent[]): Promise<(event: IngestEvent) => string | null> {
  const nameOf = (event: IngestEvent): string | null =>
    event.clientId === null ? (event.labels['client']?.toLowerCase() ?? null) : null;
  const asked = new Map<string, { o: string; e: string; n: string }>();
  for (const event of events) {
    const n = nameOf(event);
    if (n !== null)
      asked.set(`${event.organizationId} ${event.environment} ${n}`, {
        o: event.organizationId,
        e: event.environment,
        n,
      });
  }
  if (asked.size === 0) return ({ clientId }) => clientId;
  const rows = await tx.query<{ o: string; e: string; n: string; client_id: string }>(findClients, [
    JSON.stringify([...asked.values()]),
  ]);
  const found = new Map(rows.map((row) => [`${row.o} ${row.e} ${row.n}`, row.client_id]));
  return (event) =>
    event.clientId ?? found.get(`${event.organizationId} ${event.environment} ${nameOf(event) ?? ''}`) ?? null;
}

const fingerprintsOf = (events: readonly Fingerprinted[]): string =>
  JSON.stringify(events.map(({ organizationId: o, environment: e, fingerprint: f }) => ({ o, e, f })));

/** `OFFSET 0` keeps each fingerprint a look into an index, whatever the planner thinks of the table's size. */
const findOpen = {
  name: 'find open alerts',
  text: `SELECT a.id FROM json_to_recordset($1::json) AS k(o uuid, e text, f text), LATERAL (
     SELECT id FROM alerts_views.alerts WHERE organization_id = k.o AND environment = k.e AND fingerprint = k.f AND status <> 'resolved' OFFSET 0) AS a`,
};
const openIn = (source: 'alerts_views.alerts' | 'alerts.alerts'): string =>
  `SELECT ${storedAlertColumns} FROM ${source} WHERE id = ANY($1::uuid[]) AND status <> 'resolved' ORDER BY id`;
const readOpen = { name: 'read open alerts', text: openIn('alerts_views.alerts') };
/** Only the pipeline locks alerts: the table is its own. */
const lockOpen = { name: 'lock open alerts', text: `${openIn('alerts.alerts')} FOR UPDATE` };

/**
 * The open alerts of these fingerprints; with `lock`, locked against commands until the end of the transaction. Rows are
 * locked in the order of their ids, as bulk commands do, so that two transactions never wait for each other. One that a
 * command resolves before the lock is had is not open any more; only events open alerts, and a partition's events are all here.
 */
export async function openAlerts(
  tx: Tx,
  events: readonly Fingerprinted[],
  { lock }: { lock: boolean },
): Promise<OpenAlerts> {
  const ids = await tx.query<{ id: string }>(findOpen, [fingerprintsOf(events)]);
  const found: OpenAlerts = new Map();
  if (ids.length === 0) return found;
  for (const row of await tx.query<StoredAlert>(lock ? lockOpen : readOpen, [ids.map(({ id }) => id)]))
    settle(found, alertRecordOf(row));
  return found;
}
