/**
 * The state machine of incidents, as pure decisions. As for alerts, every decision that changes an incident increments
 * its version and is one entry of its timeline.
 */
import type { ActorRef, FieldChange } from '../alerts/alert-state.js';
import type { IncidentStatus } from './incident-status.js';
import type { Severity } from '../alerts/severity.js';

/** The part of an incident that decisions read and change. Times are RFC 3339 in UTC with milliseconds. */
export interface IncidentState {
  status: IncidentStatus;
  severity: Severity;
  title: string;
  summary: string | null;
  assigneeIds: string[];
  /** Whether the incident resolves with its last open alert. */
  autoResolve: boolean;
  alertCount: number;
  openAlertCount: number;
  triggeredAt: string;
  acknowledgedAt: string | null;
  acknowledgedBy: ActorRef | null;
  resolvedAt: string | null;
  resolvedBy: ActorRef | null;
  version: number;
}

export type IncidentChangeType =
  | 'incident.created'
  | 'incident.acknowledged'
  | 'incident.resolved'
  | 'incident.reopened'
  | 'incident.updated'
  | 'incident.alertAdded'
  | 'incident.noted';

/** The allowed transitions. */
export const incidentTransitions: Readonly<Record<IncidentStatus, readonly IncidentStatus[]>> = {
  triggered: ['acknowledged', 'resolved'],
  acknowledged: ['triggered', 'resolved'],
  resolved: ['triggered'],
};

export interface IncidentChanged {
  kind: 'changed';
  type: IncidentChangeType;
  incident: IncidentState;
  changes: FieldChange[];
}

export type IncidentDecision =
  | IncidentChanged
  | { kind: 'unchanged' }
  | { kind: 'refused'; from: IncidentStatus; to: IncidentStatus; allowed: readonly IncidentStatus[] };

/** Requested changes of an incident; fields that are left out stay unchanged. */
export interface IncidentRequest {
  status?: IncidentStatus | undefined;
  severity?: Severity | undefined;
  title?: string | undefined;
  summary?: string | null | undefined;
  assigneeIds?: string[] | undefined;
}

const typeOf: Record<IncidentStatus, IncidentChangeType> = {
  acknowledged: 'incident.acknowledged',
  resolved: 'incident.resolved',
  triggered: 'incident.reopened',
};

/** The fields that belong to each status: a reopened incident has no resolver. */
const enter: Record<IncidentStatus, (at: string, by: ActorRef) => Partial<IncidentState>> = {
  triggered: (at) => ({
    triggeredAt: at,
    acknowledgedAt: null,
    acknowledgedBy: null,
    resolvedAt: null,
    resolvedBy: null,
  }),
  acknowledged: (at, by) => ({ acknowledgedAt: at, acknowledgedBy: by }),
  resolved: (at, by) => ({ resolvedAt: at, resolvedBy: by }),
};

const compared = ['status', 'severity', 'title', 'summary', 'assigneeIds', 'alertCount', 'openAlertCount'] as const;

const differs = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) && Array.isArray(b) ? a.length !== b.length || a.some((item, i) => item !== b[i]) : a !== b;

function changed(before: IncidentState, type: IncidentChangeType, values: Partial<IncidentState>): IncidentChanged {
  const incident = { ...before, ...values, version: before.version + 1 };
  const changes = compared
    .filter((field) => differs(before[field], incident[field]))
    .map((field) => ({ field, before: before[field], after: incident[field] }));
  return { kind: 'changed', type, incident, changes };
}

/**
 * If the incident already has the status, nothing changes and the first actor stays. A note alone is one timeline
 * entry.
 */
export function decideIncident(
  incident: IncidentState,
  request: IncidentRequest,
  note: string | null,
  at: string,
  by: ActorRef,
): IncidentDecision {
  const to = request.status === undefined || request.status === incident.status ? null : request.status;
  if (to && !incidentTransitions[incident.status].includes(to))
    return { kind: 'refused', from: incident.status, to, allowed: incidentTransitions[incident.status] };
  const {
    severity = incident.severity,
    title = incident.title,
    summary = incident.summary,
    assigneeIds = incident.assigneeIds,
  } = request;
  const decision = changed(incident, to ? typeOf[to] : 'incident.updated', {
    severity,
    title,
    summary,
    assigneeIds,
    ...(to ? { status: to, ...enter[to](at, by) } : {}),
  });
  if (decision.changes.length > 0) return decision;
  return note === null ? { kind: 'unchanged' } : { ...decision, type: 'incident.noted' };
}

/**
 * The effect of changes of its alerts on an incident: some were added (`open` of them not resolved), some were
 * resolved, or some moved to another incident. If it was opened with `autoResolve`, it resolves with its last open
 * alert.
 */
export function decideAlerts(
  incident: IncidentState,
  alerts: { added?: number; open?: number; resolved?: number; moved?: number; movedOpen?: number },
  at: string,
  by: ActorRef,
): IncidentChanged {
  const { added = 0, open = 0, resolved = 0, moved = 0, movedOpen = 0 } = alerts;
  const counts = {
    alertCount: incident.alertCount + added - moved,
    openAlertCount: incident.openAlertCount + open - resolved - movedOpen,
  };
  const isOver = incident.autoResolve && counts.openAlertCount === 0 && resolved > 0 && incident.status !== 'resolved';
  if (isOver)
    return changed(incident, 'incident.resolved', { ...counts, status: 'resolved', ...enter.resolved(at, by) });
  return changed(incident, added > 0 ? 'incident.alertAdded' : 'incident.updated', counts);
}
