/** The first values of an incident that a person or a workflow opens. */
import { newUuid } from '@ams/contracts';
import { newPaging, noEscalation, urgencyOf, type IncidentState, type OrganizationSettings } from '@ams/domain';
import type { IncidentRecord } from './incident-record.js';

type Given = Pick<IncidentRecord, 'organizationId' | 'environment' | 'number' | 'clientId'> &
  Partial<Pick<IncidentRecord, 'workflowId' | 'groupKey' | 'openedBy'>> & {
    at: string;
    settings: Pick<OrganizationSettings, 'highUrgencySeverities'>;
    /** Whether its escalation begins at once. `policyId` is a public id; null: the catch-all policy. */
    page: { policyId: string | null } | null;
    state: Pick<IncidentState, 'severity' | 'severityBy' | 'title' | 'summary' | 'alertCount' | 'openAlertCount'> &
      Partial<Pick<IncidentState, 'assigneeIds' | 'autoResolve'>>;
  };

export const newIncident = ({
  at,
  state,
  settings,
  page,
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
    urgency: urgencyOf(state.severity, settings),
    policyId: page?.policyId ?? null,
    escalation: page ? { state: 'escalating', episode: 1, round: 1, level: 0, nextAt: at, told: [] } : noEscalation,
    paging: page && newPaging,
    snoozedUntil: null,
    dueAt: page && at,
    triggeredAt: at,
    acknowledgedAt: null,
    acknowledgedBy: null,
    resolvedAt: null,
    resolvedBy: null,
    mergedInto: null,
    version: 1,
  },
});
