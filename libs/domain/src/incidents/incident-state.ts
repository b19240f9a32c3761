/**
 * The state machine of incidents, as pure decisions. As for alerts, every decision that changes an incident increments
 * its version and is one entry of its timeline. A change of the status also changes the escalation.
 */
import type { ActorRef, FieldChange } from '../alerts/alert-state.js';
import { severities, type Severity } from '../alerts/severity.js';
import {
  begun,
  dueAt,
  handled,
  plusSeconds,
  stopped,
  type Escalated,
  type Escalation,
  type Paging,
} from '../paging/escalation.js';
import { urgencyOf, type OrganizationSettings, type Urgency } from '../paging/organization-settings.js';
import type { IncidentStatus } from './incident-status.js';

/** The part of an incident that decisions read and change. Times are RFC 3339 in UTC with milliseconds. */
export interface IncidentState {
  status: IncidentStatus;
  severity: Severity;
  /** `alerts`: the highest severity of its open alerts that are not suppressed. `person`: it was set by hand. */
  severityBy: 'alerts' | 'person';
  urgency: Urgency;
  title: string;
  summary: string | null;
  assigneeIds: string[];
  /** The escalation policy (a public id); null: the catch-all policy, or nobody is paged. */
  policyId: string | null;
  escalation: Escalation;
  paging: Paging | null;
  snoozedUntil: string | null;
  /** When the escalation or a snooze must be looked at again. */
  dueAt: string | null;
  /** Whether the incident resolves with its last open alert. */
  autoResolve: boolean;
  alertCount: number;
  openAlertCount: number;
  triggeredAt: string;
  acknowledgedAt: string | null;
  acknowledgedBy: ActorRef | null;
  resolvedAt: string | null;
  resolvedBy: ActorRef | null;
  /** The incident (a public id) that has its alerts now. It stays resolved. */
  mergedInto: string | null;
  version: number;
}

export type IncidentChangeType =
  | 'incident.created'
  | 'incident.acknowledged'
  | 'incident.resolved'
  | 'incident.reopened'
  | 'incident.updated'
  | 'incident.alertAdded'
  | 'incident.noted'
  /** Others were merged into it. */
  | 'incident.merged'
  /** Somebody has asked for the next level. */
  | 'incident.escalated'
  /** Somebody was told, or was to be told and could not be. */
  | 'incident.paged';

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
  /** Acknowledges the incident until this time. Null ends a snooze. */
  snoozedUntil?: string | null | undefined;
}

/** What the decisions need besides the incident. */
export interface IncidentContext {
  settings: Pick<OrganizationSettings, 'highUrgencySeverities' | 'flap'>;
  /** Of the incident's policy; null: an acknowledgement does not end by itself. */
  ackTimeoutSeconds: number | null;
}

const typeOf: Record<IncidentStatus, IncidentChangeType> = {
  acknowledged: 'incident.acknowledged',
  resolved: 'incident.resolved',
  triggered: 'incident.reopened',
};

/** The fields that belong to each status: a reopened incident has no resolver. */
const fieldsOf: Record<IncidentStatus, (at: string, by: ActorRef) => Partial<IncidentState>> = {
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

/** The escalation after the status has become `status`. A new episode begins with `triggered`. */
function escalatedBy(
  incident: IncidentState,
  status: IncidentStatus,
  at: string,
  { ackTimeoutSeconds }: Pick<IncidentContext, 'ackTimeoutSeconds'>,
): Escalated {
  switch (status) {
    case 'triggered':
      return begun(incident, at);
    case 'acknowledged':
      return handled(
        incident,
        incident.paging && ackTimeoutSeconds !== null ? plusSeconds(at, ackTimeoutSeconds) : null,
      );
    case 'resolved':
      return stopped(incident);
  }
}

/** The values of an incident whose status becomes `status`. A snooze ends with every change of the status. */
export const enter = (
  incident: IncidentState,
  status: IncidentStatus,
  at: string,
  by: ActorRef,
  context: Pick<IncidentContext, 'ackTimeoutSeconds'>,
): Partial<IncidentState> => ({
  status,
  ...fieldsOf[status](at, by),
  snoozedUntil: null,
  ...escalatedBy(incident, status, at, context),
});

const compared = [
  'status',
  'severity',
  'severityBy',
  'urgency',
  'title',
  'summary',
  'assigneeIds',
  'policyId',
  'snoozedUntil',
  'alertCount',
  'openAlertCount',
  'mergedInto',
] as const;

const differs = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);

/** The escalation as entries of the timeline show it. */
const shownEscalation = ({ escalation: { state, episode, round, level, nextAt } }: IncidentState) => ({
  state,
  episode,
  round,
  level,
  nextAt,
});

