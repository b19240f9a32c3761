/**
 * Merging, as a pure decision: the alerts of the sources move to the target, and the sources end. What follows from the
 * alerts is decided by `followAlerts`, as for alerts that join.
 */
import type { ActorRef } from '../alerts/alert-state.js';
import { severities, type Severity } from '../alerts/severity.js';
import { begun, handled, newPaging, plusSeconds, type Escalated } from '../paging/escalation.js';
import { urgencyOf } from '../paging/organization-settings.js';
import { noticeOfRequest, type Notice } from './incident-alerts.js';
import {
  changed,
  enter,
  isRise,
  isUrgentNow,
  type IncidentChanged,
  type IncidentContext,
  type IncidentState,
} from './incident-state.js';

/** Ids are public ids. */
export interface MergedIncident {
  id: string;
  clientId: string | null;
  state: IncidentState;
}

/** The id is that of the incident because of which it is refused. */
export type MergeRefusal = { reason: 'resolved' | 'itself' | 'otherClient' | 'mergedElsewhere'; id: string };

export type MergeDecision =
  | ({ kind: 'refused' } & MergeRefusal)
  /** All sources were merged into this target before. */
  | { kind: 'unchanged' }
  | {
      kind: 'merged';
      target: IncidentChanged;
      /** A member has set a source to a higher severity, which the target gets. */
      raised: IncidentChanged | null;
      notice: Notice | null;
      sources: { id: string; decision: IncidentChanged }[];
    };

/** The policy by which the target pages afterwards: its own, or when it pages nobody that of the first source. */
export const policyAfterMerge = (target: IncidentState, sources: readonly IncidentState[]): string | null =>
  target.paging ? target.policyId : (sources.find(isPaging)?.policyId ?? target.policyId);

const isPaging = ({ status, paging }: IncidentState): boolean => status !== 'resolved' && paging !== null;

/** `context` is that of `policyAfterMerge`. */
export function decideMerge(
  target: MergedIncident,
  sources: readonly MergedIncident[],
  at: string,
  by: ActorRef,
  context: IncidentContext,
): MergeDecision {
  const fresh = sources.filter(({ state }) => state.mergedInto !== target.id);
  const refusal = refusalOf(target, fresh);
  if (refusal) return { kind: 'refused', ...refusal };
  if (fresh.length === 0) return { kind: 'unchanged' };
  const states = fresh.map(({ state }) => state);
  const merged = changed(target.state, 'incident.merged', {
    alertCount: target.state.alertCount + sum(states, 'alertCount'),
    openAlertCount: target.state.openAlertCount + sum(states, 'openAlertCount'),
    ...adopted(target.state, states, at, context),
  });
  merged.changes.push({ field: 'mergedIncidentIds', before: null, after: fresh.map(({ id }) => id) });
  const raised = raisedBy(merged.incident, states, at, by, context);
  return {
    kind: 'merged',
    target: merged,
    raised,
    notice: raised && noticeOfRequest(merged.incident, raised.incident),
    sources: fresh.map(({ id, state }) => ({ id, decision: ended(state, target.id, at, by, context) })),
  };
}

function refusalOf(target: MergedIncident, sources: readonly MergedIncident[]): MergeRefusal | null {
  if (target.state.status === 'resolved') return { reason: 'resolved', id: target.id };
  for (const { id, clientId, state } of sources) {
    if (id === target.id) return { reason: 'itself', id };
    if (state.mergedInto !== null) return { reason: 'mergedElsewhere', id };
    if (state.status === 'resolved') return { reason: 'resolved', id };
    if (clientId !== target.clientId) return { reason: 'otherClient', id };
  }
  return null;
}

const sum = (states: readonly IncidentState[], field: 'alertCount' | 'openAlertCount'): number =>
  states.reduce((count, state) => count + state[field], 0);

const ended = (source: IncidentState, target: string, at: string, by: ActorRef, context: IncidentContext) =>
  changed(source, 'incident.resolved', {
    ...enter(source, 'resolved', at, by, context),
    alertCount: 0,
    openAlertCount: 0,
    mergedInto: target,
  });

/** An alert of a source has asked for somebody, but the target pages nobody. */
function adopted(
  target: IncidentState,
  sources: readonly IncidentState[],
  at: string,
  { ackTimeoutSeconds }: IncidentContext,
): Partial<IncidentState> {
  if (target.paging !== null || !sources.some(isPaging)) return {};
  const policyId = policyAfterMerge(target, sources);
  const paging: Escalated = { escalation: target.escalation, paging: newPaging };
  if (target.status === 'triggered') return { policyId, ...begun(paging, at) };
  const timeOut = ackTimeoutSeconds === null ? null : plusSeconds(at, ackTimeoutSeconds);
  return { policyId, ...handled(paging, target.snoozedUntil ?? timeOut) };
}

/** When the urgency rises, the target is triggered again, and its acknowledged alerts fire again. */
function raisedBy(
  target: IncidentState,
  sources: readonly IncidentState[],
  at: string,
  by: ActorRef,
  context: IncidentContext,
): IncidentChanged | null {
  const given = sources.filter(({ severityBy }) => severityBy === 'person').map(({ severity }) => severity);
  const severity: Severity | undefined = severities.find((one) => given.includes(one));
  if (severity === undefined || !isRise(target.severity, severity)) return null;
  const urgency = urgencyOf(severity, context.settings);
  const values: Partial<IncidentState> = { severity, severityBy: 'person', urgency };
  if (!target.paging || !isUrgentNow(target, severity, urgency)) return changed(target, 'incident.updated', values);
  const { paging, ...entered } = enter(target, 'triggered', at, by, context);
  return changed(target, 'incident.reopened', {
    ...values,
    ...entered,
    paging: paging ? { ...paging, refireAt: at } : null,
  });
}
