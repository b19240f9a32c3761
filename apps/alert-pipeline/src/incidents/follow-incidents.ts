/** Decides about the incidents of alerts that a transaction has changed. Their rows are locked already. */
import {
  followIncident,
  pagingReads,
  severityOfRank,
  type IncidentRecord,
  type IncidentTouch,
  type PagingReads,
  type Queries,
} from '@ams/alerting';
import type { Tx } from '@ams/database';
import type { ActorRef, AlertsOfIncident } from '@ams/domain';
import { activeSpan, within } from '@ams/tracing';
import { IncidentChanges, lockIncidentsOf } from './incident-changes.js';

/**
 * Locks the incidents before rows of counts are written, as in every transaction. Repeated occurrences only matter when
 * their incident is resolved, so they lock no other incident.
 */
export async function lockTouched(
  tx: Tx,
  touches: readonly IncidentTouch[],
  tenants: readonly Pick<IncidentRecord, 'organizationId' | 'environment'>[],
): Promise<IncidentRecord[]> {
  if (touches.length === 0) return [];
  const idsOf = (some: readonly IncidentTouch[]): string[] => some.map(({ incidentId }) => incidentId);
  const repeats = idsOf(touches.filter(({ onlyRepeats }) => onlyRepeats));
  const organizations = [...new Set(tenants.map(({ organizationId }) => organizationId))];
  const resolved =
    repeats.length === 0
      ? []
      : await tx.query<{ id: string }>(
          `SELECT id FROM alerts.incidents
           WHERE id = ANY($1::uuid[]) AND organization_id = ANY($2::uuid[]) AND status = 'resolved'`,
          [repeats, organizations],
        );
  const ids = [...idsOf(touches.filter(({ onlyRepeats }) => !onlyRepeats)), ...resolved.map(({ id }) => id)];
  return lockIncidentsOf(tx, ids.sort(), tenants);
}

/** A restricted key does not see all policies, but its incidents page as those of others. */
export const pagingReadsOf = (tx: Tx): PagingReads =>
  pagingReads({
    query: (...statement: Parameters<Tx['query']>) => tx.beyondNarrowing(() => tx.query(...statement)),
  } as Queries);

/** To be called when the changed alerts are written. */
export async function followIncidents(
  tx: Tx,
  incidents: readonly IncidentRecord[],
  touches: readonly IncidentTouch[],
): Promise<void> {
  if (incidents.length === 0) return;
  const changes = new IncidentChanges();
  const reads = pagingReadsOf(tx);
  const summaries = await summariesOf(tx, incidents);
  const now = new Date().toISOString();
  for (const incident of incidents) {
    const touch = touches.find(({ incidentId }) => incidentId === incident.id);
    if (!touch) continue;
    const alerts = summaries.get(incident.id) ?? noAlerts;
    const flaps =
      alerts.open > 0 ? 0 : await flapsOf(tx, incident, (await reads.settings(incident)).flap.windowSeconds);
    const at = [now, touch.at, incident.updatedAt].sort().at(-1) as string;
    await within(touch.span, () => followIncident(changes.effects, reads, incident, { ...alerts, flaps }, touch, at));
  }
  await changes.write(tx);
}

/**
 * Decides about an incident that was changed itself, after its alerts. What is due is told last: the states of the
 * alerts may pause the escalation.
 */
export async function followAgain(
  tx: Tx,
  { id, ...record }: IncidentRecord,
  actor: ActorRef,
  at: string,
  { keepsSeverity = true }: { keepsSeverity?: boolean } = {},
): Promise<void> {
  const incidents = await lockIncidentsOf(tx, [id], [record]);
  const nothing = {
    joined: 0,
    fired: 0,
    repeated: 0,
    resolved: 0,
    handedBack: false,
    depth: 0,
    onlyRepeats: false,
    keepsSeverity,
  };
  await followIncidents(tx, incidents, [{ ...nothing, incidentId: id, alertId: id, actor, at, span: activeSpan() }]);
}

const noAlerts: AlertsOfIncident = {
  open: 0,
  firing: 0,
  acknowledged: 0,
  highest: null,
  lastAcknowledged: null,
  flaps: 0,
};

interface SummaryRow {
  id: string;
  open: number;
  firing: number;
  acknowledged: number;
  highest: number | null;
  acknowledgedAt: Date | null;
  acknowledgedBy: ActorRef | null;
}

async function summariesOf(tx: Tx, incidents: readonly IncidentRecord[]): Promise<Map<string, AlertsOfIncident>> {
  const rows = await tx.query<SummaryRow>(
    `SELECT incident_id AS id, count(*)::int AS open, count(*) FILTER (WHERE status = 'firing')::int AS firing,
       count(*) FILTER (WHERE status = 'acknowledged')::int AS acknowledged,
       max(severity) FILTER (WHERE status <> 'suppressed') AS highest,
       (array_agg(acknowledged_at ORDER BY acknowledged_at DESC) FILTER (WHERE status = 'acknowledged'))[1]
         AS "acknowledgedAt",
       (array_agg(acknowledged_by ORDER BY acknowledged_at DESC) FILTER (WHERE status = 'acknowledged'))[1]
         AS "acknowledgedBy"
     FROM alerts.alerts
     WHERE incident_id = ANY($1::uuid[]) AND organization_id = ANY($2::uuid[]) AND status <> 'resolved'
     GROUP BY incident_id`,
    [incidents.map(({ id }) => id), [...new Set(incidents.map(({ organizationId }) => organizationId))]],
  );
  return new Map(
    rows.map(({ id, open, firing, acknowledged, highest, acknowledgedAt, acknowledgedBy }) => [
      id,
      {
        open,
        firing,
        acknowledged,
        highest: highest === null ? null : severityOfRank(highest),
        lastAcknowledged:
          acknowledgedAt && acknowledgedBy ? { at: acknowledgedAt.toISOString(), by: acknowledgedBy } : null,
        flaps: 0,
      },
    ]),
  );
}

/** How often the alert of the incident that flaps most was resolved in the last `windowSeconds`. */
async function flapsOf(
  tx: Tx,
  { id, organizationId, environment, state }: IncidentRecord,
  windowSeconds: number,
): Promise<number> {
  if (!state.autoResolve || state.paging === null) return 0;
  const [row] = await tx.query<{ flaps: number }>(
    `SELECT count(*)::int AS flaps FROM alerts.alerts
     WHERE incident_id = $1 AND organization_id = $2 AND environment = $3
       AND resolved_at > clock_timestamp() - $4::int * interval '1 s'
     GROUP BY fingerprint ORDER BY 1 DESC LIMIT 1`,
    [id, organizationId, environment, windowSeconds],
  );
  return row?.flaps ?? 0;
}
