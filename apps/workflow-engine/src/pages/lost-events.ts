/** Events by which alerts ask for somebody and that were never decided: they were lost on the way to the engine. */
import { publicId, type Alert, type Cause } from '@ams/contracts';
import { alertFromRow, shownAlertColumns, type ShownAlertRow } from '@ams/alerting';
import type { Tx } from '@ams/database';
import { askingEvents, missingAmong, type ActorRef, type FieldChange } from '@ams/domain';
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

const askingTypes = askingEvents.map((type) => `'${type}'`).join(', ');

/** The entries of timelines as events, with the alerts as they are now. */
const storedEvents = `
  SELECT ${shownAlertColumns
    .split(', ')
    .map((name) => `a.${name}`)
    .join(', ')}, a.organization_id, a.environment, t.id AS event_id, t.type AS event_type, t.occurred_at, t.actor,
    t.cause, t.changes
  FROM alerts_views.alerts a JOIN alerts_views.timeline t ON t.alert_id = a.id
    AND t.organization_id = a.organization_id AND t.environment = a.environment
    AND t.type IN (${askingTypes})`;

/** How many entries of timelines a look compares at most. */
export interface LookSize {
  newest: number;
  older: number;
}

/** Half a second of work of the database. */
const usualSize: LookSize = { newest: 100_000, older: 50_000 };

/** Entries that were received in this time are the newest: each look compares them. */
const newestFor = `interval '10 minutes'`;
/** `workflows.considered` has at least those of this time. */
const dayBegins = `public.uuid_at(now() - interval '1 day')`;
/** `checkedTo`: of the last look, which may be long ago. */
const partFrom = (checkedTo: string): string => `greatest(${checkedTo}::uuid, ${dayBegins})`;

/**
 * The events of alerts that fire and that nothing was decided about. An event that asked already has a line in the
 * ledger. Every other one that was processed is in `workflows.considered`, which is kept for at least a day. One that
 * waits for its turn is not lost.
 *
 * The ids of entries are ordered by the time at which their events were received. A look compares the newest entries,
 * those that the last look has found, and a part of the others of the last day: one look after another goes over the
 * day, so a look costs the same however many alerts there are.
 */
export async function findLostEvents(
  tx: Tx,
  { seen, since, checkedTo, now }: Look,
  size: LookSize = usualSize,
): Promise<Found<StoredEventRow>> {
  const { newestFrom, olderTo } = await boundsOf(tx, checkedTo, size);
  const newest = await undecided(tx, since, 't.id >= $2', [newestFrom]);
  const older =
    olderTo === null ? [] : await undecided(tx, since, `t.id > ${partFrom('$2')} AND t.id <= $3`, [checkedTo, olderTo]);
  const again = await undecided(tx, since, 't.id = ANY($2::uuid[])', [Object.keys(seen)]);
  const rows = new Map([...newest, ...older, ...again].map((row) => [row.event_id, row]));
  const candidates = [...rows].map(([id, { occurred_at }]) => ({ id, since: occurred_at.toISOString() }));
  const found = missingAmong(candidates, seen, now);
  const missing = new Set(found.missing);
  return {
    missing: [...rows.values()].filter(({ event_id }) => missing.has(event_id)),
    seen: found.seen,
    // There may be more of them in this part.
    checkedTo: older.length === atOnce ? older.at(-1)!.event_id : olderTo,
  };
}

/** The first of the newest entries, and the last one of the part of the older ones; null at the end of the day. */
async function boundsOf(
  tx: Tx,
  checkedTo: string | null,
  { newest, older }: LookSize,
): Promise<{ newestFrom: string; olderTo: string | null }> {
  const [row] = await tx.query<{ newestFrom: string; olderTo: string | null }>(
    `WITH newest AS MATERIALIZED (
       SELECT coalesce((SELECT id FROM alerts_views.timeline WHERE id > public.uuid_at(now() - ${newestFor})
         ORDER BY id DESC OFFSET $2 LIMIT 1), public.uuid_at(now() - ${newestFor})) AS first)
     SELECT first AS "newestFrom", (
       SELECT id FROM (
         SELECT id FROM alerts_views.timeline
         WHERE id > ${partFrom('$1')} AND id < first ORDER BY id LIMIT $3) AS part
       ORDER BY id DESC LIMIT 1) AS "olderTo"
     FROM newest`,
    [checkedTo, newest, older],
  );
  if (!row) throw new Error('the database did not return the bounds of a look');
  return row;
}

/** `which` is a condition on `t.id`, whose parameters begin with $2. */
const undecided = (tx: Tx, since: Date, which: string, params: unknown[]): Promise<StoredEventRow[]> =>
  tx.query<StoredEventRow>(
    `WITH undecided AS MATERIALIZED (
       SELECT t.id AS entry FROM alerts_views.timeline t
       WHERE ${which} AND t.id > ${dayBegins} AND t.type IN (${askingTypes}) AND t.occurred_at > $1
         AND NOT EXISTS (SELECT FROM workflows.considered c WHERE c.event_id = t.id)
         AND NOT EXISTS (SELECT FROM workflows.page_requests r WHERE r.event_id = t.id)
         AND NOT EXISTS (SELECT FROM workflows.waiting_events w WHERE w.id = t.id))
     ${storedEvents} JOIN undecided u ON u.entry = t.id
     WHERE a.status = 'firing' ORDER BY t.id LIMIT ${atOnce}`,
    [since, ...params],
  );

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
