/** Domain events, for workflows, live updates and the audit log. */
import type { Alert, Cause, TimelineType } from '../nouns/alerts.js';
import type { Change } from '../nouns/common.js';
import type { Incident, IncidentTimelineType } from '../nouns/incidents.js';
import type { Actor, Tenant } from '../principal.js';

/**
 * Changes of alerts in commit order. One message has the events that the relay publishes together, oldest first. Each
 * event has the id of its timeline entry, which consumers store to detect duplicates.
 */
export const alertEventsStream = 'ALERT_EVENTS';
export const alertEventsSubject = (partition: number): string => `evt.alert.${partition}`;
export const alertEventsSubjects = 'evt.alert.*';
/** Changes of incidents. They are in the same stream, so that a reader of both needs one position. */
export const incidentEventsSubject = 'evt.incident';

export interface AlertEvent extends Tenant {
  id: string;
  type: Exclude<TimelineType, 'alert.occurred' | 'alert.suppressionChanged' | 'alert.noted'>;
  occurredAt: string;
  actor: Actor;
  cause: Cause;
  changes: Change[];
  alert: Alert;
  /** The number of workflows that triggered each other before; 0 for changes by a sender or a person. */
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
  /** As for alerts. */
  depth: number;
  /** The page (UUID) that an event `incident.paged` is about. */
  pageId?: string | undefined;
}

/** Audit entries on their way to the audit log, which `auth` writes. */
export const auditStream = 'AUDIT';
export const auditSubject = 'evt.audit';

export interface AuditRecord extends Tenant {
  /** UUIDv7. Duplicate messages with the same id give one entry. */
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
