/**
 * What an incident would be if nothing of its escalation had been lost, as a pure decision. The decisions never leave an
 * incident that needs it: the net under the escalations asks, and a property checks it.
 */
import { begun, dueAt, resumed } from '../paging/escalation.js';
import { changed, type IncidentChanged, type IncidentState } from './incident-state.js';

/** `decision` is null when only the time of its next step was lost. */
export interface Mended {
  incident: IncidentState;
  decision: IncidentChanged | null;
}

/** Null: nothing is lost. An incident that fires escalates, or everybody was told. */
export function mended(incident: IncidentState, firing: number, at: string): Mended | null {
  const { status, escalation, paging } = incident;
  const runs = escalation.state === 'exhausted' || (escalation.state === 'escalating' && escalation.nextAt !== null);
  if (status === 'triggered' && paging !== null && firing > 0 && !runs) {
    const again = escalation.state === 'paused' ? resumed(incident, at) : begun(incident, at);
    const decision = changed(incident, 'incident.updated', again);
    return { incident: decision.incident, decision };
  }
  const due = dueAt(incident);
  return due === incident.dueAt ? null : { incident: { ...incident, dueAt: due }, decision: null };
}
