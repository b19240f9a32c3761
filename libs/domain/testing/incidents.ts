/** Incidents, and what happens to their alerts, with the values that a test does not name. */
import {
  defaultOrganizationSettings,
  newPaging,
  noEscalation,
  type ActorRef,
  type AlertsHappened,
  type AlertsOfIncident,
  type Escalation,
  type IncidentContext,
  type IncidentState,
  type Paging,
} from '../src/index.js';

export const kim: ActorRef = { type: 'user', id: 'usr_1', name: 'Kim' };
export const lee: ActorRef = { type: 'user', id: 'usr_2', name: 'Lee' };
export const sender: ActorRef = { type: 'integration', id: 'int_1', name: 'Probe' };
export const clock: ActorRef = { type: 'service', id: null, name: 'escalation' };

export const minutes = (count: number): string => new Date(Date.UTC(2026, 0, 1) + count * 60_000).toISOString();

export const context: IncidentContext = { settings: defaultOrganizationSettings, ackTimeoutSeconds: null };

/** Its second level was told at minute 0 and its third one is due at minute 10. */
export const paging = (escalation: Partial<Escalation> = {}, more: Partial<Paging> = {}) => ({
  escalation: {
    state: 'escalating' as const,
    episode: 1,
    round: 1,
    level: 2,
    nextAt: minutes(10),
    told: [{ userId: 'usr_1', at: minutes(0), notificationId: 'ntf_1' }],
    ...escalation,
  },
  paging: { ...newPaging, ...more },
});

/** It is triggered, has two alerts, which fire, and pages nobody. */
export const incidentWith = (values: Partial<IncidentState> = {}): IncidentState => ({
  status: 'triggered',
  severity: 'high',
  severityBy: 'alerts',
  urgency: 'high',
  title: 'Checkout is slow',
  summary: null,
  assigneeIds: [],
  policyId: null,
  escalation: noEscalation,
  paging: null,
  snoozedUntil: null,
  dueAt: null,
  autoResolve: true,
  alertCount: 2,
  openAlertCount: 2,
  triggeredAt: minutes(0),
  acknowledgedAt: null,
  acknowledgedBy: null,
  resolvedAt: null,
  resolvedBy: null,
  mergedInto: null,
  version: 1,
  ...values,
});

export const pagingIncident = (values: Partial<IncidentState> = {}): IncidentState =>
  incidentWith({ policyId: 'pol_1', dueAt: minutes(10), ...paging(), ...values });

/** Kim has acknowledged it at minute 1. */
export const acknowledgedIncident = (values: Partial<IncidentState> = {}): IncidentState =>
  pagingIncident({
    status: 'acknowledged',
    acknowledgedAt: minutes(1),
    acknowledgedBy: kim,
    dueAt: null,
    ...paging({ state: 'waiting', nextAt: null }),
    ...values,
  });

export const resolvedIncident = (values: Partial<IncidentState> = {}): IncidentState =>
  pagingIncident({
    status: 'resolved',
    resolvedAt: minutes(1),
    resolvedBy: kim,
    dueAt: null,
    ...paging({ state: 'stopped', nextAt: null }),
    ...values,
  });

/** Without values: two open alerts, which fire. */
export const alertsWith = ({
  firing = 2,
  acknowledged = 0,
  suppressed = 0,
  ...more
}: {
  firing?: number;
  acknowledged?: number;
  suppressed?: number;
} & Partial<AlertsOfIncident> = {}): AlertsOfIncident => ({
  open: firing + acknowledged + suppressed,
  firing,
  acknowledged,
  highest: firing + acknowledged > 0 ? 'high' : null,
  lastAcknowledged: acknowledged > 0 ? { at: minutes(4), by: lee } : null,
  flaps: 0,
  ...more,
});

/** At minute 5. */
export const happened = (values: Partial<AlertsHappened> = {}): AlertsHappened => ({
  joined: 0,
  fired: 0,
  resolved: 0,
  at: minutes(5),
  by: sender,
  ...values,
});
