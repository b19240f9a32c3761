/** Domain events, for workflows, live updates and the audit log. */
import type { EntrySignature } from '@ams/domain';
import { publicId } from '../id.js';
import type { Alert, Cause, TimelineType } from '../nouns/alerts.js';
import type { AuditEntry } from '../nouns/audit-log.js';
import type { Change } from '../nouns/common.js';
import type { Incident, IncidentTimelineType } from '../nouns/incidents.js';
import type { Actor, Tenant } from '../principal.js';
import type { TraceContext } from './trace-context.js';

/**
 * Changes of alerts in commit order. One message has the events that the relay publishes together, oldest first. Each
 * event has the id of its timeline entry, which consumers store to detect duplicates.
 */
export const alertEventsStream = 'ALERT_EVENTS';
export const alertEventsSubject = (partition: number): string => `evt.alert.${partition}`;
export const alertEventsSubjects = 'evt.alert.*';
/** Changes of incidents. They are in the same stream, so that a reader of both needs one position. */
export const incidentEventsSubject = 'evt.incident';

/** Hand-offs of schedules and ends of suppression windows, in the same stream. */
export const scheduleEventsSubject = 'evt.schedule';
export const suppressionEventsSubject = 'evt.suppression';

export interface AlertEvent extends Tenant, TraceContext {
  id: string;
  type: Exclude<TimelineType, 'alert.occurred' | 'alert.suppressionChanged'>;
  occurredAt: string;
  actor: Actor;
  cause: Cause;
  changes: Change[];
  alert: Alert;
  /** The number of workflows that triggered each other before; 0 for changes by a sender or a person. */
  depth: number;
  /** The UUID of the event that began this chain of workflows. Absent: this event. */
  rootEventId?: string | undefined;
}

export interface IncidentEvent extends Tenant, TraceContext {
  id: string;
  type: IncidentTimelineType;
  occurredAt: string;
  actor: Actor;
  cause: Cause;
  changes: Change[];
  incident: Incident;
  /** As for alerts. */
  depth: number;
  rootEventId?: string | undefined;
  /** The page (UUID) that an event `incident.paged` is about. */
  pageId?: string | undefined;
}

/** What an event of a schedule or a suppression window has in common with others. It has no timeline. */
interface RecordEvent extends Tenant, TraceContext {
  /** The form of a timeline entry, so that all events are detected as duplicates in the same way. */
  id: string;
  occurredAt: string;
  depth: number;
}

/** A member, as events show one. */
export interface EventMember {
  id: string;
  name: string;
  email: string;
}

/** Who is on call in a schedule has changed. */
export interface HandOff {
  id: string;
  name: string;
  teamId: string | null;
  timezone: string;
  /** Everybody who was on call, and who is. */
  from: EventMember[];
  to: EventMember[];
  /** That of the first member who is on call now; null in a gap, and `layer` for an override. */
  source: 'layer' | 'override' | null;
  layer: { id: string; name: string } | null;
  /** Since when exactly these members are on call, and until when; null when that is not known. */
  startsAt: string | null;
  endsAt: string | null;
  /** Counts the hand-offs of the schedule. */
  version: number;
}

export interface ScheduleEvent extends RecordEvent {
  type: 'schedule.handoff';
  schedule: HandOff;
}

/** A suppression window ends soon. */
export interface ExpiringWindow {
  id: string;
  name: string;
  reason: string | null;
  teamId: string | null;
  clientIds: string[];
  /** The end of the present occurrence. */
  endsAt: string;
  /** Counts the ends of the window that were told. */
  version: number;
}

export interface SuppressionEvent extends RecordEvent {
  type: 'suppression.expiring';
  suppression: ExpiringWindow;
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
  /** Of the service that wrote it, which signs `auditEntryOf(record)`; absent when it has no key. */
  writer?: EntrySignature;
}

/**
 * The entry as the API shows it. Its hash is stored and it is signed, so the form of existing entries must not change: a
 * new field is left out when it has no value, as `via` is.
 */
export const auditEntryOf = (record: Omit<AuditRecord, keyof Tenant | 'writer'>): AuditEntry => ({
  id: publicId('auditEntry', record.id),
  type: record.type,
  occurredAt: new Date(record.occurredAt).toISOString(),
  actor: {
    type: record.actor.type,
    id: record.actor.id ?? null,
    name: record.actor.name,
    ...(record.actor.via && { via: record.actor.via }),
  },
  ip: record.ip ?? null,
  userAgent: record.userAgent ?? null,
  requestId: record.requestId ?? null,
  resource: record.resource === null ? null : { type: record.resource.type, id: record.resource.id ?? null },
  changes: record.changes ?? [],
});
