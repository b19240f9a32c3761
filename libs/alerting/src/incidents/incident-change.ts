/** A change of an incident, its domain event, and how an incident counts its resolved alerts. */
import { newUuid, publicId, type Actor, type IncidentEvent } from '@ams/contracts';
import { decideAlerts, type AlertState, type IncidentChangeType, type IncidentState } from '@ams/domain';
import type { AlertChange } from '../alerts/alert-change.js';
import type { AlertRecord } from '../alerts/alert-record.js';
import { incidentOfRecord, type IncidentRecord } from './incident-record.js';

/** What changed, who changed it, and why. */
export interface IncidentChange extends Omit<AlertChange, 'type' | 'actor'> {
  type: IncidentChangeType;
  actor: Actor;
}

/** The domain event of a change that `record` already contains. */
export function incidentEventOf(
  record: IncidentRecord,
  { type, at, actor, cause, changes, depth = 0 }: IncidentChange,
  id = newUuid(),
): IncidentEvent {
  const { organizationId, environment } = record;
  return {
    id: publicId('timelineEntry', id),
    organizationId,
    environment,
    type,
    occurredAt: at,
    actor,
    cause,
    changes,
    incident: incidentOfRecord(record),
    depth,
  };
}

/** An alert of an incident that was resolved. Ids are UUIDs. */
export interface ResolvedAlert {
  incidentId: string;
  alertId: string;
  actor: Actor;
  at: string;
  depth: number;
}

/** Not null when the alert belongs to an incident and the change to `next` resolves it. */
export const resolvedAlertOf = (
  record: AlertRecord,
  next: AlertState,
  { actor, at, depth = 0 }: AlertChange,
): ResolvedAlert | null =>
  next.status === 'resolved' && record.state.status !== 'resolved' && record.incidentId
    ? { incidentId: record.incidentId, alertId: record.id, actor, at, depth }
    : null;

/** The ids of the incidents that `countResolvedAlerts` needs. */
export const incidentIdsOf = (resolved: readonly ResolvedAlert[]): string[] =>
  [...new Set(resolved.map(({ incidentId }) => incidentId))].sort();

/** Subtracts resolved alerts from the open alerts of their incidents. An incident may resolve with its last alert. */
export function countResolvedAlerts(
  incidents: readonly IncidentRecord[],
  resolved: readonly ResolvedAlert[],
  changeIncident: (record: IncidentRecord, next: IncidentState, change: IncidentChange) => void,
): void {
  for (const record of incidents) {
    const own = resolved.filter(({ incidentId }) => incidentId === record.id);
    const last = own.at(-1);
    if (!last) continue;
    const { actor, at, depth } = last;
    const { type, changes, incident } = decideAlerts(record.state, { resolved: own.length }, at, actor);
    const cause = { type: 'alert' as const, id: publicId('alert', last.alertId) };
    changeIncident(record, incident, { type, changes, actor, cause, at, depth });
  }
}
