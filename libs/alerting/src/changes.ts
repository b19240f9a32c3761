/** Changes of alerts and incidents as others hear of them, and what the resolving of alerts does to their incidents. */
import { newUuid, publicId, type Actor, type AlertEvent, type Cause, type IncidentEvent } from '@ams/contracts';
import {
  decideAlerts,
  isTold,
  type ActorRef,
  type AlertChangeType,
  type AlertState,
  type FieldChange,
  type IncidentChangeType,
  type IncidentState,
} from '@ams/domain';
import { alertOfRecord, type AlertRecord } from './alert-record.js';
import { incidentOfRecord, type IncidentRecord } from './incident-record.js';

/** What happened to an alert, and why. */
export interface WhyAlert {
  type: AlertChangeType;
  changes: FieldChange[];
  actor: ActorRef;
  cause: Cause;
  at: string;
  note?: string | null;
  /** How many workflows caused each other up to here. */
  depth?: number;
}

/** The same of an incident. */
export interface WhyIncident extends Omit<WhyAlert, 'type' | 'actor'> {
  type: IncidentChangeType;
  actor: Actor;
}

/** The event that tells of a change of the alert, which is in `record` by now; null when nobody is to hear of it. */
export function alertEventOf(
  record: AlertRecord,
  { type, at, actor, cause, changes, depth = 0 }: WhyAlert,
  id = newUuid(),
): AlertEvent | null {
  if (!isTold(type)) return null;
  const { organizationId, environment } = record;
  return {
    id: publicId('timelineEntry', id),
    organizationId,
    environment,
    type,
    occurredAt: at,
    actor,
    cause,
    changes,
    alert: alertOfRecord(record),
    depth,
  };
}

export function incidentEventOf(
  record: IncidentRecord,
  { type, at, actor, cause, changes, depth = 0 }: WhyIncident,
  id = newUuid(),
): IncidentEvent {
  const { organizationId, environment } = record;
  return {
    id: publicId('timelineEntry', id),
    organizationId,
    environment,
    type,
    occurredAt: at,
    actor,
    cause,
    changes,
    incident: incidentOfRecord(record),
    depth,
  };
}

/** An alert of an incident that has resolved. */
export interface ResolvedMember {
  incidentId: string;
  alertId: string;
  actor: Actor;
  at: string;
  depth: number;
}

/** The alert as a member of an incident that has resolved, when going over to `next` makes it one. */
export const resolvedMemberOf = (
  record: AlertRecord,
  next: AlertState,
  { actor, at, depth = 0 }: WhyAlert,
): ResolvedMember | null =>
  next.status === 'resolved' && record.state.status !== 'resolved' && record.incidentId
    ? { incidentId: record.incidentId, alertId: record.id, actor, at, depth }
    : null;

/** What members that have resolved make of an incident, which may resolve with them; null when none of them is its own. */
export function decideResolved(
  record: IncidentRecord,
  resolved: readonly ResolvedMember[],
): { next: IncidentState; why: WhyIncident } | null {
  const members = resolved.filter(({ incidentId }) => incidentId === record.id);
  const last = members.at(-1);
  if (!last) return null;
  const { type, changes, incident } = decideAlerts(record.state, { resolved: members.length }, last.at, last.actor);
  return {
    next: incident,
    why: {
      type,
      changes,
      actor: last.actor,
      cause: { type: 'alert', id: publicId('alert', last.alertId) },
      at: last.at,
      depth: last.depth,
    },
  };
}
