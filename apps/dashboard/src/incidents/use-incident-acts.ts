/** Merge and escalate. Neither can be taken back, so the answer of the API is waited for. */
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../api/call.js';
import { invalidate } from '../api/queries.js';
import { texts } from '../texts/texts.js';
import { notifyDone, notifyFailed } from '../ui/notify.js';
import { changedByIncidents, type Incident } from './use-update-incident.js';

/** Each resolves to whether it was done; what went wrong is shown by a message. */
export interface IncidentActs {
  merge: (incident: Incident, incidentIds: string[], note: string) => Promise<boolean>;
  escalate: (incident: Incident, note: string) => Promise<boolean>;
}

export function useIncidentActs(): IncidentActs {
  const queries = useQueryClient();
  const act = async ({ number }: Incident, done: string, send: () => Promise<unknown>): Promise<boolean> => {
    try {
      await send();
      notifyDone(done);
      return true;
    } catch (error) {
      notifyFailed(texts.incidents.failed(number), error);
      return false;
    } finally {
      void invalidate(queries, ['getIncident', 'listIncidents', ...changedByIncidents]);
    }
  };
  const withNote = (note: string): { note?: string } => (note.trim() === '' ? {} : { note: note.trim() });
  return {
    merge: (incident, incidentIds, note) =>
      act(incident, texts.incidents.merged(incident.number), () =>
        call('mergeIncidents', { path: { id: incident.id }, body: { incidentIds, ...withNote(note) } }),
      ),
    escalate: (incident, note) =>
      act(incident, texts.incidents.escalated(incident.number), () =>
        call('escalateIncident', { path: { id: incident.id }, body: withNote(note) }),
      ),
  };
}
