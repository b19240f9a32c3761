/** A person asks for the next level now, as a pure decision. The caller tells the level that is then due. */
import type { ActorRef } from '../alerts/alert-state.js';
import { wasJustTold } from '../paging/escalation.js';
import { changed, enter, type IncidentChanged, type IncidentState } from './incident-state.js';

/**
 * `resolved`: it needs nobody. `pagesNobody`: it has no escalation. `paused`: none of its alerts fires. `exhausted`:
 * everybody was told.
 */
export type EscalateRefusal = 'resolved' | 'pagesNobody' | 'paused' | 'exhausted';

export type EscalateDecision =
  | IncidentChanged
  /** A level was told at this moment, by another request or because it was due. */
  | { kind: 'unchanged' }
  | { kind: 'refused'; reason: EscalateRefusal };

/**
 * The next level is due at once, in the present episode. An acknowledged incident is triggered: after
 * `incident.reopened` the caller lets its acknowledged alerts fire.
 */
export function decideEscalate(incident: IncidentState, at: string, by: ActorRef): EscalateDecision {
  const { status, escalation, paging } = incident;
  if (status === 'resolved') return { kind: 'refused', reason: 'resolved' };
  if (!paging) return { kind: 'refused', reason: 'pagesNobody' };
  if (status === 'triggered' && wasJustTold(paging, at)) return { kind: 'unchanged' };
  if (paging.stage === 'owners') return { kind: 'refused', reason: 'exhausted' };
  if (escalation.state === 'paused') return { kind: 'refused', reason: 'paused' };
  const due = {
    escalation: { ...escalation, state: 'escalating' as const, nextAt: at },
    paging: { ...paging, remainingMs: null, joined: null },
  };
  if (status === 'triggered') return changed(incident, 'incident.escalated', due);
  const entered = enter(incident, 'triggered', at, by, { ackTimeoutSeconds: null });
  return changed(incident, 'incident.reopened', { ...entered, ...due });
}
