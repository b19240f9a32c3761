/** Which answers of the API an event about a kind of record changes. */
import type { OperationId } from '../api/operation-types.js';

export interface Resource {
  /** The operation that answers one record; its rows and those of the lists are changed in place. */
  record?: OperationId;
  lists: readonly OperationId[];
  /** Operations about one record, with its id in the path, that are read again. */
  about: readonly OperationId[];
  /** Operations about many records that are read again: counts, who is on call. */
  summaries: readonly OperationId[];
}

export const resources: Readonly<Record<string, Resource>> = {
  alert: {
    record: 'getAlert',
    lists: ['listAlerts', 'listIncidentAlerts'],
    about: ['getAlertTimeline', 'explainAlert'],
    summaries: ['getAlertFacets'],
  },
  incident: {
    record: 'getIncident',
    lists: ['listIncidents'],
    about: ['getIncidentTimeline', 'listIncidentAlerts'],
    summaries: ['listPages', 'listNotifications', 'getIncidentFacets'],
  },
  schedule: { lists: [], about: ['getSchedule', 'getScheduleShifts'], summaries: ['getCurrentOnCall'] },
  suppression_window: {
    record: 'getSuppressionWindow',
    lists: ['listSuppressionWindows'],
    about: [],
    summaries: [],
  },
};
