/** What happened, for whoever wants to know: workflows, live updates, the audit log. */
import type { Alert, Cause, TimelineType } from '../nouns/alerts.js';
import type { Change } from '../nouns/common.js';
import type { Incident, IncidentTimelineType } from '../nouns/incidents.js';
import type { Actor, Tenant } from '../principal.js';

/**
 * Changes of alerts, in the order in which they were committed. One message holds the events of one flush, oldest
 * first; each event has the id of its timeline entry, which a consumer that must not act twice keeps.
 */
export const alertEventsStream = 'ALERT_EVENTS';
export const alertEventsSubject = (partition: number): string => `evt.alert.${partition}`;
export const alertEventsSubjects = 'evt.alert.*';
/** Incidents are told of in the same stream, so that a reader of both keeps one position. */
export const incidentEventsSubject = 'evt.incident';

export interface AlertEvent extends Tenant {
  id: string;
  type: Exclude<TimelineType, 'alert.occurred' | 'alert.suppressionChanged'>;
  occurredAt: string;
  actor: Actor;
  cause: Cause;
  changes: Change[];
  alert: Alert;
  /** How many workflows caused each other up to here; 0 for what a sender or a person did. */
  depth: number;
}

export interface IncidentEvent extends Tenant {
  id: string;
  type: IncidentTimelineType;
  occurredAt: string;
  actor: Actor;
  cause: Cause;
  changes: Change[];
  incident: Incident;
  /** As with alerts. */
  depth: number;
}

/** Audit entries on their way to the log, which `auth` keeps. */
export const auditStream = 'AUDIT';
export const auditSubject = 'evt.audit';

export interface AuditRecord extends Tenant {
  /** UUIDv7: an entry that comes twice is one entry. */
  id: string;
  type: string;
  occurredAt: string;
  actor: Actor;
  ip: string | null;
  userAgent: string | null;
  requestId: string | null;
  resource: { type: string; id: string | null } | null;
  changes: Change[];
}