/** The next version of the incident. */
export function changed(
  before: IncidentState,
  type: IncidentChangeType,
  values: Partial<IncidentState>,
): IncidentChanged {
  const next = { ...before, ...values };
  const incident = { ...next, dueAt: dueAt(next), version: before.version + 1 };
  const changes: FieldChange[] = compared
    .filter((field) => differs(before[field], incident[field]))
    .map((field) => ({ field, before: before[field], after: incident[field] }));
  const [from, to] = [shownEscalation(before), shownEscalation(incident)];
  if (differs(from, to)) changes.push({ field: 'escalation', before: from, after: to });
  return { kind: 'changed', type, incident, changes };
}

/** Whether `to` is more severe. */
export const isRise = (from: Severity, to: Severity): boolean => severities.indexOf(to) < severities.indexOf(from);

/**
 * If the incident already has the status, nothing changes and the first actor stays, unless that is the sender. A note
 * alone is one timeline entry. When the urgency rises from low to high, the incident is triggered again. After
 * `incident.reopened` the caller lets the acknowledged alerts fire, and then asks `followAlerts`.
 */
export function decideIncident(
  incident: IncidentState,
  request: IncidentRequest,
  note: string | null,
  at: string,
  by: ActorRef,
  context: IncidentContext,
): IncidentDecision {
  const wanted = wantedStatus(incident, request);
  const to = wanted === undefined || wanted === incident.status ? null : wanted;
  const allowed = incident.mergedInto === null ? incidentTransitions[incident.status] : [];
  if (to && !allowed.includes(to)) return { kind: 'refused', from: incident.status, to, allowed };
  const {
    severity = incident.severity,
    title = incident.title,
    summary = incident.summary,
    assigneeIds = incident.assigneeIds,
  } = request;
  const urgency = urgencyOf(severity, context.settings);
  // Whoever asks for a status has decided: a rise in the same request does not overrule it.
  const isFree = wanted === undefined ? incident.status !== 'resolved' : wanted === 'triggered';
  const status = isFree && isUrgentNow(incident, severity, urgency) ? 'triggered' : to;
  const takesOver = wanted === 'acknowledged' && isOnlyOfSender(incident) && by.type !== 'integration';
  const entered = status ?? (takesOver ? 'acknowledged' : null);
  const decision = changed(incident, entered ? typeOf[entered] : 'incident.updated', {
    severity,
    severityBy: request.severity !== undefined && by.type === 'user' ? 'person' : incident.severityBy,
    urgency,
    title,
    summary,
    assigneeIds,
    ...(entered ? enter(incident, entered, at, by, context) : {}),
    ...(wanted === 'acknowledged' ? snoozed(incident, request, at, context) : {}),
  });
  if (takesOver) decision.changes.push({ field: 'acknowledgedBy', before: incident.acknowledgedBy, after: by });
  if (decision.changes.length > 0) return decision;
  return note === null ? { kind: 'unchanged' } : { ...decision, type: 'incident.noted' };
}

/** No person knows of such an acknowledgement. */
export const isOnlyOfSender = ({ status, acknowledgedBy }: IncidentState): boolean =>
  status === 'acknowledged' && acknowledgedBy?.type === 'integration';

/** Whether the urgency rises with the severity. A change of the settings alone is no rise. */
export const isUrgentNow = (before: IncidentState, severity: Severity, urgency: Urgency): boolean =>
  urgency === 'high' && before.urgency === 'low' && isRise(before.severity, severity);

/** A snooze acknowledges the incident, and its end triggers it. A status that is asked for takes precedence. */
function wantedStatus(incident: IncidentState, { status, snoozedUntil }: IncidentRequest): IncidentStatus | undefined {
  if (snoozedUntil === undefined || status !== undefined) return status;
  if (snoozedUntil !== null) return 'acknowledged';
  return incident.snoozedUntil === null ? undefined : 'triggered';
}

/** For an incident that is or becomes acknowledged. Alerts that joined and were not told yet are still to be told. */
function snoozed(
  incident: IncidentState,
  { snoozedUntil }: IncidentRequest,
  at: string,
  context: IncidentContext,
): Partial<IncidentState> {
  if (snoozedUntil) return { snoozedUntil, escalation: handled(incident, snoozedUntil).escalation };
  // The snooze ends, and the incident stays acknowledged.
  return snoozedUntil === null && incident.snoozedUntil !== null
    ? { snoozedUntil, escalation: escalatedBy(incident, 'acknowledged', at, context).escalation }
    : {};
}

/**
 * Alerts were added to an incident (`open` of them not resolved), or moved to another one. What follows from the states
 * of the alerts is decided by `followAlerts`.
 */
export function decideAlerts(
  incident: IncidentState,
  {
    added = 0,
    open = 0,
    moved = 0,
    movedOpen = 0,
  }: { added?: number; open?: number; moved?: number; movedOpen?: number },
): IncidentChanged {
  return changed(incident, added > 0 ? 'incident.alertAdded' : 'incident.updated', {
    alertCount: incident.alertCount + added - moved,
    openAlertCount: incident.openAlertCount + open - movedOpen,
  });
}
