/** The first values of an incident that a person or a workflow opens. */
import { newUuid } from '@ams/contracts';
import type { IncidentState } from '@ams/domain';
import type { IncidentRecord } from './incident-record.js';

type Given = Pick<IncidentRecord, 'organizationId' | 'environment' | 'number' | 'clientId'> &
  Partial<Pick<IncidentRecord, 'workflowId' | 'groupKey' | 'openedBy'>> & {
    at: string;
    state: Pick<IncidentState, 'severity' | 'title' | 'summary' | 'alertCount' | 'openAlertCount'> &
      Partial<Pick<IncidentState, 'assigneeIds' | 'autoResolve'>>;
  };

export const newIncident = ({
  at,
  state,
  workflowId = null,
  groupKey = null,
  openedBy = null,
  ...given
}: Given): IncidentRecord => ({
  id: newUuid(Date.parse(at)),
  ...given,
  workflowId,
  groupKey,
  openedBy,
  lastAlertAt: state.alertCount > 0 ? at : null,
  createdAt: at,
  updatedAt: at,
  state: {
    status: 'triggered',
    assigneeIds: [],
    autoResolve: false,
    ...state,
    triggeredAt: at,
    acknowledgedAt: null,
    acknowledgedBy: null,
    resolvedAt: null,
    resolvedBy: null,
    version: 1,
  },
});
